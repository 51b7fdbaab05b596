"""Parquet files: read in bounded batches, and only the columns that are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from gradestone.data.arrow_blocks import ArrowRows, arrow_reading, import_arrow, seekable_source
from gradestone.data.blocks import MAX_BYTES, MAX_ROWS
from gradestone.data.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

_BUFFER: Final = 1 << 20


class ParquetFile(ArrowRows):
    """A Parquet file, opened for reading; from a pipe it is read into memory whole.

    Types are the Arrow types that the file was written with, dictionaries among them. Rows whose text is no
    UTF-8 are unreadable. Memory is bounded by a page of each wanted column and a batch of rows.

    Raises `InputError` when pyarrow is not installed, the file is damaged or cut short, or two columns have
    the same name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        import_arrow("a Parquet file")
        import pyarrow.parquet as pq

        source, self.status = seekable_source(name, mapped=False)
        try:
            with arrow_reading(self.label):
                # Without a buffer whole columns of a row group would be read at once.
                self._file = pq.ParquetFile(source, buffer_size=_BUFFER, pre_buffer=False)
                self.schema = self._file.schema_arrow
            self._check_names()
        except InputError:
            source.close()
            raise
        self._source = source

    @property
    def position(self) -> int:
        """The bytes of the file on disk that were read so far, going by the rows."""
        rows = max(self._file.metadata.num_rows, 1)
        return int((self.size or 0) * self.rows_read // rows)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._source.close()

    def _batches(self, names: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        # A batch of no columns would not know how many rows it has.
        columns = self.schema.names[:1] if names is not None and not names else names
        yield from self._file.iter_batches(batch_size=self._batch_rows(), columns=columns)

    def _batch_rows(self) -> int:
        metadata = self._file.metadata
        size = sum(metadata.row_group(at).total_byte_size for at in range(metadata.num_row_groups))
        return int(min(max(MAX_BYTES * metadata.num_rows // max(size, 1), 1), MAX_ROWS))
