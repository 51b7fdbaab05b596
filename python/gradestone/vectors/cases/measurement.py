"""The cases that the three graders with a ceiling share, told with each one's own names."""

from __future__ import annotations

from .case import ABSENT, Case, Json, concat, fails, nest, passes, repeat


def cases(option: str, first: str, second: str) -> tuple[Case, ...]:
    """Return the cases of a grader with the option ``option`` that reads ``first``, else ``second``."""

    def within(name: str, comment: str, flags: str, candidate: Json, ceiling: Json = 100) -> Case:
        return passes(name, comment, flags, {option: ceiling}, candidate)

    def over(name: str, comment: str, flags: str, candidate: Json, ceiling: Json = 100) -> Case:
        return fails(name, comment, flags, "over_ceiling", {option: ceiling}, candidate)

    def unmeasured(name: str, comment: str, flags: str, candidate: Json) -> Case:
        return fails(name, comment, flags, "unmeasured", {option: 100}, candidate)

    def refused(name: str, comment: str, flags: str, ceiling: Json) -> Case:
        return fails(name, comment, flags, "invalid_option", {option: ceiling}, {first: 0})

    return (
        within("under", "Under the ceiling.", "Basic", {first: 99}),
        within("at_the_ceiling", "At the ceiling.", "Basic Threshold", {first: 100}),
        over("over", "Over it.", "Basic", {first: 101}),
        over("over_by_a_fraction", "By however little.", "Threshold", {first: 100.00000000000001}),
        within("at_a_fraction", "A ceiling may have a fraction.", "Threshold", {first: 0.05}, 0.05),
        within("zero", "Nothing is within a ceiling of nothing.", "Threshold", {first: 0}, 0),
        over("ceiling_zero", "Anything more is over it.", "Threshold", {first: 0.001}, 0),
        within(
            "second_field", "The second field counts where the first is absent.", "Precedence", {second: 1}
        ),
        over("second_field_over", "With its own value.", "Precedence", {second: 101}),
        over("first_field_first", "The first comes first.", "Precedence", {second: 1, first: 101}),
        within(
            "first_field_first_passes", "Whatever the second says.", "Precedence", {second: 101, first: 1}
        ),
        within("null_counts_as_absent", "A null counts as absent.", "Precedence", {first: None, second: 1}),
        within("zero_is_present", "Zero does not.", "Precedence", {first: 0, second: 101}),
        unmeasured(
            "unusable_first_field",
            "A first field that is unusable is not passed over.",
            "Precedence",
            {first: "n/a", second: 1},
        ),
        unmeasured("not_recorded", "Nothing is recorded, which is not little.", "MissingInput", {"other": 1}),
        unmeasured("both_null", "Two nulls record nothing.", "MissingInput", {first: None, second: None}),
        unmeasured("empty_object", "In an empty object neither.", "EmptyInput", {}),
        # What is a measurement.
        within("text", "A plain decimal text is one.", "Measured", {first: "99.5"}),
        over("text_over", "With its value.", "Measured", {first: "100.5"}),
        within("text_at_the_ceiling", "And its zeros.", "Measured Threshold", {first: "+0100.000"}),
        within("text_minus_zero", "-0 is not below 0.", "Measured", {first: "-0"}),
        within("double_minus_zero", "Nor is -0.0.", "Measured", {first: -0.0}),
        unmeasured("negative", "A negative number is none.", "Measured", {first: -1}),
        unmeasured("text_negative", "Nor is the text of one.", "Measured", {first: "-0.5"}),
        unmeasured("text_empty", "An empty text is not 0.", "Measured EmptyInput", {first: ""}),
        unmeasured("text_blank", "Nor is a blank one.", "Measured Whitespace", {first: " "}),
        unmeasured("text_spaces", "Nor may spaces surround it.", "Measured Whitespace", {first: " 5"}),
        unmeasured("text_line_end", "Nor a line end follow.", "Measured LineEnds", {first: "5\n"}),
        unmeasured("text_exponent", "No exponent.", "Measured", {first: "1e1"}),
        unmeasured("text_hexadecimal", "No hexadecimal.", "Measured", {first: "0x10"}),
        unmeasured("text_underscore", "No underscore.", "Measured", {first: "1_0"}),
        unmeasured("text_separator", "No thousands.", "Measured", {first: "1,000"}),
        unmeasured("text_bare_fraction", "A digit before the dot.", "Measured", {first: ".5"}),
        unmeasured("text_open_fraction", "And behind it.", "Measured", {first: "5."}),
        unmeasured("text_unit", "No unit.", "Measured", {first: "5ms"}),
        unmeasured("text_infinity", "No infinity.", "Measured", {first: "Infinity"}),
        unmeasured("text_nan", "No NaN.", "Measured", {first: "nan"}),
        unmeasured(
            "text_beyond_double", "Nor digits beyond the double range.", "Measured", {first: repeat("9", 400)}
        ),
        unmeasured("text_digits_beyond_ascii", "Digits are ASCII.", "Measured", {first: "\u0665"}),
        unmeasured("boolean", "A boolean is none.", "BoolIsNoNumber", {first: True}),
        unmeasured("boolean_false", "Not even false.", "BoolIsNoNumber", {first: False}),
        unmeasured("list", "A list is none.", "Measured", {first: [5]}),
        unmeasured("empty_list", "Nor an empty one.", "Measured EmptyInput", {first: []}),
        unmeasured("object", "Nor an object.", "Measured", {first: {"value": 5}}),
        # Exact values.
        over("big_integer", "Integers are exact.", "BigInteger", {first: 9007199254740993}, 9007199254740992),
        over(
            "big_integer_against_double",
            "Against a double too.",
            "BigInteger",
            {first: 9007199254740993},
            9007199254740992.0,
        ),
        over(
            "text_big_integer", "In a text too.", "BigInteger", {first: "9007199254740993"}, 9007199254740992
        ),
        within(
            "text_big_fraction",
            "A text with a fraction is the nearest double.",
            "BigInteger",
            {first: "9007199254740993.0"},
            9007199254740992,
        ),
        within(
            "text_rounds_to_the_ceiling",
            "And so is this.",
            "NumberText Threshold",
            {first: "0.10000000000000001"},
            0.1,
        ),
        within(
            "text_underflows", "However small.", "NumberText", {first: concat("0.", repeat("0", 400), "1")}, 0
        ),
        over(
            "text_309_digits",
            "309 digits can be within the doubles.",
            "Measured",
            {first: concat("1", repeat("0", 308))},
        ),
        within(
            "text_leading_zeros",
            "Leading zeros are no digits too many.",
            "Measured",
            {first: concat(repeat("0", 5000), "1")},
        ),
        # Candidates and options.
        unmeasured("text_candidate", "A text is never parsed.", "MissingInput", f'{{"{first}": 5}}'),
        unmeasured("bare_number", "A bare number is no record.", "MissingInput", 5),
        unmeasured("list_candidate", "Nor is a list.", "MissingInput", [{first: 5}]),
        unmeasured("null_candidate", "Nor is null.", "MissingInput", None),
        fails(
            "no_candidate",
            "A row without a candidate.",
            "MissingInput",
            "missing_candidate",
            {option: 100},
            ABSENT,
        ),
        fails(
            "depth_513",
            "513 levels are refused.",
            "NotJsonValue",
            "not_json_value",
            {option: 100},
            {first: 5, "log": nest(0, 512)},
        ),
        fails("ceiling_missing", "The option is required.", "OptionCheck", "missing_option", {}, {first: 0}),
        refused("ceiling_negative", "A ceiling is not negative.", "OptionCheck", -1),
        refused("ceiling_beyond_double", "Nor beyond the doubles.", "OptionCheck BigInteger", 10**400),
        refused("ceiling_null", "Null is no ceiling.", "NullOption Divergence", None),
        refused("ceiling_boolean", "Nor is true.", "BoolIsNoNumber Divergence", True),
        refused("ceiling_text", "Nor is a text.", "OptionCheck Divergence", "100"),
        fails(
            "unknown_option",
            "An unknown option is refused.",
            "OptionCheck Divergence",
            "unknown_option",
            {option: 100, "min": 1},
            {first: 5},
        ),
    )
