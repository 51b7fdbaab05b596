"""Which files hold vectors, and what is read out of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gradestone.data.errors import InputError
from gradestone.options import ABSENT
from gradestone.verification import find_files, read_vectors
from gradestone.verification.reading import EXACT, ROUNDED, Case, Judge

RECORDED = {
    "name": "n",
    "type": "bleu_score",
    "options": {"reference": "a"},
    "candidate": "a",
    "expected_passed": True,
}
OWN = {"id": 1, "name": "n", "options": {}, "candidate": "a", "expected": {"passed": True, "code": "ok"}}


def write(folder: Path, document: object, name: str = "v.json") -> Path:
    path = folder / name
    lines = document if isinstance(document, list) and name.endswith("l") else [document]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def envelope(*tests: object, **changes: object) -> dict[str, Any]:
    return {"grader": "no_pii", "number_of_tests": len(tests), "tests": list(tests)} | changes


def only(folder: Path, document: object, name: str = "v.json") -> Case:
    cases = read_vectors(write(folder, document, name))
    assert cases is not None
    assert len(cases) == 1
    return cases[0]


def test_recorded_list_and_lines(tmp_path: Path) -> None:
    """The package's shape, as a list and as lines."""
    for name in ("v.json", "v.jsonl"):
        case = only(tmp_path, [RECORDED | {"expected_score": 1}], name)
        assert (case.name, case.type, case.options, case.candidate) == (
            "n",
            "bleu_score",
            {"reference": "a"},
            "a",
        )
        assert case.reference is ABSENT
        assert (case.expected.passed, case.expected.score, case.judge) == (True, 1.0, None)


def test_expectations_beside_the_score(tmp_path: Path) -> None:
    """They become members of the metadata."""
    case = only(
        tmp_path, [RECORDED | {"expected_pii": ["email"], "expected_hits": ["x"], "expected_file_f1": 0.5}]
    )
    assert case.expected.metadata == {"entities": ["email"], "hits": ["x"], "file_f1": 0.5}


def test_a_case_without_a_type(tmp_path: Path) -> None:
    """With a reference it is one of localization_f1; without one it is not understood."""
    untyped = {key: value for key, value in RECORDED.items() if key != "type"}
    assert only(tmp_path, [untyped | {"reference": None}]).type == "localization_f1"
    assert only(tmp_path, [untyped | {"reference": None}]).reference is None
    with pytest.raises(InputError, match="no grader has its type"):
        read_vectors(write(tmp_path, [untyped]))


def test_judges_are_told_apart(tmp_path: Path) -> None:
    """They have stubs of replies."""
    recorded = {"type": "llm_judge", "stub_responses": ["PASS"], "expected_prompts": ["Kind?"]}
    judge = only(tmp_path, [RECORDED | recorded | {"expected_reason_contains": "no"}]).judge
    assert judge == Judge(["PASS"], ["Kind?"], "no")
    with pytest.raises(InputError, match="expected_prompts is not understood"):
        read_vectors(write(tmp_path, [RECORDED | {"expected_prompts": []}]))


@pytest.mark.parametrize(
    ("scores", "tolerance"),
    [([0.5, 0.2259], ROUNDED), ([0.5, 1 / 3], EXACT), ([1, 0], ROUNDED), ([0.12345], EXACT)],
)
def test_tolerance_is_that_of_the_file(tmp_path: Path, scores: list[float], tolerance: float) -> None:
    """One figure of more than four decimals shows that none was rounded to four."""
    cases = read_vectors(write(tmp_path, [RECORDED | {"expected_score": score} for score in scores]))
    assert cases is not None
    assert {case.expected.tolerance for case in cases} == {tolerance}


def test_own_envelope(tmp_path: Path) -> None:
    """Absent members stay absent; null is a value."""
    case = only(tmp_path, envelope(OWN))
    assert (case.type, case.candidate, case.reference) == ("no_pii", "a", ABSENT)
    assert (case.expected.code, case.expected.tolerance) == ("ok", EXACT)
    bare = {key: value for key, value in OWN.items() if key != "candidate"}
    assert only(tmp_path, envelope(bare)).candidate is ABSENT
    assert only(tmp_path, envelope(bare | {"candidate": None, "reference": None})).candidate is None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ({"$repeat": ["ab", 3]}, "ababab"),
        ({"$repeat": [[1], 2]}, [1, 1]),
        ({"$repeat": ["x", 0]}, ""),
        ({"$concat": ["a", {"$repeat": ["b", 2]}, "c"]}, "abbc"),
        ({"$concat": [[1], [2, 3]]}, [1, 2, 3]),
        ({"$nest": ["x", 2]}, [["x"]]),
        ({"$literal": {"$repeat": ["a", 2]}}, {"$repeat": ["a", 2]}),
        ({"$repeat": ["a", 2], "other": 1}, {"$repeat": ["a", 2], "other": 1}),
        ({"deep": [{"$repeat": ["a", 2]}]}, {"deep": ["aa"]}),
        ({"$other": ["a", 2]}, {"$other": ["a", 2]}),
        ("\ud800", "\ud800"),
        (2**70, 2**70),
    ],
)
def test_shorthand(tmp_path: Path, written: object, value: object) -> None:
    """The forms of SPEC.md, in candidate, reference and options, and nowhere in the package's shape."""
    test = OWN | {"candidate": written, "reference": written, "options": {"o": written}}
    case = only(tmp_path, envelope(test))
    assert (case.candidate, case.reference, case.options) == (value, value, {"o": value})
    assert only(tmp_path, [RECORDED | {"candidate": written}]).candidate == written


def test_deep_shorthand(tmp_path: Path) -> None:
    """Deeper than any recursion could follow."""
    case = only(tmp_path, envelope(OWN | {"candidate": {"$nest": [0, 60_000]}}))
    levels, value = 0, case.candidate
    while value != 0:
        levels, [value] = levels + 1, value
    assert levels == 60_000
    del case


@pytest.mark.parametrize(
    "document",
    [
        [],
        {},
        [1, 2],
        {"version": 1, "graders": []},
        {"type": "object"},
        "text",
        {"grader": "a"},
        {"tests": []},
    ],
)
def test_other_files(tmp_path: Path, document: object) -> None:
    """JSON that is no vector file is no error."""
    assert read_vectors(write(tmp_path, document)) is None


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([RECORDED, {"name": "x"}], "case 2: it has no expected_passed"),
        ([RECORDED, 1], "case 2: it has no expected_passed"),
        ([RECORDED | {"expected_passed": 1}], "expected_passed is missing or no bool"),
        ([RECORDED | {"expected_score": "1"}], "expected_score is no number"),
        ([RECORDED | {"expected_score": True}], "expected_score is no number"),
        ([RECORDED | {"expected_colour": 1}], "expected_colour is not understood"),
        ([RECORDED | {"optoins": {}}], "optoins is not understood"),
        ([RECORDED | {"options": []}], "options is missing or no dict"),
        ([RECORDED | {"type": "blue_score"}], "no grader has its type"),
        ([RECORDED | {"name": None}], "name is missing or no str"),
        (envelope(OWN, number_of_tests=2), "it holds 1 cases, not 2 as it says"),
        (envelope(OWN, grader="no_pi"), "case 1: no grader has its type"),
        (envelope(1), "case [?]: it is no object"),
        (envelope(OWN | {"expected": {"passed": True}}), "expected.code is missing or no str"),
        (
            envelope(OWN | {"expected": {"passed": True, "code": "ok", "reason": ""}}),
            "expected.reason is not understood",
        ),
        (envelope(OWN | {"candidate": {"$repeat": ["a"]}}), "[$]repeat has arguments that do not fit"),
        (envelope(OWN | {"candidate": {"$concat": ["a", ["b"]]}}), "[$]concat has arguments that do not fit"),
    ],
)
def test_what_is_not_understood(tmp_path: Path, document: object, message: str) -> None:
    """An error that names file and case: an expectation that is passed over would agree with everything."""
    path = write(tmp_path, document)
    with pytest.raises(InputError, match=message) as caught:
        read_vectors(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "data"),
    [("v.json", b"{"), ("v.json", b'{"a":1,"a":2}'), ("v.json", b"\xff"), ("v.jsonl", b'{"a":1}\n{\n')],
)
def test_unreadable_files(tmp_path: Path, name: str, data: bytes) -> None:
    """Broken JSON is an error, also in a folder, since nobody knows what it would have held."""
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match="cannot read"):
        read_vectors(path)


def test_find_files(tmp_path: Path) -> None:
    """JSON and JSONL at any depth, sorted; a file that is named is taken whatever its name."""
    (tmp_path / "b").mkdir()
    for name in ("c.json", "b/a.jsonl", "a.txt", "a.py"):
        (tmp_path / name).touch()
    assert list(find_files(tmp_path)) == [tmp_path / "b/a.jsonl", tmp_path / "c.json"]
    assert list(find_files(tmp_path / "a.txt")) == [tmp_path / "a.txt"]
    with pytest.raises(InputError, match="No such file"):
        list(find_files(tmp_path / "nothing"))
