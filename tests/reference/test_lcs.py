"""The longest common subsequence."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from gradestone.reference.lcs import lcs_length

sequences = st.lists(st.sampled_from("abc"), max_size=8)


def by_definition(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    """The recurrence, from the front."""

    @cache
    def longest(i: int, j: int) -> int:
        if i == len(left) or j == len(right):
            return 0
        if left[i] == right[j]:
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    return longest(0, 0)


@pytest.mark.parametrize(
    ("left", "right", "length"),
    [
        ("", "", 0),
        ("", "abc", 0),
        ("abc", "", 0),
        ("abc", "abc", 3),
        ("abc", "cba", 1),
        ("abcd", "acbd", 3),
        ("aaa", "aa", 2),
        ("ABCBDAB", "BDCABA", 4),
    ],
)
def test_named_cases(left: str, right: str, length: int) -> None:
    """Empty sides, identity, reversal, repeats, and the example of the textbooks."""
    assert lcs_length(list(left), list(right)) == length


@given(sequences, sequences)
def test_the_table_is_the_definition(left: list[str], right: list[str]) -> None:
    """Two lines of the table lose nothing; sides may change places."""
    assert lcs_length(left, right) == by_definition(tuple(left), tuple(right)) == lcs_length(right, left)


@given(*[st.lists(st.sampled_from(["the", "cat", "é", "\ud800"]), max_size=130)] * 2)
def test_the_same_as_rapidfuzz(left: list[str], right: list[str]) -> None:
    """Longer sequences of whole tokens, against an implementation that is not ours."""
    assert lcs_length(left, right) == LCSseq.similarity(left, right)
