"""Cases of ``json_schema``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, concat, fails, nest, passes, repeat

DRAFT_7: Final = "http://json-schema.org/draft-07/schema#"


def valid(name: str, comment: str, flags: str, schema: Json, candidate: Json) -> Case:
    """State that the schema accepts the candidate."""
    return passes(name, comment, flags, {"schema": schema}, candidate)


def invalid(name: str, comment: str, flags: str, schema: Json, candidate: Json) -> Case:
    """State that it does not."""
    return fails(name, comment, flags, "schema_mismatch", {"schema": schema}, candidate)


def no_json(name: str, comment: str, flags: str, candidate: Json) -> Case:
    """State that a text is no JSON document, whatever the schema."""
    return fails(name, comment, flags, "not_json", {"schema": {}}, candidate)


def malformed(name: str, comment: str, flags: str, schema: Json) -> Case:
    """State that the schema is not well-formed; it must not accept anything."""
    return fails(name, comment, flags, "invalid_schema", {"schema": schema}, "{}")


CASES: Final[tuple[Case, ...]] = (
    valid(
        "object",
        "A text that is JSON and fits.",
        "Basic",
        {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}},
        '{"a": 1}',
    ),
    invalid(
        "required_missing",
        "A required key is missing.",
        "Basic",
        {"type": "object", "required": ["a", "b"]},
        '{"a": 1}',
    ),
    valid(
        "structured",
        "A structured candidate is the value itself.",
        "Basic",
        {"type": "object", "required": ["a"]},
        {"a": None},
    ),
    invalid(
        "property_type",
        "A property has another type.",
        "Basic",
        {"properties": {"a": {"type": "string"}}},
        {"a": 1},
    ),
    valid("empty_schema", "The empty schema accepts all JSON.", "Basic", {}, "[]"),
    # Parsing.
    no_json("empty_text", "An empty text is no JSON.", "JsonParse EmptyInput", ""),
    no_json("blank_text", "Nor is a blank one.", "JsonParse EmptyInput", " \n"),
    no_json("prose", "Nor is prose.", "JsonParse", "the answer is {}"),
    no_json("code_fence", "A code fence is not taken off.", "JsonParse", "```json\n{}\n```"),
    no_json("two_values", "One value and no more.", "JsonParse", "{} {}"),
    no_json("trailing_comma", "No trailing comma.", "JsonParse", "[1,]"),
    no_json("single_quotes", "No single quotes.", "JsonParse", "{'a': 1}"),
    no_json("unquoted_key", "No bare key.", "JsonParse", "{a: 1}"),
    no_json("comment", "No comment.", "JsonParse", "[1] // one"),
    no_json("nan", "NaN is not JSON.", "JsonParse", "[NaN]"),
    no_json("infinity", "Nor is an infinity.", "JsonParse", "-Infinity"),
    no_json("bom", "Nor a byte order mark.", "JsonParse", "\ufeff{}"),
    no_json("nbsp", "Nor U+00A0 beside the value.", "JsonParse Whitespace", "\u00a0{}"),
    no_json("form_feed", "Nor a form feed.", "JsonParse Whitespace", "\f{}"),
    no_json("control_character", "Nor a raw line break in a string.", "JsonParse", '"a\nb"'),
    no_json("leading_zero", "Nor a leading zero.", "JsonParse", "01"),
    no_json("plus_sign", "Nor a plus sign.", "JsonParse", "+1"),
    no_json("bare_fraction", "Nor a fraction without a digit before it.", "JsonParse", ".5"),
    no_json("open_fraction", "Nor one without a digit behind it.", "JsonParse", "1."),
    no_json("hexadecimal", "Nor hexadecimal.", "JsonParse", "0x10"),
    no_json("python_literal", "Nor Python's True.", "JsonParse", "True"),
    no_json("bad_escape", "Nor an unknown escape.", "JsonParse", '"\\x41"'),
    no_json("short_escape", "Nor a short one.", "JsonParse", '"\\u12"'),
    no_json("beyond_double", "Nor a number beyond the double range.", "JsonParse NumberText", "[1e400]"),
    no_json(
        "integer_beyond_double",
        "Nor an integer beyond it.",
        "JsonParse BigInteger",
        concat("1", repeat("0", 400)),
    ),
    no_json(
        "unterminated",
        "Nor an unterminated document, however deep.",
        "JsonParse NotJsonValue",
        repeat("[", 60_000),
    ),
    valid(
        "outer_whitespace",
        "The four whitespace characters of JSON may surround it.",
        "JsonParse Whitespace",
        {"type": "object"},
        " \t\r\n{}\r\n",
    ),
    valid(
        "underflow",
        "A tiny number is JSON.",
        "JsonParse NumberText",
        {"type": "number", "maximum": 0},
        "1e-400",
    ),
    valid(
        "minus_zero", "So is -0, an integer.", "JsonParse NumberText", {"type": "integer", "const": 0}, "-0"
    ),
    valid(
        "last_key_wins",
        "Of a repeated key the last one counts.",
        "JsonParse",
        {"properties": {"a": {"type": "string"}}},
        '{"a": 1, "a": "x"}',
    ),
    invalid(
        "first_key_loses",
        "And not the first.",
        "JsonParse",
        {"properties": {"a": {"type": "string"}}},
        '{"a": "x", "a": 1}',
    ),
    valid(
        "surrogate_pair_escape",
        "A pair of escapes is one character.",
        "JsonParse Astral",
        {"const": "\U0001f600", "maxLength": 1},
        '"\\ud83d\\ude00"',
    ),
    valid(
        "surrogate_escape",
        "A lone one is a character too.",
        "JsonParse LoneSurrogate",
        {"type": "string", "maxLength": 1},
        '"\\ud83d"',
    ),
    invalid(
        "surrogate_differs",
        "Two surrogates differ.",
        "LoneSurrogate Equality",
        {"const": "\ud83d"},
        '"\\ud83e"',
    ),
    valid(
        "surrogate_equals",
        "The same one is equal.",
        "LoneSurrogate Equality",
        {"enum": ["\udc00"]},
        '"\\udc00"',
    ),
    valid(
        "text_in_text",
        "A JSON text that is a string is that string.",
        "JsonParse",
        {"type": "string"},
        '"{}"',
    ),
    valid("null_text", "The text null is null.", "JsonParse", {"type": "null"}, "null"),
    valid("null_candidate", "And so is null.", "JsonParse", {"type": "null"}, None),
    # type
    invalid(
        "boolean_is_no_number",
        "A boolean is no number.",
        "SchemaKeyword BoolIsNoNumber",
        {"type": "number"},
        "true",
    ),
    invalid(
        "boolean_is_no_integer", "And no integer.", "SchemaKeyword BoolIsNoNumber", {"type": "integer"}, False
    ),
    invalid(
        "number_is_no_boolean",
        "A number is no boolean.",
        "SchemaKeyword BoolIsNoNumber",
        {"type": "boolean"},
        1,
    ),
    valid(
        "whole_double_is_integer",
        "1.0 is an integer.",
        "SchemaKeyword NumberText",
        {"type": "integer"},
        "1.0",
    ),
    valid("exponent_is_integer", "So is 1e3.", "SchemaKeyword NumberText", {"type": "integer"}, "1e3"),
    invalid("fraction_is_no_integer", "1.5 is none.", "SchemaKeyword", {"type": "integer"}, "1.5"),
    valid("type_list", "One of several types.", "SchemaKeyword", {"type": ["string", "null"]}, "null"),
    invalid("type_list_none", "None of them.", "SchemaKeyword", {"type": ["string", "null"]}, "0"),
    invalid("array_is_no_object", "A list is no object.", "SchemaKeyword", {"type": "object"}, []),
    # enum, const
    valid("enum_number", "1.0 equals 1.", "Equality", {"enum": [1]}, "1.0"),
    invalid("enum_boolean", "true does not.", "Equality BoolIsNoNumber", {"enum": [1]}, "true"),
    invalid("enum_nested_boolean", "Nor inside.", "Equality BoolIsNoNumber", {"enum": [[True]]}, "[1]"),
    invalid("enum_text", "Nor does the text 1.", "Equality", {"enum": [1]}, '"1"'),
    valid(
        "enum_key_order",
        "Key order does not matter.",
        "Equality KeyOrder Divergence",
        {"enum": [{"a": 1, "b": 2}]},
        '{"b": 2, "a": 1}',
    ),
    invalid("enum_array_order", "The order of a list does.", "Equality", {"enum": [[1, 2]]}, "[2,1]"),
    invalid(
        "const_big_integer",
        "Integers are exact.",
        "Equality BigInteger Divergence",
        {"const": 9007199254740992},
        "9007199254740993",
    ),
    valid("const_null", "A const of null.", "SchemaKeyword NullOption", {"const": None}, None),
    invalid("const_null_differs", "Is a const.", "SchemaKeyword NullOption", {"const": None}, 0),
    # objects and arrays
    valid(
        "properties_not_required",
        "A property need not be there.",
        "SchemaKeyword",
        {"properties": {"a": {"type": "null"}}},
        "{}",
    ),
    valid(
        "properties_on_other_types",
        "Nor need the value be an object.",
        "SchemaKeyword",
        {"properties": {"a": False}, "required": ["a"]},
        "[1]",
    ),
    invalid(
        "false_subschema",
        "A sub-schema false accepts nothing.",
        "SchemaKeyword",
        {"properties": {"a": False}},
        {"a": 1},
    ),
    valid(
        "true_subschema",
        "A sub-schema true accepts all.",
        "SchemaKeyword",
        {"properties": {"a": True}},
        {"a": 1},
    ),
    invalid(
        "additional_properties",
        "No other keys.",
        "SchemaKeyword",
        {"properties": {"a": {}}, "additionalProperties": False},
        {"a": 1, "b": 2},
    ),
    valid(
        "required_own_keys",
        "An inherited name is absent.",
        "OwnKeys",
        {"not": {"required": ["toString"]}},
        {},
    ),
    invalid("required_proto", "Even __proto__.", "OwnKeys", {"required": ["__proto__"]}, {}),
    invalid("items", "Each member.", "SchemaKeyword", {"items": {"type": "string"}}, ["a", 1]),
    valid(
        "prefix_items",
        "The first members, then the rest.",
        "SchemaKeyword",
        {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
        ["a", 1, 2],
    ),
    invalid(
        "prefix_items_rest",
        "The rest has its schema.",
        "SchemaKeyword",
        {"prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
        ["a", 1, "b"],
    ),
    invalid("min_items", "Too few members.", "SchemaKeyword Length", {"minItems": 2}, [1]),
    valid("max_items", "Just as many as allowed.", "SchemaKeyword Length", {"maxItems": 2}, [1, 2]),
    invalid(
        "unique_items",
        "1 and 1.0 are not unique.",
        "SchemaKeyword Equality",
        {"uniqueItems": True},
        "[1, 1.0]",
    ),
    valid(
        "unique_items_boolean", "1 and true are.", "SchemaKeyword Equality", {"uniqueItems": True}, [1, True]
    ),
    # numbers and strings
    valid("minimum", "The minimum is allowed.", "SchemaKeyword Threshold", {"minimum": 5}, 5.0),
    invalid(
        "exclusive_minimum",
        "The exclusive one is not.",
        "SchemaKeyword Threshold",
        {"exclusiveMinimum": 5},
        5,
    ),
    valid("maximum", "The maximum is allowed.", "SchemaKeyword Threshold", {"maximum": 5}, 5),
    invalid(
        "exclusive_maximum",
        "The exclusive one is not.",
        "SchemaKeyword Threshold",
        {"exclusiveMaximum": 5},
        5,
    ),
    invalid("multiple_of", "7 is no multiple of 3.", "SchemaKeyword", {"multipleOf": 3}, 7),
    valid(
        "multiple_of_decimal",
        "0.3 is a multiple of 0.1, though no double is.",
        "SchemaKeyword NumberText",
        {"multipleOf": 0.1},
        "0.3",
    ),
    valid(
        "multiple_of_small_decimal",
        "Nor is 0.0075 one of 0.0001.",
        "SchemaKeyword NumberText",
        {"multipleOf": 0.0001},
        0.0075,
    ),
    invalid(
        "multiple_of_decimal_between",
        "0.00751 is none.",
        "SchemaKeyword NumberText",
        {"multipleOf": 0.0001},
        0.00751,
    ),
    invalid(
        "multiple_of_next_double",
        "Nor is the double behind 0.3.",
        "SchemaKeyword NumberText",
        {"multipleOf": 0.1},
        "0.30000000000000004",
    ),
    valid(
        "multiple_of_exponent",
        "An exponent is read too.",
        "SchemaKeyword NumberText",
        {"multipleOf": 1e-7},
        "0.0000003",
    ),
    valid(
        "multiple_of_fraction",
        "A whole number may be a multiple of a fraction.",
        "SchemaKeyword NumberText",
        {"multipleOf": 1.5},
        3,
    ),
    invalid(
        "multiple_of_fraction_between", "Or none.", "SchemaKeyword NumberText", {"multipleOf": 1.5}, "4.0"
    ),
    invalid(
        "multiple_of_big_integer",
        "Integers are exact.",
        "SchemaKeyword BigInteger",
        {"multipleOf": 2},
        "9007199254740993",
    ),
    valid(
        "number_keywords_on_text",
        "Keywords of numbers are silent on texts.",
        "SchemaKeyword",
        {"minimum": 5},
        '"1"',
    ),
    valid(
        "length_in_code_points",
        "Length counts code points.",
        "SchemaKeyword Astral",
        {"maxLength": 1},
        '"\U0001f600"',
    ),
    invalid(
        "min_length", "One is too few for two.", "SchemaKeyword Astral", {"minLength": 2}, '"\U0001f600"'
    ),
    valid("pattern_not_anchored", "A pattern is searched.", "SchemaKeyword", {"pattern": "[a-z]+"}, '"1ab2"'),
    invalid("pattern", "And may not be found.", "SchemaKeyword", {"pattern": "^[a-z]+$"}, '"1ab2"'),
    valid(
        "format_is_annotation",
        "A format is an annotation in Draft 2020-12.",
        "SchemaKeyword",
        {"format": "email"},
        '"no address"',
    ),
    # combinations and references
    invalid("all_of", "All of them.", "SchemaKeyword", {"allOf": [{"minimum": 1}, {"maximum": 3}]}, 4),
    valid("any_of", "Any of them.", "SchemaKeyword", {"anyOf": [{"type": "string"}, {"minimum": 3}]}, 4),
    invalid(
        "one_of_both",
        "One of them, and no more.",
        "SchemaKeyword",
        {"oneOf": [{"minimum": 1}, {"minimum": 2}]},
        4,
    ),
    invalid("not", "Not this.", "SchemaKeyword", {"not": {"type": "null"}}, None),
    invalid(
        "local_reference",
        "A reference within the schema is followed.",
        "SchemaKeyword",
        {"$ref": "#/$defs/name", "$defs": {"name": {"type": "string"}}},
        "5",
    ),
    valid(
        "recursive_reference",
        "Also to the whole of it.",
        "SchemaKeyword",
        {"type": "array", "items": {"$ref": "#"}},
        "[[],[[]]]",
    ),
    invalid(
        "reference_and_sibling",
        "In Draft 2020-12 its siblings count.",
        "SchemaKeyword",
        {"$ref": "#/$defs/name", "minLength": 3, "$defs": {"name": {"type": "string"}}},
        '"ab"',
    ),
    valid(
        "reference_and_sibling_draft_7",
        "In draft-07 they do not.",
        "SchemaKeyword",
        {
            "$schema": DRAFT_7,
            "$ref": "#/definitions/name",
            "minLength": 3,
            "definitions": {"name": {"type": "string"}},
        },
        '"ab"',
    ),
    invalid(
        "pointer_tilde",
        "In a pointer ~0 is a tilde.",
        "SchemaKeyword",
        {"$ref": "#/$defs/a~0b", "$defs": {"a~b": {"type": "string"}}},
        "5",
    ),
    invalid(
        "pointer_slash",
        "~1 is a slash.",
        "SchemaKeyword",
        {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}},
        "5",
    ),
    invalid(
        "pointer_tilde_last",
        "~01 is ~1, for ~0 is read last.",
        "SchemaKeyword",
        {"$ref": "#/$defs/~01", "$defs": {"~1": {"type": "string"}, "/": True}},
        "5",
    ),
    invalid(
        "pointer_percent",
        "Percent-escapes are decoded.",
        "SchemaKeyword",
        {"$ref": "#/$defs/a%20%25", "$defs": {"a %": {"type": "string"}, "a%20%25": True}},
        "5",
    ),
    invalid(
        "pointer_percent_utf8",
        "As UTF-8.",
        "SchemaKeyword",
        {"$ref": "#/$defs/%C3%A9", "$defs": {"\u00e9": {"type": "string"}}},
        "5",
    ),
    invalid(
        "pointer_percent_first",
        "Before anything else.",
        "SchemaKeyword",
        {"$ref": "#/$defs/a%7E1b", "$defs": {"a/b": {"type": "string"}}},
        "5",
    ),
    invalid(
        "pointer_index",
        "A list has indices.",
        "SchemaKeyword",
        {"$ref": "#/anyOf/1", "anyOf": [True, {"type": "string"}]},
        "5",
    ),
    invalid(
        "pointer_empty_key",
        "The empty key is a key.",
        "SchemaKeyword",
        {"$ref": "#/$defs/", "$defs": {"": {"type": "string"}}},
        "5",
    ),
    invalid(
        "item_list_draft_7",
        "A list of items is legal in draft-07.",
        "SchemaKeyword",
        {"$schema": DRAFT_7, "items": [{"type": "string"}]},
        [1],
    ),
    valid(
        "prefix_items_draft_7",
        "In draft-07 prefixItems is unknown.",
        "SchemaKeyword",
        {"$schema": DRAFT_7, "prefixItems": [{"type": "string"}]},
        [1],
    ),
    valid(
        "prefix_items_before_items_draft_7",
        "And takes no member from items.",
        "SchemaKeyword",
        {"$schema": DRAFT_7, "prefixItems": [False], "items": {"type": "integer"}},
        [1],
    ),
    invalid(
        "items_beside_prefix_items_draft_7",
        "Which is for all of them.",
        "SchemaKeyword",
        {"$schema": DRAFT_7, "prefixItems": [True], "items": {"type": "integer"}},
        ["a"],
    ),
    valid(
        "unknown_keyword_malformed_draft_7",
        "What is unknown cannot be malformed.",
        "SchemaKeyword",
        {"$schema": DRAFT_7, "prefixItems": 5, "$defs": {"a": {"type": "strng"}}},
        1,
    ),
    valid(
        "unknown_keyword",
        "An unknown keyword has no effect.",
        "SchemaKeyword",
        {"x-note": 5, "title": "t"},
        "1",
    ),
    # Malformed schemas.
    malformed("unknown_type", "A misspelt type accepts nothing.", "InvalidSchema", {"type": "strng"}),
    malformed("type_null", "A type is a name.", "InvalidSchema", {"type": None}),
    malformed("required_text", "required is a list.", "InvalidSchema", {"required": "a"}),
    malformed("enum_text_malformed", "enum is a list.", "InvalidSchema", {"enum": "abc"}),
    malformed("properties_list", "properties is an object.", "InvalidSchema", {"properties": ["a"]}),
    malformed(
        "item_list_2020",
        "items is no list in Draft 2020-12.",
        "InvalidSchema",
        {"items": [{"type": "string"}]},
    ),
    malformed("minimum_text", "minimum is a number.", "InvalidSchema", {"minimum": "1"}),
    malformed("negative_length", "A length is not negative.", "InvalidSchema", {"minLength": -1}),
    malformed(
        "malformed_deep",
        "Also deep inside.",
        "InvalidSchema",
        {"properties": {"a": {"items": {"type": "int"}}}},
    ),
    malformed(
        "number_as_subschema",
        "A sub-schema is an object or a boolean.",
        "InvalidSchema",
        {"properties": {"a": 1}},
    ),
    malformed(
        "malformed_beside_reference_draft_7",
        "A silent sibling of a reference must be well-formed all the same.",
        "InvalidSchema",
        {"$schema": DRAFT_7, "$ref": "#/definitions/a", "type": "strng", "definitions": {"a": True}},
    ),
    malformed(
        "malformed_definition_draft_7",
        "So must a definition beside it.",
        "InvalidSchema",
        {"$schema": DRAFT_7, "$ref": "#/definitions/a", "definitions": {"a": True, "b": {"minLength": -1}}},
    ),
    malformed(
        "malformed_definition",
        "And one that nothing refers to.",
        "InvalidSchema",
        {"$defs": {"a": {"type": "strng"}}},
    ),
    malformed(
        "malformed_prefix_items", "prefixItems is a list of schemas.", "InvalidSchema", {"prefixItems": 5}
    ),
    malformed("multiple_of_zero", "Nothing is a multiple of 0.", "InvalidSchema", {"multipleOf": 0}),
    malformed(
        "pointer_past_the_end",
        "Past the end of a list there is nothing.",
        "InvalidSchema",
        {"$ref": "#/anyOf/1", "anyOf": [True]},
    ),
    malformed(
        "pointer_to_no_schema", "A number is no schema.", "InvalidSchema", {"$ref": "#/minimum", "minimum": 1}
    ),
    malformed(
        "pointer_broken_percent",
        "A percent sign stands before two digits.",
        "InvalidSchema",
        {"$ref": "#/$defs/a%b", "$defs": {"a%b": True}},
    ),
    malformed(
        "pointer_not_unescaped",
        "~01 is no slash.",
        "InvalidSchema",
        {"$ref": "#/$defs/~01", "$defs": {"/": True}},
    ),
    malformed(
        "dangling_reference", "A reference leads somewhere.", "InvalidSchema", {"$ref": "#/$defs/none"}
    ),
    malformed(
        "remote_reference",
        "Nothing is fetched over the network.",
        "NoFetch InvalidSchema",
        {"$ref": "http://127.0.0.1:9/schema.json"},
    ),
    malformed(
        "remote_reference_deep",
        "Nor from a sub-schema that the candidate never reaches.",
        "NoFetch InvalidSchema",
        {"properties": {"z": {"$ref": "https://schemas.invalid/z.json"}}},
    ),
    malformed("file_reference", "Nor from a file.", "NoFetch InvalidSchema", {"$ref": "file:///etc/passwd"}),
    # Inputs and options.
    valid(
        "depth_512",
        "512 levels are JSON.",
        "NotJsonValue",
        {"type": "array"},
        concat(repeat("[", 512), repeat("]", 512)),
    ),
    no_json("depth_513", "513 are not.", "NotJsonValue", concat(repeat("[", 513), repeat("]", 513))),
    valid(
        "structured_depth_512",
        "The same for a structured candidate.",
        "NotJsonValue",
        {"type": "array"},
        nest(0, 512),
    ),
    fails(
        "structured_depth_513",
        "Which is refused.",
        "NotJsonValue",
        "not_json_value",
        {"schema": {}},
        nest(0, 513),
    ),
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"schema": {}},
        ABSENT,
    ),
    fails("schema_missing", "The option is required.", "OptionCheck", "missing_option", {}, "{}"),
    fails("schema_list", "A schema is an object.", "OptionCheck", "invalid_option", {"schema": []}, "{}"),
    fails(
        "schema_depth_513",
        "A schema is a JSON value like any other.",
        "NotJsonValue",
        "invalid_option",
        {"schema": {"const": nest(0, 512)}},
        "{}",
    ),
    fails(
        "schema_true",
        "A boolean schema is legal inside only.",
        "OptionCheck Divergence",
        "invalid_option",
        {"schema": True},
        "{}",
    ),
    fails("schema_null", "Null is no schema.", "NullOption", "invalid_option", {"schema": None}, "{}"),
    fails("schema_text", "Nor is its text.", "OptionCheck", "invalid_option", {"schema": "{}"}, "{}"),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"schema": {}, "strict": True},
        "{}",
    ),
)
