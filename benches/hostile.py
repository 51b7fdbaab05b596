"""How long the worst inputs take: megabytes made to be slow, one call each, one thread.

    python benches/hostile.py

Nothing here is a test: a limit of time would fail on a busy machine. The tests pin the verdicts, this shows figures.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from gradestone import compile_grader, grade

MEGABYTE = 1_000_000


def filled(piece: str) -> str:
    """A megabyte of one piece."""
    return (piece * (MEGABYTE // len(piece) + 1))[:MEGABYTE]


SUFFIXES = ["a" * length for length in range(1, 1001)]
NO_PII = {"type": "no_pii"}
PIECES = (
    "a@a@",
    "1.1.1.",
    "256.",
    "::::",
    "+((((",
    "aaaa",
    "a.a.",
    "1",
    "+1",
    "ab:",
    "f",
    "1 1-",
    "bc1q",
    "DE89",
)
CASES: list[tuple[str, dict[str, Any], Any]] = [
    *((f"no_pii on 1 MB of {piece}…", NO_PII, filled(piece)) for piece in PIECES),
    ("no_pii on 10 MB of words", NO_PII, "lorem ipsum dolor " * 600_000),
    (
        "blocklist, 1 000 terms a, aa, aaa…, on 1 MB of a",
        {"type": "blocklist", "terms": SUFFIXES},
        filled("a"),
    ),
    ("blocklist, 1 000 terms, on 1 MB of é", {"type": "blocklist", "terms": SUFFIXES}, filled("é")),
    ("bleu_score, 100 000 tokens", {"type": "bleu_score", "reference": "x"}, "word " * 100_000),
    ("bleu_score, 10 MB", {"type": "bleu_score", "reference": "x"}, "lorem ipsum " * 850_000),
    ("bleu_score, 10 MB of Σ", {"type": "bleu_score", "reference": "x"}, "Σ" * 5_000_000),
    (
        "bleu_score, 10 MB of combining marks after Σ",
        {"type": "bleu_score", "reference": "x"},
        "Σ" + "\u0301" * 5_000_000,
    ),
    (
        "rouge_l at the cap, 4 096 tokens a side",
        {"type": "rouge_score", "rouge_type": "rouge_l", "reference": "a b c d " * 1024},
        "b d a c " * 1024,
    ),
    (
        "rouge_l, 10 MB",
        {"type": "rouge_score", "rouge_type": "rouge_l", "reference": "x"},
        "lorem ipsum " * 850_000,
    ),
    ("exact_match, 10 MB", {"type": "exact_match", "expected": "x"}, "lorem ipsum " * 850_000),
    (
        "contains, 10 MB of a against aaa…b",
        {"type": "contains", "fragments": ["a" * 1000 + "b"]},
        "a" * 10_000_000,
    ),
    (
        "context_f1 at the cap, 64 contexts of 128 characters a side",
        {"type": "context_f1", "retrieved": ["ab" * 64] * 64, "expected": ["ba" * 63 + "cc"] * 64},
        None,
    ),
    (
        "context_f1 at the cap, one context of 8 192 characters a side",
        {"type": "context_f1", "retrieved": ["ab" * 4096], "expected": ["ba" * 4096]},
        None,
    ),
    (
        "regex on the linear engine, 65 536 characters",
        {"type": "regex", "pattern": r"[a-z]*[0-9]{0,50}x$"},
        "a" * 65_536,
    ),
    ("regex that reaches its deadline", {"type": "regex", "pattern": "a*a*a*a*a*a*a*a*(?=b)"}, "a" * 65_536),
    ("json_schema, 60 000 levels of text", {"type": "json_schema", "schema": {}}, "[" * 60_000),
    (
        "json_schema, (a+)+$ in the schema",
        {"type": "json_schema", "schema": {"pattern": "(a+)+$"}},
        '"' + "a" * 40 + '!"',
    ),
    ("json_path_assertion, 1 MB of brackets", {"type": "json_path_assertion", "path": "a"}, filled("[")),
    ("localization_f1, 1 MB of colons", {"type": "localization_f1", "reference": "a.py:1"}, filled(":")),
    (
        "localization_f1, 50 000 ranges of one file",
        {"type": "localization_f1", "reference": "a.py:1"},
        "a.py:1-9\n" * 50_000,
    ),
]


def main() -> None:
    """Prints a row a case: milliseconds of the best of three calls, and the code."""
    print(
        "\n## The worst inputs\n\nOne call through `grade`, one thread, best of three (`python benches/hostile.py`).\n"
    )
    print("| input | ms | code |\n| --- | --- | --- |")
    for name, spec, candidate in CASES:
        compiled = compile_grader(spec)
        took = []
        for _ in range(3):
            start = time.perf_counter()
            result = grade(compiled, candidate)
            took.append((time.perf_counter() - start) * 1e3)
        print(f"| {name} | {min(took):,.2f} | {result.code} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
