"""Threshold graders: http_status and the three ceilings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.graders.rows import RowGrader
from gradestone.graders.thresholds import (
    cost_threshold,
    http_status,
    latency_threshold,
    measured,
    token_threshold,
)
from gradestone.options import ABSENT, CostThreshold, HttpStatus, LatencyThreshold, TokenThreshold

STATUS: dict[str, tuple[Any, str]] = {
    "status": ({"status": 200}, "ok"),
    "status_code": ({"status_code": 200}, "ok"),
    "float": ({"status": 200.0}, "ok"),
    "null falls through": ({"status": None, "status_code": 200}, "ok"),
    "status wins": ({"status": 500, "status_code": 200}, "status_mismatch"),
    "false does not fall through": ({"status": False, "status_code": 200}, "status_mismatch"),
    "other": ({"status": 201}, "status_mismatch"),
    "just beside": ({"status": 200.5}, "status_mismatch"),
    "text is no status": ({"status": "200"}, "status_mismatch"),
    "list": ({"status": [200]}, "status_mismatch"),
    "missing": ({}, "status_mismatch"),
    "both null": ({"status": None, "status_code": None}, "status_mismatch"),
    "bare number": (200, "status_mismatch"),
    "text candidate is not parsed": ('{"status": 200}', "status_mismatch"),
    "null": (None, "status_mismatch"),
    "list of objects": ([{"status": 200}], "status_mismatch"),
}


@pytest.mark.parametrize(("candidate", "code"), STATUS.values(), ids=STATUS)
def test_http_status(candidate: Any, code: str) -> None:
    """The first key that is not null must be the number."""
    verdict = http_status(HttpStatus(status=200))(candidate, ABSENT)
    assert (verdict.code, verdict.score) == (code, float(code == "ok"))


def test_a_boolean_is_no_status() -> None:
    """True is not 1."""
    assert http_status(HttpStatus(status=1))({"status": True}, ABSENT).code == "status_mismatch"


CEILINGS: dict[str, tuple[Callable[[float], RowGrader], str, str]] = {
    "latency": (lambda ceiling: latency_threshold(LatencyThreshold(p95_ms=ceiling)), "p95_ms", "latency_ms"),
    "cost": (lambda ceiling: cost_threshold(CostThreshold(max_usd=ceiling)), "cost_usd", "total_cost_usd"),
    "tokens": (lambda ceiling: token_threshold(TokenThreshold(max_tokens=ceiling)), "tokens", "total_tokens"),
}
MEASUREMENTS: dict[str, tuple[float, Any, str]] = {
    "below": (10, 9, "ok"),
    "at": (10, 10, "ok"),
    "at, as a float": (10, 10.0, "ok"),
    "above": (10, 11, "over_ceiling"),
    "above by a fraction": (200, 200.5, "over_ceiling"),
    "zero under zero": (0, 0, "ok"),
    "negative zero": (0, -0.0, "ok"),
    "least over zero": (0, 5e-324, "over_ceiling"),
    "exact integers": (2**53, 2**53 + 1, "over_ceiling"),
    "huge integer": (10, 10**400, "over_ceiling"),
    "text": (10, "10", "ok"),
    "text with a fraction": (0.05, "0.05", "ok"),
    "text above": (0.05, "0.0500001", "over_ceiling"),
    "text with plus": (10, "+9.5", "ok"),
    "text minus zero": (0, "-0.0", "ok"),
    "text with leading zeros": (10, "0" * 5_000 + "9", "ok"),
    "text of exact integers": (2**53, "9007199254740993", "over_ceiling"),
    "text within the doubles": (10, "9" * 308, "over_ceiling"),
    "text of a long fraction": (1, "0." + "3" * 5_000, "ok"),
    "negative": (10, -1, "unmeasured"),
    "negative text": (10, "-1", "unmeasured"),
    "boolean": (10, True, "unmeasured"),
    "null": (10, None, "unmeasured"),
    "list": (10, [1], "unmeasured"),
    "object": (10, {"value": 1}, "unmeasured"),
    "empty text": (10, "", "unmeasured"),
    "blank text": (10, " ", "unmeasured"),
    "text with white space": (10, " 1", "unmeasured"),
    "text with a line break": (10, "1\n", "unmeasured"),
    "text with an exponent": (10, "1e0", "unmeasured"),
    "text with a bare point": (10, "1.", "unmeasured"),
    "text with a leading point": (10, ".5", "unmeasured"),
    "hex text": (20, "0x10", "unmeasured"),
    "text with separators": (2_000, "1,000", "unmeasured"),
    "text with underscores": (2_000, "1_000", "unmeasured"),
    "unit": (10, "5ms", "unmeasured"),
    "infinity": (10, "Infinity", "unmeasured"),
    "text beyond the doubles": (10, "9" * 400, "unmeasured"),
    "text of a great number": (10, "9" * 5_000, "unmeasured"),
    "Arabic digits": (10, "\u0661", "unmeasured"),
}


@pytest.mark.parametrize("kind", CEILINGS)
@pytest.mark.parametrize(("ceiling", "figure", "code"), MEASUREMENTS.values(), ids=MEASUREMENTS)
def test_ceilings(kind: str, ceiling: float, figure: Any, code: str) -> None:
    """Both keys, the first before the second, null counting as absent."""
    make, first, second = CEILINGS[kind]
    grade = make(ceiling)
    for candidate in ({first: figure}, {second: figure}, {first: None, second: figure}):
        verdict = grade(candidate, ABSENT)
        assert (verdict.code, verdict.score) == (code, float(code == "ok"))
    if figure is not None:
        assert grade({first: figure, second: 0}, ABSENT).code == code


@pytest.mark.parametrize("kind", CEILINGS)
@pytest.mark.parametrize("candidate", [None, "0", 0, [0], {}, {"other": 0}, '{"tokens": 0}'], ids=repr)
def test_what_records_nothing_is_unmeasured(kind: str, candidate: Any) -> None:
    """Only an object can record a figure, under one of the two keys."""
    make, _, _ = CEILINGS[kind]
    assert make(10)(candidate, ABSENT).code == "unmeasured"


def test_a_reason_does_not_quote_what_was_recorded() -> None:
    """The ceiling is named, the recorded figure is not."""
    make, key, _ = CEILINGS["latency"]
    assert make(250)({key: 987654}, ABSENT).reason == "p95_ms or latency_ms exceeds the ceiling 250"
    assert "987654" not in make(250)({key: "x987654"}, ABSENT).reason


@given(st.integers(0, 10**40), st.text("0", max_size=3))
def test_integers_in_text_are_exact(number: int, zeros: str) -> None:
    """However long, and whatever zeros lead."""
    assert measured(f"{zeros}{number}") == number
    assert measured(f"-{zeros}{number}") == (None if number else 0)


@given(st.floats(0, 1e15))
def test_decimals_in_text_are_the_double(number: float) -> None:
    """Text is compared as the double that it denotes."""
    text = f"{number:.12f}"
    assert measured(text) == float(text)
