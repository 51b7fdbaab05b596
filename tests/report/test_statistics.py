"""The running figures against naive computations."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone import grade_batch
from gradestone.codes import Outcome
from gradestone.report.statistics import ExactSum, Figures, Histogram, wilson
from gradestone.verdict import GradeBatch, RowVerdict, Verdicts

scores = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5, 0.1, 5e-324, math.nextafter(1, 0)])


@st.composite
def batches(draw: st.DrawFn) -> list[list[float]]:
    return draw(st.lists(st.lists(scores, max_size=20), min_size=1, max_size=6))


@given(st.integers(1, 10_000_000), st.data())
def test_wilson_solves_its_equation(rows: int, data: st.DataObject) -> None:
    """Both ends are the p whose normal interval just reaches the observed one: |p̂-p| = z·√(p(1-p)/n)."""
    passed = data.draw(st.integers(0, rows))
    lower, upper = wilson(passed, rows)
    rate, z = passed / rows, 1.959963984540054
    assert 0 <= lower <= rate <= upper <= 1
    for end in (lower, upper):
        assert abs(rate - end) == pytest.approx(z * math.sqrt(end * (1 - end) / rows), rel=1e-6, abs=1e-9)


def test_wilson_known_values() -> None:
    """Figures published in Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3."""
    for passed, rows, lower, upper in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(passed, rows) == pytest.approx((lower, upper), abs=5e-5)
    assert wilson(0, 20).lower == 0.0
    assert wilson(20, 20).upper == 1.0


@pytest.mark.parametrize(("passed", "rows"), [(0, 0), (-1, 3), (4, 3)])
def test_wilson_without_meaning(passed: int, rows: int) -> None:
    """No rows have no interval."""
    with pytest.raises(ValueError, match="no interval"):
        wilson(passed, rows)


@given(batches())
def test_sum_is_exact(parts: list[list[float]]) -> None:
    """The exact sum, rounded once, however the values are split."""
    exact = ExactSum()
    for part in parts:
        exact.add(part)
    assert exact.total == float(sum(Fraction(value) for part in parts for value in part))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)))
def test_sum_is_exact_over_any_magnitude(values: list[float]) -> None:
    """One value at a time, cancelling or not."""
    exact = ExactSum()
    for value in values:
        exact.add([value])
    assert exact.total == float(sum(map(Fraction, values)))


@given(batches().filter(any), st.integers(1, 100))
def test_percentile_is_the_nearest_rank(parts: list[list[float]], percent: int) -> None:
    """Within half of 1e-4 of the value at rank ceil(p·n)."""
    histogram = Histogram()
    for part in parts:
        histogram.add(part)
    ordered = sorted(value for part in parts for value in part)
    expected = ordered[math.ceil(Fraction(percent * len(ordered), 100)) - 1]
    assert abs(histogram.percentile(percent) - expected) <= 0.5e-4 + 1e-12


def test_percentile_of_nothing() -> None:
    """It raises."""
    with pytest.raises(ValueError, match="no scores"):
        Histogram().percentile(50)


verdicts = st.sampled_from(["ok", "below_threshold", "empty_reference", "over_cap", "deadline", "skipped"])


@given(st.lists(st.lists(st.tuples(verdicts, scores), max_size=8), min_size=1, max_size=4), st.integers(0, 5))
def test_figures_against_naive_counts(chunks: list[list[tuple[str, float]]], bad: int) -> None:
    """Every row is in every figure, unreadable ones with a score of 0."""
    figures = Figures()
    for chunk in chunks:
        rows = [RowVerdict(code, score, "") for code, score in chunk]
        figures.add(GradeBatch("bleu_score", "", Verdicts.of(rows)))
    figures.add_ungraded("unreadable_row", bad)
    everything = [pair for chunk in chunks for pair in chunk] + [("unreadable_row", 0.0)] * bad
    codes = [code for code, _ in everything]
    assert figures.rows == len(everything)
    assert figures.passed == codes.count("ok")
    told = figures.to_dict()
    assert told["codes"] == {code: codes.count(code) for code in set(codes)}
    assert sum(told["outcomes"].values()) == len(everything)
    assert set(told["outcomes"]) == {outcome.value for outcome in Outcome}
    if not everything:
        assert told["pass_rate"] is told["mean"] is told["p50"] is told["ci_lower"] is None
        return
    assert told["pass_rate"] == codes.count("ok") / len(everything)
    assert told["mean"] == float(sum(Fraction(score) for _, score in everything)) / len(everything)


def test_an_empty_answer_stays_in_the_denominator() -> None:
    """RD-21: two rows, one perfect, one empty answer: mean 0.5."""
    figures = Figures()
    figures.add(grade_batch({"type": "bleu_score"}, ["a b", ""], references=["a b", "a b"], backend="python"))
    assert figures.mean == figures.pass_rate == 0.5
    assert figures.codes_of(Outcome.FAIL) == {"empty_candidate": 1}
