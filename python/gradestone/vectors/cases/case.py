"""How a case is written down."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final

Number = int | float | Fraction

Json = Any
"""A JSON value, shorthand included."""


class Absent(Enum):
    """The row has no such value, which is not the JSON null."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what is graded, and the verdict that a person worked out for it."""

    name: str
    comment: str
    flags: tuple[str, ...]
    options: Mapping[str, Any]
    candidate: Json
    reference: Json
    code: str
    passed: bool
    score: Number | None
    """The score of a scored verdict; ``None``: too long to work out by hand."""
    metadata: Mapping[str, Any] | None
    """The metadata that the case states; the generator adds the figures that are left out."""


def passes(
    name: str,
    comment: str,
    flags: str,
    options: Mapping[str, Any],
    candidate: Json,
    *,
    reference: Json = ABSENT,
    score: Number | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Case:
    """State that a candidate passes. ``flags`` are names of `flags.FLAGS`, separated by spaces."""
    return Case(
        name, comment, tuple(flags.split()), options, candidate, reference, "ok", True, score, metadata
    )


def fails(
    name: str,
    comment: str,
    flags: str,
    code: str,
    options: Mapping[str, Any],
    candidate: Json,
    *,
    reference: Json = ABSENT,
    score: Number | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Case:
    """State that a candidate does not pass, and why."""
    return Case(
        name, comment, tuple(flags.split()), options, candidate, reference, code, False, score, metadata
    )


def repeat(value: Json, times: int) -> dict[str, Any]:
    """Shorthand for a text or list, so many times in a row."""
    return {"$repeat": [value, times]}


def concat(*parts: Json) -> dict[str, Any]:
    """Shorthand for texts or lists joined."""
    return {"$concat": list(parts)}


def nest(value: Json, times: int) -> dict[str, Any]:
    """Shorthand for a value wrapped into so many lists."""
    return {"$nest": [value, times]}


def literal(value: Json) -> dict[str, Any]:
    """Shorthand for a value that would otherwise look like shorthand."""
    return {"$literal": value}


def geometric_mean(*values: Number) -> float:
    """BLEU's ``exp(mean of ln p)``."""
    return math.exp(sum(math.log(value) for value in values) / len(values))


def harmonic_mean(precision: Number, recall: Number) -> Number:
    """F1."""
    return 2 * precision * recall / (precision + recall)
