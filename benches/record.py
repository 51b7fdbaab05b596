"""The raw record of a run, pytest-benchmark's JSON, as figures by group and side."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Series(NamedTuple):
    """One side of a group in all its rounds."""

    group: str
    side: str
    facts: Mapping[str, Any]
    """What the turn wrote down: version, role, rows, note, family, work, size, …"""
    figures: tuple[float, ...]
    """Microseconds a row, a figure a round."""

    @property
    def median(self) -> float:
        return statistics.median(self.figures)

    def spread(self) -> str:
        """Median, least and most.

        >>> Series("bleu", "ours", {}, (11.0, 10.5, 12.25)).spread()
        '11.00 (10.50–12.25)'
        """
        return f"{amount(self.median)} ({amount(min(self.figures))}–{amount(max(self.figures))})"


def amount(figure: float) -> str:
    """A figure with as many digits as mean something.

    >>> amount(0.1234), amount(11.349), amount(767.27), amount(57_300.4)
    ('0.123', '11.35', '767', '57,300')
    """
    if figure < 1:
        return f"{figure:.3f}"
    return f"{figure:.2f}" if figure < 100 else f"{figure:,.0f}"


def read(document: Mapping[str, Any]) -> list[Series]:
    """Gathers the rounds of each side, in the order in which the sides first had their turn."""
    gathered: dict[tuple[str, str], tuple[Mapping[str, Any], list[float]]] = {}
    for item in document["benchmarks"]:
        facts = item["extra_info"]
        key = item["group"], facts["turn"]
        _, figures = gathered.setdefault(key, (facts, []))
        figures.append(item["stats"]["median"] / facts["rows"] * 1e6)
    return [
        Series(group, facts["side"], facts, tuple(figures))
        for (group, _), (facts, figures) in gathered.items()
    ]


def of_family(series: Iterable[Series], family: str) -> dict[str, list[Series]]:
    """The series of one family by their groups, in order."""
    groups: dict[str, list[Series]] = {}
    for one in series:
        if one.facts["family"] == family:
            groups.setdefault(one.group, []).append(one)
    return groups
