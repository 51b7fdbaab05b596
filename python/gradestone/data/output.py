"""A file that appears whole or not at all."""

from __future__ import annotations

import io
import os
import secrets
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from gradestone.data.compression import packed, packing_named
from gradestone.data.errors import OutputError, why

if TYPE_CHECKING:
    from typing_extensions import Buffer

STDOUT: Final = "-"
"""The name of standard output."""


def is_replaced(name: str) -> bool:
    """Tell whether an output of this name is a file on disk, which takes its name at the end.

    Writing to anything else, such as a pipe, may wait for somebody.
    """
    if name == STDOUT:
        return False
    try:
        return stat.S_ISREG(os.stat(name).st_mode)  # noqa: PTH116
    except OSError:
        return True


def partial_name(name: str) -> str:
    """The name of an output that lacks rows.

    >>> partial_name("runs/graded.jsonl.gz")
    'runs/graded.partial.jsonl.gz'
    """
    path = Path(name)
    suffixes = path.suffixes[-2:] if path.suffix in (".gz", ".zst") else path.suffixes[-1:]
    ending = "".join(suffixes)
    return str(path.with_name(f"{path.name.removesuffix(ending)}.partial{ending}"))


class WholeFile:
    """A file being written that takes its name at the very end.

    Used in a ``with`` block: what is written goes into a temporary file beside the final name, which replaces
    whatever has that name when the block ends well. When it ends with an exception, an interrupt included,
    the final name is as it was and the temporary file is gone.

    A name that ends in ``.gz`` or ``.zst`` is compressed. ``-`` is standard output; it, and devices and
    pipes, which cannot be replaced, are written to directly.

    Where ``is_partial`` says at the end that something is missing, the file takes the name `partial_name` instead, and
    the final name is as it was.

    ``sources`` are the statuses of the files that are being read, none of which may be overwritten. Every
    method raises `OutputError` when the folder is missing or not writable, the name is a folder's or a
    source's, or the disk is full, and ``BrokenPipeError`` when whoever read the output has gone.
    """

    def __init__(
        self,
        name: str,
        *,
        sources: Sequence[os.stat_result] = (),
        is_partial: Callable[[], bool] = lambda: False,
    ) -> None:
        self.name = name
        self._is_partial = is_partial
        self._sources = sources
        self._before: os.stat_result | None = None
        self._temporary: Path | None = None
        self._stream: BinaryIO | None = None
        self._packed: BinaryIO | None = None

    def __enter__(self) -> Self:
        packing = packing_named(self.name)
        try:
            with self.naming():
                self._stream = self._open()
                self._packed = None if packing is None else packed(self._stream, packing)
        except ImportError as error:
            self._discard()
            raise OutputError(f"cannot write {self.name}: {error}") from None
        except BaseException:
            # An interrupt may come when the file is there and this has not returned.
            self._discard()
            raise
        return self

    def _open(self) -> BinaryIO:
        if self.name == STDOUT:
            if sys.stdout is None:
                raise OutputError("cannot write to standard output: it is closed")
            return sys.stdout.buffer
        with suppress(FileNotFoundError):
            self._before = os.stat(self.name)  # noqa: PTH116
        if self._before is not None:
            self._check(self._before)
            if not stat.S_ISREG(self._before.st_mode):
                # By this name: that which /dev/stdout is a link to need not be the name of anything.
                return Path(self.name).open("wb")
        # The file behind a symbolic link is replaced, not the link.
        self._final = Path(os.path.realpath(self.name))
        self._temporary = self._final.with_name(f".gradestone-{secrets.token_hex(8)}.part")
        return self._temporary.open("xb")

    def _check(self, before: os.stat_result) -> None:
        if stat.S_ISDIR(before.st_mode):
            raise OutputError(f"cannot write {self.name}: it is a directory")
        if any(os.path.samestat(before, source) for source in self._sources):
            raise OutputError(f"cannot write {self.name}: it is a file that is being read")

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write pieces one after the other."""
        with self.naming():
            stream = self._packed or self._opened()
            for piece in pieces:
                stream.write(piece)

    @property
    def folder(self) -> Path | None:
        """The folder of the temporary file; None where what is written goes out directly."""
        return None if self._temporary is None else self._temporary.parent

    def stream(self) -> FileStream:
        """Return a file object that writes here, for packages that want one."""
        return FileStream(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._discard()
            return
        try:
            with self.naming():
                self._finish()
        except BaseException:
            self._discard()
            raise

    def _opened(self) -> BinaryIO:
        assert self._stream is not None  # the `with` block has begun
        return self._stream

    def _finish(self) -> None:
        stream = self._opened()
        if self._packed is not None:
            self._packed.close()
        stream.flush()
        if self.name == STDOUT:
            return
        if self._temporary is None:
            stream.close()
            return
        os.fsync(stream.fileno())
        stream.close()
        if self._before is not None:
            self._temporary.chmod(stat.S_IMODE(self._before.st_mode))
        final = Path(partial_name(str(self._final))) if self._is_partial() else self._final
        self._temporary.replace(final)

    def _discard(self) -> None:
        # On a full disk closing fails as writing did, and has been told already.
        if self._packed is not None:
            with suppress(OSError):
                self._packed.close()
        if self.name == STDOUT:
            return
        if self._stream is not None:
            with suppress(OSError):
                self._stream.close()
        if self._temporary is not None:
            with suppress(OSError):
                self._temporary.unlink()

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Turn the operating system's refusals into ours, which name the file."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            label = "standard output" if self.name == STDOUT else self.name
            raise OutputError(f"cannot write {label}: {why(error)}") from error


class FileStream(io.RawIOBase):
    """A `WholeFile` as a file object; closing it closes nothing."""

    def __init__(self, file: WholeFile) -> None:
        self._file: WholeFile | None = file
        self._written = 0

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, data: Buffer) -> int:
        """Write bytes; raises as `WholeFile.write` does."""
        piece = bytes(data)
        if self._file is not None:
            self._file.write([piece])
        self._written += len(piece)
        return len(piece)

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self._written

    def abandon(self) -> None:
        """Take what is still written for nothing: a package that is given up may write an end of its own."""
        self._file = None
