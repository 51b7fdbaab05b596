"""The work of ``gradestone score``: from what the user asked for to figures, messages and an exit code."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gradestone.backends import BackendName, load_backend, resolve_backend, resolve_threads
from gradestone.cli.columns import split_option_columns
from gradestone.cli.exits import CommandError, Exit, complain, remark, say, strongest
from gradestone.cli.gates import missed, read_floors
from gradestone.cli.run import Job, Report, estimate, new_report, run
from gradestone.cli.specs import compile_specs
from gradestone.codes import Outcome
from gradestone.compiled import CompiledGrader
from gradestone.data.cells import read_cells
from gradestone.data.inputs import Inputs, open_inputs
from gradestone.data.kept import read_keep
from gradestone.data.output import STDOUT, is_replaced, partial_name
from gradestone.data.outputs import Writer, open_output, output_format
from gradestone.data.verdict_columns import added_names
from gradestone.graders import OUTSIDE
from gradestone.net.types import GradeDeps
from gradestone.options.judge import JudgeOptions
from gradestone.report.terminal import figures_table, progress, table_text


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWish:
    """What the user asked for, as it stands on the command line."""

    gateway: str | None
    allow_hosts: Sequence[str]
    concurrency: int
    cache: str | None
    resume: bool
    retries: int
    timeout: float | None
    registry: Path | None
    dry_run: bool
    fail_fast: bool


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
    calls: CallWish
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
    with _call_settings(request, graders, options) as (deps, forget_replies):
        job = Job(
            graders=graders,
            backend=backend,
            threads=threads,
            candidate=request.candidate,
            reference=request.reference,
            options=options,
            keep=read_keep(request.keep),
            stop_on_bad_row=request.stop_on_bad_row,
            deps=deps,
            concurrency=request.calls.concurrency,
            fail_fast=request.calls.fail_fast,
        )
        if request.calls.dry_run:
            return _tell_estimate(job, request)
        start = time.perf_counter()
        report = _run(job, request)
        if report.stopped is None and not _unanswered(job, report):
            forget_replies()
            _forget_partial(request)
    _tell(job, report, request, time.perf_counter() - start)
    return _verdict(job, report, floors, request)


def _call_settings(
    request: Request, graders: Mapping[str, CompiledGrader], options: Mapping[str, str]
) -> AbstractContextManager[tuple[GradeDeps, Callable[[], None]]]:
    """Give the settings of the calls, and what is to be called when the output is complete."""
    if any(grader.type in OUTSIDE for grader in graders.values()):
        from gradestone.cli.calls import call_settings  # loads what calls are made with

        return call_settings(request.calls, graders, options, request.out)
    if request.calls.resume:
        raise CommandError("--resume: no grader leaves the process, so there is nothing to go on with")
    return nullcontext((GradeDeps(), lambda: None))


def _resolve(request: Request) -> tuple[BackendName, int]:
    """Settle backend and threads, so that a wrong setting or a missing extension ends the run at once."""
    try:
        backend = resolve_backend(request.backend)
        load_backend(backend)
        return backend, resolve_threads(request.threads)
    except (ValueError, ImportError) as error:
        raise CommandError(str(error)) from error


def _forget_partial(request: Request) -> None:
    """Remove what an earlier run had to leave unfinished, now that it is whole."""
    if request.calls.resume and request.out is not None and is_replaced(request.out):
        Path(partial_name(request.out)).unlink(missing_ok=True)


def _tell_estimate(job: Job, request: Request) -> Exit:
    """Print the calls that the run would make."""
    with _opened(job, request) as inputs:
        estimates = estimate(job, inputs)
    rows = [(name, one.calls, one.characters) for name, one in estimates.items()]
    if request.as_json:
        calls = {name: {"calls": calls, "characters": characters} for name, calls, characters in rows}
        say(json.dumps({"calls": calls}, indent=2) + "\n")
        return Exit.OK
    cells = [[name, f"{calls:,}", f"{characters:,}"] for name, calls, characters in rows]
    say(table_text(["grader", "calls", "characters"], cells, stream=sys.stdout, words=("grader",)))
    return Exit.OK


def _run(job: Job, request: Request) -> Report:
    report = new_report(job)
    with _opened(job, request) as inputs, _output(job, request, inputs, report) as output:
        with progress(inputs.size, lambda: inputs.position, quiet=request.quiet) as watch:
            run(
                job,
                inputs,
                output,
                watch,
                report=report,
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


def _output(
    job: Job, request: Request, inputs: Inputs, report: Report
) -> AbstractContextManager[Writer | None]:
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
        is_partial=lambda: report.stopped is not None,
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
    for name, calls in report.calls.items():
        remark(f"{name}: {calls.to_text()}\n")
    speed = report.rows / max(seconds, 1e-9)
    remark(f"{report.rows:,} rows in {seconds:.2f} s, {speed:,.0f} rows/s\n")


def _document(job: Job, report: Report, request: Request, seconds: float) -> dict[str, Any]:
    return {
        "input": request.sources[0] if len(request.sources) == 1 else list(request.sources),
        "rows": report.rows,
        "bad_rows": report.bad_rows,
        "stopped": report.stopped,
        "seconds": round(seconds, 6),
        "graders": {
            name: {
                "type": grader.type,
                "signature": grader.signature,
                **report.figures[name].to_dict(),
                **({"calls": report.calls[name].to_dict()} if name in report.calls else {}),
            }
            for name, grader in job.graders.items()
        },
    }


def _verdict(job: Job, report: Report, floors: Mapping[str, float], request: Request) -> Exit:
    """Say what was wrong with the run, and return its exit code."""
    exits = []
    if report.stopped is not None:
        exits.append(Exit.UNDECIDED)
        complain(*_stopped(report, request))
    if report.bad_rows:
        exits.append(Exit.USAGE)
        complain(*report.first_bad_rows)
        complain(f"{report.bad_rows} of {report.rows} rows could not be read; they count as not passed")
    for name, figures in report.figures.items():
        undecided = figures.outcomes[Outcome.ERROR] + figures.outcomes[Outcome.NOT_RUN]
        if undecided:
            exits.append(Exit.UNDECIDED)
            complain(f"{name}: {undecided} of {figures.rows} rows were left undecided")
    unanswered = _unanswered(job, report)
    if unanswered and report.stopped is None and request.out is not None and is_replaced(request.out):
        complain(f"{unanswered} verdicts lack an answer: --resume asks for these again, and for no others")
    misses = tuple(missed(floors, report.figures))
    if misses:
        exits.append(Exit.GATE_FAILED)
        complain(*misses)
    return strongest(exits)


_UNANSWERED: Final = (
    "timeout",
    "unreachable",
    "redirected",
    "response_too_large",
    "http_error",
    "endpoint_down",
)
"""Codes of rows that another run may get an answer for."""


def _unanswered(job: Job, report: Report) -> int:
    """Verdicts of judges for which no answer came."""
    judges = [name for name, grader in job.graders.items() if isinstance(grader.options, JudgeOptions)]
    return sum(report.figures[name].codes[code] for name in judges for code in _UNANSWERED)


def _stopped(report: Report, request: Request) -> Iterator[str]:
    yield f"stopped after {report.rows} rows, {report.stopped}"
    if request.out is None or not is_replaced(request.out):
        return
    yield f"these rows are in {partial_name(request.out)}; --resume asks for those that have no reply yet"
