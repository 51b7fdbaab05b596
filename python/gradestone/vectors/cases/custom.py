"""Cases of ``custom``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, concat, fails, nest, passes, repeat


def holds(name: str, comment: str, flags: str, reference: Json, candidate: Json) -> Case:
    """State that the predicate of the reference holds."""
    return passes(name, comment, flags, {}, candidate, reference=reference)


def broken(
    name: str,
    comment: str,
    flags: str,
    code: str,
    reference: Json,
    candidate: Json,
    metadata: dict[str, Json] | None = None,
) -> Case:
    """State that it does not, and with which code."""
    return fails(name, comment, flags, code, {}, candidate, reference=reference, metadata=metadata)


def unusable(name: str, comment: str, flags: str, reference: Json, candidate: Json = "a") -> Case:
    """State that the reference cannot be used."""
    return fails(name, comment, flags, "invalid_reference", {}, candidate, reference=reference)


CASES: Final[tuple[Case, ...]] = (
    holds("regex", "A pattern that is found.", "Basic Delegation", {"regex": "[0-9]+"}, "order 66"),
    broken(
        "regex_no_match", "One that is not.", "Basic Delegation", "no_match", {"regex": "[0-9]+"}, "order"
    ),
    holds("regex_ascii", "In the dialect of regex.", "Dialect", {"regex": "^\\W$"}, "\u00e9"),
    holds("regex_structured", "Searched in the JSON text.", "JsonText", {"regex": '"a":1'}, {"a": 1.0}),
    holds("regex_text_untouched", "Line ends are left alone.", "LineEnds", {"regex": "\\r\\n\\Z"}, "a\r\n"),
    broken("regex_over_cap", "With its cap.", "Cap", "over_cap", {"regex": "a"}, repeat("a", 65_537)),
    holds("regex_at_cap", "Which is inclusive.", "Cap", {"regex": "b"}, concat(repeat("a", 65_535), "b")),
    holds("contains", "A text that occurs.", "Basic Delegation", {"contains": "cat"}, "the cat"),
    broken(
        "contains_missing",
        "One that does not; the metadata is that of contains.",
        "Basic Delegation Report",
        "missing_fragment",
        {"contains": "dog"},
        "the cat",
        metadata={"fragments": ["dog"]},
    ),
    broken(
        "contains_case", "By case.", "Fragment Lowercase", "missing_fragment", {"contains": "Cat"}, "the cat"
    ),
    broken(
        "contains_half_of_astral",
        "And by code point.",
        "Astral LoneSurrogate",
        "missing_fragment",
        {"contains": "\ud83d"},
        "\U0001f600",
    ),
    holds("contains_structured", "In the JSON text.", "JsonText", {"contains": "[1,"}, [1.0, 2]),
    holds("jsonpath", "A path that leads somewhere.", "Basic Delegation", {"jsonpath": "a.0"}, {"a": [None]}),
    broken(
        "jsonpath_not_found",
        "One that does not.",
        "Basic Delegation",
        "path_not_found",
        {"jsonpath": "b"},
        {"a": 1},
    ),
    holds(
        "jsonpath_equals",
        "To the right value.",
        "Basic Delegation",
        {"jsonpath": "a", "equals": 1},
        '{"a": 1.0}',
    ),
    broken(
        "jsonpath_differs",
        "Or to another.",
        "Basic Delegation",
        "value_mismatch",
        {"jsonpath": "a", "equals": 1},
        {"a": "1"},
    ),
    broken(
        "jsonpath_boolean",
        "true is not 1.",
        "Equality BoolIsNoNumber",
        "value_mismatch",
        {"jsonpath": "a", "equals": 1},
        {"a": True},
    ),
    holds(
        "jsonpath_equals_null",
        "Null is a value.",
        "NullOption",
        {"jsonpath": "a", "equals": None},
        {"a": None},
    ),
    broken(
        "jsonpath_null_not_absent",
        "But no absence.",
        "NullOption",
        "path_not_found",
        {"jsonpath": "a", "equals": None},
        {},
    ),
    broken(
        "jsonpath_bad_step",
        "A step that is no index.",
        "PathStep",
        "path_step_invalid",
        {"jsonpath": "a.-1"},
        {"a": [1]},
    ),
    broken(
        "jsonpath_prose",
        "A text that is no JSON has no paths.",
        "JsonParse",
        "path_not_found",
        {"jsonpath": "a"},
        "a",
    ),
    broken(
        "jsonpath_big_integers",
        "Integers are exact.",
        "BigInteger",
        "value_mismatch",
        {"jsonpath": "a", "equals": 9007199254740992},
        {"a": 9007199254740993},
    ),
    # References that cannot be used.
    fails("no_reference", "No reference.", "MissingInput", "missing_reference", {}, "a"),
    unusable("null", "Null is no predicate.", "NullOption", None),
    unusable("text", "Nor is a text.", "Delegation", "a"),
    unusable("list", "Nor is a list.", "Delegation", [{"contains": "a"}]),
    unusable("empty_object", "Nor is an empty object.", "EmptyInput Delegation", {}),
    unusable("unknown_predicate", "Nor an unknown one.", "Delegation", {"glob": "*"}),
    unusable("two_predicates", "Two are not one.", "Delegation", {"contains": "a", "regex": "a"}),
    unusable("extra_key", "And nothing stands beside.", "Delegation", {"contains": "a", "note": "x"}),
    unusable(
        "equals_beside_regex", "equals belongs to jsonpath.", "Delegation", {"regex": "a", "equals": "a"}
    ),
    unusable("equals_alone", "Alone it is no predicate.", "Delegation", {"equals": "a"}),
    unusable(
        "exists_beside_jsonpath",
        "exists does not belong there.",
        "Delegation",
        {"jsonpath": "a", "exists": True},
        {"a": 1},
    ),
    unusable("predicate_in_other_case", "Keys are spelt exactly.", "Delegation Lowercase", {"Contains": "a"}),
    unusable("regex_invalid", "A pattern that does not compile.", "InvalidPattern", {"regex": "("}),
    unusable("regex_unsafe", "One that is refused.", "UnsafePattern", {"regex": "(a|b)+"}),
    unusable("regex_empty", "An empty one.", "EmptyInput", {"regex": ""}),
    unusable("regex_too_long", "One over its cap.", "Cap", {"regex": repeat("a", 1025)}),
    unusable("regex_null", "Null is no pattern.", "NullOption", {"regex": None}),
    unusable(
        "contains_empty",
        "An empty fragment occurs everywhere and must not pass.",
        "EmptyInput",
        {"contains": ""},
    ),
    unusable("contains_number", "A fragment is a text here.", "Delegation", {"contains": 5}, "5"),
    unusable("contains_list", "And no list.", "Delegation", {"contains": ["a"]}),
    unusable("jsonpath_blank", "A blank path.", "EmptyInput", {"jsonpath": " "}, {" ": 1}),
    unusable("jsonpath_number", "A path is a text.", "Delegation", {"jsonpath": 0}, [1]),
    # Inputs and options.
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {},
        ABSENT,
        reference={"contains": "a"},
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {},
        nest("a", 513),
        reference={"contains": "a"},
    ),
    fails(
        "reference_depth_513",
        "And of a reference.",
        "NotJsonValue",
        "invalid_reference",
        {},
        {"a": 1},
        reference={"jsonpath": "a", "equals": nest("a", 512)},
    ),
    fails(
        "option_contains",
        "The predicate is no option.",
        "OptionCheck",
        "unknown_option",
        {"contains": "a"},
        "a",
    ),
    fails(
        "option_threshold",
        "There are no options.",
        "OptionCheck",
        "unknown_option",
        {"threshold": 0.5},
        "a",
        reference={"contains": "a"},
    ),
)
