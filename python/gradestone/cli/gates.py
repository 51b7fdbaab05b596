"""``--fail-under``: the lowest pass rates that a run may have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gradestone.cli.exits import CommandError
from gradestone.cli.suggest import did_you_mean
from gradestone.report.statistics import Figures
from gradestone.report.terminal import percentage


def read_floors(texts: Iterable[str], names: Iterable[str]) -> dict[str, float]:
    """Read the lowest pass rate of each grader that has one, from texts ``[NAME=]RATE``.

    A rate without a name is that of every grader that has none of its own. Raises `CommandError` when a rate
    is no number from 0 to 1, a name is no grader's, or one is given twice.

    >>> read_floors(["0.9", "bleu=0.2"], ["no_pii", "bleu"])
    {'no_pii': 0.9, 'bleu': 0.2}
    """
    known = tuple(names)
    given: dict[str | None, float] = {}
    faults = []
    for text in texts:
        name, equals, number = text.rpartition("=")
        key, rate = name if equals else None, _rate(number)
        if key is not None and key not in known:
            faults.append(f"--fail-under: no grader is called {name!r}{did_you_mean(name, known)}")
        elif rate is None:
            faults.append(f"--fail-under: {number!r} is no number from 0 to 1")
        elif key in given:
            faults.append(f"--fail-under: two rates for {key or 'all graders'}")
        else:
            given[key] = rate
    if faults:
        raise CommandError(*faults)
    floors = {name: given.get(name, given.get(None)) for name in known}
    return {name: floor for name, floor in floors.items() if floor is not None}


def _rate(text: str) -> float | None:
    try:
        rate = float(text)
    except ValueError:
        return None
    return rate if 0 <= rate <= 1 else None


def missed(floors: Mapping[str, float], figures: Mapping[str, Figures]) -> Iterator[str]:
    """Give a line for each grader whose pass rate, of all rows, is under its floor, without any tolerance."""
    for name, floor in floors.items():
        rate = figures[name].pass_rate
        if rate is not None and rate < floor:
            passed, rows = figures[name].passed, figures[name].rows
            yield f"{name}: {passed} of {rows} rows passed ({percentage(rate)}), under {floor:g}"
