"""BLEU."""

from __future__ import annotations

from math import exp, isclose, prod

import pytest
from hypothesis import assume, given
from tests.texts import sentences, texts

from gradestone.reference.bleu import bleu, bleu_score, bleu_statistics
from gradestone.reference.limits import MAX_TOKENS
from gradestone.reference.row import plain


@pytest.mark.parametrize(
    ("candidate", "reference", "score", "stats"),
    [
        ("the cat sat on the mat", "the cat sat on the mat", 1.0, (6, 5, 4, 3, 6, 6)),
        ("A", "a", 1.0, (1, 0, 0, 0, 1, 1)),
        # Fewer than four tokens on a side: fewer orders.
        ("a b", "a b c", exp(1 - 3 / 2), (2, 1, 0, 0, 2, 3)),
        ("a b c", "a b", (2 / 3 * 1 / 2) ** 0.5, (2, 1, 0, 0, 3, 2)),
        # Nothing in common: each zero counts as one half.
        ("blue car", "red wine", (1 / 4 * 1 / 2) ** 0.5, (0, 0, 0, 0, 2, 2)),
        ("x", "a b c", exp(1 - 3) * 0.5, (0, 0, 0, 0, 1, 3)),
        # Clipping: the reference has one "the".
        ("the the the the", "the cat", (1 / 4 * 1 / 6) ** 0.5, (1, 0, 0, 0, 4, 2)),
    ],
)
def test_worked_examples(candidate: str, reference: str, score: float, stats: tuple[int, ...]) -> None:
    """Precision, clipping, smoothing, order and brevity penalty by hand."""
    row = bleu(candidate, reference, threshold=0.0)
    assert row.stats == stats
    assert isclose(row.score, score, rel_tol=1e-14)


def test_equal_texts_score_exactly_one() -> None:
    """The mean of logarithms is 0, so no rounding shows."""
    assert bleu("a b c d e", "A\tB\nC d  E", threshold=1.0).code == "ok"


def test_a_longer_candidate_has_no_penalty() -> None:
    """The penalty is 1 from equal length on; under it, the score where all n-grams match."""
    assert bleu_score(bleu_statistics(["a"] * 4, ["a"] * 4)) == 1.0
    assert bleu_score(bleu_statistics(["a"] * 4, ["a"] * 5)) == exp(1.0 - 5 / 4)


@pytest.mark.parametrize(
    ("candidate", "reference", "code"),
    [
        ("a", "", "empty_reference"),
        ("a", " \f\v", "empty_reference"),
        ("a", "\u00a0\u2028", "empty_reference"),
        ("a", "\ufeff", "empty_reference"),
        ("", "a", "empty_candidate"),
        (" \r\n\t", "a", "empty_candidate"),
        ("", "", "empty_reference"),
        ("a " * (MAX_TOKENS + 1), "a", "over_cap"),
        ("a", "." * (MAX_TOKENS + 1), "over_cap"),
        ("a" * 100_000, "a", "below_threshold"),
    ],
)
def test_refused(candidate: str, reference: str, code: str) -> None:
    """What is empty on either side, and the cap, which counts tokens and not characters."""
    row = bleu(candidate, reference, threshold=0.9)
    assert row.code == code
    if code != "below_threshold":
        assert row == plain(code)


def test_the_cap_is_inclusive() -> None:
    """4096 tokens a side are scored."""
    row = bleu("a " * MAX_TOKENS, "a " * MAX_TOKENS, threshold=1.0)
    assert row.stats == (4096, 4095, 4094, 4093, 4096, 4096)
    assert row.code == "ok"


def test_a_nbsp_candidate_is_a_token() -> None:
    """Blankness by ECMAScript is asked of the reference alone."""
    assert bleu("\u00a0", "a", threshold=0.0).code == "ok"


@given(sentences, sentences)
def test_the_score_is_the_formula(candidate: str, reference: str) -> None:
    """Within rounding of penalty times geometric mean, and 0 < score <= 1."""
    row = bleu(candidate, reference, threshold=0.0)
    assume(row.code == "ok")
    *clipped, candidate_length, reference_length = row.stats
    order = min(4, candidate_length, reference_length)
    possible = [candidate_length - n for n in range(order)]
    precisions = [c / p if c else 0.5 / p for c, p in zip(clipped[:order], possible, strict=True)]
    penalty = 1.0 if candidate_length >= reference_length else exp(1 - reference_length / candidate_length)
    assert isclose(row.score, penalty * prod(precisions) ** (1 / order), rel_tol=1e-12)
    assert 0 < row.score <= 1


@given(texts)
def test_a_text_matches_itself(text: str) -> None:
    """Identity scores 1 on any text that can be scored."""
    row = bleu(text, text, threshold=1.0)
    assert row.code in ("ok", "empty_reference")
