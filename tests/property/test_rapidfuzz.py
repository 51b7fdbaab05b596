"""The integers against RapidFuzz, which is nobody's twin here."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein
from tests.texts import sentences, texts

from gradestone import _core
from gradestone.reference.context import normalise
from gradestone.reference.levenshtein import distance
from gradestone.reference.tokenizer import tokens

SIDES = (
    st.tuples(sentences, sentences)
    | st.tuples(texts, texts)
    | st.tuples(st.text("ab", max_size=300), st.text("ab", max_size=300))
)


@given(SIDES)
def test_the_longest_common_subsequence(sides: tuple[str, str]) -> None:
    """ROUGE-L's overlap on tokens, in the kernel."""
    candidate, reference = sides
    rows = _core.Rouge("rouge_l", "fmeasure", 0.5).run((candidate,), (reference,), 1)
    if _core.CODES[rows.codes[0]] in ("ok", "below_threshold"):
        assert rows.stats(0)[0] == LCSseq.similarity(tokens(candidate), tokens(reference))


@given(st.tuples(texts, texts) | st.tuples(st.text("abc", max_size=140), st.text("abc", max_size=140)))
def test_the_edit_distance(sides: tuple[str, str]) -> None:
    """The plain distance, in code points, lone surrogates among them."""
    left, right = sides
    assert distance(left, right) == Levenshtein.distance(left, right)


@given(
    st.tuples(texts, texts) | st.tuples(st.text("abc", max_size=300), st.text("abc", max_size=300)),
    st.floats(0, 1),
)
def test_what_counts_as_the_same_context(sides: tuple[str, str], threshold: float) -> None:
    """The kernel, which cuts the distance off early, decides as the whole distance does."""
    left, right = map(normalise, sides)
    if not left or not right:
        return
    rows = _core.ContextF1("f1", threshold, 0.5).run(([left],), ([right],), 1)
    similar = 1.0 - Levenshtein.distance(normalise(left), normalise(right)) / max(len(left), len(right))
    assert (rows.stats(0)[0] == 1) == (similar >= threshold)
