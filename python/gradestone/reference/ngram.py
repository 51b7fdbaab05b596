"""N-grams of token sequences, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """Count the n-grams of one order; a sequence shorter than the order has none.

    >>> ngrams(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def clipped_matches(candidate: Sequence[str], reference: Sequence[str], order: int) -> int:
    """Count the n-grams that both sides have, each as often as the side that has it less often.

    Symmetric. Linear in the tokens. Source: Papineni et al. 2002, "BLEU", section 2.1 (modified precision).

    >>> clipped_matches(["the"] * 7, ["the", "cat", "is", "on", "the", "mat"], 1)
    2
    """
    return (ngrams(candidate, order) & ngrams(reference, order)).total()
