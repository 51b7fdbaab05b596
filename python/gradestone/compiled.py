"""A grader made ready: its options checked, its automata built, and asked for work a batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any

from gradestone.backends import BackendName
from gradestone.graders import prepare
from gradestone.graders.kernels import Runner, Task
from gradestone.graders.outside import Outside
from gradestone.graders.row_options import refusal
from gradestone.graders.rows import Batch, broken
from gradestone.options import ABSENT, GraderOptionError, GraderOptions, parse_grader
from gradestone.signatures import signature_of
from gradestone.verdict import GradeResult, RowVerdict, Verdicts


class CompiledGrader:
    """A grader whose options were checked, and whose automata are built once and used for every row.

    Made by `compile_grader` and accepted wherever a grader is; safe to share between threads.
    """

    __slots__ = ("_runners", "missing", "options", "signature", "type")

    type: str
    """The grader's type in the registry."""
    options: GraderOptions
    """The checked options."""
    signature: str
    """What its scores are computed with."""
    missing: frozenset[str]
    """Required options that were left to columns."""

    def __init__(self, options: GraderOptions) -> None:
        self.type = options.type
        self.options = options
        self.signature = signature_of(options)
        self.missing = options.missing()
        self._runners: dict[BackendName, Runner] = {}

    def __call__(
        self,
        candidate: Any,
        *,
        reference: Any = ABSENT,
        backend: str | None = None,
    ) -> GradeResult:
        """Grades one candidate, see `grade`."""
        return _door()(self, candidate, reference=reference, backend=backend)

    def __repr__(self) -> str:
        return f"CompiledGrader({self.options!r})"

    def work(self, batch: Batch) -> Task | Verdicts | Outside:
        """What is to be done for a batch, on the batch's backend."""
        runner = self._runners.get(batch.backend)
        if runner is None:
            runner = self._runners[batch.backend] = prepare(self.options, batch.backend)
        return runner(batch)


@cache
def _door() -> Callable[..., GradeResult]:
    """`grade`, whose room is entered through this one."""
    from gradestone.grading import grade

    return grade


Grader = Mapping[str, Any] | GraderOptions | CompiledGrader
"""What a grader may be: ``{"type": …, option: …}``, an options object, or compiled."""


def compile_grader(grader: Grader, *, columns: Collection[str] = ()) -> CompiledGrader:
    """Checks a grader's options and prepares it for many calls.

    Args:
        grader: a mapping, an options object, or an already compiled grader (returned as it is).
        columns: names of options that each row will give, so that they may be absent here.

    Raises:
        GraderOptionError: with every fault of the options, not only the first.
        TypeError: ``grader`` is none of the three.

    >>> from gradestone import compile_grader
    >>> paris = compile_grader({"type": "contains", "fragments": ["Paris"]})
    >>> paris("Paris is in France.").passed
    True
    """
    if isinstance(grader, CompiledGrader):
        return grader
    if isinstance(grader, GraderOptions):
        return CompiledGrader(grader)
    if isinstance(grader, Mapping):
        return CompiledGrader(parse_grader(grader, columns=frozenset(columns)))
    raise TypeError(f"a grader is a mapping, an options object or compiled, not {type(grader).__name__}")


def compile_or_refuse(grader: Grader, columns: Collection[str]) -> CompiledGrader | GraderOptionError:
    """A compiled grader, or why there is none."""
    try:
        return compile_grader(grader, columns=columns)
    except GraderOptionError as error:
        return error


def identity_of(compiled: CompiledGrader | GraderOptionError) -> tuple[str, str]:
    """The type and the signature of a grader."""
    if isinstance(compiled, GraderOptionError):
        return compiled.grader, ""
    return compiled.type, compiled.signature


def work_of(compiled: CompiledGrader | GraderOptionError, batch: Batch) -> Task | Verdicts | Outside:
    """What a grader wants done for a batch; where it cannot, that is the verdict on every row."""
    if isinstance(compiled, GraderOptionError):
        return Verdicts.same(refusal(compiled), len(batch))
    absent = compiled.missing - batch.columns.keys() if compiled.missing else None
    if absent:
        reason = f"{compiled.type} needs the option `{min(absent)}`"
        return Verdicts.same(RowVerdict("missing_option", 0.0, reason), len(batch))
    try:
        return compiled.work(batch)
    except BaseException as error:
        return Verdicts.same(broken(error), len(batch))
