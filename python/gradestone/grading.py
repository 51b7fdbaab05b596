"""The one door: every grader of the registry, on one candidate or on a whole column."""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gradestone.backends import resolve_backend, resolve_threads
from gradestone.codes import CODE_INDEX
from gradestone.columns import to_column
from gradestone.compiled import CompiledGrader, Grader, compile_or_refuse, identity_of, work_of
from gradestone.graders.kernels import Task, settle, settle_row
from gradestone.graders.outside import (
    CONCURRENCY,
    NOTHING,
    Estimate,
    Outside,
    Progress,
    checked_concurrency,
    checked_deps,
)
from gradestone.graders.rows import Batch, Nulls
from gradestone.net.types import GradeDeps
from gradestone.options import ABSENT, GraderOptionError
from gradestone.verdict import GradeBatch, GradeResult, RowVerdict, Verdicts


def grade(
    grader: Grader,
    candidate: Any,
    *,
    reference: Any = ABSENT,
    deps: GradeDeps | None = None,
    backend: str | None = None,
) -> GradeResult:
    """Grades one candidate. Bad options and bad data give a failed verdict, never an exception and never a pass.

    Args:
        grader: ``{"type": …, option: …}``, an options object, or a compiled grader. Compile it once when it grades
            many candidates: a mapping is checked anew at every call.
        candidate: text, or any JSON value; ``None`` is the JSON null.
        reference: the case reference. It stands in for the option ``expected`` of exact_match and ``reference`` of
            bleu_score, rouge_score and localization_f1 where that option is absent; semantic and custom always read it.
        deps: what graders that leave the process work with: trusted hosts, time limit, registry, cache.
        backend: ``rust`` or ``python``; the default is ``GRADESTONE_BACKEND``, else ``rust``.

    Raises:
        TypeError: ``grader`` is no grader, or ``deps`` no `GradeDeps`.
        ValueError: ``backend`` or a setting of ``deps`` is none.

    >>> from gradestone import grade
    >>> grade({"type": "exact_match", "expected": "Paris"}, " paris ").passed
    True
    >>> result = grade({"type": "bleu_score", "treshold": 0.3}, "the cat", reference="the cat")
    >>> result.outcome.value, result.code, result.reason
    ('invalid', 'unknown_option', 'bleu_score has no option `treshold`; did you mean `threshold`?')
    """
    if deps is not None:
        checked_deps(deps)
    compiled = grader if isinstance(grader, CompiledGrader) else compile_or_refuse(grader, ())
    work = _one(compiled, candidate, reference, backend)
    if isinstance(work, Outside):
        from gradestone.judge.running import (
            run_here,
        )  # what calls are made with is not for those who make none

        return run_here(_result_of(compiled, work, deps))
    return _result(compiled, settle_row(work))


async def agrade(
    grader: Grader,
    candidate: Any,
    *,
    reference: Any = ABSENT,
    deps: GradeDeps | None = None,
    backend: str | None = None,
) -> GradeResult:
    """Grades one candidate as `grade` does, and lets the event loop go on while somebody outside is asked.

    >>> import asyncio
    >>> from gradestone import agrade
    >>> asyncio.run(agrade({"type": "no_pii"}, "nothing private")).passed
    True
    """
    if deps is not None:
        checked_deps(deps)
    compiled = grader if isinstance(grader, CompiledGrader) else compile_or_refuse(grader, ())
    work = _one(compiled, candidate, reference, backend)
    if isinstance(work, Outside):
        return await _result_of(compiled, work, deps)
    return _result(compiled, settle_row(work))


def _one(
    compiled: CompiledGrader | GraderOptionError, candidate: Any, reference: Any, backend: str | None
) -> Task | Verdicts | Outside:
    references = ABSENT if reference is ABSENT else (reference,)
    return work_of(compiled, Batch((candidate,), references, {}, "exact", 1, resolve_backend(backend)))


def _result(compiled: CompiledGrader | GraderOptionError, verdict: RowVerdict) -> GradeResult:
    code, score, reason, metadata = verdict
    if isinstance(compiled, CompiledGrader):
        return GradeResult(compiled.type, code, score, reason, metadata or {}, compiled.signature)
    return GradeResult(compiled.grader, code, score, reason, metadata or {}, "")


async def _result_of(
    compiled: CompiledGrader | GraderOptionError, work: Outside, deps: GradeDeps | None
) -> GradeResult:
    from gradestone.judge.running import run_outside

    verdicts = await run_outside({"": work}, checked_deps(deps), concurrency=1)
    return _result(compiled, verdicts[""].row(0))


def grade_batch(
    grader: Grader,
    candidates: Any,
    *,
    references: Any = None,
    columns: Mapping[str, Any] | None = None,
    nulls: Nulls = "missing",
    threads: int | None = None,
    deps: GradeDeps | None = None,
    concurrency: int = CONCURRENCY,
    progress: Progress | None = None,
    backend: str | None = None,
) -> GradeBatch:
    """Grades a column of candidates, in order.

    The global interpreter lock is free while kernels run, so other Python threads go on. Threads end with the call.

    Args:
        grader: as in `grade`.
        candidates: a list, tuple, NumPy array, or anything with the Arrow PyCapsule interface (pyarrow, polars, …).
        references: the case references, a column of the same length.
        columns: options by row: ``{"reference": refs}``, ``{"retrieved": …, "expected": …}``. A column beats the
            option of that name, which beats the case reference.
        nulls: what a null cell (None, NaN, pd.NA, NaT, an Arrow null) is: ``missing`` gives the row the outcome
            ``invalid``; ``json`` reads it as the JSON null.
        threads: threads of the kernels; the default is ``GRADESTONE_THREADS``, else the cores the process may use.
        deps: as in `grade`.
        concurrency: rows under way at once of a grader that leaves the process.
        progress: ``(done, total)``, called after each row of such a grader.
        backend: as in `grade`.

    Ten calls in a row that come to nothing end the calls to that endpoint: the rows that remain have the code
    ``endpoint_down``.

    Raises:
        TypeError: no grader, or no column.
        ValueError: columns of different length, a column that is no option of the grader, an unknown setting, or a
            reply cache that cannot be used.

    >>> from gradestone import grade_batch
    >>> batch = grade_batch({"type": "rouge_score"}, ["a b", "c"], references=["a b", "d"])
    >>> batch.score.tolist(), batch.passed.mean()
    ([1.0, 0.0], np.float64(0.5))
    """
    return grade_many(
        {"": grader},
        candidates,
        references=references,
        columns=columns,
        nulls=nulls,
        threads=threads,
        deps=deps,
        concurrency=concurrency,
        progress=progress,
        backend=backend,
    )[""]


async def agrade_batch(
    grader: Grader,
    candidates: Any,
    *,
    references: Any = None,
    columns: Mapping[str, Any] | None = None,
    nulls: Nulls = "missing",
    threads: int | None = None,
    deps: GradeDeps | None = None,
    concurrency: int = CONCURRENCY,
    progress: Progress | None = None,
    backend: str | None = None,
) -> GradeBatch:
    """Grades a column as `grade_batch` does, and lets the event loop go on. Cancelling it ends the calls under way.

    >>> import asyncio
    >>> from gradestone import agrade_batch
    >>> asyncio.run(agrade_batch({"type": "no_pii"}, ["fine", "a@b.example"])).passed.tolist()
    [True, False]
    """
    batches = await agrade_many(
        {"": grader},
        candidates,
        references=references,
        columns=columns,
        nulls=nulls,
        threads=threads,
        deps=deps,
        concurrency=concurrency,
        progress=progress,
        backend=backend,
    )
    return batches[""]


def grade_many(
    graders: Mapping[str, Grader],
    candidates: Any,
    *,
    references: Any = None,
    columns: Mapping[str, Any] | None = None,
    nulls: Nulls = "missing",
    threads: int | None = None,
    deps: GradeDeps | None = None,
    concurrency: int = CONCURRENCY,
    progress: Progress | None = None,
    fail_fast: bool = False,
    backend: str | None = None,
) -> dict[str, GradeBatch]:
    """Grades a column of candidates with several named graders; see `grade_batch` for the arguments.

    A column of ``columns`` goes to every grader that has an option of its name, and must go to one at least. Graders
    that leave the process run after all others; with ``fail_fast`` they are not asked about a row that one of those
    did not pass (code ``skipped``).

    >>> from gradestone import grade_many
    >>> batches = grade_many({"pii": {"type": "no_pii"}, "short": {"type": "regex", "pattern": "^.{1,9}$"}}, ["fine"])
    >>> {name: batch.passed.tolist() for name, batch in batches.items()}
    {'pii': [True], 'short': [True]}
    """
    settings, at_once = checked_deps(deps), checked_concurrency(concurrency)
    many = _many(graders, candidates, references, columns, nulls=nulls, threads=threads, backend=backend)
    inside = many.settle_inside()
    if not many.outside:
        return many.batches(inside)
    calls = many.calls(inside, settings, at_once, progress, fail_fast=fail_fast)
    from gradestone.judge.running import run_here

    return many.batches(inside | run_here(calls))


async def agrade_many(
    graders: Mapping[str, Grader],
    candidates: Any,
    *,
    references: Any = None,
    columns: Mapping[str, Any] | None = None,
    nulls: Nulls = "missing",
    threads: int | None = None,
    deps: GradeDeps | None = None,
    concurrency: int = CONCURRENCY,
    progress: Progress | None = None,
    fail_fast: bool = False,
    backend: str | None = None,
) -> dict[str, GradeBatch]:
    """Grades a column with several named graders as `grade_many` does, and lets the event loop go on.

    >>> import asyncio
    >>> from gradestone import agrade_many
    >>> batches = asyncio.run(agrade_many({"pii": {"type": "no_pii"}}, ["fine"]))
    >>> batches["pii"].passed.tolist()
    [True]
    """
    settings, at_once = checked_deps(deps), checked_concurrency(concurrency)
    many = _many(graders, candidates, references, columns, nulls=nulls, threads=threads, backend=backend)
    import asyncio

    inside = await asyncio.to_thread(many.settle_inside)
    if not many.outside:
        return many.batches(inside)
    calls = many.calls(inside, settings, at_once, progress, fail_fast=fail_fast)
    return many.batches(inside | await calls)


def estimate_many(
    graders: Mapping[str, Grader],
    candidates: Any,
    *,
    references: Any = None,
    columns: Mapping[str, Any] | None = None,
    nulls: Nulls = "missing",
    deps: GradeDeps | None = None,
) -> dict[str, Estimate]:
    """What `grade_many` would send: calls and characters by grader. Nothing is sent, and no cache is looked into.

    >>> from gradestone import estimate_many
    >>> judge = {"type": "llm_judge", "rubric": "polite", "gateway_url": "https://gateway.example"}
    >>> estimate_many({"judge": judge, "pii": {"type": "no_pii"}}, ["hello", "hi"])["judge"].calls
    2
    """
    many = _many(graders, candidates, references, columns, nulls=nulls, threads=None, backend=None)
    from gradestone.registry import registry_of

    registry = registry_of(checked_deps(deps).registry)
    found = dict.fromkeys(many.compiled, NOTHING)
    for name, work in many.outside.items():
        found[name] = sum((work.estimate(row, registry) for row in range(len(work))), NOTHING)
    return found


@dataclass(frozen=True, slots=True)
class _Many:
    """Several graders and their work on the same rows."""

    compiled: Mapping[str, CompiledGrader | GraderOptionError]
    inside: Mapping[str, Task | Verdicts]
    outside: Mapping[str, Outside]
    threads: int

    def settle_inside(self) -> dict[str, Verdicts]:
        return dict(zip(self.inside, settle(list(self.inside.values()), self.threads), strict=True))

    def calls(
        self,
        inside: Mapping[str, Verdicts],
        deps: GradeDeps,
        concurrency: int,
        progress: Progress | None,
        *,
        fail_fast: bool,
    ) -> Coroutine[Any, Any, dict[str, Verdicts]]:
        from gradestone.judge.running import run_outside

        def has_failed(row: int) -> bool:
            return any(verdicts.codes[row] != CODE_INDEX["ok"] for verdicts in inside.values())

        skips = has_failed if fail_fast else None
        return run_outside(self.outside, deps, concurrency=concurrency, progress=progress, skips=skips)

    def batches(self, verdicts: Mapping[str, Verdicts]) -> dict[str, GradeBatch]:
        return {name: GradeBatch(*identity_of(one), verdicts[name]) for name, one in self.compiled.items()}


def _many(
    graders: Mapping[str, Grader],
    candidates: Any,
    references: Any,
    columns: Mapping[str, Any] | None,
    *,
    nulls: Nulls,
    threads: int | None,
    backend: str | None,
) -> _Many:
    if not isinstance(graders, Mapping):
        raise TypeError(f"graders must map names to graders, not {type(graders).__name__}")
    if nulls not in ("missing", "json"):
        raise ValueError(f"nulls must be 'missing' or 'json', not {nulls!r}")
    chosen, count = resolve_backend(backend), resolve_threads(threads)
    cells = to_column(candidates, "candidates")
    case = ABSENT if references is None else _aligned(references, "references", len(cells))
    options = {
        name: _aligned(values, f"column {name!r}", len(cells)) for name, values in (columns or {}).items()
    }
    compiled = {name: compile_or_refuse(grader, options.keys()) for name, grader in graders.items()}
    _check_columns(compiled, options.keys())
    work = {
        name: work_of(one, Batch(cells, case, _own(one, options), nulls, count, chosen))
        for name, one in compiled.items()
    }
    return _Many(
        compiled,
        {name: one for name, one in work.items() if not isinstance(one, Outside)},
        {name: one for name, one in work.items() if isinstance(one, Outside)},
        count,
    )


def _aligned(values: Any, name: str, length: int) -> Sequence[Any]:
    column = to_column(values, name)
    if len(column) != length:
        raise ValueError(f"{name} has {len(column)} rows, candidates have {length}")
    return column


def _own(compiled: CompiledGrader | GraderOptionError, columns: dict[str, Sequence[Any]]) -> dict[str, Any]:
    if isinstance(compiled, GraderOptionError):
        return {}
    return {name: values for name, values in columns.items() if name in compiled.options.names()}


def _check_columns(
    graders: Mapping[str, CompiledGrader | GraderOptionError], columns: Collection[str]
) -> None:
    usable = [one for one in graders.values() if isinstance(one, CompiledGrader)]
    if not usable:
        return
    for name in columns:
        if not any(name in one.options.names() for one in usable):
            kinds = ", ".join(sorted({one.type for one in usable}))
            raise ValueError(f"no grader has the option {name!r} that a column gives ({kinds})")
