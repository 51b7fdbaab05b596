"""Overlap of retrieved and expected contexts, matched by edit similarity."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, get_args

from .levenshtein import similarity
from .limits import MAX_CONTEXT_CHARS, MAX_CONTEXT_MEMBERS
from .rouge import measured
from .row import Row, plain, scored
from .text import PINNED_WHITESPACE, lower

Measure = Literal["precision", "recall", "f1"]

MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)

_WHITESPACE_RUN: Final = re.compile(f"[{PINNED_WHITESPACE}]+")


def context_f1(
    retrieved: Sequence[str],
    expected: Sequence[str],
    *,
    measure: Measure,
    similarity_threshold: float,
    threshold: float,
) -> Row:
    """Grade one pair of lists: passes when the measure of their matched members reaches the threshold.

    Members are normalised first. Two match when their similarity reaches ``similarity_threshold``, compared
    on the double; one member may match several. Precision is the retrieved members with a match over all
    retrieved, recall the expected ones over all expected, f1 their harmonic mean, 0 if both are 0. Empty
    members stay in the counts.

    Codes: ``ok``, ``below_threshold``; ``over_cap`` for a list of over 64 members or 8192 code points, as
    given; ``empty_retrieved``, ``empty_expected`` where nothing is left of any member of a list. ``stats``:
    retrieved with a match, retrieved, expected with a match, expected. Costs the product of the code points:
    seconds at the caps.

    >>> context_f1(
    ...     ["The cat sat.", "Rain"], ["the  cat sat"], measure="f1", similarity_threshold=0.7, threshold=0.5
    ... )
    Row(code='ok', score=0.6666666666666666, stats=(1, 2, 1, 1, 0, 0), hits=())
    """
    if is_over_cap(retrieved) or is_over_cap(expected):
        return plain("over_cap")
    retrieved = [normalise(member) for member in retrieved]
    expected = [normalise(member) for member in expected]
    if not any(retrieved):
        return plain("empty_retrieved")
    if not any(expected):
        return plain("empty_expected")
    counts = matched_members(retrieved, expected, similarity_threshold)
    return scored(context_score(*counts, measure), threshold, *counts)


def is_over_cap(members: Sequence[str]) -> bool:
    """Whether a list, as given, has too many members or too many code points.

    >>> is_over_cap(["a"] * 65), is_over_cap(["a" * 8192]), is_over_cap(["a" * 8192, "a"])
    (True, False, True)
    """
    return len(members) > MAX_CONTEXT_MEMBERS or sum(map(len, members)) > MAX_CONTEXT_CHARS


def normalise(member: str) -> str:
    r"""Lowercase, make each run of pinned whitespace one space, drop one leading and one trailing space.

    >>> normalise("\t The\r\n Cat\u00a0 ")
    'the cat\xa0'
    """
    return _WHITESPACE_RUN.sub(" ", lower(member)).removeprefix(" ").removesuffix(" ")


def matched_members(
    retrieved: Sequence[str], expected: Sequence[str], similarity_threshold: float
) -> tuple[int, int, int, int]:
    """Count the retrieved members with a match, all retrieved, the expected ones with a match, all expected.

    >>> matched_members(["a", "b"], ["a", "a", "c"], 1.0)
    (1, 2, 2, 3)
    """
    matches = [[similarity(one, other) >= similarity_threshold for other in expected] for one in retrieved]
    retrieved_matched = sum(any(line) for line in matches)
    expected_matched = sum(any(column) for column in zip(*matches, strict=True))
    return retrieved_matched, len(retrieved), expected_matched, len(expected)


def context_score(
    retrieved_matched: int, retrieved: int, expected_matched: int, expected: int, measure: Measure
) -> float:
    """Return one measure of the counts, neither list being empty.

    >>> context_score(1, 2, 2, 3, "precision"), context_score(1, 2, 2, 2, "recall")
    (0.5, 1.0)
    """
    precision = retrieved_matched / retrieved
    recall = expected_matched / expected
    return measured(precision, recall, measure)
