"""A pattern's meaning in the spelling of the linear engine, Rust's ``regex`` crate, where it has one.

The crate is built without Unicode tables and searches the bytes of UTF-8 text with Unicode mode on, so a
class matches whole code points. A pattern whose program is too large for an engine that cannot be stopped is
refused there, by the kernel, which alone knows the size.
"""

from __future__ import annotations

from typing import Final

from gradestone.graders.patterns.characters import BUT_NEWLINE, EVERYTHING, Ranges, characters, merge
from gradestone.graders.patterns.nodes import (
    Anchor,
    Branch,
    Chars,
    Group,
    Meaning,
    Node,
    Repeat,
    Sequence,
)

_SURROGATES: Final = (0xD800, 0xDFFF)

_ANCHORS: Final = {
    Anchor.TEXT_START: r"\A",
    Anchor.TEXT_END: r"\z",
    Anchor.LINE_START: r"(?m:^)",
    Anchor.LINE_END: r"(?m:$)",
    Anchor.WORD_EDGE: r"(?-u:\b)",
}


class _OutsideError(Exception):
    """The pattern is outside the subset that both engines read alike."""


def to_rust(meaning: Meaning) -> str | None:
    r"""Write the pattern for the crate; None when it is outside the subset.

    Outside are: look-around, atomic groups and possessive repeats, references and conditions, ``\B``, any
    pattern with ``(?u:...)``, a ``$`` that something may follow, and lone surrogates.
    """
    if meaning.referenced or meaning.unicode:
        return None
    try:
        return _write(meaning.root, last=True)
    except _OutsideError:
        return None


def _write(node: Node, *, last: bool) -> str:
    # ``last``: nothing of the pattern can follow the node.
    match node:
        case Chars(ranges):
            text = characters(_scalar_values(ranges), _code_point)
        case Anchor.TEXT_END_OR_LAST_NEWLINE if last:
            # Only whether there is a match counts, so the newline may be taken.
            text = r"\n?\z"
        case Anchor() if node in _ANCHORS:
            text = _ANCHORS[node]
        case Sequence(items):
            final = len(items) - 1
            text = "".join(_write(item, last=last and place == final) for place, item in enumerate(items))
        case Branch(arms):
            text = f"(?:{'|'.join(_write(arm, last=last) for arm in arms)})"
        case Repeat(suffix="" | "?", body=body):
            text = f"(?:{_write(body, last=False)}){node.quantifier}"
        case Group(body=body):
            text = _write(body, last=last)
        case _:
            raise _OutsideError
    return text


def _scalar_values(ranges: Ranges) -> Ranges:
    if ranges in (EVERYTHING, BUT_NEWLINE):
        return ranges
    first, final = _SURROGATES
    below = ((low, min(high, first - 1)) for low, high in ranges)
    above = ((max(low, final + 1), high) for low, high in ranges)
    kept = merge((low, high) for low, high in (*below, *above) if low <= high)
    if not kept:
        raise _OutsideError
    return kept


def _code_point(code: int) -> str:
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\x{{{code:x}}}"
