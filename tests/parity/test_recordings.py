"""Verdicts recorded from the TypeScript package: both backends give every one of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.ts_fixtures import ts_fixtures

from gradestone import grade

BACKENDS = ("rust", "python")
EXACT = 1e-12


def recorded(name: str) -> list[dict[str, Any]]:
    path: Path = ts_fixtures() / name
    text = path.read_text("utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines() if line]
    rows: list[dict[str, Any]] = json.loads(text)
    return rows


def differences(row: dict[str, Any], backend: str, tolerance: float) -> list[str]:
    """What our verdict says otherwise than the recording."""
    spec = {"type": row.get("type", "localization_f1"), **row["options"]}
    reference = {"reference": row["reference"]} if "reference" in row else {}
    result = grade(spec, row["candidate"], **reference, backend=backend)
    got = result.metadata
    found = [] if result.passed == row["expected_passed"] else [f"passed {result.passed}: {result.reason}"]
    for key, value in (
        ("expected_score", result.score),
        ("expected_file_f1", got.get("file_f1", 0.0)),
        ("expected_line_f1", got.get("line_f1", 0.0)),
    ):
        if row.get(key) is not None and abs(row[key] - value) > tolerance:
            found.append(f"{key} {row[key]!r} but {value!r}")
    if "expected_pii" in row and got.get("entities", []) != row["expected_pii"]:
        found.append(f"entities {got}")
    if "expected_hits" in row and got.get("hits", []) != row["expected_hits"]:
        found.append(f"hits {got}")
    return [f"{row['name']}: {one}" for one in found]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("name", "count", "tolerance"),
    [
        # The published figures are rounded to four places, the differential ones are whole doubles.
        ("langevals-port.vectors.json", 164, 5.1e-5),
        ("localization_f1.vectors.json", 11, 5.1e-5),
        ("differential.jsonl", 4781, EXACT),
    ],
)
def test_every_recorded_verdict(name: str, count: int, tolerance: float, backend: str) -> None:
    """164 + 11 published vectors and 4 781 differential ones: verdict, score, kinds, hits, both F1."""
    rows = recorded(name)
    assert len(rows) == count
    assert [one for row in rows for one in differences(row, backend, tolerance)] == []


def test_recordings_hold_passes_and_fails() -> None:
    """A comparison that never sees a pass would be met by a grader that fails everything."""
    outcomes = Counter(row["expected_passed"] for row in recorded("differential.jsonl"))
    assert min(outcomes[True], outcomes[False]) > 1000
