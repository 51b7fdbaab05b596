"""Rows in bounded runs, the same for every format: what readers give, and graders and writers take."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from types import TracebackType
from typing import Any, Final, Literal, NamedTuple, Protocol, Self, TypeVar

from gradestone.data.strict_json import json_text

T = TypeVar("T")

MAX_ROWS: Final = 4_096
"""Rows of a block at most, unreadable ones among them."""

MAX_BYTES: Final = 8 << 20
"""Bytes after which a block ends, so that long rows do not fill the memory."""

Unit = Literal["line", "row"]
"""What the place of a row counts: the lines of a text file, or the rows of any other."""


class BadRow(NamedTuple):
    """A row that could not be read."""

    before: int
    """How many readable rows of its block stand before it."""
    line: int
    """The physical line at which it begins, or its row's number where there are no lines; the first is 1."""
    error: str
    """Why it cannot be read, without a word of the row itself."""


class Block(Protocol):
    """A run of rows of one file: at most `MAX_ROWS`, about `MAX_BYTES`; its length is that of the readable.

    Lines of JSON, which cost less while they lie in their file, may be more: see `gradestone.data.jsonl`.
    """

    def __len__(self) -> int: ...
    @property
    def source(self) -> str:
        """The file's name in messages."""

    @property
    def unit(self) -> Unit:
        """What `BadRow.line` counts."""

    @property
    def fixed(self) -> bool:
        """Whether every row has the same columns, as in a table; rows of JSON formats have what they have."""

    @property
    def bad(self) -> Sequence[BadRow]:
        """The rows that could not be read, in order."""

    @property
    def names(self) -> Sequence[str]:
        """The columns; of JSON formats the members of the rows, in the order of their first sight."""

    def column(self, name: str) -> Any:
        """Return a column as `gradestone.grade_many` takes it; what is null or absent is None in it."""

    def cells(self, name: str) -> Sequence[Any]:
        """Return a column as plain Python values: text, numbers, booleans, lists, dicts and None."""

    def json_texts(self, keep: Sequence[str] | None) -> Sequence[bytes]:
        """Return each row as the text of a JSON object, with the members of ``keep``, or all of them."""


class Reader(Protocol):
    """One file being read. Its blocks can be taken once."""

    @property
    def label(self) -> str:
        """The file's name in messages."""

    @property
    def size(self) -> int | None:
        """Its bytes on disk; None where that is not known, as for a pipe."""

    @property
    def position(self) -> int:
        """The bytes on disk that were read so far."""

    @property
    def status(self) -> os.stat_result | None:
        """The operating system's status of the file; None where it is none."""

    def fields(self) -> Sequence[str] | None:
        """Return the columns, or of JSON formats the members of the first readable row; None without one."""

    def blocks(
        self, wanted: Collection[str] | None, limit: int | None = None, graded: Collection[str] = ()
    ) -> Iterator[Block]:
        """Give the rows in order, at most ``limit``, unreadable ones among them.

        Of the columns only those ``wanted`` need to be there; None stands for all. Those that are ``graded`` are
        among them.
        """

    def close(self) -> None:
        """Close the file."""


def in_order(rows: Iterable[T], bad: Sequence[BadRow], told: Callable[[BadRow], T]) -> Iterator[T]:
    """Give what was made of the readable rows of a block, and at their places what tells of the others.

    >>> list(in_order(["a", "b"], [BadRow(1, 2, "not JSON")], lambda row: row.error))
    ['a', 'not JSON', 'b']
    """
    readable = iter(rows)
    done = 0
    for row in bad:
        yield from islice(readable, row.before - done)
        done = row.before
        yield told(row)
    yield from readable


class ClosesItself:
    """Makes a context manager of what can be closed."""

    def close(self) -> None:
        """Close it."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@dataclass(frozen=True)
class JsonBlock:
    """Rows of a JSON format: the own text of each, and the object that it is."""

    source: str
    unit: Unit
    bad: Sequence[BadRow]
    texts: Sequence[bytes]
    fields: Sequence[Mapping[str, Any]]

    fixed = False

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def names(self) -> Sequence[str]:
        """The members of the rows, in the order of their first sight."""
        return tuple(dict.fromkeys(chain.from_iterable(self.fields)))

    def column(self, name: str) -> Sequence[Any]:
        """Return a member of every row; None where a row lacks it."""
        return [fields.get(name) for fields in self.fields]

    def cells(self, name: str) -> Sequence[Any]:
        """Return the same as `column`."""
        return self.column(name)

    def json_texts(self, keep: Sequence[str] | None) -> Sequence[bytes]:
        """Return the rows' own texts, byte for byte; with ``keep`` only the members that a row has of it."""
        if keep is None:
            return self.texts
        if not keep:
            return [b"{}"] * len(self)
        return [json_text({name: row[name] for name in keep if name in row}) for row in self.fields]


@dataclass(frozen=True)
class CellBlock:
    """Rows of a table of plain Python values, column by column."""

    source: str
    unit: Unit
    bad: Sequence[BadRow]
    columns: Mapping[str, Sequence[Any]]
    rows: int

    fixed = True

    def __len__(self) -> int:
        return self.rows

    @property
    def names(self) -> Sequence[str]:
        """The columns, as the header names them."""
        return tuple(self.columns)

    def column(self, name: str) -> Sequence[Any]:
        """Return a column."""
        return self.columns[name]

    def cells(self, name: str) -> Sequence[Any]:
        """Return a column."""
        return self.columns[name]

    def json_texts(self, keep: Sequence[str] | None) -> Sequence[bytes]:
        """Return each row as an object of its cells."""
        return json_objects(
            {name: self.columns[name] for name in (self.columns if keep is None else keep)}, self.rows
        )


def json_objects(columns: Mapping[str, Sequence[Any]], rows: int) -> list[bytes]:
    """Return the JSON objects that have a member a column.

    >>> json_objects({"a": ["x", "y"], "b": [None, [1]]}, 2)
    [b'{"a":"x","b":null}', b'{"a":"y","b":[1]}']
    """
    if not columns:
        return [b"{}"] * rows
    members = [
        [b"%b:%b" % (key, json_text(cell)) for cell in cells]
        for key, cells in ((json_text(name), cells) for name, cells in columns.items())
    ]
    return [b"{%b}" % b",".join(row) for row in zip(*members, strict=True)]
