"""Rows with their verdicts: each row's own JSON text, untouched, with one more member a grader at its end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from gradestone.codes import CODES
from gradestone.data.jsonl import BadRecord
from gradestone.verdict import GradeBatch

RESERVED: Final = ("line", "error")
"""Members of an unreadable row's output; no grader may be called so."""

_REMEMBERED: Final = 4096
"""Reasons kept in their JSON form. Most rows share a few, but one with a figure in it is always new."""


def verdict_members(name: str, batch: GradeBatch) -> list[bytes]:
    """Return the member that a grader adds to each row of a batch, ``"NAME":{"passed":…,"score":…,…}``.

    >>> from gradestone import grade_batch
    >>> batch = grade_batch({"type": "contains", "fragments": ["a"]}, ["abc"])
    >>> verdict_members("has_a", batch)
    [b'"has_a":{"passed":true,"score":1.0,"outcome":"pass","code":"ok","reason":"passed"}']
    """
    fronts = _fronts(name)
    reasons: dict[str, bytes] = {}
    members = []
    for code, score, reason in zip(batch.code.tolist(), batch.score.tolist(), batch.reasons, strict=True):
        quoted = reasons.get(reason)
        if quoted is None:
            if len(reasons) >= _REMEMBERED:
                reasons.clear()
            quoted = reasons[reason] = json_text(reason)
        front, middle = fronts[code]
        members.append(b"%b%b%b%b}" % (front, repr(score).encode(), middle, quoted))
    return members


def _fronts(name: str) -> dict[str, tuple[bytes, bytes]]:
    """Return what stands before the score and behind it, by code."""
    quoted = json_text(name)
    return {
        code.slug: (
            b'%b:{"passed":%b,"score":' % (quoted, b"true" if code.outcome == "pass" else b"false"),
            b',"outcome":"%b","code":"%b","reason":' % (code.outcome.encode(), code.slug.encode()),
        )
        for code in CODES.values()
    }


def graded_lines(texts: Sequence[bytes], members: Mapping[str, Sequence[bytes]]) -> Iterator[bytes]:
    """Give the rows' own texts, each with the members of its verdicts."""
    for text, *added in zip(texts, *members.values(), strict=True):
        front = text[:-1].rstrip()
        separator = b"" if front == b"{" else b","
        yield front + separator + b",".join(added) + b"}\n"


def unreadable_line(record: BadRecord, names: Sequence[str]) -> bytes:
    """Return the output for a row that could not be read: its line, the cause, and a verdict a grader."""
    verdict = {
        "passed": False,
        "score": 0.0,
        "outcome": CODES["unreadable_row"].outcome.value,
        "code": "unreadable_row",
        "reason": f"line {record.line} could not be read: {record.error}",
    }
    return json_text({"line": record.line, "error": record.error} | dict.fromkeys(names, verdict)) + b"\n"


def json_text(value: object) -> bytes:
    """Return a value as JSON in UTF-8; lone surrogates, which UTF-8 has no form for, as escapes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Python's backslash form of a lone surrogate, \udxxx, is JSON's as well.
    return text.encode("utf-8", "backslashreplace")
