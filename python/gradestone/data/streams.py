"""Bytes of a text file: opened, decompressed, measured; standard input among them."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, cast

from gradestone.data.blocks import ClosesItself
from gradestone.data.compression import packing_named, packing_seen, reading, unpacked
from gradestone.data.errors import InputError, why

STDIN: Final = "-"
"""The name of standard input, and of standard output."""

MAX_LINE: Final = 256 << 20
"""Bytes of a line at most. A line holds one row, and a row is held in memory."""

BOM: Final = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, of which one at the very start of a file is dropped."""


class ByteStream:
    """A text file, opened for reading: plain, compressed with gzip or zstd, or standard input as ``-``.

    Compression is known by the first bytes; a name that ends in ``.gz`` or ``.zst`` demands it.

    Raises `InputError` when the file is missing, a directory or unreadable, is not compressed as its name
    says, or zstd is not installed.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.label = label_of(name)
        self._raw = open_raw(name)
        try:
            self.bytes = self._decoded()
        except InputError:
            self.close()
            raise

    def _decoded(self) -> io.BufferedReader:
        with reading(self.label):
            start = self._raw.peek(4)[:4]
        seen, demanded = packing_seen(start), packing_named(self.name)
        if demanded not in (None, seen) and start:
            raise InputError(f"{self.label} is not compressed with {demanded}, as its name says")
        if seen is None:
            return self._raw
        try:
            return unpacked(self._raw, seen)
        except ImportError as error:
            raise InputError(f"cannot read {self.label}: {error}") from None

    @property
    def status(self) -> os.stat_result | None:
        """The operating system's status of the open file; None for a stream that is no file."""
        return status_of(self._raw)

    @property
    def size(self) -> int | None:
        """The size of the file on disk in bytes; None where that cannot be known, as for a pipe."""
        status = self.status
        return status.st_size if status is not None and status.st_size else None

    @property
    def position(self) -> int:
        """The bytes of the file on disk that were read so far."""
        try:
            return self._raw.tell()
        except (OSError, ValueError):
            return 0

    def lines(self) -> Iterator[bytes]:
        """Give the physical lines with their ends, LF alone.

        Raises `InputError` when reading fails, compressed data is damaged or cut short, or a line is longer
        than 256 MiB.
        """
        with reading(self.label):
            for number, line in enumerate(iter(partial(self.bytes.readline, MAX_LINE + 1), b""), 1):
                if len(line) > MAX_LINE:
                    raise InputError(f"{self.label}, line {number} is longer than {MAX_LINE >> 20} MiB")
                yield line

    def read(self, size: int) -> bytes:
        """Return the next bytes, fewer only at the end; raises `InputError` as `lines` does."""
        parts = []
        with reading(self.label):
            # Part by part: within one call that waits for all of it, an interrupt between two parts would wait too.
            while size and (part := self.bytes.read1(size)):
                parts.append(part)
                size -= len(part)
        return b"".join(parts)

    def close(self) -> None:
        """Close the file; standard input stays open, for it is not ours."""
        if self.name != STDIN:
            self._raw.close()


class TextReader(ClosesItself):
    """What the readers of text formats tell of the file that they read."""

    _stream: ByteStream

    @property
    def label(self) -> str:
        """The file's name in messages."""
        return self._stream.label

    @property
    def size(self) -> int | None:
        """The size of the file on disk in bytes; None where that cannot be known."""
        return self._stream.size

    @property
    def position(self) -> int:
        """The bytes of the file on disk that were read so far."""
        return self._stream.position

    @property
    def status(self) -> os.stat_result | None:
        """The operating system's status of the file; None for a stream that is no file."""
        return self._stream.status

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self._stream.close()


def label_of(name: str) -> str:
    """Return a file's name in messages."""
    return "standard input" if name == STDIN else name


# The same questions asked of a `Path` raise where a name is too long, or a folder above may not be searched.


def is_folder(name: str) -> bool:
    """Tell whether a name is that of a folder that can be seen."""
    return os.path.isdir(name)  # noqa: PTH112


def is_file(name: str) -> bool:
    """Tell whether a name is that of an ordinary file that can be seen."""
    return os.path.isfile(name)  # noqa: PTH113


def is_there(name: str) -> bool:
    """Tell whether there is anything of a name that can be seen."""
    return os.path.exists(name)  # noqa: PTH110


def open_raw(name: str) -> io.BufferedReader:
    """Open a file's bytes as they are on disk, or standard input as ``-``.

    Raises `InputError` when it is missing, a directory, or not readable.
    """
    if name == STDIN:
        return _standard_input()
    if is_folder(name):
        raise InputError(f"{name} is a directory, not a file")
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise InputError(f"cannot read {name}: {why(error)}") from error


_BUFFER: Final = "_gradestone_buffer"


def _standard_input() -> io.BufferedReader:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    stream = sys.stdin.buffer
    if isinstance(stream, io.BufferedReader):
        return stream
    # A host that put another stream there gets one buffer round it: what a second one read would be lost.
    if getattr(sys.stdin, _BUFFER, None) is None:
        setattr(sys.stdin, _BUFFER, io.BufferedReader(cast("io.RawIOBase", stream)))
    return cast("io.BufferedReader", getattr(sys.stdin, _BUFFER))


def status_of(raw: io.BufferedReader) -> os.stat_result | None:
    """Return the operating system's status of an open file; None for a stream that is no file."""
    try:
        return os.fstat(raw.fileno())
    except (OSError, ValueError):
        return None
