"""Retrieval graders: what was retrieved against what should have been."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gradestone.backends import BackendName, load_backend
from gradestone.graders.kernels import Runner, Task, over_cap
from gradestone.graders.row_options import grade_row_options
from gradestone.graders.rows import Batch
from gradestone.options import Absent, ContextF1
from gradestone.reference.limits import MAX_CONTEXT_CHARS, MAX_CONTEXT_MEMBERS
from gradestone.wording import against_threshold

_REASONS: Final = {
    "empty_retrieved": "every retrieved context is empty",
    "empty_expected": "every expected context is empty",
    "over_cap": over_cap(f"{MAX_CONTEXT_MEMBERS} members and {MAX_CONTEXT_CHARS} characters a list"),
}


def context_f1(options: ContextF1, backend: BackendName) -> Runner:
    """Precision, recall or F1 of two lists of contexts reaches the threshold. The candidate is unused."""
    kernel = load_backend(backend).ContextF1(options.measure, options.similarity_threshold, options.threshold)

    phrases = against_threshold(f"context {options.measure}", options.threshold, _REASONS, _figures)

    def run(batch: Batch) -> Task:
        retrieved = _column(batch, "retrieved", options.retrieved)
        expected = _column(batch, "expected", options.expected)
        return Task(
            backend,
            kernel,
            retrieved,
            expected,
            phrases,
            lambda index: grade_row_options(options, batch, index),
        )

    return run


def _figures(stats: tuple[int, ...], _hits: tuple[int, ...]) -> dict[str, Any]:
    names = ("retrieved_matched", "retrieved", "expected_matched", "expected")
    return dict(zip(names, stats, strict=False))


def _column(batch: Batch, name: str, option: Sequence[str] | Absent) -> Sequence[Any]:
    return batch.columns.get(name, (option,) * len(batch))
