"""JSON Lines: one JSON object a line, read strictly and as a stream.

A line is taken as it is or refused with its cause; there is no third. Refused are: what is not JSON as
`read_json` reads it, and what is not an object. Lines that hold only the pinned whitespace are passed over
but counted, the last line may lack its end, lines may end with CRLF, and one byte order mark at the very
start is dropped. A line of more than 256 MiB ends the reading.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gradestone.backends import json_lines
from gradestone.data.blocks import MAX_BYTES, MAX_ROWS, BadRow, Block, JsonBlock, Unit
from gradestone.data.errors import InputError
from gradestone.data.streams import BOM, MAX_LINE, ByteStream, TextReader
from gradestone.data.strict_json import JsonError, json_text, read_json

if TYPE_CHECKING:
    from gradestone._core import JsonLines

_JSON_SPACE: Final = b" \t\r\n"


class Record(NamedTuple):
    """A row that was read."""

    line: int
    """Its line in the file, the first being 1; blank lines count."""
    text: bytes
    """The object's own JSON text, without whitespace round it."""
    fields: dict[str, Any]
    """The object."""


class BadRecord(NamedTuple):
    """A row that could not be read."""

    line: int
    error: str
    """Why, without a word of the row itself."""


def read_records(piece: bytes, first: int) -> Iterator[Record | BadRecord]:
    """Give the records of whole lines, of which the first has the given number; blank lines give none."""
    for number, text in enumerate(piece.split(b"\n"), first):
        # bytes.strip() drops exactly the six characters of the pinned whitespace.
        if text.strip():
            yield read_record(number, text.strip(_JSON_SPACE))


def read_record(number: int, text: bytes) -> Record | BadRecord:
    """Read one row's own text."""
    try:
        value = read_json(text)
    except JsonError as error:
        return BadRecord(number, str(error))
    if isinstance(value, dict):
        return Record(number, text, value)
    return BadRecord(number, f"not an object but {_KINDS[type(value)]}")


_CLASH: Final = "it already has a member called like a grader"

_KINDS: Final[dict[type, str]] = {
    list: "a list",
    str: "text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


class JsonRows(TextReader):
    """What the readers of JSON formats share: looking ahead, clashes, blocks.

    ``reserved`` are members that no row may have, since the output adds them.
    """

    unit: Unit

    def __init__(
        self, stream: ByteStream, records: Iterator[Record | BadRecord], reserved: Collection[str]
    ) -> None:
        self._stream = stream
        self._records = records
        self._reserved = frozenset(reserved)

    def __iter__(self) -> Iterator[Record | BadRecord]:
        return self._records

    def fields(self) -> Sequence[str] | None:
        """Return the members of the first readable row, None where there is none; nothing read is lost.

        Raises `InputError` when that row has a reserved member: then all of them will.
        """
        ahead: list[Record | BadRecord] = []
        first = None
        for record in self._records:
            ahead.append(record)
            if isinstance(record, Record):
                first = record
                break
        self._records = chain(ahead, self._records)
        return None if first is None else self._members_of(first)

    def _members_of(self, first: Record) -> Sequence[str]:
        taken = self._reserved & first.fields.keys()
        if taken:
            raise InputError(
                f"{self.label}: {self.unit} {first.line} already has a member called {min(taken)}: "
                "give the grader another name, as in -g NAME=TYPE"
            )
        return tuple(first.fields)

    def blocks(
        self, wanted: Collection[str] | None, limit: int | None = None, graded: Collection[str] = ()
    ) -> Iterator[Block]:
        """Give the rows in order; every block has all members, whatever is wanted."""
        del wanted, graded
        rows = islice(self._records, None if limit is None else min(limit, sys.maxsize))
        while chunk := list(_bounded(rows)):
            yield self._block(chunk)

    def _block(self, chunk: Sequence[Record | BadRecord]) -> JsonBlock:
        texts: list[bytes] = []
        fields: list[dict[str, Any]] = []
        bad: list[BadRow] = []
        for record in chunk:
            if isinstance(record, BadRecord):
                bad.append(BadRow(len(texts), record.line, record.error))
            elif self._reserved and not self._reserved.isdisjoint(record.fields):
                bad.append(BadRow(len(texts), record.line, _CLASH))
            else:
                texts.append(record.text)
                fields.append(record.fields)
        return JsonBlock(self.label, self.unit, bad, texts, fields)


def _bounded(rows: Iterator[Record | BadRecord]) -> Iterator[Record | BadRecord]:
    size = 0
    for record in islice(rows, MAX_ROWS):
        yield record
        size += len(record.text) if isinstance(record, Record) else 0
        if size >= MAX_BYTES:
            return


class LineBlock:
    """Rows of JSON lines, of which the wanted members are read where they lie."""

    unit: Unit = "line"
    fixed = False

    def __init__(
        self,
        source: str,
        lines: JsonLines,
        bad: Sequence[BadRow],
        *,
        names: frozenset[str],
        reserved: frozenset[str],
    ) -> None:
        self.source = source
        self.lines = lines
        self.bad = bad
        self.reserved = reserved
        """Members that no row has."""
        self._read = names

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def _fields(self) -> Sequence[dict[str, Any]]:
        return [read_json(self.lines.text(row)) for row in range(len(self.lines))]

    @cached_property
    def names(self) -> Sequence[str]:
        """The members of the rows, in the order of their first sight."""
        return tuple(dict.fromkeys(chain.from_iterable(self._fields)))

    def column(self, name: str) -> Any:
        """Return a member of every row; None where a row lacks it."""
        return self.lines.column(name) if name in self._read else self.cells(name)

    def cells(self, name: str) -> Sequence[Any]:
        """Return the same as Python values."""
        return [fields.get(name) for fields in self._fields]

    def json_texts(self, keep: Sequence[str] | None) -> Sequence[bytes]:
        """Return the rows' own texts, byte for byte; with ``keep`` only the members that a row has of it."""
        if keep is None:
            return [self.lines.text(row) for row in range(len(self.lines))]
        return [json_text({name: row[name] for name in keep if name in row}) for row in self._fields]

    def has_members(self, names: Collection[str]) -> bool:
        """Tell whether the texts of these members were found in every row that has them."""
        return self._read.issuperset(names) and not self.lines.hard()


_AHEAD: Final = 8
"""Pieces that are looked through for a first readable row."""


class JsonlFile(JsonRows):
    """A file of JSON lines, opened for reading: plain, compressed with gzip or zstd, or standard input as ``-``.

    Raises `InputError` as `ByteStream` does; reading on does when it fails, or compressed data is damaged or
    cut short.
    """

    unit: Unit = "line"

    def __init__(self, name: str, *, reserved: Collection[str] = (), threads: int = 1) -> None:
        stream = ByteStream(name)
        self._threads = threads
        self._line = 1
        self._pieces = self._whole_lines(stream)
        super().__init__(stream, self._all_records(), reserved)

    def _all_records(self) -> Iterator[Record | BadRecord]:
        for piece in self._pieces:
            yield from read_records(piece, self._line)
            self._line += piece.count(b"\n")

    def fields(self) -> Sequence[str] | None:
        """Return the members of the first readable row, None where there is none; nothing read is lost.

        Raises `InputError` when that row has a reserved member, or the first 32 MiB have no readable row.
        """
        looked_at: list[bytes] = []
        first = None
        for piece in self._pieces:
            looked_at.append(piece)
            records = read_records(piece, self._line)
            first = next((record for record in records if isinstance(record, Record)), None)
            self._line += piece.count(b"\n")
            if first is not None:
                break
            if len(looked_at) == _AHEAD:
                raise InputError(f"{self.label}: none of the first {self._line - 1} lines is a JSON object")
        self._pieces = chain(looked_at, self._pieces)
        self._line = 1
        return None if first is None else self._members_of(first)

    def blocks(
        self, wanted: Collection[str] | None, limit: int | None = None, graded: Collection[str] = ()
    ) -> Iterator[Block]:
        """Give the rows in order. Members that are not ``wanted`` or ``graded`` are read when they are asked for."""
        names = tuple(dict.fromkeys(graded if wanted is None else (*graded, *wanted)))
        for piece in chain.from_iterable(map(_portions, self._pieces)):
            block = self._line_block(self._line, piece, names, limit)
            self._line += block.lines.breaks
            limit = None if limit is None else limit - len(block) - len(block.bad)
            if len(block) or block.bad:
                yield block
            # Before the next piece is read: it may be long in coming.
            if limit == 0:
                return

    def _line_block(self, number: int, piece: bytes, names: Sequence[str], limit: int | None) -> LineBlock:
        lines = json_lines(
            piece, number, names, reserved=self._reserved, parse=read_json, threads=self._threads
        )
        if limit is not None and limit < len(lines):
            lines = lines.without(range(limit, len(lines)))
        bad: list[BadRow] = []
        dropped: list[int] = []
        for row in lines.hard():
            error = self._error_of(lines.number(row), lines.text(row))
            if error is not None:
                bad.append(BadRow(row - len(dropped), lines.number(row), error))
                dropped.append(row)
        if dropped:
            lines = lines.without(dropped)
        return LineBlock(self.label, lines, bad, names=frozenset(names), reserved=self._reserved)

    def _error_of(self, number: int, text: bytes) -> str | None:
        """Return why a row cannot be read, as the slow reader says; None where it can."""
        record = read_record(number, text)
        if isinstance(record, BadRecord):
            return record.error
        return None if self._reserved.isdisjoint(record.fields) else _CLASH

    def _whole_lines(self, stream: ByteStream) -> Iterator[bytes]:
        """Give whole lines, about `_PIECE` bytes at a time, without the byte order mark at the start."""
        start = BOM
        rest: list[bytes] = []
        held = 0
        while chunk := stream.read(_PIECE):
            end = chunk.rfind(b"\n") + 1
            if end:
                yield b"".join((*rest, chunk[:end])).removeprefix(start)
                start = b""
                rest, held = [], 0
            rest.append(chunk[end:])
            held += len(rest[-1])
            if held > MAX_LINE:
                raise InputError(f"{stream.label}, line {self._line} is longer than {MAX_LINE >> 20} MiB")
        last = b"".join(rest).removeprefix(start)
        if last:
            yield last


_PIECE: Final = 4 << 20
"""Bytes of lines that are read at once."""

_LINES: Final = 1 << 16
"""Lines of a block, about: each costs memory of its own, an unreadable one most."""


def _portions(piece: bytes) -> Iterator[bytes]:
    """Halve whole lines until there are not too many of them."""
    if piece.count(b"\n") <= _LINES:
        yield piece
        return
    middle = piece.rfind(b"\n", 0, len(piece) // 2) + 1 or piece.find(b"\n") + 1
    yield from _portions(piece[:middle])
    yield from _portions(piece[middle:])
