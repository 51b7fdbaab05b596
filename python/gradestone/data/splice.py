"""Rows with their verdicts: each row's own JSON text, untouched, with one more member a grader at its end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gradestone.backends import native_rows, wording
from gradestone.codes import CODE_NAMES, CODES
from gradestone.data.blocks import BadRow, Unit
from gradestone.data.strict_json import json_text, whole_text
from gradestone.registry import load_registry
from gradestone.verdict import GradeBatch
from gradestone.wording import Phrases

if TYPE_CHECKING:
    from gradestone._core import Wording
    from gradestone.backends import Graded

RESERVED: Final = ("file", "line", "row", "error")
"""Members of an unreadable row's output; no grader may be called so."""

UNREADABLE: Final = CODES["unreadable_row"]
"""The verdict on a row that could not be read."""


class Place(NamedTuple):
    """Where rows come from, as an output tells it."""

    unit: Unit
    file: str | None
    """The file's name where there are several."""

    def reason(self, row: BadRow) -> str:
        """Return the reason of an unreadable row's verdict.

        >>> Place("line", "a.csv").reason(BadRow(0, 7, "1 cell, the header has 2"))
        'a.csv: line 7 could not be read: 1 cell, the header has 2'
        """
        file = "" if self.file is None else f"{self.file}: "
        return f"{file}{self.unit} {row.line} could not be read: {row.error}"


class Wordings:
    """How each grader's verdicts are put into words by the extension, made once for many blocks.

    ``plain`` is for columns of text, else they are written as members of JSON objects.
    """

    def __init__(self, *, plain: bool = False) -> None:
        self._plain = plain
        self._quoted = _utf8 if plain else json_text
        self._known: dict[str, tuple[Phrases, Wording]] = {}

    def verdicts(self, name: str, batch: GradeBatch) -> Graded:
        """Return a grader's verdicts on a block as the extension's writers take them."""
        verdicts = batch.verdicts
        decided = verdicts.decided
        rows = None if decided is None else native_rows(decided.rows)
        codes, scores = bytes(verdicts.codes), bytes(verdicts.scores)
        if decided is None or rows is None:
            told = self._told if self._plain or _comes_out_the_same(batch.grader) else self._told_in_full
            reasons = {row: told(*verdicts.explain(row)) for row in range(len(batch))}
            return self._wording(name, _UNSPOKEN), codes, scores, None, reasons
        own = {row: self._quoted(verdict.reason) for row, verdict in decided.own.items()}
        return self._wording(name, decided.phrases), codes, scores, rows, own

    def _told(self, reason: str, _metadata: dict[str, Any]) -> bytes:
        return self._quoted(reason)

    def _told_in_full(self, reason: str, metadata: dict[str, Any]) -> bytes:
        """A reason and the circumstances of the verdict."""
        quoted = self._quoted(reason)
        return b'%b,"metadata":%b' % (quoted, json.dumps(metadata).encode()) if metadata else quoted

    def _wording(self, name: str, phrases: Phrases) -> Wording:
        known = self._known.get(name)
        if known is None or known[0] is not phrases:
            frames = [(b"", b"")] * len(CODE_NAMES) if self._plain else _frames(name)
            words = wording(frames, phrases, self._quoted, 0 if self._plain else 1)
            known = self._known[name] = phrases, words
        return known[1]


def _comes_out_the_same(type_: str) -> bool:
    """Whether a grader's verdict is the same whenever it is asked."""
    entry = load_registry().get(type_)
    return entry is None or entry.deterministic


_UNSPOKEN: Final = Phrases()
"""Of a grader whose reasons all come from Python."""


def _utf8(text: str) -> bytes:
    return whole_text(text).encode()


def _frames(name: str) -> list[tuple[bytes, bytes]]:
    """Return what stands before the score and behind it, by the number of the code."""
    quoted = json_text(name)
    return [
        (
            b'%b:{"passed":%b,"score":' % (quoted, b"true" if code.outcome == "pass" else b"false"),
            b',"outcome":"%b","code":"%b","reason":' % (code.outcome.encode(), code.slug.encode()),
        )
        for code in (CODES[slug] for slug in CODE_NAMES)
    ]


def unreadable_line(row: BadRow, place: Place, names: Sequence[str]) -> bytes:
    """Return the output for a row that could not be read: its place, the cause, and a verdict a grader."""
    verdict = {
        "passed": False,
        "score": 0.0,
        "outcome": UNREADABLE.outcome.value,
        "code": UNREADABLE.slug,
        "reason": place.reason(row),
    }
    told: dict[str, object] = {place.unit: row.line, "error": row.error}
    if place.file is not None:
        told = {"file": place.file} | told
    return json_text(told | dict.fromkeys(names, verdict)) + b"\n"
