"""Traces in every shape, and the four tool graders."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.graders.tools import tool_argument_assertion, tool_called, tool_not_called, tool_sequence
from gradestone.graders.trace import Call, read_trace
from gradestone.options import ABSENT, ToolArgumentAssertion, ToolCalled, ToolNotCalled, ToolSequence

ARGUMENTS = {"q": "owls"}
SEARCH, BOOK = Call("search", ARGUMENTS), Call("book", ABSENT)
FUNCTION = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": ARGUMENTS}}
DEFINITION = {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}
TOOL_USE = {"type": "tool_use", "id": "t1", "name": "search", "input": ARGUMENTS}
MESSAGE = {"role": "assistant", "content": None, "tool_calls": [FUNCTION]}
SILENT = {"role": "assistant", "content": "done"}

CALLS: dict[str, tuple[Any, list[Call]]] = {
    # The plain lists.
    "list": ([{"name": "search", "arguments": ARGUMENTS}, "book"], [SEARCH, BOOK]),
    "empty list": ([], []),
    "tool_calls": ({"tool_calls": ["book"]}, [BOOK]),
    "tools_called": ({"tools_called": ["book"]}, [BOOK]),
    "tools": ({"tools": [{"name": "search", "args": ARGUMENTS}]}, [SEARCH]),
    "null counts as absent": ({"tool_calls": None, "tools_called": ["book"]}, [BOOK]),
    "two nulls": ({"tool_calls": None, "tools_called": None, "tools": [FUNCTION]}, [SEARCH]),
    "an empty list is there": ({"tool_calls": [], "tools_called": ["book"]}, []),
    "the first key wins": ({"tool_calls": [FUNCTION], "tools_called": ["book"]}, [SEARCH]),
    # Entries.
    "name and arguments": ([{"name": "search", "arguments": ARGUMENTS}], [SEARCH]),
    "tool and args": ([{"tool": "search", "args": ARGUMENTS}], [SEARCH]),
    "function": ([FUNCTION], [SEARCH]),
    "input": ([{"name": "search", "input": ARGUMENTS}], [SEARCH]),
    "empty name, then tool": ([{"name": "", "tool": "search", "args": ARGUMENTS}], [SEARCH]),
    "name that is no text, then function": ([{"name": 5, "tool": None, **FUNCTION}], [SEARCH]),
    "name beats tool": ([{"name": "book", "tool": "search"}], [BOOK]),
    "blank names are names": ([" "], [Call(" ", ABSENT)]),
    "arguments beat args": ([{"name": "search", "arguments": ARGUMENTS, "args": 1, "input": 2}], [SEARCH]),
    "args beat function's": ([{"args": ARGUMENTS, "function": {"name": "search", "arguments": 1}}], [SEARCH]),
    "function's beat input": ([{**FUNCTION, "input": 1}], [SEARCH]),
    "null arguments are absent": ([{"name": "search", "arguments": None, "args": ARGUMENTS}], [SEARCH]),
    "false arguments are there": ([{"name": "f", "arguments": False, "args": 1}], [Call("f", False)]),
    "text stays text": ([{"name": "f", "arguments": "{}"}], [Call("f", "{}")]),
    "a call with a schema beside it": ([{"name": "search", "input": ARGUMENTS, "input_schema": {}}], [SEARCH]),
    # Definitions and offers.
    "definition in a list": ([DEFINITION, "book"], [BOOK]),
    "definition with input_schema": ({"tool_calls": [{"name": "search", "input_schema": {}}]}, []),
    "definition with inputSchema": ({"tool_calls": [{"name": "search", "inputSchema": {}}]}, []),
    "definition with parameters": ({"tool_calls": [{"name": "search", "parameters": {}}]}, []),
    "definition with null parameters": ({"tool_calls": [{"name": "book", "parameters": None}]}, [BOOK]),
    "offers beside calls": ({"tools": ["book", DEFINITION, {"name": "book"}, FUNCTION]}, [SEARCH]),
    "offers and an empty call list": ({"tools": [DEFINITION], "tool_calls": []}, []),
    "offers and messages": ({"tools": [DEFINITION, "book"], "messages": [MESSAGE]}, [SEARCH]),
    # Providers.
    "function_call": ({"role": "assistant", "function_call": {"name": "search", "arguments": ARGUMENTS}}, [SEARCH]),
    "function_call without a role": ({"function_call": {"name": "search", "arguments": ARGUMENTS}}, [SEARCH]),
    "content blocks": ({"role": "assistant", "content": [{"type": "text", "text": "ok"}, TOOL_USE]}, [SEARCH]),
    "content block without input": ({"content": [{"type": "tool_use", "name": "book"}]}, [BOOK]),
    "content as text": (SILENT, []),
    "chat completion": ({"object": "chat.completion", "choices": [{"index": 0, "message": MESSAGE}]}, [SEARCH]),
    "several choices": ({"choices": [{"message": MESSAGE}, {"message": SILENT}, {"message": MESSAGE}]}, [SEARCH] * 2),
    "choice without a message": ({"choices": [{"text": "done"}]}, []),
    "response": ({"output": [{"type": "reasoning"}, {**FUNCTION["function"], "type": "function_call"}]}, [SEARCH]),
    "response's message": ({"output": [{"type": "message", "role": "assistant", "content": []}]}, []),
    "messages": ({"messages": [{"role": "user", "content": "hi"}, MESSAGE, {"content": "x"}]}, [SEARCH]),
    "messages without roles": ({"messages": [{"tool_calls": ["book"]}]}, [BOOK]),
    "MCP": ({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "search", "arguments": ARGUMENTS}}, [SEARCH]),
    "MCP without a method": ({"params": {"name": "search", "arguments": ARGUMENTS}}, [SEARCH]),
    "MCP without arguments": ({"method": "tools/call", "params": {"name": "book"}}, [BOOK]),
    "list of messages": ([{"role": "user", "content": "hi"}, MESSAGE, SILENT], [SEARCH]),
    "list of content blocks": ([TOOL_USE], [SEARCH]),
    "list of completions": ([{"choices": [{"message": MESSAGE}]}, "book"], [SEARCH, BOOK]),
    "list of MCP requests": ([{"params": {"name": "search", "arguments": ARGUMENTS}}], [SEARCH]),
    "a tool's answer is no call": ([{"role": "tool", "name": "search", "content": "3 owls"}], []),
    "bare call": ({"name": "search", "arguments": ARGUMENTS}, [SEARCH]),
    "bare call of a function": (FUNCTION, [SEARCH]),
    "bare content block": (TOOL_USE, [SEARCH]),
    "every shape, in order": (
        {
            "name": "nine", "input": {},
            "params": {"name": "eight", "arguments": {}},
            "messages": [{"tool_calls": ["six"]}, {"function_call": {"name": "seven"}}],
            "output": [{"type": "function_call", "name": "five", "arguments": "{}"}],
            "choices": [{"message": {"tool_calls": ["four"]}}],
            "content": [{"type": "tool_use", "name": "three"}],
            "function_call": {"name": "two"},
            "tool_calls": ["one"],
        },
        [
            Call("one", ABSENT), Call("two", ABSENT), Call("three", ABSENT), Call("four", ABSENT), Call("five", "{}"),
            Call("six", ABSENT), Call("seven", ABSENT), Call("eight", {}), Call("nine", {}),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("candidate", "calls"), CALLS.values(), ids=CALLS)
def test_readable_traces(candidate: Any, calls: list[Call]) -> None:
    """Who was called with what, in the order of the trace; nothing in these is unreadable."""
    trace = read_trace(candidate)
    assert trace is not None
    assert trace.calls == calls
    assert not trace.unreadable
    assert judged(tool_not_called(ToolNotCalled(tools=["refund"])), candidate) == "ok"


@pytest.mark.parametrize("kind", ["server_tool_use", "tool_result", None])
@pytest.mark.parametrize("shape", ["content", "output"])
def test_a_block_of_another_type_that_looks_like_a_call(shape: str, kind: str | None) -> None:
    """It passes nothing: not counted as a call, and not as the absence of one."""
    block = {**TOOL_USE, "type": kind} if kind else {key: TOOL_USE[key] for key in ("name", "input")}
    candidate = {"role": "assistant", shape: [block]}
    assert judged(tool_called(ToolCalled(tools=["search"])), candidate) == "tool_missing"
    assert judged(tool_not_called(ToolNotCalled(tools=["refund"])), candidate) == "unreadable_call"


NO_TRACES: dict[str, Any] = {
    "null": None,
    "text": "search",
    "text of a trace": json.dumps(MESSAGE),
    "number": 5,
    "boolean": True,
    "empty object": {},
    "other object": {"answer": "done"},
    "all null": {"tool_calls": None, "tools_called": None, "tools": None},
    "offered name": {"tools": ["search"]},
    "offered schema": {"tools": [DEFINITION], "content": "no call made"},
    "nothing offered": {"tools": []},
    "definition alone": DEFINITION,
    "name alone": {"name": "search"},
    "object of calls": {"tool_calls": {"name": "search", "arguments": {}}},
    "text of calls": {"tool_calls": "search"},
    "function_call as a setting": {"function_call": "auto"},
    "content without a call": {"content": [{"type": "text", "text": "ok"}]},
    "no choices": {"choices": []},
    "no messages": {"messages": []},
    "output without a call": {"output": [{"type": "reasoning"}]},
    "parameters of something else": {"params": {"name": "search"}},
    "arguments without a name": {"arguments": {}},
}


@pytest.mark.parametrize("candidate", NO_TRACES.values(), ids=NO_TRACES)
def test_what_is_no_trace(candidate: Any) -> None:
    """Every grader fails, tool_not_called among them: nothing shows that nothing was called."""
    assert read_trace(candidate) is None
    for grade in (
        tool_called(ToolCalled(tools=["search"])),
        tool_not_called(ToolNotCalled(tools=["search"])),
        tool_sequence(ToolSequence(tools=["search"])),
        tool_argument_assertion(ToolArgumentAssertion(tool="search", path="q", equals=1)),
    ):
        assert judged(grade, candidate) == "no_trace"


UNREADABLE: dict[str, Any] = {
    "null": ["book", None],
    "number": ["book", 5],
    "boolean": {"tool_calls": ["book", True]},
    "empty name": ["book", ""],
    "empty object": ["book", {}],
    "name that is no text": ["book", {"name": 5}],
    "function that is text": ["book", {"function": "search"}],
    "list in a list": ["book", ["search"]],
    "arguments without a name": ["book", {"arguments": {}}],
    "under tools": {"tools": [5, {"name": "book", "args": {}}]},
    "nameless content block": {"tool_calls": ["book"], "content": [{"type": "tool_use", "input": {}}]},
    "text block in a list of blocks": ["book", {"type": "text", "text": "ok"}],
    "message that is text": {"tool_calls": ["book"], "messages": ["hi"]},
    "choice that is text": {"tool_calls": ["book"], "choices": ["hi"]},
    "choice whose message is text": {"tool_calls": ["book"], "choices": [{"message": "hi"}]},
    "function_call that is text": {"tool_calls": ["book"], "function_call": "search"},
    "MCP without a name": {"tool_calls": ["book"], "method": "tools/call", "params": {"arguments": {}}},
    "calls of a message that are no list": [{"role": "assistant", "tool_calls": {"name": "search"}}, "book"],
}  # fmt: skip


@pytest.mark.parametrize("candidate", UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_entry_is_passed_over_but_fails_tool_not_called(candidate: Any) -> None:
    """It may be the forbidden call; a forbidden call that can be read is named first."""
    assert judged(tool_called(ToolCalled(tools=["book"])), candidate) == "ok"
    assert judged(tool_not_called(ToolNotCalled(tools=["refund"])), candidate) == "unreadable_call"
    assert judged(tool_not_called(ToolNotCalled(tools=["book"])), candidate) == "tool_forbidden"


def test_a_bare_name_beside_calls_under_tools_may_be_a_call() -> None:
    """It was called or offered: that fails tool_not_called for this tool, and does not pass tool_called."""
    candidate = {
        "tools": ["search", FUNCTION | {"function": {"name": "book", "arguments": "{}"}}, {"name": "refund"}]
    }
    for tool, code in (
        ("search", "unreadable_call"),
        ("refund", "unreadable_call"),
        ("other", "ok"),
        ("book", "tool_forbidden"),
    ):
        assert judged(tool_not_called(ToolNotCalled(tools=[tool])), candidate) == code
    assert judged(tool_called(ToolCalled(tools=["search"])), candidate) == "tool_missing"
    message = {"role": "assistant", "content": "done", "tools": ["search"]}
    assert judged(tool_not_called(ToolNotCalled(tools=["search"])), message) == "ok"


def judged(grade: Any, candidate: Any) -> str:
    verdict = grade(candidate, ABSENT)
    assert verdict.score == (verdict.code == "ok")
    return str(verdict.code)


SETS: dict[str, tuple[list[str], list[str], str, str]] = {
    # calls, tools, tool_called, tool_not_called
    "the one": (["a"], ["a"], "ok", "tool_forbidden"),
    "none": ([], ["a"], "tool_missing", "ok"),
    "another": (["b"], ["a"], "tool_missing", "ok"),
    "some": (["a"], ["a", "b"], "tool_missing", "tool_forbidden"),
    "all": (["b", "c", "a"], ["a", "b"], "ok", "tool_forbidden"),
    "twice is once": (["a"], ["a", "a"], "ok", "tool_forbidden"),
    "case matters": (["A"], ["a"], "tool_missing", "ok"),
    "white space matters": (["a "], ["a"], "tool_missing", "ok"),
    "lone surrogate": (["\ud800"], ["\ud800"], "ok", "tool_forbidden"),
}


@pytest.mark.parametrize(("calls", "tools", "called", "not_called"), SETS.values(), ids=SETS)
def test_tool_called_and_tool_not_called(
    calls: list[str], tools: list[str], called: str, not_called: str
) -> None:
    """All of them, and none of them."""
    assert judged(tool_called(ToolCalled(tools=tools)), calls) == called
    assert judged(tool_not_called(ToolNotCalled(tools=tools)), calls) == not_called


SEQUENCES: dict[str, tuple[list[str], list[str], str]] = {
    "in order": (["a", "b"], ["a", "b"], "ok"),
    "others between": (["x", "a", "x", "b", "x"], ["a", "b"], "ok"),
    "out of order": (["b", "a"], ["a", "b"], "tool_order"),
    "missing": (["a"], ["a", "b"], "tool_order"),
    "one call cannot serve twice": (["a"], ["a", "a"], "tool_order"),
    "two calls serve twice": (["a", "b", "a"], ["a", "a"], "ok"),
    "around": (["a", "a", "b"], ["a", "b", "a"], "tool_order"),
    "empty trace": ([], ["a"], "tool_order"),
}


@pytest.mark.parametrize(("calls", "tools", "code"), SEQUENCES.values(), ids=SEQUENCES)
def test_tool_sequence(calls: list[str], tools: list[str], code: str) -> None:
    """A subsequence: in order, each call serving once."""
    assert judged(tool_sequence(ToolSequence(tools=tools)), calls) == code


names = st.sampled_from(["a", "b", "c"])


@given(st.lists(names, max_size=6), st.lists(names, min_size=1, max_size=4))
def test_tool_graders_agree_with_each_other(calls: list[str], tools: list[str]) -> None:
    """A subsequence is a subset; what was called was not not called; every sub-list of the calls is in order."""
    sequence = judged(tool_sequence(ToolSequence(tools=tools)), calls)
    called = judged(tool_called(ToolCalled(tools=tools)), calls)
    not_called = judged(tool_not_called(ToolNotCalled(tools=tools)), calls)
    assert called == "ok" or sequence != "ok"
    assert not_called != "ok" or called != "ok"
    assert (not_called == "ok") is set(calls).isdisjoint(tools)
    for start in range(len(calls)):
        assert judged(tool_sequence(ToolSequence(tools=calls[start::2])), calls) == "ok"


ASSERTED: dict[str, tuple[Any, str, Any, str]] = {
    "object": ({"q": "owls"}, "q", "owls", "ok"),
    "text of an object": ('{"q": "owls"}', "q", "owls", "ok"),
    "text of a list": ('["owls"]', "0", "owls", "ok"),
    "list": (["owls"], "0", "owls", "ok"),
    "below": ({"a": [{"b": 1}]}, "a.0.b", 1.0, "ok"),
    "null": ({"q": None}, "q", None, "ok"),
    "nothing is not null": ({}, "q", None, "argument_mismatch"),
    "no arguments": (None, "q", None, "argument_mismatch"),
    "empty text": ("", "q", None, "argument_mismatch"),
    "broken text": ('{"q": ', "q", 1, "argument_mismatch"),
    "scalar": (5, "q", 5, "argument_mismatch"),
    "other value": ({"q": "cats"}, "q", "owls", "argument_mismatch"),
    "true is not 1": ('{"n": 1}', "n", True, "argument_mismatch"),
    "key order": ('{"f": {"b": 2, "a": 1}}', "f", {"a": 1, "b": 2}, "ok"),
    "exact integers": ('{"id": 9007199254740993}', "id", 2**53, "argument_mismatch"),
    "text inside is not parsed": ({"q": '{"a": 1}'}, "q.a", 1, "argument_mismatch"),
    "step that is no index": ({"l": [1]}, "l.-1", 1, "argument_mismatch"),
    "too deep": ("[" * 600 + "]" * 600, "0", [], "argument_mismatch"),
}


@pytest.mark.parametrize(("arguments", "path", "equals", "code"), ASSERTED.values(), ids=ASSERTED)
def test_tool_argument_assertion(arguments: Any, path: str, equals: Any, code: str) -> None:
    """Paths and equality as in json_path_assertion, in text too; one call of several is enough."""
    grade = tool_argument_assertion(ToolArgumentAssertion(tool="f", path=path, equals=equals))
    call = {"name": "f", "arguments": arguments}
    assert judged(grade, [call]) == code
    assert judged(grade, ["f", {"name": "f", "args": {"l": []}}, call, "g"]) == code
    assert judged(grade, [call | {"name": "g"}]) == "tool_missing"


def test_reasons_name_tools_of_the_options_only() -> None:
    """What the trace holds is not quoted; names and paths of the options are cut and on one line."""
    long = "t\n" + "x" * 400
    candidates: list[Any] = [
        ["secret"],
        [{"name": "secret", "arguments": {"secret": 1}}],
        [{"secret": 1}],
        [long],
        "secret",
    ]
    for grade in (
        tool_called(ToolCalled(tools=[long, "a"])),
        tool_not_called(ToolNotCalled(tools=[long])),
        tool_sequence(ToolSequence(tools=["a", long])),
        tool_argument_assertion(ToolArgumentAssertion(tool=long, path=long, equals=1)),
    ):
        for candidate in candidates:
            reason = grade(candidate, ABSENT).reason
            assert "secret" not in reason
            assert reason.isprintable()
            assert len(reason) < 450


def test_depth_is_no_danger() -> None:
    """Messages within messages are no shape of any provider and are not followed."""
    candidate: Any = {"tool_calls": ["search"]}
    for _ in range(250):
        candidate = {"messages": [candidate]}
    trace = read_trace(candidate)
    assert trace is not None
    assert trace.calls == []
