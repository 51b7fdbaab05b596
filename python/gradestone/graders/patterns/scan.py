"""The rules that are decided on the text of a pattern, before anything compiles it.

A pattern that could make a backtracking engine run for ages is refused, and the rules are textual so that
every implementation of the grader refuses the same ones. The text is cut into the tokens that CPython's
parser sees: an escape is one token, and comments, classes and verbose mode's blanks hold no syntax. What the
rules say of a pattern that does not compile is therefore of no account: both refuse it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from gradestone.graders.patterns.fault import MAX_NESTING, PatternFault, does_not_compile
from gradestone.reference.limits import MAX_PATTERN_CHARS

_TOKEN: Final = re.compile(r"\\?.", re.DOTALL)
_QUANTIFIERS: Final = frozenset("*+?{")
_BLANKS: Final = frozenset(" \t\n\r\v\f")
_FLAGS: Final = frozenset("aiLmstux-")
_BACK_REFERENCES: Final = frozenset(f"\\{digit}" for digit in range(1, 10))
_SET_OPERATORS: Final = frozenset("[-&~|")

_NESTED: Final = (
    "a repeated group may hold no quantifier and no '|': write [ab]+ for (a|b)+ and \\d* for (\\d+)?, "
    "write the repeats out, or escape the character if it is meant literally"
)


@dataclass(slots=True)
class _Group:
    verbose: bool
    holds: bool = False
    """Whether a quantifier or ``|`` was seen inside, at any depth."""


@dataclass(slots=True)
class Scanned:
    """A pattern that breaks no textual rule."""

    text: str
    """The pattern with a backslash before each character of a class that CPython may take for a set operation
    to come: it means the same, and the parser has nothing to warn of (warning filters are the process's)."""
    guards: list[int] = field(default_factory=list)
    """Where in ``text`` those backslashes stand, ascending."""

    def position(self, index: int) -> int:
        """Return the place in the pattern as given of a place in ``text``."""
        return index - sum(guard < index for guard in self.guards)


def scan(pattern: str) -> Scanned:
    r"""Apply the rules that need no parser, in this order, to a pattern.

    1. More than ``MAX_PATTERN_CHARS`` characters: ``over_cap``.
    2. ``unsafe_pattern``: a back-reference ``\1`` ... ``\9``, wherever it stands outside comments (an escaped
       backslash before a digit is none); a group followed by ``*``, ``+``, ``?`` or ``{`` that holds one of
       these or ``|`` outside classes, escapes and comments.
    3. Groups nested deeper than ``MAX_NESTING``: ``over_cap``. What some versions of CPython accept and others
       do not (``\z``, the flag ``t``, a condition on a group that is neither a name nor ASCII digits):
       ``invalid_pattern``, so that a verdict does not depend on the interpreter.

    Raises ``PatternFault``. Cost: one pass.
    """
    if len(pattern) > MAX_PATTERN_CHARS:
        raise PatternFault(
            "over_cap", f"the pattern has {len(pattern)} characters, more than the cap of {MAX_PATTERN_CHARS}"
        )
    return _Scanner(pattern).run()


class _Scanner:
    def __init__(self, pattern: str) -> None:
        self.tokens = _TOKEN.findall(pattern)
        self.index = 0
        self.groups = [_Group(verbose=False)]
        self.closed_holds = False
        self.later: PatternFault | None = None
        self.out: list[str] = []
        self.length = 0
        self.guards: list[int] = []

    def run(self) -> Scanned:
        while (token := self._take()) is not None:
            self._step(token)
        if self.later is not None:
            raise self.later
        return Scanned("".join(self.out), self.guards)

    def _step(self, token: str) -> None:
        group = self.groups[-1]
        if group.verbose and token in _BLANKS:
            return
        if group.verbose and token == "#":
            self._take_until("\n")
            return
        if token == "(":
            self._open(group)
            return
        if token in _QUANTIFIERS:
            if self.closed_holds:
                raise PatternFault("unsafe_pattern", _NESTED)
            group.holds = True
        elif token == "|":
            group.holds = True
        elif token == ")" and len(self.groups) > 1:
            self._close()
            return
        elif token == "[":
            self._class()
        elif token[0] == "\\":
            self._escape(token)
        self.closed_holds = False

    def _close(self) -> None:
        holds = self.groups.pop().holds
        self.groups[-1].holds |= holds
        self.closed_holds = holds

    def _open(self, outer: _Group) -> None:
        if self._peek() != "?":
            self._push(outer.verbose)
            return
        self._take()
        start = self._peek()
        if start == "#":
            self._take_until(")")
        elif start is not None and start in _FLAGS:
            self._flags(outer)
        elif start == "(":
            self._take()
            self._condition("".join(self._take_until(")")))
            self._push(outer.verbose)
        else:
            self._push(outer.verbose)

    def _push(self, verbose: bool) -> None:
        self.groups.append(_Group(verbose))
        self.closed_holds = False
        if len(self.groups) > MAX_NESTING + 1:
            self._refuse(PatternFault("over_cap", f"groups are nested deeper than {MAX_NESTING}"))

    def _flags(self, outer: _Group) -> None:
        letters = ""
        while (token := self._take()) is not None and token in _FLAGS:
            letters += token
        added, _, removed = letters.partition("-")
        if "t" in letters:
            self._refuse(does_not_compile("unknown flag"))
        verbose = (outer.verbose or "x" in added) and "x" not in removed
        if token == ")":
            outer.verbose = verbose
        else:
            self._push(verbose)

    def _condition(self, name: str) -> None:
        if not name.isidentifier() and not (name.isascii() and name.isdecimal()):
            self._refuse(does_not_compile("bad character in group name"))

    def _escape(self, token: str) -> None:
        if token in _BACK_REFERENCES:
            raise PatternFault(
                "unsafe_pattern",
                "back-references \\1 to \\9 are not accepted: name the group, (?P<name>...), and write "
                "(?P=name); write the character with such a number as \\x01",
            )
        if token == "\\z":
            self._refuse(does_not_compile("bad escape \\z"))

    def _class(self) -> None:
        if self._peek() == "^":
            self._take()
        first = True
        while (token := self._take_member()) is not None:
            if token == "]" and not first:
                return
            first = False
            if self._peek() == "-":
                self._take()
                if self._take_member() in ("]", None):
                    return

    def _take_member(self) -> str | None:
        token = self._peek()
        if token in _SET_OPERATORS:
            self.guards.append(self.length)
            self._emit("\\")
        elif token in _BACK_REFERENCES:
            self._escape(token)
        return self._take()

    def _refuse(self, fault: PatternFault) -> None:
        # Not raised at once: ``unsafe_pattern`` further on takes precedence.
        self.later = self.later or fault

    def _peek(self) -> str | None:
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    def _take(self) -> str | None:
        token = self._peek()
        if token is not None:
            self.index += 1
            self._emit(token)
        return token

    def _take_until(self, end: str) -> list[str]:
        taken = []
        while (token := self._take()) is not None and token != end:
            taken.append(token)
        return taken

    def _emit(self, text: str) -> None:
        self.out.append(text)
        self.length += len(text)
