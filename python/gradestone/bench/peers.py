"""Other libraries that do the work of a kernel, each as its own documentation has it done, on one thread.

None is needed to use the package; those that are installed (extra ``bench``) are timed. Whatever a user must do to each
row before such a call, encoding, lowercasing, reading JSON, is part of what is timed. Where a peer decides something
else than we do, its note says what, and its check asserts what must hold all the same.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from typing import Final, NamedTuple

from gradestone.bench import asking
from gradestone.bench import peers_matching as matching
from gradestone.bench import peers_overlap as overlap
from gradestone.bench import peers_structure as structure
from gradestone.bench.asking import Check, Make


class Peer(NamedTuple):
    """Another library, and how it is asked."""

    name: str
    distribution: str | None
    """What to install; None for what comes with Python or with the package."""
    module: str
    make: Make
    check: Check
    rows: int = 1000
    """Rows at most: some take seconds for a thousand."""
    note: str = ""

    @property
    def version(self) -> str:
        """The version that is installed."""
        return metadata.version(self.distribution) if self.distribution else platform.python_version()

    @property
    def is_installed(self) -> bool:
        """Whether it can be imported."""
        return find_spec(self.module) is not None


def installed(family: str) -> list[Peer]:
    """The peers of a family that can be imported."""
    return [peer for peer in PEERS.get(family, ()) if peer.is_installed]


def missing(family: str) -> list[str]:
    """What could be installed beside them."""
    return [
        peer.distribution for peer in PEERS.get(family, ()) if peer.distribution and not peer.is_installed
    ]


def _rouge(*, rows: int) -> tuple[Peer, Peer]:
    """The two that compute either ROUGE, the slower one on so many rows."""
    note = "tokens of [a-z0-9] alone"
    fast, slow = overlap.rouge_score_rs, overlap.rouge_score
    return (
        Peer("rouge_score_rs", "rouge-score-rs", "rouge_score_rs", fast, overlap.same_rouge, note=note),
        Peer("rouge_score", "rouge-score", "rouge_score", slow, overlap.same_rouge, rows, note),
    )


PEERS: Final[dict[str, Sequence[Peer]]] = {
    "bleu": (
        Peer("bleuscore", "bleuscore", "bleuscore", overlap.bleuscore, overlap.same_bleu, 300, "13a tokens"),
        Peer("sacrebleu", "sacrebleu", "sacrebleu", overlap.sacrebleu, overlap.same_bleu, 50, "13a tokens"),
        Peer("nltk", "nltk", "nltk", overlap.nltk, overlap.same_bleu, 50, "tokens by white space"),
    ),
    "rouge1": (
        *_rouge(rows=30),
        Peer(
            "rouge-rust",
            "rouge-rust",
            "fast_rouge",
            overlap.rouge_rust,
            asking.same_length,
            100,
            "three scores",
        ),
    ),
    "rougeL": (
        *_rouge(rows=10),
        Peer(
            "rapidfuzz",
            "rapidfuzz",
            "rapidfuzz",
            overlap.longest_common_subsequence,
            asking.same_score,
            note="ready tokens",
        ),
    ),
    "blocklist": (
        Peer(
            "hyperscan", "hyperscan", "hyperscan", matching.hyperscan_terms, asking.covers, note="no borders"
        ),
        Peer(
            "ahocorasick_rs",
            "ahocorasick-rs",
            "ahocorasick_rs",
            matching.ahocorasick_rs,
            asking.covers,
            note="no borders",
        ),
        Peer(
            "pyahocorasick",
            "pyahocorasick",
            "ahocorasick",
            matching.pyahocorasick,
            asking.covers,
            200,
            "no borders",
        ),
    ),
    "no_pii": (
        Peer(
            "hyperscan",
            "hyperscan",
            "hyperscan",
            matching.hyperscan_pii,
            asking.covers,
            note="simplified patterns, no checksums",
        ),
        Peer("datafog", "datafog", "datafog", matching.datafog, asking.same_length, 50, "other kinds"),
    ),
    "regex": (Peer("re", None, "re", matching.re_search, asking.same_verdict),),
    "json_schema": (
        Peer("jsonschema-rs", "jsonschema-rs", "jsonschema_rs", structure.jsonschema_rs, asking.same_verdict),
        Peer("jsonschema", "jsonschema", "jsonschema", structure.jsonschema, asking.same_verdict, 200),
    ),
    "json_path": (Peer("plain Python", None, "json", structure.json_path, asking.same_verdict),),
    "localization": (Peer("plain Python", None, "re", structure.localization, asking.same_score),),
    "context_f1": (
        Peer("rapidfuzz", "rapidfuzz", "rapidfuzz", overlap.rapidfuzz_contexts, asking.same_score),
        Peer("polyleven", "polyleven", "polyleven", overlap.polyleven_contexts, asking.same_score, 40),
    ),
    "contains": (Peer("plain Python", None, "re", matching.plain_contains, asking.same_verdict),),
    "exact_match": (Peer("plain Python", None, "re", matching.plain_exact, asking.same_verdict),),
}
"""Who does the work of each family, the strongest first."""
