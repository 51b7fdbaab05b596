"""The work of ``gradestone bench``: which texts, what is told of the times, and the exit code."""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gradestone import __version__
from gradestone.bench.contest import DisagreementError, Side, measure, prepare
from gradestone.bench.sample import Pair, sample
from gradestone.bench.works import WORKS, Work
from gradestone.cli.columns import choose_pair
from gradestone.cli.exits import CommandError, Exit, complain, say
from gradestone.cli.suggest import did_you_mean
from gradestone.data.blocks import Block
from gradestone.data.inputs import Inputs, open_inputs
from gradestone.report.terminal import table_text

BUDGET: Final = 1.0
"""Seconds after which a side sits out the remaining rounds: the plain reference may take seconds a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the user asked for."""

    source: str | None
    types: Sequence[str]
    candidate: str | None
    reference: str | None
    input_format: str | None
    rows: int
    rounds: int
    as_json: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a work."""

    work: Work
    figures: Mapping[str, Sequence[float]]
    sides: Sequence[Side] = ()
    missing: Sequence[str] = ()
    fault: str | None = None

    def median(self, side: Side) -> float:
        """Microseconds a row."""
        return statistics.median(self.figures[side.name])

    def times(self, side: Side) -> float:
        """How many times as long as ours."""
        return self.median(side) / self.median(self.sides[0])


@dataclass(slots=True)
class Rows:
    """The texts, and what was left out on the way to them."""

    pairs: list[Pair] = field(default_factory=list)
    unreadable: int = 0
    without_text: int = 0


def bench_texts(wish: Wish) -> Exit:
    """Time what was asked for, print the figures, and return the exit code."""
    # Peers read these when they are imported, and must not take the other cores.
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    works = _works(wish.types)
    rows = Rows(sample(wish.rows)) if wish.source is None else _read(wish, wish.source)
    if not rows.pairs:
        complain("there were no rows with a candidate and a reference")
        return Exit.NOTHING
    results = [_timed(work, rows.pairs, wish.rounds) for work in works]
    say(_as_json(wish, rows, results) if wish.as_json else _as_text(rows, results))
    faults = [result.fault for result in results if result.fault is not None]
    complain(*faults)
    return Exit.GATE_FAILED if faults else Exit.OK


def _works(types: Sequence[str]) -> list[Work]:
    known = list(dict.fromkeys(str(work.grader["type"]) for work in WORKS))
    faults = [f"there is no bench of {one!r}{did_you_mean(one, known)}" for one in types if one not in known]
    if faults:
        raise CommandError(*faults)
    return [work for work in WORKS if not types or work.grader["type"] in types]


def _read(wish: Wish, source: str) -> Rows:
    rows = Rows()
    with open_inputs([source], format=wish.input_format, limit=wish.rows) as inputs:
        columns = _columns(wish, inputs)
        if columns is None:
            return rows
        for block in inputs.blocks(columns, columns):
            _gather(rows, block, columns)
    return rows


def _columns(wish: Wish, inputs: Inputs) -> tuple[str, str] | None:
    """The columns of candidates and references; None where no row can be read."""
    fields = inputs.fields()
    if fields is None:
        return None
    return choose_pair(fields, candidate=wish.candidate, reference=wish.reference)


def _gather(rows: Rows, block: Block, columns: tuple[str, str]) -> None:
    rows.unreadable += len(block.bad)
    for candidate, reference in zip(*(block.cells(name) for name in columns), strict=True):
        if isinstance(candidate, str) and isinstance(reference, str):
            rows.pairs.append(Pair(candidate, reference))
        else:
            rows.without_text += 1


def _timed(work: Work, pairs: Sequence[Pair], rounds: int) -> Result:
    try:
        contest = prepare(work, pairs)
    except DisagreementError as disagreement:
        return Result(work, {}, fault=str(disagreement))
    figures = measure(contest, rounds, budget=BUDGET)
    return Result(work, figures, contest.sides, contest.missing)


def _as_json(wish: Wish, rows: Rows, results: Sequence[Result]) -> str:
    document = {
        "gradestone": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "texts": "sample" if wish.source is None else wish.source,
        "rows": len(rows.pairs),
        "unreadable_rows": rows.unreadable,
        "rows_without_text": rows.without_text,
        "rounds": wish.rounds,
        "works": [_work_record(result) for result in results],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _work_record(result: Result) -> dict[str, Any]:
    sides = [
        {
            "name": side.name,
            "version": side.version,
            "role": side.role,
            "rows": side.rows,
            "note": side.note,
            "microseconds_a_row": list(result.figures[side.name]),
            "median": result.median(side),
            "times_ours": result.times(side),
        }
        for side in result.sides
    ]
    return {
        "name": result.work.name,
        "sides": sides,
        "not_installed": list(result.missing),
        "disagreement": result.fault,
    }


def _as_text(rows: Rows, results: Sequence[Result]) -> str:
    header = ["work", "rows", "ours, µs a row", "reference", "times", "others, µs a row and times ours"]
    lines = [_line(result) for result in results]
    table = table_text(header, lines, stream=sys.stdout, words=("work", header[-1]), wrapped=(header[-1],))
    return table + "".join(f"\n{note}\n" for note in _notes(rows, results))


def _line(result: Result) -> list[str]:
    if not result.sides:
        said = "disagreement, see below" if result.fault else "too few sentences for one row"
        return [result.work.name, "-", "-", "-", "-", said]
    ours, reference, *peers = result.sides
    return [
        result.work.name,
        str(ours.rows),
        _figure(result.median(ours)),
        _figure(result.median(reference)),
        f"{result.times(reference):,.1f}×",
        ", ".join(
            f"{peer.name} {_figure(result.median(peer))} ({result.times(peer):,.1f}×)" for peer in peers
        ),
    ]


def _figure(microseconds: float) -> str:
    return f"{microseconds:,.2f}" if microseconds < 100 else f"{microseconds:,.0f}"


def _notes(rows: Rows, results: Sequence[Result]) -> Iterator[str]:
    missing = dict.fromkeys(name for result in results for name in result.missing)
    if missing:
        yield f"not installed: {', '.join(missing)}; pip install 'gradestone[bench]' brings them"
    if rows.without_text:
        yield f"left out: {rows.without_text} rows without a candidate or a reference that is text"
    if rows.unreadable:
        yield f"left out: {rows.unreadable} unreadable rows"
