"""The pinned tokenizer, and what keeps a pair from being scored."""

from __future__ import annotations

import pytest
from hypothesis import given
from tests.texts import texts

from gradestone.reference.limits import MAX_TOKENS
from gradestone.reference.text import PINNED_WHITESPACE, lower
from gradestone.reference.tokenizer import capped_tokens, refusal, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \t\n\r\f\v", []),
        ("Hello, World!", ["hello", ",", "world", "!"]),
        ("a_b-c", ["a", "_", "b", "-", "c"]),
        ("x1y2", ["x1y2"]),
        ("日本語", ["日", "本", "語"]),
        ("café", ["caf", "é"]),
        ("e\u0301", ["e", "\u0301"]),
        ("a\u00a0b", ["a", "\u00a0", "b"]),
        ("\x85\x1c\u2028\ufeff", ["\x85", "\x1c", "\u2028", "\ufeff"]),
        ("\u212aM", ["km"]),
        ("\u0130n", ["i", "\u0307", "n"]),
        ("ΑΣ", ["α", "ς"]),
        ("٣ ²", ["٣", "²"]),
        ("\U0001f468\u200d\U0001f469", ["\U0001f468", "\u200d", "\U0001f469"]),
        ("a\ud800b", ["a", "\ud800", "b"]),
        ("\U00010d50", ["\U00010d70"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    """Runs of ASCII letters and digits, and every other code point outside the pinned whitespace."""
    assert tokens(text) == expected


@given(texts)
def test_tokens_are_the_text_without_whitespace(text: str) -> None:
    """Nothing is lost, and a token is a run or one code point."""
    lowered = lower(text)
    kept = "".join(character for character in lowered if character not in PINNED_WHITESPACE)
    assert "".join(tokens(text)) == kept
    assert all(len(token) == 1 or (token.isascii() and token.isalnum()) for token in tokens(text))


@given(texts)
def test_a_limit_gives_the_first(text: str) -> None:
    """Counting may stop early and changes nothing that comes before."""
    assert tokens(text, 3) == tokens(text)[:3]


def test_capped_tokens_show_one_too_many() -> None:
    """At the cap all, over it one more than the cap, however long the text."""
    assert len(capped_tokens("a " * MAX_TOKENS)) == MAX_TOKENS
    assert len(capped_tokens("a " * (MAX_TOKENS + 1))) == MAX_TOKENS + 1
    assert len(capped_tokens("a " * 1_000_000)) == MAX_TOKENS + 1


ONE, FULL, MANY = ["a"], ["a"] * MAX_TOKENS, ["a"] * (MAX_TOKENS + 1)


@pytest.mark.parametrize(
    ("reference", "candidate_tokens", "reference_tokens", "code"),
    [
        ("a", ONE, ONE, None),
        ("a", FULL, FULL, None),
        ("a", MANY, ONE, "over_cap"),
        ("a", ONE, MANY, "over_cap"),
        ("a", [], MANY, "empty_candidate"),
        ("", [], [], "empty_reference"),
        ("\u3000", MANY, ["\u3000"], "empty_reference"),
        ("\x85", ONE, ["\x85"], None),
    ],
)
def test_refusals_in_their_order(
    reference: str, candidate_tokens: list[str], reference_tokens: list[str], code: str | None
) -> None:
    """The reference first, then the candidate, then the caps."""
    assert refusal(reference, candidate_tokens, reference_tokens) == code
