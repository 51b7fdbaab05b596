"""Each kernel against its plain reference on real answers: one thread, same rows, answers compared before timing.

    python benches/kernels.py [--corpus FILE.jsonl.gz] [--rows N] [--rounds N] [--write]

Rounds are interleaved (Rust, reference, Rust, …), and a figure is the median over rounds of the time a row. The corpus
is `../shared/corpus/pairs.jsonl.gz` beside a checkout; without one, texts of the same length are made up.
"""

from __future__ import annotations

import argparse
import gzip
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from gradestone import _core, compile_grader, grade_batch
from gradestone.reference import batch as reference

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "pairs.jsonl.gz"
TERMS = ["as an ai", "sorry", "cannot", "kill", "bomb", "c++", "password", "stupid", "hell", "drug"]


class Work(NamedTuple):
    """One row of the table: the same kernel on both backends, and the columns that it takes."""

    name: str
    make: Callable[[Any], Any]
    columns: Callable[[Sequence[tuple[str, str]]], tuple[Any, ...]]
    rows: int
    """How many rows both are timed on: the reference may be a thousand times slower."""


def texts(pairs: Sequence[tuple[str, str]]) -> tuple[Any, ...]:
    return (tuple(candidate for candidate, _ in pairs),)


def both(pairs: Sequence[tuple[str, str]]) -> tuple[Any, ...]:
    return tuple(candidate for candidate, _ in pairs), tuple(reference for _, reference in pairs)


def sentences(pairs: Sequence[tuple[str, str]]) -> tuple[Any, ...]:
    """Lists of up to sixteen sentences, as retrieved and expected contexts."""
    return tuple(
        tuple([part[:120] for part in text.split(". ")[:16] if part] or ["-"] for text in column)
        for column in both(pairs)
    )


WORK = (
    Work("bleu_score", lambda backend: backend.Bleu(0.5), both, 1000),
    Work("rouge_score rouge_1", lambda backend: backend.Rouge("rouge_1", "fmeasure", 0.5), both, 1000),
    Work("rouge_score rouge_l", lambda backend: backend.Rouge("rouge_l", "fmeasure", 0.5), both, 500),
    Work("semantic", lambda backend: backend.Jaccard(0.5), both, 1000),
    Work(
        "context_f1, up to 16x16 sentences", lambda backend: backend.ContextF1("f1", 0.7, 0.5), sentences, 60
    ),
    Work("blocklist, 10 terms", lambda backend: backend.Blocklist(TERMS), texts, 1000),
    Work("no_pii, all seven", lambda backend: backend.Pii(list(reference.KINDS)), texts, 1000),
    Work(
        "contains, 3 fragments", lambda backend: backend.Contains(["the", "and", "zebra"], False), texts, 200
    ),
    Work("exact_match", lambda backend: backend.ExactMatch(False, False), both, 1000),
)


def load(path: Path, rows: int) -> list[tuple[str, str]]:
    """A sample spread over the corpus, the same at every run."""
    if not path.exists():
        return made_up(rows)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        pairs = [(row["candidate"], row["reference"]) for row in map(json.loads, lines)]
    return random.Random(17).sample(pairs, min(rows, len(pairs)))


def made_up(rows: int) -> list[tuple[str, str]]:
    """Texts of the corpus's mean length over a small vocabulary."""
    chance = random.Random(17)
    words = ["".join(chance.choices("abcdefghiklmnoprstuvwy", k=chance.randint(1, 9))) for _ in range(900)]
    return [tuple(" ".join(chance.choices(words, k=length)) for length in (230, 360)) for _ in range(rows)]  # type: ignore[misc]


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def described(rows: Any) -> list[tuple[Any, ...]]:
    codes = _core.CODES if type(rows).__module__ == "gradestone._core" else reference.CODES
    scores = memoryview(rows.scores).cast("d")
    return [
        (codes[code], scores[row], *rows.stats(row), *rows.hits(row)) for row, code in enumerate(rows.codes)
    ]


def measure(work: Work, pairs: Sequence[tuple[str, str]], rounds: int) -> tuple[list[float], list[float]]:
    """Microseconds a row of the kernel and of the reference, a figure a round."""
    rows = pairs[: work.rows]
    fast, plain = work.make(_core), work.make(reference)
    columns = work.columns(rows)
    if described(fast.run(*columns, 1)) != described(plain.run(*columns, 1)):
        sys.exit(f"{work.name}: the backends disagree, so there is nothing to time")
    figures: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        # Once untimed: while the other side ran for seconds, these texts have left the caches, or even the memory.
        fast.run(*columns, 1)
        figures[0].append(seconds(lambda: fast.run(*columns, 1)) / len(rows) * 1e6)
        figures[1].append(seconds(lambda: plain.run(*columns, 1)) / len(rows) * 1e6)
    return figures


def spread(figures: Sequence[float]) -> str:
    return f"{statistics.median(figures):,.2f} ({min(figures):,.2f}–{max(figures):,.2f})"


def calls(rounds: int) -> list[str]:
    """What a single call and a short row cost, through the public door."""
    compiled = compile_grader({"type": "contains", "fragments": ["needle"]})
    text = "x" * 100
    single = statistics.median(
        seconds(lambda: [compiled(text) for _ in range(20_000)]) / 20_000 * 1e6 for _ in range(rounds)
    )
    lines = [f"| one `grade()` of 100 characters, contains, compiled | {single:.2f} µs |"]
    cells = [text] * 100_000
    for kind in (
        {"type": "contains", "fragments": ["needle"]},
        {"type": "exact_match", "expected": "needle"},
    ):
        prepared = compile_grader(kind)
        took = statistics.median(
            seconds(lambda one=prepared: grade_batch(one, cells, threads=1)) for _ in range(rounds)
        )
        lines.append(
            f"| batch of 100 000 rows of 100 characters, {kind['type']}, 1 thread | {0.1 / took:.2f} M rows/s |"
        )
    return lines


def report(pairs: Sequence[tuple[str, str]], rounds: int, source: str) -> str:
    lines = [
        "# Measured figures",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, CPython {platform.python_version()}, one thread.",
        f"Command: `python benches/kernels.py --write`. Sample of {source}; {rounds} interleaved rounds;",
        "median (min–max). Both sides of a ratio are timed on the same rows.",
        "",
        "| work on one row | rows | kernel, µs | plain reference, µs | ratio |",
        "| --- | --- | --- | --- | --- |",
    ]
    for work in WORK:
        fast, plain = measure(work, pairs, rounds)
        ratio = statistics.median(plain) / statistics.median(fast)
        lines.append(f"| {work.name} | {work.rows} | {spread(fast)} | {spread(plain)} | {ratio:,.0f}× |")
        print(lines[-1], file=sys.stderr)
    return "\n".join([*lines, "", "| through the door | |", "| --- | --- |", *calls(rounds), ""])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="write benches/RESULTS.md as well")
    chosen = parser.parse_args()
    source = "real answers" if chosen.corpus.exists() else "made-up texts"
    text = report(load(chosen.corpus, chosen.rows), chosen.rounds, source)
    print(text)
    if chosen.write:
        (ROOT / "benches" / "RESULTS.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
