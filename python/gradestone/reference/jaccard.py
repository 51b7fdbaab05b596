"""Jaccard overlap of pinned tokens: the grader ``semantic`` of older suites."""

from __future__ import annotations

from .row import Row, plain, scored
from .tokenizer import tokens


def jaccard(candidate: str, reference: str, *, threshold: float) -> Row:
    """Grade one pair: passes when the overlap of its two sets of pinned tokens reaches the threshold.

    The score is the size of the intersection over the size of the union. Order and repeats do not count.

    Codes: ``ok``, ``below_threshold``, ``empty_reference`` and ``empty_candidate`` where a side has no
    tokens. ``stats``: intersection, union. Linear in both texts, no cap. Source: Jaccard 1901.

    >>> jaccard("red red wine", "white wine", threshold=0.5)
    Row(code='below_threshold', score=0.3333333333333333, stats=(1, 3, 0, 0, 0, 0), hits=())
    >>> jaccard("red", " ", threshold=0.0).code
    'empty_reference'
    """
    candidate_set, reference_set = set(tokens(candidate)), set(tokens(reference))
    if not reference_set:
        return plain("empty_reference")
    if not candidate_set:
        return plain("empty_candidate")
    intersection = len(candidate_set & reference_set)
    union = len(candidate_set | reference_set)
    return scored(intersection / union, threshold, intersection, union)
