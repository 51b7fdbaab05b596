"""What a kernel says about one row."""

from __future__ import annotations

from typing import Final, NamedTuple

STATS: Final = 6
"""How many integers a row carries (BLEU needs all six)."""


class Row(NamedTuple):
    """A kernel's answer: the cause, the score, and the integers that they follow from."""

    code: str
    """The slug of the cause; ``ok`` is the only one that passes."""
    score: float
    """0..1, unrounded; 1.0 or 0.0 where the grader is not scored, 0.0 where nothing could be scored."""
    stats: tuple[int, ...] = (0,) * STATS
    """Six integers; which is which is documented with each kernel. All zero where nothing was scored."""
    hits: tuple[int, ...] = ()
    """Indices into the kernel's list (fragments, terms, kinds), ascending, where the kernel reports hits."""


def plain(code: str, hits: tuple[int, ...] = ()) -> Row:
    """Return a verdict without figures: 1.0 when it passes, else 0.0.

    >>> plain("blocked_term", (2,))
    Row(code='blocked_term', score=0.0, stats=(0, 0, 0, 0, 0, 0), hits=(2,))
    """
    return Row(code, 1.0 if code == "ok" else 0.0, hits=hits)


def scored(score: float, threshold: float, *stats: int) -> Row:
    """Return a scored verdict: it passes when the score reaches the threshold, compared on the double.

    >>> scored(0.5, 0.5, 1, 2)
    Row(code='ok', score=0.5, stats=(1, 2, 0, 0, 0, 0), hits=())
    >>> scored(0.4999, 0.5, 1, 2).code
    'below_threshold'
    """
    code = "ok" if score >= threshold else "below_threshold"
    return Row(code, score, stats + (0,) * (STATS - len(stats)))
