"""Faults that people reported of other tools, as cases: right answers here, passes and fails gated apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.ts_fixtures import shared

from gradestone import grade

BACKENDS = ("rust", "python")


def cases() -> Iterator[dict[str, Any]]:
    """The cases that need no network: no judge, no webhook."""
    for line in (shared() / "bugs" / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if "deps" not in case:
            yield case


def candidate_of(case: dict[str, Any]) -> Any:
    points = case.get("candidate_codepoints")
    return case["candidate"] if points is None else "".join(map(chr, points))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("expected", "count"), [(True, 50), (False, 157)], ids=["passes", "fails"])
def test_every_case_that_needs_no_network(expected: bool, count: int, backend: str) -> None:
    """The verdict is the right one, and a reason never holds what the case forbids."""
    chosen = [case for case in cases() if case["expected_passed"] is expected]
    assert len(chosen) == count
    wrong = []
    for case in chosen:
        result = grade(case["grader"], candidate_of(case), backend=backend)
        leaked = [
            text
            for text in case.get("reason_must_not_contain", ())
            if text in f"{result!r} {result.to_dict()}"
        ]
        if result.passed is not expected or leaked:
            wrong.append(f"{case['id']}: {result!r} {leaked} ({case['note']})")
    assert wrong == []
