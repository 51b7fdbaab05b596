"""Arrow's own formats: files, which are mapped into memory, and streams."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

from gradestone.data.arrow_blocks import ArrowRows, arrow_reading, import_arrow, seekable_source
from gradestone.data.errors import InputError
from gradestone.data.streams import STDIN, open_raw, status_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

_END: Final = b"\xff\xff\xff\xff\0\0\0\0"
"""What writers put behind the last batch of a stream."""

_CHUNK: Final = 64 << 20


class ArrowFile(ArrowRows):
    """An Arrow IPC file (Feather version 2): mapped into memory, so that columns are not copied.

    From a pipe it is read into memory whole. Raises `InputError` when pyarrow is not installed, the file is
    damaged or cut short, or two columns have the same name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        import_arrow("an Arrow file")
        import pyarrow as pa

        self._source, self.status = seekable_source(name, mapped=True)
        self._done = 0
        try:
            with arrow_reading(self.label):
                self._file = pa.ipc.open_file(self._source)
                self.schema = self._file.schema
            self._check_names()
        except InputError:
            self._source.close()
            raise

    @property
    def position(self) -> int:
        """The bytes of the file on disk that were read so far, going by the batches."""
        batches = max(self._file.num_record_batches, 1)
        return int((self.size or 0) * self._done // batches)

    def close(self) -> None:
        """Close the file; arrays that lie in it stay valid."""
        self._source.close()

    def _batches(self, names: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        del names
        for at in range(self._file.num_record_batches):
            yield self._file.get_batch(at)
            self._done = at + 1


class ArrowStream(ArrowRows):
    """An Arrow IPC stream, from a file or standard input.

    Raises `InputError` when pyarrow is not installed, the stream is damaged, two columns have the same name, or the
    stream has no end mark: where that is missing nobody can say whether batches are.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        import_arrow("an Arrow stream")
        import pyarrow as pa

        self._name = name
        self._raw = open_raw(name)
        self.status = status_of(self._raw)
        self._bytes = _Remembering(self._raw)
        try:
            with arrow_reading(self.label):
                self._stream = pa.ipc.open_stream(pa.PythonFile(cast("io.RawIOBase", self._bytes), mode="r"))
                self.schema = self._stream.schema
            self._check_names()
        except InputError:
            self.close()
            raise

    @property
    def position(self) -> int:
        """The bytes of the stream that were read so far."""
        return self._bytes.count

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._name != STDIN:
            self._raw.close()

    def _batches(self, names: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        del names
        yield from self._stream
        if self._bytes.last != _END:
            raise InputError(f"{self.label} is cut short: the stream has no end mark")
        if self._raw.read(1):
            raise InputError(f"{self.label} goes on behind the end of its stream")


class _Remembering(io.RawIOBase):
    """A stream that remembers the last bytes that were read of it."""

    def __init__(self, raw: io.BufferedReader) -> None:
        self._raw = raw
        self.last = b""
        self.count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(min(size, _CHUNK) if size >= 0 else -1)
        # A damaged length may ask for more than there is memory, so it is not believed at once.
        while 0 < len(data) < size and (more := self._raw.read(min(size - len(data), _CHUNK))):
            data += more
        # The end of the file, too, is remembered: the bytes before it may look like the mark.
        self.last = (self.last + data)[-len(_END) :] if data else b""
        self.count += len(data)
        return data
