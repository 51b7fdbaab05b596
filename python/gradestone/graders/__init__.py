"""The built-in graders: one family a file, one function a type, and the table that finds them.

A type with a kernel is ``(options, backend) -> Runner``, one without is ``(options) -> RowGrader``. Adding a grader is
described in CONTRIBUTING.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gradestone.backends import BackendName
from gradestone.graders import (
    localization,
    match,
    retrieval,
    safety,
    similarity,
    structure,
    thresholds,
    tools,
)
from gradestone.graders.custom import custom
from gradestone.graders.kernels import Runner, Task
from gradestone.graders.outside import Outside, OutsideGrader
from gradestone.graders.row_options import grade_row_options
from gradestone.graders.rows import Batch, RowGrader, grade_rows, guarded
from gradestone.options import GraderOptions
from gradestone.verdict import RowVerdict, Verdicts

WITH_KERNEL: Final[dict[str, Callable[[Any, BackendName], Runner]]] = {
    "exact_match": match.exact_match,
    "contains": match.contains,
    "not_contains": match.not_contains,
    "regex": match.regex,
    "not_regex": match.not_regex,
    "blocklist": safety.blocklist,
    "no_pii": safety.no_pii,
    "bleu_score": similarity.bleu_score,
    "rouge_score": similarity.rouge_score,
    "semantic": similarity.semantic,
    "context_f1": retrieval.context_f1,
    "custom": custom,
}
"""Types that are prepared for a backend; ``custom`` delegates to such types and has no kernel of its own."""

WITHOUT_KERNEL: Final[dict[str, Callable[[Any], RowGrader]]] = {
    "json_schema": structure.json_schema,
    "json_path_assertion": structure.json_path_assertion,
    "localization_f1": localization.localization_f1,
    "tool_called": tools.tool_called,
    "tool_not_called": tools.tool_not_called,
    "tool_sequence": tools.tool_sequence,
    "tool_argument_assertion": tools.tool_argument_assertion,
    "http_status": thresholds.http_status,
    "latency_threshold": thresholds.latency_threshold,
    "cost_threshold": thresholds.cost_threshold,
    "token_threshold": thresholds.token_threshold,
}

OUTSIDE: Final = frozenset(
    {"custom_webhook", "llm_judge", "llm_score", "llm_category", "llm_pairwise", "llm_answer_match"}
)
"""Types that leave the process."""


def outside_grader(options: GraderOptions) -> OutsideGrader:
    """The grader of a type that leaves the process."""
    # Only who calls somebody needs what calls are made with.
    from gradestone.graders import judges, webhook

    makers: dict[str, Callable[[Any], OutsideGrader]] = {
        "custom_webhook": webhook.custom_webhook,
        "llm_judge": judges.llm_judge,
        "llm_score": judges.llm_score,
        "llm_category": judges.llm_category,
        "llm_pairwise": judges.llm_pairwise,
        "llm_answer_match": judges.llm_answer_match,
    }
    return makers[options.type](options)


BY_ROW: Final[dict[str, frozenset[str]]] = {
    "exact_match": frozenset({"expected"}),
    "bleu_score": frozenset({"reference"}),
    "rouge_score": frozenset({"reference"}),
    "context_f1": frozenset({"retrieved", "expected"}),
}
"""Options whose columns a grader reads by itself. With any other column each row's options are checked anew."""


def prepare(options: GraderOptions, backend: BackendName) -> Runner:
    """A grader ready to run on a backend: automata built, patterns and schemas compiled."""
    if options.type in OUTSIDE:
        return lambda batch: Outside(batch, options, outside_grader)
    by_itself = BY_ROW.get(options.type, frozenset())
    # With a required option left to its column there is nothing to prepare before a row is seen.
    run = None if options.missing() - by_itself else _own_runner(options, backend)

    def run_any(batch: Batch) -> Task | Verdicts | Outside:
        if run is not None and (not batch.columns or batch.columns.keys() <= by_itself):
            return run(batch)

        def decide(index: int) -> RowVerdict:
            return grade_row_options(options, batch, index)

        return Verdicts.of([guarded(decide, index) for index in range(len(batch))])

    return run_any


def _own_runner(options: GraderOptions, backend: BackendName) -> Runner:
    if options.type in WITH_KERNEL:
        return WITH_KERNEL[options.type](options, backend)
    grade_row = WITHOUT_KERNEL[options.type](options)
    return lambda batch: grade_rows(grade_row, batch)
