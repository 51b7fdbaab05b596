"""Graders that leave the process: what they want done for each row, while the caller awaits it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from gradestone.graders.row_options import row_options
from gradestone.graders.rows import Batch
from gradestone.net.types import GradeDeps
from gradestone.options import GraderOptions
from gradestone.verdict import RowVerdict

if TYPE_CHECKING:
    from gradestone.judge.session import Session
    from gradestone.registry import Registry

CONCURRENCY: Final = 8
"""Rows under way at once where nobody says otherwise."""

Progress = Callable[[int, int], None]
"""Told after each row how many verdicts are there, and how many there will be."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What calls would be made, if none of their replies were known yet."""

    calls: int
    characters: int
    """Code points of the prompts, or bytes of a webhook's bodies."""

    def __add__(self, other: Estimate) -> Estimate:
        return Estimate(self.calls + other.calls, self.characters + other.characters)


NOTHING = Estimate(0, 0)


class OutsideGrader(Protocol):
    """A type that leaves the process, for given options."""

    async def grade(self, candidate: object, session: Session) -> RowVerdict:
        """The verdict on a candidate."""
        ...

    def estimate(self, candidate: object, registry: Registry) -> Estimate:
        """What `grade` would send, if nothing of it were cached and every endpoint were admitted."""
        ...


class Outside(NamedTuple):
    """The rows of a batch that wait for somebody outside."""

    batch: Batch
    options: GraderOptions
    make: Callable[[GraderOptions], OutsideGrader]

    def __len__(self) -> int:
        return len(self.batch)

    def grade(self, index: int, session: Session) -> Awaitable[RowVerdict] | RowVerdict:
        """The verdict on a row, or what to await for it."""
        prepared = self._prepared(index)
        if isinstance(prepared, RowVerdict):
            return prepared
        grader, candidate = prepared
        return grader.grade(candidate, session)

    def estimate(self, index: int, registry: Registry) -> Estimate:
        """What a row would cost."""
        prepared = self._prepared(index)
        if isinstance(prepared, RowVerdict):
            return NOTHING
        grader, candidate = prepared
        return grader.estimate(candidate, registry)

    def _prepared(self, index: int) -> tuple[OutsideGrader, object] | RowVerdict:
        options = row_options(self.options, self.batch, index) if self.batch.columns else self.options
        if isinstance(options, RowVerdict):
            return options
        candidate = self.batch.candidate(index)
        return candidate if isinstance(candidate, RowVerdict) else (self.make(options), candidate)


def checked_deps(deps: object) -> GradeDeps:
    """The caller's settings; ours where there are none.

    Raises:
        TypeError: they are no `GradeDeps`.
    """
    if deps is None:
        return GradeDeps()
    if not isinstance(deps, GradeDeps):
        raise TypeError(f"deps must be a GradeDeps, not {type(deps).__name__}")
    return deps


def checked_concurrency(concurrency: object) -> int:
    """The number of calls at once.

    Raises:
        ValueError: it is no integer of at least 1.
    """
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        raise ValueError(f"concurrency must be an integer of at least 1, not {concurrency!r}")
    return concurrency
