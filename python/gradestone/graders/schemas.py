"""JSON Schema for json_schema: a full validator, kept from the network and from what could end the process.

The validator is jsonschema-rs. What it leaves to its callers is dealt with here:

- references: a retriever that always refuses; what cannot be resolved inside the schema makes it invalid;
- patterns: its linear-time engine, so no text can make a search explode. Look-around and back-references are
  not to be had at that price and make a schema invalid;
- its stack: it recurses, so `schema_graph` says how deep a value may nest under a schema;
- its list of errors: it may cost exponential time where `schema_graph` says so, and much memory on large
  values; such errors are not listed, the verdict is the same;
- lone surrogates, which its strings cannot hold: characters for private use stand in for them.

``format`` is an annotation in every draft. Under Draft 4, ``1.0`` is no integer.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Final, NoReturn

import jsonschema_rs

from gradestone.graders.kernels import over_cap
from gradestone.graders.schema_graph import SchemaShape, shape_of
from gradestone.graders.stand_ins import disguise, holds_stand_in, holds_surrogate, reveal
from gradestone.jsontext import MAX_DEPTH, JsonValue, depth_of
from gradestone.verdict import RowVerdict, quote
from gradestone.wording import PASSED

MAX_FRAMES: Final = 2_000
"""Levels of the validator's own recursion, up to 450 bytes each: the smallest usual stack is 1 MB."""

MAX_LISTED_VALUES: Final = 10_000
"""Values in a candidate whose errors are listed: the validator makes all errors before it shows the first."""

MAX_VISITS: Final = 1_000
"""The same where the validator comes to one value several times: each visit costs far more there."""

SHOWN_ERRORS: Final = 5
SHOWN_KEY: Final = 40
"""Code points of a key on a path."""
SHOWN_PATH: Final = 160

_DIALECTS: Final = re.compile(r"https?://json-schema\.org/(?:draft-0[467]|draft/20(?:19-09|20-12))/schema#?")


class SchemaError(ValueError):
    """A JSON Schema is invalid; the message says where and why."""


def check_schema(schema: JsonValue) -> str | None:
    r"""Say why a schema is invalid, None if it is valid.

    >>> check_schema({"type": "object", "properties": {"a": True}}) is None
    True
    >>> check_schema({"properties": {"a": {"type": "strng"}}})
    '$.properties.a.type: "strng" is not valid under any of the schemas listed in the \'anyOf\' keyword'
    >>> check_schema({"$ref": "#"})
    'references lead back to themselves without going into the value'
    """
    try:
        compile_schema(schema)
    except SchemaError as error:
        return str(error)
    return None


def compile_schema(schema: JsonValue) -> CompiledSchema:
    """Compile a schema, given as a plain JSON value; an invalid one raises `SchemaError`."""
    if not isinstance(schema, dict):
        raise SchemaError("a schema must be an object")
    surrogates = holds_surrogate(schema)
    plain = disguise(schema) if surrogates else schema
    try:
        validator = jsonschema_rs.validator_for(
            plain,
            retriever=_refuse_to_fetch,
            validate_formats=False,
            pattern_options=jsonschema_rs.RegexOptions(),
        )
        shape = shape_of(plain)
    except jsonschema_rs.ValidationError as error:
        raise SchemaError(_complaint(error)) from None
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise SchemaError(quote(str(error))) from None
    _check_shape(shape)
    return CompiledSchema(
        validator, shape, frozenset(_keys(plain)), surrogates=surrogates, stand_ins=holds_stand_in(schema)
    )


def _keys(schema: JsonValue) -> Iterator[str]:
    """Give every key of a schema: the names of properties are among them."""
    pending = [schema]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield from value
            pending += value.values()
        elif isinstance(value, list):
            pending += value


def _refuse_to_fetch(uri: str) -> NoReturn:
    raise ValueError(f"references are not fetched: {uri}")


def _check_shape(shape: SchemaShape) -> None:
    unknown = next((name for name in sorted(shape.dialects) if not _DIALECTS.fullmatch(name)), None)
    if unknown is not None:
        raise SchemaError(f"unknown $schema {quote(unknown)}")
    if shape.endless:
        raise SchemaError("references lead back to themselves without going into the value")
    if shape.steps >= MAX_FRAMES:
        raise SchemaError("references follow on references for too long")


def _complaint(error: jsonschema_rs.ValidationError) -> str:
    where = path_text(error.instance_path)
    if isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Format) and error.kind.format == "regex":
        return (
            f"{where}: the pattern does not compile; look-around and back-references are not supported, "
            "since they cannot be searched in linear time"
        )
    return f"{where}: {_one_line(error.message)}"


def _one_line(message: str) -> str:
    return quote(message)[1:-1].replace('\\"', '"')


class CompiledSchema:
    """A valid schema, ready to judge values. Safe to share between threads."""

    __slots__ = ("_keys", "_levels", "_stand_ins", "_surrogates", "_validator", "_ways")

    def __init__(
        self,
        validator: jsonschema_rs.Validator,
        shape: SchemaShape,
        keys: frozenset[str],
        *,
        surrogates: bool,
        stand_ins: bool,
    ) -> None:
        self._validator = validator
        self._keys = keys
        self._levels = _safe_levels(shape)
        self._ways = shape.ways
        self._surrogates = surrogates
        self._stand_ins = stand_ins

    def judge(self, value: JsonValue, *, at_most: int = sys.maxsize) -> RowVerdict:
        """Decide about a plain JSON value; a mismatch names up to five places and rules, never a value.

        ``at_most`` bounds how many values it holds, where that is known: the characters of its text.
        """
        if self._levels < MAX_DEPTH and depth_of(value) > self._levels:
            return RowVerdict(
                "over_cap", 0.0, over_cap(f"{self._levels} levels of nesting under this schema")
            )
        if self._surrogates:
            return self._judge_in_disguise(value)
        try:
            valid = self._validator.is_valid(value)
        except ValueError:
            return self._judge_in_disguise(value)
        return _OK if valid else self._mismatch(value, at_most)

    def _judge_in_disguise(self, value: JsonValue) -> RowVerdict:
        """Decide with stand-ins for lone surrogates, which the validator raises on."""
        surrogates = self._surrogates or holds_surrogate(value)
        if surrogates and (self._stand_ins or holds_stand_in(value)):
            return _AMBIGUOUS
        disguised = disguise(value)
        try:
            valid = self._validator.is_valid(disguised)
        except ValueError:
            return _TOO_DEEP_TO_COMPARE
        return _OK if valid else self._mismatch(disguised)

    def _mismatch(self, value: JsonValue, at_most: int = sys.maxsize) -> RowVerdict:
        places = "; ".join(self._errors(value, at_most))
        return RowVerdict("schema_mismatch", 0.0, places or _UNLISTED)

    def _errors(self, value: JsonValue, at_most: int = sys.maxsize) -> Iterator[str]:
        is_small = self._ways < 2 and at_most <= MAX_LISTED_VALUES
        if not is_small and _is_too_large_to_list(value, self._ways):
            return
        try:
            errors = list(islice(self._validator.iter_errors(value), SHOWN_ERRORS))
        except ValueError:
            # It writes out all of the value, lone surrogates that decided nothing too.
            if holds_surrogate(value):
                yield from self._errors(disguise(value))
            return
        for error in errors:
            yield f"{path_text(error.instance_path, self._keys)}: {_rule_text(error)}"


_UNLISTED: Final = "value does not satisfy the schema; it is too large or nests too deeply to list where"
_OK: Final = RowVerdict("ok", 1.0, PASSED)
_TOO_DEEP_TO_COMPARE: Final = RowVerdict(
    "over_cap", 0.0, over_cap("255 levels of nesting where values are compared")
)
_AMBIGUOUS: Final = RowVerdict(
    "schema_mismatch",
    0.0,
    "lone surrogates cannot be told apart here from U+10F800-U+10FFFF, and value and schema hold both",
)


def _safe_levels(shape: SchemaShape) -> int:
    if shape.longest is not None and shape.longest <= MAX_FRAMES:
        return MAX_DEPTH
    return min(MAX_DEPTH, MAX_FRAMES // (shape.steps + 1))


def _is_too_large_to_list(value: JsonValue, ways: int) -> bool:
    """Tell whether listing errors takes the validator to too many values, with each visit counted."""
    left = MAX_LISTED_VALUES if ways < 2 else MAX_VISITS
    pending = [(value, 1)]
    while pending:
        member, visits = pending.pop()
        left -= visits
        if left < 0:
            return True
        if isinstance(member, dict):
            member = list(member.values())
        if isinstance(member, list):
            pending += ((inner, visits * max(1, ways)) for inner in member)
    return False


def path_text(path: list[str | int], known: frozenset[str] | None = None) -> str:
    r"""Write where a value is, keys escaped and cut.

    With ``known`` only these keys are written: any other is the candidate's own text, and may be private.

    >>> path_text(["a", 0, "b"]), path_text([]), path_text(["two words", "x\n"])
    ('$.a[0].b', '$', '$["two words"]["x\\n"]')
    >>> path_text(["a", "jane@example.org"], known=frozenset({"a"}))
    '$.a[…]'
    """
    text = "$" + "".join(_step_text(step, known) for step in path)
    return text if len(text) <= SHOWN_PATH else f"{text[:SHOWN_PATH]}…"


def _step_text(step: str | int, known: frozenset[str] | None) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if known is not None and step not in known:
        return "[…]"
    step = reveal(step)
    return f".{step}" if _PLAIN_KEY.fullmatch(step) else f"[{quote(step, SHOWN_KEY)}]"


_PLAIN_KEY: Final = re.compile(rf"[A-Za-z_$][A-Za-z0-9_$-]{{0,{SHOWN_KEY - 1}}}")


def _rule_text(error: jsonschema_rs.ValidationError) -> str:
    """Name the rule that a value breaks, with what the schema says there, where that is short."""
    kind = error.kind
    if kind.name == "falseSchema":
        return "nothing is allowed here"
    for attribute in ("types", "property", "limit", "multiple_of", "pattern"):
        operand = getattr(kind, attribute, None)
        if operand is not None:
            return f"{kind.name} {_operand_text(operand)}"
    return kind.name


def _operand_text(operand: object) -> str:
    if isinstance(operand, list):
        return " or ".join(map(str, operand))
    return quote(operand, SHOWN_KEY) if isinstance(operand, str) else str(operand)
