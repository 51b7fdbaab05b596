"""Faults that people reported of other tools, as cases: right answers here, passes and fails gated apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.graders.stubs import Fetch, said
from tests.ts_fixtures import shared

from gradestone import GradeDeps, GradeResult, grade
from gradestone.net import Response, SsrfVerdict

BACKENDS = ("rust", "python")
NOT_OURS_YET = {"geval"}


def cases(*, outside: bool) -> Iterator[dict[str, Any]]:
    """The cases of a judge or a webhook, or those that need none."""
    for line in (shared() / "bugs" / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if ("deps" in case) is outside and case["grader"].get("type") not in NOT_OURS_YET:
            yield case


def candidate_of(case: dict[str, Any]) -> Any:
    points = case.get("candidate_codepoints")
    return case["candidate"] if points is None else "".join(map(chr, points))


def leaks(case: dict[str, Any], result: GradeResult) -> list[str]:
    """What a verdict holds although the case forbids it."""
    told = f"{result!r} {result.to_dict()}"
    return [text for text in case.get("reason_must_not_contain", ()) if text in told]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("expected", "count"), [(True, 50), (False, 157)], ids=["passes", "fails"])
def test_every_case_that_needs_no_network(expected: bool, count: int, backend: str) -> None:
    """The verdict is the right one, and a reason never holds what the case forbids."""
    chosen = [case for case in cases(outside=False) if case["expected_passed"] is expected]
    assert len(chosen) == count
    wrong = []
    for case in chosen:
        result = grade(case["grader"], candidate_of(case), backend=backend)
        leaked = leaks(case, result)
        if result.passed is not expected or leaked:
            wrong.append(f"{case['id']}: {result!r} {leaked} ({case['note']})")
    assert wrong == []


def response_of(answer: dict[str, Any]) -> Response:
    """An answer as a case describes it."""
    body = answer["text"] if "text" in answer else json.dumps(answer["json"])
    return Response(answer["status"], answer.get("headers", {}), body.encode())


def fetch_of(deps: dict[str, Any]) -> Fetch:
    """The stubbed judge or webhook of a case."""
    if "http" in deps:
        return Fetch(response_of(deps["http"]))
    if "judge_http" in deps:
        return Fetch(*map(response_of, deps["judge_http"]))
    return Fetch(*map(said, deps["judge_texts"]))


def allow(_url: str) -> SsrfVerdict:
    return SsrfVerdict(True)


@pytest.mark.parametrize(("expected", "count"), [(True, 12), (False, 107)], ids=["passes", "fails"])
def test_every_case_of_a_judge_or_a_webhook(expected: bool, count: int) -> None:
    """The verdict is the right one under the real guard, and what must not be fetched is not."""
    chosen = [case for case in cases(outside=True) if case["expected_passed"] is expected]
    assert len(chosen) == count
    wrong = []
    for case in chosen:
        deps = case["deps"]
        fetch = fetch_of(deps)
        check = allow if deps.get("ssrf") == "allow" else None
        result = grade(case["grader"], candidate_of(case), deps=GradeDeps(fetch=fetch, ssrf_check=check))
        was_asked = bool(fetch.requests) if deps.get("must_not_fetch") else False
        if result.passed is not expected or was_asked or leaks(case, result):
            wrong.append(f"{case['id']}: {result!r} asked: {len(fetch.requests)} ({case['note']})")
    assert wrong == []


def test_the_cases_of_a_judge_or_a_webhook_reach_it() -> None:
    """Whatever may be fetched is fetched: no case fails only because nothing was asked."""
    silent = []
    for case in cases(outside=True):
        fetch = fetch_of(case["deps"])
        check = allow if case["deps"].get("ssrf") == "allow" else None
        grade(case["grader"], candidate_of(case), deps=GradeDeps(fetch=fetch, ssrf_check=check))
        if not case["deps"].get("must_not_fetch") and not fetch.requests:
            silent.append(case["id"])
    assert silent == []
