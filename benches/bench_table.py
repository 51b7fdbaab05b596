"""The table: each work of `gradestone.bench`, ours beside the plain reference and every peer that is installed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from benches.corpus import load
from benches.turns import Group, Part, Stage, Turn, take

from gradestone.bench.contest import DisagreementError, prepare
from gradestone.bench.works import WORKS, Work

FEW = 20
"""Rows on which the sides are built to learn their names, before any is timed."""


def groups(rows: int) -> list[Group]:
    return [_group(work, rows) for work in WORKS]


def _group(work: Work, rows: int) -> Group:
    try:
        names = [side.name for side in prepare(work, load(min(rows, FEW))).sides]
    except DisagreementError as disagreement:
        return Group(work.name, ["agreement"], _raising(disagreement))
    return Group(work.name, names, lambda: _parts(work, rows))


def _parts(work: Work, rows: int) -> Mapping[str, Part]:
    facts = {"family": "table", "work": work.name}
    return {side.name: Part(side, facts) for side in prepare(work, load(rows)).sides}


def _raising(fault: Exception) -> Callable[[], NoReturn]:
    def fail() -> NoReturn:
        raise fault

    return fail


def bench_table(turn: Turn, stage: Stage, benchmark: Any) -> None:
    take(turn, stage, benchmark)
