"""Rows of Arrow tables: blocks over record batches, checked before anybody reads them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gradestone.data.arrow_json import cells_of
from gradestone.data.blocks import MAX_BYTES, MAX_ROWS, BadRow, ClosesItself, Unit, json_objects
from gradestone.data.errors import InputError, missing_extra, why
from gradestone.data.streams import STDIN, label_of, open_raw, status_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


@dataclass(frozen=True)
class ArrowBlock:
    """Rows of a Parquet or Arrow file."""

    source: str
    bad: Sequence[BadRow]
    table: pa.RecordBatch
    """The readable rows, with the types that the file has."""

    unit: Unit = "row"
    fixed = True

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @property
    def names(self) -> Sequence[str]:
        """The columns."""
        return tuple(self.table.schema.names)

    def column(self, name: str) -> pa.Array:
        """Return a column as the Arrow array that it is, without a copy."""
        return self.table.column(name)

    def cells(self, name: str) -> Sequence[Any]:
        """Return a column as plain Python values, with what has no JSON form as `arrow_json` says.

        Raises `InputError` when the column's type has none.
        """
        return cells_of(self.column(name), self._place(name), finite=False)

    def json_cells(self, name: str) -> Sequence[Any]:
        """Return the same as `cells`, but that NaN and the infinities, which JSON cannot hold, are null."""
        return cells_of(self.column(name), self._place(name), finite=True)

    def json_texts(self, keep: Sequence[str] | None) -> Sequence[bytes]:
        """Return each row as an object of its cells; NaN and the infinities are null.

        Raises `InputError` as `cells` does.
        """
        names = self.names if keep is None else keep
        return json_objects({name: self.json_cells(name) for name in names}, len(self))

    def _place(self, name: str) -> str:
        return f"{self.source}: column {name}"


class ArrowRows(ClosesItself):
    """What the readers of Parquet and Arrow files share."""

    def __init__(self, name: str) -> None:
        self.label = label_of(name)
        self.status: os.stat_result | None = None
        self.schema: pa.Schema
        self.rows_read = 0

    @property
    def size(self) -> int | None:
        """The size of the file on disk in bytes; None where that cannot be known."""
        return self.status.st_size if self.status is not None and self.status.st_size else None

    @property
    def position(self) -> int:
        """The bytes of the file on disk that were read so far, about."""
        raise NotImplementedError

    def fields(self) -> Sequence[str]:
        """Return the columns."""
        return tuple(self.schema.names)

    def blocks(
        self, wanted: Collection[str] | None, limit: int | None = None, graded: Collection[str] = ()
    ) -> Iterator[ArrowBlock]:
        """Give the rows in order; every block has the columns wanted.

        Raises `InputError` when a column that is wanted is not there, or the file is damaged.
        """
        names = None if wanted is None else [name for name in self.schema.names if name in wanted]
        with arrow_reading(self.label):
            for batch in self._batches(names):
                whole = batch if names is None else batch.select(names)
                sound = _is_sound(whole)
                for part in _bounded(whole):
                    left = part.num_rows if limit is None else min(limit - self.rows_read, part.num_rows)
                    if not left:
                        return
                    yield self._block(part.slice(0, left), sound)

    def _batches(self, names: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        raise NotImplementedError

    def _block(self, batch: pa.RecordBatch, sound: bool) -> ArrowBlock:
        first = self.rows_read + 1
        self.rows_read += batch.num_rows
        good, bad = (batch, []) if sound else _without_faults(batch, first)
        return ArrowBlock(self.label, bad, good)

    def _check_names(self) -> None:
        names = self.schema.names
        if len(set(names)) < len(names):
            name = next(name for at, name in enumerate(names) if name in names[:at])
            raise InputError(f"{self.label} has two columns called {name}")


def import_arrow(need: str) -> None:
    """Make sure that pyarrow is there; raises `InputError` with the line that installs it."""
    try:
        import pyarrow as pa
        import pyarrow.compute
        import pyarrow.parquet
        import pyarrow.types
    except ImportError:
        raise InputError(missing_extra(need, "arrow")) from None
    # The first array made of Python values looks for pandas. Two threads that do so at once see half of it.
    pa.array([None])


def seekable_source(name: str, *, mapped: bool) -> tuple[pa.NativeFile, os.stat_result | None]:
    """Open a file that has to be read from its end; a pipe or standard input is read into memory whole."""
    import pyarrow as pa

    raw = open_raw(name)
    status = status_of(raw)
    try:
        with arrow_reading(label_of(name)):
            if name == STDIN or not raw.seekable():
                return pa.BufferReader(raw.read()), status
            path = os.fsencode(name)
            return (pa.memory_map(path) if mapped else pa.OSFile(path)), status
    finally:
        if name != STDIN:
            raw.close()


@contextmanager
def arrow_reading(label: str) -> Iterator[None]:
    """Turn Arrow's refusals into an `InputError` that names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        cause = why(error) if isinstance(error, OSError) and error.strerror else first_line(error)
        raise InputError(f"{label} is damaged or cannot be read: {cause}") from None


def first_line(error: Exception) -> str:
    """Return the first line of an exception's message, shortened."""
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0][:200].rstrip(" .")


def _bounded(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    for start in range(0, batch.num_rows, MAX_ROWS):
        yield from _halved(batch.slice(start, MAX_ROWS))


def _halved(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    size, half = batch.nbytes, batch.num_rows // 2
    parts = (batch.slice(0, half), batch.slice(half))
    # What all rows share, such as the values of a dictionary, does not become less.
    if size <= MAX_BYTES or not half or sum(part.nbytes for part in parts) > 1.5 * size:
        yield batch
        return
    for part in parts:
        yield from _halved(part)


_NOT_UTF8: Final = "Invalid UTF8"


def _is_sound(batch: pa.RecordBatch) -> bool:
    """Tell whether all text is UTF-8; whatever else is wrong inside is a damaged file.

    Files are not checked by what reads them: an offset that leads out of the file would be followed.
    """
    import pyarrow as pa

    try:
        batch.validate(full=True)
    except pa.ArrowInvalid as error:
        if _NOT_UTF8 not in str(error):
            raise
        return False
    return True


def _without_faults(batch: pa.RecordBatch, first: int) -> tuple[pa.RecordBatch, list[BadRow]]:
    """Set aside the rows whose text is no UTF-8."""
    import pyarrow as pa

    faults = [_fault_of(batch, at) for at in range(batch.num_rows)]
    good = [at for at, fault in enumerate(faults) if fault is None]
    bad = []
    before = 0
    for at, fault in enumerate(faults):
        if fault is None:
            before += 1
        else:
            bad.append(BadRow(before, first + at, fault))
    return batch.take(pa.array(good, pa.int64())), bad


def _fault_of(batch: pa.RecordBatch, at: int) -> str | None:
    import pyarrow as pa

    # Taken, not sliced: a slice of a list column still has the members of all rows.
    row = batch.take(pa.array([at]))
    for name, column in zip(row.schema.names, row.columns, strict=True):
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            return f"column {name} is not UTF-8"
    return None
