"""JSON Schema: verdicts, refused schemas, what a reason says, and everything hostile."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.graders.schemas import SchemaError, check_schema, compile_schema, path_text
from gradestone.graders.structure import json_schema
from gradestone.jsontext import same_value
from gradestone.options import ABSENT, JsonSchema

ROOT = {"$ref": "#"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_6 = "http://json-schema.org/draft-06/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def code_of(schema: Any, value: Any) -> str:
    verdict = compile_schema(schema).judge(value)
    assert verdict.score == (verdict.code == "ok")
    assert verdict.reason.isprintable()
    return verdict.code


def passes(schema: Any, value: Any) -> bool:
    code = code_of(schema, value)
    assert code in ("ok", "schema_mismatch")
    return code == "ok"


def nested(levels: int, core: Any = 1) -> Any:
    for _ in range(levels):
        core = [core]
    return core


VALUES: dict[str, tuple[Any, Any, bool]] = {
    "a boolean is no number": ({"type": "number"}, False, False),
    "a boolean is no integer": ({"type": "integer"}, True, False),
    "a number is no boolean": ({"type": "boolean"}, 1, False),
    "1.0 is an integer": ({"type": "integer"}, 1.0, True),
    "1e300 is an integer": ({"type": "integer"}, 1e300, True),
    "1.5 is none": ({"type": "integer"}, 1.5, False),
    "a great integer is one": ({"type": "integer"}, 10**30, True),
    "type list": ({"type": ["string", "null"]}, None, True),
    "empty schema": ({}, [1], True),
    "const 1 is 1.0": ({"const": 1}, 1.0, True),
    "const 1 is not true": ({"const": 1}, True, False),
    "enum of 1 within lists": ({"enum": [[1]]}, [True], False),
    "enum ignores key order": ({"enum": [{"a": 1, "b": [2]}]}, {"b": [2.0], "a": 1}, True),
    "const ignores key order": ({"const": {"a": 1, "b": 2}}, {"b": 2, "a": 1}, True),
    "an empty enum allows nothing": ({"enum": []}, 1, False),
    "sub-schema false": ({"properties": {"a": False}}, {"a": 1}, False),
    "sub-schema true": ({"properties": {"a": True}, "additionalProperties": False}, {"a": 1}, True),
    "additionalProperties": ({"additionalProperties": False}, {"a": 1}, False),
    "a property named $ref": ({"properties": {"$ref": {"type": "string"}}}, {"$ref": 5}, False),
    "reference": ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "string"}}}, 5, False),
    "reference beside a keyword": ({"$ref": "#/$defs/n", "minLength": 2, "$defs": {"n": {}}}, "a", False),
    "embedded resource": ({"$ref": "http://x.test/n", "$defs": {"n": {"$id": "http://x.test/n", "not": {}}}}, 1, False),
    "anchor": ({"$ref": "#n", "$defs": {"n": {"$anchor": "n", "type": "null"}}}, None, True),
    "format is an annotation": ({"format": "email"}, "nobody", True),
    "format is an annotation in Draft 7": ({"$schema": DRAFT_7, "format": "email"}, "nobody", True),
    "unknown keyword": ({"x-note": 5}, 1, True),
    "multipleOf of decimals": ({"multipleOf": 0.01}, 1.13, True),
    "length in code points": ({"maxLength": 1}, "\U0001f600", True),
    "uniqueItems by value": ({"uniqueItems": True}, [{"a": 1, "b": 2}, {"b": 2.0, "a": 1}], False),
    "uniqueItems: 1 is not true": ({"uniqueItems": True}, [1, True], True),
    "prefixItems": ({"prefixItems": [{"type": "string"}]}, [1], False),
    "unevaluatedProperties": ({"allOf": [{"properties": {"a": True}}], "unevaluatedProperties": False}, {"a": 1}, True),
    "recursion": ({"items": ROOT, "type": ["array", "null"]}, [[], [None, [5]]], False),
    "a known meta-schema": ({"$ref": DRAFT_2020}, {"type": "strng"}, False),
    # Integers beyond a double's and beyond 64 bits.
    "const 2**53 + 1": ({"const": 2**53 + 1}, 2**53 + 1, True),
    "const 2**53 + 1, off by one": ({"const": 2**53 + 1}, 2**53, False),
    "const 2**53 + 1, its double": ({"const": 2**53 + 1}, float(2**53), False),
    "const 2**63": ({"const": 2**63}, 2**63, True),
    "const 2**64, its double": ({"const": 2**64}, float(2**64), True),
    "const 2**64, off by one": ({"const": 2**64}, 2**64 + 1, False),
    "enum of 10**30": ({"enum": [10**30]}, 10**30, True),
    "enum of 10**30, off by one": ({"enum": [10**30]}, 10**30 + 1, False),
    "const within a list": ({"const": [10**30]}, [10**30 + 1], False),
    "maximum 2**53": ({"maximum": 2**53}, 2**53 + 1, False),
    "maximum 10**30": ({"maximum": 10**30}, 10**30 + 1, False),
    "minimum of a great negative": ({"minimum": -(10**30)}, -(10**30), True),
    "uniqueItems of great integers": ({"uniqueItems": True}, [10**30, 10**30 + 1], True),
    "multipleOf of great integers": ({"multipleOf": 2}, 2**53 + 1, False),
    "an integer of 400 digits": ({"type": "integer", "minimum": 0}, 10**400, True),
    "an integer of 400 digits over a maximum": ({"maximum": 1e300}, 10**400, False),
    # Dialects.
    "Draft 2020-12 by name": ({"$schema": DRAFT_2020, "prefixItems": [False]}, [1], False),
    "Draft 2019-09": ({"$schema": DRAFT_2019, "items": [False]}, [1], False),
    "Draft 2019-09 knows no prefixItems": ({"$schema": DRAFT_2019, "prefixItems": [False]}, [1], True),
    "Draft 7": ({"$schema": DRAFT_7, "items": [True], "additionalItems": False}, [1, 2], False),
    "Draft 7: keywords beside $ref are nothing": (
        {"$schema": DRAFT_7, "items": {"$ref": "#/definitions/x", "type": "null"}, "definitions": {"x": {}}}, [1], True
    ),
    "Draft 6": ({"$schema": DRAFT_6, "exclusiveMaximum": 5}, 5, False),
    "Draft 4": ({"$schema": DRAFT_4, "maximum": 5, "exclusiveMaximum": True}, 5, False),
    "Draft 4: 1.0 is no integer": ({"$schema": DRAFT_4, "type": "integer"}, 1.0, False),
    # Patterns.
    "pattern is not anchored": ({"pattern": "b"}, "abc", True),
    "$ is the very end": ({"pattern": "^a$"}, "a\n", False),
    "dot is no line separator": ({"pattern": "^.$"}, "\u2028", False),
    "dot is an astral character": ({"pattern": "^.$"}, "\U0001f600", True),
    "digits are ASCII": ({"pattern": r"^\d$"}, "\u0663", False),
    "white space is ECMAScript's": ({"pattern": r"^\s$"}, "\ufeff", True),
    "NEL is no white space": ({"pattern": r"^\s$"}, "\u0085", False),
    "property escapes": ({"pattern": r"^\p{Script=Greek}$"}, "α", True),
    "patternProperties": ({"patternProperties": {"^x-": False}}, {"x-a": 1}, False),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "valid"), VALUES.values(), ids=VALUES)
def test_values(schema: Any, value: Any, valid: bool) -> None:
    """The rules of the contract, and those that validators get wrong."""
    assert passes(schema, value) is valid


INVALID: dict[str, tuple[Any, str]] = {
    "list": ([], "a schema must be an object"),
    "boolean": (True, "a schema must be an object"),
    "unknown type": ({"type": "strng"}, "$.type: "),
    "unknown type below": ({"properties": {"a": {"items": {"type": "strng"}}}}, "$.properties.a.items.type: "),
    "unknown type in $defs": ({"$defs": {"a": {"type": "strng"}}}, "$.$defs.a.type: "),
    "unknown type where a reference leads": ({"$ref": "#/x", "x": {"type": "strng"}}, "$.x.type: "),
    "types repeated": ({"type": ["null", "null"]}, "$.type: "),
    "no types": ({"type": []}, "$.type: "),
    "required is no list": ({"required": "a"}, "$.required: "),
    "enum is no list": ({"enum": "abc"}, "$.enum: "),
    "properties is no object": ({"properties": []}, "$.properties: "),
    "items is a list": ({"items": [{}]}, "$.items: "),
    "minLength below 0": ({"minLength": -1}, "$.minLength: "),
    "maxLength with a fraction": ({"maxLength": 1.5}, "$.maxLength: "),
    "minimum is text": ({"minimum": "1"}, "$.minimum: "),
    "multipleOf 0": ({"multipleOf": 0}, "$.multipleOf: "),
    "uniqueItems is text": ({"uniqueItems": "yes"}, "$.uniqueItems: "),
    "not is a number": ({"not": 5}, "$.not: "),
    "allOf is empty": ({"allOf": []}, "$.allOf: "),
    "$ref is a number": ({"$ref": 5}, "$.$ref: "),
    "broken pattern": ({"pattern": "("}, "$.pattern: the pattern does not compile"),
    "broken patternProperties": ({"patternProperties": {"(": True}}, "the pattern does not compile"),
    "look-ahead": ({"pattern": "^(?!a)"}, "look-around and back-references are not supported"),
    "look-behind below": ({"items": {"pattern": "(?<=a)b"}}, "$.items.pattern: the pattern"),
    "back-reference": ({"pattern": r"(a)\1"}, "look-around and back-references are not supported"),
    "unknown dialect": ({"$schema": "http://x.test/schema"}, "x.test"),
    "Draft 3": ({"$schema": "http://json-schema.org/draft-03/schema#"}, "draft-03"),
    "the latest dialect, by its alias": ({"$schema": "http://json-schema.org/schema#"}, "unknown $schema"),
    "its own dialect": ({"$id": "http://x.test/s", "$schema": "http://x.test/s"}, "unknown $schema"),
    "unknown dialect below": ({"properties": {"a": {"$id": "b", "$schema": "http://x.test/s"}}}, "unknown $schema"),
    "two dialects": ({"$schema": DRAFT_2020, "$ref": "#/a", "a": {"$schema": "urn:x"}}, "unknown $schema"),
    "dialect that is no text": ({"$schema": 5}, "$schema"),
    "Draft 4 with a boolean schema": ({"$schema": DRAFT_4, "properties": {"a": True}}, "$.properties.a: "),
    "no such pointer": ({"$ref": "#/$defs/a"}, "Pointer"),
    "no such pointer below": ({"properties": {"a": {"items": {"$ref": "#/nope"}}}}, "Pointer"),
    "no such anchor": ({"$ref": "#nope"}, "Anchor"),
    "no such dynamic anchor": ({"$dynamicRef": "#nope"}, "Anchor"),
    "relative reference": ({"$ref": "other.json"}, "other.json"),
    "broken reference": ({"$ref": "#/a%"}, "reference"),
    "unused reference": ({"$defs": {"a": {"$ref": "http://x.test/a"}}}, "references are not fetched"),
    "nested too deeply": ({"const": nested(300)}, "Recursion limit"),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "message"), INVALID.values(), ids=INVALID)
def test_invalid_schemas(schema: Any, message: str) -> None:
    """Refused when the options are checked, with where and why on one line."""
    found = check_schema(schema)
    assert found is not None
    assert message in found
    assert found.isprintable()
    assert len(found) < 400
    with pytest.raises(SchemaError):
        compile_schema(schema)


def test_the_grader_takes_text_and_values() -> None:
    """Text is strict JSON, never a value of its own; 60 000 levels and 10 MB of brackets are only not JSON."""
    grade = json_schema(JsonSchema(schema={"type": ["object", "string", "array"], "required": ["a"]}))
    rows: list[tuple[Any, str]] = [
        ('{"a": 1}', "ok"),
        ({"a": 1}, "ok"),
        (' {"a": 1}\r\n', "ok"),
        ('{"a": 1, "a": 2}', "ok"),
        ('"text"', "ok"),
        ("[" * 512 + "]" * 512, "ok"),
        ({}, "schema_mismatch"),
        ("5", "schema_mismatch"),
        (None, "schema_mismatch"),
        ("", "not_json"),
        ("text", "not_json"),
        ('{"a": NaN}', "not_json"),
        ('{"a": 1e999}', "not_json"),
        ('\ufeff{"a": 1}', "not_json"),
        ('```json\n{"a": 1}\n```', "not_json"),
        ('{"a": 1} {"a": 2}', "not_json"),
        ("[" * 60_000 + "]" * 60_000, "not_json"),
        ("[" * 10_000_000, "not_json"),
    ]
    for candidate, code in rows:
        assert grade(candidate, ABSENT).code == code, str(candidate)[:40]


# Reasons.

SURPLUS = "$: additionalProperties"
REASONS: dict[str, tuple[Any, Any, str]] = {
    "type": ({"type": "string"}, 5, "$: type string"),
    "types": ({"type": ["string", "null"]}, 5, "$: type null or string"),
    "path": ({"properties": {"a": {"items": {"items": {"maximum": 5}}}}}, {"a": [[], [0, 6]]}, "$.a[1][1]: maximum 5"),
    "required": ({"required": ["name"]}, {}, '$: required "name"'),
    "pattern": ({"items": {"pattern": "^a"}}, ["secret"], '$[0]: pattern "^a"'),
    "great limit": ({"maximum": 10**30}, 10**31, f"$: maximum {10**30}"),
    "false schema": ({"properties": {"a": False}}, {"a": "secret"}, "$.a: nothing is allowed here"),
    "additional properties": ({"properties": {"a": {}}, "additionalProperties": False}, {"secret": 1}, SURPLUS),
    "unevaluated properties": ({"unevaluatedProperties": False}, {"secret": 1}, "$: unevaluatedProperties"),
    "property names": ({"propertyNames": {"maxLength": 3}}, {"secret": 1}, "$: propertyNames"),
    "enum": ({"enum": [1, 2]}, "secret", "$: enum"),
    "const": ({"const": 1}, "secret", "$: const"),
    "alternatives": ({"anyOf": [{"type": "null"}, {"type": "number"}]}, "secret", "$: anyOf"),
    "several": ({"required": ["a", "b"], "maxProperties": 0}, {"a": 1}, '$: maxProperties 0; $: required "b"'),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "value", "reason"), REASONS.values(), ids=REASONS)
def test_a_reason_names_places_and_rules(schema: Any, value: Any, reason: str) -> None:
    """Where, and which rule of the schema; neither a value nor the name of a surplus property."""
    got = compile_schema(schema).judge(value).reason
    assert sorted(got.split("; ")) == sorted(reason.split("; "))


def test_a_reason_names_five_places() -> None:
    """The first five of many."""
    reason = compile_schema({"items": {"type": "string"}}).judge(list(range(100))).reason
    assert reason == "; ".join(f"$[{index}]: type string" for index in range(5))


PATH_TEXTS: dict[str, tuple[list[str | int], str]] = {
    "root": ([], "$"),
    "keys and indices": (["a", 0, "b_1", 12], "$.a[0].b_1[12]"),
    "dollar": (["$defs"], "$.$defs"),
    "dash": (["content-type"], "$.content-type"),
    "digit first": (["1"], '$["1"]'),
    "dot": (["a.b"], '$["a.b"]'),
    "empty": ([""], '$[""]'),
    "quotes": (['a"b'], '$["a\\"b"]'),
    "line break": (["a\nb"], '$["a\\nb"]'),
    "bidirectional override": (["a\u202eb"], '$["a\\u202eb"]'),
    "lone surrogate": (["\U0010f800"], '$["\\ud800"]'),
    "letters": (["é"], '$["é"]'),
    "40 characters": (["k" * 40], "$." + "k" * 40),
    "41 characters": (["k" * 41], '$["' + "k" * 40 + '…"]'),
    "long": ([1] * 100, "$" + "[1]" * 53 + "…"),
}


@pytest.mark.parametrize(("path", "text"), PATH_TEXTS.values(), ids=PATH_TEXTS)
def test_paths(path: list[str | int], text: str) -> None:
    """Keys are the candidate's: escaped, cut to 40 code points, a path to 160."""
    assert path_text(path) == text


# The subset of the package: a plain validator as the oracle.

scalars = (
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([1.0, 1.5, -0.0]) | st.sampled_from("ab")
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: (
        isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    ),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
type_names = st.sampled_from(sorted(TYPES))
schemas = st.recursive(
    st.fixed_dictionaries({}, optional={"type": type_names | st.lists(type_names, min_size=1, unique=True)}),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": type_names,
            "enum": st.lists(values, min_size=1, max_size=3),
            "required": st.lists(st.sampled_from("abc"), unique=True),
            "properties": st.dictionaries(st.sampled_from("abc"), inner),
            "items": inner,
        },
    ),
    max_leaves=6,
)


def plainly_valid(schema: dict[str, Any], value: Any) -> bool:
    types = schema.get("type", list(TYPES))
    if not any(TYPES[name](value) for name in ([types] if isinstance(types, str) else types)):
        return False
    if "enum" in schema and not any(same_value(value, member) for member in schema["enum"]):
        return False
    if isinstance(value, list):
        return all(plainly_valid(schema.get("items", {}), member) for member in value)
    if isinstance(value, dict):
        fields = schema.get("properties", {})
        return value.keys() >= set(schema.get("required", [])) and all(
            plainly_valid(fields.get(key, {}), member) for key, member in value.items()
        )
    return True


@given(schemas, values)
def test_the_common_subset(schema: Any, value: Any) -> None:
    """On type, enum, required, properties and items: a validator of twenty lines gives the same verdict."""
    assert passes(schema, value) is plainly_valid(schema, value)
    grade = json_schema(JsonSchema(schema=schema))
    assert (grade(json.dumps(value), ABSENT).code == "ok") is plainly_valid(schema, value)
