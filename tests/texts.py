"""Hypothesis strategies for texts full of what graders trip over."""

from __future__ import annotations

from hypothesis import strategies as st

AWKWARD = (
    "a", "b", "Z", "k", "0", "9", " ", "\t", "\n", "\r\n", "\f", "\v",
    "\u00a0", "\u0085", "\u2028", "\u2029", "\ufeff", "\u001c", "\u200b", "\u180e", "\u3000", "\x00",
    "\u212a", "\u0130", "\u03a3", "\u03c3", "\u03c2", "\u0301", "'", "\u00df", "\u1e9e", "\u00c9", "\u017f",
    "\U00010400", "\U0001f600", "\U0001f468\u200d\U0001f469", "\ud800", "\udfff", "\u65e5", "\u0e02",
    ".", ",", "!", "-", "+", "(", ")", "@", ":", "_", "\u1c89", "\ua7cb", "\U00010d50", "\u0378",
)  # fmt: skip
"""Seams of the rules, one a member, so that hypothesis shrinks to few of them."""

awkward_texts = st.lists(st.sampled_from(AWKWARD), max_size=30).map("".join)
"""Texts of these alone."""

any_texts = st.text(st.characters(), max_size=40) | st.text(
    st.characters(categories=["Cs", "L", "N"]), max_size=20
)
"""Any code points, lone surrogates among them."""

texts = awkward_texts | any_texts

_FEW_WORDS = st.sampled_from(["the", "cat", "sat", "on", "mat", "\u65e5", "!", "7"])
lengths = st.sampled_from([0, 1, 2, 3, 4, 5, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130, 192, 193])
"""Token counts on both sides of the machine words that the bit-parallel kernels work in."""


def _sentence(length: int) -> st.SearchStrategy[str]:
    return st.lists(_FEW_WORDS, min_size=length, max_size=length).map(" ".join)


sentences = lengths.flatmap(_sentence)
"""Texts of few different words and of a length at a seam."""
