"""Cases of ``tool_sequence``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, fails, nest, passes


def in_order(name: str, comment: str, flags: str, tools: list[str], candidate: Json) -> Case:
    """State that the tools are a subsequence of the calls."""
    return passes(name, comment, flags, {"tools": tools}, candidate)


def out_of_order(name: str, comment: str, flags: str, tools: list[str], candidate: Json) -> Case:
    """State that they are not."""
    return fails(name, comment, flags, "tool_order", {"tools": tools}, candidate)


CASES: Final[tuple[Case, ...]] = (
    in_order("exact", "The calls in order.", "Basic", ["a", "b"], ["a", "b"]),
    out_of_order("reversed", "The other way round.", "Basic", ["a", "b"], ["b", "a"]),
    in_order("single", "A sequence of one.", "Basic", ["a"], ["b", "a"]),
    out_of_order("never_called", "One that was never called.", "Basic", ["a", "c"], ["a", "b"]),
    in_order("calls_between", "Other calls may lie between.", "Sequence", ["a", "c"], ["a", "b", "b", "c"]),
    in_order("calls_around", "And around.", "Sequence", ["a", "b"], ["x", "a", "b", "x"]),
    in_order("repeated", "A name given twice needs two calls.", "Sequence", ["a", "b", "a"], ["a", "b", "a"]),
    out_of_order(
        "one_call_serves_once", "One call does not serve twice.", "Sequence", ["a", "a"], ["a", "b"]
    ),
    out_of_order(
        "second_comes_too_early",
        "The second a stands before the b.",
        "Sequence",
        ["a", "b", "a"],
        ["a", "a", "b"],
    ),
    in_order(
        "first_place_is_taken",
        "The first a serves, so that the b behind it is found.",
        "Sequence",
        ["a", "b"],
        ["a", "b", "a"],
    ),
    in_order(
        "false_start", "A false start is no miss.", "Sequence", ["a", "a", "b"], ["a", "c", "a", "c", "b"]
    ),
    out_of_order(
        "sequence_longer_than_trace", "More tools than calls.", "Sequence", ["a", "b", "c"], ["a", "b"]
    ),
    out_of_order("last_missing", "The last one is missing.", "Sequence", ["a", "b", "c"], ["a", "b", "b"]),
    out_of_order("case_counts", "Names compare exactly.", "Lowercase", ["a"], ["A"]),
    out_of_order(
        "empty_trace", "In an empty trace nothing was called.", "EmptyInput", ["a"], {"tool_calls": []}
    ),
    in_order(
        "unreadable_passed_over",
        "Unreadable entries are passed over.",
        "Unreadable",
        ["a", "b"],
        {"tool_calls": ["a", None, {}, 5, "b"]},
    ),
    in_order(
        "shapes_of_entries",
        "Entries may have different shapes.",
        "Entry",
        ["a", "b", "c", "d"],
        [
            "a",
            {"tool": "b", "args": {}},
            {"function": {"name": "c", "arguments": "{}"}},
            {"name": "d", "input": {}},
        ],
    ),
    out_of_order(
        "offered",
        "What was offered has no order.",
        "Offered Divergence",
        ["a", "b"],
        {"tools": ["a", "b", {"name": "b", "args": {}}]},
    ),
    in_order(
        "definitions_skipped",
        "A definition is no call.",
        "Offered Divergence",
        ["b"],
        [{"name": "a", "parameters": {}}, "b"],
    ),
    out_of_order(
        "definition_not_in_order",
        "So it does not serve.",
        "Offered Divergence",
        ["a", "b"],
        [{"name": "a", "parameters": {}}, "b"],
    ),
    in_order(
        "across_messages",
        "The order of a conversation.",
        "Provider Divergence",
        ["a", "b", "c"],
        [
            {"role": "assistant", "tool_calls": ["a"]},
            {"role": "tool", "name": "c", "content": "x"},
            {"role": "assistant", "content": [{"type": "tool_use", "name": "b", "input": {}}]},
            {"role": "assistant", "function_call": {"name": "c", "arguments": "{}"}},
        ],
    ),
    out_of_order(
        "across_messages_reversed",
        "Not the other way round.",
        "Provider Divergence",
        ["b", "a"],
        {
            "messages": [
                {"role": "assistant", "tool_calls": ["a"]},
                {"role": "assistant", "tool_calls": ["b"]},
            ]
        },
    ),
    in_order(
        "order_of_shapes",
        "Shapes have a fixed order, whatever the order of the keys.",
        "Provider Divergence",
        ["a", "b", "c", "d", "e", "f"],
        {
            "params": {"name": "f", "arguments": {}},
            "messages": [{"role": "assistant", "tool_calls": ["e2", "e"]}],
            "output": [
                {"type": "function_call", "name": "d2", "arguments": "{}"},
                {"type": "function_call", "name": "d", "arguments": "{}"},
            ],
            "choices": [{"message": {"role": "assistant", "tool_calls": ["c"]}}],
            "content": [{"type": "tool_use", "name": "b", "input": {}}],
            "function_call": {"name": "a2", "arguments": "{}"},
            "tool_calls": ["a"],
        },
    ),
    out_of_order(
        "function_call_behind_tool_calls",
        "function_call comes behind tool_calls.",
        "Provider Divergence",
        ["b", "a"],
        {"function_call": {"name": "b", "arguments": "{}"}, "tool_calls": ["a"]},
    ),
    out_of_order(
        "content_behind_function_call",
        "content comes behind function_call.",
        "Provider Divergence",
        ["b", "a"],
        {
            "content": [{"type": "tool_use", "name": "b", "input": {}}],
            "function_call": {"name": "a", "arguments": "{}"},
        },
    ),
    out_of_order(
        "output_behind_choices",
        "output comes behind choices.",
        "Provider Divergence",
        ["b", "a"],
        {
            "output": [{"type": "function_call", "name": "b", "arguments": "{}"}],
            "choices": [{"message": {"tool_calls": ["a"]}}],
        },
    ),
    out_of_order(
        "choices_behind_content",
        "choices comes behind content.",
        "Provider Divergence",
        ["b", "a"],
        {
            "choices": [{"message": {"tool_calls": ["b"]}}],
            "content": [{"type": "tool_use", "name": "a", "input": {}}],
        },
    ),
    out_of_order(
        "messages_behind_output",
        "messages comes behind output.",
        "Provider Divergence",
        ["b", "a"],
        {
            "messages": [{"role": "assistant", "tool_calls": ["b"]}],
            "output": [{"type": "function_call", "name": "a", "arguments": "{}"}],
        },
    ),
    out_of_order(
        "params_behind_messages",
        "params comes behind messages.",
        "Provider Divergence",
        ["b", "a"],
        {"params": {"name": "b", "arguments": {}}, "messages": [{"role": "assistant", "tool_calls": ["a"]}]},
    ),
    # Inputs and options.
    fails(
        "no_trace",
        "Without a trace there is no order.",
        "MissingInput",
        "no_trace",
        {"tools": ["a"]},
        {"steps": ["a"]},
    ),
    fails("text", "A text is never parsed.", "MissingInput", "no_trace", {"tools": ["a"]}, '["a"]'),
    fails("null", "Null is no trace.", "MissingInput", "no_trace", {"tools": ["a"]}, None),
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"tools": ["a"]},
        ABSENT,
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"tools": ["a"]},
        nest("a", 513),
    ),
    fails("tools_missing", "The option is required.", "OptionCheck", "missing_option", {}, ["a"]),
    fails(
        "tools_empty",
        "An empty sequence is in everything and must not pass.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tools": []},
        ["a"],
    ),
    fails("tools_null", "Null is no list.", "NullOption", "invalid_option", {"tools": None}, ["a"]),
    fails(
        "tool_blank",
        "A blank name is refused.",
        "OptionCheck Divergence",
        "invalid_option",
        {"tools": ["a", ""]},
        ["a"],
    ),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"tools": ["a"], "ordered": True},
        ["a"],
    ),
)
