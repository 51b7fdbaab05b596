"""Running cases: what agrees, what differs, and what is not run."""

from __future__ import annotations

from typing import Any

import pytest

from gradestone.judge.prompts import fill
from gradestone.options import ABSENT
from gradestone.registry import load_registry
from gradestone.verification import Case, Expected, check, run_cases
from gradestone.verification.reading import Judge

SCORE = 0.5373186702169212


def bleu(**expected: Any) -> Case:
    options = {"reference": "the cat sat on the mat"}
    stated = {"passed": True, "metadata": {}} | expected
    return Case("n", "bleu_score", options, "the cat sat on a mat", ABSENT, Expected(**stated))


def test_agreement() -> None:
    """What is stated is compared, and nothing else."""
    score = check(bleu(passed=False), "python")
    assert score is not None
    exact = score.got["score"]
    assert check(bleu(), "python") is None
    assert check(bleu(code="ok", score=exact, metadata={"clipped": [5, 3, 2, 1]}), "python") is None


@pytest.mark.parametrize(
    "expected",
    [
        {"passed": False},
        {"code": "below_threshold"},
        {"score": 0.6},
        {"metadata": {"clipped": [5, 3, 2, 2]}},
        {"metadata": {"candidate_tokens": 7}},
        {"metadata": {"candidate_tokens": True}},
        {"metadata": {"colour": 1}},
    ],
)
def test_difference(expected: dict[str, Any]) -> None:
    """Each is told with what was expected and all that was got."""
    difference = check(bleu(**expected), "python")
    assert difference is not None
    assert (difference.case, difference.type, difference.backend) == ("n", "bleu_score", "python")
    for key, value in expected.items():
        assert difference.expected[key] == value
    assert list(difference.got) == ["passed", "code", "score", "metadata", "reason"]


@pytest.mark.parametrize(
    ("off", "tolerance", "agrees"),
    [
        (0, 1e-12, True),
        (0.9e-12, 1e-12, True),
        (2e-12, 1e-12, False),
        (4e-5, 0.5e-4, True),
        (6e-5, 0.5e-4, False),
    ],
)
def test_tolerance(off: float, tolerance: float, agrees: bool) -> None:
    """Never looser than stated."""
    wrong = check(bleu(passed=False), "python")
    assert wrong is not None
    for sign in (1, -1):
        case = bleu(score=wrong.got["score"] + sign * off, tolerance=tolerance)
        assert (check(case, "python") is None) is agrees


def test_unscored_graders_have_scores_too() -> None:
    """1 or 0; a case that does not state it is held to it."""
    case = Case("n", "no_pii", {}, "fine", ABSENT, Expected(passed=True, score=0.0))
    assert check(case, "python") is not None
    assert check(Case("n", "no_pii", {}, "fine", ABSENT, Expected(passed=True)), "python") is None


def test_a_null_stands_for_a_figure_that_is_not_there() -> None:
    """The package records null where nothing was scored."""
    expected = Expected(passed=False, metadata={"file_f1": None})
    assert check(Case("n", "localization_f1", {}, ": :", "a.py", expected), "python") is None
    assert check(Case("n", "localization_f1", {}, "b.py", "a.py", expected), "python") is not None


def test_an_absent_candidate_is_a_null_cell() -> None:
    """Whatever the reference; and null itself is a value."""
    for reference in (ABSENT, None, "a"):
        expected = Expected(passed=False, code="missing_candidate")
        assert check(Case("n", "exact_match", {}, ABSENT, reference, expected), "python") is None
    assert check(Case("n", "exact_match", {}, None, None, Expected(passed=True, code="ok")), "python") is None


def judged(*replies: str, **expected: Any) -> Case:
    """A case whose judge answered so."""
    judge = Judge(replies, expected.pop("prompts", ["?"] * len(replies)), expected.pop("reason_contains", ""))
    stated = {"passed": True} | expected
    return Case("n", "llm_judge", {"rubric": "r"}, "a", ABSENT, Expected(**stated), judge)


def test_tallies() -> None:
    """By type; types without a kernel run once, on the reference, and judges are such."""
    status = Case("n", "http_status", {"status": 200}, {"status": 200}, ABSENT, Expected(passed=True))
    tallies, differences = run_cases([bleu(), bleu(passed=False), status, judged("PASS")], ["python"])
    assert [(name, one.cases, one.agree, one.not_run) for name, one in tallies.items()] == [
        ("bleu_score", 2, {"python": 1}, 0),
        ("http_status", 1, {"python": 1}, 0),
        ("llm_judge", 1, {"python": 1}, 0),
    ]
    assert len(differences) == 1
    for case in (status, judged("PASS")):
        tallies, _ = run_cases([case], ["rust"])
        assert (tallies[case.type].agree, tallies[case.type].not_run) == ({}, 1)


def test_a_recorded_judge() -> None:
    """It answers as recorded, and nothing is sent; verdict, reason, number of calls and prompts must be those."""
    assert check(judged("PASS", reason_contains="PASS"), "python") is None
    for wrong in (
        judged("FAIL"),
        judged("PASS", prompts=["?", "?"]),
        judged("PASS", prompts=[]),
        judged("PASS", reason_contains="nowhere"),
    ):
        assert check(wrong, "python") is not None
    difference = check(judged("PASS", prompts=["?", "?"]), "python")
    assert difference is not None
    assert (difference.expected["calls"], difference.got["calls"]) == (2, 1)


def test_the_prompts_of_a_registry() -> None:
    """With the registry of the recording each prompt must be the recorded one, to the byte."""
    registry = load_registry()
    template = registry["llm_judge"].prompt_template
    assert template is not None
    prompt = fill(template, {"rubric": "r", "candidate": "a"})
    assert check(judged("PASS", prompts=[prompt]), "python", registry) is None
    difference = check(judged("PASS", prompts=[prompt + " "]), "python", registry)
    assert difference is not None
    assert difference.got["prompts"] == [prompt]
