"""How groups are timed: a test item is one round of one side, and the items of a group take turns.

pytest-benchmark runs all rounds of a test one after the other, so that whatever else the machine does falls on one side
alone. Here each item has one round, and a group's items are ordered by round first: ours, reference, peers, ours, …
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gradestone import __version__
from gradestone.bench.contest import Side

Facts = Mapping[str, Any]
"""What the record of an item says besides its time."""


class Part(NamedTuple):
    """A side that is ready to run."""

    side: Side
    facts: Facts


def ours(rows: int, run: Callable[[], object]) -> Side:
    """The one side of a series: its texts are of the kinds that it reads where they lie, or copies at every run."""
    return Side(name="gradestone", version=__version__, role="ours", rows=rows, run=run, fresh=as_they_are)


def as_they_are() -> None:
    """Leaves the texts alone."""


class Group(NamedTuple):
    """What is compared with each other: a row of a table, or a series of sizes."""

    name: str
    sides: Sequence[str]
    """Their names, or the sizes, in the order of their turns."""
    prepare: Callable[[], Mapping[str, Part]]
    """Builds what is named so, and asserts its answers."""


class Turn(NamedTuple):
    """One round of one side."""

    group: Group
    number: int
    side: str

    def __str__(self) -> str:
        return f"{self.group.name}, {self.side}, round {self.number}"


def turns(groups: Sequence[Group], rounds: int) -> Iterator[Turn]:
    """All turns, group by group, and in a group round by round.

    >>> group = Group("bleu", ("ours", "peer"), dict)
    >>> [(turn.number, turn.side) for turn in turns([group], 2)]
    [(1, 'ours'), (1, 'peer'), (2, 'ours'), (2, 'peer')]
    """
    for group in groups:
        for number in range(1, rounds + 1):
            for side in group.sides:
                yield Turn(group, number, side)


class Stage:
    """The group that is on: prepared once, at its first turn, and let go when another's comes.

    A group that cannot be prepared, or whose sides disagree, fails at each of its turns.
    """

    def __init__(self) -> None:
        self._group: str | None = None
        self._parts: Mapping[str, Part] = {}
        self._fault: Exception | None = None

    def part(self, turn: Turn) -> Part:
        """The side whose turn it is."""
        if turn.group.name != self._group:
            self._parts, self._fault, self._group = {}, None, turn.group.name
            gc.collect()
            try:
                self._parts = turn.group.prepare()
            except Exception as fault:
                self._fault = fault
        if self._fault is not None:
            raise self._fault
        return self._parts[turn.side]


def take(turn: Turn, stage: Stage, benchmark: Any) -> None:
    """Runs a turn: once untimed, since the last side's turn has emptied the caches, then once timed.

    Each run gets strings that nobody has looked at yet, as a user's first pass does: CPython keeps the UTF-8 of a
    string that one side asked for.
    """
    side, facts = stage.part(turn)
    gc.collect()
    benchmark.group = turn.group.name
    benchmark.extra_info.update(
        side=side.name,
        version=side.version,
        role=side.role,
        rows=side.rows,
        note=side.note,
        turn=turn.side,
        round=turn.number,
        **facts,
    )
    benchmark.pedantic(side.run, setup=side.fresh, rounds=1, iterations=1, warmup_rounds=1)
