"""The run behind ``gradestone score``: rows in, verdicts and figures out, a block at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from gradestone.backends import BackendName
from gradestone.cli.columns import Columns, choose_columns
from gradestone.cli.exits import CommandError
from gradestone.codes import CODE_INDEX
from gradestone.compiled import CompiledGrader
from gradestone.data.blocks import Block
from gradestone.data.inputs import Inputs
from gradestone.data.jsonl import LineBlock
from gradestone.data.kept import Keep
from gradestone.data.outputs import Writer
from gradestone.data.overlap import ahead, behind
from gradestone.data.splice import Place
from gradestone.graders import OUTSIDE
from gradestone.graders.outside import CONCURRENCY, NOTHING, Estimate, Progress
from gradestone.grading import estimate_many, grade_many
from gradestone.net.types import GradeDeps
from gradestone.report.calls import CallFigures
from gradestone.report.statistics import Figures
from gradestone.verdict import GradeBatch

TOLD: Final = 5
"""Unreadable rows that are told one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to do with the rows of the inputs."""

    graders: Mapping[str, CompiledGrader]
    backend: BackendName
    threads: int
    candidate: str | None
    """The candidate's column where the user named it."""
    reference: str | None
    """The case reference's column where the user named it."""
    options: Mapping[str, str]
    """The columns that options are taken from, by the options' names."""
    keep: Keep
    """Which of the user's columns are written, if there is an output."""
    stop_on_bad_row: bool
    """Whether an unreadable row ends the run."""
    deps: GradeDeps = field(default_factory=GradeDeps)
    """What graders that leave the process work with."""
    concurrency: int = CONCURRENCY
    """Calls under way at once."""
    fail_fast: bool = False
    """Whether nothing is paid for a row that a grader in the process did not pass."""


@dataclass(slots=True)
class Report:
    """What a run found."""

    figures: dict[str, Figures]
    """The figures of each grader, by its name."""
    rows: int = 0
    bad_rows: int = 0
    first_bad_rows: list[str] = field(default_factory=list)
    """What is said of the first of them."""
    calls: dict[str, CallFigures] = field(default_factory=dict)
    """The figures of calls, of the graders that leave the process."""
    stopped: str | None = None
    """Why the run ended before the rows did."""


def new_report(job: Job) -> Report:
    """A report on nothing yet."""
    outside = [name for name, grader in job.graders.items() if grader.type in OUTSIDE]
    return Report({name: Figures() for name in job.graders}, calls={name: CallFigures() for name in outside})


def run(
    job: Job,
    inputs: Inputs,
    output: Writer | None = None,
    watch: Callable[[int], None] = lambda _: None,
    *,
    report: Report | None = None,
    reads_files: bool = False,
    writes_file: bool = False,
) -> Report:
    """Grade rows in order, write them to ``output`` if there is one, and count.

    Args:
        job: the graders and their settings.
        inputs: the rows.
        output: where the rows go with their verdicts.
        watch: told the number of rows so far after each block.
        report: what is filled in, where the caller looks at it before the end.
        reads_files: whether all inputs are files on disk, so that the next block can be read by another thread.
        writes_file: whether the output is a file on disk, so that another thread can write it.

    With one thread nothing overlaps: the run keeps to one core.

    Raises:
        CommandError: the columns do not fit, or an unreadable row is to end the run.
        FileError: the input cannot be read on, or the output not written.

    """
    if report is None:
        report = new_report(job)
    columns = _columns(job, inputs)
    overlaps = job.threads > 1
    with _writing(output, overlaps=overlaps and writes_file) as write:
        for block in _read(job, inputs, columns, output is not None, overlaps and reads_files):
            _check_bad(job, inputs, block)
            told = partial(_told, watch, report.rows, len(block))
            batches = _grade(job, columns, block, told) if len(block) and columns is not None else {}
            write(block, batches)
            _count(report, block, batches, _place(inputs, block))
            watch(report.rows)
            report.stopped = _why_to_stop(job, batches)
            if report.stopped is not None:
                break
    return report


def _told(watch: Callable[[int], None], before: int, rows: int, done: int, total: int) -> None:
    """Tell of the rows of a block that are being asked about."""
    watch(before + rows * done // total)


_ENDPOINTS: Final = frozenset({"gateway_url", "url"})
"""Options that name an endpoint."""


def _why_to_stop(job: Job, batches: Mapping[str, GradeBatch]) -> str | None:
    """An endpoint that is down will not be up for the next block: the rows that remain are better asked about later.

    Where rows name endpoints of their own the others go on.
    """
    if not _ENDPOINTS.isdisjoint(job.options):
        return None
    down = CODE_INDEX["endpoint_down"]
    for name, batch in batches.items():
        row = batch.verdicts.codes.find(down)
        if row >= 0:
            return f"{name}: {batch.reasons[row]}"
    return None


def _columns(job: Job, inputs: Inputs) -> Columns | None:
    """Choose the columns; None where no row can be read, so that nobody knows."""
    fields = inputs.fields()
    if fields is None:
        return None
    return choose_columns(
        fields, job.graders, candidate=job.candidate, reference=job.reference, options=job.options
    )


def _read(job: Job, inputs: Inputs, columns: Columns | None, writes: bool, overlaps: bool) -> Iterator[Block]:
    graded = columns.names if columns is not None else ()
    wanted: tuple[str, ...] | None = graded
    if writes and job.keep == "all":
        wanted = None
    elif writes and job.keep != "none":
        wanted = tuple(dict.fromkeys((*graded, *job.keep)))
    blocks = inputs.blocks(wanted, graded)
    return ahead(blocks) if overlaps else blocks


Write = Callable[[Block, Mapping[str, GradeBatch]], None]


@contextmanager
def _writing(output: Writer | None, *, overlaps: bool) -> Iterator[Write]:
    """Give what writes a block, at once or in another thread."""
    if output is None:
        yield lambda _block, _batches: None
    elif not overlaps:
        yield output.write
    else:
        with behind() as do:
            yield lambda block, batches: do(lambda: output.write(block, batches))


def _check_bad(job: Job, inputs: Inputs, block: Block) -> None:
    if job.stop_on_bad_row and block.bad:
        raise CommandError(_place(inputs, block).reason(block.bad[0]))


def _place(inputs: Inputs, block: Block) -> Place:
    return Place(block.unit, block.source if inputs.several else None)


def _grade(job: Job, columns: Columns, block: Block, told: Progress) -> dict[str, GradeBatch]:
    return grade_many(
        job.graders,
        _candidates(columns, block),
        references=None if columns.reference is None else block.column(columns.reference),
        columns=_options(job, columns, block),
        threads=job.threads,
        deps=job.deps,
        concurrency=job.concurrency,
        progress=told,
        fail_fast=job.fail_fast,
        backend=job.backend,
    )


def estimate(job: Job, inputs: Inputs) -> dict[str, Estimate]:
    """What the calls of a run would be, by grader; nothing is sent."""
    totals: dict[str, Estimate] = {}
    columns = _columns(job, inputs)
    if columns is None:
        return totals
    for block in inputs.blocks(columns.names, columns.names):
        for name, one in estimate_many(
            job.graders, _candidates(columns, block), columns=_options(job, columns, block), deps=job.deps
        ).items():
            totals[name] = totals.get(name, NOTHING) + one
    return totals


def _candidates(columns: Columns, block: Block) -> Any:
    # Where no grader looks at the candidate there may be none.
    return [""] * len(block) if columns.candidate is None else block.column(columns.candidate)


def _options(job: Job, columns: Columns, block: Block) -> dict[str, Any]:
    return {option: _option(job, block, option, name) for option, name in columns.options.items()}


_LISTS: Final = {"context_f1": frozenset({"retrieved", "expected"})}
"""Options by row of which a grader's kernel takes lists of texts."""


def _option(job: Job, block: Block, option: str, name: str) -> Any:
    """Return the column of an option.

    The kernels find texts in lines of JSON, but no lists. Those rows would be graded one by one, at a twentieth of the
    speed, and an empty list would get another code than in any other format.
    """
    takes_lists = any(option in _LISTS.get(grader.type, ()) for grader in job.graders.values())
    return block.cells(name) if takes_lists and isinstance(block, LineBlock) else block.column(name)


def _count(report: Report, block: Block, batches: Mapping[str, GradeBatch], place: Place) -> None:
    report.rows += len(block) + len(block.bad)
    report.bad_rows += len(block.bad)
    report.first_bad_rows += map(place.reason, block.bad[: TOLD - len(report.first_bad_rows)])
    for name, figures in report.figures.items():
        figures.add_ungraded("unreadable_row", len(block.bad))
        if name in batches:
            figures.add(batches[name])
    for name, calls in report.calls.items():
        if name in batches:
            calls.add(batches[name])
