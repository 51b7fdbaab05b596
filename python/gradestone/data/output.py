"""A file that appears whole or not at all."""

from __future__ import annotations

import gzip
import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self

from gradestone.data.errors import OutputError, why

STDOUT: Final = "-"
"""The name of standard output."""

_LEVEL: Final = 4
"""Compression of ``.gz`` output: within a few percent of the best, at three times its speed."""


class WholeFile:
    """A file being written that takes its name at the very end.

    Used in a ``with`` block: what is written goes into a temporary file beside the final name, which replaces
    whatever has that name when the block ends well. When it ends with an exception, an interrupt included,
    the final name is as it was and the temporary file is gone.

    A name that ends in ``.gz`` is compressed. ``-`` is standard output; it, and devices and pipes, which
    cannot be replaced, are written to directly.

    ``source`` is the status of the file that is being read, which must not be overwritten. Every method
    raises `OutputError` when the folder is missing or not writable, the name is a folder's or the source's,
    or the disk is full, and ``BrokenPipeError`` when whoever read the output has gone.
    """

    def __init__(self, name: str, *, source: os.stat_result | None = None) -> None:
        self.name = name
        self._source = source
        self._temporary: Path | None = None
        self._packed: gzip.GzipFile | None = None

    def __enter__(self) -> Self:
        with self._naming():
            self._stream = self._open()
            if self.name.endswith(".gz"):
                # Neither a name nor a time in it: the same rows give the same file.
                self._packed = gzip.GzipFile("", "wb", _LEVEL, self._stream, mtime=0)
        return self

    def _open(self) -> BinaryIO:
        if self.name == STDOUT:
            if sys.stdout is None:
                raise OutputError("cannot write to standard output: it is closed")
            return sys.stdout.buffer
        # The file behind a symbolic link is replaced, not the link.
        self._final = Path(os.path.realpath(self.name))
        self._before = self._final.stat() if self._final.exists() else None
        if self._before is not None:
            self._check(self._before)
            if not stat.S_ISREG(self._before.st_mode):
                return self._final.open("wb")
        self._temporary = self._final.with_name(f".gradestone-{secrets.token_hex(8)}.part")
        return self._temporary.open("xb")

    def _check(self, before: os.stat_result) -> None:
        if stat.S_ISDIR(before.st_mode):
            raise OutputError(f"cannot write {self.name}: it is a directory")
        if self._source is not None and os.path.samestat(before, self._source):
            raise OutputError(f"cannot write {self.name}: it is the file that is being read")

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write pieces one after the other."""
        with self._naming():
            (self._packed or self._stream).write(b"".join(pieces))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._discard()
            return
        try:
            with self._naming():
                self._finish()
        except BaseException:
            self._discard()
            raise

    def _finish(self) -> None:
        if self._packed is not None:
            self._packed.close()
        self._stream.flush()
        if self.name == STDOUT:
            return
        if self._temporary is None:
            self._stream.close()
            return
        os.fsync(self._stream.fileno())
        self._stream.close()
        if self._before is not None:
            self._temporary.chmod(stat.S_IMODE(self._before.st_mode))
        self._temporary.replace(self._final)

    def _discard(self) -> None:
        # On a full disk closing fails as writing did, and has been told already.
        if self._packed is not None:
            with suppress(OSError):
                self._packed.close()
        if self.name == STDOUT:
            return
        with suppress(OSError):
            self._stream.close()
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.unlink()

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn the operating system's refusals into ours, which name the file."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            label = "standard output" if self.name == STDOUT else self.name
            raise OutputError(f"cannot write {label}: {why(error)}") from error
