"""``gradestone score``: grades a file of answers."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from gradestone.cli.choices import Backend, Format, OnBadRow
from gradestone.cli.exits import Exit, guarded

HELP: Final = """\
Grade a file of answers and print the figures of each grader.

The file holds one JSON object a line. Each grader looks at the candidate of every row and, where it needs
one, at the reference beside it. A row without a candidate counts as not passed.

\b
Examples:
  gradestone score answers.jsonl -g no_pii -g rouge_score
  gradestone score answers.jsonl.gz -g rouge_l=rouge_score:rouge_type=rouge_l,threshold=0.3
  gradestone score answers.jsonl -g 'blocklist:{"terms": ["password", "a,b"]}' --out graded.jsonl
  gradestone score - -g blocklist:terms=@terms.txt --fail-under 0.99 < answers.jsonl

\b
Exit codes:
  0    all well
  1    a pass rate is under --fail-under
  2    usage, an unreadable row or file, an output that cannot be written
  3    rows were left undecided: a grader ran out of time, broke, or cannot run yet
  4    a bug
  5    there were no rows
  130  interrupted
"""


@guarded
def score(
    *,
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT", help="A file with one JSON object a line, gzipped or not; - is standard input."
        ),
    ],
    grader: Annotated[
        list[str],
        typer.Option(
            "--grader",
            "-g",
            metavar="[NAME=]TYPE[:OPTIONS]",
            help="A grader; repeat it for more. OPTIONS are key=value pairs separated by commas, or one JSON "
            "object; key=@FILE reads a JSON value, or one text a line, from a file. The types are listed by "
            "`gradestone graders`.",
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
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write every row with its verdicts to this file (.jsonl or .jsonl.gz; - is standard "
            "output). It appears under its name only when it is complete.",
        ),
    ] = None,
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
    from gradestone.cli.scoring import Request, score_file  # loads NumPy and the kernels

    return score_file(
        Request(
            source=source,
            graders=grader,
            candidate=candidate,
            reference=reference,
            out=out,
            limit=limit,
            fail_under=fail_under or [],
            stop_on_bad_row=on_bad_row is OnBadRow.STOP,
            threads=threads,
            backend=backend and backend.value,
            as_json=format_ is Format.JSON,
            quiet=quiet,
        )
    )
