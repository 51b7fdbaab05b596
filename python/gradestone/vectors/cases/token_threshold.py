"""Cases of ``token_threshold``."""

from __future__ import annotations

from typing import Final

from . import measurement
from .case import Case, fails

CASES: Final[tuple[Case, ...]] = (
    *measurement.cases("max_tokens", "tokens", "total_tokens"),
    fails(
        "other_fields",
        "What another grader reads is no measurement of this one.",
        "MissingInput",
        "unmeasured",
        {"max_tokens": 100},
        {"p95_ms": 1, "latency_ms": 1, "cost_usd": 1, "total_cost_usd": 1},
    ),
)
