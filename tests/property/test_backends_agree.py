"""Rust and the plain reference say the same of every text: code, score to the bit, integers and hits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.texts import awkward_texts, sentences, texts

from gradestone import _core
from gradestone.reference import batch as reference

THRESHOLDS = st.sampled_from([0.0, 0.25, 0.3, 0.5, 2 / 3, 0.7, 1.0]) | st.floats(0, 1)
PAIRS = st.tuples(texts, texts) | st.tuples(sentences, sentences) | texts.map(lambda text: (text, text))


def rows(backend: Any, kernel: Any, *columns: Any) -> list[tuple[Any, ...]]:
    """Everything that a kernel reports, row by row, in words."""
    result = kernel.run(*columns, 1)
    scores = memoryview(result.scores).cast("d")
    return [
        (backend.CODES[code], scores[row], tuple(result.stats(row)), tuple(result.hits(row)))
        for row, code in enumerate(result.codes)
    ]


def agree(name: str, arguments: tuple[Any, ...], *columns: Any) -> None:
    fast, plain = (
        rows(backend, getattr(backend, name)(*arguments), *columns) for backend in (_core, reference)
    )
    assert fast == plain


def test_both_backends_name_the_same_codes_and_caps() -> None:
    """A cap or a code that is changed on one side only."""
    assert reference.LIMITS == _core.LIMITS
    assert set(_core.CODES) <= set(reference.CODES)


@given(PAIRS, THRESHOLDS)
@example(("\u0130\u212a", "i\u0307k"), 0.5)
def test_bleu(pair: tuple[str, str], threshold: float) -> None:
    """BLEU: clipped counts, lengths and the double."""
    agree("Bleu", (threshold,), (pair[0],), (pair[1],))


@given(
    PAIRS,
    st.sampled_from(["rouge_1", "rouge_l"]),
    st.sampled_from(["precision", "recall", "fmeasure"]),
    THRESHOLDS,
)
def test_rouge(pair: tuple[str, str], rouge_type: str, measure: str, threshold: float) -> None:
    """ROUGE: the overlap or the longest common subsequence, across machine words."""
    agree("Rouge", (rouge_type, measure, threshold), (pair[0],), pair[1])


@given(PAIRS, THRESHOLDS)
def test_jaccard(pair: tuple[str, str], threshold: float) -> None:
    """The overlap of token sets."""
    agree("Jaccard", (threshold,), (pair[0],), (pair[1],))


CONTEXTS = st.lists(texts | st.text("ab", max_size=70) | sentences, max_size=5)


@given(CONTEXTS, CONTEXTS, st.sampled_from(["precision", "recall", "f1"]), THRESHOLDS, THRESHOLDS)
@example(["ab"], ["ac"], "f1", 0.5, 0.5)
@example(["a" * 64], ["a" * 63 + "b"], "f1", 1 - 1 / 64, 0.5)
def test_context_f1(
    retrieved: list[str], expected: list[str], measure: str, similarity: float, threshold: float
) -> None:
    """context_f1: what counts as the same context does not depend on where the distance was cut off."""
    agree("ContextF1", (measure, similarity, threshold), (retrieved,), (expected,))


@given(st.lists(awkward_texts.filter(bool), min_size=1, max_size=6), texts)
def test_blocklist(terms: list[str], text: str) -> None:
    """Terms at borders, inside one another, and lowercased into or out of ASCII."""
    agree("Blocklist", (terms,), (text, *terms, "".join(terms), " ".join(terms)))


PII_PIECES = st.sampled_from(
    ["a", "b.c", "@", ".", "..", "-", "_", "co", "x.com", "1", "12", "127.0.0.1", "255", "256", "01", ":", "::", "fe80",
     "1:2:3:4:5:6:7", "g", "4111111111111111", "4111 1111", "-1111", " ", "\n", "DE89370400440532013000", "GB82WEST",
     "+", "(", ")", "+44", "20 7946 0958", "bc1",
     "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "3", "q" * 25, "\u00e9", "\u0660",
     "\ud800", "0" * 13]
)  # fmt: skip


@given(st.lists(PII_PIECES, max_size=14).map("".join), st.integers(1, 127))
def test_no_pii(text: str, mask: int) -> None:
    """The seven detectors on texts made of their own pieces."""
    kinds = [kind for bit, kind in enumerate(reference.KINDS) if mask >> bit & 1]
    agree("Pii", (kinds,), (text,))


@given(PAIRS, st.booleans(), st.booleans())
def test_exact_match(pair: tuple[str, str], case_sensitive: bool, remove_punctuation: bool) -> None:
    """Trimming, lowercasing and punctuation."""
    left, right = pair
    agree(
        "ExactMatch",
        (case_sensitive, remove_punctuation),
        (left, left + " ", right),
        (right, left, right.lower()),
    )


@given(st.lists(awkward_texts.filter(bool), min_size=1, max_size=5), texts, st.booleans())
def test_contains(fragments: list[str], text: str, forbid: bool) -> None:
    """Substrings, by code point: half of a character is none."""
    agree("Contains", (fragments, forbid), (text, "".join(fragments)))


@pytest.mark.parametrize("length", [4095, 4096, 4097])
def test_the_token_cap(length: int) -> None:
    """One token under, at and over the cap, on either side."""
    text = "x " * length
    for name, arguments in (("Bleu", (0.5,)), ("Rouge", ("rouge_l", "fmeasure", 0.5)), ("Jaccard", (0.5,))):
        agree(name, arguments, (text, "x", text), ("x", text, "y " * 3))


@pytest.mark.parametrize(
    "contexts",
    [
        ["x"] * 64,
        ["x"] * 65,
        ["x" * 8192],
        ["x" * 8193],
        ["x" * 4096, "\U0001f600" * 4096],
        ["x" * 4097, "y" * 4096],
    ],
    ids=["64 members", "65 members", "8192", "8193", "8192 in two", "8193 in two"],
)
def test_the_context_caps(contexts: list[str]) -> None:
    """Members and code points, under and over their caps, on either side."""
    agree("ContextF1", ("f1", 0.7, 0.5), (contexts, ["x"]), (["x"], contexts))


@given(st.lists(texts | st.none() | st.integers(), max_size=4))
def test_cells_that_are_no_text(cells: list[Any]) -> None:
    """Other cells come back as not_text, and disturb no other row."""
    agree("Bleu", (0.5,), cells, tuple(reversed(cells)))
    agree("Pii", (list(reference.KINDS),), cells)
    agree("ContextF1", ("f1", 0.7, 0.5), [[cell] for cell in cells], [["x"]] * len(cells))
