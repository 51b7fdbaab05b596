"""Running a kernel over a batch, and looking after the rows that a kernel does not take.

A kernel sees text only. A cell that is something else (a JSON value, a null, an object that is no JSON) comes back as
``not_text``, a text that the fast pattern engine cannot read as ``needs_engine``; such rows are decided one by one, and
all others cost nothing in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any, Final

from gradestone.backends import Rows
from gradestone.codes import CODE_INDEX, CODE_NAMES
from gradestone.graders.rows import Batch, guarded
from gradestone.verdict import RowVerdict, Verdicts

Explain = Callable[[str, Rows, int], tuple[str, dict[str, Any]]]
"""``(code, rows, index) -> (reason, metadata)`` of a row that a kernel decided."""

Figures = Callable[[tuple[int, ...]], dict[str, Any]]
"""What a kernel's integers are called in the metadata."""

Runner = Callable[[Batch], Verdicts]
"""A grader whose options are prepared for one backend."""

PASSED: Final = "passed"
"""The reason of a verdict that passed and has no figure to show."""

UNDECIDED: Final = 255
"""What the table of a backend maps a request to the caller to."""


def over_cap(cap: str) -> str:
    """The reason of an input that is too large; the first words are pinned."""
    return f"input exceeds grader size cap: at most {cap}"


def scored(name: str, threshold: float, reasons: Mapping[str, str], figures: Figures) -> Explain:
    """How a scored grader explains a row: a fixed reason where nothing was scored, else score against threshold."""

    def explain(code: str, rows: Rows, index: int) -> tuple[str, dict[str, Any]]:
        if code in reasons:
            return reasons[code], {}
        score = memoryview(rows.scores).cast("d")[index]
        sign = ">=" if code == "ok" else "<"
        return f"{name} {score:.4f} {sign} threshold {threshold:g}", figures(rows.stats(index))

    return explain


def collect(rows: Rows, table: bytes, explain: Explain, decide: Callable[[int], RowVerdict]) -> Verdicts:
    """The verdicts of a kernel's rows, with those it left undecided put to ``decide``."""
    codes = bytearray(rows.codes.translate(table))
    if UNDECIDED not in codes:
        return Verdicts(codes, rows.scores, lambda index: _explained(explain, codes[index], rows, index))

    scores = array("d", rows.scores)
    decided: dict[int, RowVerdict] = {}
    index = codes.find(UNDECIDED)
    while index >= 0:
        verdict = guarded(decide, index)
        decided[index] = verdict
        codes[index] = CODE_INDEX[verdict.code]
        scores[index] = verdict.score
        index = codes.find(UNDECIDED, index + 1)

    def explain_any(index: int) -> tuple[str, dict[str, Any]]:
        verdict = decided.get(index)
        if verdict is not None:
            return verdict.reason, verdict.metadata or {}
        return _explained(explain, codes[index], rows, index)

    return Verdicts(codes, scores.tobytes(), explain_any)


def verdict_of(rows: Rows, table: bytes, explain: Explain, index: int = 0) -> RowVerdict:
    """One row that a kernel did decide, as a `RowVerdict`."""
    code = rows.codes.translate(table)[index]
    score = memoryview(rows.scores).cast("d")[index]
    return RowVerdict(CODE_NAMES[code], score, *_explained(explain, code, rows, index))


def _explained(explain: Explain, code: int, rows: Rows, index: int) -> tuple[str, dict[str, Any]]:
    if code == _INTERNAL_ERROR:
        return "the kernel broke on this row", {}
    return explain(CODE_NAMES[code], rows, index)


_INTERNAL_ERROR: Final = CODE_INDEX["internal_error"]
