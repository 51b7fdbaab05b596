"""The columns that an output adds to the user's, and what is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gradestone.codes import CODES, Outcome
from gradestone.data.blocks import Block, in_order
from gradestone.data.formats import Format
from gradestone.data.splice import UNREADABLE, Place
from gradestone.verdict import GradeBatch

LONE_SURROGATES: Final = "lone_surrogates"
"""The column that says in which rows a lone surrogate, which UTF-8 has no form for, was written as U+FFFD.

It stands behind the user's columns wherever rows come from JSON, JSON Lines among it: only there can one be.
"""

PARTS: Final = ("passed", "score", "outcome", "code", "reason")
"""What is told of each verdict, in this order."""


def verdict_columns(name: str) -> tuple[str, ...]:
    """Return the names of the columns that a grader's verdicts have in CSV, Parquet and Arrow outputs.

    >>> verdict_columns("pii")
    ('pii_passed', 'pii_score', 'pii_outcome', 'pii_code', 'pii_reason')
    """
    return tuple(f"{name}_{part}" for part in PARTS)


def added_names(format: Format, graders: Sequence[str]) -> tuple[str, ...]:
    """Return all that an output of a format may add to the user's columns, none of which they may have.

    >>> added_names("jsonl", ["pii"])
    ('pii',)
    >>> added_names("csv", ["pii"])[-2:]
    ('pii_reason', 'lone_surrogates')
    """
    if format == "jsonl":
        return tuple(graders)
    return (*(column for name in graders for column in verdict_columns(name)), LONE_SURROGATES)


class VerdictLists(NamedTuple):
    """A grader's verdicts on the rows of a block, unreadable ones in their places."""

    codes: list[str]
    scores: list[float]
    reasons: list[str]

    @property
    def passed(self) -> list[bool]:
        """Whether each row passed."""
        return [CODES[code].outcome is Outcome.PASS for code in self.codes]

    @property
    def outcomes(self) -> list[str]:
        """The outcome of each row."""
        return [CODES[code].outcome.value for code in self.codes]


def verdict_lists(
    block: Block, verdicts: Mapping[str, GradeBatch], graders: Sequence[str], place: Place
) -> dict[str, VerdictLists]:
    """Return the verdicts of each grader; a block without readable rows needs none."""
    return {name: _lists(block, verdicts[name] if len(block) else None, place) for name in graders}


def _lists(block: Block, batch: GradeBatch | None, place: Place) -> VerdictLists:
    codes = batch.code.tolist() if batch is not None else []
    scores = batch.score.tolist() if batch is not None else []
    reasons = batch.reasons if batch is not None else []
    return VerdictLists(
        list(in_order(codes, block.bad, lambda _: UNREADABLE.slug)),
        list(in_order(scores, block.bad, lambda _: 0.0)),
        list(in_order(reasons, block.bad, place.reason)),
    )
