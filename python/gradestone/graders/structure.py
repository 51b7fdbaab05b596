"""Structure graders: a candidate that is, or should be, JSON."""

from __future__ import annotations

from typing import Final

from gradestone.graders.jsonpath import DeadEnd, follow
from gradestone.graders.rows import RowGrader
from gradestone.jsontext import JsonValue, parse_json, same_value
from gradestone.options import Absent, JsonPathAssertion, JsonSchema
from gradestone.verdict import RowVerdict, quote
from gradestone.wording import PASSED


def json_schema(options: JsonSchema) -> RowGrader:
    """Pass when the candidate, parsed first if it is text, satisfies the schema."""
    from gradestone.graders.schemas import compile_schema  # loads a validator, for schemas only

    schema = compile_schema(options.schema)

    def grade(candidate: JsonValue, _reference: object) -> RowVerdict:
        if not isinstance(candidate, str):
            return schema.judge(candidate)
        try:
            value = parse_json(candidate)
        except ValueError as error:
            return RowVerdict("not_json", 0.0, f"candidate: {error}")
        return schema.judge(value, at_most=len(candidate))

    return grade


def json_path_assertion(options: JsonPathAssertion) -> RowGrader:
    """Pass when the path leads where it should: to a value, to the expected value, or nowhere."""
    steps = options.path.split(".")
    must_exist = None if isinstance(options.exists, Absent) else options.exists
    any_value = must_exist is not None or isinstance(options.equals, Absent)
    path = quote(options.path)
    not_found = RowVerdict("path_not_found", 0.0, f"path not found: {path}")
    found = RowVerdict("path_found", 0.0, f"path must not exist: {path}")
    invalid = RowVerdict("path_step_invalid", 0.0, f"a step on an array is a number but no index: {path}")
    mismatch = RowVerdict("value_mismatch", 0.0, f"value at {path} is not the expected one")

    def grade(candidate: JsonValue, _reference: object) -> RowVerdict:
        if must_exist is False and candidate is None:
            return _NOTHING_THERE
        if isinstance(candidate, str):
            try:
                candidate = parse_json(candidate)
            except ValueError:
                return _NO_DOCUMENT if must_exist is False else not_found
        end = follow(candidate, steps)
        if end is DeadEnd.STEP_INVALID:
            return invalid
        if must_exist is False:
            return _OK if end is DeadEnd.NOT_FOUND else found
        if end is DeadEnd.NOT_FOUND:
            return not_found
        return _OK if any_value or same_value(end, options.equals) else mismatch

    return grade


_OK: Final = RowVerdict("ok", 1.0, PASSED)
_NOTHING_THERE: Final = RowVerdict("not_json", 0.0, "candidate is null: there is nothing to look into")
_NO_DOCUMENT: Final = RowVerdict(
    "not_json", 0.0, "candidate is no JSON document: there is nothing to look into"
)
