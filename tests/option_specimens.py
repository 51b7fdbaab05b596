"""One acceptable mapping a grader type: the required options and nothing else."""

from __future__ import annotations

from typing import Any

from gradestone.options import GraderOptionError, parse_grader

MINIMAL: dict[str, dict[str, Any]] = {
    "exact_match": {},
    "contains": {"fragments": ["a"]},
    "not_contains": {"fragments": ["a"]},
    "regex": {"pattern": "a"},
    "not_regex": {"pattern": "a"},
    "blocklist": {"terms": ["a"]},
    "json_schema": {"schema": {"type": "object"}},
    "json_path_assertion": {"path": "a"},
    "tool_called": {"tools": ["a"]},
    "tool_not_called": {"tools": ["a"]},
    "tool_sequence": {"tools": ["a"]},
    "tool_argument_assertion": {"tool": "a", "path": "b", "equals": 1},
    "http_status": {"status": 200},
    "latency_threshold": {"p95_ms": 250},
    "cost_threshold": {"max_usd": 0.05},
    "token_threshold": {"max_tokens": 800},
    "bleu_score": {},
    "rouge_score": {},
    "context_f1": {"retrieved": ["a"], "expected": ["a"]},
    "no_pii": {},
    "localization_f1": {},
    "custom_webhook": {"url": "https://grader.example.org"},
    "llm_judge": {"rubric": "r"},
    "llm_score": {"rubric": "r", "min_score": 0.5},
    "llm_category": {"prompt": "p", "categories": ["a", "b"], "passing_categories": ["a"]},
    "llm_pairwise": {"baseline": "b", "criteria": "c"},
    "llm_answer_match": {"expected": "e"},
    "semantic": {},
    "custom": {},
}


def mapping_of(type_: str, **options: Any) -> dict[str, Any]:
    """The minimal mapping of a type, with some options set."""
    return {"type": type_} | MINIMAL[type_] | options


def faults_of(mapping: dict[str, Any], columns: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    """``(option, code)`` of every fault of a mapping; empty when it is acceptable."""
    try:
        parse_grader(mapping, columns=columns)
    except GraderOptionError as error:
        return [(fault.option, fault.code) for fault in error.faults]
    return []
