"""The longest common subsequence of two token sequences."""

from __future__ import annotations

from collections.abc import Sequence


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence: tokens in order, gaps allowed.

    The textbook table, of which two lines are kept: time is the product of the lengths, memory the length of
    ``right``. Source: Wagner and Fischer 1974, "The String-to-String Correction Problem".

    >>> lcs_length(["a", "b", "c", "d"], ["b", "x", "d"])
    2
    """
    above = [0] * (len(right) + 1)
    for token in left:
        cell = 0
        line = [cell]
        for other, diagonal, upper in zip(right, above, above[1:], strict=False):
            cell = diagonal + 1 if token == other else max(upper, cell)
            line.append(cell)
        above = line
    return above[-1]
