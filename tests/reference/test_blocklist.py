"""Blocked terms."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.texts import awkward_texts

from gradestone.reference.blocklist import blocklist, stands_alone


@pytest.mark.parametrize(
    ("candidate", "terms", "hits"),
    [
        ("", ["a"], ()),
        ("I will kill it.", ["kill"], (0,)),
        ("KILL", ["kill"], (0,)),
        ("kill", ["KILL"], (0,)),
        ("skills kill3 3kill", ["kill"], ()),
        ("_kill_", ["kill"], (0,)),
        ("ékillé", ["kill"], (0,)),
        ("\ud800kill\udfff", ["kill"], (0,)),
        ("unkilled, kill!", ["kill"], (0,)),
        ("c++", ["c++", "c", "+", "c+"], (0, 1, 2, 3)),
        ("c++11", ["c++", "c", "+", "c+"], (1, 3)),
        ("a+b", ["+"], ()),
        ("a + b", ["+"], (0,)),
        ("as an  ai", ["as an ai"], ()),
        ("a b", [" "], ()),
        ("! !", [" "], (0,)),
        # A term inside a longer one, and occurrences that overlap.
        ("new york city", ["york", "new york", "york city"], (0, 1, 2)),
        ("xa!a!a", ["a!a"], (0,)),
        # Neighbours are looked at after lowercasing: the Kelvin sign is a letter then, U+0130 ends in a dot.
        ("kill\u212a", ["kill"], ()),
        ("\u0130kill", ["kill"], (0,)),
        ("kill\u0130", ["kill"], ()),
        # Each side is lowercased by itself, so a sigma may be final in the term alone.
        ("ΑΣ", ["ΑΣ"], (0,)),
        ("ΑΣΑ", ["ΑΣ"], ()),
        # Only exact repeats are dropped.
        ("a", ["b", "a", "A", "a"], (1, 2)),
        ("\u0000", ["\u0000"], (0,)),
    ],
)
def test_named_cases(candidate: str, terms: list[str], hits: tuple[int, ...]) -> None:
    """Borders, case, overlap, repeats."""
    row = blocklist(candidate, terms)
    assert row.hits == hits
    assert (row.code, row.score) == (("blocked_term", 0.0) if hits else ("ok", 1.0))


@given(awkward_texts, awkward_texts.filter(bool))
def test_the_same_as_an_expression_with_borders(text: str, term: str) -> None:
    """Looking at each occurrence in turn finds what the obvious expression finds."""
    expression = rf"(?<![a-z0-9]){re.escape(term)}(?![a-z0-9])"
    assert stands_alone(text, term) == bool(re.search(expression, text))


@given(st.text("ab!", max_size=12), st.text("ab!", min_size=1, max_size=3))
def test_overlapping_occurrences(text: str, term: str) -> None:
    """The same on few characters, where occurrences overlap."""
    expression = rf"(?<![a-z0-9]){re.escape(term)}(?![a-z0-9])"
    assert stands_alone(text, term) == bool(re.search(expression, text))


@pytest.mark.parametrize("pattern", ["a", "a@", "a!", " ", "\u0301", "1.", "(", "\ud800"])
def test_hostile_text_ends(pattern: str) -> None:
    """A million characters that repeat parts of the terms."""
    text = pattern * (1_000_000 // len(pattern))
    terms = ["kill", "a" * 40, "a@" * 20 + "b", "!" * 50 + "a", "(" * 50 + "a"]
    assert blocklist(text, terms).hits == ()
