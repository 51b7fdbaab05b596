"""The options of every grader: frozen objects, one class a type, checked once and strictly.

`parse_grader` reads a mapping, the classes are for code; both refuse the same things with the same
`GraderOptionError`, which lists every fault. Only an option that is *absent* takes its default: null, a
boolean for a number, a numeric text, NaN and the like are faults.
"""

from __future__ import annotations

from gradestone.options.absent import ABSENT, Absent
from gradestone.options.base import GraderOptions
from gradestone.options.external import CustomWebhook
from gradestone.options.faults import Fault, GraderOptionError
from gradestone.options.judge import (
    JudgeOptions,
    LlmAnswerMatch,
    LlmCategory,
    LlmJudge,
    LlmPairwise,
    LlmScore,
)
from gradestone.options.match import Contains, Custom, ExactMatch, NotContains, NotRegex, Regex
from gradestone.options.parse import OPTIONS, parse_grader
from gradestone.options.retrieval import ContextF1, LocalizationF1
from gradestone.options.safety import Blocklist, NoPii
from gradestone.options.similarity import BleuScore, RougeScore, Semantic
from gradestone.options.structure import JsonPathAssertion, JsonSchema
from gradestone.options.thresholds import CostThreshold, HttpStatus, LatencyThreshold, TokenThreshold
from gradestone.options.tools import ToolArgumentAssertion, ToolCalled, ToolNotCalled, ToolSequence

__all__ = [
    "ABSENT",
    "OPTIONS",
    "Absent",
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
    "JudgeOptions",
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
    "parse_grader",
]
