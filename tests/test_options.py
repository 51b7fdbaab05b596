"""The options classes: the registry in code, how they are built, and what kind of objects they are."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
from typing import Any

import pytest
from tests.option_specimens import MINIMAL, faults_of, mapping_of

from gradestone.codes import CODES
from gradestone.options import (
    ABSENT,
    OPTIONS,
    Absent,
    BleuScore,
    Contains,
    ContextF1,
    CustomWebhook,
    ExactMatch,
    Fault,
    GraderOptionError,
    GraderOptions,
    JsonPathAssertion,
    JsonSchema,
    LlmJudge,
    LlmScore,
    parse_grader,
)
from gradestone.registry import load_registry

REGISTRY = load_registry()
CASE_REFERENCE = {"bleu_score": {"reference"}, "rouge_score": {"reference"}}
"""Required by the registry, but the case reference can stand in, so no fault of the options."""


def schemas(type_: str) -> dict[str, dict[str, Any]]:
    return dict(REGISTRY[type_].options["properties"])


@pytest.mark.parametrize("type_", OPTIONS)
def test_a_class_has_the_options_of_the_registry(type_):
    cls = OPTIONS[type_]
    assert cls.type == type_
    assert set(cls.names()) == set(schemas(type_))
    required = set(REGISTRY[type_].options.get("required", ()))
    assert cls.required() == required - CASE_REFERENCE.get(type_, set())


@pytest.mark.parametrize("type_", OPTIONS)
def test_a_class_has_the_defaults_of_the_registry(type_):
    """But for timeout_s, which stays absent: the time limit of a run comes before the registry's default."""
    options = parse_grader(mapping_of(type_))
    for name, schema in schemas(type_).items():
        if name not in MINIMAL[type_]:
            default = ABSENT if name == "timeout_s" else schema.get("default", ABSENT)
            assert getattr(options, name) == default, name
            assert type(getattr(options, name)) is type(default), name


@pytest.mark.parametrize("type_", OPTIONS)
def test_the_manual_page_is_complete(type_):
    """It names every option, codes that exist, what empty input does, the cost, and shows an example."""
    page = inspect.getdoc(OPTIONS[type_]) or ""
    assert page.startswith("Passes when ")
    for part in ("Options:", "Empty and missing: ", "Cost", "Codes: ", ">>> "):
        assert part in page
    for name in OPTIONS[type_].names():
        assert re.search(rf"\b{name}\b", page), name
    codes = re.search(r"Codes: (.*?)\.(\s|$)", page, re.DOTALL)
    assert codes is not None
    for code in re.findall(r"\b[a-z]+_[a-z_]+\b|\bok\b", codes.group(1)):
        assert code in CODES or code in OPTIONS, code


@pytest.mark.parametrize("type_", OPTIONS)
def test_a_mapping_comes_back(type_):
    """to_mapping is what parse_grader takes, plain JSON, without absent options."""
    options = parse_grader(mapping_of(type_))
    mapping = options.to_mapping()
    assert mapping.items() >= mapping_of(type_).items()
    assert ABSENT not in mapping.values()
    assert parse_grader(mapping) == options
    assert parse_grader(mapping).to_mapping() == mapping


@pytest.mark.parametrize("type_", OPTIONS)
def test_an_object_built_by_hand_is_the_parsed_one(type_):
    options = OPTIONS[type_](**MINIMAL[type_])
    assert options == parse_grader(mapping_of(type_))
    assert hash(options) == hash(parse_grader(mapping_of(type_)))
    assert isinstance(options, GraderOptions)


@pytest.mark.parametrize("type_", OPTIONS)
def test_an_object_is_frozen_slotted_and_survives_copies(type_):
    options = parse_grader(mapping_of(type_))
    assert not hasattr(options, "__dict__")
    for name in (*options.names(), "no_such_option"):
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError, AttributeError)):
            setattr(options, name, 1)
    for twin in (pickle.loads(pickle.dumps(options)), copy.copy(options), copy.deepcopy(options)):
        assert twin == options
        assert type(twin) is type(options)


@pytest.mark.parametrize("type_", [type_ for type_ in OPTIONS if OPTIONS[type_].required()])
def test_required_options_are_keywords_that_must_be_given(type_):
    """Left out they are Python's own TypeError; given as ABSENT they are faults, all of them."""
    cls: Any = OPTIONS[type_]
    with pytest.raises(TypeError, match="required keyword-only"):
        cls()
    with pytest.raises(TypeError, match="positional"):
        cls(1)
    with pytest.raises(GraderOptionError) as caught:
        cls(**dict.fromkeys(cls.required(), ABSENT))
    assert {fault[:2] for fault in caught.value.faults} == {
        (name, "missing_option") for name in cls.required()
    }


def test_absent_is_one_false_object_with_a_short_repr():
    assert not ABSENT
    assert repr(ABSENT) == "ABSENT"
    assert pickle.loads(pickle.dumps(ABSENT)) is copy.deepcopy(ABSENT) is Absent.ABSENT is ABSENT


def test_null_is_not_absent():
    """Only expected and equals take null, and keep it."""
    assert ExactMatch(expected=None).expected is None
    assert ExactMatch().expected is ABSENT
    assert JsonPathAssertion(path="a", equals=None).to_mapping() == {
        "type": "json_path_assertion",
        "path": "a",
        "equals": None,
    }
    assert faults_of(mapping_of("bleu_score", threshold=None)) == [("threshold", "invalid_option")]
    assert faults_of(mapping_of("no_pii", entities=None)) == [("entities", "invalid_option")]


def test_an_option_of_the_value_absent_takes_its_default():
    assert parse_grader(mapping_of("bleu_score", threshold=ABSENT)) == BleuScore()
    assert BleuScore(threshold=ABSENT).threshold == 0.5  # type: ignore[arg-type]


def test_all_faults_are_listed_at_once():
    """Unknown options first, then each option in order, one fault an option."""
    with pytest.raises(GraderOptionError) as caught:
        parse_grader(
            {"type": "context_f1", "treshold": 1, "retrieved": ["a", 1, 2], "threshold": "1", "measure": "f2"}
        )
    assert caught.value.grader == "context_f1"
    assert caught.value.faults == (
        Fault("treshold", "unknown_option", "context_f1 has no option `treshold`; did you mean `threshold`?"),
        Fault("retrieved", "invalid_option", "`retrieved[1]` must be text, not a number"),
        Fault("expected", "missing_option", "context_f1 needs the option `expected`"),
        Fault("measure", "invalid_option", '`measure` must be one of precision, recall, f1, not "f2"'),
        Fault("threshold", "invalid_option", "`threshold` must be a number from 0 to 1, not text"),
    )
    for fault in caught.value.faults:
        assert fault.message in str(caught.value)
    assert str(caught.value).startswith("invalid options of context_f1: ")


def test_the_error_survives_pickling():
    """Workers of other processes hand it back."""
    error = GraderOptionError("a", [Fault("b", "invalid_option", "c")])
    twin = pickle.loads(pickle.dumps(error))
    assert (twin.grader, twin.faults, str(twin)) == (error.grader, error.faults, str(error))


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("blue_score", "; did you mean `bleu_score`?"),
        ("BLEU-Score", "; did you mean `bleu_score`?"),
        ("containz", "; did you mean `contains`?"),
        ("llm judge", "; did you mean `llm_judge`?"),
        ("embedding_distance", ""),
        ("", ""),
        ("x" * 100_000, ""),
    ],
)
def test_an_unknown_type_names_the_nearest(given, hint):
    with pytest.raises(GraderOptionError) as caught:
        parse_grader({"type": given})
    (fault,) = caught.value.faults
    assert fault.code == "unknown_type"
    assert fault.message.endswith(hint)
    assert ("did you mean" in fault.message) == bool(hint)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("given", [None, 3, True, ["contains"], {"contains": 1}, b"contains"])
def test_a_type_that_is_no_text_is_unknown(given):
    assert faults_of({"type": given, "fragments": ["a"]}) == [("type", "unknown_type")]


def test_a_missing_type_says_so():
    assert faults_of({"fragments": ["a"]}) == [("type", "missing_option")]
    assert faults_of({}) == [("type", "missing_option")]


@pytest.mark.parametrize(
    ("type_", "given", "hint"),
    [
        ("contains", "fragment", "; did you mean `fragments`?"),
        ("exact_match", "caseSensitive", "; did you mean `case_sensitive`?"),
        ("exact_match", "case-sensitive", "; did you mean `case_sensitive`?"),
        ("blocklist", "colour", "; it has `terms`"),
        ("custom", "pattern", "; it has none"),
        ("blocklist", "terms\nterms", "; did you mean `terms`?"),
        ("blocklist", "terms\ud800", "; did you mean `terms`?"),
        ("blocklist", "t" * 100_000, "; it has `terms`"),
    ],
)
def test_an_unknown_option_names_the_nearest_or_all(type_, given, hint):
    """On one line that can be printed, however the name is spelt."""
    with pytest.raises(GraderOptionError) as caught:
        parse_grader(mapping_of(type_, **{given: 1}))
    (fault,) = caught.value.faults
    assert (fault.option, fault.code) == (given, "unknown_option")
    assert fault.message.endswith(hint) or hint in fault.message
    assert len(fault.message) < 300
    assert fault.message.isprintable()


@pytest.mark.parametrize("given", [None, "contains", ["type"], 3, BleuScore()])
def test_a_grader_that_is_no_mapping_is_misuse(given):
    with pytest.raises(TypeError, match="must be a mapping"):
        parse_grader(given)


def test_a_key_that_is_no_text_is_misuse():
    bad: Any = {"type": "custom", 3: 1}
    with pytest.raises(TypeError, match="must be text, not int"):
        parse_grader(bad)


def test_columns_stand_in_for_required_options():
    """Those named may be left out and are then ABSENT; the others may not, and what is given is checked."""
    both = frozenset({"retrieved", "expected"})
    options = parse_grader({"type": "context_f1"}, columns=both)
    assert isinstance(options, ContextF1)
    assert options.retrieved is options.expected is ABSENT
    assert options.missing() == both
    assert parse_grader(options.to_mapping(), columns=both) == options
    assert faults_of({"type": "context_f1"}, frozenset({"expected", "unrelated"})) == [
        ("retrieved", "missing_option")
    ]
    assert faults_of({"type": "context_f1", "retrieved": []}, both) == [("retrieved", "invalid_option")]
    assert parse_grader(mapping_of("context_f1"), columns=both).missing() == frozenset()


def test_columns_of_categories_leave_the_comparison_to_the_row():
    mapping = mapping_of("llm_category")
    del mapping["categories"]
    assert parse_grader(mapping, columns={"categories"}).missing() == {"categories"}


def test_nothing_that_happens_to_the_callers_objects_changes_a_grader():
    fragments, schema = ["a"], {"properties": {"a": {"type": "string"}}}
    contains, json_schema = Contains(fragments=fragments), JsonSchema(schema=schema)
    fragments.append("b")
    schema["properties"]["a"]["type"] = "number"
    assert contains.fragments == ("a",)
    assert json_schema.schema == {"properties": {"a": {"type": "string"}}}
    contains.to_mapping()["fragments"].append("b")
    json_schema.to_mapping()["schema"].clear()
    assert contains.to_mapping()["fragments"] == ["a"]
    assert json_schema.schema


def test_graders_are_equal_by_value_and_type():
    """True is not 1, 1 is 1.0, the order of keys does not count, and types differ from each other."""

    def asserting(value: Any) -> JsonPathAssertion:
        return JsonPathAssertion(path="a", equals=value)

    assert asserting(1) != asserting(True)
    assert asserting(1) == asserting(1.0)
    assert asserting({"a": 1, "b": 2}) == asserting({"b": 2, "a": 1})
    assert asserting([1, 2]) != asserting([2, 1])
    assert ExactMatch() != BleuScore()
    assert ExactMatch() != {"type": "exact_match"}
    assert len({asserting(1), asserting(1.0), asserting(True), asserting({"a": [1]})}) == 3


def test_replace_checks_anew():
    options = dataclasses.replace(BleuScore(reference="a"), threshold=0.9)
    assert options == BleuScore(reference="a", threshold=0.9)
    with pytest.raises(GraderOptionError):
        dataclasses.replace(options, threshold=2)


SECRET = "s3cret-0815"


@pytest.mark.parametrize("type_", [type_ for type_ in OPTIONS if "api_key" in OPTIONS[type_].names()])
def test_keys_do_not_show(type_):
    """Neither in repr nor in a fault, whether the key is in order or not."""
    mapping = mapping_of(type_, api_key=SECRET, upstream_key=SECRET)
    assert SECRET not in repr(parse_grader(mapping))
    assert parse_grader(mapping).to_mapping()["api_key"] == SECRET
    for option in ("api_key", "upstream_key"):
        for bad in ([SECRET], {SECRET: SECRET}, 8150815, SECRET.encode(), None):
            with pytest.raises(GraderOptionError) as caught:
                parse_grader(mapping | {option: bad, "model": ""})
            assert {fault.option for fault in caught.value.faults} == {option, "model"}
            told = f"{caught.value} {caught.value!r} {caught.value.faults}"
            assert SECRET not in told
            assert "8150815" not in told
    with pytest.raises(GraderOptionError) as caught:
        parse_grader(mapping_of(type_, api_kye=SECRET))
    assert SECRET not in repr(caught.value)


def test_a_webhook_keeps_other_keys_and_does_not_show_them():
    """Also one that is named like the field that holds them."""
    mapping = mapping_of("custom_webhook", team="a", extra=[1], token=SECRET)
    options = parse_grader(mapping)
    assert isinstance(options, CustomWebhook)
    assert options.extra == {"team": "a", "extra": [1], "token": SECRET}
    assert options.to_mapping() == mapping
    assert SECRET not in repr(options)
    assert CustomWebhook(url=mapping["url"], extra=options.extra) == options
    assert CustomWebhook(url="u", extra={}) == CustomWebhook(url="u")


@pytest.mark.parametrize(
    "extra", [None, [1], "a", {"url": "b"}, {"type": "contains"}, {"a": float("nan")}, {1: 2}]
)
def test_a_webhook_refuses_other_keys_that_are_none(extra):
    """No object, no JSON, or keys that would hide the webhook's own."""
    with pytest.raises(GraderOptionError) as caught:
        CustomWebhook(url="u", extra=extra)
    assert {fault[:2] for fault in caught.value.faults} == {("extra", "invalid_option")}


def test_only_a_webhook_takes_other_keys():
    for type_ in OPTIONS:
        expected = [] if type_ == "custom_webhook" else [("extra", "unknown_option")]
        assert faults_of(mapping_of(type_, extra={"a": 1})) == expected


def test_calling_an_object_grades_one_candidate():
    assert Contains(fragments=["a"])("abc").passed
    assert not Contains(fragments=["a"])("xyz").passed


def test_shared_judge_options_have_their_defaults():
    judge = LlmJudge(rubric="r")
    assert (judge.model, judge.upstream_key, judge.on_conflict) == ("gpt-5.5", "stub", "first")
    assert judge.api_key is judge.gateway_url is judge.subject_model is judge.timeout_s is ABSENT
    assert LlmScore(rubric="r", min_score=1, on_conflict="fail").min_score == 1.0
