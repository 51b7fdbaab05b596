"""From a pattern's text to its meaning, by way of CPython's own parser."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Final

from gradestone.graders.patterns.characters import (
    ASCII_CATEGORIES,
    BUT_NEWLINE,
    EVERYTHING,
    UNICODE_CATEGORIES,
    Ranges,
    complement,
    fold_ascii,
    fold_unicode,
    merge,
)
from gradestone.graders.patterns.fault import MAX_STEPS, PatternFault, does_not_compile
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
    parts,
)
from gradestone.graders.patterns.scan import Scanned, scan

# Private to CPython and the same on every version since 3.11. The dialect is what this parser accepts, so a
# grammar of our own could only be a second opinion; its tree also leaves the engines nothing to misread.
_parser: Final[Any] = import_module("re._parser")

_Tree = Any

_MAX_LOOK_BEHIND: Final = 0xFFFF_FFFF
_TYPE_FLAGS: Final = int(re.ASCII | re.UNICODE)
_SUFFIXES: Final = {"MAX_REPEAT": "", "MIN_REPEAT": "?", "POSSESSIVE_REPEAT": "+"}
_ANCHORS: Final = {
    "AT_BEGINNING": (Anchor.TEXT_START, Anchor.LINE_START),
    "AT_BEGINNING_STRING": (Anchor.TEXT_START, Anchor.TEXT_START),
    "AT_END": (Anchor.TEXT_END_OR_LAST_NEWLINE, Anchor.LINE_END),
    "AT_END_STRING": (Anchor.TEXT_END, Anchor.TEXT_END),
}
"""By CPython's name: without and with the multi-line flag."""
_EDGES: Final = {
    "AT_BOUNDARY": (Anchor.WORD_EDGE, Anchor.UNICODE_WORD_EDGE),
    "AT_NON_BOUNDARY": (Anchor.NO_WORD_EDGE, Anchor.NO_UNICODE_WORD_EDGE),
}
"""By CPython's name: under the ASCII flag and inside ``(?u:...)``."""
_NEVER: Final = Look("(?!", Sequence(()))
"""``(?!)``, which CPython calls a failure from 3.13 on, and an assertion before."""


def read(pattern: str) -> Meaning:
    """Read the meaning of a pattern under the ASCII flag.

    Raises ``PatternFault`` with the code ``over_cap``, ``unsafe_pattern`` or ``invalid_pattern``.
    """
    scanned = scan(pattern)
    meaning = _Reader().read(_parse(scanned))
    if _steps(meaning.root) > MAX_STEPS:
        raise PatternFault(
            "over_cap", f"counted repeats come to more than {MAX_STEPS} steps when written out"
        )
    return meaning


def _parse(scanned: Scanned) -> _Tree:
    try:
        return _parser.parse(scanned.text, re.ASCII)
    except re.error as error:
        position = None if error.pos is None else scanned.position(error.pos)
        raise does_not_compile(error.msg, position) from None
    except (ValueError, OverflowError) as error:
        raise does_not_compile(str(error)) from None


def _steps(node: Node) -> int:
    copies = node.low + 1 if isinstance(node, Repeat) else 1
    return 1 + copies * sum(map(_steps, parts(node)))


class _Reader:
    """Makes nodes of a parsed tree: ``_literal`` reads what the parser calls ``LITERAL``, and so on."""

    def __init__(self) -> None:
        self.referenced: set[int] = set()
        self.closed: set[int] = set()
        self.folded_reference = False
        self.unicode = False

    def read(self, tree: _Tree) -> Meaning:
        root = self._sequence(tree, tree.state.flags)
        if self.folded_reference and self.unicode:
            raise does_not_compile("a (?P=name) that ignores case cannot stand in a pattern with (?u:...)")
        return Meaning(root, frozenset(self.referenced), self.unicode)

    def _sequence(self, tree: _Tree, flags: int) -> Sequence:
        return Sequence(tuple(self._node(op.name, argument, flags) for op, argument in tree))

    def _node(self, name: str, argument: Any, flags: int) -> Node:
        if name in _SUFFIXES:
            return self._repeat(argument, _SUFFIXES[name], flags)
        read: Any = getattr(self, f"_{name.lower()}")
        node: Node = read(argument, flags)
        return node

    def _repeat(self, argument: _Tree, suffix: str, flags: int) -> Repeat:
        low, high, tree = argument
        bound = None if high == _parser.MAXREPEAT else high
        return Repeat(low, bound, suffix, self._sequence(tree, flags))

    def _literal(self, code: int, flags: int) -> Chars:
        return Chars(_folded(((code, code),), flags))

    def _not_literal(self, code: int, flags: int) -> Chars:
        return Chars(complement(_folded(((code, code),), flags)))

    def _any(self, _: None, flags: int) -> Chars:
        return Chars(EVERYTHING if flags & re.DOTALL else BUT_NEWLINE)

    def _in(self, items: _Tree, flags: int) -> Node:
        members = [(op.name, argument) for op, argument in items]
        spans = [(code, code) for name, code in members if name == "LITERAL"]
        spans += [span for name, span in members if name == "RANGE"]
        ranges = _folded(merge(spans), flags)
        categories = [category.name for name, category in members if name == "CATEGORY"]
        negated = members[0][0] == "NEGATE"
        if flags & re.UNICODE:
            return _unicode_set(ranges, categories, negated=negated)
        ranges = merge((*ranges, *(span for name in categories for span in ASCII_CATEGORIES[name])))
        return Chars(complement(ranges) if negated else ranges)

    def _at(self, place: Any, flags: int) -> Anchor:
        if place.name in _EDGES:
            return _EDGES[place.name][bool(flags & re.UNICODE)]
        return _ANCHORS[place.name][bool(flags & re.MULTILINE)]

    def _branch(self, argument: _Tree, flags: int) -> Branch:
        return Branch(tuple(self._sequence(arm, flags) for arm in argument[1]))

    def _subpattern(self, argument: _Tree, flags: int) -> Group | Sequence:
        number, added, removed, tree = argument
        if added & _TYPE_FLAGS:
            flags &= ~_TYPE_FLAGS
            self.unicode |= bool(added & re.UNICODE)
        flags = (flags | added) & ~removed
        if number is None:
            return self._sequence(tree, flags)
        body = self._sequence(tree, flags)
        self.closed.add(number)
        return Group(number, body)

    def _atomic_group(self, tree: _Tree, flags: int) -> Atomic:
        return Atomic(self._sequence(tree, flags))

    def _assert(self, argument: _Tree, flags: int) -> Look:
        direction, tree = argument
        return self._look(direction, "=", tree, flags)

    def _assert_not(self, argument: _Tree, flags: int) -> Look:
        direction, tree = argument
        return self._look(direction, "!", tree, flags) if tree else _NEVER

    def _failure(self, _: tuple[()], __: int) -> Look:
        return _NEVER

    def _look(self, direction: int, sign: str, tree: _Tree, flags: int) -> Look:
        if direction > 0:
            return Look(f"(?{sign}", self._sequence(tree, flags))
        # These two are the compiler's part of refusing a pattern, the only one that the parser leaves to it.
        low, high = tree.getwidth()
        if low > _MAX_LOOK_BEHIND:
            raise does_not_compile("looks too much behind")
        if low != high:
            raise does_not_compile("look-behind requires fixed-width pattern")
        return Look(f"(?<{sign}", self._sequence(tree, flags))

    def _groupref(self, number: int, flags: int) -> Reference:
        self.referenced.add(number)
        folded = bool(flags & re.IGNORECASE)
        self.folded_reference |= folded
        return Reference(number, folded)

    def _groupref_exists(self, argument: _Tree, flags: int) -> Condition:
        number, yes, no = argument
        if number not in self.closed:
            # It would be the first round of a repeat that decides the next, or an attempt that CPython has given
            # up: whether the group counts as matched then is an accident of the engine.
            raise does_not_compile("a condition looks at a group that does not end before it")
        self.referenced.add(number)
        return Condition(number, self._sequence(yes, flags), self._sequence(no or (), flags))


def _unicode_set(ranges: Ranges, names: list[str], *, negated: bool) -> Node:
    spans = [span for name in names for span in UNICODE_CATEGORIES[name][0]]
    categories = "".join(UNICODE_CATEGORIES[name][1] for name in names)
    members = Chars(merge((*ranges, *spans)), categories)
    if not negated:
        return members
    if not categories:
        return Chars(complement(members.ranges))
    return Sequence((Look("(?!", Sequence((members,))), Chars(EVERYTHING)))


def _folded(ranges: Ranges, flags: int) -> Ranges:
    if not flags & re.IGNORECASE:
        return ranges
    return fold_unicode(ranges) if flags & re.UNICODE else fold_ascii(ranges)
