"""gzip and Zstandard: which a file is compressed with, and the streams that read and write them."""

from __future__ import annotations

import gzip
import importlib
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import BinaryIO, Final, Literal, cast

from gradestone.data.errors import InputError, missing_extra, why

Packing = Literal["gzip", "zstd"]
"""The compressions of text formats."""

PACKINGS: Final[dict[str, Packing]] = {".gz": "gzip", ".zst": "zstd"}
"""By the suffix that demands them."""

BUFFER: Final = 1 << 20
"""Bytes read at once. Small reads cost a compressed file a quarter of its speed."""

_MAGIC: Final[dict[Packing, bytes]] = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}

_LEVELS: Final[dict[Packing, int]] = {"gzip": 4, "zstd": 3}
"""Of gzip: within a few percent of the best, at three times its speed. Of zstd: its own default."""


def packing_named(name: str) -> Packing | None:
    """Return the compression that a file's name demands.

    >>> packing_named("rows.jsonl.gz"), packing_named("rows.csv.ZST"), packing_named("rows.csv")
    ('gzip', 'zstd', None)
    """
    return next((packing for suffix, packing in PACKINGS.items() if name.lower().endswith(suffix)), None)


def packing_seen(start: bytes) -> Packing | None:
    """Return the compression that a file's first bytes show."""
    return next((packing for packing, magic in _MAGIC.items() if start.startswith(magic)), None)


def unpacked(stream: BinaryIO, packing: Packing) -> io.BufferedReader:
    """Return a stream of what a compressed stream holds; all its members or frames are one file.

    Raises `ImportError` where zstd is not to be had.
    """
    if packing == "gzip":
        raw: object = gzip.GzipFile(fileobj=stream)
    else:
        raw = zstd_module().ZstdFile(stream, "rb")
    return io.BufferedReader(cast("io.RawIOBase", raw), BUFFER)


def packed(stream: BinaryIO, packing: Packing) -> BinaryIO:
    """Return a stream that compresses into another; closing it ends the data and leaves the other open.

    The same data gives the same bytes: gzip's header holds neither a name nor a time.

    Raises `ImportError` where zstd is not to be had.
    """
    if packing == "gzip":
        return cast("BinaryIO", gzip.GzipFile("", "wb", _LEVELS[packing], stream, mtime=0))
    return cast("BinaryIO", zstd_module().ZstdFile(stream, "wb", level=_LEVELS[packing]))


def zstd_module() -> ModuleType:
    """Import Zstandard: of the standard library from Python 3.14 on, else its backport."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(missing_extra("zstd compression", "zstd")) from error


@contextmanager
def reading(label: str) -> Iterator[None]:
    """Turn what goes wrong while a file is read into an `InputError` that names the file."""
    try:
        yield
    except EOFError:
        raise InputError(f"{label} is cut short: the compressed data has no end") from None
    except (gzip.BadGzipFile, zlib.error):
        raise InputError(f"{label} is damaged: the compressed data cannot be read") from None
    except OSError as error:
        raise InputError(f"cannot read {label}: {why(error)}") from error
    except Exception as error:
        # Its class lives in a module that is imported only where a file needs it.
        if type(error).__name__ != "ZstdError":
            raise
        raise InputError(f"{label} is damaged: the compressed data cannot be read") from None
