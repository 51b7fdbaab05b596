"""Jaccard overlap."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.texts import texts

from gradestone.reference.jaccard import jaccard
from gradestone.reference.row import plain


@pytest.mark.parametrize(
    ("candidate", "reference", "stats", "score"),
    [
        ("a b", "b c", (1, 3), 1 / 3),
        ("a a a", "A", (1, 1), 1.0),
        ("a", "b", (0, 2), 0.0),
        ("don't", "t'don", (3, 3), 1.0),
        ("\u00a0", "\u00a0", (1, 1), 1.0),
        ("a " * 10_000, "a", (1, 1), 1.0),
    ],
)
def test_worked_examples(candidate: str, reference: str, stats: tuple[int, int], score: float) -> None:
    """Sets: neither order nor repeats count; no cap; a lone NBSP is a token here."""
    row = jaccard(candidate, reference, threshold=0.0)
    assert (row.code, row.score, row.stats) == ("ok", score, (*stats, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("candidate", "reference", "code"),
    [("", "", "empty_reference"), ("a", "\t", "empty_reference"), ("\f", "a", "empty_candidate")],
)
def test_refused(candidate: str, reference: str, code: str) -> None:
    """A side without tokens, the reference first."""
    assert jaccard(candidate, reference, threshold=0.0) == plain(code)


@given(texts, texts)
def test_sides_may_change_places(left: str, right: str) -> None:
    """The overlap is symmetric, and at most 1."""
    there, back = jaccard(left, right, threshold=0.5), jaccard(right, left, threshold=0.5)
    assert (there.score, there.stats) == (back.score, back.stats)
    assert 0.0 <= there.score <= 1.0
