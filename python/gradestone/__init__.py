"""gradestone grades the outputs of language models: in bulk, at native speed, failing closed.

>>> import gradestone
>>> gradestone.grade({"type": "exact_match", "expected": "Paris"}, "paris").passed
True
"""

from __future__ import annotations

from importlib import import_module

# Type checkers take the name for true. The module `typing` would cost more than all the rest of this import.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from gradestone.codes import CODES, Outcome
    from gradestone.compiled import CompiledGrader, Grader, compile_grader
    from gradestone.grading import (
        agrade,
        agrade_batch,
        agrade_many,
        estimate_many,
        grade,
        grade_batch,
        grade_many,
    )
    from gradestone.judge.cache import ReplyCache
    from gradestone.net import GradeDeps
    from gradestone.options import (
        ABSENT,
        BleuScore,
        Blocklist,
        Contains,
        ContextF1,
        CostThreshold,
        Custom,
        CustomWebhook,
        ExactMatch,
        Fault,
        GraderOptionError,
        GraderOptions,
        HttpStatus,
        JsonPathAssertion,
        JsonSchema,
        LatencyThreshold,
        LlmAnswerMatch,
        LlmCategory,
        LlmJudge,
        LlmPairwise,
        LlmScore,
        LocalizationF1,
        NoPii,
        NotContains,
        NotRegex,
        Regex,
        RougeScore,
        Semantic,
        TokenThreshold,
        ToolArgumentAssertion,
        ToolCalled,
        ToolNotCalled,
        ToolSequence,
    )
    from gradestone.registry import load_registry
    from gradestone.verdict import GradeBatch, GradeResult

__version__ = "0.1.0"

_HOMES = {
    "gradestone.codes": ("CODES", "Outcome"),
    "gradestone.compiled": ("CompiledGrader", "Grader", "compile_grader"),
    "gradestone.grading": (
        "agrade",
        "agrade_batch",
        "agrade_many",
        "estimate_many",
        "grade",
        "grade_batch",
        "grade_many",
    ),
    "gradestone.options": (
        "ABSENT",
        "BleuScore",
        "Blocklist",
        "Contains",
        "ContextF1",
        "CostThreshold",
        "Custom",
        "CustomWebhook",
        "ExactMatch",
        "Fault",
        "GraderOptionError",
        "GraderOptions",
        "HttpStatus",
        "JsonPathAssertion",
        "JsonSchema",
        "LatencyThreshold",
        "LlmAnswerMatch",
        "LlmCategory",
        "LlmJudge",
        "LlmPairwise",
        "LlmScore",
        "LocalizationF1",
        "NoPii",
        "NotContains",
        "NotRegex",
        "Regex",
        "RougeScore",
        "Semantic",
        "TokenThreshold",
        "ToolArgumentAssertion",
        "ToolCalled",
        "ToolNotCalled",
        "ToolSequence",
    ),
    "gradestone.judge.cache": ("ReplyCache",),
    "gradestone.net": ("GradeDeps",),
    "gradestone.registry": ("load_registry",),
    "gradestone.verdict": ("GradeBatch", "GradeResult"),
}
# Importing the package loads none of its modules: a name's home is imported when the name is first asked for.
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "ABSENT",
    "CODES",
    "BleuScore",
    "Blocklist",
    "CompiledGrader",
    "Contains",
    "ContextF1",
    "CostThreshold",
    "Custom",
    "CustomWebhook",
    "ExactMatch",
    "Fault",
    "GradeBatch",
    "GradeDeps",
    "GradeResult",
    "Grader",
    "GraderOptionError",
    "GraderOptions",
    "HttpStatus",
    "JsonPathAssertion",
    "JsonSchema",
    "LatencyThreshold",
    "LlmAnswerMatch",
    "LlmCategory",
    "LlmJudge",
    "LlmPairwise",
    "LlmScore",
    "LocalizationF1",
    "NoPii",
    "NotContains",
    "NotRegex",
    "Outcome",
    "Regex",
    "ReplyCache",
    "RougeScore",
    "Semantic",
    "TokenThreshold",
    "ToolArgumentAssertion",
    "ToolCalled",
    "ToolNotCalled",
    "ToolSequence",
    "__version__",
    "agrade",
    "agrade_batch",
    "agrade_many",
    "compile_grader",
    "estimate_many",
    "grade",
    "grade_batch",
    "grade_many",
    "load_registry",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'gradestone' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
