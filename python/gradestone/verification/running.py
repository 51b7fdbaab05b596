"""Running cases, and telling where a verdict differs from the recorded one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gradestone.backends import BackendName
from gradestone.grading import grade, grade_batch
from gradestone.net.types import GradeDeps, Request, Response, SsrfVerdict
from gradestone.options import ABSENT
from gradestone.registry import Registry, load_registry
from gradestone.verdict import GradeResult
from gradestone.verification.reading import Case, Judge


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
    """Cases whose type has nothing to run on the backends chosen."""


def run_cases(
    cases: Iterable[Case], backends: Sequence[BackendName], registry: Registry | None = None
) -> tuple[dict[str, Tally], list[Difference]]:
    """Run cases on backends; count them by type, and collect the differences.

    The judge of a case answers as it was recorded; nothing is sent. With a registry its prompts are used, and the
    prompts of a case must be those of the recording, to the byte; else ours are used, and the number of calls must be
    the recorded one.
    """
    tallies: dict[str, Tally] = {}
    differences: list[Difference] = []
    for case in cases:
        tally = tallies.setdefault(case.type, Tally())
        tally.cases += 1
        usable = _usable(case.type, backends)
        tally.not_run += not usable
        for backend in usable:
            found = check(case, backend, registry)
            tally.agree[backend] = tally.agree.get(backend, 0) + (found is None)
            differences += [found] if found is not None else []
    return tallies, differences


def _usable(type_: str, backends: Sequence[BackendName]) -> Sequence[BackendName]:
    if load_registry()[type_].kernel:
        return backends
    return [backend for backend in backends if backend == "python"]


def check(case: Case, backend: BackendName, registry: Registry | None = None) -> Difference | None:
    """Run one case; None if the verdict is the recorded one.

    The score of a grader that is not scored must be 1 or 0, as its case passes or not.
    """
    recorded = None if case.judge is None else _Recorded(case.judge)
    result = _verdict(case, backend, recorded, registry)
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
    if recorded is not None:
        stated |= recorded.stated(with_prompts=registry is not None)
        got |= recorded.got(result.reason, with_prompts=registry is not None)
    if all(_agrees(value, got[key], expected.tolerance) for key, value in stated.items()):
        return None
    shown = {key: got[key] for key in ("passed", "code", "score", "metadata", "reason")}
    shown |= {key: got[key] for key in stated if key not in shown}
    return Difference(case.name, case.type, backend, stated, shown)


_NOWHERE: Final = "http://judge.invalid"
"""Where recorded judges are asked: a name that nothing has, and that is never looked up."""


class _Recorded:
    """A transport that answers as a judge did once, and remembers what it was asked."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._prompts: list[str] = []

    def fetch(self, request: Request) -> Response:
        prompts, replies = self._prompts, self._judge.replies
        prompts.append(json.loads(request.body)["input"])
        if len(prompts) > len(replies):
            return Response(500)
        return Response(200, {}, json.dumps({"output_text": replies[len(prompts) - 1]}).encode())

    def stated(self, *, with_prompts: bool) -> dict[str, Any]:
        calls = {"calls": len(self._judge.prompts), "reason_contains": self._judge.reason_contains}
        return calls | ({"prompts": list(self._judge.prompts)} if with_prompts else {})

    def got(self, reason: str, *, with_prompts: bool) -> dict[str, Any]:
        told = self._judge.reason_contains if self._judge.reason_contains in reason else ""
        calls = {"calls": len(self._prompts), "reason_contains": told}
        return calls | ({"prompts": self._prompts} if with_prompts else {})


def _verdict(
    case: Case, backend: BackendName, recorded: _Recorded | None, registry: Registry | None
) -> GradeResult:
    grader = {**case.options, "type": case.type}
    if recorded is not None:
        deps = GradeDeps(fetch=recorded.fetch, ssrf_check=lambda _: SsrfVerdict(True), registry=registry)
        return grade({"gateway_url": _NOWHERE, **grader}, case.candidate, deps=deps, backend=backend)
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
