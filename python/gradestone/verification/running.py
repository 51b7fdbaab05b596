"""Running cases, and telling where a verdict differs from the recorded one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gradestone.backends import BackendName
from gradestone.grading import grade, grade_batch
from gradestone.options import ABSENT
from gradestone.registry import load_registry
from gradestone.verdict import GradeResult
from gradestone.verification.reading import Case


@dataclass(frozen=True, slots=True)
class Difference:
    """A verdict that is not the recorded one."""

    case: str
    """The case's name."""
    type: str
    backend: BackendName
    expected: dict[str, Any]
    got: dict[str, Any]


@dataclass(slots=True)
class Tally:
    """What became of the cases of one type in one file."""

    cases: int = 0
    agree: dict[BackendName, int] = field(default_factory=dict)
    """Cases that agree, by the backends that they ran on. A type without a kernel runs on ``python`` only."""
    not_run: int = 0
    """Cases that need a judge, or whose type has nothing to run on the backends chosen."""


def run_cases(
    cases: Iterable[Case], backends: Sequence[BackendName]
) -> tuple[dict[str, Tally], list[Difference]]:
    """Run cases on backends; count them by type, and collect the differences."""
    tallies: dict[str, Tally] = {}
    differences: list[Difference] = []
    for case in cases:
        tally = tallies.setdefault(case.type, Tally())
        tally.cases += 1
        usable = () if case.judged else _usable(case.type, backends)
        tally.not_run += not usable
        for backend in usable:
            found = check(case, backend)
            tally.agree[backend] = tally.agree.get(backend, 0) + (found is None)
            differences += [found] if found is not None else []
    return tallies, differences


def _usable(type_: str, backends: Sequence[BackendName]) -> Sequence[BackendName]:
    if load_registry()[type_].kernel:
        return backends
    return [backend for backend in backends if backend == "python"]


def check(case: Case, backend: BackendName) -> Difference | None:
    """Run one case; None if the verdict is the recorded one.

    The score of a grader that is not scored must be 1 or 0, as its case passes or not.
    """
    result = _verdict(case, backend)
    expected = case.expected
    stated: dict[str, Any] = {"passed": expected.passed}
    if expected.code is not None:
        stated["code"] = expected.code
    if expected.score is not None:
        stated["score"] = expected.score
    elif not load_registry()[case.type].scored:
        stated["score"] = 1.0 if expected.passed else 0.0
    if expected.metadata:
        stated["metadata"] = dict(expected.metadata)
    got = result.to_dict()
    if all(_agrees(value, got[key], expected.tolerance) for key, value in stated.items()):
        return None
    shown = {key: got[key] for key in ("passed", "code", "score", "metadata", "reason")}
    return Difference(case.name, case.type, backend, stated, shown)


def _verdict(case: Case, backend: BackendName) -> GradeResult:
    grader = {**case.options, "type": case.type}
    if case.candidate is not ABSENT:
        return grade(grader, case.candidate, reference=case.reference, backend=backend)
    references = None if case.reference is ABSENT else [case.reference]
    return grade_batch(grader, [None], references=references, threads=1, backend=backend)[0]


def _agrees(expected: Any, got: Any, tolerance: float) -> bool:
    """Compare what is stated: other members may be there too, and a member stated as null must not be."""
    if isinstance(expected, dict):
        return all(_agrees(value, got.get(key), tolerance) for key, value in expected.items())
    if _is_number(expected) and _is_number(got):
        return bool(abs(expected - got) <= tolerance)
    return type(expected) is type(got) and bool(expected == got)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
