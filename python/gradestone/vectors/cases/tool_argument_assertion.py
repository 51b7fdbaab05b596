"""Cases of ``tool_argument_assertion``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, fails, nest, passes


def carries(name: str, comment: str, flags: str, path: str, equals: Json, candidate: Json) -> Case:
    """State that some call to ``s`` carries the argument."""
    return passes(name, comment, flags, {"tool": "s", "path": path, "equals": equals}, candidate)


def lacks(name: str, comment: str, flags: str, path: str, equals: Json, candidate: Json) -> Case:
    """State that there is a call to ``s``, but none that carries it."""
    return fails(
        name, comment, flags, "argument_mismatch", {"tool": "s", "path": path, "equals": equals}, candidate
    )


def call(arguments: Json) -> list[Json]:
    """Return a trace with one call to ``s``."""
    return [{"name": "s", "arguments": arguments}]


CASES: Final[tuple[Case, ...]] = (
    carries("equal", "The argument is there.", "Basic", "q", "owls", call({"q": "owls"})),
    lacks("another_value", "With another value.", "Basic", "q", "owls", call({"q": "cats"})),
    lacks("another_key", "Or not at all.", "Basic", "q", "owls", call({"r": "owls"})),
    fails(
        "another_tool",
        "Only calls to the tool count.",
        "Basic",
        "tool_missing",
        {"tool": "s", "path": "q", "equals": 1},
        [{"name": "t", "arguments": {"q": 1}}],
    ),
    carries("some_call", "Some call is enough.", "Basic", "q", 2, [*call({"q": 1}), "x", *call({"q": 2})]),
    lacks(
        "across_calls",
        "But one call must carry it.",
        "Basic",
        "q",
        2,
        [*call({"q": 1}), {"name": "t", "arguments": {"q": 2}}],
    ),
    carries(
        "deep_path", "A path into the arguments.", "PathStep", "a.1.b", True, call({"a": [0, {"b": True}]})
    ),
    carries("list_of_arguments", "Arguments may be a list.", "PathStep", "0", "owls", call(["owls"])),
    # Where the arguments are.
    carries("arguments_text", "Arguments in a text are parsed.", "Entry JsonParse", "q", 1, call('{"q": 1}')),
    carries("arguments_text_list", "Also a list.", "Entry JsonParse", "1", 2, call("[1,2]")),
    lacks("arguments_text_truncated", "If they are JSON.", "Entry JsonParse", "q", 1, call('{"q": 1')),
    lacks(
        "arguments_text_empty",
        "An empty text is none, and holds no null.",
        "Entry JsonParse",
        "q",
        None,
        call(""),
    ),
    lacks("arguments_text_nan", "NaN is none.", "Entry JsonParse", "q", 1, call('{"q": 1, "r": NaN}')),
    lacks(
        "inner_text_not_parsed",
        "A text inside is not parsed.",
        "Entry JsonParse",
        "q.r",
        1,
        call({"q": '{"r": 1}'}),
    ),
    carries("args", "args.", "Entry", "q", 1, [{"tool": "s", "args": {"q": 1}}]),
    carries(
        "function_arguments",
        "function.arguments.",
        "Entry",
        "q",
        1,
        [{"type": "function", "function": {"name": "s", "arguments": '{"q": 1}'}}],
    ),
    carries("input", "input.", "Entry", "q", 1, [{"type": "tool_use", "name": "s", "input": {"q": 1}}]),
    lacks(
        "arguments_first",
        "arguments comes before args.",
        "Entry",
        "q",
        1,
        [{"name": "s", "args": {"q": 1}, "arguments": {"q": 2}}],
    ),
    lacks(
        "args_second",
        "args before function.arguments.",
        "Entry",
        "q",
        1,
        [{"name": "s", "function": {"arguments": {"q": 1}}, "args": {"q": 2}}],
    ),
    lacks(
        "function_arguments_third",
        "And that before input.",
        "Entry",
        "q",
        1,
        [{"name": "s", "input": {"q": 1}, "function": {"arguments": {"q": 2}}}],
    ),
    lacks("no_arguments", "A call without arguments carries none.", "Entry", "q", None, ["s", {"name": "s"}]),
    lacks(
        "beside_the_call",
        "Members beside the arguments are none.",
        "Entry",
        "q",
        1,
        [{"name": "s", "q": 1, "arguments": {}}],
    ),
    # Paths.
    lacks("absent_is_not_null", "Absence is not null.", "NullOption", "q", None, call({})),
    carries("null_argument", "Null is.", "NullOption", "q", None, call({"q": None})),
    carries("key_with_digits", "On an object a number is a key.", "PathStep", "0", 1, call({"0": 1})),
    lacks("inherited", "Inherited names are absent.", "OwnKeys", "constructor.name", "Object", call({})),
    lacks("past_the_end", "Past the end of a list.", "PathStep", "q.2", 1, call({"q": [0, 1]})),
    fails(
        "bad_step",
        "A step on a list that looks like a number but is no index.",
        "PathStep",
        "argument_mismatch",
        {"tool": "s", "path": "q.-1", "equals": 1},
        call({"q": [0, 1]}),
    ),
    fails(
        "leading_zero",
        "A leading zero too.",
        "PathStep",
        "argument_mismatch",
        {"tool": "s", "path": "q.01", "equals": 1},
        call({"q": [0, 1]}),
    ),
    carries("negative_key", "On an object -1 is a key.", "PathStep", "q.-1", 1, call({"q": {"-1": 1}})),
    # Equality.
    lacks("boolean_is_not_one", "1 is not true.", "Equality BoolIsNoNumber", "q", True, call({"q": 1})),
    lacks("text_is_no_number", "Nor a text a number.", "Equality", "q", 1, call({"q": "1"})),
    carries("integer_equals_double", "1 equals 1.0.", "Equality NumberText", "q", 1, call('{"q": 1.0}')),
    lacks(
        "big_integers",
        "Integers are exact, in a text too.",
        "BigInteger Divergence",
        "q",
        9007199254740992,
        call('{"q": 9007199254740993}'),
    ),
    carries(
        "big_integer",
        "And equal themselves.",
        "BigInteger",
        "q",
        9007199254740993,
        call('{"q": 9007199254740993}'),
    ),
    carries(
        "key_order",
        "Key order does not matter.",
        "Equality KeyOrder",
        "q",
        {"a": 1, "b": 2},
        call('{"q": {"b": 2, "a": 1}}'),
    ),
    lacks("list_order", "The order of a list does.", "Equality", "q", [1, 2], call({"q": [2, 1]})),
    lacks("case_of_text", "So does case.", "Equality Lowercase", "q", "owls", call({"q": "Owls"})),
    carries(
        "surrogate",
        "A lone surrogate equals itself.",
        "LoneSurrogate",
        "q",
        "\ud83d",
        call('{"q": "\\ud83d"}'),
    ),
    lacks("surrogate_differs", "But no other.", "LoneSurrogate", "q", "\ud83d", call({"q": "\ud83e"})),
    carries(
        "arguments_null_then_args",
        "Arguments that are null count as absent.",
        "Entry NullOption",
        "q",
        1,
        [{"name": "s", "arguments": None, "args": {"q": 1}}],
    ),
    lacks("arguments_null", "And have no paths.", "Entry NullOption", "q", None, call(None)),
    # Traces.
    carries("tool_calls", "Calls under tool_calls.", "TraceKey", "q", 1, {"tool_calls": call({"q": 1})}),
    carries(
        "offered_and_called",
        "Under tools, calls that show arguments.",
        "Offered Divergence",
        "q",
        1,
        {"tools": ["s", *call({"q": 1})]},
    ),
    fails(
        "only_offered",
        "A definition has no arguments.",
        "Offered Divergence",
        "tool_missing",
        {"tool": "s", "path": "q", "equals": 1},
        {"tool_calls": [{"name": "s", "parameters": {"q": 1}}]},
    ),
    carries(
        "anthropic",
        "Anthropic's input.",
        "Provider Divergence",
        "q",
        1,
        {"role": "assistant", "content": [{"type": "tool_use", "name": "s", "input": {"q": 1}}]},
    ),
    carries(
        "openai_completion",
        "OpenAI's chat completion.",
        "Provider Divergence",
        "q",
        1,
        {"choices": [{"message": {"tool_calls": [{"function": {"name": "s", "arguments": '{"q": 1}'}}]}}]},
    ),
    carries(
        "openai_responses",
        "OpenAI's Responses.",
        "Provider Divergence",
        "q",
        1,
        {"output": [{"type": "function_call", "name": "s", "arguments": '{"q": 1}'}]},
    ),
    carries(
        "openai_function_call",
        "OpenAI's older call.",
        "Provider Divergence",
        "q",
        1,
        {"role": "assistant", "function_call": {"name": "s", "arguments": '{"q": 1}'}},
    ),
    carries(
        "mcp",
        "MCP's params.",
        "Provider Divergence",
        "q",
        1,
        {"method": "tools/call", "params": {"name": "s", "arguments": {"q": 1}}},
    ),
    carries(
        "bare_call", "One bare call.", "Provider Divergence", "q", 1, {"name": "s", "arguments": {"q": 1}}
    ),
    fails(
        "no_trace", "No trace.", "MissingInput", "no_trace", {"tool": "s", "path": "q", "equals": 1}, {"q": 1}
    ),
    fails(
        "text",
        "A text is never parsed.",
        "MissingInput",
        "no_trace",
        {"tool": "s", "path": "q", "equals": 1},
        '[{"name": "s", "arguments": {"q": 1}}]',
    ),
    fails(
        "empty_trace",
        "An empty trace has no call.",
        "EmptyInput",
        "tool_missing",
        {"tool": "s", "path": "q", "equals": 1},
        [],
    ),
    # Inputs and options.
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"tool": "s", "path": "q", "equals": None},
        ABSENT,
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"tool": "s", "path": "q", "equals": 1},
        nest(1, 513),
    ),
    fails(
        "tool_missing_option",
        "tool is required.",
        "OptionCheck",
        "missing_option",
        {"path": "q", "equals": 1},
        [],
    ),
    fails(
        "path_missing", "path is required.", "OptionCheck", "missing_option", {"tool": "s", "equals": 1}, []
    ),
    fails(
        "equals_missing",
        "equals is required: absent is not null.",
        "NullOption",
        "missing_option",
        {"tool": "s", "path": "q"},
        call({"q": None}),
    ),
    fails(
        "tool_blank",
        "A blank tool is refused.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tool": " ", "path": "q", "equals": 1},
        [],
    ),
    fails(
        "path_empty",
        "An empty path is refused.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tool": "s", "path": "", "equals": 1},
        call({"": 1}),
    ),
    fails(
        "path_null",
        "Null is no path.",
        "NullOption",
        "invalid_option",
        {"tool": "s", "path": None, "equals": 1},
        [],
    ),
    fails(
        "equals_depth_513",
        "513 levels are refused in an option too.",
        "NotJsonValue",
        "invalid_option",
        {"tool": "s", "path": "q", "equals": nest(1, 513)},
        [],
    ),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"tool": "s", "path": "q", "equals": 1, "exists": True},
        call({"q": 1}),
    ),
)
