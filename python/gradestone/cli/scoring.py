"""The work of ``gradestone score``: from what the user asked for to figures, messages and an exit code."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from gradestone.backends import BackendName, load_backend, resolve_backend, resolve_threads
from gradestone.cli.columns import split_option_columns
from gradestone.cli.exits import CommandError, Exit, complain, remark, say, strongest
from gradestone.cli.gates import missed, read_floors
from gradestone.cli.run import Job, Report, run
from gradestone.cli.specs import compile_specs
from gradestone.codes import Outcome
from gradestone.data.cells import read_cells
from gradestone.data.inputs import Inputs, open_inputs
from gradestone.data.kept import read_keep
from gradestone.data.output import STDOUT, is_replaced
from gradestone.data.outputs import Writer, open_output, output_format
from gradestone.data.verdict_columns import added_names
from gradestone.report.terminal import figures_table, progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user asked for, as it stands on the command line."""

    sources: Sequence[str]
    input_format: str | None
    cells: str
    graders: Sequence[str]
    candidate: str | None
    reference: str | None
    columns: Sequence[str]
    out: str | None
    output_format: str | None
    keep: str
    limit: int | None
    fail_under: Sequence[str]
    stop_on_bad_row: bool
    threads: int | None
    backend: str | None
    as_json: bool
    quiet: bool


def score_file(request: Request) -> Exit:
    """Grade a file of answers, print its figures, and return the exit code.

    Raises `CommandError` or `FileError` when the run cannot begin or cannot go on.
    """
    if request.out == STDOUT and request.as_json:
        raise CommandError("--out - and --format json both want standard output")
    options = split_option_columns(request.columns)
    graders = compile_specs(request.graders, columns=options)
    floors = read_floors(request.fail_under, graders)
    backend, threads = _resolve(request)
    job = Job(
        graders=graders,
        backend=backend,
        threads=threads,
        candidate=request.candidate,
        reference=request.reference,
        options=options,
        keep=read_keep(request.keep),
        stop_on_bad_row=request.stop_on_bad_row,
    )
    start = time.perf_counter()
    report = _run(job, request)
    _tell(job, report, request, time.perf_counter() - start)
    return _verdict(report, floors)


def _resolve(request: Request) -> tuple[BackendName, int]:
    """Settle backend and threads, so that a wrong setting or a missing extension ends the run at once."""
    try:
        backend = resolve_backend(request.backend)
        load_backend(backend)
        return backend, resolve_threads(request.threads)
    except (ValueError, ImportError) as error:
        raise CommandError(str(error)) from error


def _run(job: Job, request: Request) -> Report:
    with _opened(job, request) as inputs, _output(job, request, inputs) as output:
        with progress(inputs.size, lambda: inputs.position, quiet=request.quiet) as watch:
            report = run(
                job,
                inputs,
                output,
                watch,
                reads_files=inputs.size is not None,
                writes_file=request.out is not None and is_replaced(request.out),
            )
        if not report.rows:
            raise CommandError(f"there are no rows in {inputs.label}", code=Exit.NOTHING)
    return report


def _opened(job: Job, request: Request) -> Inputs:
    names = tuple(job.graders)
    added = (
        () if request.out is None else added_names(output_format(request.out, request.output_format), names)
    )
    return open_inputs(
        request.sources,
        format=request.input_format,
        cells=read_cells(request.cells),
        reserved=added,
        limit=request.limit,
        threads=job.threads,
    )


def _output(job: Job, request: Request, inputs: Inputs) -> AbstractContextManager[Writer | None]:
    if request.out is None:
        return nullcontext()
    return open_output(
        request.out,
        format=request.output_format,
        keep=job.keep,
        graders=tuple(job.graders),
        sources=inputs.statuses,
        several=inputs.several,
        threads=job.threads,
    )


def _tell(job: Job, report: Report, request: Request, seconds: float) -> None:
    if request.as_json:
        say(json.dumps(_document(job, report, request, seconds), indent=2) + "\n")
        return
    if request.quiet:
        return
    if request.out == STDOUT:
        remark(figures_table(report.figures, stream=sys.stderr))
    else:
        say(figures_table(report.figures, stream=sys.stdout))
    speed = report.rows / max(seconds, 1e-9)
    remark(f"{report.rows:,} rows in {seconds:.2f} s, {speed:,.0f} rows/s\n")


def _document(job: Job, report: Report, request: Request, seconds: float) -> dict[str, Any]:
    return {
        "input": request.sources[0] if len(request.sources) == 1 else list(request.sources),
        "rows": report.rows,
        "bad_rows": report.bad_rows,
        "seconds": round(seconds, 6),
        "graders": {
            name: {"type": grader.type, "signature": grader.signature, **report.figures[name].to_dict()}
            for name, grader in job.graders.items()
        },
    }


def _verdict(report: Report, floors: Mapping[str, float]) -> Exit:
    """Say what was wrong with the run, and return its exit code."""
    exits = []
    if report.bad_rows:
        exits.append(Exit.USAGE)
        complain(*report.first_bad_rows)
        complain(f"{report.bad_rows} of {report.rows} rows could not be read; they count as not passed")
    for name, figures in report.figures.items():
        undecided = figures.outcomes[Outcome.ERROR] + figures.outcomes[Outcome.NOT_RUN]
        if undecided:
            exits.append(Exit.UNDECIDED)
            complain(f"{name}: {undecided} of {figures.rows} rows were left undecided")
    misses = tuple(missed(floors, report.figures))
    if misses:
        exits.append(Exit.GATE_FAILED)
        complain(*misses)
    return strongest(exits)
