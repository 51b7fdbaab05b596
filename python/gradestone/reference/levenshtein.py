"""Edit distance and similarity of two texts, in code points."""

from __future__ import annotations


def distance(left: str, right: str) -> int:
    r"""Return the Levenshtein distance: the fewest insertions, deletions and substitutions of one code point.

    The textbook table, of which two lines are kept: time is the product of the lengths, memory the length of
    ``right``. Source: Wagner and Fischer 1974, "The String-to-String Correction Problem".

    >>> distance("kitten", "sitting"), distance("", "abc"), distance("é", "e\u0301")
    (3, 3, 2)
    """
    above = list(range(len(right) + 1))
    for row, character in enumerate(left, 1):
        cell = row
        line = [cell]
        for other, diagonal, upper in zip(right, above, above[1:], strict=False):
            cell = diagonal if character == other else 1 + min(diagonal, upper, cell)
            line.append(cell)
        above = line
    return above[-1]


def similarity(left: str, right: str) -> float:
    """Return 1 minus the distance over the longer length; 1.0 for two empty texts.

    >>> similarity("abcd", "abcx"), similarity("", ""), similarity("", "a")
    (0.75, 1.0, 0.0)
    """
    longest = max(len(left), len(right))
    if longest == 0:
        return 1.0
    return 1.0 - distance(left, right) / longest
