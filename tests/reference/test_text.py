"""Whitespace, trimming and lowercasing."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.texts import texts

from gradestone.reference.text import ECMASCRIPT_WHITESPACE, PINNED_WHITESPACE, is_blank, lower, trim

NO_WHITESPACE = "\x85\x1c\x1d\x1e\x1f\x00\u180e\u200b\u200c\u200d\u2060\ud800"


def test_the_pinned_whitespace_is_six_characters() -> None:
    """Space, tab, LF, CR, FF, VT and no other."""
    assert sorted(PINNED_WHITESPACE) == ["\t", "\n", "\v", "\f", "\r", " "]


@pytest.mark.parametrize(
    "character", sorted(ECMASCRIPT_WHITESPACE), ids=lambda character: f"{ord(character):04x}"
)
def test_trim_takes_ecmascript_white_space(character: str) -> None:
    """Each of the 25, at both ends, and not from the middle."""
    assert trim(f"{character}a{character}b{character}{character}") == f"a{character}b"
    assert is_blank(character)


def test_trim_takes_nothing_else() -> None:
    """Every other code point stays, those that str.strip takes too."""
    kept = {chr(code) for code in range(0x110000) if trim(chr(code))}
    assert len(kept) == 0x110000 - 25
    assert kept.isdisjoint(ECMASCRIPT_WHITESPACE)
    assert kept.issuperset(NO_WHITESPACE)


def test_the_empty_text_is_blank() -> None:
    """Nothing at all counts as nothing left."""
    assert is_blank("")
    assert not is_blank(" .")


@pytest.mark.parametrize(
    ("text", "lowered"),
    [
        ("", ""),
        ("ABC xyz 09", "abc xyz 09"),
        ("\u212a", "k"),
        ("\u0130", "i\u0307"),
        ("ẞß", "ßß"),
        ("ǅ", "ǆ"),
        ("\U00010400", "\U00010428"),
        ("\ud801", "\ud801"),
        ("\ud801\udc00", "\ud801\udc00"),
        ("ſﬁ", "ſﬁ"),
    ],
)
def test_full_lowercasing(text: str, lowered: str) -> None:
    """Mappings to ASCII, to two characters and beyond the BMP; surrogates stay as they are."""
    assert lower(text) == lowered


@pytest.mark.parametrize(
    ("text", "lowered"),
    [
        ("Σ", "σ"),
        ("ΑΣ", "ας"),
        ("ΣΑ", "σα"),
        ("ΣΣ", "σς"),
        ("ΣΣΣ", "σσς"),
        ("ΑΣ Σ", "ας σ"),
        ("ΑΣΑ ΑΣ", "ασα ας"),
        ("1Σ", "1σ"),
        ("aΣ1", "aς1"),
        ("aΣ1a", "aς1a"),
        # Case-ignorable characters are looked past on both sides.
        ("a'Σ", "a'ς"),
        ("aΣ'", "aς'"),
        ("aΣ'a", "aσ'a"),
        ("'Σ", "'σ"),
        ("Σ'Σ", "σ'ς"),
        ("Σ''Σ''", "σ''ς''"),
        ("a\u00ad\u0301.Σ", "a\u00ad\u0301.ς"),
        # U+02B0 and U+0345 are cased and case-ignorable: skipped, not met.
        ("ʰΣ", "ʰσ"),
        ("aʰΣ", "aʰς"),
        ("aΣ\u0345", "aς\u0345"),
        ("aΣ\u0345a", "aσ\u0345a"),
        # A lone surrogate is neither.
        ("a\ud800Σ", "a\ud800σ"),
        ("aΣ\ud800a", "aς\ud800a"),
        # Small sigmas are not touched.
        ("aσ ς", "aσ ς"),
    ],
)
def test_the_final_sigma_rule(text: str, lowered: str) -> None:
    """Final after a cased character and before none."""
    assert lower(text) == lowered


@given(texts)
def test_lowercasing_twice_changes_nothing(text: str) -> None:
    """A mapping onto something that is mapped again."""
    assert lower(lower(text)) == lower(text)


@given(texts, texts)
def test_a_space_separates(left: str, right: str) -> None:
    """No rule looks past a character that is neither cased nor case-ignorable."""
    assert lower(f"{left} {right}") == f"{lower(left)} {lower(right)}"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("'" * 1_000_000 + "Σ", id="marks"),
        pytest.param("Σ'" * 200_000, id="sigmas and marks"),
        pytest.param("aΣ" * 200_000, id="letters and sigmas"),
    ],
)
def test_many_sigmas_end(text: str) -> None:
    """The rule looks past what stands between two sigmas once from each side, never further."""
    assert lower(text).count("Σ") == 0
