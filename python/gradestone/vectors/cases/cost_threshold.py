"""Cases of ``cost_threshold``."""

from __future__ import annotations

from typing import Final

from . import measurement
from .case import Case, fails

CASES: Final[tuple[Case, ...]] = (
    *measurement.cases("max_usd", "cost_usd", "total_cost_usd"),
    fails(
        "other_fields",
        "What another grader reads is no measurement of this one.",
        "MissingInput",
        "unmeasured",
        {"max_usd": 100},
        {"p95_ms": 1, "latency_ms": 1, "tokens": 1, "total_tokens": 1},
    ),
)
