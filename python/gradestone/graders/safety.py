"""Safety graders: what a candidate must not hold.

Both look at a structured candidate's JSON text and at every string inside it, keys included, so that an escaped line
break hides nothing. What was found in the candidate is never quoted: a verdict names kinds of personal data, or terms
that the user gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradestone.backends import BackendName, TextKernel, code_table, load_backend
from gradestone.codes import CODE_NAMES
from gradestone.graders.kernels import Runner, Task, verdict_of
from gradestone.graders.rows import Batch
from gradestone.jsontext import inner_strings, stringify
from gradestone.options import Absent, Blocklist, NoPii
from gradestone.reference.pii import KINDS
from gradestone.verdict import RowVerdict, quote
from gradestone.wording import PASSED, Phrases


def blocklist(options: Blocklist, backend: BackendName) -> Runner:
    """No term occurs as a whole word, ignoring case."""
    terms = options.terms

    def figures(_stats: tuple[int, ...], hits: Sequence[int]) -> dict[str, Any]:
        return {"hits": [terms[hit] for hit in hits]}

    found = "blocked_term"
    words = {found: ("blocked term: ", [quote(term) for term in terms])}
    phrases = Phrases(fixed={"ok": PASSED}, hits=words, figures=figures)
    return _nothing_found(backend, load_backend(backend).Blocklist(terms), found, phrases)


def no_pii(options: NoPii, backend: BackendName) -> Runner:
    """No personal data of the chosen kinds is found."""
    kinds = KINDS if isinstance(options.entities, Absent) else options.entities

    def figures(_stats: tuple[int, ...], hits: Sequence[int]) -> dict[str, Any]:
        return {"entities": [KINDS[hit] for hit in hits]}

    found = "pii_found"
    words = {found: ("personal data found: ", KINDS)}
    phrases = Phrases(fixed={"ok": PASSED}, hits=words, figures=figures)
    return _nothing_found(backend, load_backend(backend).Pii(kinds), found, phrases)


def _nothing_found(backend: BackendName, kernel: TextKernel, found: str, phrases: Phrases) -> Runner:
    before, words = phrases.hits[found]

    def decide(batch: Batch, index: int) -> RowVerdict:
        candidate = batch.candidate(index)
        if isinstance(candidate, RowVerdict):
            return candidate
        texts = [stringify(candidate), *inner_strings(candidate)]
        rows = kernel.run(texts, 1)
        codes = [CODE_NAMES[code] for code in rows.codes.translate(code_table(backend))]
        broken = next((row for row, code in enumerate(codes) if code not in ("ok", found)), None)
        if broken is not None:
            return verdict_of(rows, backend, phrases, broken)
        hits = tuple(sorted({hit for row in range(len(texts)) for hit in rows.hits(row)}))
        if not hits:
            return RowVerdict("ok", 1.0, PASSED)
        reason = before + ", ".join([words[hit] for hit in hits])
        return RowVerdict(found, 0.0, reason, phrases.figures((), hits))

    def run(batch: Batch) -> Task:
        return Task(backend, kernel, batch.candidates, None, phrases, lambda index: decide(batch, index))

    return run
