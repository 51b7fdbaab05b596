"""Blocked terms, found as whole words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .row import Row, plain
from .text import lower

_WORD_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def blocklist(candidate: str, terms: Sequence[str]) -> Row:
    """Grade one text: passes when no term occurs in it on its own.

    Text and terms are lowercased. A term hits where neither neighbour is in ``[a-z0-9]``; the term itself may
    hold anything. Every term is judged by itself, so a term inside a longer one that hits may hit as well.

    Codes: ``ok``, ``blocked_term``. ``hits``: the indices of the terms that hit, ascending; a term that is
    repeated exactly counts at its first place alone. Linear in the text for each term, times the length of
    the term where the text repeats it overlapping and beside letters.

    >>> blocklist("C++ is hell, hello", ["hell", "c", "C++", "ell"])
    Row(code='blocked_term', score=0.0, stats=(0, 0, 0, 0, 0, 0), hits=(0, 1, 2))
    >>> blocklist("skills", ["kill"]).code
    'ok'
    """
    text = lower(candidate)
    hits = tuple(terms.index(term) for term in dict.fromkeys(terms) if stands_alone(text, lower(term)))
    return plain("blocked_term" if hits else "ok", hits)


def stands_alone(text: str, term: str) -> bool:
    """Whether a term that is not empty occurs without ``[a-z0-9]`` beside it; both sides are lowercase.

    >>> stands_alone("unkilled, kill!", "kill"), stands_alone("skills", "kill")
    (True, False)
    """
    start = text.find(term)
    while start >= 0:
        end = start + len(term)
        before, after = text[max(start - 1, 0) : start], text[end : end + 1]
        if before not in _WORD_CHARACTERS and after not in _WORD_CHARACTERS:
            return True
        start = text.find(term, start + 1)
    return False
