"""What a kernel answers."""

from __future__ import annotations

import pytest

from gradestone.reference.row import STATS, Row, plain, scored


def test_a_plain_verdict_scores_one_or_zero() -> None:
    """Only ok passes, and figures are absent."""
    assert plain("ok") == Row("ok", 1.0, (0,) * STATS, ())
    assert plain("over_cap") == Row("over_cap", 0.0, (0,) * STATS, ())
    assert plain("missing_fragment", (0, 2)).hits == (0, 2)


@pytest.mark.parametrize(
    ("score", "threshold", "code"),
    [
        (0.5, 0.5, "ok"),
        (0.49999999999999994, 0.5, "below_threshold"),
        (0.0, 0.0, "ok"),
        (1.0, 1.0, "ok"),
        (0.9999999999999999, 1.0, "below_threshold"),
        (0.1 + 0.2, 0.3, "ok"),
        (0.3, 0.1 + 0.2, "below_threshold"),
    ],
)
def test_the_threshold_is_compared_on_the_double(score: float, threshold: float, code: str) -> None:
    """At the threshold passes, one step under it does not, and nothing is rounded."""
    assert scored(score, threshold, 1, 2) == Row(code, score, (1, 2, 0, 0, 0, 0), ())
