"""Equality, fragments and users' patterns."""

from __future__ import annotations

import string

import pytest
import regex  # type: ignore[import-untyped]
from hypothesis import given
from tests.texts import texts

from gradestone.reference.limits import MAX_REGEX_INPUT_CHARS
from gradestone.reference.matching import (
    compile_pattern,
    contains,
    exact_match,
    match_pattern,
    normalise,
    unify_newlines,
)

ALTERNATIVES_WITHOUT_END = r"(?:a|aa)+$"


def pattern(expression: str, candidate: str, *, forbid: bool) -> str:
    return match_pattern(candidate, compile_pattern(expression), forbid=forbid).code


@pytest.mark.parametrize(
    ("candidate", "expected", "case_sensitive", "remove_punctuation", "equal"),
    [
        ("", "", False, False, True),
        ("Yes", "yes", False, False, True),
        ("Yes", "yes", True, False, False),
        ("\ufeff yes\u00a0", "yes", False, False, True),
        ("yes\x85", "yes", False, False, False),
        ("a  b", "a b", False, False, False),
        ("don't!", "dont", False, True, True),
        ("don't!", "dont", False, False, False),
        ("yes .", "yes", False, True, False),
        ("“yes”", "yes", False, True, False),
        ("\u212a", "k", False, False, True),
        ("\u212a", "K", True, False, False),
        ("ΑΣ", "ας", False, False, True),
        ("\ud800", "\ud800", False, False, True),
        ("é", "e\u0301", False, False, False),
    ],
)
def test_exact_match(
    candidate: str, expected: str, case_sensitive: bool, remove_punctuation: bool, equal: bool
) -> None:
    """Trim, case and punctuation, each only as asked for, and no normal form."""
    row = exact_match(
        candidate, expected, case_sensitive=case_sensitive, remove_punctuation=remove_punctuation
    )
    assert (row.code, row.score) == (("ok", 1.0) if equal else ("mismatch", 0.0))


def test_the_punctuation_is_the_32_of_ascii() -> None:
    """Every ASCII character that is neither letter, digit, space nor control, and nothing beyond ASCII."""
    text = "".join(map(chr, range(0x100)))
    kept = normalise(f"x{text}x", case_sensitive=True, remove_punctuation=True)
    assert set(text) - set(kept) == set(string.punctuation)
    assert len(string.punctuation) == 32


def test_punctuation_goes_after_lowercasing() -> None:
    """The order of the steps: a sigma is final before the apostrophe goes that it looks past."""
    assert normalise("ΑΣ.", case_sensitive=False, remove_punctuation=True) == "ας"
    assert normalise("ΑΣ.Α", case_sensitive=False, remove_punctuation=True) == "ασα"
    assert normalise("Α-Σ", case_sensitive=False, remove_punctuation=True) == "ασ"


@given(texts)
def test_a_text_equals_itself(text: str) -> None:
    """Under every setting."""
    for case_sensitive in (False, True):
        for remove_punctuation in (False, True):
            row = exact_match(
                text, f" {text}\n", case_sensitive=case_sensitive, remove_punctuation=remove_punctuation
            )
            assert row.code == "ok"


@pytest.mark.parametrize(
    ("candidate", "fragments", "missing"),
    [
        ("the cat", ["the", "cat"], ()),
        ("the cat", ["The", "cat", "dog"], (0, 2)),
        ("", ["a"], (0,)),
        ("a\r\nb", ["\r\n", " "], (1,)),
        ("é", ["e"], (0,)),
        ("\ud83d\ude00", ["\ud83d", "\U0001f600"], (1,)),
        ("a", ["b", "b"], (0, 1)),
    ],
)
def test_contains(candidate: str, fragments: list[str], missing: tuple[int, ...]) -> None:
    """Substrings as they are; forbidding them turns the question round."""
    row = contains(candidate, fragments, forbid=False)
    assert (row.code, row.hits) == ("missing_fragment" if missing else "ok", missing)

    present = tuple(index for index in range(len(fragments)) if index not in missing)
    row = contains(candidate, fragments, forbid=True)
    assert (row.code, row.hits) == ("forbidden_fragment" if present else "ok", present)


@pytest.mark.parametrize(
    ("expression", "candidate", "found"),
    [
        ("b", "abc", True),
        ("^b", "abc", False),
        ("", "", True),
        (r"a\Z", "a\n", False),
        ("a$", "a\n", True),
        ("\r", "a\r\n", True),
        ("(?a)\\d", "٣", False),
        ("\ud800", "\ud800", True),
        (".", "\U0001f600", True),
    ],
)
def test_a_pattern_is_searched_in_the_text_as_it_is(expression: str, candidate: str, found: bool) -> None:
    """Anywhere, in the empty text too, newlines untouched."""
    assert pattern(expression, candidate, forbid=False) == ("ok" if found else "no_match")


@pytest.mark.parametrize(
    ("expression", "candidate", "found"),
    [
        ("\r", "a\r\nb\rc", False),
        (r"a\Z", "a\n", True),
        (r"a\Z", "a\r\n", True),
        (r"a\Z", "a\r", True),
        (r"a\Z", "a\n\n", False),
        ("a\nb", "a\rb", True),
        ("a\nb", "a\r\nb", True),
        (r"\A\Z", "\n", True),
        ("x", "", False),
    ],
)
def test_a_forbidden_pattern_sees_unified_newlines(expression: str, candidate: str, found: bool) -> None:
    """CRLF and CR are LF, and exactly one at the end is gone."""
    assert pattern(expression, candidate, forbid=True) == ("forbidden_match" if found else "ok")


@pytest.mark.parametrize(
    ("text", "unified"),
    [("", ""), ("\n", ""), ("\r\n\r\n", "\n"), ("\n\r", "\n"), ("\r\r\n", "\n"), ("a\u2028", "a\u2028")],
)
def test_unified_newlines(text: str, unified: str) -> None:
    """LF CR is two, CR CRLF is two, U+2028 is none."""
    assert unify_newlines(text) == unified


@pytest.mark.parametrize("forbid", [False, True])
def test_the_cap_counts_the_text_as_given(forbid: bool) -> None:
    """65 536 characters are searched and one more is not, even if it would be dropped."""
    passes = "ok" if forbid else "no_match"
    assert pattern("x", "\U0001f600" * MAX_REGEX_INPUT_CHARS, forbid=forbid) == passes
    assert pattern("x", "a" * MAX_REGEX_INPUT_CHARS + "\n", forbid=forbid) == "over_cap"
    assert pattern("x", "x" * 10_000_000, forbid=forbid) == "over_cap"


@pytest.mark.parametrize("forbid", [False, True])
def test_a_search_without_end_is_stopped(forbid: bool) -> None:
    """The deadline is its own code in both directions, so that it can never be read as "not found"."""
    row = match_pattern("a" * 200 + "b", compile_pattern(ALTERNATIVES_WITHOUT_END), forbid=forbid)
    assert (row.code, row.score) == ("deadline", 0.0)


def test_version_0_of_the_dialect() -> None:
    """What is an intersection in the newer dialect is an ordinary class here, as in re."""
    assert pattern(r"\A[a&&b]\Z", "&", forbid=False) == "ok"


def test_a_malformed_pattern_is_refused_when_compiled() -> None:
    """Before any row is seen."""
    with pytest.raises(regex.error):
        compile_pattern("(")
