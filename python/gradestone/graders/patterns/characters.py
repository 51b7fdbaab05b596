"""Sets of code points: what one character of a pattern may be.

A set is a tuple of inclusive ranges, ascending and apart. Everything that depends on flags is settled here,
so that the engines behind get plain code points and their own notions of case, digits and words never come
into play.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

Ranges = tuple[tuple[int, int], ...]

LAST: Final = 0x10FFFF
EVERYTHING: Final[Ranges] = ((0, LAST),)
BUT_NEWLINE: Final[Ranges] = ((0, 0x09), (0x0B, LAST))

_CASED_PLANES: Final = 0x20000
_CASE_GAP: Final = ord("a") - ord("A")


def merge(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the same code points as ascending ranges that neither overlap nor touch."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Return all other code points."""
    starts = [0, *(high + 1 for _, high in ranges)]
    ends = [*(low - 1 for low, _ in ranges), LAST]
    return tuple((low, high) for low, high in zip(starts, ends, strict=True) if low <= high)


_DIGIT: Final[Ranges] = ((0x30, 0x39),)
_SPACE: Final[Ranges] = ((0x09, 0x0D), (0x20, 0x20))
_WORD: Final[Ranges] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))

ASCII_CATEGORIES: Final[dict[str, Ranges]] = {
    "CATEGORY_DIGIT": _DIGIT,
    "CATEGORY_NOT_DIGIT": complement(_DIGIT),
    "CATEGORY_SPACE": _SPACE,
    "CATEGORY_NOT_SPACE": complement(_SPACE),
    "CATEGORY_WORD": _WORD,
    "CATEGORY_NOT_WORD": complement(_WORD),
}
r"""``\d``, ``\s``, ``\w`` and their opposites under the ASCII flag, by the names of CPython's parser."""

_UNICODE_SPACE: Final[Ranges] = (
    (0x09, 0x0D), (0x1C, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000),
)  # fmt: skip
_CONNECTORS_BUT_UNDERSCORE: Final[Ranges] = (
    (0x203F, 0x2040), (0x2054, 0x2054), (0xFE33, 0xFE34), (0xFE4D, 0xFE4F), (0xFF3F, 0xFF3F),
)  # fmt: skip

UNICODE_CATEGORIES: Final[dict[str, tuple[Ranges, str]]] = {
    "CATEGORY_DIGIT": ((), r"\p{Nd}"),
    "CATEGORY_NOT_DIGIT": ((), r"\p{L}\p{M}\p{P}\p{S}\p{Z}\p{C}\p{Nl}\p{No}"),
    "CATEGORY_SPACE": (_UNICODE_SPACE, ""),
    "CATEGORY_NOT_SPACE": (complement(_UNICODE_SPACE), ""),
    "CATEGORY_WORD": (((0x5F, 0x5F),), r"\p{L}\p{N}"),
    "CATEGORY_NOT_WORD": (
        _CONNECTORS_BUT_UNDERSCORE,
        r"\p{M}\p{S}\p{Z}\p{C}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}",
    ),
}
r"""The same inside ``(?u:...)``: ranges, and the general categories that the stoppable engine adds to them.

CPython's ``\w`` is ``str.isalnum`` and ``_``: the categories L and N; its ``\s`` is ``str.isspace``.
"""


def fold_ascii(ranges: Ranges) -> Ranges:
    """Add the other case of each ASCII letter: all that ignoring case means under the ASCII flag."""
    folded = list(ranges)
    for first, gap in ((ord("a"), -_CASE_GAP), (ord("A"), _CASE_GAP)):
        for low, high in ranges:
            start, end = max(low, first), min(high, first + 25)
            if start <= end:
                folded.append((start + gap, end + gap))
    return merge(folded)


def fold_unicode(ranges: Ranges) -> Ranges:
    """Add what ignoring case means inside ``(?u:...)``, by the Unicode tables of the interpreter.

    As ``re`` has it, two characters are alike when the uppercase of their lowercase is the same.
    """
    cased, groups = _alike()
    folded = list(ranges)
    for low, high in ranges:
        for code in cased[bisect_left(cased, low) : bisect_right(cased, high)]:
            folded += ((other, other) for other in groups[code])
    return merge(folded)


@lru_cache(maxsize=1)
def _alike() -> tuple[list[int], dict[int, list[int]]]:
    """Every character that has another case, ascending, and all those that are like it, itself included."""
    by_case: dict[str, list[int]] = defaultdict(list)
    for code in range(_CASED_PLANES):
        by_case[chr(code).lower()[0].upper()].append(code)
    groups = {code: group for group in by_case.values() if len(group) > 1 for code in group}
    return sorted(groups), groups


def characters(ranges: Ranges, spell: Callable[[int], str], categories: str = "") -> str:
    """Write one character out of a set that is not empty; ``spell`` writes one code point.

    Both engines read it, and it is never a negated class: of two of those in one alternative, ``[^a]|[^b]``,
    the ``regex`` package makes a class that matches too little.
    """
    if ranges == EVERYTHING:
        return "(?s:.)"
    if ranges == BUT_NEWLINE and not categories:
        return "."
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1] and not categories:
        return spell(ranges[0][0])
    members = "".join(spell(low) if low == high else f"{spell(low)}-{spell(high)}" for low, high in ranges)
    return f"[{members}{categories}]"
