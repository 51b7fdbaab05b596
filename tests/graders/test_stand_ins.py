"""Lone surrogates before a validator that cannot hold them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.graders.schemas import compile_schema
from gradestone.graders.stand_ins import disguise, holds_stand_in, holds_surrogate, reveal
from gradestone.jsontext import same_value

SURROGATES: dict[str, tuple[Any, Any, bool]] = {
    "text": ({"type": "string"}, "\ud800", True),
    "untouched": ({"type": "object"}, {"\ud800": "\udfff"}, True),
    "length": ({"minLength": 2, "maxLength": 2}, "a\ud800", True),
    "halves are two": ({"maxLength": 1}, "\ud83d\ude00", False),
    "const": ({"const": "\ud800"}, "\ud800", True),
    "const of another": ({"const": "\ud800"}, "\ud801", False),
    "const against plain text": ({"const": "\ud800"}, "a", False),
    "enum": ({"enum": ["a", ["\udfff"]]}, ["\udfff"], True),
    "required": ({"required": ["\ud800"]}, {"\ud800": 1}, True),
    "properties": ({"properties": {"\ud800": {"type": "null"}}}, {"\ud800": 1}, False),
    "pattern": ({"pattern": "^.$"}, "\ud800", True),
    "pattern of one": ({"pattern": "^\ud800$"}, "\ud800", True),
    "pattern that excludes": ({"pattern": "^[^a]$"}, "\ud800", True),
    "letters": ({"pattern": r"\w"}, "\ud800", False),
    "patternProperties": ({"patternProperties": {"^a": False}}, {"a\ud800": 1}, False),
    "additionalProperties": ({"additionalProperties": False}, {"\ud800": 1}, False),
    "propertyNames": ({"propertyNames": {"maxLength": 0}}, {"\ud800": 1}, False),
    "uniqueItems": ({"uniqueItems": True}, ["\ud800", "\ud801"], True),
    "repeated": ({"uniqueItems": True}, ["\ud800", "\ud800"], False),
    "not": ({"not": {"const": "a"}}, "\ud800", True),
}


def passes(schema: Any, value: Any) -> bool:
    code = compile_schema(schema).judge(value).code
    assert code in ("ok", "schema_mismatch")
    return code == "ok"


@pytest.mark.parametrize(("schema", "value", "valid"), SURROGATES.values(), ids=SURROGATES)
def test_lone_surrogates_are_symbols_like_any_other(schema: Any, value: Any, valid: bool) -> None:
    """In values and schemas; no row raises."""
    assert passes(schema, value) is valid


def test_lone_surrogates_and_their_stand_ins_are_not_mixed_up() -> None:
    """A value or schema with both fails; the stand-ins alone are characters like any other."""
    stand_in = "\U0010f800"
    assert passes({"const": stand_in}, stand_in)
    assert not passes({"const": "\ud800"}, stand_in)
    assert not passes({"const": stand_in}, "\ud800")
    assert not passes({"uniqueItems": True}, ["\ud800", stand_in])
    assert not passes({"enum": ["\ud800", stand_in]}, "\ud800")


def test_a_reason_shows_the_surrogate_and_not_its_stand_in() -> None:
    """On a path, escaped; also where the surrogate decided nothing."""
    schema = {"properties": {"\ud800": {"type": "null"}}, "required": ["a"]}
    assert compile_schema(schema).judge({"\ud800": 1, "a": 1}).reason == '$["\\ud800"]: type null'
    assert compile_schema({"required": ["a"]}).judge({"\ud800": "\udfff"}).reason == '$: required "a"'


@given(st.recursive(st.text(st.characters(categories=["Cs", "L"])), st.lists))
def test_a_disguise_is_seen_through(value: Any) -> None:
    """What is disguised holds no surrogate, and every text comes back."""
    hidden = disguise(value)
    assert not holds_surrogate(hidden)
    assert holds_stand_in(hidden) is holds_surrogate(value)
    assert same_value(value, revealed(hidden))


def revealed(value: Any) -> Any:
    return reveal(value) if isinstance(value, str) else [revealed(one) for one in value]
