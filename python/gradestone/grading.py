"""The one door: every grader of the registry, on one candidate or on a whole column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gradestone.backends import BackendName, resolve_backend, resolve_threads
from gradestone.columns import to_column
from gradestone.graders import prepare
from gradestone.graders.kernels import Runner, Task, settle, settle_row
from gradestone.graders.row_options import refusal
from gradestone.graders.rows import Batch, Nulls, broken
from gradestone.options import ABSENT, GraderOptionError, GraderOptions, parse_grader
from gradestone.signatures import signature_of
from gradestone.verdict import GradeBatch, GradeResult, RowVerdict, Verdicts


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
        return grade(self, candidate, reference=reference, backend=backend)

    def __repr__(self) -> str:
        return f"CompiledGrader({self.options!r})"

    def work(self, batch: Batch) -> Task | Verdicts:
        """What is to be done for a batch, on the batch's backend."""
        runner = self._runners.get(batch.backend)
        if runner is None:
            runner = self._runners[batch.backend] = prepare(self.options, batch.backend)
        return runner(batch)


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


def grade(
    grader: Grader,
    candidate: Any,
    *,
    reference: Any = ABSENT,
    deps: object = None,
    backend: str | None = None,
) -> GradeResult:
    """Grades one candidate. Bad options and bad data give a failed verdict, never an exception and never a pass.

    Args:
        grader: ``{"type": …, option: …}``, an options object, or a compiled grader. Compile it once when it grades
            many candidates: a mapping is checked anew at every call.
        candidate: text, or any JSON value; ``None`` is the JSON null.
        reference: the case reference. It stands in for the option ``expected`` of exact_match and ``reference`` of
            bleu_score, rouge_score and localization_f1 where that option is absent; semantic and custom always read it.
        deps: what graders that leave the process need; no grader of this version does.
        backend: ``rust`` or ``python``; the default is ``GRADESTONE_BACKEND``, else ``rust``.

    Raises:
        TypeError: ``grader`` is no grader.
        ValueError: ``backend`` is unknown.

    >>> from gradestone import grade
    >>> grade({"type": "exact_match", "expected": "Paris"}, " paris ").passed
    True
    >>> result = grade({"type": "bleu_score", "treshold": 0.3}, "the cat", reference="the cat")
    >>> result.outcome.value, result.code, result.reason
    ('invalid', 'unknown_option', 'bleu_score has no option `treshold`; did you mean `threshold`?')
    """
    del deps
    compiled = grader if isinstance(grader, CompiledGrader) else _compile_or_refuse(grader, frozenset())
    references = ABSENT if reference is ABSENT else (reference,)
    batch = Batch((candidate,), references, {}, "exact", 1, resolve_backend(backend))
    kind, signature = _identity(compiled)
    code, score, reason, metadata = settle_row(_work(compiled, batch))
    return GradeResult(kind, code, score, reason, metadata or {}, signature)


def grade_batch(
    grader: Grader,
    candidates: Any,
    *,
    references: Any = None,
    columns: Mapping[str, Any] | None = None,
    nulls: Nulls = "missing",
    threads: int | None = None,
    deps: object = None,
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
        backend: as in `grade`.

    Raises:
        TypeError: no grader, or no column.
        ValueError: columns of different length, a column that is no option of the grader, or an unknown setting.

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
        backend=backend,
    )[""]


def grade_many(
    graders: Mapping[str, Grader],
    candidates: Any,
    *,
    references: Any = None,
    columns: Mapping[str, Any] | None = None,
    nulls: Nulls = "missing",
    threads: int | None = None,
    deps: object = None,
    backend: str | None = None,
) -> dict[str, GradeBatch]:
    """Grades a column of candidates with several named graders; see `grade_batch` for the arguments.

    A column of ``columns`` goes to every grader that has an option of its name, and must go to one at least.

    >>> from gradestone import grade_many
    >>> batches = grade_many({"pii": {"type": "no_pii"}, "short": {"type": "regex", "pattern": "^.{1,9}$"}}, ["fine"])
    >>> {name: batch.passed.tolist() for name, batch in batches.items()}
    {'pii': [True], 'short': [True]}
    """
    del deps
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
    compiled = {name: _compile_or_refuse(grader, options.keys()) for name, grader in graders.items()}
    _check_columns(compiled, options.keys())
    work = [
        _work(one, Batch(cells, case, _own(one, options), nulls, count, chosen)) for one in compiled.values()
    ]
    return {
        name: GradeBatch(*_identity(one), verdicts)
        for (name, one), verdicts in zip(compiled.items(), settle(work, count), strict=True)
    }


def _aligned(values: Any, name: str, length: int) -> Sequence[Any]:
    column = to_column(values, name)
    if len(column) != length:
        raise ValueError(f"{name} has {len(column)} rows, candidates have {length}")
    return column


def _compile_or_refuse(grader: Grader, columns: Collection[str]) -> CompiledGrader | GraderOptionError:
    try:
        return compile_grader(grader, columns=columns)
    except GraderOptionError as error:
        return error


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


def _identity(compiled: CompiledGrader | GraderOptionError) -> tuple[str, str]:
    """The type and the signature of a grader."""
    if isinstance(compiled, GraderOptionError):
        return compiled.grader, ""
    return compiled.type, compiled.signature


def _work(compiled: CompiledGrader | GraderOptionError, batch: Batch) -> Task | Verdicts:
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
