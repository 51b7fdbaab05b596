"""NumPy's values as options: taken as what they hold, by the same strict rules, and stored plain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.option_specimens import faults_of, mapping_of

from gradestone.options import parse_grader

NUMPY: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "float64": (mapping_of("bleu_score", threshold=np.float64(0.25)), {"threshold": 0.25}),
    "float32": (mapping_of("bleu_score", threshold=np.float32(0.25)), {"threshold": 0.25}),
    "int64": (mapping_of("http_status", status=np.int64(200)), {"status": 200}),
    "uint8": (mapping_of("token_threshold", max_tokens=np.uint8(9)), {"max_tokens": 9}),
    "bool_": (mapping_of("exact_match", case_sensitive=np.bool_(True)), {"case_sensitive": True}),
    "str_": (mapping_of("bleu_score", reference=np.str_("a")), {"reference": "a"}),
    "0-d array": (mapping_of("bleu_score", threshold=np.array(0.25)), {"threshold": 0.25}),
    "array of text": (mapping_of("blocklist", terms=np.array(["a", "b"])), {"terms": ("a", "b")}),
    "array of objects": (
        mapping_of("blocklist", terms=np.array(["a", "b"], dtype=object)),
        {"terms": ("a", "b")},
    ),
    "list of str_": (mapping_of("blocklist", terms=[np.str_("a")]), {"terms": ("a",)}),
    "type": (mapping_of("contains") | {"type": np.str_("contains")}, {"fragments": ("a",)}),
    "tuple": (mapping_of("blocklist", terms=("a", "b")), {"terms": ("a", "b")}),
    "fragment": (mapping_of("contains", fragments=[np.int64(7), "b"]), {"fragments": ("7", "b")}),
}


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_values_are_what_they_hold(name):
    """And are stored as plain Python values."""
    mapping, stored = NUMPY[name]
    options = parse_grader(mapping)
    for option, value in stored.items():
        assert getattr(options, option) == value
        assert type(getattr(options, option)) is type(value)
        if isinstance(value, tuple):
            assert {type(member) for member in getattr(options, option)} == {str}


@pytest.mark.parametrize(
    ("type_", "option", "value"),
    [
        ("bleu_score", "threshold", np.bool_(True)),
        ("bleu_score", "threshold", np.float64("nan")),
        ("bleu_score", "threshold", np.str_("0.5")),
        ("bleu_score", "threshold", np.timedelta64(1)),
        ("bleu_score", "threshold", np.array([0.5])),
        ("bleu_score", "threshold", np.complex128(0.5)),
        ("exact_match", "case_sensitive", np.int64(1)),
        ("blocklist", "terms", np.array([1, 2])),
        ("blocklist", "terms", np.array([["a"], ["b"]])),
        ("blocklist", "terms", np.array("a")),
        ("blocklist", "terms", np.array([], dtype="U1")),
    ],
)
def test_numpy_values_of_the_wrong_kind_are_refused(type_, option, value):
    assert faults_of(mapping_of(type_, **{option: value})) == [(option, "invalid_option")]
