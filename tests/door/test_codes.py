"""The table of codes against what the graders give: every code is provoked, and no other code appears."""

from __future__ import annotations

from typing import Any

import pytest

from gradestone import grade, grade_batch
from gradestone.codes import CODES

TOOLS = {"tools": ["search", "book"]}
DEADLINE = "a*a*a*a*a*a*a*a*a*a*a*(?=b)"

PROVOKED: dict[str, tuple[dict[str, Any], Any]] = {
    "ok": ({"type": "no_pii"}, "clean"),
    "unknown_type": ({"type": "exact_mtach"}, "x"),
    "unknown_option": ({"type": "no_pii", "entity": ["email"]}, "x"),
    "missing_option": ({"type": "contains"}, "x"),
    "invalid_option": ({"type": "contains", "fragments": []}, "x"),
    "invalid_pattern": ({"type": "regex", "pattern": "("}, "x"),
    "unsafe_pattern": ({"type": "regex", "pattern": "(a+)+"}, "x"),
    "invalid_schema": ({"type": "json_schema", "schema": {"type": "strnig"}}, "x"),
    "missing_reference": ({"type": "bleu_score"}, "x"),
    "invalid_reference": ({"type": "localization_f1", "reference": 5}, "a.py"),
    "empty_reference": ({"type": "bleu_score", "reference": "\u00a0"}, "x"),
    "empty_expected": ({"type": "context_f1", "retrieved": ["a"], "expected": [" "]}, ""),
    "empty_retrieved": ({"type": "context_f1", "retrieved": [" "], "expected": ["a"]}, ""),
    "not_json_value": ({"type": "no_pii"}, b"x"),
    "over_cap": ({"type": "bleu_score", "reference": "x"}, "x " * 4097),
    "mismatch": ({"type": "exact_match", "expected": "x"}, "y"),
    "structured_value": ({"type": "exact_match", "expected": "x", "remove_punctuation": True}, ["x"]),
    "missing_fragment": ({"type": "contains", "fragments": ["x"]}, "y"),
    "forbidden_fragment": ({"type": "not_contains", "fragments": ["x"]}, "x"),
    "no_match": ({"type": "regex", "pattern": "x"}, "y"),
    "forbidden_match": ({"type": "not_regex", "pattern": "x"}, "x"),
    "not_json": ({"type": "json_schema", "schema": {}}, "{"),
    "schema_mismatch": ({"type": "json_schema", "schema": {"type": "object"}}, "5"),
    "path_not_found": ({"type": "json_path_assertion", "path": "a"}, {}),
    "path_found": ({"type": "json_path_assertion", "path": "a", "exists": False}, {"a": 1}),
    "path_step_invalid": ({"type": "json_path_assertion", "path": "a.-1"}, {"a": [1]}),
    "value_mismatch": ({"type": "json_path_assertion", "path": "a", "equals": 2}, {"a": 1}),
    "unparseable_candidate": ({"type": "localization_f1", "reference": "a.py"}, "a.py:x"),
    "empty_candidate": ({"type": "rouge_score", "reference": "x"}, " "),
    "below_threshold": ({"type": "rouge_score", "reference": "x"}, "y"),
    "tool_missing": ({"type": "tool_called", **TOOLS}, ["search"]),
    "tool_forbidden": ({"type": "tool_not_called", **TOOLS}, ["search"]),
    "tool_order": ({"type": "tool_sequence", **TOOLS}, ["book", "search"]),
    "argument_mismatch": (
        {"type": "tool_argument_assertion", "tool": "a", "path": "b", "equals": 1}, [{"name": "a", "args": {"b": 2}}]
    ),
    "no_trace": ({"type": "tool_not_called", **TOOLS}, "nothing called"),
    "unreadable_call": ({"type": "tool_not_called", **TOOLS}, {"tool_calls": [{}]}),
    "status_mismatch": ({"type": "http_status", "status": 200}, {"status": 404}),
    "unmeasured": ({"type": "latency_threshold", "p95_ms": 5}, {}),
    "over_ceiling": ({"type": "latency_threshold", "p95_ms": 5}, {"p95_ms": 6}),
    "blocked_term": ({"type": "blocklist", "terms": ["x"]}, "x"),
    "pii_found": ({"type": "no_pii"}, "a@example.org"),
    "deadline": ({"type": "regex", "pattern": DEADLINE}, "a" * 2000),
    "not_built": ({"type": "llm_judge", "rubric": "good?"}, "x"),
}  # fmt: skip

ELSEWHERE = {
    "missing_candidate": "a null in a column, below",
    "internal_error": "tests/privacy/test_no_leaks.py",
    "unreadable_row": "tests/cli: a row of a file",
}


@pytest.mark.parametrize("backend", ["rust", "python"])
@pytest.mark.parametrize("code", PROVOKED)
def test_every_code_is_provoked(code: str, backend: str) -> None:
    """One input a code, on both backends; the outcome is the table's and only ok passes."""
    spec, candidate = PROVOKED[code]
    result = grade(spec, candidate, backend=backend)
    assert (result.code, result.outcome, result.passed) == (code, CODES[code].outcome, code == "ok")
    assert result.reason
    assert "\n" not in result.reason
    assert (result.score == 0.0) == (code != "ok")


def test_a_null_in_a_column_is_a_missing_candidate() -> None:
    """Not the word null, not an empty text."""
    assert grade_batch({"type": "no_pii"}, [None]).code.tolist() == ["missing_candidate"]


def test_no_code_is_left_out() -> None:
    """A code without a test cannot be added."""
    assert PROVOKED.keys() | ELSEWHERE.keys() == CODES.keys()
