"""Users' patterns: both engines find something exactly where ``re`` does, and what it refuses is refused."""

from __future__ import annotations

import re
import warnings
from importlib import import_module
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.graders.searching import search

from gradestone.graders.patterns import check_pattern, compile_pattern

_parser: Any = import_module("re._parser")

SEAMS = (
    "a", "b", "k", "K", "s", "S", "0", "9", "_", "-", " ", "\n", "\r", "\t", "\v", "\x1c", "\xa0", "\u2028",
    "é", "É", "ß", "\u212a", "\u017f", "İ", "ı", "\U0001f600", "\ud800", "\udfff",
)  # fmt: skip
"""Where case, digits, words, spaces, lines and widths differ between engines."""

texts = st.lists(st.sampled_from(SEAMS), max_size=9).map("".join) | st.text("ab\n", max_size=9)

ANCHORS = ("^", "$", r"\A", r"\Z", r"\b", r"\B")
CLASSES = (r"\d", r"\D", r"\w", r"\W", r"\s", r"\S")
QUANTIFIERS = ("*", "+", "?", "{2}", "{,2}", "{1,}", "{0}")


class Drafter:
    """Draws a pattern that breaks neither textual rule: what stands in a repeat is plain."""

    def __init__(self, draw: st.DrawFn, *, linear: bool, flags: str) -> None:
        self.draw, self.linear, self.flags = draw, linear, flags
        self.groups: list[str] = []
        self.opened = 0

    def choose(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def whole(self) -> str:
        return self.choose("", "", "(?i)", "(?m)", "(?s)", "(?im)") + self.alternatives(3, plain=False)

    def alternatives(self, depth: int, *, plain: bool) -> str:
        count = 1 if plain else self.draw(st.sampled_from((1, 1, 2, 3)))
        return "|".join(self.sequence(depth, plain=plain) for _ in range(count))

    def sequence(self, depth: int, *, plain: bool) -> str:
        return "".join(self.piece(depth, plain=plain) for _ in range(self.draw(st.integers(0, 3))))

    def piece(self, depth: int, *, plain: bool) -> str:
        if self.draw(st.integers(0, 4)) == 0:
            return self.choose(*ANCHORS, "(?#a+|)")
        if plain or self.draw(st.booleans()):
            return self.atom(depth, plain=plain)
        suffixes = ("", "?") if self.linear else ("", "?", "+")
        return self.atom(depth, plain=True) + self.choose(*QUANTIFIERS) + self.choose(*suffixes)

    def atom(self, depth: int, *, plain: bool) -> str:
        kinds = ["character", "character", "class", "short", "group"]
        kinds += [] if self.linear else ["look", "atomic", "reference", "condition"]
        match self.choose(*kinds) if depth else "character":
            case "class":
                atom = self.char_class()
            case "short":
                atom = self.choose(".", ".", *CLASSES)
            case "group":
                atom = self.group(depth, plain=plain)
            case "look":
                sign = self.choose("(?=", "(?!", "(?<=", "(?<!")
                atom = f"{sign}{self.alternatives(depth - 1, plain=plain or '<' in sign)})"
            case "atomic":
                atom = f"(?>{self.alternatives(depth - 1, plain=plain)})"
            case "reference" if self.groups:
                atom = f"(?P={self.choose(*self.groups)})"
            case "condition" if self.groups:
                no = "" if plain else f"|{self.sequence(depth - 1, plain=False)}"
                atom = f"(?({self.choose(*self.groups)}){self.sequence(depth - 1, plain=plain)}{no})"
            case _:
                atom = re.escape(self.choose(*SEAMS))
        return atom

    def group(self, depth: int, *, plain: bool) -> str:
        opening = self.choose("(?:", "(", "(?P<", *(f"(?{flag}:" for flag in self.flags), "(?-i:")
        if opening != "(?P<":
            return f"{opening}{self.alternatives(depth - 1, plain=plain)})"
        self.opened += 1
        name = f"g{self.opened}"
        body = self.alternatives(depth - 1, plain=plain)
        self.groups.append(name)
        return f"(?P<{name}>{body})"

    def char_class(self) -> str:
        members = st.sampled_from(
            (*map(re.escape, SEAMS), *CLASSES, "a-k", "J-z", r"\x00-é", r"\u0100-\uffff", "&&", "[")
        )
        return f"[{self.choose('', '^')}{''.join(self.draw(st.lists(members, min_size=1, max_size=3)))}]"


@st.composite
def patterns(draw: st.DrawFn, *, linear: bool = False, flags: str = "ims") -> str:
    pattern = Drafter(draw, linear=linear, flags=flags).whole()
    fault = check_pattern(pattern)
    # What is left to refuse: look-behind of no fixed width, and a reference that ignores case beside (?u:...).
    assume(fault is None or fault[0] != "invalid_pattern")
    assert fault is None, fault
    return pattern


def found(pattern: str, text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.search(pattern, text, re.ASCII) is not None


@given(patterns(), st.lists(texts, min_size=1, max_size=5))
def test_the_stoppable_engine_finds_what_re_finds(pattern: str, several: list[str]) -> None:
    """All of the dialect under the ASCII flag, lone surrogates included."""
    compiled = compile_pattern(pattern)
    for text in several:
        assert search(compiled, text) == found(pattern, text), (compiled, text)


@given(patterns(flags="imsu"), st.lists(texts, min_size=1, max_size=5))
def test_the_stoppable_engine_finds_what_re_finds_in_unicode_scopes(pattern: str, several: list[str]) -> None:
    """An empty assertion keeps ``re`` from its look at the first character, which forgets the scope's flag."""
    compiled = compile_pattern(pattern)
    whole = re.sub(r"^(\(\?[ims]+\))?", r"\g<0>(?=)", pattern)
    for text in several:
        assert search(compiled, text) == found(whole, text), (compiled, text)


@given(patterns(linear=True), st.lists(texts, min_size=1, max_size=5))
def test_the_linear_engine_finds_what_re_finds(pattern: str, several: list[str]) -> None:
    """Wherever a pattern has a spelling for it; a text with a lone surrogate is passed on."""
    core = pytest.importorskip("gradestone._core")
    compiled = compile_pattern(pattern)
    assume(compiled.rust is not None)
    try:
        kernel = core.Pattern(compiled.rust, False)
    except ValueError:
        assume(False)
    codes = kernel.run(tuple(several), 1).codes
    for text, code in zip(several, codes, strict=True):
        lone = any("\ud800" <= char <= "\udfff" for char in text)
        expected = "needs_engine" if lone else "ok" if found(pattern, text) else "no_match"
        assert core.CODES[code] == expected, (compiled, text)


SOUP = (
    "a", "b", "1", "(", ")", "(", ")", "(?:", "(?P<n>", "(?P=n)", "(?(1)", "(?=", "(?<!", "(?>", "(?#", "(?x:",
    "(?-x:", "(?x)", "(?i)", "[", "]", "[^", "-", "*", "+", "?", "{", "{2}", "{,3}", "}", "|", "\\", r"\\", r"\d",
    r"\1", "^", "$", ".", "#", "\n", " ", "&&", "é", "\ud800", ",", "=", "!", "<", ":",
)  # fmt: skip
soups = st.lists(st.sampled_from(SOUP), max_size=14).map("".join)


def holds_a_choice(tree: Any) -> bool:
    """Whether a quantifier or an alternative is anywhere in CPython's tree."""
    return any(
        name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT", "BRANCH")
        or any(map(holds_a_choice, trees_in(argument)))
        for name, argument in ((op.name, argument) for op, argument in tree)
    )


def repeats_a_choice(tree: Any) -> bool:
    """Whether something repeated holds a quantifier or an alternative: what the textual rule is to keep out."""
    return any(
        (name.endswith("REPEAT") and holds_a_choice(argument[2]))
        or any(map(repeats_a_choice, trees_in(argument)))
        for name, argument in ((op.name, argument) for op, argument in tree)
    )


def trees_in(argument: Any) -> list[Any]:
    if isinstance(argument, _parser.SubPattern):
        return [argument]
    if isinstance(argument, (tuple, list)):
        return [tree for part in argument for tree in trees_in(part)]
    return []


@given(soups)
def test_a_pattern_is_refused_where_re_refuses(pattern: str) -> None:
    """Accepted: re compiles it, it repeats no choice, and it compiles here. Invalid: re refuses it, or it is pinned."""
    fault = check_pattern(pattern)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            re.compile(pattern, re.ASCII)
        except (re.error, ValueError, OverflowError):
            assert fault is not None
            return
        assert fault is None or fault[0] == "unsafe_pattern" or "does not end before it" in fault[1], fault
        if fault is None:
            assert not repeats_a_choice(_parser.parse(pattern, re.ASCII))
            assert search(compile_pattern(pattern), "ab\n") == found(pattern, "ab\n")


@given(st.text(st.characters(codec=None), max_size=40))
def test_any_text_is_either_a_pattern_or_refused(pattern: str) -> None:
    """Checking a pattern raises nothing."""
    fault = check_pattern(pattern)
    assert fault is None or fault[0] in ("unsafe_pattern", "invalid_pattern", "over_cap")
