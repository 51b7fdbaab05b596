"""``gradestone bench``: how fast the kernels are, on this machine and on the user's own texts."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from gradestone.cli.choices import Format, InputFormat
from gradestone.cli.exits import Exit, guarded

HELP: Final = """\
Time the kernels beside their plain reference and beside other libraries that are installed.

The texts are those of INPUT, each candidate beside its reference, or made-up ones in the shape of real answers.
All sides answer the same rows first, and what they say is compared; then they take turns, on one thread, and
each turn gets strings that nobody has seen before. Figures are microseconds a row, medians over the rounds.

Other libraries are not needed, and are named where they are missing: pip install 'gradestone[bench]'.

\b
Examples:
  gradestone bench
  gradestone bench answers.jsonl -g bleu_score -g no_pii
  gradestone bench answers.parquet --candidate answer --reference gold --format json

\b
Exit codes:
  0  all sides agree, and were timed
  1  a side gives other answers than ours; the others were timed
  2  usage, unreadable input
  5  there were no rows with a candidate and a reference
"""


@guarded
def bench(
    *,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[INPUT]", help="A file of answers, read as `gradestone score` does."),
    ] = None,
    grader: Annotated[
        list[str] | None,
        typer.Option(
            "--grader", "-g", metavar="TYPE", help="Time this type only; repeat it for more. [default: all]"
        ),
    ] = None,
    candidate: Annotated[
        str | None,
        typer.Option(
            metavar="COL", help="The column of candidates. [default: candidate, output or response]"
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(metavar="COL", help="The column of references. [default: reference or expected]"),
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option(help="The format of the input, where the name does not say it. [default: jsonl]"),
    ] = None,
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="Rows at most; slow sides get fewer.")] = 1000,
    rounds: Annotated[int, typer.Option(metavar="N", min=1, help="How often each side has its turn.")] = 5,
    format_: Annotated[Format, typer.Option("--format", help="How the figures are printed.")] = Format.TABLE,
) -> Exit:
    """Time the kernels, see ``HELP``."""
    from gradestone.cli.benching import Wish, bench_texts  # loads the kernels

    return bench_texts(
        Wish(
            source=source,
            types=grader or [],
            candidate=candidate,
            reference=reference,
            input_format=input_format,
            rows=rows,
            rounds=rounds,
            as_json=format_ is Format.JSON,
        )
    )
