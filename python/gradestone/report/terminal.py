"""Reports for people: tables on standard output, progress on standard error.

On a terminal both use what it can show; anywhere else, on a dumb terminal and under ``CI`` a table is plain
text whose lines are never cut, and there is no progress bar. ``NO_COLOR`` is honoured.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TextIO

from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from gradestone.codes import Outcome
from gradestone.report.statistics import Figures

_UNBOUNDED: Final = 100_000
"""Columns of a plain report: what reads it wraps lines by itself, or must not meet wrapped ones."""


def console_for(stream: TextIO) -> Console:
    """Return a console for a stream; it takes nothing in a text for markup."""
    plain = bool(os.environ.get("CI")) and not os.environ.get("FORCE_COLOR")
    console = Console(
        file=stream, force_terminal=False if plain else None, markup=False, highlight=False, emoji=False
    )
    if not is_rich(console):
        console.width = _UNBOUNDED
    return console


def is_rich(console: Console) -> bool:
    """Tell whether a console is a terminal that can show more than plain lines."""
    return console.is_terminal and not console.is_dumb_terminal


def table_text(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    stream: TextIO,
    words: Collection[str],
    wrapped: Collection[str] = (),
) -> str:
    """Return a table as the text that suits a stream.

    ``words`` names the columns that hold words; the others hold figures, which are set to the right. Where a
    terminal is too narrow the columns named in ``wrapped`` give way.
    """
    console = console_for(stream)
    rich = is_rich(console)
    style = box.SIMPLE_HEAD if rich else None
    table = Table(box=style, show_edge=False, pad_edge=False, padding=(0, 1 if rich else 2, 0, 0))
    for name in header:
        table.add_column(
            name,
            justify="left" if name in words else "right",
            no_wrap=name not in wrapped,
            overflow="fold",
            header_style="bold",
        )
    for row in rows:
        table.add_row(*row)
    needed = console.measure(table, options=console.options.update(width=_UNBOUNDED)).minimum
    if needed > console.width:
        # Lines that the terminal breaks are better than figures that are missing.
        console.width = _UNBOUNDED
    with console.capture() as capture:
        console.print(table)
    # Cells are padded to the width of their columns, which at the end of a line nobody needs.
    return "\n".join(line.rstrip(" ") for line in capture.get().split("\n"))


_UNDECIDED: Final = (Outcome.ERROR, Outcome.NOT_RUN)


def figures_table(figures: Mapping[str, Figures], *, stream: TextIO) -> str:
    """Return the figures of each grader as a table.

    It tells rows, pass rate with its 95 % interval, mean and percentiles of the score, and by code the rows
    that were invalid, broke or were not run.
    """
    undecided = [outcome for outcome in _UNDECIDED if any(one.outcomes[outcome] for one in figures.values())]
    header = ["grader", "rows", "passed", "95 % interval", "mean", "p10", "p50", "p90", "invalid"]
    header += [outcome.value.replace("_", " ") for outcome in undecided]
    rows = [
        [name, *_numbers(one), *(_codes(one, outcome) for outcome in (Outcome.INVALID, *undecided))]
        for name, one in figures.items()
    ]
    by_code = ("invalid", "error", "not run")
    return table_text(header, rows, stream=stream, words=("grader", *by_code), wrapped=by_code)


def _numbers(figures: Figures) -> list[str]:
    interval, rate = figures.interval, figures.pass_rate
    return [
        str(figures.rows),
        "-" if rate is None else percentage(rate),
        "-" if interval is None else f"{100 * interval.lower:.2f} .. {100 * interval.upper:.2f} %",
        *(
            "-" if value is None else f"{value:.4f}"
            for value in (figures.mean, *map(figures.percentile, (10, 50, 90)))
        ),
    ]


def _codes(figures: Figures, outcome: Outcome) -> str:
    codes = figures.codes_of(outcome)
    return ", ".join(f"{rows} {code}" for code, rows in codes.items()) or "0"


def percentage(rate: float) -> str:
    """Return a rate in per cent with two decimals, in which only 1 is 100 and only 0 is 0.

    >>> percentage(0.5), percentage(0.999999), percentage(1.0), percentage(0.000001)
    ('50.00 %', '99.99 %', '100.00 %', '0.01 %')
    """
    percent = rate * 100
    if 0 < percent < 100:
        percent = min(max(percent, 0.01), 99.99)
    return f"{percent:.2f} %"


@contextmanager
def progress(
    size: int | None, position: Callable[[], int], *, quiet: bool
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, if that is a terminal; give what is to be told the rows so far.

    ``size`` is that of the input in bytes, None where it is unknown; ``position`` tells the bytes read so
    far.
    """
    console = console_for(sys.stderr)
    if quiet or not is_rich(console):
        yield lambda _: None
        return
    start = time.monotonic()
    columns: list[ProgressColumn] = [TextColumn("{task.fields[told]}")]
    if size is not None:
        columns = [BarColumn(), TaskProgressColumn(), *columns, TimeRemainingColumn(), TextColumn("left")]
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=size, told="")

        def watch(rows: int) -> None:
            speed = rows / max(time.monotonic() - start, 1e-9)
            bar.update(task, completed=position(), told=f"{rows:,} rows, {speed:,.0f} rows/s")

        yield watch
