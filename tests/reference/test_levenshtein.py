"""Edit distance and similarity."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from tests.texts import texts

from gradestone.reference.levenshtein import distance, similarity

short = st.text("abc", max_size=7)


def by_definition(left: str, right: str) -> int:
    """The recurrence, from the front."""

    @cache
    def least(i: int, j: int) -> int:
        if i == len(left) or j == len(right):
            return len(left) - i + len(right) - j
        substituted = least(i + 1, j + 1) + (left[i] != right[j])
        return min(substituted, 1 + least(i + 1, j), 1 + least(i, j + 1))

    return least(0, 0)


@pytest.mark.parametrize(
    ("left", "right", "edits"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("abc", "", 3),
        ("kitten", "sitting", 3),
        ("ab", "ba", 2),
        ("\U0001f600", "a", 1),
        ("\ud800", "\udc00", 1),
        ("\ud83d\ude00", "\U0001f600", 2),
        ("é", "e\u0301", 2),
    ],
)
def test_named_cases(left: str, right: str, edits: int) -> None:
    """Code points are the unit: an astral character and a lone surrogate each count one; no transposition."""
    assert distance(left, right) == edits


@given(short, short)
def test_the_table_is_the_definition(left: str, right: str) -> None:
    """Two lines of the table lose nothing; sides may change places."""
    assert distance(left, right) == by_definition(left, right) == distance(right, left)


@given(texts, texts)
def test_the_same_as_rapidfuzz(left: str, right: str) -> None:
    """Any text, against an implementation that is not ours."""
    assert distance(left, right) == Levenshtein.distance(left, right)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("", "", 1.0),
        ("", "a", 0.0),
        ("abc", "abc", 1.0),
        ("ab", "abc", 1.0 - 1 / 3),
        ("abcdefghij", "abcdefgxyz", 0.7),
    ],
)
def test_similarity(left: str, right: str, expected: float) -> None:
    """One minus the distance over the longer length; two empties are equal."""
    assert similarity(left, right) == expected
