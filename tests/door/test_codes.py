"""The table of codes against what the graders give: every code is provoked, and no other code appears."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from gradestone import GradeDeps, grade, grade_batch, grade_many
from gradestone.codes import CODES, Outcome
from gradestone.judge.gateway import VARIABLES
from gradestone.net import Response
from gradestone.registry import read_registry

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
}  # fmt: skip

GATEWAY = "https://judge.example"
JUDGE = {"type": "llm_judge", "rubric": "kind", "gateway_url": GATEWAY}
SCORE = {"type": "llm_score", "rubric": "kind", "min_score": 0.5, "gateway_url": GATEWAY}
PAIRWISE = {"type": "llm_pairwise", "baseline": "b", "criteria": "c", "gateway_url": GATEWAY}
CATEGORY = {
    "type": "llm_category", "prompt": "p", "categories": ["a", "b"], "passing_categories": ["a"],
    "gateway_url": GATEWAY,
}  # fmt: skip
HOOK = {"type": "custom_webhook", "url": GATEWAY}


def says(text: str) -> Response:
    """What a gateway answers when the judge says this."""
    return Response(200, {}, json.dumps({"output_text": text}).encode())


ASKED: dict[str, tuple[dict[str, Any], Response]] = {
    "missing_gateway": ({"type": "llm_judge", "rubric": "kind"}, says("PASS")),
    "same_family": ({**JUDGE, "model": "gpt-5", "subject_model": "gpt-4o"}, says("PASS")),
    "blocked_url": ({**JUDGE, "gateway_url": "http://127.0.0.1:1"}, says("PASS")),
    "timeout": ({**JUDGE, "timeout_s": 0}, says("PASS")),
    "judged_fail": (JUDGE, says("FAIL")),
    "baseline_won": (PAIRWISE, says("WINNER: A")),
    "unreachable": (JUDGE, Response(0)),
    "redirected": (JUDGE, Response(302, {"location": GATEWAY})),
    "response_too_large": (JUDGE, says("PASS" * (1 << 20))),
    "http_error": (SCORE, Response(500)),
    "reply_not_json": (HOOK, Response(200, {}, b"passed")),
    "missing_verdict": (HOOK, Response(200, {}, b'{"passed": 1}')),
    "unparseable_reply": (JUDGE, says("perhaps")),
    "conflicting_reply": ({**SCORE, "on_conflict": "fail"}, says("SCORE: 1\nSCORE: 0")),
    "unknown_category": (CATEGORY, says("CATEGORY: c")),
}
"""Those of graders that leave the process: the grader, and what it is answered."""

ELSEWHERE = {
    "missing_candidate": "a null in a column, below",
    "internal_error": "tests/privacy/test_no_leaks.py",
    "unreadable_row": "tests/cli: a row of a file",
    "missing_prompt": "a registry without the prompt, below",
    "unresolved_host": "tests/net/test_guard.py: a name that is looked up",
    "endpoint_down": "ten calls in a row, below",
    "skipped": "a row that failed already, below",
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


@pytest.fixture(autouse=True)
def _no_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("backend", ["rust", "python"])
@pytest.mark.parametrize("code", ASKED)
def test_every_code_of_a_call_is_provoked(code: str, backend: str) -> None:
    """The same for those that leave the process."""
    spec, response = ASKED[code]
    result = grade(spec, "x", deps=GradeDeps(fetch=lambda _: response), backend=backend)
    assert (result.code, result.outcome, result.passed) == (code, CODES[code].outcome, False)
    assert result.reason
    assert "\n" not in result.reason
    assert result.score == 0.0


def test_a_registry_without_the_prompt() -> None:
    """A judge that cannot be asked in the words of the registry is not asked."""
    document = json.loads(files("gradestone.registry").joinpath("registry.json").read_bytes())
    kept = [entry for entry in document["graders"] if entry["type"] != "llm_judge"]
    registry = read_registry(json.dumps({**document, "graders": kept}).encode(), "test")
    deps = GradeDeps(fetch=lambda _: says("PASS"), registry=registry)
    assert grade(JUDGE, "x", deps=deps).code == "missing_prompt"


def test_rows_that_are_not_asked_about() -> None:
    """The endpoint is down, or the row has failed already."""
    batch = grade_batch(SCORE, ["x"] * 11, deps=GradeDeps(fetch=lambda _: Response(500)), concurrency=1)
    assert batch.code.tolist() == ["http_error"] * 10 + ["endpoint_down"]
    deps = GradeDeps(fetch=lambda _: says("PASS"))
    batches = grade_many(
        {"judge": JUDGE, "pii": {"type": "no_pii"}}, ["a@b.example"], deps=deps, fail_fast=True
    )
    assert batches["judge"].code.tolist() == ["skipped"]
    assert {CODES[code].outcome for code in ("endpoint_down", "skipped")} == {Outcome.NOT_RUN}


def test_a_null_in_a_column_is_a_missing_candidate() -> None:
    """Not the word null, not an empty text."""
    assert grade_batch({"type": "no_pii"}, [None]).code.tolist() == ["missing_candidate"]


def test_no_code_is_left_out() -> None:
    """A code without a test cannot be added."""
    assert PROVOKED.keys() | ASKED.keys() | ELSEWHERE.keys() == CODES.keys()
