"""Columns that can be made anew.

CPython keeps the UTF-8 form of a string once somebody asked for it, as PyO3's `&str` does. In a second round such a
string costs next to nothing, which no row of a user's first and only pass does. So before each of its runs every side
gets strings that nobody has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Texts:
    """The rows of a contest: lists whose strings are replaced in place by equal new ones.

    Attributes:
        candidates: the answers.
        references: what they are compared with, if anything.
        columns: options by row, by their names: lists of texts.

    """

    candidates: list[Any]
    references: list[str] | None = None
    columns: dict[str, list[list[str]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.candidates)

    def head(self, rows: int) -> Texts:
        """The first rows, as columns of their own."""
        references = None if self.references is None else self.references[:rows]
        columns = {name: column[:rows] for name, column in self.columns.items()}
        return Texts(self.candidates[:rows], references, columns)

    def renew(self) -> None:
        """Replace every string by a new one.

        >>> texts = Texts(["Grüße"])
        >>> before = texts.candidates[0]
        >>> texts.renew()
        >>> texts.candidates[0] == before, texts.candidates[0] is before
        (True, False)
        """
        self.candidates[:] = map(_new, self.candidates)
        if self.references is not None:
            self.references[:] = map(_new, self.references)
        for column in self.columns.values():
            column[:] = [[_new(text) for text in cell] for cell in column]

    @property
    def pairs(self) -> Sequence[tuple[str, str]]:
        """Candidate and reference of each row."""
        return list(zip(self.candidates, self.references or (), strict=True))


def _new(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
