"""Similarity graders: token overlap of the candidate with a reference text."""

from __future__ import annotations

from typing import Any, Final

from gradestone.backends import BackendName, PairKernel, load_backend
from gradestone.graders.kernels import Runner, Task, over_cap, verdict_of
from gradestone.graders.rows import MISSING_REFERENCE, Batch, is_null
from gradestone.jsontext import text_of
from gradestone.options import ABSENT, Absent, BleuScore, RougeScore, Semantic
from gradestone.reference.limits import MAX_TOKENS
from gradestone.verdict import RowVerdict
from gradestone.wording import Figures, Phrases, against_threshold

_REASONS: Final = {
    "empty_reference": "reference holds nothing to compare with",
    "empty_candidate": "candidate holds no token",
    "over_cap": over_cap(f"{MAX_TOKENS} tokens a side"),
}


def bleu_score(options: BleuScore, backend: BackendName) -> Runner:
    """BLEU-4 on pinned tokens reaches the threshold."""
    kernel = load_backend(backend).Bleu(options.threshold)
    phrases = _phrases("BLEU", options.threshold, _bleu_figures)
    return _against_reference(backend, kernel, options.reference, phrases)


def rouge_score(options: RougeScore, backend: BackendName) -> Runner:
    """ROUGE-1 or ROUGE-L on pinned tokens reaches the threshold."""
    kernel = load_backend(backend).Rouge(options.rouge_type, options.measure, options.threshold)
    phrases = _phrases(f"{options.rouge_type} {options.measure}", options.threshold, _rouge_figures)
    return _against_reference(backend, kernel, options.reference, phrases)


def semantic(options: Semantic, backend: BackendName) -> Runner:
    """The Jaccard overlap of both sides' token sets reaches the threshold."""
    kernel = load_backend(backend).Jaccard(options.threshold)
    phrases = _phrases("token overlap", options.threshold, _jaccard_figures)
    return _against_reference(backend, kernel, ABSENT, phrases)


def _bleu_figures(stats: tuple[int, ...], _hits: tuple[int, ...]) -> dict[str, Any]:
    return {"clipped": list(stats[:4]), "candidate_tokens": stats[4], "reference_tokens": stats[5]}


def _rouge_figures(stats: tuple[int, ...], _hits: tuple[int, ...]) -> dict[str, Any]:
    return {"overlap": stats[0], "candidate_tokens": stats[1], "reference_tokens": stats[2]}


def _jaccard_figures(stats: tuple[int, ...], _hits: tuple[int, ...]) -> dict[str, Any]:
    return {"shared_tokens": stats[0], "all_tokens": stats[1]}


def _phrases(name: str, threshold: float, figures: Figures) -> Phrases:
    return against_threshold(name, threshold, _REASONS, figures)


def _against_reference(
    backend: BackendName,
    kernel: PairKernel,
    reference: str | Absent,
    phrases: Phrases,
) -> Runner:
    def reference_of(batch: Batch, index: int) -> Any:
        if "reference" in batch.columns:
            value = batch.columns["reference"][index]
            return ABSENT if is_null(value) else value
        return batch.reference(index) if isinstance(reference, Absent) else reference

    def decide(batch: Batch, index: int) -> RowVerdict:
        candidate, text = batch.candidate(index), reference_of(batch, index)
        if isinstance(candidate, RowVerdict):
            return candidate
        if isinstance(text, Absent):
            return MISSING_REFERENCE
        if not isinstance(text, str):
            return RowVerdict("invalid_reference", 0.0, f"reference must be text, not {type(text).__name__}")
        return verdict_of(kernel.run((text_of(candidate),), text, 1), backend, phrases)

    def run(batch: Batch) -> Task:
        references = batch.columns.get("reference", reference)
        if isinstance(references, Absent):
            references = batch.references
        if isinstance(references, Absent):
            references = (None,) * len(batch)
        return Task(
            backend, kernel, batch.candidates, references, phrases, lambda index: decide(batch, index)
        )

    return run
