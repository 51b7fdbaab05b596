"""ROUGE-1 and ROUGE-L of a candidate against one reference, on pinned tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, get_args

from .lcs import lcs_length
from .ngram import clipped_matches
from .row import Row, plain, scored
from .tokenizer import capped_tokens, refusal

RougeType = Literal["rouge_1", "rouge_l"]
Measure = Literal["precision", "recall", "fmeasure"]

ROUGE_TYPES: Final[tuple[RougeType, ...]] = get_args(RougeType)
MEASURES: Final[tuple[Measure, ...]] = get_args(Measure)


def clipped_unigrams(candidate: Sequence[str], reference: Sequence[str]) -> int:
    """Return the overlap of ROUGE-1: tokens in common, each at most as often as the other side has it.

    >>> clipped_unigrams(["a", "a", "b"], ["b", "a"])
    2
    """
    return clipped_matches(candidate, reference, 1)


OVERLAPS: Final[dict[RougeType, Callable[[Sequence[str], Sequence[str]], int]]] = {
    "rouge_1": clipped_unigrams,
    "rouge_l": lcs_length,
}
"""How each type of ROUGE counts the overlap of two token sequences."""


def rouge(
    candidate: str, reference: str, *, rouge_type: RougeType, measure: Measure, threshold: float
) -> Row:
    """Grade one pair: passes when the measure of its token overlap reaches the threshold.

    The overlap is the clipped unigrams (``rouge_1``) or the length of the longest common subsequence
    (``rouge_l``). Precision is the overlap over the candidate's tokens, recall over the reference's, fmeasure
    their harmonic mean, 0 if both are 0. Tokens are neither stemmed nor dropped, so the figures are not
    comparable with published ROUGE.

    Codes: ``ok``, ``below_threshold``, and those of ``tokenizer.refusal``. ``stats``: overlap, tokens of the
    candidate, tokens of the reference. At most 4096 tokens a side; ``rouge_1`` is linear, ``rouge_l`` costs
    the product of the two sides: seconds at the cap. Source: Lin 2004, "ROUGE".

    >>> rouge("a b c d", "b d", rouge_type="rouge_l", measure="recall", threshold=0.5)
    Row(code='ok', score=1.0, stats=(2, 4, 2, 0, 0, 0), hits=())
    >>> rouge("a b c d", "d x", rouge_type="rouge_1", measure="precision", threshold=0.5).score
    0.25
    """
    candidate_tokens, reference_tokens = capped_tokens(candidate), capped_tokens(reference)
    if code := refusal(reference, candidate_tokens, reference_tokens):
        return plain(code)
    overlap = OVERLAPS[rouge_type](candidate_tokens, reference_tokens)
    lengths = (len(candidate_tokens), len(reference_tokens))
    return scored(rouge_score(overlap, *lengths, measure), threshold, overlap, *lengths)


def rouge_score(overlap: int, candidate_length: int, reference_length: int, measure: Measure) -> float:
    """Return one measure of an overlap, neither length being 0.

    >>> rouge_score(1, 2, 4, "precision"), rouge_score(1, 2, 4, "recall"), rouge_score(0, 2, 4, "fmeasure")
    (0.5, 0.25, 0.0)
    """
    precision = overlap / candidate_length
    recall = overlap / reference_length
    return measured(precision, recall, measure)


def measured(precision: float, recall: float, measure: str) -> float:
    """Return the one of both rates that a measure names, else their harmonic mean.

    >>> measured(1.0, 0.5, "recall"), measured(1.0, 0.5, "f1")
    (0.5, 0.6666666666666666)
    """
    if measure == "precision":
        return precision
    if measure == "recall":
        return recall
    return harmonic_mean(precision, recall)


def harmonic_mean(precision: float, recall: float) -> float:
    """Return the F-measure of two rates, 0 if both are 0.

    The operations and their order are part of the contract, so that another implementation reaches the same
    double.

    >>> harmonic_mean(1.0, 0.5), harmonic_mean(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)
