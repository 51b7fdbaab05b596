"""The goals, in one place: what ours is held to in each row of the tables."""

from __future__ import annotations

import re
from typing import NamedTuple


class Ratio(NamedTuple):
    """Ours takes at most the peer's time divided by `times`, or an allowance more than the peer."""

    work: str
    """Words that the work's name holds."""
    peer: str
    """Words that the side's name holds."""
    times: float
    allowance: float = 0.0
    """Microseconds a row that a batch may cost over the library that does its work."""

    def __str__(self) -> str:
        over = f", or at most {self.allowance:g} µs a row over it" if self.allowance else ""
        return f"≥ {self.times:g}× {self.peer}{over}"

    def met(self, ours: float, peer: float) -> bool:
        return ours * self.times <= peer or ours - peer <= self.allowance > 0


class Rate(NamedTuple):
    """At least so many rows a second, in a series, at one size and on one thread."""

    group: str
    size: int
    least: float


RATIOS = (
    Ratio("bleu_score", "bleuscore", 25),
    Ratio("bleu_score", "reference", 120),
    Ratio("rouge_1", "rouge_score_rs", 3.5),
    Ratio("rouge_l", "rouge_score_rs", 3),
    Ratio("blocklist 10", "hyperscan", 1.5),
    Ratio("blocklist 100", "hyperscan", 1.5),
    Ratio("blocklist 1000", "hyperscan", 1.5),
    Ratio("no_pii", "hyperscan", 4),
    Ratio("regex", "re", 1, allowance=1),
    Ratio("json_schema", "jsonschema_rs", 1, allowance=1),
    Ratio("json_path_assertion", "plain", 1, allowance=1),
    Ratio("localization_f1", "plain", 1, allowance=1),
    Ratio("context_f1 5x5", "rapidfuzz", 3),
    Ratio("context_f1 16x16", "rapidfuzz", 3),
    Ratio("context_f1 64x64", "rapidfuzz", 3),
)

RATES = (
    Rate("rows: contains", 100_000, 2_000_000),
    Rate("rows: exact_match", 100_000, 1_000_000),
)

LONGEST_CALL = 5.0
"""Microseconds of one `grade()` of a match grader with 100 characters."""

ROUNDS = 5
"""Fewer are a rehearsal: no figure of it is to be quoted."""


def of_work(name: str) -> list[Ratio]:
    """The goals of a work, however its name is punctuated.

    >>> [str(goal) for goal in of_work("blocklist, 10 terms")]
    ['≥ 1.5× hyperscan']
    """
    return [goal for goal in RATIOS if holds(name, goal.work)]


def holds(name: str, words: str) -> bool:
    """Whether all words are among those of a name.

    >>> holds("rouge-score-rs 0.2", "rouge_score_rs"), holds("rouge_score", "rouge_score_rs")
    (True, False)
    """
    return set(_words(words)) <= set(_words(name))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9_]+", text.lower().replace("-", "_").replace("×", "x"))
