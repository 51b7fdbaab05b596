"""BLEU of a candidate against one reference, on pinned tokens."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final, NamedTuple

from .ngram import clipped_matches
from .row import Row, plain, scored
from .tokenizer import capped_tokens, refusal

MAX_ORDER: Final = 4
"""The longest n-gram that counts."""


class BleuStatistics(NamedTuple):
    """The integers that a BLEU score follows from."""

    clipped: tuple[int, ...]
    """Clipped matches of the orders 1, 2, …: as many orders as the shorter side has tokens, four at most."""
    candidate_length: int
    """Tokens of the candidate."""
    reference_length: int
    """Tokens of the reference."""


def bleu(candidate: str, reference: str, *, threshold: float) -> Row:
    """Grade one pair: passes when its sentence BLEU reaches the threshold.

    The order is N = min(4, |c|, |r|) for |c| and |r| pinned tokens. p_n is the clipped count of common
    n-grams over |c| - n + 1; a zero count is smoothed to one half. The brevity penalty is 1 if |c| >= |r|,
    else exp(1 - |r| / |c|). The score is the penalty times the geometric mean of the p_n. It is
    deterministic, and not comparable with published BLEU: tokenizer, smoothing and order differ.

    Codes: ``ok``, ``below_threshold``, and those of ``tokenizer.refusal``. ``stats``: the clipped counts of
    the orders 1 to 4 (0 beyond N), |c|, |r|. Linear in both texts; at most 4096 tokens a side.
    Source: Papineni et al. 2002, "BLEU".

    >>> bleu("the cat sat", "the cat sat down", threshold=0.5)
    Row(code='ok', score=0.7165313105737893, stats=(3, 2, 1, 0, 3, 4), hits=())
    >>> bleu("", "the cat", threshold=0.0).code
    'empty_candidate'
    """
    candidate_tokens, reference_tokens = capped_tokens(candidate), capped_tokens(reference)
    if code := refusal(reference, candidate_tokens, reference_tokens):
        return plain(code)
    statistics = bleu_statistics(candidate_tokens, reference_tokens)
    padded = statistics.clipped + (0,) * (MAX_ORDER - len(statistics.clipped))
    lengths = (statistics.candidate_length, statistics.reference_length)
    return scored(bleu_score(statistics), threshold, *padded, *lengths)


def bleu_statistics(candidate: Sequence[str], reference: Sequence[str]) -> BleuStatistics:
    """Count what BLEU needs to know of two token sequences.

    >>> bleu_statistics(["a", "b", "c"], ["a", "b"])
    BleuStatistics(clipped=(2, 1), candidate_length=3, reference_length=2)
    """
    orders = range(1, min(MAX_ORDER, len(candidate), len(reference)) + 1)
    clipped = tuple(clipped_matches(candidate, reference, order) for order in orders)
    return BleuStatistics(clipped, len(candidate), len(reference))


def bleu_score(statistics: BleuStatistics) -> float:
    """Return the score of counts of which neither length is 0.

    The operations and their order are part of the contract, so that another implementation reaches the same
    double.

    >>> bleu_score(BleuStatistics((1, 0), 2, 2))
    0.5
    """
    clipped, candidate_length, reference_length = statistics
    total = 0.0
    for order, matches in enumerate(clipped, 1):
        possible = candidate_length - order + 1
        total += log(matches / possible if matches else 1 / (2 * possible))
    mean = exp(total / len(clipped))
    if candidate_length >= reference_length:
        return mean
    return exp(1.0 - reference_length / candidate_length) * mean
