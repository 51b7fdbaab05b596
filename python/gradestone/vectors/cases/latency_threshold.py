"""Cases of ``latency_threshold``."""

from __future__ import annotations

from typing import Final

from . import measurement
from .case import Case, fails

CASES: Final[tuple[Case, ...]] = (
    *measurement.cases("p95_ms", "p95_ms", "latency_ms"),
    fails(
        "other_fields",
        "What another grader reads is no measurement of this one.",
        "MissingInput",
        "unmeasured",
        {"p95_ms": 100},
        {"cost_usd": 1, "total_cost_usd": 1, "tokens": 1, "total_tokens": 1},
    ),
)
