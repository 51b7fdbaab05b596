"""Text of a hit never leaves the grader: not in a reason, code, metadata, repr, error, log or output."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from gradestone import compile_grader, grade, grade_batch
from gradestone.codes import CODES

SECRETS = {
    "email": "mail maria.keller@example.org now",
    "credit_card": "card 4111 1111 1111 1111 used",
    "iban": "pay DE89370400440532013000 today",
    "ipv4": "from 192.0.2.44 again",
    "ipv6": "bound to fe80::1234:abcd here",
    "phone": "call +44 20 7946 0958 please",
    "crypto": "send to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa now",
}
FRAGMENTS = {
    "email": ["maria", "keller", "example.org"],
    "credit_card": ["4111", "1111"],
    "iban": ["DE89", "0532"],
    "ipv4": ["192.0", "2.44"],
    "ipv6": ["fe80", "1234"],
    "phone": ["7946", "0958"],
    "crypto": ["1A1z", "Divf"],
}


def shapes(text: str) -> list[Any]:
    """The same secret as text and inside structures."""
    return [
        text,
        {"a": [text]},
        {text: 1},
        [None, {"b": {"c": text}}],
        json.dumps({"a": text}),
        text + "\ud800",
    ]


@pytest.mark.parametrize("backend", ["rust", "python"])
@pytest.mark.parametrize("kind", SECRETS)
def test_a_hit_is_named_by_kind_only(
    kind: str, backend: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """All that a verdict says is the kind, wherever in the candidate the hit was."""
    caplog.set_level(logging.DEBUG)
    compiled = compile_grader({"type": "no_pii", "entities": [kind]})
    for candidate in shapes(SECRETS[kind]):
        result = grade(compiled, candidate, backend=backend)
        assert (result.code, result.metadata) == ("pii_found", {"entities": [kind]})
        batch = grade_batch(compiled, [candidate], backend=backend)
        said = " ".join(
            [
                repr(result),
                str(result.to_dict()),
                repr(batch),
                *batch.reasons,
                repr(compiled),
                caplog.text,
                *capfd.readouterr(),
            ]
        )
        assert [fragment for fragment in FRAGMENTS[kind] if fragment in said] == []


STRUCTURED: list[dict[str, Any]] = [
    {"type": "exact_match", "expected": "x"},
    {"type": "contains", "fragments": ["x!"]},
    {"type": "not_contains", "fragments": ["k"]},
    {"type": "regex", "pattern": "zzz"},
    {"type": "not_regex", "pattern": "."},
    {"type": "json_schema", "schema": {"type": "object", "additionalProperties": False, "required": ["q"]}},
    {"type": "json_schema", "schema": {"additionalProperties": {"maximum": 1}, "propertyNames": {"maxLength": 1}}},
    {"type": "json_schema", "schema": {"additionalProperties": {"type": "integer"}}},
    {"type": "json_schema", "schema": {"type": "string", "pattern": "^zz$", "enum": ["a"], "const": "b"}},
    {"type": "json_path_assertion", "path": "a.0", "equals": 1},
    {"type": "localization_f1", "reference": "a.py:1"},
    {"type": "tool_called", "tools": ["search"]},
    {"type": "tool_not_called", "tools": ["search"]},
    {"type": "tool_argument_assertion", "tool": "t", "path": "a", "equals": 1},
    {"type": "http_status", "status": 200},
    {"type": "latency_threshold", "p95_ms": 1},
    {"type": "bleu_score", "reference": "x"},
    {"type": "blocklist", "terms": ["now"]},
]  # fmt: skip


@pytest.mark.parametrize("spec", STRUCTURED, ids=lambda spec: spec["type"])
def test_no_other_grader_quotes_the_candidate(spec: dict[str, Any]) -> None:
    """A row that fails no_pii is also looked at by others; their reasons hold nothing of it, keys included."""
    for kind, text in SECRETS.items():
        tool = {"tool_calls": [{"name": "t", "arguments": {"a": text}}]}
        for candidate in (
            text,
            [text],
            {"a": [text]},
            {text: 1},
            {"a": {text: []}},
            {"status": text, "p95_ms": text},
            tool,
        ):
            result = grade(spec, candidate)
            said = f"{result!r} {result.to_dict()}"
            assert [fragment for fragment in FRAGMENTS[kind] if fragment in said] == []


def test_an_exception_inside_a_grader_tells_its_type_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of an exception may quote what it choked on."""

    def broken(*_: Any) -> Any:
        raise ValueError("maria.keller@example.org is odd")

    monkeypatch.setattr("gradestone.graders.WITHOUT_KERNEL", {"http_status": lambda _: broken})
    result = grade({"type": "http_status", "status": 200}, {"status": 200})
    assert (result.code, result.outcome, result.passed) == ("internal_error", "error", False)
    assert result.reason == "the grader raised ValueError"


class PanicException(BaseException):
    """What a panic of a Rust library looks like from Python."""


def test_a_panic_of_a_library_is_a_verdict_and_an_interrupt_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panic is no `Exception`; it must not end a run. An interrupt must."""

    def raising(error: type[BaseException]) -> Any:
        def grade_row(*_: Any) -> Any:
            raise error

        return lambda _: grade_row

    for error in (PanicException, RecursionError, MemoryError):
        monkeypatch.setattr("gradestone.graders.WITHOUT_KERNEL", {"http_status": raising(error)})
        assert grade({"type": "http_status", "status": 200}, {}).code == "internal_error"
    for interrupt in (KeyboardInterrupt, SystemExit):
        monkeypatch.setattr("gradestone.graders.WITHOUT_KERNEL", {"http_status": raising(interrupt)})
        with pytest.raises(interrupt):
            grade({"type": "http_status", "status": 200}, {})


def test_keys_of_judges_are_in_no_repr_and_no_fault() -> None:
    """An option that holds a key is never shown, valid or not."""
    spec = {
        "type": "llm_judge",
        "rubric": "r",
        "api_key": "sk-live-123",
        "upstream_key": "up-456",
        "model": 5,
    }
    result = grade(spec, "x")
    ok = compile_grader({**spec, "model": "m"})
    said = f"{result!r} {result.to_dict()} {ok!r} {ok.options!r} {grade(ok, 'x')!r}"
    assert "sk-live" not in said
    assert "up-456" not in said
    assert (
        grade({"type": "llm_judge", "rubric": "r", "api_key": ["sk-live-123"]}, "x").reason.count("sk-live")
        == 0
    )


def test_codes_are_slugs() -> None:
    """A code is fixed text from one table."""
    assert all(slug.replace("_", "").isalpha() and slug.islower() for slug in CODES)
