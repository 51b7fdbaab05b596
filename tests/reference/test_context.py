"""Overlap of context lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.texts import awkward_texts

from gradestone.reference.context import MEASURES, Measure, context_f1, context_score, is_over_cap, normalise
from gradestone.reference.limits import MAX_CONTEXT_CHARS, MAX_CONTEXT_MEMBERS
from gradestone.reference.row import Row, plain

members = st.lists(awkward_texts.map(lambda text: text[:6]), min_size=1, max_size=4)


def grade(
    retrieved: list[str], expected: list[str], measure: Measure = "f1", similarity_threshold: float = 0.7
) -> Row:
    return context_f1(
        retrieved, expected, measure=measure, similarity_threshold=similarity_threshold, threshold=0.5
    )


@pytest.mark.parametrize(
    ("member", "normalised"),
    [
        ("", ""),
        (" ", ""),
        (" \t\r\n\f\v ", ""),
        ("  The\n\nCat  ", "the cat"),
        ("\u00a0a\u00a0\u00a0b", "\u00a0a\u00a0\u00a0b"),
        (" \u2028 ", "\u2028"),
        ("\u0130", "i\u0307"),
        ("ΑΣ", "ας"),
    ],
)
def test_normalisation(member: str, normalised: str) -> None:
    """Lowercase, one space for a run of pinned whitespace, none at the ends, nothing else touched."""
    assert normalise(member) == normalised


def test_counts_and_measures() -> None:
    """A member may have several partners, and counts once."""
    lists = (["a", "b", "x"], ["a", "a"])
    assert grade(*lists).stats == (1, 3, 2, 2, 0, 0)
    assert grade(*lists, measure="precision").score == 1 / 3
    assert grade(*lists, measure="recall").score == 1.0
    assert grade(*lists, measure="f1").score == 2 * (1 / 3) * 1.0 / (1 / 3 + 1.0)


def test_the_similarity_threshold_is_inclusive_on_the_double() -> None:
    """1 - 3/10 is 0.7 and reaches 0.7; 1 - 1/3 is above 2/3 by one step, and 1 - 2/3 is above 1/3."""
    assert grade(["abcdefghij"], ["abcdefgxyz"], similarity_threshold=0.7).code == "ok"
    assert grade(["abcdefghij"], ["abcdefwxyz"], similarity_threshold=0.7).code == "below_threshold"
    assert 1.0 - 1 / 3 == 0.6666666666666667 > 2 / 3
    assert grade(["abc"], ["abx"], similarity_threshold=0.6666666666666667).code == "ok"
    assert grade(["abc"], ["abx"], similarity_threshold=0.6666666666666669).code == "below_threshold"


def test_a_threshold_of_zero_matches_everything() -> None:
    """Also an empty member and one that has nothing in common."""
    assert grade(["a", ""], ["b"], similarity_threshold=0.0).stats == (2, 2, 1, 1, 0, 0)


def test_empty_members_stay_in_both_counts() -> None:
    """Two empties are alike; an empty one without a partner lowers the score."""
    assert grade(["a", " "], ["a", "\n"]).stats == (2, 2, 2, 2, 0, 0)
    assert grade(["a", " "], ["a"]).stats == (1, 2, 1, 1, 0, 0)


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_alike_scores_zero(measure: Measure) -> None:
    """Also f1, which would divide by 0."""
    assert context_score(0, 1, 0, 1, measure) == 0.0


OVER = ["a"] * (MAX_CONTEXT_MEMBERS + 1)


@pytest.mark.parametrize(
    ("retrieved", "expected", "code"),
    [
        ([" "], ["a"], "empty_retrieved"),
        (["a"], ["", "\t"], "empty_expected"),
        ([""], [""], "empty_retrieved"),
        ([], ["a"], "empty_retrieved"),
        (["a"], [], "empty_expected"),
        (OVER, ["a"], "over_cap"),
        (["a"], OVER, "over_cap"),
        ([""], OVER, "over_cap"),
        ([" " * (MAX_CONTEXT_CHARS + 1)], ["a"], "over_cap"),
        (["a"] * 1_000_000, ["a" * 10_000_000], "over_cap"),
    ],
)
def test_refused(retrieved: list[str], expected: list[str], code: str) -> None:
    """Caps first, as given; then the retrieved, then the expected."""
    assert grade(retrieved, expected) == plain(code)


@pytest.mark.parametrize(
    ("lengths", "over"),
    [
        ([1] * 64, False),
        ([0] * 65, True),
        ([8192], False),
        ([8193], True),
        ([4096, 4096], False),
        ([4096, 4096, 1], True),
        ([128] * 64, False),
    ],
)
def test_caps(lengths: list[int], over: bool) -> None:
    """64 members and 8192 code points in sum are allowed, one more is not; astral characters count one."""
    assert is_over_cap(["\U0001f600" * length for length in lengths]) is over


def test_lists_at_both_caps_are_graded() -> None:
    """64 members and 8192 code points against a short list."""
    assert grade(["ab" * 64] * 64, ["ab" * 64]).stats == (64, 64, 1, 1, 0, 0)


@given(members, members)
def test_sides_may_change_places(retrieved: list[str], expected: list[str]) -> None:
    """Precision and recall change places with the lists."""
    there, back = grade(retrieved, expected), grade(expected, retrieved)
    assert there.score == back.score
    assert there.stats[:4] == (*back.stats[2:4], *back.stats[:2])
