"""Dotted paths, and the grader json_path_assertion."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.graders.jsonpath import DeadEnd, follow
from gradestone.graders.structure import json_path_assertion
from gradestone.options import ABSENT, JsonPathAssertion

NOT_FOUND, INVALID = DeadEnd.NOT_FOUND, DeadEnd.STEP_INVALID
ITEMS = {"items": ["first", "second"], "0": "zero", "": {"": 5}, "s": "text", "n": None, "a.b": 1}

PATHS: dict[str, tuple[str, Any]] = {
    "key": ("n", None),
    "index": ("items.1", "second"),
    "key that looks like an index": ("0", "zero"),
    "empty keys": (".", 5),
    "key with a dot cannot be named": ("a.b", NOT_FOUND),
    "missing key": ("x", NOT_FOUND),
    "inherited name": ("__proto__", NOT_FOUND),
    "inherited method": ("constructor", NOT_FOUND),
    "past the end": ("items.2", NOT_FOUND),
    "far past the end": ("items." + "9" * 5_000, NOT_FOUND),
    "length": ("items.length", NOT_FOUND),
    "trailing dot on an array": ("items.", NOT_FOUND),
    "text is no array": ("s.0", NOT_FOUND),
    "number-like step on text": ("s.-1", NOT_FOUND),
    "number-like step on an object": ("-1", NOT_FOUND),
    "nothing below null": ("n.x", NOT_FOUND),
    "dead end before an invalid step": ("x.-1", NOT_FOUND),
    "invalid step, then more": ("items.-1.x", INVALID),
}


@pytest.mark.parametrize(("path", "end"), PATHS.values(), ids=PATHS)
def test_where_a_path_leads(path: str, end: Any) -> None:
    """Own keys, plain indices, and nothing else."""
    assert follow(ITEMS, path.split(".")) == end


NUMBERS_BUT_NO_INDEX = [
    "-1", "-0", "+1", "+0", "01", "00", "0x1", "0X1f", "0b1", "0B0", "0o7", "0O7", "1e0", "1E5", "1e+2", "2e-1", "-1e0",
    "Infinity", "+Infinity", "-Infinity", " 1", "1 ", "\t1\n", "\u00a01", "\ufeff1\u2028", "\u30001", "0000",
]  # fmt: skip
NO_NUMBERS = [
    "", " ", "\t", "\u00a0", "a", "1a", "1_0", "-", "+", "e1", "1e", "1e+", "0x", "0xg", "0b2", "0o8", "-0x1", "+0b1",
    "NaN", "infinity", "INFINITY", "inf", "1n", "1,0", "--1", "+-1", "- 1", "\u0661", "\uff11", "²", "\u00851", "\x001",
    "\x1c1", "1\u200b", "null", "true", "[0]", "-1-", "0 1",
]  # fmt: skip


@pytest.mark.parametrize("step", NUMBERS_BUT_NO_INDEX, ids=ascii)
def test_a_step_written_like_another_number_is_invalid(step: str) -> None:
    """What ECMAScript's Number() reads as a number, on an array; on an object it is a key."""
    assert follow([1, 2, 3], [step]) is INVALID
    assert follow([], [step]) is INVALID
    assert follow({step: 1}, [step]) == 1


@pytest.mark.parametrize("step", NO_NUMBERS, ids=ascii)
def test_other_text_is_not_found(step: str) -> None:
    """What Number() does not read, or reads as 0 although nothing is written."""
    assert follow([1, 2, 3], [step]) is NOT_FOUND


@pytest.mark.parametrize("step", ["0", "1", "2"])
def test_an_index_is_taken(step: str) -> None:
    """Plain decimal without a leading zero."""
    assert follow([7, 8, 9], [step]) == 7 + int(step)


@given(st.lists(st.integers() | st.none()), st.text("0123456789-+eExob. \nInfity", max_size=6))
def test_an_array_gives_a_value_for_plain_indices_only(value: list[Any], step: str) -> None:
    """Whatever the step: a value exactly for an index within the array."""
    plain = step.isascii() and step.isdecimal() and (step == "0" or step[0] != "0")
    found = follow(value, [step])
    assert isinstance(found, DeadEnd) is not (plain and int(step) < len(value))


def judged(candidate: Any, path: str, *, equals: Any = ABSENT, exists: Any = ABSENT) -> str:
    options = JsonPathAssertion(path=path, equals=equals, exists=exists)
    verdict = json_path_assertion(options)(candidate, ABSENT)
    assert verdict.score == (verdict.code == "ok")
    return verdict.code


DEEP = "1"
for _ in range(600):
    DEEP = f'{{"a":{DEEP}}}'

ASSERTIONS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "found": ({"a": {"b": 5}}, {"path": "a.b"}, "ok"),
    "found null": ({"a": None}, {"path": "a"}, "ok"),
    "found in text": ('{"a": [1]}', {"path": "a.0"}, "ok"),
    "missing": ({"a": 1}, {"path": "b"}, "path_not_found"),
    "text that is no JSON": ("plain", {"path": "a"}, "path_not_found"),
    "text that is a JSON text": ('"plain"', {"path": "a"}, "path_not_found"),
    "NaN is no JSON": ('{"a": NaN}', {"path": "a"}, "path_not_found"),
    "too deep for JSON": (DEEP, {"path": "a"}, "path_not_found"),
    "text inside is not parsed": ({"a": '{"b": 1}'}, {"path": "a.b"}, "path_not_found"),
    "invalid step": ([1], {"path": "-1"}, "path_step_invalid"),
    "exists": ({"a": None}, {"path": "a", "exists": True}, "ok"),
    "exists, but not": ({}, {"path": "a", "exists": True}, "path_not_found"),
    "exists in no JSON": ("x", {"path": "a", "exists": True}, "path_not_found"),
    "exists, equals ignored": ({"a": 1}, {"path": "a", "exists": True, "equals": 2}, "ok"),
    "exists, invalid step": ([1], {"path": "01", "exists": True}, "path_step_invalid"),
    "absent": ({"a": 1}, {"path": "b", "exists": False}, "ok"),
    "absent from text": ('{"a": 1}', {"path": "b", "exists": False}, "ok"),
    "absent from a scalar": (7, {"path": "b", "exists": False}, "ok"),
    "absent from a JSON text": ('"plain"', {"path": "b", "exists": False}, "ok"),
    "absent, equals ignored": ({}, {"path": "b", "exists": False, "equals": 1}, "ok"),
    "absent, but there": ({"a": 1}, {"path": "a", "exists": False}, "path_found"),
    "absent, but there as null": ('{"a": null}', {"path": "a", "exists": False}, "path_found"),
    "absent past the end": ([1], {"path": "1", "exists": False}, "ok"),
    "absent, empty step": ([1], {"path": "a.", "exists": False}, "ok"),
    "absent, invalid step": ([1], {"path": "-1", "exists": False}, "path_step_invalid"),
    "absent from null": (None, {"path": "a", "exists": False}, "not_json"),
    "absent from empty text": ("", {"path": "a", "exists": False}, "not_json"),
    "absent from no JSON": ("plain", {"path": "a", "exists": False}, "not_json"),
    "absent from a fence": ("```json\n{}\n```", {"path": "a", "exists": False}, "not_json"),
    "equal": ({"a": 5}, {"path": "a", "equals": 5}, "ok"),
    "equal null": ({"a": None}, {"path": "a", "equals": None}, "ok"),
    "nothing is not null": ({}, {"path": "a", "equals": None}, "path_not_found"),
    "unequal": ({"a": 5}, {"path": "a", "equals": 6}, "value_mismatch"),
    "text is no number": ('{"a": "5"}', {"path": "a", "equals": 5}, "value_mismatch"),
    "1 is no boolean": ({"a": 1}, {"path": "a", "equals": True}, "value_mismatch"),
    "1.0 is 1": ('{"a": 1.0}', {"path": "a", "equals": 1}, "ok"),
    "key order": ('{"a": {"y": 2, "x": 1}}', {"path": "a", "equals": {"x": 1, "y": 2}}, "ok"),
    "list order": ({"a": [2, 1]}, {"path": "a", "equals": [1, 2]}, "value_mismatch"),
    "integers beyond 2**53": ('{"a": 9007199254740993}', {"path": "a", "equals": 2**53}, "value_mismatch"),
    "the same beyond 2**53": ('{"a": 9007199254740993}', {"path": "a", "equals": 2**53 + 1}, "ok"),
    "pair": ('{"a": "\\ud83d\\ude00"}', {"path": "a", "equals": "\U0001f600"}, "ok"),
    "lone surrogate": ('{"\\ud800": "\\udfff"}', {"path": "\ud800", "equals": "\udfff"}, "ok"),
}  # fmt: skip


@pytest.mark.parametrize(("candidate", "options", "code"), ASSERTIONS.values(), ids=ASSERTIONS)
def test_json_path_assertion(candidate: Any, options: dict[str, Any], code: str) -> None:
    """Every rule from both sides."""
    assert judged(candidate, **options) == code


@pytest.mark.parametrize("exists", [ABSENT, True, False])
def test_text_and_value_are_judged_alike(exists: Any) -> None:
    """A JSON document as text gives the verdict of the value itself."""
    for path in ("items.1", "items.2", "items.-1", "items", "x", "s.0", "n.a"):
        assert judged(json.dumps(ITEMS), path, exists=exists) == judged(ITEMS, path, exists=exists)


def test_a_reason_names_the_path_and_quotes_no_candidate() -> None:
    """The path is cut and on one line; nothing of the candidate is in any reason."""
    path = "a\n" + "b" * 300
    for candidate in ({"a": "secret"}, "secret", None, ["secret"]):
        for options in ({}, {"exists": False}, {"equals": 1}, {"exists": True}):
            reason = json_path_assertion(JsonPathAssertion(path=path, **options))(candidate, ABSENT).reason
            assert "secret" not in reason
            assert reason.isprintable()
            assert len(reason) < 250
