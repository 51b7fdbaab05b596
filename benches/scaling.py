"""Series of sizes, one group each: how the time of a row grows with the row, and that of a batch with its rows."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib import metadata
from importlib.util import find_spec
from itertools import islice
from typing import Any

from benches.corpus import load
from benches.turns import Group, Part, as_they_are, ours

from gradestone import compile_grader, grade_batch
from gradestone.bench.contest import Side
from gradestone.bench.sample import Pair
from gradestone.reference.tokenizer import tokens

TOKENS = (16, 64, 256, 1024, 4096)
TERMS = (10, 100, 1_000, 10_000)
SYLLABLES = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]
MEMBERS = (2, 4, 8, 16, 32, 64)
ROWS = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
THREADS = (1, 2)
SHORT = 100
"""Characters of a short row."""

LEAST_TOKENS = 65_536
"""Tokens a side, all rows together, so that a round of short rows is long enough to time."""

LEAST_ROWS = 10_000
"""Rows of a round, by repeated calls where a batch has fewer."""

SCORED = {
    "bleu_score": {"type": "bleu_score"},
    "rouge_score rouge_1": {"type": "rouge_score", "rouge_type": "rouge_1"},
    "rouge_score rouge_l": {"type": "rouge_score", "rouge_type": "rouge_l"},
}
SHORT_ROWS = {
    "contains": {"type": "contains", "fragments": ["needle"]},
    "exact_match": {"type": "exact_match", "expected": "needle"},
}


def by_tokens() -> list[Group]:
    """BLEU and ROUGE on texts of so many tokens, cut from the corpus."""

    def part(work: str, size: int) -> Part:
        compiled = compile_grader(SCORED[work])
        rows = max(4, LEAST_TOKENS // size)
        candidates, references = (list(column) for column in zip(*islice(texts_of(size), rows), strict=True))

        def run() -> Any:
            return grade_batch(compiled, candidates, references=references, threads=1)

        assert "over_cap" not in set(run().code.tolist())
        return Part(ours(rows, run), {"family": "tokens", "work": work, "size": size})

    return [_series(f"tokens: {work}", TOKENS, partial(part, work)) for work in SCORED]


def texts_of(size: int) -> Iterator[tuple[str, str]]:
    """Pairs of so many pinned tokens a side: a pair of the corpus, filled up from those that follow it."""
    yield from zip(_cut("candidate", size), _cut("reference", size), strict=False)


def _cut(side: str, size: int) -> Iterator[str]:
    gathered: list[str] = []
    while True:
        for pair in load(1000):
            gathered += _tokens(pair, side)
            if len(gathered) >= size:
                yield " ".join(gathered[:size])
                gathered = []


@cache
def _tokens(pair: Pair, side: str) -> tuple[str, ...]:
    return tuple(tokens(getattr(pair, side)))


def by_members() -> list[Group]:
    """context_f1 on lists of so many sentences a side, of at most 120 characters each: the cap is on all together."""
    compiled = compile_grader({"type": "context_f1"}, columns=("retrieved", "expected"))

    def part(size: int) -> Part:
        rows = max(20, 4096 // size)
        columns = {
            "retrieved": list(islice(sentences("candidate", size), rows)),
            "expected": list(islice(sentences("reference", size), rows)),
        }
        candidates = [""] * rows

        def run() -> Any:
            return grade_batch(compiled, candidates, columns=columns, threads=1)

        assert "over_cap" not in set(run().code.tolist())
        return Part(ours(rows, run), {"family": "members", "work": "context_f1", "size": size})

    return [_series("members: context_f1", MEMBERS, part)]


def sentences(side: str, size: int) -> Iterator[list[str]]:
    gathered: list[str] = []
    while True:
        for pair in load(1000):
            gathered += [part[:120] for part in re.split(r"(?<=[.!?])\s+", getattr(pair, side)) if part]
            while len(gathered) >= size:
                yield gathered[:size]
                del gathered[:size]


def by_terms() -> list[Group]:
    """A blocklist of so many terms on the corpus, and hyperscan with the same terms where it is installed."""
    sides = ["gradestone"] + ["hyperscan"] * (find_spec("hyperscan") is not None)

    def part(size: int, name: str) -> Part:
        terms = made_terms(size)
        texts = [pair.candidate for pair in load(1000)]
        side = hyperscan(terms, texts) if name == "hyperscan" else blocklist(terms, texts)
        return Part(side, {"family": "terms", "work": "blocklist", "size": size})

    points = [(size, side) for size in TERMS for side in sides]
    return [_series("terms: blocklist", points, lambda point: part(*point))]


def made_terms(count: int) -> list[str]:
    """Terms like a list of names: made-up words, every fourth of two, of which next to none occurs."""
    chance = random.Random(29)

    def word() -> str:
        return "".join(chance.choice(SYLLABLES) for _ in range(chance.randint(2, 4)))

    found: dict[str, None] = {}
    while len(found) < count:
        found[f"{word()} {word()}" if len(found) % 4 == 0 else word()] = None
    return list(found)


def blocklist(terms: Sequence[str], texts: Sequence[str]) -> Side:
    compiled = compile_grader({"type": "blocklist", "terms": terms})
    return ours(len(texts), lambda: grade_batch(compiled, texts, threads=1))


def hyperscan(terms: Sequence[str], texts: Sequence[str]) -> Side:
    """One scan a text, which tells the terms apart but looks at no borders."""
    import hyperscan as library

    database = library.Database()
    flags = library.HS_FLAG_CASELESS | library.HS_FLAG_SINGLEMATCH
    database.compile([re.escape(term).encode() for term in terms], flags=flags)
    scratch = library.Scratch(database)

    def run() -> None:
        for text in texts:
            found: list[int] = []
            database.scan(
                text.encode(),
                match_event_handler=lambda term, *_, found=found: found.append(term),
                scratch=scratch,
            )

    version = metadata.version("hyperscan")
    note = "no borders, ASCII case only"
    return Side(
        name="hyperscan", version=version, role="peer", rows=len(texts), run=run, fresh=as_they_are, note=note
    )


def by_rows() -> list[Group]:
    """Batches of so many short rows, on one thread and on two."""
    points = [(size, threads) for size in ROWS for threads in THREADS]

    def prepare(work: str) -> Mapping[str, Part]:
        # All different: no row is in the caches because the one before was the same.
        texts = [f"{number:0{SHORT}}" for number in range(ROWS[-1])]
        return {str(point): _batch(work, texts[: point[0]], point[1]) for point in points}

    names = [str(point) for point in points]
    return [Group(f"rows: {work}", names, partial(prepare, work)) for work in SHORT_ROWS]


def _batch(work: str, texts: Sequence[str], threads: int) -> Part:
    compiled = compile_grader(SHORT_ROWS[work])
    calls = max(1, LEAST_ROWS // len(texts))

    def run() -> None:
        for _ in range(calls):
            grade_batch(compiled, texts, threads=threads)

    facts = {"family": "rows", "work": work, "size": len(texts), "threads": threads}
    return Part(ours(len(texts) * calls, run), facts)


def one_call() -> list[Group]:
    """`grade` with a compiled grader, on one short text."""

    def part(work: str) -> Part:
        compiled = compile_grader(SHORT_ROWS[work])
        text = "x" * SHORT

        def run() -> None:
            for _ in range(LEAST_ROWS):
                compiled(text)

        return Part(ours(LEAST_ROWS, run), {"family": "call", "work": work, "size": 1})

    return [_series(f"one call: {work}", (work,), part) for work in SHORT_ROWS]


def _series(name: str, points: Sequence[Any], part: Callable[[Any], Part]) -> Group:
    def prepare() -> Mapping[str, Part]:
        return {str(point): part(point) for point in points}

    return Group(name, [str(point) for point in points], prepare)
