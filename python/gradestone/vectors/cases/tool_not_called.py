"""Cases of ``tool_not_called``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, fails, nest, passes

SEARCH: Final = {"name": "search", "arguments": {"q": "owls"}}
REFUND: Final = {"name": "refund", "arguments": {}}


def clean(name: str, comment: str, flags: str, candidate: Json, *tools: str) -> Case:
    """State that the tools (``refund`` if none is named) were not called."""
    return passes(name, comment, flags, {"tools": list(tools or ("refund",))}, candidate)


def called(name: str, comment: str, flags: str, candidate: Json, *tools: str) -> Case:
    """State that one of them was."""
    return fails(name, comment, flags, "tool_forbidden", {"tools": list(tools or ("refund",))}, candidate)


def unreadable(name: str, comment: str, flags: str, candidate: Json) -> Case:
    """State that an entry may be the forbidden call."""
    return fails(name, comment, flags, "unreadable_call", {"tools": ["refund"]}, candidate)


def no_trace(name: str, comment: str, flags: str, candidate: Json) -> Case:
    """State that no trace can be read."""
    return fails(name, comment, flags, "no_trace", {"tools": ["refund"]}, candidate)


CASES: Final[tuple[Case, ...]] = (
    clean("another", "Another tool was called.", "Basic", {"tool_calls": [SEARCH]}),
    called("called", "The tool was called.", "Basic", {"tool_calls": [SEARCH, REFUND]}),
    called("one_of_two", "One is enough.", "Basic", ["refund"], "delete", "refund"),
    clean("none_of_two", "None was.", "Basic", ["search"], "delete", "refund"),
    clean("empty_trace", "In an empty trace nothing was called.", "EmptyInput", {"tool_calls": []}),
    clean("empty_list", "Nor in an empty list.", "EmptyInput", []),
    clean("other_case", "Names compare exactly.", "Lowercase", ["Refund", "refund_all", " refund"]),
    # No trace.
    no_trace("empty_object", "Without a trace nothing is proved.", "MissingInput", {}),
    no_trace("other_object", "Nor by an answer.", "MissingInput", {"answer": "I called nothing."}),
    no_trace("prose", "Nor by prose.", "MissingInput", "I called nothing."),
    no_trace("text_of_a_trace", "A text is never parsed.", "MissingInput", '{"tool_calls": []}'),
    no_trace("null", "Null is no trace.", "MissingInput", None),
    no_trace("null_trace", "Nor is a key that is null.", "TraceKey", {"tool_calls": None}),
    # Unreadable entries.
    unreadable("entry_empty_object", "An object without a name.", "Unreadable", {"tool_calls": [{}]}),
    unreadable("entry_null", "A null.", "Unreadable", {"tool_calls": [SEARCH, None]}),
    unreadable("entry_number", "A number.", "Unreadable", ["search", 5]),
    unreadable("entry_list", "A list.", "Unreadable", {"tools_called": [["refund"]]}),
    unreadable(
        "entry_empty_names",
        "Names that are empty or no text.",
        "Unreadable",
        [{"name": "", "tool": None, "function": {"name": 5}, "args": {}}],
    ),
    unreadable(
        "entry_unreadable_in_message",
        "Also within a message.",
        "Unreadable Provider",
        {"messages": [{"role": "assistant", "tool_calls": [{"id": "c1"}]}]},
    ),
    unreadable("entry_empty_text", "An empty text is no name.", "Unreadable", ["search", ""]),
    unreadable(
        "list_key_text",
        "A text under tool_calls, in a message.",
        "Unreadable TraceKey",
        {"role": "assistant", "tool_calls": "refund()"},
    ),
    unreadable(
        "list_key_object",
        "An object there, beside another shape.",
        "Unreadable TraceKey",
        {"tool_calls": REFUND, "content": [{"type": "tool_use", **SEARCH}]},
    ),
    unreadable(
        "list_key_in_member",
        "What is unreadable in a member stays noted.",
        "Unreadable TraceKey",
        [{"name": "search", "tool_calls": 5}],
    ),
    no_trace("list_key_number_alone", "Alone it shows no trace.", "TraceKey", {"tool_calls": 5}),
    no_trace(
        "list_key_before_tools",
        "And it is the first key, whatever the others hold.",
        "TraceKey",
        {"tool_calls": False, "tools": [SEARCH]},
    ),
    unreadable(
        "function_call_text",
        "A function_call that is no object.",
        "Unreadable Provider Divergence",
        {"role": "assistant", "function_call": "refund"},
    ),
    no_trace("function_call_setting", "Alone it is a setting.", "Provider", {"function_call": "auto"}),
    unreadable(
        "function_call_empty",
        "An object there is an entry.",
        "Unreadable Provider Divergence",
        {"function_call": {}},
    ),
    unreadable(
        "tool_use_nameless",
        "A block of type tool_use too.",
        "Unreadable Provider Divergence",
        {"content": [{"type": "tool_use", "input": {}}]},
    ),
    unreadable(
        "number_under_tools",
        "A number beside calls under tools.",
        "Unreadable Offered",
        {"tools": [SEARCH, 5]},
    ),
    unreadable("null_under_tools", "A null.", "Unreadable Offered", {"tools": [None, SEARCH]}),
    unreadable(
        "nameless_under_tools",
        "An object without a name.",
        "Unreadable Offered",
        {"tools": [{}, SEARCH]},
    ),
    unreadable(
        "number_under_tools_in_message",
        "In a message that calls nothing.",
        "Unreadable Offered",
        {"role": "assistant", "tools": [5]},
    ),
    no_trace("number_under_tools_alone", "Alone it shows no trace.", "Offered", {"tools": [5]}),
    unreadable(
        "member_of_messages_text",
        "A member of messages that is no object.",
        "Unreadable Provider Divergence",
        {"messages": [{"role": "user"}, "refund"]},
    ),
    unreadable(
        "member_of_messages_alone", "Also alone.", "Unreadable Provider Divergence", {"messages": [None]}
    ),
    unreadable(
        "member_of_choices_text",
        "A member of choices that is no object.",
        "Unreadable Provider Divergence",
        {"choices": ["refund"]},
    ),
    unreadable(
        "message_of_choice_text",
        "Or whose message is none.",
        "Unreadable Provider Divergence",
        {"choices": [{"message": {"role": "assistant"}}, {"message": "x"}]},
    ),
    clean(
        "choice_without_message",
        "A choice without a message calls nothing.",
        "Provider Divergence",
        {"choices": [{"text": "done"}, {"message": None}]},
    ),
    clean(
        "members_of_content_no_objects",
        "Members of content that are no objects are nothing.",
        "Provider Divergence",
        {"role": "user", "content": ["refund", 5, None]},
    ),
    clean(
        "members_of_output_no_objects",
        "Nor are those of output.",
        "Provider Divergence",
        {"output": [{"role": "assistant"}, "refund", 5]},
    ),
    # Lists in which nothing counts.
    no_trace("empty_content", "Empty content proves nothing.", "Provider EmptyInput", {"content": []}),
    no_trace(
        "content_without_calls",
        "Nor do blocks of another type.",
        "Provider",
        {"content": [{"type": "text", "text": "ok"}, "x"]},
    ),
    no_trace(
        "content_of_another_type",
        "Even if one looks like a call.",
        "Provider Unreadable",
        {"content": [{"type": "server_tool_use", "name": "refund", "input": {}}]},
    ),
    no_trace("empty_choices", "Nor do empty choices.", "Provider EmptyInput", {"choices": []}),
    no_trace("empty_output", "Nor does empty output.", "Provider EmptyInput", {"output": []}),
    no_trace(
        "output_without_calls",
        "Or output without calls and messages.",
        "Provider",
        {"output": [{"type": "reasoning"}, 5]},
    ),
    no_trace("empty_messages", "Nor do empty messages.", "Provider EmptyInput", {"messages": []}),
    no_trace(
        "messages_object",
        "Nor does anything but a list.",
        "Provider",
        {"messages": {"role": "user"}, "content": "x", "choices": 1, "output": True},
    ),
    clean(
        "empty_lists_in_message",
        "In a message they call nothing.",
        "Provider EmptyInput Divergence",
        {"role": "assistant", "content": [], "choices": [], "output": [], "messages": [], "tools": []},
    ),
    clean(
        "nameless_message_in_messages",
        "Any object in messages is a message.",
        "Provider Divergence",
        {"messages": [{}]},
    ),
    unreadable(
        "member_with_empty_content",
        "A member of a list that shows nothing is an entry.",
        "Unreadable Provider",
        [{"content": []}],
    ),
    clean(
        "member_with_empty_tool_calls",
        "One that shows an empty trace is none.",
        "EmptyInput",
        [{"tool_calls": []}],
    ),
    # Null counts as absent.
    called(
        "null_arguments",
        "A name with arguments that are null is a call without arguments.",
        "Entry NullOption",
        [{"name": "refund", "arguments": None}],
    ),
    no_trace(
        "null_arguments_bare",
        "Bare, it is no call.",
        "Entry NullOption",
        {"name": "refund", "arguments": None},
    ),
    called(
        "null_definition",
        "A schema that is null defines nothing.",
        "Entry NullOption",
        [{"name": "refund", "parameters": None}],
    ),
    clean(
        "definition_with_null_arguments",
        "Nor does a null make a definition a call.",
        "Offered NullOption Divergence",
        [{"name": "refund", "parameters": {}, "arguments": None}],
    ),
    no_trace(
        "null_arguments_offered",
        "Nor an offer.",
        "Offered NullOption",
        {"tools": [{"name": "refund", "arguments": None}]},
    ),
    clean(
        "nameless_definition",
        "A definition needs no name.",
        "Offered Divergence",
        [{"parameters": {}}, {"function": {"parameters": {}}}],
    ),
    clean(
        "offered_beside_bare_call",
        "Only a call in the same list makes an offer unclear.",
        "Offered Divergence",
        {"tools": ["refund"], **SEARCH},
    ),
    # MCP.
    called(
        "mcp_without_arguments",
        "A request to call needs no arguments.",
        "Provider Divergence",
        {"method": "tools/call", "params": {"name": "refund"}},
    ),
    no_trace(
        "params_without_arguments",
        "Other params do.",
        "Provider",
        {"method": "tools/list", "params": {"name": "refund"}},
    ),
    no_trace(
        "params_with_null_arguments",
        "Which are not null.",
        "Provider NullOption",
        {"params": {"name": "refund", "arguments": None}},
    ),
    no_trace(
        "params_in_another_spelling", "And spelt so.", "Provider", {"params": {"tool": "refund", "args": {}}}
    ),
    unreadable(
        "mcp_without_name",
        "A request to call without a name cannot be read.",
        "Provider Unreadable Divergence",
        {"method": "tools/call", "params": {"arguments": {}}},
    ),
    no_trace("mcp_without_params", "One without params shows nothing.", "Provider", {"method": "tools/call"}),
    # A role beside other shapes.
    called(
        "role_and_choices",
        "A role hides no choices.",
        "Provider Divergence",
        {"role": "assistant", "choices": [{"message": {"tool_calls": ["refund"]}}]},
    ),
    called(
        "role_and_messages",
        "Nor messages.",
        "Provider Divergence",
        {"role": "assistant", "messages": [{"tool_calls": ["refund"]}]},
    ),
    called(
        "role_and_output",
        "Nor output.",
        "Provider Divergence",
        {"role": "assistant", "output": [{"type": "function_call", "name": "refund"}]},
    ),
    called(
        "role_and_params", "Nor params.", "Provider Divergence", [{"role": "assistant", "params": REFUND}]
    ),
    called(
        "role_and_call",
        "Nor that the object is a call.",
        "Provider Divergence",
        {"role": "assistant", **REFUND},
    ),
    called(
        "call_in_messages",
        "Also in messages.",
        "Provider Divergence",
        {"messages": [{"role": "assistant", **REFUND}]},
    ),
    clean(
        "messages_in_message",
        "But a message in messages holds no others.",
        "Provider Divergence",
        {
            "messages": [
                {"role": "user", "messages": [{"tool_calls": ["refund"]}], "choices": [{"message": REFUND}]}
            ]
        },
    ),
    # Every shape is seen.
    called("bare_list", "A list.", "TraceKey", [REFUND]),
    called("tools_called", "tools_called.", "TraceKey", {"tools_called": ["refund"]}),
    called("tools_with_arguments", "tools, when it shows arguments.", "TraceKey", {"tools": [REFUND]}),
    no_trace(
        "offered_nothing", "An empty list under tools proves nothing.", "Offered Divergence", {"tools": []}
    ),
    unreadable(
        "unclear_name",
        "A bare name beside calls under tools may be one.",
        "Offered",
        {"tools": [SEARCH, "refund"]},
    ),
    unreadable(
        "unclear_object",
        "So may an object without arguments.",
        "Offered",
        {"tools": [{"name": "refund"}, SEARCH]},
    ),
    clean("unclear_other", "Another name is no matter.", "Offered", {"tools": [SEARCH, "book"]}),
    clean(
        "schema_beside_calls",
        "A schema beside calls under tools is none.",
        "Offered Divergence",
        {"tools": [SEARCH, {"name": "refund", "input_schema": {}}]},
    ),
    unreadable(
        "block_of_another_type",
        "A content block of another type that looks like a call may be one.",
        "Provider Unreadable Divergence",
        {"role": "assistant", "content": [{"type": "server_tool_use", "name": "refund", "input": {}}]},
    ),
    unreadable(
        "output_of_another_type",
        "So may an output item.",
        "Provider Unreadable Divergence",
        {
            "output": [
                {"type": "function_call", **SEARCH},
                {"type": "mcp_call", "name": "refund", "arguments": "{}"},
            ]
        },
    ),
    unreadable(
        "streamed_piece",
        "A piece of a streamed message may hold a call.",
        "Provider Unreadable Divergence",
        {
            "choices": [
                {"index": 0, "delta": {"tool_calls": [{"function": {"name": "refund", "arguments": ""}}]}}
            ]
        },
    ),
    no_trace("role_null", "A role that is null is none.", "TraceKey", {"role": None, "content": "done"}),
    clean(
        "blocks_without_arguments",
        "Text and reasoning are no calls.",
        "Provider Divergence",
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "refund"}, {"type": "thinking", "name": "refund"}],
        },
    ),
    clean(
        "offered_beside_calls",
        "What was offered was not called.",
        "Offered Divergence",
        {"tools": [{"name": "refund", "input_schema": {}}], "tool_calls": [SEARCH]},
    ),
    clean(
        "definition",
        "A definition is no call, and can be read.",
        "Offered Divergence",
        {"tool_calls": [SEARCH, {"name": "refund", "parameters": {"type": "object"}}]},
    ),
    called(
        "openai_tool_call",
        "OpenAI's call.",
        "Entry",
        {
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": "{bad"}}
            ]
        },
    ),
    called(
        "openai_function_call",
        "OpenAI's older call.",
        "Provider Divergence",
        {"role": "assistant", "function_call": {"name": "refund", "arguments": "{}"}},
    ),
    called(
        "openai_completion",
        "A chat completion.",
        "Provider Divergence",
        {
            "choices": [
                {
                    "message": {
                        "role": "assistant",
                        "tool_calls": [{"function": {"name": "refund", "arguments": ""}}],
                    }
                }
            ]
        },
    ),
    called(
        "openai_responses",
        "Responses.",
        "Provider Divergence",
        {"output": [{"type": "message"}, {"type": "function_call", "name": "refund", "arguments": "{}"}]},
    ),
    called(
        "anthropic",
        "Anthropic.",
        "Provider Divergence",
        {"content": [{"type": "text", "text": "ok"}, {"type": "tool_use", "name": "refund", "input": {}}]},
    ),
    called(
        "anthropic_in_messages",
        "Anthropic in a conversation.",
        "Provider Divergence",
        {
            "messages": [
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": [{"type": "tool_use", "name": "refund", "input": {}}]},
            ]
        },
    ),
    called(
        "mcp",
        "MCP.",
        "Provider Divergence",
        {"method": "tools/call", "params": {"name": "refund", "arguments": {}}},
    ),
    called("bare_call", "One bare call.", "Provider Divergence", {"tool": "refund", "args": {}}),
    called(
        "beside_an_empty_list",
        "An empty tool_calls does not hide another shape.",
        "Provider Divergence",
        {"tool_calls": [], "content": [{"type": "tool_use", "name": "refund", "input": {}}]},
    ),
    clean(
        "message_without_calls",
        "A message that calls nothing can be read.",
        "Provider Divergence",
        {"role": "assistant", "content": "Nothing to do."},
    ),
    clean(
        "messages_without_calls",
        "So can a conversation.",
        "Provider Divergence",
        [{"role": "user", "content": "refund!"}, {"role": "assistant", "content": "No."}],
    ),
    clean(
        "completion_without_calls",
        "And a completion.",
        "Provider Divergence",
        {"choices": [{"message": {"role": "assistant", "content": "No."}}]},
    ),
    clean(
        "result_message",
        "A tool's result is no call.",
        "Provider Divergence",
        [{"role": "assistant", "tool_calls": [SEARCH]}, {"role": "tool", "name": "refund", "content": "x"}],
    ),
    # Inputs and options.
    fails(
        "no_candidate",
        "A missing trace is not a clean one.",
        "MissingInput",
        "missing_candidate",
        {"tools": ["x"]},
        ABSENT,
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"tools": ["x"]},
        nest("y", 513),
    ),
    fails("tools_missing", "The option is required.", "OptionCheck", "missing_option", {}, []),
    fails(
        "tools_empty",
        "An empty list forbids nothing and must not pass.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tools": []},
        [],
    ),
    fails("tools_text", "A text is no list.", "OptionCheck Divergence", "invalid_option", {"tools": "x"}, []),
    fails("tools_null", "Nor is null.", "NullOption", "invalid_option", {"tools": None}, []),
    fails(
        "tool_blank",
        "A blank name is refused.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tools": ["x", " "]},
        [],
    ),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"tools": ["x"], "strict": True},
        [],
    ),
)
