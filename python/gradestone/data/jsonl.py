"""JSON Lines: one JSON object a line, read strictly and as a stream.

A line is taken as it is or refused with its cause; there is no third. Refused are: what is not JSON by RFC
8259 (NaN, trailing commas, control characters in text), what is not an object, a key that is repeated at any
level, bytes that are not UTF-8, more than 512 levels of nesting, integers of more than 4300 digits. Escapes
of lone surrogates are taken. Lines that hold only the pinned whitespace are passed over but counted, the last
line may lack its end, lines may end with CRLF, and one byte order mark at the very start is dropped.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, NoReturn, Self, cast

import jiter

from gradestone.data.errors import InputError, why

MAX_LEVELS: Final = 512
"""Levels of nesting below the row itself."""

STDIN: Final = "-"
"""The name of standard input, and of standard output."""

BUFFER: Final = 1 << 20
"""Bytes read at once. Small reads cost a compressed file a quarter of its speed."""

_BOM: Final = b"\xef\xbb\xbf"
_GZIP: Final = b"\x1f\x8b"
_JSON_SPACE: Final = b" \t\r\n"


class JsonError(ValueError):
    """A text is no JSON that we take; the message says why and where, and quotes nothing of it."""


class RepeatedKeyError(JsonError):
    """An object holds a key twice, so that nobody can say which value is meant."""


class Record(NamedTuple):
    """A line that was read."""

    line: int
    """Its number in the file, the first being 1; blank lines count."""
    text: bytes
    """The object's own JSON text, without whitespace round it."""
    fields: dict[str, Any]
    """The object."""


class BadRecord(NamedTuple):
    """A line that could not be read."""

    line: int
    error: str
    """Why, without a word of the line itself."""


def read_json(data: bytes) -> Any:
    """Read a JSON value, strictly.

    Raises `RepeatedKeyError` when an object holds a key twice, and `JsonError` when it is not JSON, not
    UTF-8, nested too deeply, or an integer has too many digits.

    >>> read_json(b'{"answer": null, "n": 9007199254740993}')
    {'answer': None, 'n': 9007199254740993}
    """
    try:
        return jiter.from_json(data, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")
    except ValueError:
        # What the fast parser refuses is rare. The slow one tells the cause, and takes the lone surrogates
        # and the levels beyond 200 that the fast one does not.
        return _read_slowly(data)


def _read_slowly(data: bytes) -> Any:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8 at byte {error.start + 1}") from None
    if text.startswith("\ufeff"):
        raise JsonError("a byte order mark that is not at the start of the file")
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_int=_integer
        )
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise JsonError(_TOO_DEEP) from None
    _check_levels(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise RepeatedKeyError("a key is repeated in an object")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"not JSON: {name} is no JSON value")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise JsonError(f"an integer of {len(digits.lstrip('-'))} digits is too long") from None


_TOO_DEEP: Final = f"nested more than {MAX_LEVELS} levels deep"


def _check_levels(value: object) -> None:
    level = [value]
    for _ in range(MAX_LEVELS + 1):
        level = [child for parent in level for child in _children(parent) if isinstance(child, (dict, list))]
        if not level:
            return
    raise JsonError(_TOO_DEEP)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def read_records(lines: Iterable[bytes]) -> Iterator[Record | BadRecord]:
    """Give the records of a file's physical lines, in order; blank lines give none."""
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(_BOM) if number == 1 else line
        # bytes.strip() drops exactly the six characters of the pinned whitespace.
        if not text.strip():
            continue
        text = text.strip(_JSON_SPACE)
        try:
            value = read_json(text)
        except JsonError as error:
            yield BadRecord(number, str(error))
            continue
        if isinstance(value, dict):
            yield Record(number, text, value)
        else:
            yield BadRecord(number, f"not an object but {_KINDS[type(value)]}")


_KINDS: Final[dict[type, str]] = {
    list: "a list",
    str: "text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


class JsonlFile:
    """A file of JSON lines, opened for reading: plain, compressed with gzip, or standard input as ``-``.

    Compression is known by the first bytes; a name that ends in ``.gz`` demands it. Iterating gives `Record`
    and `BadRecord` objects once, in order, and holds one line at a time.

    Opening raises `InputError` when the file is missing, a directory or unreadable, and iterating when
    reading fails, or compressed data is damaged or cut short.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._raw = self._open(name)
        try:
            self._stream = self._decoded()
        except InputError:
            self._raw.close()
            raise

    @staticmethod
    def _open(name: str) -> io.BufferedReader:
        if name == STDIN:
            return _standard_input()
        path = Path(name)
        if path.is_dir():
            raise InputError(f"{name} is a directory, not a file")
        try:
            return path.open("rb")
        except OSError as error:
            raise InputError(f"cannot read {name}: {why(error)}") from error

    def _decoded(self) -> io.BufferedReader:
        demanded = self.name.endswith(".gz")
        try:
            start = self._raw.peek(2)[:2]
        except OSError as error:
            raise InputError(f"cannot read {self.label}: {why(error)}") from error
        if start == _GZIP:
            return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=self._raw)), BUFFER)
        if demanded and start:
            raise InputError(f"{self.name} is not compressed with gzip, as its name says")
        return self._raw

    @property
    def label(self) -> str:
        """Its name in messages."""
        return "standard input" if self.name == STDIN else self.name

    @property
    def size(self) -> int | None:
        """The size of the file on disk in bytes; None where that cannot be known, as for a pipe."""
        status = self.status
        return status.st_size if status is not None and status.st_size else None

    @property
    def status(self) -> os.stat_result | None:
        """The operating system's status of the open file; None for a stream that is no file."""
        try:
            return os.fstat(self._raw.fileno())
        except (OSError, ValueError):
            return None

    @property
    def position(self) -> int:
        """The bytes of the file on disk that were read so far."""
        try:
            return self._raw.tell()
        except (OSError, ValueError):
            return 0

    def __iter__(self) -> Iterator[Record | BadRecord]:
        return read_records(self._lines())

    def _lines(self) -> Iterator[bytes]:
        try:
            yield from self._stream
        except EOFError:
            raise InputError(f"{self.label} is cut short: the compressed data has no end") from None
        except (gzip.BadGzipFile, zlib.error):
            raise InputError(f"{self.label} is damaged: the compressed data cannot be read") from None
        except OSError as error:
            raise InputError(f"cannot read {self.label}: {why(error)}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.name != STDIN:
            self._raw.close()


def _standard_input() -> io.BufferedReader:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    stream = sys.stdin.buffer
    return (
        stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", stream))
    )
