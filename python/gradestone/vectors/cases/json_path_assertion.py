"""Cases of ``json_path_assertion``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, concat, fails, nest, passes, repeat

ITEMS: Final = {"items": ["first", "second"]}


def lacks(name: str, comment: str, flags: str, path: str, candidate: Json) -> Case:
    """State that the path leads nowhere."""
    return fails(name, comment, flags, "path_not_found", {"path": path, "exists": True}, candidate)


def has(name: str, comment: str, flags: str, path: str, candidate: Json) -> Case:
    """State that it leads somewhere."""
    return passes(name, comment, flags, {"path": path}, candidate)


def bad_step(name: str, comment: str, flags: str, path: str, **options: Json) -> Case:
    """State that a step on a list looks like a number but is no index."""
    return fails(name, comment, flags, "path_step_invalid", {"path": path, **options}, ITEMS)


def equal(name: str, comment: str, flags: str, wanted: Json, value: Json) -> Case:
    """State that two values are equal."""
    return passes(name, comment, flags, {"path": "v", "equals": wanted}, {"v": value})


def unequal(name: str, comment: str, flags: str, wanted: Json, value: Json) -> Case:
    """State that they are not."""
    return fails(name, comment, flags, "value_mismatch", {"path": "v", "equals": wanted}, {"v": value})


CASES: Final[tuple[Case, ...]] = (
    passes("equals", "A value at a path.", "Basic", {"path": "a.b", "equals": 1}, {"a": {"b": 1}}),
    fails(
        "differs", "Another value.", "Basic", "value_mismatch", {"path": "a.b", "equals": 2}, {"a": {"b": 1}}
    ),
    fails(
        "not_found", "No such path.", "Basic", "path_not_found", {"path": "a.c", "equals": 1}, {"a": {"b": 1}}
    ),
    has("found", "Without equals it is enough that it is there.", "Basic", "a.b", {"a": {"b": None}}),
    passes("exists", "exists: true.", "Basic", {"path": "a", "exists": True}, {"a": None}),
    passes("exists_not", "exists: false.", "Basic", {"path": "b", "exists": False}, {"a": 1}),
    fails(
        "exists_not_found",
        "It is there after all, even with null.",
        "Basic",
        "path_found",
        {"path": "a", "exists": False},
        {"a": None},
    ),
    passes(
        "exists_beats_equals",
        "With exists, equals is ignored.",
        "Precedence",
        {"path": "a", "exists": True, "equals": 2},
        {"a": 1},
    ),
    fails(
        "exists_false_beats_equals",
        "With exists: false too.",
        "Precedence",
        "path_found",
        {"path": "a", "exists": False, "equals": 2},
        {"a": 1},
    ),
    # Text candidates.
    passes(
        "text_parsed",
        "A text that is JSON is parsed.",
        "JsonParse",
        {"path": "a.0", "equals": True},
        '{"a": [true]}',
    ),
    lacks("text_not_json", "A text that is none is a scalar.", "JsonParse", "a", "a"),
    lacks("text_nan", "NaN makes it none.", "JsonParse", "a", '{"a": NaN}'),
    lacks("text_single_quotes", "So do single quotes.", "JsonParse", "a", "{'a': 1}"),
    lacks(
        "text_number_too_large",
        "And a number beyond the double range.",
        "JsonParse NumberText",
        "a",
        '{"a": 1e999}',
    ),
    lacks(
        "text_twice_encoded",
        "JSON within a JSON string is not parsed again.",
        "JsonParse",
        "a",
        '"{\\"a\\": 1}"',
    ),
    passes(
        "inner_text_not_parsed",
        "Nor is a string inside.",
        "JsonParse",
        {"path": "a.b", "exists": False},
        {"a": '{"b": 1}'},
    ),
    passes(
        "last_key_wins",
        "Of a repeated key the last counts.",
        "JsonParse",
        {"path": "a", "equals": 2},
        '{"a":1,"a":2}',
    ),
    fails(
        "exists_not_in_prose",
        "Prose has no paths to look into.",
        "JsonParse Divergence",
        "not_json",
        {"path": "error", "exists": False},
        "all is well",
    ),
    fails(
        "exists_not_in_empty_text",
        "Nor has an empty text.",
        "EmptyInput Divergence",
        "not_json",
        {"path": "error", "exists": False},
        "",
    ),
    fails(
        "exists_not_in_null",
        "Nor has null.",
        "EmptyInput Divergence",
        "not_json",
        {"path": "error", "exists": False},
        None,
    ),
    passes(
        "exists_not_in_null_text",
        "The text null is JSON, in which nothing is found.",
        "JsonParse",
        {"path": "error", "exists": False},
        "null",
    ),
    passes(
        "exists_not_in_scalar",
        "A scalar is a value, in which nothing is found.",
        "PathStep",
        {"path": "error", "exists": False},
        5,
    ),
    passes(
        "exists_not_in_string",
        "So is a JSON string.",
        "JsonParse",
        {"path": "error", "exists": False},
        '"error"',
    ),
    lacks("null_candidate", "In null nothing is found.", "PathStep", "a", None),
    # Steps on objects.
    has("empty_key", "The empty text is a key like any other.", "PathStep", "a..b", {"a": {"": {"b": 1}}}),
    lacks("empty_key_absent", "If it is there.", "PathStep", "a.", {"a": {"b": 1}}),
    has("leading_dot", "Also at the start.", "PathStep", ".a", {"": {"a": 1}}),
    lacks("key_with_dot", "A dot always separates.", "PathStep", "a.b", {"a.b": 1}),
    has("key_with_spaces", "Steps are not trimmed.", "PathStep Trim", " a ", {" a ": 1}),
    lacks("key_trimmed", "Not at all.", "PathStep Trim", " a", {"a": 1}),
    lacks("key_case", "Case counts.", "PathStep Lowercase", "A", {"a": 1}),
    has("number_key", "On an object a number is a key.", "PathStep", "a.0", {"a": {"0": "x"}}),
    has("negative_key", "So is -1.", "PathStep", "a.-1", {"a": {"-1": "x"}}),
    has("surrogate_key", "So is a lone surrogate.", "LoneSurrogate", "\ud83d", {"\ud83d": 1}),
    lacks(
        "surrogate_key_differs",
        "And no part of an astral one.",
        "LoneSurrogate Astral",
        "\ud83d",
        {"\U0001f600": 1},
    ),
    lacks("inherited_proto", "Inherited names are absent.", "OwnKeys", "__proto__", {}),
    lacks("inherited_constructor", "All of them.", "OwnKeys", "a.constructor", {"a": {}}),
    lacks(
        "inherited_method", "A method of the host's own objects is no key.", "OwnKeys", "items", {"keys": 1}
    ),
    has("own_proto", "Unless they are given.", "OwnKeys", "__proto__.x", '{"__proto__": {"x": 1}}'),
    # Steps on arrays.
    passes("index", "An index.", "PathStep", {"path": "items.1", "equals": "second"}, ITEMS),
    passes("index_zero", "The first.", "PathStep", {"path": "items.0", "equals": "first"}, ITEMS),
    lacks("index_past_end", "Past the end.", "PathStep", "items.2", ITEMS),
    lacks("index_far_past_end", "Far past it.", "PathStep BigInteger", "items.18446744073709551616", ITEMS),
    has("index_on_top", "A list may be on top.", "PathStep", "2.a", [0, 1, {"a": 1}]),
    lacks("length", "A list has no members by name.", "PathStep OwnKeys", "items.length", ITEMS),
    lacks("empty_step", "An empty step is no index.", "PathStep", "items.", ITEMS),
    lacks("digits_beyond_ascii", "Digits are ASCII.", "PathStep", "items.\u0661", ITEMS),
    lacks("digit_beyond_ascii_behind_a_digit", "All of them.", "PathStep", "1\u0660", repeat([0], 11)),
    lacks("superscript", "Superscripts too are none.", "PathStep", "items.\u00b9", ITEMS),
    lacks("word_step", "Nor is a word.", "PathStep", "items.first", ITEMS),
    bad_step("negative_index", "A negative index is a mistake, not an absence.", "PathStep", "items.-1"),
    bad_step("negative_zero", "So is -0.", "PathStep", "items.-0"),
    bad_step("plus_sign", "And +1.", "PathStep", "items.+1"),
    bad_step("leading_zero", "And 01.", "PathStep", "items.01"),
    bad_step("hexadecimal", "And 0x1.", "PathStep", "items.0x1"),
    bad_step("exponent", "And 1e0.", "PathStep", "items.1e0"),
    bad_step("leading_space", "And a number with a space.", "PathStep Whitespace", "items. 1"),
    bad_step("octal", "And 0o1.", "PathStep", "items.0o1"),
    bad_step("binary", "And 0B1.", "PathStep", "items.0B1"),
    bad_step("infinity", "And -Infinity, which a reader may take for one.", "PathStep", "items.-Infinity"),
    bad_step("beyond_double", "And 1e400, which is as much.", "PathStep", "items.1e400"),
    bad_step(
        "leading_no_break_space",
        "Round a number all that ECMAScript trims is dropped.",
        "PathStep Trim",
        "items.\u00a01\ufeff",
    ),
    lacks("leading_next_line", "Which U+0085 is not.", "PathStep Trim", "items.\u00851", ITEMS),
    lacks("nan_step", "NaN is a word.", "PathStep", "items.NaN", ITEMS),
    lacks("negative_hexadecimal", "So is -0x1.", "PathStep", "items.-0x1", ITEMS),
    lacks("number_with_underscore", "And 1_0.", "PathStep", "items.1_0", ITEMS),
    bad_step("with_exists", "With exists: true.", "PathStep", "items.-1", exists=True),
    bad_step(
        "with_exists_not",
        "And with exists: false, where it would pass.",
        "PathStep",
        "items.-1",
        exists=False,
    ),
    bad_step("before_the_end", "Wherever in the path.", "PathStep", "items.01.x", equals=1),
    passes(
        "looks_bad_but_not_reached",
        "A step that is never taken is not judged.",
        "PathStep",
        {"path": "none.-1", "exists": False},
        ITEMS,
    ),
    lacks("on_a_string", "A string has no members.", "PathStep", "s.0", {"s": "text"}),
    lacks("on_a_number", "Nor has a number.", "PathStep", "s.0", {"s": 5}),
    lacks("on_null", "Nor null.", "PathStep", "s.a", {"s": None}),
    lacks("bad_step_on_a_string", "On a scalar nothing is a bad step.", "PathStep", "s.-1", {"s": "text"}),
    # Equality.
    equal("null_equals_null", "Null is a value to compare with.", "NullOption", None, None),
    fails(
        "null_not_absent",
        "Absence is not null.",
        "NullOption",
        "path_not_found",
        {"path": "v", "equals": None},
        {},
    ),
    unequal("null_not_false", "Null is not false.", "Equality", None, False),
    unequal("number_not_text", "5 is not its text.", "Equality", 5, "5"),
    unequal("true_not_one", "true is not 1.", "Equality BoolIsNoNumber", 1, True),
    unequal("false_not_zero", "false is not 0.", "Equality BoolIsNoNumber", False, 0),
    unequal("nested_true_not_one", "Nor inside.", "Equality BoolIsNoNumber", [[True]], [[1]]),
    equal("integer_equals_double", "1 equals 1.0.", "Equality NumberText", 1, 1.0),
    equal("nested_integer_equals_double", "Also inside.", "Equality NumberText", {"a": [1]}, {"a": [1.0]}),
    equal("zero_equals_minus_zero", "0 equals -0.0.", "Equality NumberText", 0, -0.0),
    unequal(
        "big_integers", "Integers are exact.", "BigInteger Divergence", 9007199254740992, 9007199254740993
    ),
    unequal(
        "big_integer_and_double",
        "An integer and the double nearest to it are not equal.",
        "BigInteger",
        9007199254740992.0,
        9007199254740993,
    ),
    equal("very_big_integer", "Of any size.", "BigInteger", 10**30, 10**30),
    unequal("very_big_integers", "They are never rounded.", "BigInteger", 10**30, 10**30 + 1),
    passes(
        "big_integer_in_text",
        "Nor are those in a text.",
        "BigInteger JsonParse",
        {"path": "id", "equals": 12345678901234567891},
        '{"id": 12345678901234567891}',
    ),
    equal(
        "key_order",
        "Key order does not matter.",
        "Equality KeyOrder",
        {"a": 1, "b": {"c": 2, "d": 3}},
        {"b": {"d": 3, "c": 2}, "a": 1},
    ),
    unequal("extra_key", "An extra key does.", "Equality", {"a": 1}, {"a": 1, "b": None}),
    unequal("missing_key", "So does a missing one.", "Equality", {"a": 1, "b": None}, {"a": 1}),
    unequal("list_order", "And the order of a list.", "Equality", [1, 2], [2, 1]),
    unequal("list_length", "And its length.", "Equality", [1, 2], [1, 2, 3]),
    unequal("empty_list_and_object", "[] is not {}.", "Equality", [], {}),
    unequal("case_of_text", "Case counts.", "Equality Lowercase", "a", "A"),
    unequal("normal_forms", "No normal form is applied.", "NoNormalisation", "\u00e9", "e\u0301"),
    unequal("whitespace_of_text", "Nothing is trimmed.", "Equality Trim", "a", "a "),
    equal("surrogate", "A lone surrogate equals itself.", "LoneSurrogate", "\udc00", "\udc00"),
    passes(
        "astral_escape",
        "An escaped pair is the astral character.",
        "Astral JsonParse",
        {"path": "v", "equals": "\U0001f600"},
        '{"v": "\\ud83d\\ude00"}',
    ),
    # Inputs and options.
    passes(
        "depth_512",
        "512 levels are looked into.",
        "NotJsonValue",
        {"path": "0.0.0", "exists": True},
        nest(0, 512),
    ),
    fails(
        "depth_513",
        "513 are not.",
        "NotJsonValue",
        "not_json_value",
        {"path": "0", "exists": True},
        nest(0, 513),
    ),
    passes(
        "text_depth_512",
        "The same in a text.",
        "NotJsonValue JsonParse",
        {"path": "a.a", "exists": True},
        concat(repeat('{"a":', 512), "1", repeat("}", 512)),
    ),
    lacks(
        "text_depth_513",
        "Beyond, it is no JSON.",
        "NotJsonValue JsonParse",
        "a",
        concat(repeat('{"a":', 513), "1", repeat("}", 513)),
    ),
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"path": "error", "exists": False},
        ABSENT,
    ),
    fails(
        "path_missing", "The option is required.", "OptionCheck", "missing_option", {"equals": 1}, {"a": 1}
    ),
    fails("path_empty", "An empty path is no path.", "OptionCheck", "invalid_option", {"path": ""}, {"": 1}),
    fails(
        "path_blank",
        "Nor is a blank one.",
        "OptionCheck Divergence",
        "invalid_option",
        {"path": "  "},
        {"  ": 1},
    ),
    fails(
        "path_list", "Nor is a list.", "OptionCheck Divergence", "invalid_option", {"path": ["a"]}, {"a": 1}
    ),
    fails(
        "exists_null",
        "Null is no boolean.",
        "NullOption Divergence",
        "invalid_option",
        {"path": "a", "exists": None},
        {"a": 1},
    ),
    fails(
        "exists_number",
        "Nor is 1.",
        "BoolIsNoNumber Divergence",
        "invalid_option",
        {"path": "a", "exists": 1},
        {"a": 1},
    ),
    fails(
        "equals_depth_513",
        "513 levels are refused in an option too, used or not.",
        "NotJsonValue",
        "invalid_option",
        {"path": "a", "equals": nest(0, 513), "exists": True},
        {"a": 1},
    ),
    passes("path_no_break_space", "U+00A0 is not blank.", "Whitespace", {"path": "\u00a0"}, {"\u00a0": 1}),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"path": "a", "equal": 1},
        {"a": 1},
    ),
)
