"""The strict checks: every option against hostile values, and the registry's schema as a second opinion."""

from __future__ import annotations

import math
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Any

import jsonschema_rs
import pytest
from tests.option_specimens import MINIMAL, faults_of, mapping_of

from gradestone.options import OPTIONS, GraderOptionError, parse_grader
from gradestone.registry import load_registry

REGISTRY = load_registry()
ALL_OPTIONS = [(type_, name) for type_, entry in REGISTRY.items() for name in entry.options["properties"]]

JSON_VALUES: dict[str, Any] = {
    "null": None,
    "true": True,
    "false": False,
    "0": 0,
    "1": 1,
    "-1": -1,
    "2": 2,
    "200.0": 200.0,
    "200.5": 200.5,
    "0.5": 0.5,
    "-0.0": -0.0,
    "-1e-300": -1e-300,
    "over 1": math.nextafter(1, 2),
    "under 1": math.nextafter(1, 0),
    "numeric text": "0.5",
    "text 1": "1",
    "text true": "true",
    "empty text": "",
    "space": " ",
    "pinned whitespace": " \t\n\f\r\v",
    "no-break space": "\u00a0",
    "U+0085": "\u0085",
    "astral": "\U0001f600",
    "long text": "x" * 2000,
    "empty list": [],
    "list of a": ["a"],
    "list of a and b": ["a", "b"],
    "list of empty text": [""],
    "list of a and empty text": ["a", ""],
    "list of a space": [" ", "a"],
    "list of null": [None],
    "list of numbers": [1, 2],
    "list of lists": [["a"]],
    "list of kinds": ["email", "phone"],
    "kind in capitals": ["EMAIL"],
    "empty object": {},
    "object": {"type": "object"},
    "a word of each choice": "recall",
    "rouge_l": "rouge_l",
    "fail": "fail",
    "word in capitals": "RECALL",
    "word with a space": "recall ",
    "2^63": 2**63,
    "-2^63": -(2**63),
}

NOT_JSON: dict[str, Any] = {
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "bytes": b"a",
    "decimal": Decimal("0.5"),
    "fraction": Fraction(1, 2),
    "complex": 0.5j,
    "set": {"a"},
    "object": object(),
    "generator": (x for x in "a"),
    "class": str,
    "list of bytes": [b"a"],
    "list of nan": [math.nan],
    "keys that are no text": {1: 2},
}


def with_value(type_: str, option: str, value: Any) -> dict[str, Any]:
    """A mapping whose other options agree with the value."""
    mapping = mapping_of(type_, **{option: value})
    return mapping | ({"categories": ["a", "b", "email", "phone"]} if option == "passing_categories" else {})


LEFT_TO_THE_GRADER = {("bleu_score", "reference", ""), ("rouge_score", "reference", "")}
"""The registry asks for some text, as the package's does; an empty one is the verdict ``empty_reference``."""


@pytest.mark.parametrize(("type_", "option"), ALL_OPTIONS)
def test_an_option_takes_what_the_registry_says(type_, option):
    """Every JSON value above is accepted by the class exactly when it is by the option's schema."""
    validator = jsonschema_rs.validator_for(REGISTRY[type_].options["properties"][option])
    for name, value in JSON_VALUES.items():
        faulty = {option for option, _ in faults_of(with_value(type_, option, value))}
        left = isinstance(value, str) and (type_, option, value) in LEFT_TO_THE_GRADER
        assert (option not in faulty) == (validator.is_valid(value) or left), name


@pytest.mark.parametrize(("type_", "option"), ALL_OPTIONS)
def test_an_option_takes_nothing_that_is_no_json(type_, option):
    for name, value in NOT_JSON.items():
        assert faults_of(mapping_of(type_, **{option: value})) == [(option, "invalid_option")], name


@pytest.mark.parametrize(("type_", "option"), ALL_OPTIONS)
def test_a_fault_is_one_short_printable_line(type_, option):
    for value in (*JSON_VALUES.values(), *NOT_JSON.values(), "\ud800\n" * 200, 10**4000, -(10**400)):
        try:
            parse_grader(with_value(type_, option, value))
        except GraderOptionError as error:
            (fault,) = error.faults
            assert fault.message.isprintable()
            assert len(fault.message) < 400


UNITS = [
    (type_, name)
    for type_, name in ALL_OPTIONS
    if REGISTRY[type_].options["properties"][name].get("maximum") == 1
]
CEILINGS = [
    (type_, name)
    for type_, name in ALL_OPTIONS
    if "minimum" in REGISTRY[type_].options["properties"][name] and (type_, name) not in UNITS
]


def test_the_thresholds_and_ceilings_are_these():
    """The tables below cannot shrink unseen."""
    assert {name for _, name in UNITS} == {
        "threshold",
        "file_threshold",
        "line_threshold",
        "similarity_threshold",
        "min_score",
    }
    assert len(UNITS) == 9
    assert {name for _, name in CEILINGS} == {"p95_ms", "max_usd", "max_tokens", "timeout_s"}
    assert len(CEILINGS) == 9


@pytest.mark.parametrize(("type_", "option"), UNITS)
def test_a_threshold_is_a_double_from_0_to_1(type_, option):
    for value in (0, 1, 0.0, 1.0, 0.5, 5e-324, math.nextafter(1, 0)):
        stored = getattr(parse_grader(mapping_of(type_, **{option: value})), option)
        assert stored == value
        assert type(stored) is float
    for value in (
        None,
        True,
        False,
        "0.5",
        math.nan,
        math.inf,
        -math.inf,
        1.0000001,
        -1e-9,
        2,
        10**400,
        [],
        {},
        [0.5],
    ):
        assert faults_of(mapping_of(type_, **{option: value})) == [(option, "invalid_option")]


@pytest.mark.parametrize(("type_", "option"), UNITS + CEILINGS)
def test_minus_zero_is_zero(type_, option):
    stored = getattr(parse_grader(mapping_of(type_, **{option: -0.0})), option)
    assert math.copysign(1, stored) == 1


@pytest.mark.parametrize(("type_", "option"), CEILINGS)
def test_a_ceiling_is_finite_and_not_negative(type_, option):
    """Integers keep their digits; one beyond the range of a double is no finite number to anybody else."""
    for value in (0, 1, 0.5, 1e308, 2**53 + 1, 10**300):
        assert getattr(parse_grader(mapping_of(type_, **{option: value})), option) == value
    for value in (None, True, "1", "", math.nan, math.inf, -1, -1e-300, 10**400, [], {}):
        assert faults_of(mapping_of(type_, **{option: value})) == [(option, "invalid_option")]


def test_a_status_is_a_whole_number():
    for value in (200, 200.0, -1, 0, 2**63):
        stored: Any = parse_grader(mapping_of("http_status", status=value))
        assert stored.status == value
        assert type(stored.status) is int
    for value in (True, "200", 200.5, math.nan, math.inf, 10**400, None, [200]):
        assert faults_of(mapping_of("http_status", status=value)) == [("status", "invalid_option")]


MESSAGES = {
    "null": ("bleu_score", "threshold", None, "`threshold` must be a number from 0 to 1, not null"),
    "boolean": ("bleu_score", "threshold", True, "`threshold` must be a number from 0 to 1, not a boolean"),
    "text": ("bleu_score", "threshold", "0.5", "`threshold` must be a number from 0 to 1, not text"),
    "nan": ("bleu_score", "threshold", math.nan, "`threshold` must be a number from 0 to 1, not NaN"),
    "infinity": (
        "bleu_score",
        "threshold",
        -math.inf,
        "`threshold` must be a number from 0 to 1, not an infinity",
    ),
    "range": ("bleu_score", "threshold", 1.5, "`threshold` must be a number from 0 to 1, not 1.5"),
    "long": (
        "bleu_score",
        "threshold",
        10**200,
        f"`threshold` must be a number from 0 to 1, not 1{'0' * 59}…",
    ),
    "huge": (
        "bleu_score",
        "threshold",
        10**5000,
        "`threshold` must be a number from 0 to 1, not a number beyond the range of a double",
    ),
    "negative": (
        "cost_threshold",
        "max_usd",
        -0.5,
        "`max_usd` must be a finite number of at least 0, not -0.5",
    ),
    "not whole": ("http_status", "status", 200.5, "`status` must be a whole number, not 200.5"),
    "word": (
        "rouge_score",
        "rouge_type",
        "rouge_2",
        '`rouge_type` must be one of rouge_1, rouge_l, not "rouge_2"',
    ),
    "long word": (
        "rouge_score",
        "rouge_type",
        "a\n" * 100,
        '`rouge_type` must be one of rouge_1, rouge_l, not "' + "a\\n" * 30 + '…"',
    ),
    "no list": ("blocklist", "terms", "acme", "`terms` must be a list, not text"),
    "no array": ("blocklist", "terms", {"a"}, "`terms` must be a list, not a value of type set"),
    "empty list": ("blocklist", "terms", [], "`terms` must have at least one member, not 0"),
    "member": ("blocklist", "terms", ["a", "b", None], "`terms[2]` must be text, not null"),
    "empty member": ("blocklist", "terms", ["a", ""], "`terms[1]` must not be empty"),
    "blank member": ("tool_called", "tools", ["\t"], "`tools[0]` must not be blank"),
    "not boolean": (
        "exact_match",
        "case_sensitive",
        1,
        "`case_sensitive` must be true or false, not a number",
    ),
    "no object": ("json_schema", "schema", True, "`schema` must be an object, not a boolean"),
    "category": (
        "llm_category",
        "categories",
        ["a", "b", " A\t"],
        "`categories[2]` must differ from member 0 by more than case and outer whitespace",
    ),
    "few categories": (
        "llm_category",
        "categories",
        ["a"],
        "`categories` must have at least 2 members, not 1",
    ),
    "passing": (
        "llm_category",
        "passing_categories",
        ["A", "c"],
        "`passing_categories[1]` must be one of `categories`",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_says_what_is_wanted_and_what_kind_of_thing_was_given(name):
    type_, option, value, message = MESSAGES[name]
    with pytest.raises(GraderOptionError) as caught:
        parse_grader(mapping_of(type_, **{option: value}))
    assert [fault.message for fault in caught.value.faults] == [message]


@pytest.mark.parametrize(
    ("type_", "option", "code"),
    [
        ("contains", {"fragment": ["a"]}, "unknown_option"),
        ("contains", {"fragments": 1}, "invalid_option"),
        ("regex", {"pattern": "("}, "invalid_pattern"),
        ("not_regex", {"pattern": r"(a)\1"}, "unsafe_pattern"),
        ("regex", {"pattern": "(a+)+"}, "unsafe_pattern"),
        ("regex", {"pattern": "a" * 1025}, "over_cap"),
        ("json_schema", {"schema": {"type": "thing"}}, "invalid_schema"),
        ("json_schema", {"schema": {"minLength": -1}}, "invalid_schema"),
    ],
)
def test_each_cause_has_its_code(type_, option, code):
    assert [fault_code for _, fault_code in faults_of(mapping_of(type_, **option))] == [code]


def test_a_pattern_at_the_cap_is_taken():
    assert faults_of(mapping_of("regex", pattern="a" * 1024)) == []


def test_fragments_that_are_no_text_are_their_json_text():
    """Old behaviour of contains alone; not_contains refuses them."""
    given = [1, 1.0, None, True, [], {"b": 1, "a": "é"}, "x", " "]
    options: Any = parse_grader(mapping_of("contains", fragments=given))
    assert options.fragments == ("1", "1", "null", "true", "[]", '{"b":1,"a":"é"}', "x", " ")
    for member in given[:-2]:
        assert faults_of(mapping_of("not_contains", fragments=[member])) == [("fragments", "invalid_option")]


@pytest.mark.parametrize(
    ("type_", "option"),
    [
        ("contains", "fragments"),
        ("not_contains", "fragments"),
        ("blocklist", "terms"),
        ("tool_called", "tools"),
        ("context_f1", "retrieved"),
    ],
)
def test_lists_keep_order_and_repeats_and_lone_surrogates(type_, option):
    given = ["b", "\ud800", "a", "b"]
    assert getattr(parse_grader(mapping_of(type_, **{option: given})), option) == tuple(given)


def test_members_of_context_lists_may_be_empty():
    assert faults_of(mapping_of("context_f1", retrieved=["", " "], expected=[""])) == []
    assert faults_of(mapping_of("context_f1", retrieved=[], expected=[])) == [
        ("retrieved", "invalid_option"),
        ("expected", "invalid_option"),
    ]


def test_caps_and_blank_references_are_left_to_the_grader():
    """They are verdicts with codes of their own."""
    assert faults_of(mapping_of("context_f1", retrieved=["a"] * 65)) == []
    assert faults_of(mapping_of("bleu_score", reference="  ")) == []
    assert faults_of(mapping_of("localization_f1", reference="")) == []


def test_blank_means_pinned_whitespace():
    """A no-break space, U+0085 and U+FEFF are characters like any other."""
    for text in ("\u00a0", "\u0085", "\ufeff", "\u2028", "\x1c"):
        assert faults_of(mapping_of("llm_judge", rubric=text)) == []
        assert faults_of(mapping_of("tool_called", tools=[text])) == []
    for text in ("", " ", "\t\n\f\r\v"):
        assert faults_of(mapping_of("llm_judge", rubric=text)) == [("rubric", "invalid_option")]
        assert faults_of(mapping_of("json_path_assertion", path=text)) == [("path", "invalid_option")]


@pytest.mark.parametrize(
    ("categories", "passing", "faulty"),
    [
        (["safe", "unsafe"], ["safe"], None),
        (["safe", "unsafe"], ["SAFE "], None),
        (["safe", "unsafe"], ["safe", "unsafe", "safe"], None),
        (["safe\u00a0", "safe"], ["safe"], None),
        (["Straße", "STRASSE"], ["straße"], None),
        (["ΟΔΟΣ", "x"], ["οδος"], None),
        (["\u212a", "b"], ["k"], None),
        (["safe", "SAFE "], ["safe"], "categories"),
        (["\u212a", "k"], ["k"], "categories"),
        (["safe", "unsafe"], ["safe\u00a0"], "passing_categories"),
        (["safe", "unsafe"], ["ok"], "passing_categories"),
        (["safe", "unsafe"], [], "passing_categories"),
        (["safe", "unsafe"], [" "], "passing_categories"),
        (["safe", ""], ["safe"], "categories"),
        (["safe"], ["safe"], "categories"),
    ],
)
def test_categories_are_told_apart_as_a_judge_tells_them(categories, passing, faulty):
    """Case and outer pinned whitespace do not count, by full Unicode lowercasing."""
    found = faults_of(mapping_of("llm_category", categories=categories, passing_categories=passing))
    assert found == ([] if faulty is None else [(faulty, "invalid_option")])


class Colour(StrEnum):
    RED = "red"


class Status(IntEnum):
    OK = 200


def test_subclasses_of_plain_values_are_stored_plain():
    terms: Any = parse_grader(mapping_of("blocklist", terms=[Colour.RED]))
    status: Any = parse_grader(mapping_of("http_status", status=Status.OK))
    assert (type(terms.terms[0]), terms.terms) == (str, ("red",))
    assert (type(status.status), status.status) == (int, 200)


def test_json_values_are_kept_exactly():
    value = {"a": [1, 2.5, None, True, "\ud800"], "n": 2**70}
    options: Any = parse_grader(mapping_of("exact_match", expected=value))
    assert options.expected == value
    assert options.expected is not value
    deep: Any = 1
    for _ in range(600):
        deep = [deep]
    assert faults_of(mapping_of("exact_match", expected=deep)) == [("expected", "invalid_option")]
    cycle: list[Any] = []
    cycle.append(cycle)
    assert faults_of(mapping_of("exact_match", expected=cycle)) == [("expected", "invalid_option")]


def test_every_type_has_a_specimen():
    assert list(MINIMAL) == list(OPTIONS)
    for type_ in OPTIONS:
        assert faults_of(mapping_of(type_)) == []
