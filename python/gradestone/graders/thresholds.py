"""Threshold graders: figures that a candidate records about itself. A text candidate is never parsed."""

from __future__ import annotations

import re
from typing import Final

from gradestone.graders.rows import RowGrader
from gradestone.jsontext import JsonValue, stringify
from gradestone.options import CostThreshold, HttpStatus, LatencyThreshold, TokenThreshold
from gradestone.verdict import RowVerdict
from gradestone.wording import PASSED


def http_status(options: HttpStatus) -> RowGrader:
    """Pass when the recorded status is the expected one: ``200.0`` is ``200``, text and booleans are none."""
    mismatch = RowVerdict(
        "status_mismatch", 0.0, f"status is another than {options.status}, or is not recorded"
    )

    def grade(candidate: JsonValue, _reference: object) -> RowVerdict:
        status = _recorded(candidate, ("status", "status_code"))
        same = _is_number(status) and status == options.status
        return _OK if same else mismatch

    return grade


def latency_threshold(options: LatencyThreshold) -> RowGrader:
    """Pass when the recorded latency is at most ``p95_ms``."""
    return _at_most(options.p95_ms, ("p95_ms", "latency_ms"))


def cost_threshold(options: CostThreshold) -> RowGrader:
    """Pass when the recorded cost is at most ``max_usd``."""
    return _at_most(options.max_usd, ("cost_usd", "total_cost_usd"))


def token_threshold(options: TokenThreshold) -> RowGrader:
    """Pass when the recorded number of tokens is at most ``max_tokens``."""
    return _at_most(options.max_tokens, ("tokens", "total_tokens"))


def _at_most(ceiling: float, keys: tuple[str, str]) -> RowGrader:
    named = " or ".join(keys)
    unmeasured = RowVerdict("unmeasured", 0.0, f"{named} is not recorded as a finite number of at least 0")
    over = RowVerdict("over_ceiling", 0.0, f"{named} exceeds the ceiling {stringify(ceiling)}")

    def grade(candidate: JsonValue, _reference: object) -> RowVerdict:
        figure = measured(_recorded(candidate, keys))
        if figure is None:
            return unmeasured
        return _OK if figure <= ceiling else over

    return grade


_OK: Final = RowVerdict("ok", 1.0, PASSED)


def _recorded(candidate: JsonValue, keys: tuple[str, str]) -> JsonValue:
    """Return the value of the first key that is there and not null."""
    if not isinstance(candidate, dict):
        return None
    first, second = (candidate.get(key) for key in keys)
    return second if first is None else first


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def measured(value: JsonValue) -> float | None:
    """Return a measurement: a finite number of at least 0, or plain decimal text of one; else None.

    Integers stay exact, in text too.

    >>> measured(12), measured("+1.5"), measured("-0"), measured("9007199254740993")
    (12, 1.5, 0, 9007199254740993)
    >>> measured(-1), measured(True), measured(""), measured("1e3"), measured(" 1"), measured("0x10")
    (None, None, None, None, None, None)
    """
    if isinstance(value, str):
        value = _read_decimal(value)
    return value if _is_number(value) and value >= 0 else None


_DECIMAL: Final = re.compile(r"([+-]?)([0-9]+)(\.[0-9]+)?")
_LONGEST_INTEGER: Final = 308
"""Digits of an integer that is within the doubles whatever its digits are."""


def _read_decimal(text: str) -> float | None:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    digits = match[2].lstrip("0") or "0"
    if match[3] is None and len(digits) <= _LONGEST_INTEGER:
        return int(match[1] + digits)
    number = float(text)
    return number if abs(number) != float("inf") else None
