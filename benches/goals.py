"""The goals, in one place: what ours is held to in each row of the tables."""

from __future__ import annotations

from typing import NamedTuple


class Ratio(NamedTuple):
    """Ours takes at most the peer's time divided by `times`, plus an allowance."""

    peer: str
    times: float
    allowance: float = 0.0
    """Microseconds a row that the batch may cost over a library's own call."""

    def __str__(self) -> str:
        over = f", or {self.allowance:g} µs a row over it" if self.allowance else ""
        return f"≥ {self.times:g}× {self.peer}{over}"

    def met(self, ours: float, peer: float) -> bool:
        return ours * self.times <= peer or ours <= peer + self.allowance


class Rate(NamedTuple):
    """At least so many rows a second, in a series at one size and one thread."""

    group: str
    size: int
    least: float

    def __str__(self) -> str:
        return f"≥ {self.least:,.0f} rows/s"


BATCH = 1.0
"""What a batch may cost over the library that does its work, µs a row."""

RATIOS: dict[str, tuple[Ratio, ...]] = {
    "bleu_score": (Ratio("bleuscore", 25), Ratio("reference", 120)),
    "rouge_score rouge_1": (Ratio("rouge_score_rs", 3.5),),
    "rouge_score rouge_l": (Ratio("rouge_score_rs", 3),),
    "blocklist, 10 terms": (Ratio("hyperscan", 1.5),),
    "blocklist, 100 terms": (Ratio("hyperscan", 1.5),),
    "blocklist, 1000 terms": (Ratio("hyperscan", 1.5),),
    "no_pii": (Ratio("hyperscan", 4),),
    "regex": (Ratio("re", 1, BATCH),),
    "json_schema": (Ratio("jsonschema-rs", 1, BATCH),),
    "json_path_assertion": (Ratio("plain Python", 1, BATCH),),
    "localization_f1": (Ratio("plain Python", 1, BATCH),),
    "context_f1, 5x5 sentences": (Ratio("rapidfuzz", 3),),
    "context_f1, 16x16 sentences": (Ratio("rapidfuzz", 3),),
    "context_f1, 64x64 sentences": (Ratio("rapidfuzz", 3),),
}
"""By the name of a work; `reference` is the plain twin of the kernel, the others are peers by their names."""

RATES = (
    Rate("rows: contains", 100_000, 2_000_000),
    Rate("rows: exact_match", 100_000, 1_000_000),
    Rate("one call: contains", 1, 200_000),
    Rate("one call: exact_match", 1, 200_000),
)
"""200 000 calls a second are 5 µs a call."""

ROUNDS = 5
"""Fewer are a rehearsal: no figure of it is to be quoted."""
