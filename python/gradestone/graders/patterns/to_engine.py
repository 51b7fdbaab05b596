"""A pattern's meaning in the spelling of the engine that can be stopped, the ``regex`` package.

Nothing of the user's text is copied: every character is written as a code point and every other construct
anew, so what the package knows beyond ``re`` (fuzzy matching, set operations, recursion, named lists) is out
of reach of a pattern.
"""

from __future__ import annotations

from typing import Final

from gradestone.graders.patterns.characters import characters
from gradestone.graders.patterns.nodes import (
    Anchor,
    Atomic,
    Branch,
    Chars,
    Condition,
    Group,
    Look,
    Meaning,
    Node,
    Reference,
    Repeat,
    Sequence,
)

_ASCII_WORD: Final = "[0-9A-Z_a-z]"
_UNICODE_WORD: Final = r"[_\p{L}\p{N}]"

# CPython before 3.14 finds no \B in the empty text, later ones do: one meaning on every version.
_NOT_EMPTY: Final = r"(?!\A\Z)"

_QUICK_RANGES: Final = 8
"""Ranges of a class that may be repeated as a single character, see `_repeatable`."""

_ANCHORS: Final = {
    Anchor.TEXT_START: r"\A",
    Anchor.TEXT_END: r"\Z",
    Anchor.TEXT_END_OR_LAST_NEWLINE: r"(?=\n?\Z)",
    Anchor.LINE_START: r"(?m:^)",
    Anchor.LINE_END: r"(?m:$)",
    Anchor.WORD_EDGE: r"\b",
    Anchor.NO_WORD_EDGE: rf"{_NOT_EMPTY}\B",
}


def to_engine(meaning: Meaning) -> str:
    """Write the pattern for version 0 of the package, with every flag that it needs inside."""
    return _Writer(meaning).pattern()


class _Writer:
    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning

    def pattern(self) -> str:
        # The package knows the ASCII flag for whole patterns only. Code points need none, but the edges of
        # words and references that ignore case do; the categories of (?u:...) need it off.
        flags = "(?u)" if self.meaning.unicode else "(?a)"
        return flags + self.write(self.meaning.root)

    def write(self, node: Node) -> str:
        match node:
            case Anchor():
                text = self.anchor(node)
            case Chars():
                text = _one_of(node)
            case Sequence(items):
                text = "".join(map(self.write, items))
            case Branch(arms):
                text = f"(?:{'|'.join(map(self.write, arms))})"
            case Repeat(body=Sequence((Chars() as one,))):
                text = _repeatable(one) + node.quantifier
            case Repeat(body=body):
                text = f"(?:{self.write(body)}){node.quantifier}"
            case Group(number, body) if number in self.meaning.referenced:
                text = f"(?P<g{number}>{self.write(body)})"
            case Group(body=body):
                text = self.write(body)
            case Look(opening, body):
                text = f"{opening}{self.write(body)})"
            case Atomic(body):
                text = f"(?>{self.write(body)})"
            case Reference(number, folded):
                text = f"(?i:(?P=g{number}))" if folded else f"(?P=g{number})"
            case Condition(number, yes, no):
                text = f"(?(g{number}){self.write(yes)}|{self.write(no)})"
        return text

    def anchor(self, anchor: Anchor) -> str:
        match anchor:
            case Anchor.UNICODE_WORD_EDGE:
                return _edge(_UNICODE_WORD)
            case Anchor.NO_UNICODE_WORD_EDGE:
                return _no_edge(_UNICODE_WORD)
            case Anchor.WORD_EDGE if self.meaning.unicode:
                return _edge(_ASCII_WORD)
            case Anchor.NO_WORD_EDGE if self.meaning.unicode:
                return _no_edge(_ASCII_WORD)
            case _:
                return _ANCHORS[anchor]


def _one_of(chars: Chars) -> str:
    if not chars.ranges and not chars.categories:
        return "(?!)"
    return characters(chars.ranges, _code_point, chars.categories)


def _repeatable(chars: Chars) -> str:
    # The package runs through all repeats of a single character before it looks at the clock again. That is
    # too long where each costs a walk through a large class; as an atomic group each one counts as a step.
    if chars.categories or not 0 < len(chars.ranges) <= _QUICK_RANGES:
        return f"(?:(?>{_one_of(chars)}))"
    return _one_of(chars)


def _edge(word: str) -> str:
    return f"(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"


def _no_edge(word: str) -> str:
    return f"{_NOT_EMPTY}(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"


def _code_point(code: int) -> str:
    char = chr(code)
    if char.isascii() and char.isalnum():
        return char
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
