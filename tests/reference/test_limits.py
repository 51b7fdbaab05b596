"""The table of caps."""

from __future__ import annotations

import re
from pathlib import Path

from gradestone.reference import limits

RUST = Path(__file__).parents[2] / "rust"


def test_the_rust_table_holds_the_same_figures() -> None:
    """A cap that is changed on one side only."""
    source = (RUST / "limits.rs").read_text(encoding="utf-8")
    figures = re.findall(r"pub const (\w+): usize = ([0-9_]+);", source)
    assert {name: int(figure) for name, figure in figures} == limits.LIMITS


def test_the_exported_table_is_the_constants() -> None:
    """A constant and its entry in LIMITS that drift apart."""
    assert {name: getattr(limits, name) for name in limits.LIMITS} == limits.LIMITS
    assert limits.PATTERN_DEADLINE_SECONDS == 0.1
