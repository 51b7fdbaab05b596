"""The pinned tokenizer, and the checks that every grader of token pairs makes before it scores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from .limits import MAX_TOKENS
from .text import PINNED_WHITESPACE, is_blank, lower

_TOKEN: Final = re.compile(f"[a-z0-9]+|[^{PINNED_WHITESPACE}]")


def tokens(text: str, limit: int | None = None) -> list[str]:
    r"""Split a text into pinned tokens, or into the first ``limit`` of them.

    The text is lowercased; then each maximal run of ``[a-z0-9]`` is a token, and so is every other code point
    outside the pinned whitespace (space, tab, LF, CR, FF, VT). Linear in the text.

    >>> tokens("Don't stop\u00a0at 3.5 °K")
    ['don', "'", 't', 'stop', '\xa0', 'at', '3', '.', '5', '°', 'k']
    >>> tokens("one two three", 2)
    ['one', 'two']
    >>> tokens(" \t\r\n")
    []
    """
    return [match.group() for match in islice(_TOKEN.finditer(lower(text)), limit)]


def capped_tokens(text: str) -> list[str]:
    """Return the tokens of a text up to one past ``MAX_TOKENS``: enough to see that they are too many.

    >>> len(capped_tokens("a " * 10_000))
    4097
    """
    return tokens(text, MAX_TOKENS + 1)


def refusal(reference: str, candidate_tokens: Sequence[str], reference_tokens: Sequence[str]) -> str | None:
    r"""Return the code for which a pair cannot be scored, or None; the first that applies, in this order.

    ``empty_reference``: the reference is blank by ECMAScript trim (a lone U+00A0 is, although it is a token)
    or has no tokens. ``empty_candidate``: the candidate has no tokens. ``over_cap``: either has over
    ``MAX_TOKENS``.

    >>> refusal("\u00a0", ["a"], ["\u00a0"]), refusal("a", [], ["a"]), refusal("a", ["b"], ["a"])
    ('empty_reference', 'empty_candidate', None)
    """
    if is_blank(reference) or not reference_tokens:
        return "empty_reference"
    if not candidate_tokens:
        return "empty_candidate"
    if max(len(candidate_tokens), len(reference_tokens)) > MAX_TOKENS:
        return "over_cap"
    return None
