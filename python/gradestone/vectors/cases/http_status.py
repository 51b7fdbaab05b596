"""Cases of ``http_status``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, fails, nest, passes


def is_200(name: str, comment: str, flags: str, candidate: Json) -> Case:
    """State that the candidate records a 200."""
    return passes(name, comment, flags, {"status": 200}, candidate)


def is_not_200(name: str, comment: str, flags: str, candidate: Json) -> Case:
    """State that it does not."""
    return fails(name, comment, flags, "status_mismatch", {"status": 200}, candidate)


CASES: Final[tuple[Case, ...]] = (
    is_200("status", "The status is the one.", "Basic", {"status": 200}),
    is_not_200("another_status", "It is another.", "Basic", {"status": 404}),
    is_200("status_code", "It may be under status_code.", "Basic", {"status_code": 200}),
    is_not_200("another_status_code", "And differ there.", "Basic", {"status_code": 500}),
    is_not_200("status_first", "status comes first.", "Precedence", {"status_code": 200, "status": 500}),
    is_200(
        "status_first_passes", "Whatever status_code says.", "Precedence", {"status_code": 500, "status": 200}
    ),
    is_200(
        "null_counts_as_absent",
        "A null counts as absent.",
        "Precedence",
        {"status": None, "status_code": 200},
    ),
    is_not_200(
        "both_null", "Two nulls record nothing.", "MissingInput", {"status": None, "status_code": None}
    ),
    is_not_200("not_recorded", "Nothing is recorded.", "MissingInput", {"code": 200}),
    is_not_200("empty_object", "In an empty object neither.", "EmptyInput", {}),
    is_not_200(
        "word_first",
        "A status that is a word is one all the same.",
        "Precedence",
        {"status": "ok", "status_code": 200},
    ),
    is_200("double", "200.0 is 200.", "NumberText", {"status": 200.0}),
    passes("double_option", "In the option too.", "NumberText", {"status": 200.0}, {"status": 200}),
    is_not_200("fraction", "200.5 is another.", "NumberText", {"status": 200.5}),
    is_not_200("text_number", "The text 200 is no number.", "Equality", {"status": "200"}),
    is_not_200("list", "Nor is a list.", "Equality", {"status": [200]}),
    fails("boolean", "true is not 1.", "BoolIsNoNumber", "status_mismatch", {"status": 1}, {"status": True}),
    fails(
        "boolean_false",
        "false is not 0.",
        "BoolIsNoNumber",
        "status_mismatch",
        {"status": 0},
        {"status": False},
    ),
    passes(
        "zero",
        "0 is a value, not an absent one.",
        "NullOption",
        {"status": 0},
        {"status": 0, "status_code": 200},
    ),
    is_not_200(
        "zero_is_present", "So it is not passed over.", "NullOption", {"status": 0, "status_code": 200}
    ),
    is_not_200("text_candidate", "A text is never parsed.", "MissingInput", '{"status": 200}'),
    is_not_200("bare_number", "A bare number records no status.", "MissingInput", 200),
    is_not_200("list_candidate", "Nor does a list.", "MissingInput", [{"status": 200}]),
    is_not_200("nested", "It is not searched for.", "MissingInput", {"response": {"status": 200}}),
    is_not_200("null_candidate", "Null records nothing.", "MissingInput", None),
    fails(
        "big_integers",
        "Integers are exact.",
        "BigInteger Divergence",
        "status_mismatch",
        {"status": 9007199254740992},
        {"status": 9007199254740993},
    ),
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"status": 200},
        ABSENT,
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"status": 200},
        {"status": 200, "body": nest(0, 512)},
    ),
    fails("status_missing", "The option is required.", "OptionCheck Divergence", "missing_option", {}, {}),
    fails(
        "status_null",
        "Null does not match what is not recorded.",
        "NullOption Divergence",
        "invalid_option",
        {"status": None},
        {"status": None},
    ),
    fails(
        "status_text",
        "A text is no status.",
        "OptionCheck Divergence",
        "invalid_option",
        {"status": "200"},
        {"status": "200"},
    ),
    fails(
        "status_fraction",
        "Nor is a fraction.",
        "OptionCheck Divergence",
        "invalid_option",
        {"status": 200.5},
        {"status": 200.5},
    ),
    fails(
        "status_boolean",
        "Nor is a boolean.",
        "BoolIsNoNumber Divergence",
        "invalid_option",
        {"status": True},
        {"status": True},
    ),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"status": 200, "status_code": 200},
        {"status": 200},
    ),
)
