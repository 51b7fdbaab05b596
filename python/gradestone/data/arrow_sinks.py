"""The files that Arrow batches go into, one class a format."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from gradestone.data.output import FileStream, WholeFile

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

GROUP_ROWS: Final = 1 << 16
"""Rows of a row group of Parquet at most."""

GROUP_BYTES: Final = 16 << 20
"""Bytes in memory after which a row group is written."""


class Sink(Protocol):
    """Where batches of one schema go."""

    def begin(self, schema: pa.Schema) -> None:
        """Write the beginning of the file."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch, or hold it until there is enough for a group."""

    def close(self) -> None:
        """Write what is held, and the end of the file."""

    def abandon(self) -> None:
        """Give the file up."""


class ParquetSink:
    """A Parquet file, compressed with zstd inside, in row groups of up to 65 536 rows or about 16 MiB."""

    def __init__(self, file: WholeFile) -> None:
        self._file = file
        self._stream: FileStream | None = None
        self._writer: Any = None
        self._held: list[pa.RecordBatch] = []
        self._rows = 0
        self._bytes = 0

    def begin(self, schema: pa.Schema) -> None:
        """Write the beginning of the file."""
        import pyarrow.parquet as pq

        self._schema = schema
        self._stream = self._file.stream()
        self._writer = pq.ParquetWriter(self._stream, schema, compression="zstd")

    def write(self, batch: pa.RecordBatch) -> None:
        """Hold a batch, and write a group when there is enough."""
        self._held.append(batch)
        self._rows += batch.num_rows
        self._bytes += batch.nbytes
        if self._rows >= GROUP_ROWS or self._bytes >= GROUP_BYTES:
            self._write_group()

    def close(self) -> None:
        """Write what is held, and the footer."""
        if self._held:
            self._write_group()
        self._writer.close()

    def abandon(self) -> None:
        """Give the file up."""
        _abandon(self._stream, self._writer)

    def _write_group(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_batches(self._held, self._schema), row_group_size=GROUP_ROWS)
        self._held.clear()
        self._rows = self._bytes = 0


class IpcSink:
    """An Arrow IPC file, or an IPC stream.

    A file may have but one dictionary a column, which may grow. So the dictionaries of batches are made one, and memory
    grows with their distinct values.
    """

    def __init__(self, file: WholeFile, *, streamed: bool) -> None:
        self._file = file
        self._streamed = streamed
        self._stream: FileStream | None = None
        self._writer: Any = None
        self._dictionaries: dict[str, pa.Array] = {}

    def begin(self, schema: pa.Schema) -> None:
        """Write the beginning of the file."""
        import pyarrow as pa

        self._schema = schema
        self._stream = self._file.stream()
        make = pa.ipc.new_stream if self._streamed else pa.ipc.new_file
        options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
        self._writer = make(self._stream, schema, options=options)

    def write(self, batch: pa.RecordBatch) -> None:
        """Write a batch."""
        import pyarrow as pa

        columns = [
            self._unified(field.name, column) if _has_dictionary(field.type) else column
            for field, column in zip(self._schema, batch.columns, strict=True)
        ]
        self._writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))

    def close(self) -> None:
        """Write the end of the file."""
        self._writer.close()

    def abandon(self) -> None:
        """Give the file up."""
        _abandon(self._stream, self._writer)

    def _unified(self, name: str, column: pa.Array) -> pa.Array:
        import pyarrow as pa

        before = self._dictionaries.get(name)
        if before is not None:
            column = pa.chunked_array([before, column]).unify_dictionaries().chunk(1)
        # No rows, but the dictionary.
        self._dictionaries[name] = column.slice(0, 0)
        return column


def _has_dictionary(kind: pa.DataType) -> bool:
    import pyarrow.types as are

    if are.is_dictionary(kind):
        return True
    return any(_has_dictionary(kind.field(at).type) for at in range(kind.num_fields))


def _abandon(stream: FileStream | None, writer: Any) -> None:
    if stream is None or writer is None:
        return
    stream.abandon()
    # It may be the writer itself that failed.
    with suppress(Exception):
        writer.close()
