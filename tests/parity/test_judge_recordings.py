"""Judges as the TypeScript package asked and understood them: its prompts to the byte, its verdicts."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tests.graders.stubs import GATEWAY, Fetch, judged
from tests.ts_fixtures import ts_fixtures, ts_json

from gradestone import GradeDeps, GradeResult, grade, load_registry

VECTORS = "langevals-judge.vectors.json"


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the machine's settings reaches a test."""
    for name in ("GRADESTONE_GATEWAY_URL", "CAVE_GATEWAY_URL", "GRADESTONE_API_KEY", "GRADESTONE_REGISTRY"):
        monkeypatch.delenv(name, raising=False)


def replayed(row: dict[str, Any], **settings: Any) -> tuple[GradeResult, Fetch]:
    """Our verdict on a recorded row, and what was asked for it."""
    fetch = judged(*row["stub_responses"])
    spec = {"type": row["type"], "gateway_url": GATEWAY, **row["options"]}
    return grade(spec, row["candidate"], deps=GradeDeps(fetch=fetch, **settings)), fetch


def test_every_recorded_judgement() -> None:
    """63 rows under the recordings' registry: verdict, number of calls, and every prompt to the byte."""
    rows = ts_json(VECTORS)
    assert len(rows) == 63
    wrong = []
    for row in rows:
        result, fetch = replayed(row, registry=ts_fixtures() / "grader-registry.json")
        bodies = [json.loads(request.body.decode("ascii")) for request in fetch.requests]
        prompts = [body.pop("input").encode("utf-8") for body in bodies]
        if prompts != [prompt.encode("utf-8") for prompt in row["expected_prompts"]]:
            wrong.append(f"{row['name']}: prompts {prompts}")
        if any(body != {"model": "gpt-5.5"} for body in bodies):
            wrong.append(f"{row['name']}: bodies {bodies}")
        if result.passed is not row["expected_passed"]:
            wrong.append(f"{row['name']}: {result!r}")
        if row.get("expected_reason_contains", "") not in result.reason:
            wrong.append(f"{row['name']}: reason {result.reason}")
    assert wrong == []


def test_the_verdicts_do_not_hang_on_the_wording() -> None:
    """Under our own registry the verdicts and the numbers of calls are the same, and the prompts are others."""
    rows = ts_json(VECTORS)
    for row in rows:
        result, fetch = replayed(row, registry=load_registry())
        assert (result.passed, len(fetch.requests)) == (row["expected_passed"], len(row["expected_prompts"]))
        assert not set(fetch.prompts) & set(row["expected_prompts"])


def test_the_recordings_hold_passes_and_fails_of_every_type() -> None:
    """A comparison that never sees a pass would be met by a judge that fails everything."""
    outcomes = Counter((row["type"], row["expected_passed"]) for row in ts_json(VECTORS))
    kinds = ("llm_score", "llm_category", "llm_pairwise", "llm_answer_match")
    assert outcomes.keys() == {(kind, passed) for kind in kinds for passed in (True, False)}
