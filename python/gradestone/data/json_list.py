"""A JSON document: one list of objects, read as a stream and as strictly as JSON lines.

The list is taken apart by its brackets and quotes, and each member is read by itself. So a member that is no
object, repeats a key or holds NaN is one unreadable row and no more. What leaves it uncertain which members
there are ends the reading: whatever is against the grammar of JSON, text behind the list, an end before the
end. Memory is bounded by the longest member, which has 256 MiB at most.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final, NoReturn

from gradestone.data.blocks import Unit
from gradestone.data.errors import InputError
from gradestone.data.jsonl import BadRecord, JsonRows, Record, read_record
from gradestone.data.streams import BOM, MAX_LINE, ByteStream
from gradestone.data.strict_json import JsonError, JsonSyntaxError, read_json

_SPACE: Final = b" \t\r\n"
_CHUNK: Final = 1 << 20

# What stands between brackets: strings as wholes, so that brackets inside them do not count. Neither part
# can give back what it took, so the time is linear.
_INSIDE: Final = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_SCALAR: Final = re.compile(rb'(?:[^"\[\]{},]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)

_CLOSING: Final = {ord("["): ord("]"), ord("{"): ord("}")}


class JsonFile(JsonRows):
    """A file that holds one JSON list of objects; its rows are counted from 1.

    An empty file has no rows. Raises `InputError` as `ByteStream` does, and while reading where the document
    is no list or cannot be taken apart.
    """

    unit: Unit = "row"

    def __init__(self, name: str, *, reserved: Collection[str] = ()) -> None:
        stream = ByteStream(name)
        super().__init__(stream, _Members(stream).records(), reserved)


class _Members:
    """Takes a list apart: a buffer of its text, and a place in it."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._text = b""
        self._at = 0
        self._start = 0
        self._row = 0
        self._ended = False

    def records(self) -> Iterator[Record | BadRecord]:
        self._more()
        self._text = self._text.removeprefix(BOM)
        first = self._next_character()
        if first is None:
            return
        if first != ord("["):
            self._refuse_document(first)
        self._at += 1
        if self._next_character() == ord("]"):
            self._at += 1
        else:
            yield from self._members()
        if self._next_character() is not None:
            raise InputError(f"{self._stream.label} goes on behind the end of its list")

    def _members(self) -> Iterator[Record | BadRecord]:
        while True:
            self._row += 1
            self._start = self._at
            self._skip_member()
            member = self._text[self._start : self._at].strip(_SPACE)
            if not member:
                self._fail("has nothing before its comma, or behind the last one")
            yield self._record(member)
            ending = self._next_character()
            if ending not in (ord(","), ord("]")):
                self._fail("is not followed by a comma or by the end of the list")
            self._at += 1
            if ending == ord("]"):
                return
            self._next_character()

    def _record(self, member: bytes) -> Record | BadRecord:
        record = read_record(self._row, member)
        if isinstance(record, BadRecord):
            # A quote too many may have swallowed the rows that follow.
            self._check_syntax(member)
        return record

    def _check_syntax(self, member: bytes) -> None:
        try:
            read_json(member)
        except JsonSyntaxError as error:
            self._fail(f"is {error}")
        except JsonError:
            return

    def _skip_member(self) -> None:
        """Go behind the member that begins here: to where its brackets are closed, or to a comma or bracket."""
        if self._next_character() not in _CLOSING:
            self._skip(_SCALAR)
            return
        awaited = bytearray()
        while True:
            character = self._text[self._at]
            if character in _CLOSING:
                awaited.append(_CLOSING[character])
            elif character != awaited.pop():
                self._fail("closes a bracket that it did not open")
            self._at += 1
            if not awaited:
                return
            self._skip(_INSIDE)

    def _skip(self, pattern: re.Pattern[bytes]) -> None:
        """Go to the next character that the pattern does not take; there must be one."""
        while True:
            match = pattern.match(self._text, self._at)
            assert match is not None  # it takes nothing as well
            self._at = match.end()
            # A quote here opens a string whose end is not in the buffer yet.
            if self._at < len(self._text) and self._text[self._at] != ord('"'):
                return
            if not self._more():
                self._fail("is cut short: the file ends inside it")

    def _next_character(self) -> int | None:
        """Pass over whitespace and return what stands there; None at the end of the file."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return None

    def _more(self) -> bool:
        """Read on, dropping what lies before the current member; False at the end of the file."""
        if self._ended:
            return False
        kept = self._text[self._start :]
        if len(kept) > MAX_LINE:
            self._fail(f"is longer than {MAX_LINE >> 20} MiB")
        # A string that is not complete is looked at again: at least doubling keeps the time linear.
        chunk = self._stream.read(max(_CHUNK, len(kept)))
        self._at -= self._start
        self._start = 0
        self._text = kept + chunk
        self._ended = not chunk
        return bool(chunk)

    def _fail(self, fault: str) -> NoReturn:
        raise InputError(f"{self._stream.label}: row {self._row} {fault}")

    def _refuse_document(self, first: int) -> NoReturn:
        label = self._stream.label
        if first == ord("{"):
            raise InputError(
                f"{label} must hold one list of objects, and begins with an object; "
                "a file with one object a line is JSON Lines, format jsonl"
            )
        raise InputError(f"{label} must hold one list of objects, [{{…}}, {{…}}]")
