"""What a peer is asked, and what its answers are held against."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gradestone import GradeBatch
from gradestone.bench.texts import Texts
from gradestone.bench.works import Work

Run = Callable[[], list[Any]]
"""Answers all rows."""

Make = Callable[[Work, Texts], Run]
"""Prepares what can be prepared once."""


class Asked(NamedTuple):
    """The answers of a peer beside ours."""

    work: Work
    texts: Texts
    ours: GradeBatch
    """Of these rows, and perhaps more."""
    make: Make
    answers: list[Any]


Check = Callable[[Asked], str | None]
"""Says what is wrong with the answers, if anything is."""


def first_difference(differs: Callable[[int], bool], rows: int) -> str | None:
    """Name the first row that differs."""
    row = next(filter(differs, range(rows)), None)
    return None if row is None else f"first in row {row + 1}"


def same_length(asked: Asked) -> str | None:
    """All that can be asserted of who decides something else: that every row has an answer."""
    if len(asked.answers) != len(asked.texts):
        return f"{len(asked.answers)} answers for {len(asked.texts)} rows"
    return None


def same_verdict(asked: Asked) -> str | None:
    """The answers are our verdicts."""
    passed = asked.ours.passed
    return same_length(asked) or first_difference(
        lambda row: bool(asked.answers[row]) != bool(passed[row]), len(asked.answers)
    )


CLOSE = 1e-9
"""Scores may differ by so much: others add in another order."""


def same_score(asked: Asked) -> str | None:
    """The answers are our scores."""
    score = asked.ours.score
    return same_length(asked) or first_difference(
        lambda row: abs(asked.answers[row] - score[row]) > CLOSE, len(asked.answers)
    )


def covers(asked: Asked) -> str | None:
    """Where we find something, the peer does; it may find more, since it looks less closely."""
    passed = asked.ours.passed
    return same_length(asked) or first_difference(
        lambda row: not passed[row] and not asked.answers[row], len(asked.answers)
    )
