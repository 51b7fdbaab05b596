"""What a pattern means, with its flags worked in: the tree between CPython's parser and the two engines.

Only what decides *whether* a pattern is found is kept. A group is a node only where something refers to it,
and no node depends on a flag: the classes are plain code points, and an anchor says what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from gradestone.graders.patterns.characters import Ranges


class Anchor(Enum):
    """A place in the text, of no width."""

    TEXT_START = auto()
    TEXT_END = auto()
    TEXT_END_OR_LAST_NEWLINE = auto()
    """``$``: the end of the text, or before a newline that ends it."""
    LINE_START = auto()
    LINE_END = auto()
    WORD_EDGE = auto()
    NO_WORD_EDGE = auto()
    UNICODE_WORD_EDGE = auto()
    NO_UNICODE_WORD_EDGE = auto()


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of a set, which may be empty."""

    ranges: Ranges
    categories: str = ""
    """General categories beside the ranges, in the stoppable engine's spelling; only inside ``(?u:...)``."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; empty matches the empty text."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """The first of several that lets the rest match."""

    arms: tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """``low`` to ``high`` times; ``high`` is None where there is no bound."""

    low: int
    high: int | None
    suffix: str
    """``""`` greedy, ``"?"`` lazy, ``"+"`` possessive."""
    body: Sequence

    @property
    def quantifier(self) -> str:
        """The repeat as both engines write it behind its body."""
        high = "" if self.high is None else self.high
        return f"{{{self.low},{high}}}{self.suffix}"


@dataclass(frozen=True, slots=True)
class Group:
    """A group that a `Reference` or a `Condition` may look at."""

    number: int
    body: Sequence


@dataclass(frozen=True, slots=True)
class Look:
    """``(?=``, ``(?!``, ``(?<=`` or ``(?<!``, as ``opening`` says."""

    opening: str
    body: Sequence


@dataclass(frozen=True, slots=True)
class Atomic:
    """Its first match or none."""

    body: Sequence


@dataclass(frozen=True, slots=True)
class Reference:
    """The text that a group matched last; ``folded``: ASCII letters in either case."""

    number: int
    folded: bool


@dataclass(frozen=True, slots=True)
class Condition:
    """``yes`` where the group took part in the match, else ``no``."""

    number: int
    yes: Sequence
    no: Sequence


Node = Anchor | Chars | Sequence | Branch | Repeat | Group | Look | Atomic | Reference | Condition


@dataclass(frozen=True, slots=True)
class Meaning:
    """A whole pattern."""

    root: Sequence
    referenced: frozenset[int]
    """The groups that something refers to."""
    unicode: bool
    """Whether any part of it stands inside ``(?u:...)``."""


def parts(node: Node) -> tuple[Node, ...]:
    """Return the nodes right under a node."""
    match node:
        case Sequence(items):
            return items
        case Branch(arms):
            return arms
        case Repeat(body=body) | Group(body=body) | Look(body=body) | Atomic(body=body):
            return (body,)
        case Condition(yes=yes, no=no):
            return (yes, no)
        case _:
            return ()
