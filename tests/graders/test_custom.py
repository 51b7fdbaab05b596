"""The legacy grader ``custom``: predicates in the case reference."""

from __future__ import annotations

from typing import Any

import pytest

from gradestone.graders.custom import custom, parse_custom
from gradestone.graders.rows import Batch
from gradestone.options import ABSENT, Contains, Custom, GraderOptions, JsonPathAssertion, Regex

PREDICATES: dict[str, tuple[Any, GraderOptions]] = {
    "regex": ({"regex": r"\d+"}, Regex(pattern=r"\d+")),
    "contains": ({"contains": "a"}, Contains(fragments=["a"])),
    "jsonpath": ({"jsonpath": "a.0"}, JsonPathAssertion(path="a.0")),
    "jsonpath and equals": ({"equals": [1], "jsonpath": "a"}, JsonPathAssertion(path="a", equals=[1])),
    "jsonpath and equals null": ({"jsonpath": "a", "equals": None}, JsonPathAssertion(path="a", equals=None)),
}


@pytest.mark.parametrize(("reference", "options"), PREDICATES.values(), ids=PREDICATES)
def test_predicates(reference: Any, options: GraderOptions) -> None:
    """Each becomes the options of the grader that judges it."""
    assert parse_custom(reference) == options


REFUSED: dict[str, Any] = {
    "null": None,
    "text": "regex",
    "list": [{"regex": "a"}],
    "empty": {},
    "unknown": {"glob": "*"},
    "two predicates": {"regex": "a", "contains": "a"},
    "extra key": {"regex": "a", "flags": "i"},
    "equals alone": {"equals": 1},
    "equals with another": {"contains": "a", "equals": 1},
    "exists": {"jsonpath": "a", "exists": True},
    "pattern that is no text": {"regex": 5},
    "broken pattern": {"regex": "("},
    "unsafe pattern": {"regex": "(a+)+"},
    "long pattern": {"regex": "a" * 1025},
    "empty pattern": {"regex": ""},
    "fragment that is no text": {"contains": 5},
    "fragments": {"contains": ["a"]},
    "empty fragment": {"contains": ""},
    "path that is no text": {"jsonpath": None},
    "blank path": {"jsonpath": " "},
    "no JSON": {"regex": b"a"},
    "NaN": {"jsonpath": "a", "equals": float("nan")},
    "key that is no text": {5: 1},
}


@pytest.mark.parametrize("reference", REFUSED.values(), ids=REFUSED)
def test_anything_else_is_an_invalid_reference(reference: Any) -> None:
    """A message on one line that does not show the reference."""
    message = parse_custom(reference)
    assert isinstance(message, str)
    assert message.startswith("reference")
    assert message.isprintable()
    assert verdicts(["a"], [reference]) == ["invalid_reference"]


def verdicts(candidates: list[Any], references: Any, nulls: Any = "json") -> list[str]:
    batch = Batch(candidates, references, {}, nulls, 1, "python")
    run = custom(Custom(), "python")(batch)
    return [run.row(index).code for index in range(len(candidates))]


def test_each_row_is_judged_by_its_own_predicate() -> None:
    """The verdicts are those of regex, contains and json_path_assertion."""
    rows: list[tuple[Any, Any, str]] = [
        ("order 66", {"regex": r"order \d+"}, "ok"),
        ("order", {"regex": r"order \d+"}, "no_match"),
        ("Paris, France", {"contains": "Paris"}, "ok"),
        ("paris", {"contains": "Paris"}, "missing_fragment"),
        ('{"a": [5]}', {"jsonpath": "a.0", "equals": 5}, "ok"),
        ({"a": [5]}, {"jsonpath": "a.0", "equals": 6}, "value_mismatch"),
        ({"a": []}, {"jsonpath": "a.0"}, "path_not_found"),
        ({"b": "x"}, {"contains": '{"b":"x"}'}, "ok"),
        ("x", {"glob": "*"}, "invalid_reference"),
    ]
    candidates, references, codes = map(list, zip(*rows, strict=True))
    assert verdicts(candidates, references) == codes


def test_without_a_reference_nothing_is_judged() -> None:
    """Neither where no column is given, nor where its cell is missing."""
    assert verdicts(["a"], ABSENT) == ["missing_reference"]
    assert verdicts(["a", "a"], [None, {"contains": "a"}], nulls="missing") == ["missing_reference", "ok"]
