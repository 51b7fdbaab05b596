"""What the cells of a CSV or TSV file are: text, or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gradestone.data.errors import InputError, the_columns
from gradestone.data.strict_json import JsonError, read_json


@dataclass(frozen=True, slots=True)
class Cells:
    """Which cells hold JSON: those of no column, of all columns (None), or of the columns named."""

    json: tuple[str, ...] | None = ()

    def of(self, label: str, header: Sequence[str]) -> tuple[int, ...]:
        """Return the places of the columns whose cells are JSON.

        Raises `InputError` when a column that is named is not in the header.
        """
        for name in self.json or ():
            if name not in header:
                raise InputError(f"{label} has no column {name} to read as JSON; {the_columns(header, name)}")
        return tuple(at for at, name in enumerate(header) if self.json is None or name in self.json)


TEXT_CELLS: Final = Cells()
"""Every cell is its text; an empty one is the empty text, quoted or not."""


def read_cells(text: str) -> Cells:
    """Read the value of ``--cells``: ``text``, ``json``, or ``json:`` with the names of columns.

    >>> read_cells("json:retrieved,expected")
    Cells(json=('retrieved', 'expected'))

    Raises `InputError` when it is none of these.
    """
    kind, _, names = text.partition(":")
    if text == "text":
        return TEXT_CELLS
    if text == "json":
        return Cells(None)
    columns = tuple(name.strip() for name in names.split(","))
    if kind != "json" or not all(columns):
        raise InputError(
            "cells must be text, json, or json: and names of columns, as in json:retrieved,expected"
        )
    return Cells(columns)


def json_cell(cell: str) -> Any:
    """Return the value of a cell that holds JSON; an empty cell is null.

    Raises `JsonError` when it holds none, or a lone surrogate: a table has no place to tell of it in.
    """
    if not cell:
        return None
    value = read_json(cell.encode())
    if _SURROGATE.search(cell):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise JsonError("a lone surrogate") from None
    return value


_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
