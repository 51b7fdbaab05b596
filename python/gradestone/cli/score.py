"""``gradestone score``: grades a file of answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from gradestone.cli.choices import Backend, Format, InputFormat, OnBadRow, OutputFormat
from gradestone.cli.exits import Exit, guarded

HELP: Final = """\
Grade a file of answers and print the figures of each grader.

Each grader looks at the candidate of every row and, where it needs one, at the reference beside it. A row
without a candidate counts as not passed.

\b
Examples:
  gradestone score answers.jsonl -g no_pii -g rouge_score
  gradestone score answers.jsonl.gz -g rouge_l=rouge_score:rouge_type=rouge_l,threshold=0.3
  gradestone score answers.jsonl -g 'blocklist:{"terms": ["password", "a,b"]}' --out graded.jsonl
  gradestone score - -g blocklist:terms=@terms.txt --fail-under 0.99 < answers.jsonl
  gradestone score answers.parquet -g bleu_score --out graded.parquet --keep id
  gradestone score answers.jsonl -g llm_judge:rubric=@rubric.txt --gateway http://127.0.0.1:8080 --out judged.jsonl
  gradestone score 'runs/*.csv' -g context_f1 --column retrieved=found --column expected=wanted --cells json

\b
Exit codes:
  0    all well
  1    a pass rate is under --fail-under
  2    usage, an unreadable row or file, an output that cannot be written
  3    rows were left undecided: a grader broke, ran out of time, or its endpoint is down
  4    a bug
  5    there were no rows
  130  interrupted
"""


@guarded
def score(
    *,
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="Files, patterns such as 'data/*.parquet', or directories: JSON lines, JSON, CSV, TSV (each also "
            "as .gz or .zst), Parquet or Arrow. - is standard input.",
        ),
    ],
    grader: Annotated[
        list[str],
        typer.Option(
            "--grader",
            "-g",
            metavar="[NAME=]TYPE[:OPTIONS]",
            help="A grader; repeat it for more. OPTIONS are key=value pairs separated by commas, or one JSON "
            "object; key=@FILE reads a JSON value or one text a line from a file, or, for text such as a rubric, the "
            "whole file. The types are listed by `gradestone graders`.",
        ),
    ],
    candidate: Annotated[
        str | None,
        typer.Option(metavar="COL", help="The column to grade. [default: candidate, output or response]"),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(metavar="COL", help="The column to compare with. [default: reference or expected]"),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPTION=COL",
            help="Take an option of the graders from a column, row by row, as in --column retrieved=contexts. "
            "Repeatable.",
        ),
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option(help="The format of the input, where the name does not say it. [default: jsonl]"),
    ] = None,
    cells: Annotated[
        str,
        typer.Option(
            metavar="text|json|json:COLS",
            help="What the cells of CSV and TSV files are: text, or JSON in all or in the named columns.",
        ),
    ] = "text",
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write every row with its verdicts to this file: .jsonl, .csv, .tsv (each also .gz or .zst), "
            ".parquet or .arrow; - is standard output. It appears under its name only when it is complete.",
        ),
    ] = None,
    output_format: Annotated[
        OutputFormat | None,
        typer.Option(help="The format of the output, where the name does not say it. [default: jsonl]"),
    ] = None,
    keep: Annotated[
        str,
        typer.Option(
            metavar="COLS|all|none", help="The columns of the input that the output has beside the verdicts."
        ),
    ] = "all",
    limit: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Grade the first N rows only.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]RATE",
            help="Exit with 1 when a pass rate is under RATE (0 to 1): that of the named grader, or of every "
            "grader without a rate of its own. Repeatable.",
        ),
    ] = None,
    on_bad_row: Annotated[
        OnBadRow,
        typer.Option(
            help="An unreadable row counts as not passed, and the run goes on and exits with 2; or the run "
            "stops there and writes no file."
        ),
    ] = OnBadRow.CONTINUE,
    gateway: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="The gateway of judges whose options name none; it is trusted. [default: "
            "$GRADESTONE_GATEWAY_URL, $CAVE_GATEWAY_URL]",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Let graders call this endpoint although its address is not public. Repeatable.",
        ),
    ] = None,
    concurrency: Annotated[int, typer.Option(metavar="N", min=1, help="Calls under way at once.")] = 8,
    cache: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Keep the replies in this file, and ask for none that is there. [default: beside the output until "
            "it is complete]",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the replies that an interrupted run has kept.")
    ] = False,
    retries: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Attempts after a broken connection or a status 429, 502, 503, 504."
        ),
    ] = 0,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0, help="Seconds of a call where the grader does not say."),
    ] = None,
    registry: Annotated[
        Path | None,
        typer.Option(
            envvar="GRADESTONE_REGISTRY", metavar="FILE", help="The registry whose prompts judges are asked."
        ),
    ] = None,
    fail_fast: Annotated[
        bool,
        typer.Option("--fail-fast", help="Make no call for a row that another grader did not pass."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count the calls and their characters; send and write nothing.")
    ] = False,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Threads of the kernels. [default: all cores]")
    ] = None,
    backend: Annotated[
        Backend | None,
        typer.Option(help="Compiled kernels, or the slow reference in Python. [default: rust]"),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="How the figures are printed.")] = Format.TABLE,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="No progress and no table: only errors, and JSON if asked for."),
    ] = False,
) -> Exit:
    """Grade a file of answers, see ``HELP``."""
    from gradestone.cli.scoring import CallWish, Request, score_file  # loads NumPy and the kernels

    return score_file(
        Request(
            sources=sources,
            input_format=input_format and input_format.value,
            cells=cells,
            graders=grader,
            candidate=candidate,
            reference=reference,
            columns=column or [],
            out=out,
            output_format=output_format and output_format.value,
            keep=keep,
            limit=limit,
            fail_under=fail_under or [],
            stop_on_bad_row=on_bad_row is OnBadRow.STOP,
            calls=CallWish(
                gateway=gateway,
                allow_hosts=allow_host or [],
                concurrency=concurrency,
                cache=cache,
                resume=resume,
                retries=retries,
                timeout=timeout,
                registry=registry,
                dry_run=dry_run,
                fail_fast=fail_fast,
            ),
            threads=threads,
            backend=backend and backend.value,
            as_json=format_ is Format.JSON,
            quiet=quiet,
        )
    )
