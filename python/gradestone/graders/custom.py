"""The legacy grader ``custom``: the case reference names the predicate that judges the candidate."""

from __future__ import annotations

from typing import Final

from gradestone.backends import BackendName
from gradestone.graders.kernels import Runner, settle_row
from gradestone.graders.rows import Batch, guarded
from gradestone.jsontext import JsonValue, NotJsonValueError, to_json_value
from gradestone.options import (
    ABSENT,
    Absent,
    Contains,
    Custom,
    GraderOptionError,
    GraderOptions,
    JsonPathAssertion,
    Regex,
)
from gradestone.verdict import RowVerdict, Verdicts


def custom(options: Custom, backend: BackendName) -> Runner:
    """Each row is judged by the grader that its case reference names."""
    del options
    from gradestone.graders import prepare  # that package imports this module

    def decide(batch: Batch, index: int) -> RowVerdict:
        reference = batch.reference(index)
        if isinstance(reference, Absent):
            return RowVerdict("missing_reference", 0.0, "no case reference, which names the predicate")
        delegate = parse_custom(reference)
        if isinstance(delegate, str):
            return RowVerdict("invalid_reference", 0.0, delegate)
        return settle_row(prepare(delegate, backend)(batch.only(index)))

    return lambda batch: Verdicts.of(
        [guarded(lambda row: decide(batch, row), index) for index in range(len(batch))]
    )


def parse_custom(reference: object) -> GraderOptions | str:
    """Read a predicate: the options of the grader that judges it, or a message that says why there is none.

    >>> parse_custom({"jsonpath": "a.0", "equals": None})
    JsonPathAssertion(path='a.0', equals=None, exists=ABSENT)
    >>> parse_custom({"contains": "a", "regex": "b"})
    'reference must be exactly one of {"regex": …}, {"jsonpath": …, "equals"?: …}, {"contains": …}'
    """
    try:
        options = _options_of(to_json_value(reference))
    except NotJsonValueError as error:
        return f"reference is not a JSON value: {error}"
    except GraderOptionError as error:
        return f"reference: {'; '.join(fault.message for fault in error.faults)}"
    return options or _SHAPES


_SHAPES: Final = (
    'reference must be exactly one of {"regex": …}, {"jsonpath": …, "equals"?: …}, {"contains": …}'
)


def _options_of(predicate: JsonValue) -> GraderOptions | None:
    match predicate:
        case {"regex": pattern, **others} if not others:
            return Regex(pattern=pattern)
        case {"jsonpath": path, **others} if not others.keys() - {"equals"}:
            return JsonPathAssertion(path=path, equals=others.get("equals", ABSENT))
        case {"contains": str() as text, **others} if not others:
            return Contains(fragments=[text])
    return None
