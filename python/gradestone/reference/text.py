"""Text as the graders see it: whitespace, trimming and lowercasing, each pinned.

A character is a code point, and a lone surrogate is one like any other: neither whitespace, nor cased, nor
case-ignorable. No function here consults the locale or ``str.isspace``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from .unicode17 import CASE_ROLES, LOWERCASE, CaseRole

PINNED_WHITESPACE: Final = " \t\n\r\f\v"
"""The only whitespace of tokens, contexts and detectors; U+00A0, U+0085, U+2028… are ordinary characters."""

ECMASCRIPT_WHITESPACE: Final = (
    " \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What ECMAScript's ``trim`` takes off: white space and line terminators, not U+0085, not U+001C–U+001F."""

_LISTED: Final = re.compile("[" + "".join(map(chr, LOWERCASE)) + "]")


def trim(text: str) -> str:
    r"""Drop ECMAScript white space and line terminators from both ends.

    >>> trim("\ufeff\u00a0 a b \u2028")
    'a b'
    >>> trim("\x85a\x1c")
    '\x85a\x1c'
    """
    return text.strip(ECMASCRIPT_WHITESPACE)


def is_blank(text: str) -> bool:
    r"""Whether nothing is left of a text after ``trim``.

    >>> is_blank("\u3000\n"), is_blank("\x85")
    (True, False)
    """
    return not trim(text)


def lower(text: str) -> str:
    r"""Lowercase by the full mapping of Unicode 17, with the final-sigma rule, under any supported CPython.

    The same as Rust's ``str::to_lowercase`` (rustc 1.95) and, on equal tables, JavaScript's ``toLowerCase``.
    Linear in the text. The mappings that CPython's own tables may lack are listed in ``unicode17``.

    >>> lower("\u212aelvin ΟΔΟΣ ΣΑΣ")
    'kelvin οδος σας'
    >>> [f"{ord(character):04x}" for character in lower("\u0130\ua7dc")]
    ['0069', '0307', '019b']
    """
    first, *rest = text.split("Σ")
    lowered = [_lower_without_sigma(first)]
    before = first
    for index, after in enumerate(rest, 1):
        # Beyond a piece that is all case-ignorable lies another sigma, which is cased, or nothing.
        preceded = _meets_cased(reversed(before), beyond=index > 1)
        followed = _meets_cased(after, beyond=index < len(rest))
        lowered += ("ς" if preceded and not followed else "σ", _lower_without_sigma(after))
        before = after
    return "".join(lowered)


def _lower_without_sigma(text: str) -> str:
    if _LISTED.search(text):
        text = text.translate(LOWERCASE)
    return text.lower()


def _meets_cased(characters: Iterable[str], *, beyond: bool) -> bool:
    """Whether the first character that is not case-ignorable is cased; ``beyond`` if there is none."""
    for character in characters:
        role = case_role(character)
        if role is not CaseRole.IGNORABLE:
            return role is CaseRole.CASED
    return beyond


@lru_cache(maxsize=4096)
def case_role(character: str) -> CaseRole:
    """Return what a character is to the final-sigma rule, in Unicode 17.

    CPython does not publish the properties Cased and Case_Ignorable, but its own lowercasing shows them: it
    makes a sigma final after a cased character, looking past case-ignorable ones.

    >>> case_role("a"), case_role("'"), case_role("1")
    (<CaseRole.CASED: 'cased'>, <CaseRole.IGNORABLE: 'case-ignorable'>, <CaseRole.NEITHER: 'neither'>)
    """
    if character in CASE_ROLES:
        return CASE_ROLES[character]
    if (character + "Σ").lower().endswith("ς"):
        return CaseRole.CASED
    if ("a" + character + "Σ").lower().endswith("ς"):
        return CaseRole.IGNORABLE
    return CaseRole.NEITHER
