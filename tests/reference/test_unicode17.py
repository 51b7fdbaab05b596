"""Lowercasing is that of Unicode 17 under every CPython.

The digests are of what rustc 1.95 makes of the same text: a program that reads UTF-8 from its standard input,
prints ``text.to_lowercase()``; its output hashed with SHA-256.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from itertools import chain

import pytest

from gradestone.reference.text import case_role, lower
from gradestone.reference.unicode17 import CASE_ROLES, LOWERCASE, CaseRole

CODES = [code for code in range(0x110000) if not 0xD800 <= code <= 0xDFFF]


def own_role(character: str) -> CaseRole:
    """The role of a character in the tables of the running CPython."""
    if (character + "Σ").lower().endswith("ς"):
        return CaseRole.CASED
    return CaseRole.IGNORABLE if ("a" + character + "Σ").lower().endswith("ς") else CaseRole.NEITHER


def digest_of_lowercase(codes: Iterable[int]) -> str:
    characters = map(chr, codes)
    text = "".join(f" {c} {c}Σ a{c}Σ aΣ{c}a" for c in characters)
    return hashlib.sha256(lower(text).encode()).hexdigest()


def test_the_tables_have_the_size_that_is_told() -> None:
    """55 mappings and 307 roles."""
    assert len(LOWERCASE) == 55
    assert len(CASE_ROLES) == 307


def test_nothing_is_listed_in_vain() -> None:
    """Under CPython 3.11 (Unicode 14) each entry differs from its tables, and no other code point does."""
    if unicodedata.unidata_version != "14.0.0":
        pytest.skip("only CPython 3.11 has the tables that the lists were compared with")
    assert [code for code in CODES if chr(code).lower() != lower(chr(code))] == list(LOWERCASE)
    assert all(own_role(character) != role for character, role in CASE_ROLES.items())


def test_every_difference_is_listed() -> None:
    """Under any CPython the mappings that it lacks are among the 55."""
    assert {code for code in CODES if chr(code).lower() != lower(chr(code))} <= set(LOWERCASE)


def test_listed_characters_in_context() -> None:
    """New letters lowercase and count as cased; new marks are looked past; the two that lost their role."""
    assert lower("\u1c89\ua7dc\U00010d65\U00016ed3") == "\u1c8a\u019b\U00010d85\U00016ed3"
    assert lower("\U00016ea0Σ") == "\U00016ebbς"
    assert lower("a\u0897Σ") == "a\u0897ς"
    assert lower("\u0295Σ a\U0001171eΣ") == "\u0295σ a\U0001171eσ"
    assert case_role("\u0295") is CaseRole.NEITHER


def test_the_planes_with_letters_lowercase_as_in_rust() -> None:
    """Planes 0, 1 and the tags, each code point alone, and before and after a sigma."""
    codes = chain(range(0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE1000))
    assert digest_of_lowercase(codes) == "c068302a89e8eebb72bd1300fe603a9ac67af7f933ce05aa1bcdc00dd4beadb5"


@pytest.mark.slow
def test_every_code_point_lowercases_as_in_rust() -> None:
    """All 1 112 064, alone, and before and after a sigma."""
    assert digest_of_lowercase(CODES) == "742c784d343e3bf1fc435a210df3d7b09da9b5f076f9106490cf99f0bb5d8346"


def test_surrogates_are_neither_cased_nor_ignorable() -> None:
    """They lowercase to themselves and end what a sigma looks past."""
    surrogates = [chr(code) for code in range(0xD800, 0xE000)]
    assert lower("".join(surrogates)) == "".join(surrogates)
    assert {case_role(surrogate) for surrogate in surrogates} == {CaseRole.NEITHER}
