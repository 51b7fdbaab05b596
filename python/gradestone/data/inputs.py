"""All files of a run as one input: what they are is settled before the first row is read."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gradestone.data.blocks import Block, ClosesItself, Reader
from gradestone.data.cells import TEXT_CELLS, Cells
from gradestone.data.compression import reading
from gradestone.data.errors import InputError, the_columns
from gradestone.data.expand import expand
from gradestone.data.formats import (
    ARROW_FORMATS,
    JSON_FORMATS,
    MAGIC_BYTES,
    Format,
    format_of,
    open_reader,
    read_format,
)
from gradestone.data.streams import STDIN, ByteStream, is_file, label_of, open_raw, status_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

JSON_ONLY: Final = frozenset({"lone_surrogates"})
"""Columns that outputs add to rows of JSON formats alone; see `gradestone.data.verdict_columns`."""


def open_inputs(
    names: Sequence[str],
    *,
    format: str | None = None,
    cells: Cells = TEXT_CELLS,
    reserved: Collection[str] = (),
    limit: int | None = None,
    threads: int = 1,
) -> Inputs:
    """Open the inputs of a run.

    Args:
        names: files, ``-``, patterns and directories; see `gradestone.data.expand.expand`.
        format: the format of all of them; else each file's suffix decides, and where that says nothing its
            first bytes: Parquet, Arrow, or else JSON lines.
        cells: what the cells of CSV and TSV files are.
        reserved: the columns that the output adds. A table that has one is refused here; a row of a JSON
            format that has one is unreadable, the first such row excepted, which is refused.
        limit: rows to give at most, of all files together, unreadable ones among them.
        threads: threads that read JSON lines.

    Files are looked at before any is read. Many files are opened one after the other, when it is their turn.

    Raises:
        InputError: a name stands for no file, a file cannot be opened, is not what its name says, is damaged where its
            columns are said, or has a reserved column.

    """
    asked = None if format is None else read_format(format)
    return Inputs(
        expand(names, any_suffix=asked is not None),
        asked,
        cells,
        frozenset(reserved),
        limit=limit,
        threads=threads,
    )


class Inputs(ClosesItself):
    """The files of a run, in order. Its blocks can be taken once."""

    def __init__(
        self,
        names: Sequence[str],
        asked: Format | None,
        cells: Cells,
        reserved: frozenset[str],
        *,
        limit: int | None,
        threads: int,
    ) -> None:
        self._threads = threads
        self._files = [_File(name, asked) for name in names]
        self._cells = cells
        self._reserved = reserved
        self._limit = limit
        self._open: dict[_File, Reader] = {}
        self._done = 0
        self._fields: Sequence[str] | None = None
        try:
            self._look()
        except InputError:
            self.close()
            raise

    @property
    def label(self) -> str:
        """What to call the input in messages."""
        return label_of(self._files[0].name) if len(self._files) == 1 else f"{len(self._files)} files"

    @property
    def several(self) -> bool:
        """Whether there is more than one file."""
        return len(self._files) > 1

    @property
    def statuses(self) -> tuple[os.stat_result, ...]:
        """The operating system's status of every file that has one: no output may overwrite them."""
        return tuple(file.status for file in self._files if file.status is not None)

    @property
    def size(self) -> int | None:
        """The bytes of all files on disk; None where that cannot be known, as for a pipe."""
        sizes = [file.size for file in self._files]
        return sum(size for size in sizes if size is not None) or None if None not in sizes else None

    @property
    def position(self) -> int:
        """The bytes on disk that were read so far."""
        # Asked for while another thread reads, and so opens and closes files.
        return self._done + sum(reader.position for reader in tuple(self._open.values()))

    def fields(self) -> Sequence[str] | None:
        """Return the columns, or of JSON formats the members of the first readable row; None without rows.

        The first file that has any decides.

        Raises `InputError` when that row has a reserved member.
        """
        for file in self._files:
            if self._fields is not None:
                break
            self._fields = self._reader(file).fields() if file.format in JSON_FORMATS else file.columns
        return self._fields

    def blocks(self, wanted: Collection[str] | None, graded: Collection[str] = ()) -> Iterator[Block]:
        """Give the rows of all files in order, with the columns ``wanted``; None stands for all.

        Those that are ``graded`` are among them, and are read faster where that makes a difference.

        Rows of JSON formats may lack members: those are None. Raises `InputError` when a table lacks a column that is
        wanted, or types differ between Parquet or Arrow files of which all columns are wanted, before any
        row is given; and when a file cannot be read on.
        """
        self._check(graded if wanted is None else (*wanted, *graded))
        if wanted is None:
            _check_types([file for file in self._files if file.format in ARROW_FORMATS])
        self.fields()
        left = self._limit
        for file in self._files:
            if left == 0:
                return
            reader = self._reader(file)
            for block in reader.blocks(wanted, left, graded):
                left = None if left is None else left - len(block) - len(block.bad)
                yield block
            self._done += file.size or reader.position
            del self._open[file]
            reader.close()

    def close(self) -> None:
        """Close all files."""
        for reader in self._open.values():
            reader.close()
        self._open.clear()

    def _look(self) -> None:
        """Read the columns of all tables, and see that the other files can be read at all."""
        json = any(file.format in JSON_FORMATS for file in self._files)
        reserved = self._reserved if json else self._reserved - JSON_ONLY
        for file in self._files:
            if file.format in JSON_FORMATS:
                if file.again:
                    ByteStream(file.name).close()
                continue
            reader = self._reader(file)
            file.columns = reader.fields()
            file.schema = getattr(reader, "schema", None)
            taken = reserved.intersection(file.columns or ())
            if taken:
                raise InputError(
                    f"{reader.label} already has a column called {min(taken)}: "
                    "give the grader another name, as in -g NAME=TYPE"
                )
            if file.again and len(self._files) > 1:
                del self._open[file]
                reader.close()

    def _reader(self, file: _File) -> Reader:
        reader = self._open.get(file)
        if reader is None:
            reader = self._open[file] = open_reader(
                file.name, file.format, self._cells, self._reserved, self._threads
            )
            if file.columns is not None and reader.fields() != file.columns:
                raise InputError(f"{reader.label} was changed while the run went on")
        return reader

    def _check(self, wanted: Collection[str]) -> None:
        for file in self._files:
            if file.columns is None:
                continue
            for name in wanted:
                if name not in file.columns:
                    listed = the_columns(file.columns, name)
                    raise InputError(f"{label_of(file.name)} has no column {name}; {listed}")


class _File:
    """A file of the input: its format, and what was seen of it so far."""

    def __init__(self, name: str, asked: Format | None) -> None:
        self.name = name
        self.again = name != STDIN and is_file(name)
        """Whether it can be opened more than once."""
        self.status: os.stat_result | None = None
        self.columns: Sequence[str] | None = None
        self.schema: pa.Schema | None = None
        self.format = format_of(label_of(name), name, self._start(), asked)

    @property
    def size(self) -> int | None:
        regular = self.status is not None and stat.S_ISREG(self.status.st_mode)
        return self.status.st_size if self.status is not None and regular else None

    def _start(self) -> bytes:
        """Return the first bytes. Those of a pipe would be gone, so it is what its name says."""
        if self.name != STDIN and not self.again:
            return b""
        raw = open_raw(self.name)
        self.status = status_of(raw)
        try:
            with reading(label_of(self.name)):
                return raw.peek(MAGIC_BYTES)[:MAGIC_BYTES]
        finally:
            if self.name != STDIN:
                raw.close()


def _check_types(files: Sequence[_File]) -> None:
    """Raise `InputError` when files have different columns, or columns of different types."""
    first = None
    for file in files:
        if file.schema is None:
            continue
        types = {field.name: field.type for field in file.schema}
        if first is None:
            first, known = file, types
        if types.keys() != known.keys():
            name = min(types.keys() ^ known.keys())
            raise InputError(f"{file.name} and {first.name} differ: only one has the column {name}")
        for name, kind in types.items():
            if kind != known[name]:
                raise InputError(
                    f"{file.name}: column {name} is of the type {kind}, in {first.name} of {known[name]}"
                )
