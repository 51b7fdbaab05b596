"""Each kernel on its worst input, at a quarter, a half and the whole of a megabyte, or of what its cap lets through."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from benches.turns import Group, Part, Stage, Turn, ours, take
from benches.worst import SHARES, WORST, Worst

from gradestone import compile_grader, grade_batch


def groups(rows: int) -> list[Group]:
    del rows  # an input is one row
    return [
        Group(f"worst: {worst.name}", [str(share) for share in SHARES], _prepare(worst)) for worst in WORST
    ]


def _prepare(worst: Worst) -> Callable[[], Mapping[str, Part]]:
    return lambda: {str(share): _part(worst, share) for share in SHARES}


def _part(worst: Worst, share: float) -> Part:
    size = int(share * worst.full)
    candidate, reference, columns = worst.cells(size)
    compiled = compile_grader(worst.spec, columns=columns.keys())
    references = None if reference is None else [reference]

    def run() -> Any:
        return grade_batch(compiled, [candidate], references=references, columns=columns, threads=1)

    facts = {
        "family": "worst",
        "work": worst.kernel,
        "input": worst.text,
        "size": size,
        "unit": worst.unit,
        "share": share,
        "code": run()[0].code,
    }
    return Part(ours(1, run), facts)


def bench_worst(turn: Turn, stage: Stage, benchmark: Any) -> None:
    take(turn, stage, benchmark)
