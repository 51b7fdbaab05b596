"""Options of the thresholds graders: figures that the candidate records about itself."""

from __future__ import annotations

from typing import ClassVar

from gradestone.options import checks
from gradestone.options.base import GraderOptions, grader_options, option


@grader_options
class HttpStatus(GraderOptions):
    """Passes when the status that the candidate records is the given one.

    It is read from an object's ``status``, else ``status_code``; a key that is null counts as absent. A text
    candidate is never parsed.

    Options:
        status: a whole number; ``200.0`` is stored as ``200``. Required.

    Empty and missing: a candidate that records no status fails.
    Cost: constant; no cap.
    Codes: ok, status_mismatch.

    >>> from gradestone import HttpStatus
    >>> HttpStatus(status=200)({"status_code": 200.0}).passed, HttpStatus(status=200)({"status": 404}).code
    (True, 'status_mismatch')
    """

    type: ClassVar[str] = "http_status"

    status: int = option(checks.whole)


@grader_options
class LatencyThreshold(GraderOptions):
    """Passes when the latency that the candidate records does not exceed the limit.

    It is read from an object's ``p95_ms``, else ``latency_ms``; a key that is null counts as absent. Measured
    means a finite number of at least 0, or text that is one in plain decimals. A text candidate is never
    parsed.

    Options:
        p95_ms: the limit in milliseconds, finite and at least 0; reaching it passes. Required.

    Empty and missing: an unmeasured candidate fails.
    Cost: constant; no cap.
    Codes: ok, over_ceiling, unmeasured.

    >>> from gradestone import LatencyThreshold
    >>> quick = LatencyThreshold(p95_ms=250)
    >>> quick({"p95_ms": 250}).passed, quick({"latency_ms": 251}).code
    (True, 'over_ceiling')
    """

    type: ClassVar[str] = "latency_threshold"

    p95_ms: float = option(checks.at_least_zero)


@grader_options
class CostThreshold(GraderOptions):
    """Passes when the cost that the candidate records does not exceed the limit.

    It is read from an object's ``cost_usd``, else ``total_cost_usd``; all else is as for latency_threshold.

    Options:
        max_usd: the limit in US dollars, finite and at least 0; reaching it passes. Required.

    Empty and missing: an unmeasured candidate fails.
    Cost: constant; no cap.
    Codes: ok, over_ceiling, unmeasured.

    >>> from gradestone import CostThreshold
    >>> cheap = CostThreshold(max_usd=0.05)
    >>> cheap({"cost_usd": "0.04"}).passed, cheap({}).code
    (True, 'unmeasured')
    """

    type: ClassVar[str] = "cost_threshold"

    max_usd: float = option(checks.at_least_zero)


@grader_options
class TokenThreshold(GraderOptions):
    """Passes when the number of tokens that the candidate records does not exceed the limit.

    It is read from an object's ``tokens``, else ``total_tokens``; all else is as for latency_threshold.
    Nothing is tokenised here.

    Options:
        max_tokens: the limit in tokens, finite and at least 0; reaching it passes. Required.

    Empty and missing: an unmeasured candidate fails.
    Cost: constant; no cap.
    Codes: ok, over_ceiling, unmeasured.

    >>> from gradestone import TokenThreshold
    >>> short = TokenThreshold(max_tokens=800)
    >>> short({"total_tokens": 512}).passed, short("a few words").code
    (True, 'unmeasured')
    """

    type: ClassVar[str] = "token_threshold"

    max_tokens: float = option(checks.at_least_zero)
