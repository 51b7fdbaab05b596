"""Counting n-grams."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gradestone.reference.ngram import clipped_matches, ngrams

sequences = st.lists(st.sampled_from("abc"), max_size=12)
orders = st.integers(1, 5)


@given(sequences, orders)
def test_every_place_counts_once(sequence: list[str], order: int) -> None:
    """As many n-grams as places, none where the sequence is shorter."""
    assert ngrams(sequence, order).total() == max(len(sequence) - order + 1, 0)


@given(sequences, sequences, orders)
def test_clipping_pairs_each_occurrence_once(left: list[str], right: list[str], order: int) -> None:
    """The same as crossing equal n-grams out on both sides."""
    free = [tuple(right[start : start + order]) for start in range(len(right) - order + 1)]
    crossed = 0
    for start in range(len(left) - order + 1):
        gram = tuple(left[start : start + order])
        if gram in free:
            free.remove(gram)
            crossed += 1
    assert clipped_matches(left, right, order) == crossed == clipped_matches(right, left, order)


def test_counts() -> None:
    """A worked example of overlapping n-grams."""
    assert ngrams(["a", "a", "a"], 2) == Counter({("a", "a"): 2})
    assert ngrams([], 1) == Counter()
