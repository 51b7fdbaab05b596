"""Whatever a mapping of JSON values says, it is an options object or a list of faults, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
from hypothesis import given
from hypothesis import strategies as st
from tests.option_specimens import MINIMAL
from tests.texts import texts

from gradestone.codes import CODES, Outcome
from gradestone.options import OPTIONS, GraderOptionError, parse_grader
from gradestone.registry import load_registry

REGISTRY = load_registry()
NAMES = sorted({name for cls in OPTIONS.values() for name in cls.names()})
WORDS = ["rouge_l", "recall", "f1", "email", "first", "object", "a", "(a+)+", "("]

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, 1, -0.0, 0.5, 1.0, 2**63, 10**400])
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
    | texts
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
option_names = st.sampled_from(NAMES) | texts


@st.composite
def mappings(draw: st.DrawFn) -> dict[str, Any]:
    """A type that is mostly known, its required options or not, and some other options with any value."""
    type_ = draw(st.sampled_from(list(OPTIONS)) | values)
    known = MINIMAL.get(type_, {}) if isinstance(type_, str) else {}
    base = known if draw(st.booleans()) else {}
    return {"type": type_} | base | draw(st.dictionaries(option_names, values, max_size=4))


@given(mappings())
def test_a_mapping_parses_or_is_refused_with_faults(mapping):
    try:
        options = parse_grader(mapping)
    except GraderOptionError as error:
        assert error.faults
        for fault in error.faults:
            assert CODES[fault.code].outcome is Outcome.INVALID
            assert fault.message.isprintable()
        assert str(error)
        return
    assert parse_grader(options.to_mapping()) == options
    assert isinstance(repr(options), str)
    assert hash(options) == hash(parse_grader(mapping))


@given(st.dictionaries(texts | st.just("type"), values, max_size=4))
def test_any_json_object_at_all(mapping):
    try:
        parse_grader(mapping)
    except GraderOptionError as error:
        assert error.faults


@given(st.sampled_from(list(OPTIONS)), st.data())
def test_what_a_class_takes_the_registry_takes(type_, data):
    """The registry's schema admits whatever the class accepts, so a form made of it hides nothing."""
    names = list(REGISTRY[type_].options["properties"])
    if not names:
        return
    given_options = MINIMAL[type_] | data.draw(st.dictionaries(st.sampled_from(names), values, max_size=3))
    mapping = {"type": type_} | given_options
    try:
        parse_grader(mapping)
        json.dumps(given_options, ensure_ascii=False).encode()
    except (GraderOptionError, UnicodeEncodeError):
        return
    bleu_like = {"reference": "r"} if "reference" in REGISTRY[type_].options.get("required", ()) else {}
    assert jsonschema_rs.is_valid(REGISTRY[type_].options, bleu_like | given_options)


@given(mappings(), st.sets(st.sampled_from(NAMES)))
def test_columns_only_ever_take_missing_faults_away(mapping, columns):
    def faults(*of: frozenset[str]) -> set[tuple[str, str]]:
        try:
            parse_grader(mapping, columns=of[0] if of else frozenset())
        except GraderOptionError as error:
            return {(fault.option, fault.code) for fault in error.faults}
        return set()

    without, with_columns = faults(), faults(frozenset(columns))
    assert with_columns <= without
    assert all(code == "missing_option" and option in columns for option, code in without - with_columns)
