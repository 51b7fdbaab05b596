"""What a score was computed with, as one short string that travels with it.

Two scores may be compared when their signatures are equal. The parts: the metric, what of its options changes the
figure (a threshold does not), the pinned tokenizer, the Unicode version of the lowercasing, and the version of the
contract. None of them claims comparability with a published BLEU or ROUGE figure.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from gradestone.options import Absent, GraderOptions

UNICODE_VERSION: Final = 17
"""The Unicode version of lowercasing; a test holds it to the compiler's tables."""

CONTRACT_VERSION: Final = 1
"""Raised whenever a verdict changes."""

_LOWERED: Final = f"u:{UNICODE_VERSION}"
_TOKENS: Final = f"tok:pinned1|{_LOWERED}"


def _exact_match(options: Any) -> str:
    case = "keep" if options.case_sensitive else "lower"
    punctuation = "drop" if options.remove_punctuation else "keep"
    return f"exact_match|case:{case}|punct:{punctuation}|{_LOWERED}"


def _no_pii(options: Any) -> str:
    kinds = "all" if isinstance(options.entities, Absent) else "+".join(options.entities)
    return f"no_pii|kinds:{kinds}"


def _judged(options: Any) -> str:
    """The judge's model, and what it is told: not the keys, nor who is asked and for how long."""
    from hashlib import sha256  # for judges alone

    told = {name: value for name, value in options.to_mapping().items() if name in _TOLD}
    digest = sha256(repr(sorted(told.items())).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{options.type}|model:{options.model}|told:{digest}"


_TOLD: Final = frozenset({"rubric", "prompt", "categories", "baseline", "criteria", "expected"})

_BODIES: Final[dict[str, Callable[[Any], str]]] = {
    "exact_match": _exact_match,
    "regex": lambda _: "regex|dialect:re-ascii",
    "not_regex": lambda _: "not_regex|dialect:re-ascii",
    "blocklist": lambda _: f"blocklist|border:a-z0-9|{_LOWERED}",
    "no_pii": _no_pii,
    "bleu_score": lambda _: f"bleu|{_TOKENS.replace('|', '|n:4|smooth:half|', 1)}",
    "rouge_score": lambda options: f"rouge|type:{options.rouge_type}|measure:{options.measure}|{_TOKENS}",
    "semantic": lambda _: f"semantic|jaccard|{_TOKENS}",
    "context_f1": lambda options: (
        f"context_f1|measure:{options.measure}|sim:lev>={options.similarity_threshold:g}|{_LOWERED}"
    ),
    **dict.fromkeys(("llm_judge", "llm_score", "llm_category", "llm_pairwise", "llm_answer_match"), _judged),
}


def signature_of(options: GraderOptions) -> str:
    """The signature of a grader with these options.

    >>> from gradestone import BleuScore
    >>> signature_of(BleuScore(reference="a"))
    'bleu|tok:pinned1|n:4|smooth:half|u:17|c:1'
    """
    body = _BODIES.get(options.type)
    return f"{body(options) if body else options.type}|c:{CONTRACT_VERSION}"
