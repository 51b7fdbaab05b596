"""What a judge's reply says. Nothing is guessed: a reply without a plain verdict has none.

Reasoning blocks are dropped first, so that a draft in them is no verdict. Line ends of every kind become LF. In the
replies that have a keyword (``SCORE:``, ``CATEGORY:``, ``WINNER:``, ``MATCH:``) the first line that matches wins. The
keyword's case counts and the token's does not; only pinned whitespace may stand around them, so a line in bold, in
quotes or in a list is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from gradestone.options.checks import label_key

_LINE_ENDS: Final = re.compile("\r\n|[\r\u2028\u2029]")
_THINKING: Final = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE | re.ASCII)

_SPACE: Final = "[ \\t\\f\\v]*"
"""Pinned whitespace within a line."""


class Found(NamedTuple):
    """The verdict of a reply."""

    value: Any
    conflicting: bool = False
    """Whether another line says something else."""


def without_reasoning(reply: str) -> str | None:
    """The reply without its reasoning blocks; None where one is not closed: what follows may be a draft.

    A block that is closed and was never opened began with the reply: templates of some models open it in the prompt.

    >>> without_reasoning("<think>PASS?</think>FAIL"), without_reasoning("<think>PASS")
    ('FAIL', None)
    """
    kept: list[str] = []
    depth, at = 0, 0
    for tag in _THINKING.finditer(reply):
        if depth == 0:
            kept.append(reply[at : tag.start()])
        if not tag[1]:
            depth += 1
        elif depth == 0:
            kept.clear()
        else:
            depth -= 1
        at = tag.end()
    if depth:
        return None
    return "".join([*kept, reply[at:]])


def _lines(reply: str) -> list[str]:
    text = without_reasoning(reply)
    return [] if text is None else _LINE_ENDS.sub("\n", text).split("\n")


def _read(
    reply: str,
    pattern: re.Pattern[str],
    value: Callable[[str], Any],
    key: Callable[[Any], object] = lambda value: value,
) -> Found | None:
    """The value of the first line that matches; others conflict with it where their keys differ."""
    values = [value(match[1]) for line in _lines(reply) if (match := pattern.fullmatch(line)) is not None]
    if not values:
        return None
    return Found(values[0], len(set(map(key, values))) > 1)


_SCORE: Final = re.compile(f"{_SPACE}SCORE:{_SPACE}([0-9]+(?:\\.[0-9]+)?){_SPACE}")
_CATEGORY: Final = re.compile(f"{_SPACE}CATEGORY:{_SPACE}([^ \\t\\f\\v](?:.*[^ \\t\\f\\v])?){_SPACE}")
_WINNER: Final = re.compile(f"{_SPACE}WINNER:{_SPACE}([Aa]|[Bb]|[Tt][Ii][Ee]){_SPACE}")
_MATCH: Final = re.compile(f"{_SPACE}MATCH:{_SPACE}([Yy][Ee][Ss]|[Nn][Oo]){_SPACE}")


def read_score(reply: str) -> Found | None:
    r"""The number of the first line ``SCORE: <digits[.digits]>``; it may be out of range.

    >>> read_score("Good.\nSCORE: 0.9")
    Found(value=0.9, conflicting=False)
    """
    return _read(reply, _SCORE, float)


def read_category(reply: str) -> Found | None:
    """The label of the first line ``CATEGORY: <label>``, without outer pinned whitespace."""
    return _read(reply, _CATEGORY, str, label_key)


def read_winner(reply: str) -> Found | None:
    """``A``, ``B`` or ``TIE`` of the first line ``WINNER: …``."""
    return _read(reply, _WINNER, str.upper)


def read_match(reply: str) -> Found | None:
    """Whether the first line ``MATCH: …`` says YES."""
    return _read(reply, _MATCH, lambda word: word.upper() == "YES")


_DECORATION: Final = " \t\f\v*_`#>\"'-"
_BARE: Final = re.compile(r"(?:(?:final )?verdict ?: ?)?(pass|fail)[.!]?", re.IGNORECASE | re.ASCII)
_START: Final = re.compile(r"(PASS|FAIL)(?![\w\u0300-\u036f])(.*)", re.DOTALL)
_OTHER_WORD: Final = {
    "PASS": re.compile(r"\b(?:FAIL|FAILS|FAILED|FAILING)\b", re.IGNORECASE),
    "FAIL": re.compile(r"\b(?:PASS|PASSES|PASSED|PASSING)\b", re.IGNORECASE),
}
_NEGATED: Final = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|without|unless|if|or|would|could|should|might|may|is|was)\b|n['\u2019]t\b|[?\uff1f]",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\W*(?:not\b|(?:no|nope|never|wrong|just kidding)\W*(?:$|[.!,;:]))", re.IGNORECASE
)


def read_verdict(reply: str) -> Found | None:
    """Whether the reply says PASS.

    A verdict line is nothing but the word, markdown and a label ``verdict:`` aside; the first line may also begin
    with the word in capitals and go on. There it must not be negated or put as a question in its clause, nor stand
    beside the other word. Verdict lines that differ are no verdict.

    >>> read_verdict("**PASS**").value, read_verdict("I cannot PASS this."), read_verdict("PASS or FAIL? FAIL")
    (True, None, None)
    """
    lines = [line for line in _lines(reply) if line.strip(_DECORATION)]
    found = list(_verdicts(lines))
    if not found or None in found or len({*found, *_begun(lines[1:])}) > 1:
        return None
    return Found(found[0] == "PASS")


def _verdicts(lines: list[str]) -> Iterator[str | None]:
    """The word of each verdict line; None for a first line that begins with one and takes it back."""
    for number, line in enumerate(lines):
        bare = _BARE.fullmatch(re.sub(r"[*_`]", "", line).strip(_DECORATION))
        if bare is not None:
            yield bare[1].upper()
        elif number == 0 and (start := _START.match(line.lstrip(_DECORATION))) is not None:
            yield None if _is_taken_back(start[1], start[2]) else start[1]


_BEGUN: Final = re.compile(r"(PASS|FAIL)[ \t]*[:;,.!\u2013\u2014-]")


def _begun(lines: list[str]) -> Iterator[str]:
    """The words that further lines begin with and go on from: they make no verdict, but they contradict another one."""
    for line in lines:
        start = _BEGUN.match(re.sub(r"[*_`]", "", line).lstrip(_DECORATION))
        if start is not None:
            yield start[1]


_CLAUSE_END: Final = re.compile(r"[.;:,!\u2013\u2014(\n]| - |-{2,}")


def _is_taken_back(word: str, rest: str) -> bool:
    rest = rest.replace("_", " ")  # markdown, but part of a word to a pattern
    if _OTHER_WORD[word].search(rest):
        return True
    rest = rest.lstrip("*_`~\"'")
    end = _CLAUSE_END.search(rest)
    clause, behind = (rest, "") if end is None else (rest[: end.start()], rest[end.end() :])
    return _NEGATED.search(clause) is not None or _DENIED.match(behind) is not None
