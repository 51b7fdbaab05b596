"""The rows that are timed: real answers where the corpus lies beside the checkout, else generated ones of its shape."""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from pathlib import Path

from gradestone.bench.sample import Pair, sample

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "pairs.jsonl.gz"


@cache
def load(rows: int, path: Path = CORPUS) -> list[Pair]:
    """So many rows spread over the corpus, the same at every run; all of it if it has fewer."""
    if not path.exists():
        return sample(rows)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        pairs = [Pair(row["candidate"], row["reference"]) for row in map(json.loads, lines)]
    return random.Random(17).sample(pairs, min(rows, len(pairs)))
