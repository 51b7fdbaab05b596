"""How the verdicts of a kernel are put into words.

The words are data, so that a reason can be rendered here when somebody reads it, or by the writer of the extension
for a whole file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

PASSED: Final = "passed"
"""The reason of a verdict that passed and has no figure to show."""

BROKEN: Final = "the kernel broke on this row"
"""The reason of a row on which a kernel panicked."""


class KernelRows(Protocol):
    """What a kernel says about a batch, row by row."""

    def __len__(self) -> int: ...
    @property
    def codes(self) -> bytes:
        """One index into the backend's ``CODES`` a row."""

    @property
    def scores(self) -> bytes:
        """One native float64 a row."""

    def stats(self, index: int, /) -> tuple[int, ...]:
        """The integers of one row."""

    def hits(self, index: int, /) -> tuple[int, ...]:
        """The indices of what hit in one row."""


Figures = Callable[[tuple[int, ...], tuple[int, ...]], dict[str, Any]]
"""``(integers, hits) -> metadata`` of a row."""


def _no_figures(_stats: tuple[int, ...], _hits: tuple[int, ...]) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """The reasons of a grader, by code; each code that its kernel gives stands in one of the three tables."""

    fixed: Mapping[str, str] = field(default_factory=dict)
    """The same for every row."""
    scored: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What stands before and behind the score, which has four decimals."""
    hits: Mapping[str, tuple[str, Sequence[str]]] = field(default_factory=dict)
    """What stands before the list of what hit, and the words for that."""
    figures: Figures = _no_figures
    """The metadata of a row that was scored or has hits."""

    def explain(self, code: str, score: float, rows: KernelRows, index: int) -> tuple[str, dict[str, Any]]:
        """The reason and the metadata of a row that the kernel decided."""
        if code in self.fixed:
            return self.fixed[code], {}
        if code in self.scored:
            before, behind = self.scored[code]
            return f"{before}{score:.4f}{behind}", self.figures(rows.stats(index), ())
        if code in self.hits:
            before, words = self.hits[code]
            hits = rows.hits(index)
            return before + ", ".join([words[hit] for hit in hits]), self.figures((), hits)
        return BROKEN, {}


def against_threshold(name: str, threshold: float, fixed: Mapping[str, str], figures: Figures) -> Phrases:
    """The words of a scored grader: a fixed reason where nothing was scored, else the score against the threshold."""
    signs = {"ok": ">=", "below_threshold": "<"}
    scored = {code: (f"{name} ", f" {sign} threshold {threshold:g}") for code, sign in signs.items()}
    return Phrases(fixed=fixed, scored=scored, figures=figures)
