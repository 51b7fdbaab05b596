"""Peers of blocklist, no_pii, regex, contains and exact_match."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from gradestone.bench.asking import Run
from gradestone.bench.texts import Texts
from gradestone.bench.works import Work


def _scanner(patterns: Sequence[bytes], flags: int) -> Callable[[str], list[int]]:
    """Which patterns match a text. Scanning ends nowhere early: each pattern that matches is told once."""
    import hyperscan

    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    numbers = list(range(len(patterns)))
    each = [flags | hyperscan.HS_FLAG_SINGLEMATCH] * len(patterns)
    database.compile(expressions=list(patterns), ids=numbers, flags=each)
    database.scratch = hyperscan.Scratch(database)

    def scan(text: str) -> list[int]:
        found: list[int] = []
        database.scan(text.encode(), match_event_handler=lambda number, *_: found.append(number))
        return found

    return scan


def hyperscan_terms(work: Work, texts: Texts) -> Run:
    """All terms at once, without regard to case."""
    import hyperscan

    patterns = [re.escape(term).encode() for term in work.grader["terms"]]
    scan = _scanner(patterns, hyperscan.HS_FLAG_CASELESS)
    return lambda: [scan(text) for text in texts.candidates]


def ahocorasick_rs(work: Work, texts: Texts) -> Run:
    """All terms at once in the lowercase text."""
    from ahocorasick_rs import AhoCorasick

    automaton = AhoCorasick(work.grader["terms"])
    return lambda: [
        automaton.find_matches_as_indexes(text.lower(), overlapping=True) for text in texts.candidates
    ]


def pyahocorasick(work: Work, texts: Texts) -> Run:
    """All terms at once in the lowercase text."""
    import ahocorasick

    automaton = ahocorasick.Automaton()
    for term in work.grader["terms"]:
        automaton.add_word(term, term)
    automaton.make_automaton()
    return lambda: [list(automaton.iter(text.lower())) for text in texts.candidates]


PII: Final = (
    rb"[A-Za-z0-9._%+-]@[A-Za-z0-9.-]+\.[A-Za-z]{2}",
    rb"\b(?:\d[ -]?){12,18}\d\b",
    rb"\b[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}\b",
    rb"\b(?:\d{1,3}\.){3}\d{1,3}\b",
    rb"(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}",
    rb"\+[\d\s().-]{6,}\d",
    rb"\b(?:[13][1-9A-HJ-NP-Za-km-z]{25,34}|bc1[a-z0-9]{25,60})\b",
)
"""The seven kinds, without the checksums and with borders where they cost nothing."""


def hyperscan_pii(work: Work, texts: Texts) -> Run:
    """Seven simplified patterns at once."""
    del work
    scan = _scanner(PII, 0)
    return lambda: [scan(text) for text in texts.candidates]


def datafog(work: Work, texts: Texts) -> Run:
    """Its engine of regular expressions."""
    del work
    from datafog import scan

    return lambda: [scan(text, engine="regex").entities for text in texts.candidates]


def re_search(work: Work, texts: Texts) -> Run:
    """The standard library's search."""
    search = re.compile(work.grader["pattern"], re.ASCII).search
    return lambda: [search(text) is not None for text in texts.candidates]


def plain_contains(work: Work, texts: Texts) -> Run:
    """`in`, a fragment after the other."""
    fragments = work.grader["fragments"]
    return lambda: [all(fragment in text for fragment in fragments) for text in texts.candidates]


def plain_exact(work: Work, texts: Texts) -> Run:
    """Stripped and lowercased sides compared."""
    del work

    def same(pair: tuple[str, str]) -> bool:
        one, other = pair
        return one.strip().lower() == other.strip().lower()

    return lambda: [same(pair) for pair in texts.pairs]
