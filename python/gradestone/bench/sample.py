"""Texts to time on where the user names none: made up, in the shape of real answers.

Real answers to questions, on which the goals were set, have 246 tokens (1.2 KB) beside references of 384 (1.8 KB), and
44 % of their rows hold text that is not ASCII. These are as long and as mixed; a candidate repeats whole sentences of
its reference, some rows hold an address or a blocked term, and no row repeats another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, NamedTuple


class Pair(NamedTuple):
    """A row: an answer, and what it is compared with."""

    candidate: str
    reference: str


_SEED: Final = 20_261_130
_ONSETS: Final = (
    "b",
    "br",
    "c",
    "ch",
    "d",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "l",
    "m",
    "n",
    "p",
    "pr",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
)
_VOWELS: Final = ("a", "e", "i", "o", "u", "ea", "ou", "ai")
_CODAS: Final = ("", "", "n", "r", "s", "t", "l", "nd", "ng", "st")
_LITTLE: Final = (
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "is",
    "for",
    "that",
    "with",
    "as",
    "on",
    "it",
    "are",
    "or",
    "you",
)
_RARE: Final = (
    " “as they say” –",
    " café naïve –",
    " ’tis 20 °C,",
    " 北京 的 天气 很 好",
    " 🌟",
    " größer als Ω,",
    " élève à l’école,",
)
_TELLING: Final = (
    " Write to maria.keller@example.org.",
    " Call +49 170 1234567.",
    " Sorry, as an AI I cannot.",
    " The host is 10.20.30.40.",
)


def sample(rows: int) -> list[Pair]:
    """Return so many rows, the same at every call.

    >>> pairs = sample(200)
    >>> mean = [sum(len(text.encode()) for text in side) / 200 for side in zip(*pairs)]
    >>> [round(length, -2) for length in mean]
    [1200.0, 1800.0]
    """
    chance = random.Random(_SEED)
    words = [_word(chance) for _ in range(3000)]
    return [_pair(chance, words) for _ in range(rows)]


def _word(chance: random.Random) -> str:
    syllables = chance.choices((1, 2, 3), weights=(5, 4, 1))[0]
    return "".join(
        chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS) for _ in range(syllables)
    )


def _pair(chance: random.Random, words: list[str]) -> Pair:
    topic = chance.sample(words, 120)
    sentences = list(_sentences(chance, topic, chance.uniform(0.3, 1.7) * 1660))
    kept = [sentence for sentence in sentences if chance.random() < 0.3]
    own = list(_sentences(chance, topic, chance.uniform(0.3, 1.7) * 1150 - sum(map(len, kept))))
    mixed = kept + own
    chance.shuffle(mixed)
    rare = chance.choice(_RARE) if chance.random() < 0.44 else ""
    telling = chance.choice(_TELLING) if chance.random() < 0.03 else ""
    return Pair(" ".join(mixed) + telling + rare, _listed(sentences) + rare)


def _sentences(chance: random.Random, topic: list[str], characters: float) -> Iterator[str]:
    written = 0
    while written < characters or not written:
        length = chance.randint(6, 22)
        words = [chance.choice(_LITTLE if chance.random() < 0.45 else topic) for _ in range(length)]
        if chance.random() < 0.1:
            words[length // 2] = str(chance.randint(1, 2026))
        if length > 12:
            words[length // 3] += ","
        sentence = " ".join(words).capitalize() + "."
        written += len(sentence) + 1
        yield sentence


def _listed(sentences: list[str]) -> str:
    """Every fourth reference sentence begins an item of a list, as models like to write."""
    return " ".join(
        f"\n{place // 4 + 1}. **{sentence}**" if place % 4 == 3 else sentence
        for place, sentence in enumerate(sentences)
    )
