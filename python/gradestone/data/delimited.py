"""CSV and TSV: RFC 4180, read strictly and as a stream.

The first row names the columns. A cell in quotes may hold line breaks, which are kept byte for byte, and
quotes as ``""``; a quote inside a cell that does not begin with one is a quote. Rows end with LF or CRLF, empty
lines are passed over, one byte order mark at the very start is dropped. A cell is text, an empty one the empty
text; `Cells` says otherwise.

A row with too few or too many cells, a cell that is not UTF-8, a carriage return outside quotes, and text behind a
closing quote make that row unreadable. Where it is uncertain where rows begin the reading ends: a quote that
is not closed would swallow the rest of the file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from gradestone.data.blocks import MAX_BYTES, MAX_ROWS, BadRow, CellBlock
from gradestone.data.cells import TEXT_CELLS, Cells, json_cell
from gradestone.data.errors import InputError
from gradestone.data.streams import BOM, MAX_LINE, ByteStream, TextReader
from gradestone.data.strict_json import JsonError

MAX_CELL: Final = 16 << 20
"""Characters of a cell at most. What is longer is most likely a quote that is not closed."""


class _Row(NamedTuple):
    line: int
    cells: Sequence[Any]


class _Bad(NamedTuple):
    line: int
    error: str


class DelimitedFile(TextReader):
    """A CSV or TSV file, opened for reading: plain, compressed with gzip or zstd, or standard input as ``-``.

    Opening reads the header. Raises `InputError` as `ByteStream` does, when a column has no name or the name of
    another, and while reading where rows cannot be told apart.
    """

    def __init__(self, name: str, delimiter: str, cells: Cells = TEXT_CELLS) -> None:
        _allow_long_cells()
        self._stream = ByteStream(name)
        try:
            self._lines = _Lines(self._stream)
            # The module's own dialect is strict in nothing.
            self._rows = csv.reader(self._lines, delimiter=delimiter, strict=True)
            self._delimiter = delimiter
            self._header = self._read_header()
            self._json = cells.of(self.label, self._header) if self._header else ()
        except InputError:
            self.close()
            raise

    def fields(self) -> Sequence[str] | None:
        """Return the columns; None where the file is empty."""
        return self._header or None

    def blocks(
        self, wanted: Collection[str] | None, limit: int | None = None, graded: Collection[str] = ()
    ) -> Iterator[CellBlock]:
        """Give the rows in order; every block has all columns, whatever is wanted."""
        del wanted, graded
        left = limit
        while chunk := self._chunk(MAX_ROWS if left is None else min(left, MAX_ROWS)):
            left = None if left is None else left - len(chunk)
            yield self._block(chunk)

    def _read_header(self) -> tuple[str, ...]:
        row = self._next()
        if row is None:
            return ()
        if isinstance(row, _Bad):
            raise InputError(f"{self.label}, line {row.line}: the header cannot be read: {row.error}")
        seen: dict[str, int] = {}
        for number, name in enumerate(row.cells, 1):
            if not name:
                raise InputError(f"{self.label}, line {row.line}: column {number} of the header has no name")
            if name in seen:
                # Without a header these are the first row's cells, so they are not quoted.
                raise InputError(
                    f"{self.label}, line {row.line}: columns {seen[name]} and {number} have the same name"
                )
            seen[name] = number
        return tuple(row.cells)

    def _chunk(self, rows: int) -> list[_Row | _Bad]:
        chunk: list[_Row | _Bad] = []
        end = self._lines.bytes + MAX_BYTES
        while len(chunk) < rows and self._lines.bytes < end:
            row = self._next()
            if row is None:
                break
            chunk.append(self._checked(row) if isinstance(row, _Row) else row)
        return chunk

    def _checked(self, row: _Row) -> _Row | _Bad:
        if len(row.cells) != len(self._header):
            cells = "1 cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"
            return _Bad(row.line, f"{cells}, the header has {len(self._header)}")
        if not self._json:
            return row
        cells_ = list(row.cells)
        for at in self._json:
            try:
                cells_[at] = json_cell(cells_[at])
            except JsonError as error:
                return _Bad(row.line, f"column {self._header[at]}: {error}")
        return _Row(row.line, cells_)

    def _block(self, chunk: Sequence[_Row | _Bad]) -> CellBlock:
        good: list[Sequence[Any]] = []
        bad: list[BadRow] = []
        for row in chunk:
            if isinstance(row, _Bad):
                bad.append(BadRow(len(good), row.line, row.error))
            else:
                good.append(row.cells)
        columns: Sequence[Sequence[Any]] = list(zip(*good, strict=True)) or [()] * len(self._header)
        named = dict(zip(self._header, columns, strict=True))
        return CellBlock(self.label, "line", bad, named, len(good))

    def _next(self) -> _Row | _Bad | None:
        """Return the next row, whatever it is; None at the end of the file."""
        while True:
            line = self._lines.begin_row()
            try:
                cells = next(self._rows, None)
            except csv.Error as error:
                return self._misread(line, str(error))
            if cells is None:
                return None
            if self._lines.invalid is not None:
                return _Bad(line, f"not UTF-8 at {self._lines.invalid}")
            if cells:
                return _Row(line, cells)

    def _misread(self, line: int, cause: str) -> _Bad:
        if cause.startswith("unexpected end of data"):
            self._refuse_quote("which is never closed")
        if cause.startswith("field larger than field limit"):
            self._refuse_long_cell(line)
        behind = "expected after" in cause
        fault = "text behind a closing quote" if behind else "a carriage return outside quotes"
        # The module goes on with the next line. That is the next row only if the quotes of this one pair up.
        if self._lines.quotes % 2:
            raise InputError(f"{self.label}, line {line}: {fault}, and nobody can say where the row ends")
        return _Bad(line, fault)

    def _refuse_long_cell(self, line: int) -> NoReturn:
        if self._lines.open_quote(self._delimiter) is not None:
            self._refuse_quote(f"which is not closed within {MAX_CELL >> 20} MiB")
        raise InputError(f"{self.label}, line {line}: a cell is longer than {MAX_CELL >> 20} MiB")

    def _refuse_quote(self, fate: str) -> NoReturn:
        line = self._lines.open_quote(self._delimiter)
        raise InputError(f"{self.label}, line {line}: a cell begins with a quote {fate}")


def _allow_long_cells() -> None:
    """Raise the bound of the standard library's reader, which would refuse cells of 128 KiB.

    It holds for the whole process, and other code may have raised it further: it is never lowered.
    """
    if csv.field_size_limit() < MAX_CELL:
        csv.field_size_limit(MAX_CELL)


class _Lines:
    """The lines of a file as text, and what is known of those that make up the current row."""

    def __init__(self, stream: ByteStream) -> None:
        self._label = stream.label
        self._lines = stream.lines()
        self._number = 0
        self._row: list[str] = []
        self._row_bytes = 0
        self.bytes = 0
        """Bytes of all lines so far."""
        self.invalid: str | None = None
        """Where the current row is not UTF-8."""

    def begin_row(self) -> int:
        """Forget the row before, and return the line at which the next one begins."""
        self._row.clear()
        self._row_bytes = 0
        self.invalid = None
        return self._number + 1

    @property
    def quotes(self) -> int:
        """How many quotes the row has so far."""
        return sum(line.count('"') for line in self._row)

    def open_quote(self, delimiter: str) -> int | None:
        """Return the line at which the quote stands that is still open."""
        text = "".join(self._row)
        plain = f'[^"{delimiter}][^{delimiter}\n]*+'
        cells = re.compile(f'(?:(?:"(?:[^"]++|"")*+"|{plain})?+[{delimiter}\r\n])*+')
        match = cells.match(text)
        at = match.end() if match is not None else 0
        if not text.startswith('"', at):
            return None
        return self._number + 1 - len(self._row) + text.count("\n", 0, at)

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._number += 1
        if self._number == 1:
            line = line.removeprefix(BOM)
        self.bytes += len(line)
        self._row_bytes += len(line)
        if self._row_bytes > MAX_LINE:
            first = self._number - len(self._row)
            raise InputError(f"{self._label}, line {first}: a row is longer than {MAX_LINE >> 20} MiB")
        text = self._decoded(line)
        self._row.append(text)
        return text

    def _decoded(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            if self.invalid is None:
                self.invalid = f"byte {error.start + 1} of line {self._number}"
            # No byte of a wrong sequence is a quote or a comma, so the rows stay apart.
            return line.decode(errors="surrogateescape")
