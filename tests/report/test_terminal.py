"""Tables and percentages as people see them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.report.statistics import Figures
from gradestone.report.terminal import figures_table, percentage, table_text


@given(st.integers(1, 10**9), st.data())
def test_only_all_is_100_and_only_none_is_0(rows: int, data: st.DataObject) -> None:
    """Rounding never shows a rate as perfect that is not."""
    passed = data.draw(st.integers(0, rows))
    text = percentage(passed / rows)
    assert (text == "100.00 %") == (passed == rows)
    assert (text == "0.00 %") == (passed == 0)


def test_plain_lines_are_never_cut() -> None:
    """Off a terminal a long cell stays on its line, and nothing in it is taken for markup."""
    cell = "[red]" + "x" * 500 + " y" * 200 + " :smile:"
    text = table_text(["name", "n"], [[cell, "1"]], stream=io.StringIO(), words=["name"])
    assert text.splitlines()[1].split("  ")[0] == cell
    assert "\x1b" not in text


def test_columns_of_what_went_wrong() -> None:
    """Invalid rows by code always; errors and rows that were not run where there are any."""
    figures = Figures()
    figures.add_ungraded("unreadable_row", 2)
    figures.add_ungraded("missing_candidate", 1)
    assert "error" not in figures_table({"a": figures}, stream=io.StringIO())
    figures.add_ungraded("deadline", 1)
    figures.add_ungraded("endpoint_down", 3)
    header, row = figures_table({"a": figures}, stream=io.StringIO()).splitlines()
    assert header.split()[-3:] == ["error", "not", "run"]
    assert "1 missing_candidate, 2 unreadable_row" in row
    assert row.endswith("1 deadline  3 endpoint_down")


@pytest.mark.parametrize("rows", [0, 1])
def test_no_rows_have_no_figures(rows: int) -> None:
    """They show as dashes."""
    figures = Figures()
    figures.add_ungraded("ok", rows)
    row = figures_table({"a": figures}, stream=io.StringIO()).splitlines()[1]
    assert (row.split()[2] == "-") == (rows == 0)
