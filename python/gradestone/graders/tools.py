"""Tool graders: what a candidate's trace says was called. `trace` reads the trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gradestone.graders.jsonpath import DeadEnd, follow
from gradestone.graders.rows import RowGrader
from gradestone.graders.trace import Trace, read_trace
from gradestone.jsontext import JsonValue, parse_json, same_value
from gradestone.options import ToolArgumentAssertion, ToolCalled, ToolNotCalled, ToolSequence
from gradestone.verdict import RowVerdict, quote
from gradestone.wording import PASSED


def tool_called(options: ToolCalled) -> RowGrader:
    """Pass when every tool was called."""

    def decide(trace: Trace) -> RowVerdict:
        called = {call.name for call in trace.calls}
        missing = [tool for tool in options.tools if tool not in called]
        return RowVerdict("tool_missing", 0.0, f"not called: {_quoted(missing)}") if missing else _OK

    return _on_trace(decide)


def tool_not_called(options: ToolNotCalled) -> RowGrader:
    """Pass when no tool was called. What cannot be read may be a call, so it fails."""

    def decide(trace: Trace) -> RowVerdict:
        called = {call.name for call in trace.calls}
        forbidden = [tool for tool in options.tools if tool in called]
        if forbidden:
            return RowVerdict("tool_forbidden", 0.0, f"called: {_quoted(forbidden)}")
        unclear = trace.unreadable or any(tool in trace.unclear for tool in options.tools)
        return _UNCLEAR if unclear else _OK

    return _on_trace(decide)


def tool_sequence(options: ToolSequence) -> RowGrader:
    """Pass when the tools are an ordered subsequence of the calls."""

    def decide(trace: Trace) -> RowVerdict:
        calls = (call.name for call in trace.calls)
        for position, tool in enumerate(options.tools):
            if tool not in calls:  # takes the calls up to and including the first of this name
                after = f" after the {position} before it" if position else ""
                return RowVerdict("tool_order", 0.0, f"not called{after}: {quote(tool)}")
        return _OK

    return _on_trace(decide)


def tool_argument_assertion(options: ToolArgumentAssertion) -> RowGrader:
    """Pass when some call to the tool has the expected value at the path."""
    steps = options.path.split(".")
    not_called = RowVerdict("tool_missing", 0.0, f"not called: {quote(options.tool)}")
    mismatch = RowVerdict(
        "argument_mismatch",
        0.0,
        f"no call to {quote(options.tool)} has the expected value at {quote(options.path)}",
    )

    def matches(arguments: JsonValue) -> bool:
        found = follow(_parsed(arguments), steps)
        return not isinstance(found, DeadEnd) and same_value(found, options.equals)

    def decide(trace: Trace) -> RowVerdict:
        calls = [call for call in trace.calls if call.name == options.tool]
        if not calls:
            return not_called
        return _OK if any(matches(call.arguments) for call in calls) else mismatch

    return _on_trace(decide)


def _parsed(arguments: JsonValue) -> JsonValue:
    if not isinstance(arguments, str):
        return arguments
    try:
        return parse_json(arguments)
    except ValueError:
        return arguments


def _on_trace(decide: Callable[[Trace], RowVerdict]) -> RowGrader:
    def grade(candidate: JsonValue, _reference: object) -> RowVerdict:
        trace = read_trace(candidate)
        return _NO_TRACE if trace is None else decide(trace)

    return grade


def _quoted(tools: Sequence[str]) -> str:
    return ", ".join(map(quote, tools))


_OK: Final = RowVerdict("ok", 1.0, PASSED)
_NO_TRACE: Final = RowVerdict("no_trace", 0.0, "candidate shows no readable tool trace")
_UNCLEAR: Final = RowVerdict(
    "unreadable_call", 0.0, "an entry of the trace may be a call of a forbidden tool, or cannot be read"
)
