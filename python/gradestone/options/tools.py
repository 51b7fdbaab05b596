"""Options of the tools graders: which tools a trace shows to have been called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from gradestone.options import checks
from gradestone.options.base import GraderOptions, grader_options, option

_NAMES: Final = checks.list_of(checks.nonblank_text)


@grader_options
class ToolCalled(GraderOptions):
    """Passes when every listed tool was called.

    The trace is read from a structured candidate: a list of calls, or an object's ``tool_calls``,
    ``tools_called`` or ``tools``, and the shapes of the big providers (OpenAI chat, Responses and
    ``function_call``, Anthropic ``tool_use``, MCP, lists of messages). A text candidate is never parsed. A
    tool that was merely offered, by its name or its schema, was not called.

    Options:
        tools: a list of at least one name, none blank. Required. A name given twice counts once.

    Empty and missing: an empty trace calls nothing; a candidate without a readable trace fails.
    Cost: linear in the candidate; no cap.
    Codes: ok, tool_missing, no_trace.

    >>> from gradestone import ToolCalled
    >>> trace = {"tool_calls": [{"name": "search", "arguments": {"q": "Paris"}}]}
    >>> ToolCalled(tools=["search"])(trace).passed, ToolCalled(tools=["search", "book"])(trace).code
    (True, 'tool_missing')
    """

    type: ClassVar[str] = "tool_called"

    tools: Sequence[str] = option(_NAMES)


@grader_options
class ToolNotCalled(GraderOptions):
    """Passes when none of the listed tools was called.

    The trace is read as for tool_called. What cannot be read might be a forbidden call, so an unreadable
    entry fails the verdict, and so does a candidate without a readable trace.

    Options:
        tools: a list of at least one name, none blank. Required.

    Empty and missing: an empty trace passes; a missing one fails.
    Cost: linear in the candidate; no cap.
    Codes: ok, tool_forbidden, unreadable_call, no_trace.

    >>> from gradestone import ToolNotCalled
    >>> no_refund = ToolNotCalled(tools=["refund"])
    >>> no_refund({"tool_calls": []}).passed, no_refund({"tool_calls": ["refund"]}).code
    (True, 'tool_forbidden')
    >>> no_refund("done").code
    'no_trace'
    """

    type: ClassVar[str] = "tool_not_called"

    tools: Sequence[str] = option(_NAMES)


@grader_options
class ToolSequence(GraderOptions):
    """Passes when the listed tools are an ordered subsequence of the calls: other calls may lie between them.

    The trace is read as for tool_called.

    Options:
        tools: a list of at least one name, none blank, in the order of the calls. Required. A name given
            twice needs two calls.

    Empty and missing: an empty trace calls nothing; a candidate without a readable trace fails.
    Cost: linear in the candidate; no cap.
    Codes: ok, tool_order, no_trace.

    >>> from gradestone import ToolSequence
    >>> in_order = ToolSequence(tools=["search", "book"])
    >>> in_order(["search", "compare", "book"]).passed, in_order(["book", "search"]).code
    (True, 'tool_order')
    """

    type: ClassVar[str] = "tool_sequence"

    tools: Sequence[str] = option(_NAMES)


@grader_options
class ToolArgumentAssertion(GraderOptions):
    """Passes when some call to the tool has the expected value at a path inside its arguments.

    The trace is read as for tool_called; arguments given as text are parsed if they are JSON. Paths and
    equality are those of json_path_assertion.

    Options:
        tool: the tool's name, not blank. Required.
        path: steps joined by dots, not blank. Required.
        equals: the value that must be there, any JSON value; ``None`` is the value null. Required.

    Empty and missing: a trace without a call to the tool fails, and so does a candidate without a readable
    trace.
    Cost: linear in the candidate; no cap.
    Codes: ok, argument_mismatch, tool_missing, no_trace.

    >>> from gradestone import ToolArgumentAssertion
    >>> asks_for_paris = ToolArgumentAssertion(tool="search", path="q", equals="Paris")
    >>> asks_for_paris([{"name": "search", "arguments": '{"q": "Paris"}'}]).passed
    True
    """

    type: ClassVar[str] = "tool_argument_assertion"

    tool: str = option(checks.nonblank_text)
    path: str = option(checks.nonblank_text)
    equals: Any = option(checks.json_value)
