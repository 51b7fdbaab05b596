"""Which of the user's columns go into an output, and their cells as text."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Final, Literal, TypeAlias

from gradestone.data.arrow_blocks import ArrowBlock
from gradestone.data.blocks import Block, in_order
from gradestone.data.errors import OutputError, the_columns
from gradestone.data.strict_json import is_utf8, json_text, whole_text

Keep: TypeAlias = Literal["all", "none"] | tuple[str, ...]
"""Which columns of the user's are kept: all, none, or those named, in their order."""

Texts: TypeAlias = list[str | None]
"""The cells of a column as text; None is null."""


def read_keep(text: str) -> Keep:
    """Read the value of ``--keep``: ``all``, ``none``, or names separated by commas.

    A JSON list of names is taken as well, for names that hold a comma, or are ``all`` or ``none``.

    >>> read_keep("id,question"), read_keep("none"), read_keep('["a,b"]')
    (('id', 'question'), 'none', ('a,b',))

    Raises `OutputError` when a name is empty or the list is no list of names.
    """
    if text == "all":
        return "all"
    if text == "none":
        return "none"
    names = _listed(text) if text.startswith("[") else [name.strip() for name in text.split(",")]
    if not names or not all(isinstance(name, str) and name for name in names):
        raise OutputError("keep must be all, none, or names of columns separated by commas")
    return tuple(dict.fromkeys(names))


def _listed(text: str) -> list[str]:
    try:
        names: list[str] = json.loads(text)
    except (ValueError, RecursionError):
        raise OutputError("keep begins with [ and is no JSON list of names") from None
    return names


def kept_names(block: Block, keep: Keep, added: Collection[str]) -> Sequence[str]:
    """Return the columns of a block that are kept.

    Raises `OutputError` when a table lacks one that is named, or one is called like a column that the output adds.
    """
    if keep == "none":
        return ()
    if keep == "all":
        names: Sequence[str] = block.names
    else:
        names = keep
        _check_there(block, keep)
    taken = set(added).intersection(names)
    if taken:
        raise OutputError(
            f"{block.source} has a column called {min(taken)}, as the output has: "
            "give the grader another name, as in -g NAME=TYPE"
        )
    return names


def _check_there(block: Block, keep: Sequence[str]) -> None:
    if not block.fixed:
        return
    for name in keep:
        if name not in block.names:
            raise OutputError(
                f"{block.source} has no column {name} to keep; {the_columns(block.names, name)}"
            )


MAX_COLUMNS: Final = 4_096
"""Columns of the user's that a table has at most. Rows whose members all differ would make one of each."""


def check_count(columns: Collection[str]) -> None:
    """Raise `OutputError` when there are more columns than a table may have."""
    if len(columns) > MAX_COLUMNS:
        raise OutputError(f"the rows have more than {MAX_COLUMNS} different members; choose some with --keep")


def columns_may_change(block: Block, keep: Keep, several: bool) -> bool:
    """Tell, from the first block of a run, whether later ones may have columns that it has not."""
    return several or (keep == "all" and not block.fixed)


def kept_texts(block: Block, names: Sequence[str]) -> dict[str, Texts]:
    """Return columns as text, unreadable rows as nulls in their places.

    A text is as it is, null is null, any other value is its JSON text.
    """
    return {name: list(in_order(column_texts(block, name), block.bad, lambda _: None)) for name in names}


def column_texts(block: Block, name: str) -> Texts:
    """Return a column's cells as text."""
    # NaN has no JSON text.
    cells = block.json_cells(name) if isinstance(block, ArrowBlock) else block.cells(name)
    return as_texts(cells)


def as_texts(cells: Sequence[object]) -> Texts:
    """Return values as text: null as null, text as it is, any other value as its JSON text.

    >>> as_texts(["a", None, [1, "é"], True])
    ['a', None, '[1,"é"]', 'true']
    """
    return [cell if cell is None or isinstance(cell, str) else json_text(cell).decode() for cell in cells]


def replace_surrogates(columns: dict[str, Texts], rows: int) -> list[bool]:
    """Write lone surrogates in columns as U+FFFD, and return in which rows there were any."""
    flags = [False] * rows
    for texts in columns.values():
        if is_utf8("".join(text for text in texts if text)):
            continue
        for at, text in enumerate(texts):
            if text and not is_utf8(text):
                texts[at] = whole_text(text)
                flags[at] = True
    return flags


class ColumnNames:
    """Names of columns as files can hold them: lone surrogates in them are spelt out."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def of(self, name: str) -> str:
        """Return the name of a member's column, always the same, and never that of another's."""
        if name not in self._names:
            written = name.encode("utf-8", "backslashreplace").decode()
            while written in self._names.values():
                written += "_"
            self._names[name] = written
        return self._names[name]
