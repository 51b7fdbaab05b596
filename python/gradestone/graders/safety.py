"""Safety graders: what a candidate must not hold.

Both look at a structured candidate's JSON text and at every string inside it, keys included, so that an escaped line
break hides nothing. What was found in the candidate is never quoted: a verdict names kinds of personal data, or terms
that the user gave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gradestone.backends import BackendName, Rows, TextKernel, load_backend
from gradestone.codes import CODE_NAMES
from gradestone.graders.kernels import PASSED, Runner, collect, verdict_of
from gradestone.graders.rows import Batch
from gradestone.jsontext import inner_strings, stringify
from gradestone.options import Absent, Blocklist, NoPii
from gradestone.reference.pii import KINDS
from gradestone.verdict import RowVerdict, Verdicts, quote

Named = Callable[[Sequence[int]], tuple[str, dict[str, Any]]]
"""The reason and the metadata of a hit, from the ascending indices of what hit."""


def blocklist(options: Blocklist, backend: BackendName) -> Runner:
    """No term occurs as a whole word, ignoring case."""

    def named(hits: Sequence[int]) -> tuple[str, dict[str, Any]]:
        terms = [options.terms[hit] for hit in hits]
        return f"blocked term: {', '.join(map(quote, terms))}", {"hits": terms}

    return _nothing_found(load_backend(backend).Blocklist(options.terms), "blocked_term", named)


def no_pii(options: NoPii, backend: BackendName) -> Runner:
    """No personal data of the chosen kinds is found."""
    kinds = KINDS if isinstance(options.entities, Absent) else options.entities

    def named(hits: Sequence[int]) -> tuple[str, dict[str, Any]]:
        entities = [KINDS[hit] for hit in hits]
        return f"personal data found: {', '.join(entities)}", {"entities": entities}

    return _nothing_found(load_backend(backend).Pii(kinds), "pii_found", named)


def _nothing_found(kernel: TextKernel, found: str, named: Named) -> Runner:
    def explain(code: str, rows: Rows, index: int) -> tuple[str, dict[str, Any]]:
        return named(rows.hits(index)) if code == found else (PASSED, {})

    def decide(batch: Batch, index: int) -> RowVerdict:
        candidate = batch.candidate(index)
        if isinstance(candidate, RowVerdict):
            return candidate
        texts = [stringify(candidate), *inner_strings(candidate)]
        rows = kernel.run(texts, 1)
        codes = [CODE_NAMES[code] for code in rows.codes.translate(batch.codes)]
        broken = next((row for row, code in enumerate(codes) if code not in ("ok", found)), None)
        if broken is not None:
            return verdict_of(rows, batch.codes, explain, broken)
        hits = sorted({hit for row in range(len(texts)) for hit in rows.hits(row)})
        return RowVerdict(found, 0.0, *named(hits)) if hits else RowVerdict("ok", 1.0, PASSED)

    def run(batch: Batch) -> Verdicts:
        rows = kernel.run(batch.candidates, batch.threads)
        return collect(rows, batch.codes, explain, lambda index: decide(batch, index))

    return run
