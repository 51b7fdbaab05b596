"""The run behind ``gradestone score``: rows in, verdicts and figures out, in chunks of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from gradestone.backends import BackendName
from gradestone.cli.columns import Columns, choose_columns
from gradestone.cli.exits import CommandError
from gradestone.data.jsonl import BadRecord, Record
from gradestone.data.output import WholeFile
from gradestone.data.splice import graded_lines, unreadable_line, verdict_members
from gradestone.grading import CompiledGrader, grade_many
from gradestone.report.statistics import Figures
from gradestone.verdict import GradeBatch

CHUNK_ROWS: Final = 2_000
"""Rows graded at once: enough that a kernel's threads are worth starting."""

CHUNK_BYTES: Final = 8 << 20
"""Bytes of rows graded at once, so that long rows do not fill the memory."""

TOLD: Final = 5
"""Unreadable rows that are told one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to do with the rows of a file."""

    graders: Mapping[str, CompiledGrader]
    backend: BackendName
    threads: int
    candidate: str | None
    """The candidate's column where the user named it."""
    reference: str | None
    """The case reference's column where the user named it."""
    limit: int | None
    """Rows to read at most."""
    stop_on_bad_row: bool
    """Whether an unreadable row ends the run."""


@dataclass(slots=True)
class Report:
    """What a run found."""

    figures: dict[str, Figures]
    """The figures of each grader, by its name."""
    rows: int = 0
    bad_rows: int = 0
    first_bad_rows: list[BadRecord] = field(default_factory=list)


def run(
    job: Job,
    records: Iterable[Record | BadRecord],
    output: WholeFile | None = None,
    watch: Callable[[int], None] = lambda _: None,
) -> Report:
    """Grade rows in order, write them to ``output`` if there is one, and count.

    Args:
        job: the graders and their settings.
        records: the rows, as a reader gives them.
        output: where the rows go with their verdicts.
        watch: told the number of rows so far after each chunk.

    Raises:
        CommandError: the columns do not fit, or an unreadable row is to end the run.
        FileError: the input cannot be read on, or the output not written.

    """
    report = Report({name: Figures() for name in job.graders})
    columns: Columns | None = None
    rows: Iterable[Record | BadRecord] = islice(records, job.limit)
    if output is not None:
        rows = _without_clash(rows, job.graders)
    if job.stop_on_bad_row:
        rows = _stopping(rows)
    for chunk in _chunks(rows):
        good = [record for record in chunk if isinstance(record, Record)]
        if columns is None and good:
            columns = choose_columns(
                good[0].fields, job.graders, candidate=job.candidate, reference=job.reference
            )
        batches = _grade(job, columns, good) if columns is not None else {}
        _count(report, chunk, batches)
        if output is not None:
            output.write(_lines(chunk, good, batches, tuple(job.graders)))
        watch(report.rows)
    return report


def _without_clash(
    records: Iterable[Record | BadRecord], graders: Mapping[str, CompiledGrader]
) -> Iterator[Record | BadRecord]:
    """Take a row that has a member called like a grader for unreadable; such a first row ends the run."""
    first = True
    for record in records:
        if isinstance(record, BadRecord):
            yield record
            continue
        taken = graders.keys() & record.fields.keys()
        if taken and first:
            name = min(taken)
            raise CommandError(
                f"line {record.line} already has a member called {name}: "
                f"give the grader another name, as in -g NAME={graders[name].type}"
            )
        first = False
        yield BadRecord(record.line, "it already has a member called like a grader") if taken else record


def _stopping(records: Iterable[Record | BadRecord]) -> Iterator[Record | BadRecord]:
    for record in records:
        if isinstance(record, BadRecord):
            raise CommandError(f"line {record.line} could not be read: {record.error}")
        yield record


def _chunks(records: Iterable[Record | BadRecord]) -> Iterator[list[Record | BadRecord]]:
    chunk: list[Record | BadRecord] = []
    size = 0
    for record in records:
        chunk.append(record)
        size += len(record.text) if isinstance(record, Record) else 0
        if len(chunk) == CHUNK_ROWS or size >= CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _grade(job: Job, columns: Columns, records: Sequence[Record]) -> dict[str, GradeBatch]:
    # A column that is None is read by no grader.
    candidates: list[Any] = [""] * len(records)
    if columns.candidate is not None:
        candidates = [record.fields.get(columns.candidate) for record in records]
    references = None
    if columns.reference is not None:
        references = [record.fields.get(columns.reference) for record in records]
    return grade_many(
        job.graders, candidates, references=references, threads=job.threads, backend=job.backend
    )


def _count(report: Report, chunk: Sequence[Record | BadRecord], batches: Mapping[str, GradeBatch]) -> None:
    bad = [record for record in chunk if isinstance(record, BadRecord)]
    report.rows += len(chunk)
    report.bad_rows += len(bad)
    report.first_bad_rows += bad[: TOLD - len(report.first_bad_rows)]
    for name, figures in report.figures.items():
        figures.add_ungraded("unreadable_row", len(bad))
        if name in batches:
            figures.add(batches[name])


def _lines(
    chunk: Sequence[Record | BadRecord],
    good: Sequence[Record],
    batches: Mapping[str, GradeBatch],
    names: Sequence[str],
) -> Iterator[bytes]:
    members = {name: verdict_members(name, batch) for name, batch in batches.items()}
    graded = graded_lines([record.text for record in good], members)
    for record in chunk:
        yield next(graded) if isinstance(record, Record) else unreadable_line(record, names)
