"""Running figures of one grader over a stream of rows, in memory that does not grow."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from gradestone.codes import CODES, Outcome
from gradestone.verdict import GradeBatch

Z95: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution: both tails together leave 5 %."""

BINS: Final = 10_000
"""Bins of the histogram of scores, so that a percentile is within half of 1e-4."""


class Interval(NamedTuple):
    """A confidence interval of a rate."""

    lower: float
    upper: float


def wilson(passed: int, rows: int, z: float = Z95) -> Interval:
    """Return Wilson's score interval of a rate of passes, 95 % by default.

    It stays within 0..1 and keeps its meaning for few rows and for rates near 0 and 1, where the interval
    that is taught first does not. Raises ``ValueError`` without rows. Source: E. B. Wilson, JASA 22 (1927)
    209-212.

    >>> lower, upper = wilson(8, 10)
    >>> round(lower, 4), round(upper, 4)
    (0.4902, 0.9433)
    """
    if rows < 1 or not 0 <= passed <= rows:
        raise ValueError(f"{passed} passes of {rows} rows have no interval")
    rate = passed / rows
    scale = 1 + z * z / rows
    centre = rate + z * z / (2 * rows)
    reach = z * math.sqrt(rate * (1 - rate) / rows + z * z / (4 * rows * rows))
    # At both ends the exact value is 0 or 1, which rounding would miss.
    lower = 0.0 if passed == 0 else (centre - reach) / scale
    upper = 1.0 if passed == rows else (centre + reach) / scale
    return Interval(lower, upper)


class ExactSum:
    """A sum of doubles that loses nothing: its total is the exact sum, rounded once.

    The sum is kept as a few doubles that do not overlap (J. R. Shewchuk, Discrete & Computational Geometry
    18, 1997), so the total depends neither on the order of the values nor on how they came in batches.

    >>> exact = ExactSum()
    >>> exact.add([1e16, 1.0, -1e16])
    >>> exact.total
    1.0
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: list[float] = []

    def add(self, values: Iterable[float]) -> None:
        """Add finite values."""
        terms = [*self._parts, *values]
        self._parts = []
        # Each pass takes the rounded sum out of what is left, until nothing is.
        while part := math.fsum(terms):
            self._parts.append(part)
            terms.append(-part)

    @property
    def total(self) -> float:
        """The sum so far."""
        return math.fsum(self._parts)


class Histogram:
    """Scores of 0..1 counted in bins of 1e-4.

    >>> scores = Histogram()
    >>> scores.add([0.25, 0.5, 1.0])
    >>> scores.percentile(50), scores.percentile(90)
    (0.5, 1.0)
    """

    __slots__ = ("_counts", "_rows")

    def __init__(self) -> None:
        self._counts = np.zeros(BINS + 1, dtype=np.int64)
        self._rows = 0

    def add(self, scores: Sequence[float]) -> None:
        """Count scores, each in the nearest bin."""
        bins = np.rint(np.asarray(scores, dtype=np.float64) * BINS).astype(np.int64)
        self._counts += np.bincount(bins, minlength=BINS + 1)
        self._rows += len(bins)

    def percentile(self, percent: int) -> float:
        """Return the smallest score that ``percent`` of 100 rows do not exceed, to half of 1e-4.

        That is the nearest-rank percentile. Raises ``ValueError`` when nothing was counted.
        """
        if not self._rows:
            raise ValueError("no scores were counted")
        rank = max(1, -(-percent * self._rows // 100))
        return float(np.searchsorted(np.cumsum(self._counts), rank)) / BINS


class Figures:
    """What a report says about one grader.

    Every row counts in every figure; one that could not be graded scores 0.
    """

    __slots__ = ("_histogram", "_sum", "codes")

    codes: Counter[str]
    """Rows by the code of their verdict."""

    def __init__(self) -> None:
        self.codes = Counter()
        self._sum = ExactSum()
        self._histogram = Histogram()

    def add(self, batch: GradeBatch) -> None:
        """Count a batch of verdicts."""
        scores = batch.score.tolist()
        self.codes.update(batch.code.tolist())
        self._sum.add(scores)
        self._histogram.add(scores)

    def add_ungraded(self, code: str, rows: int) -> None:
        """Count rows that never reached the grader; they score 0."""
        if rows:
            self.codes[code] += rows
            self._histogram.add([0.0] * rows)

    @property
    def rows(self) -> int:
        """All rows."""
        return self.codes.total()

    @property
    def passed(self) -> int:
        """Rows that passed."""
        return self.outcomes[Outcome.PASS]

    @property
    def outcomes(self) -> dict[Outcome, int]:
        """Rows by outcome, all outcomes named."""
        counts = dict.fromkeys(Outcome, 0)
        for code, rows in self.codes.items():
            counts[CODES[code].outcome] += rows
        return counts

    def codes_of(self, outcome: Outcome) -> dict[str, int]:
        """Return the rows by code, those of one outcome, in the order of the table of codes."""
        return {
            slug: self.codes[slug]
            for slug, code in CODES.items()
            if code.outcome is outcome and self.codes[slug]
        }

    @property
    def pass_rate(self) -> float | None:
        """Passed rows of all rows; None without rows."""
        return self.passed / self.rows if self.rows else None

    @property
    def mean(self) -> float | None:
        """The mean score of all rows: their exact sum, rounded, by their number. None without rows."""
        return self._sum.total / self.rows if self.rows else None

    def percentile(self, percent: int) -> float | None:
        """Return a percentile of the scores, see `Histogram.percentile`; None without rows."""
        return self._histogram.percentile(percent) if self.rows else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the pass rate, see `wilson`; None without rows."""
        return wilson(self.passed, self.rows) if self.rows else None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        interval = self.interval
        return {
            "rows": self.rows,
            "passed": self.passed,
            "pass_rate": self.pass_rate,
            "ci_lower": interval and interval.lower,
            "ci_upper": interval and interval.upper,
            "mean": self.mean,
            "p10": self.percentile(10),
            "p50": self.percentile(50),
            "p90": self.percentile(90),
            "outcomes": {outcome.value: rows for outcome, rows in self.outcomes.items()},
            "codes": {slug: self.codes[slug] for slug in CODES if self.codes[slug]},
        }
