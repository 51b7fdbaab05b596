"""ROUGE-1 and ROUGE-L."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.texts import sentences, texts

from gradestone.reference.limits import MAX_TOKENS
from gradestone.reference.rouge import (
    MEASURES,
    ROUGE_TYPES,
    Measure,
    RougeType,
    harmonic_mean,
    rouge,
    rouge_score,
)
from gradestone.reference.row import plain


@pytest.mark.parametrize(
    ("rouge_type", "candidate", "reference", "stats"),
    [
        ("rouge_1", "a b c", "c b a", (3, 3, 3, 0, 0, 0)),
        ("rouge_l", "a b c", "c b a", (1, 3, 3, 0, 0, 0)),
        ("rouge_1", "the the the", "the cat", (1, 3, 2, 0, 0, 0)),
        ("rouge_l", "a x b y c", "a b c", (3, 5, 3, 0, 0, 0)),
        ("rouge_1", "x", "y", (0, 1, 1, 0, 0, 0)),
        ("rouge_l", "日本語", "日語", (2, 3, 2, 0, 0, 0)),
    ],
)
def test_overlaps(rouge_type: RougeType, candidate: str, reference: str, stats: tuple[int, ...]) -> None:
    """Clipped unigrams know no order, the common subsequence does."""
    row = rouge(candidate, reference, rouge_type=rouge_type, measure="recall", threshold=0.0)
    assert row.stats == stats


@pytest.mark.parametrize(
    ("measure", "score"),
    [("precision", 2 / 5), ("recall", 2 / 3), ("fmeasure", 2 * 0.4 * (2 / 3) / (0.4 + 2 / 3))],
)
def test_measures(measure: Measure, score: float) -> None:
    """Over the candidate, over the reference, harmonic mean."""
    assert rouge_score(2, 5, 3, measure) == score


@pytest.mark.parametrize("measure", MEASURES)
def test_no_overlap_scores_zero(measure: Measure) -> None:
    """Also the harmonic mean, which would divide by 0."""
    assert rouge_score(0, 5, 3, measure) == 0.0
    assert harmonic_mean(0.0, 0.0) == 0.0
    assert rouge("x", "y", rouge_type="rouge_1", measure=measure, threshold=0.0).code == "ok"


@pytest.mark.parametrize("rouge_type", ROUGE_TYPES)
@pytest.mark.parametrize(
    ("candidate", "reference", "code"),
    [
        ("a", "\v", "empty_reference"),
        ("a", "\u00a0", "empty_reference"),
        ("", "a", "empty_candidate"),
        ("a " * (MAX_TOKENS + 1), "a", "over_cap"),
        ("a", "a " * (MAX_TOKENS + 1), "over_cap"),
        ("a " * 1_000_000, "a " * 1_000_000, "over_cap"),
    ],
)
def test_refused(rouge_type: RougeType, candidate: str, reference: str, code: str) -> None:
    """The same checks in the same order as BLEU, before anything is compared."""
    row = rouge(candidate, reference, rouge_type=rouge_type, measure="fmeasure", threshold=0.0)
    assert row == plain(code)


@pytest.mark.parametrize("rouge_type", ROUGE_TYPES)
def test_the_cap_is_inclusive(rouge_type: RougeType) -> None:
    """4096 tokens are scored."""
    row = rouge("a " * MAX_TOKENS, "a", rouge_type=rouge_type, measure="recall", threshold=1.0)
    assert (row.code, row.stats) == ("ok", (1, MAX_TOKENS, 1, 0, 0, 0))


@given(sentences, sentences)
def test_a_subsequence_is_never_longer_than_the_clipped_unigrams(candidate: str, reference: str) -> None:
    """ROUGE-L overlaps at most as much as ROUGE-1."""
    one, longest = (
        rouge(candidate, reference, rouge_type=rouge_type, measure="fmeasure", threshold=0.0)
        for rouge_type in ROUGE_TYPES
    )
    assert one.code == longest.code
    assert one.stats[1:] == longest.stats[1:]
    assert longest.stats[0] <= one.stats[0] <= min(one.stats[1:3])


@given(texts, st.sampled_from(ROUGE_TYPES), st.sampled_from(MEASURES))
def test_a_text_matches_itself(text: str, rouge_type: RougeType, measure: Measure) -> None:
    """Identity scores exactly 1 on any text that can be scored."""
    row = rouge(text, text, rouge_type=rouge_type, measure=measure, threshold=1.0)
    assert row.code in ("ok", "empty_reference")
