"""Cases of ``tool_called``, and of how a trace is read."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, fails, nest, passes

SEARCH: Final = {"name": "search", "arguments": {"q": "owls"}}


def called(name: str, comment: str, flags: str, candidate: Json, *tools: str) -> Case:
    """State that the tools (``search`` if none is named) were called."""
    return passes(name, comment, flags, {"tools": list(tools or ("search",))}, candidate)


def missing(name: str, comment: str, flags: str, candidate: Json, *tools: str) -> Case:
    """State that a trace can be read and one of the tools was not called."""
    return fails(name, comment, flags, "tool_missing", {"tools": list(tools or ("search",))}, candidate)


def no_trace(name: str, comment: str, flags: str, candidate: Json) -> Case:
    """State that no trace can be read."""
    return fails(name, comment, flags, "no_trace", {"tools": ["search"]}, candidate)


CASES: Final[tuple[Case, ...]] = (
    called("one", "The tool was called.", "Basic", {"tool_calls": [SEARCH]}),
    missing("another", "Another was.", "Basic", {"tool_calls": [{"name": "book", "arguments": {}}]}),
    called(
        "all",
        "All were called, in whatever order.",
        "Basic",
        {"tool_calls": ["book", "search"]},
        "search",
        "book",
    ),
    missing("one_of_two", "One of two is not enough.", "Basic", {"tool_calls": ["book"]}, "book", "search"),
    called("once_is_enough", "A name given twice needs one call.", "Basic", ["search"], "search", "search"),
    missing("case_counts", "Names compare exactly.", "Basic Lowercase", ["Search"]),
    missing("no_prefix", "A prefix is no name.", "Basic", ["search_web"]),
    missing("not_trimmed", "A name is not trimmed.", "Trim", ["search "]),
    called("no_break_space_name", "U+00A0 is a name: not blank.", "Whitespace", ["\u00a0"], "\u00a0"),
    missing("not_normalised", "Nor normalised.", "NoNormalisation", ["caf\u00e9"], "cafe\u0301"),
    called("surrogate_name", "A lone surrogate in a name.", "LoneSurrogate", ["\ud83d"], "\ud83d"),
    # Where the calls are.
    called("bare_list", "A list is a trace.", "TraceKey", [SEARCH]),
    called("tools_called", "tools_called holds calls.", "TraceKey", {"tools_called": ["search"]}),
    called("tools", "tools holds calls that show arguments.", "TraceKey", {"tools": [SEARCH]}),
    missing(
        "tool_calls_first",
        "tool_calls comes before tools_called.",
        "TraceKey",
        {"tools_called": ["search"], "tool_calls": ["book"]},
    ),
    missing(
        "tools_called_second",
        "And that before tools.",
        "TraceKey",
        {"tools": [SEARCH], "tools_called": ["book"]},
    ),
    missing(
        "empty_list_wins", "An empty list is present.", "TraceKey", {"tools": [SEARCH], "tool_calls": []}
    ),
    called(
        "null_counts_as_absent",
        "A null is not.",
        "TraceKey",
        {"tool_calls": None, "tools_called": None, "tools": [SEARCH]},
    ),
    missing("empty_trace", "In an empty trace nothing was called.", "EmptyInput", {"tool_calls": []}),
    missing("empty_list", "In an empty list too.", "EmptyInput", []),
    no_trace(
        "object_without_trace",
        "An object that shows no calls is no trace.",
        "MissingInput",
        {"answer": "search"},
    ),
    no_trace("empty_object", "Nor is an empty one.", "EmptyInput", {}),
    no_trace("text", "A text is never parsed.", "MissingInput", '{"tool_calls": ["search"]}'),
    no_trace("name_as_text", "Nor is it a name.", "MissingInput", "search"),
    no_trace("null", "Null is no trace.", "MissingInput", None),
    no_trace("number", "Nor is a number.", "MissingInput", 5),
    # The shapes of one call.
    called("entry_name_alone", "A text is a name.", "Entry", {"tool_calls": ["search"]}),
    called("entry_tool", "The name may be under tool.", "Entry", [{"tool": "search", "args": {}}]),
    called(
        "entry_function",
        "Or under function.",
        "Entry",
        {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}]},
    ),
    called(
        "entry_without_arguments",
        "A call needs no arguments here.",
        "Entry",
        {"tool_calls": [{"name": "search"}]},
    ),
    missing(
        "entry_name_first",
        "name comes before tool.",
        "Entry",
        [{"name": "book", "tool": "search", "args": {}}],
    ),
    missing(
        "entry_tool_second",
        "And tool before function.name.",
        "Entry",
        [{"tool": "book", "function": {"name": "search", "arguments": "{}"}}],
    ),
    called(
        "entry_empty_name",
        "An empty name is passed over.",
        "Entry",
        [{"name": "", "tool": "search", "args": {}}],
    ),
    called(
        "entry_null_name",
        "And one that is no text.",
        "Entry",
        [{"name": None, "tool": 5, "function": {"name": "search", "arguments": "{}"}}],
    ),
    called(
        "unreadable_passed_over",
        "An unreadable entry is passed over.",
        "Unreadable",
        [None, 5, {}, ["x"], "search"],
    ),
    missing(
        "only_unreadable", "So nothing is left.", "Unreadable", [None, 5, True, ["search"], {"q": "search"}]
    ),
    missing(
        "block_of_another_type",
        "A block that only looks like a call passes nothing.",
        "Provider Divergence",
        {"role": "user", "content": [{"type": "tool_result", "name": "search", "input": {}}]},
    ),
    missing(
        "unclear_name",
        "A bare name beside calls under tools passes nothing.",
        "Offered",
        {"tools": [{"name": "book", "arguments": {}}, "search"]},
    ),
    # What was offered.
    no_trace(
        "offered_name",
        "A bare name under tools was offered, and offers alone are no trace.",
        "Offered Divergence",
        {"tools": ["search"]},
    ),
    missing(
        "offered_schema",
        "A schema under tools was offered, whatever else was called.",
        "Offered Divergence",
        {
            "tools": [
                {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}},
                {"name": "book", "arguments": {}},
            ]
        },
    ),
    no_trace(
        "offered_object",
        "Nor is an object without arguments.",
        "Offered Divergence",
        {"tools": [{"name": "search"}]},
    ),
    missing(
        "offered_and_used",
        "Only what was used counts.",
        "Offered Divergence",
        {"tools": [{"name": "search", "input_schema": {}}], "tool_calls": ["book"]},
    ),
    missing(
        "definition_openai",
        "A definition is never a call.",
        "Offered Divergence",
        {"tool_calls": [{"type": "function", "function": {"name": "search", "parameters": {}}}]},
    ),
    missing(
        "definition_anthropic",
        "In no provider's shape.",
        "Offered Divergence",
        [{"name": "search", "input_schema": {"type": "object"}}],
    ),
    missing(
        "definition_mcp", "Neither in MCP's.", "Offered Divergence", [{"name": "search", "inputSchema": {}}]
    ),
    called(
        "definition_with_arguments",
        "With arguments it is a call.",
        "Offered",
        [{"name": "search", "parameters": {}, "arguments": {}}],
    ),
    called(
        "null_arguments_passed_over",
        "Arguments that are null are passed over.",
        "Entry NullOption",
        {"tools": [{"name": "search", "arguments": None, "args": {}}]},
    ),
    missing(
        "tool_calls_no_list",
        "A text under tool_calls is no list.",
        "TraceKey",
        {"role": "assistant", "tool_calls": "search"},
    ),
    no_trace(
        "tool_calls_no_list_first",
        "And hides a list under tools.",
        "TraceKey",
        {"tool_calls": "search", "tools": [SEARCH]},
    ),
    # Providers.
    called(
        "openai_function_call",
        "The older shape of OpenAI.",
        "Provider Divergence",
        {"role": "assistant", "content": None, "function_call": {"name": "search", "arguments": "{}"}},
    ),
    called(
        "openai_completion",
        "A whole chat completion.",
        "Provider Divergence",
        {
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "tool_calls": [
                            {
                                "id": "c1",
                                "type": "function",
                                "function": {"name": "search", "arguments": "{}"},
                            }
                        ],
                    }
                }
            ]
        },
    ),
    called(
        "openai_second_choice",
        "Every choice is read.",
        "Provider Divergence",
        {
            "choices": [
                {"message": {"role": "assistant", "content": "no"}},
                {"message": {"tool_calls": ["search"]}},
            ]
        },
    ),
    called(
        "openai_responses",
        "The Responses shape.",
        "Provider Divergence",
        {"output": [{"type": "reasoning"}, {"type": "function_call", "name": "search", "arguments": "{}"}]},
    ),
    called(
        "anthropic_message",
        "Anthropic's content blocks.",
        "Provider Divergence",
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "ok"},
                {"type": "tool_use", "id": "t1", "name": "search", "input": {}},
            ],
        },
    ),
    missing(
        "anthropic_other_blocks",
        "Of those only tool_use is a call.",
        "Provider",
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "search"}]},
    ),
    called(
        "messages",
        "A conversation.",
        "Provider Divergence",
        {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "tool_calls": [SEARCH]}]},
    ),
    called(
        "list_of_messages",
        "A bare list of messages.",
        "Provider Divergence",
        [{"role": "user", "content": "hi"}, {"role": "assistant", "tool_calls": [SEARCH]}],
    ),
    called(
        "list_of_anthropic_messages",
        "In Anthropic's shape.",
        "Provider Divergence",
        [{"role": "assistant", "content": [{"type": "tool_use", "name": "search", "input": {}}]}],
    ),
    called(
        "list_of_blocks",
        "A bare list of blocks.",
        "Provider Divergence",
        [{"type": "tool_use", "id": "t1", "name": "search", "input": {}}],
    ),
    called(
        "mcp_request",
        "A request of MCP.",
        "Provider Divergence",
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"q": "x"}},
        },
    ),
    called(
        "mcp_without_arguments",
        "Without arguments too.",
        "Provider Divergence",
        {"method": "tools/call", "params": {"name": "search"}},
    ),
    no_trace(
        "params_without_arguments",
        "Which other params must have.",
        "Provider",
        {"params": {"name": "search"}},
    ),
    called("bare_call", "One bare call.", "Provider Divergence", SEARCH),
    called(
        "bare_tool_use",
        "One bare block.",
        "Provider Divergence",
        {"type": "tool_use", "name": "search", "input": {}},
    ),
    missing(
        "message_without_calls",
        "A message that calls nothing can be read.",
        "Provider Divergence",
        {"role": "assistant", "content": "I searched."},
    ),
    missing(
        "result_message",
        "The name in a tool's result is no call.",
        "Provider Divergence",
        [{"role": "user", "content": "hi"}, {"role": "tool", "name": "search", "content": "found"}],
    ),
    called(
        "several_shapes",
        "All shapes that are present are read.",
        "Provider Divergence",
        {"tool_calls": ["book"], "function_call": {"name": "search", "arguments": "{}"}},
        "book",
        "search",
    ),
    called(
        "role_and_other_shapes",
        "A role hides none of them.",
        "Provider Divergence",
        {
            "role": "assistant",
            "content": "ok",
            "output": [{"type": "function_call", "name": "search", "arguments": "{}"}],
        },
    ),
    missing(
        "choices_without_calls",
        "Choices that are there can be read.",
        "Provider Divergence",
        {"choices": [{}]},
    ),
    no_trace("choices_empty", "Empty ones cannot.", "Provider EmptyInput", {"choices": []}),
    no_trace(
        "content_without_calls",
        "Nor can content that calls nothing.",
        "Provider",
        {"content": [{"type": "text", "text": "x"}]},
    ),
    # Inputs and options.
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"tools": ["x"]},
        nest("x", 513),
    ),
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"tools": ["x"]},
        ABSENT,
    ),
    fails("tools_missing", "The option is required.", "OptionCheck", "missing_option", {}, ["x"]),
    fails(
        "tools_empty",
        "An empty list asks for nothing and must not pass.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tools": []},
        ["x"],
    ),
    fails(
        "tools_text", "A text is no list.", "OptionCheck Divergence", "invalid_option", {"tools": "x"}, ["x"]
    ),
    fails("tools_null", "Nor is null.", "NullOption", "invalid_option", {"tools": None}, ["x"]),
    fails(
        "tool_empty",
        "An empty name is refused.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tools": ["x", ""]},
        ["x"],
    ),
    fails(
        "tool_blank",
        "So is a blank one.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tools": [" "]},
        [" "],
    ),
    fails("tool_number", "And a number.", "OptionCheck Divergence", "invalid_option", {"tools": [5]}, ["5"]),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"tools": ["x"], "tool": "x"},
        ["x"],
    ),
)
