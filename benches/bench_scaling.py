"""How time grows with tokens, members, terms and rows; see `benches/scaling.py`."""

from __future__ import annotations

from typing import Any

from benches import scaling
from benches.turns import Group, Stage, Turn, take


def groups(rows: int) -> list[Group]:
    del rows  # the sizes are what is measured
    return [
        *scaling.by_tokens(),
        *scaling.by_members(),
        *scaling.by_terms(),
        *scaling.by_rows(),
        *scaling.one_call(),
    ]


def bench_scaling(turn: Turn, stage: Stage, benchmark: Any) -> None:
    take(turn, stage, benchmark)
