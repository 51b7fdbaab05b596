"""All sides of a work on the same rows: their answers held against each other, then their times, taken in turn."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple

import gradestone
from gradestone import CompiledGrader, GradeBatch, compile_grader, grade_batch
from gradestone.backends import BackendName
from gradestone.bench.asking import Asked
from gradestone.bench.peers import Peer, installed, missing
from gradestone.bench.sample import Pair
from gradestone.bench.texts import Texts
from gradestone.bench.works import Work

Role = Literal["ours", "reference", "peer"]


class DisagreementError(Exception):
    """A side that gives another answer than ours: there is nothing to time."""

    def __init__(self, work: str, side: str, fault: str) -> None:
        super().__init__(f"{work}: {side} disagrees, {fault}")
        self.work = work
        self.side = side
        self.fault = fault


class Side(NamedTuple):
    """One who does the work."""

    name: str
    version: str
    role: Role
    rows: int
    run: Callable[[], object]
    """Does the work once, on one thread."""
    fresh: Callable[[], None]
    """Makes the texts anew; called before each run, and not timed."""
    note: str = ""
    """What it leaves out, or does otherwise."""


class Contest(NamedTuple):
    """A work and who does it, ours first."""

    work: Work
    sides: Sequence[Side]
    missing: Sequence[str]
    """Peers that are not installed, by the names under which they can be."""


def prepare(work: Work, pairs: Sequence[Pair]) -> Contest:
    """Let every side answer once, and hold the answers against each other.

    Args:
        work: what is to be done.
        pairs: the texts; see `Work.texts`.

    Where the pairs hold too few sentences for one row of lists, nobody has anything to do, and there are no sides.

    Ours and the plain reference must give the same codes, scores and reasons. What a peer is held to, its `check` says.

    Raises:
        DisagreementError: a side answers otherwise. It names the row, and never quotes it.

    """
    texts = work.texts(pairs).head(work.rows)
    if not len(texts):
        return Contest(work, (), ())
    compiled = compile_grader(work.grader, columns=texts.columns.keys())
    ours = _graded(compiled, texts, "rust")
    few = texts.head(work.reference_rows)
    plain = _graded(compiled, few, "python")
    _hold(work, ours, plain)
    sides = [
        _side(compiled, texts, "rust", "ours", "gradestone"),
        _side(compiled, few, "python", "reference", "reference"),
    ]
    for peer in installed(work.family):
        sides.append(_peer_side(work, peer, texts, ours))
    return Contest(work, sides, missing(work.family))


def _graded(compiled: CompiledGrader, texts: Texts, backend: BackendName) -> GradeBatch:
    return grade_batch(
        compiled,
        texts.candidates,
        references=texts.references,
        columns=texts.columns,
        threads=1,
        backend=backend,
    )


def _side(compiled: CompiledGrader, texts: Texts, backend: BackendName, role: Role, name: str) -> Side:
    return Side(
        name,
        gradestone.__version__,
        role,
        len(texts),
        lambda: _graded(compiled, texts, backend),
        texts.renew,
    )


def _hold(work: Work, ours: GradeBatch, plain: GradeBatch) -> None:
    for row in range(len(plain)):
        if ours[row] != plain[row]:
            raise DisagreementError(work.name, "the reference", f"first in row {row + 1}")


def _peer_side(work: Work, peer: Peer, texts: Texts, ours: GradeBatch) -> Side:
    own = texts.head(peer.rows)
    run = peer.make(work, own)
    own_answers = Asked(work, own, ours, peer.make, run())
    fault = peer.check(own_answers)
    if fault is not None:
        raise DisagreementError(work.name, peer.name, fault)
    return Side(peer.name, peer.version, "peer", len(own), run, own.renew, peer.note)


def measure(
    contest: Contest,
    rounds: int,
    *,
    budget: float = math.inf,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Microseconds a row of each side, a figure a round.

    Args:
        contest: what `prepare` returned.
        rounds: how often each side has its turn. They take turns: ours, reference, peers, ours, …
        budget: seconds after which a side sits out the rounds that remain.
        clock: seconds.

    Each turn is run twice, and the second is timed: the side before has emptied the caches. The plain reference is too
    slow to notice.

    """
    figures: dict[str, list[float]] = {side.name: [] for side in contest.sides}
    spent = dict.fromkeys(figures, 0.0)
    with _without_collector():
        for _ in range(rounds):
            for side in contest.sides:
                if spent[side.name] < budget:
                    took = _turn(side, clock)
                    spent[side.name] += took
                    figures[side.name].append(took / side.rows * MICROSECONDS)
    return figures


def _turn(side: Side, clock: Callable[[], float]) -> float:
    if side.role != "reference":
        side.fresh()
        side.run()
    side.fresh()
    start = clock()
    side.run()
    return clock() - start


MICROSECONDS: Final = 1e6


@contextmanager
def _without_collector() -> Iterator[None]:
    """Collect before, not between: going over all objects of a process empties the caches, at whoever's turn it is."""
    gc.collect()
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
