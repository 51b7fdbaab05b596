"""The page and the chart that `make bench` writes, from a record made by hand; nothing is timed."""

from __future__ import annotations

import doctest
import re
from collections.abc import Mapping
from itertools import product
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from benches import goals, record, tables, turns
from benches.chart import drawn
from benches.report import results
from benches.worst import SHARES, WORST

from gradestone import compile_grader, grade_batch
from gradestone.bench.contest import Side
from gradestone.bench.works import WORKS

Figures = Mapping[tuple[str, str], tuple[float, ...]]


def item(group: str, name: str, role: str, micros: float, **facts: Any) -> dict[str, Any]:
    rows = facts.setdefault("rows", 100)
    known = {"side": name, "turn": name, "version": "1.2", "role": role, "note": "", "work": group}
    return {
        "group": group,
        "extra_info": known | facts,
        "stats": {"median": micros * rows / 1e6},
    }


def document(*items: dict[str, Any], rounds: int = 5) -> dict[str, Any]:
    machine = {"machine": "x86_64", "system": "Linux", "python_implementation": "CPython"}
    return {
        "datetime": "2031-05-09T12:00:00+00:00",
        "machine_info": machine
        | {"python_version": "3.11.7", "cpu": {"brand_raw": "A <fast> one", "count": 2}},
        "gradestone": {
            "version": "0.1.0",
            "profile": {"lto": "thin"},
            "corpus": "real answers",
            "rounds": rounds,
        },
        "benchmarks": list(items),
    }


def table_items() -> list[dict[str, Any]]:
    """Two works of three rounds: one that meets its goal, one that is slower than its peer."""
    sides = [
        ("no_pii", "gradestone", "ours", (1.0, 1.5, 9.0), 100),
        ("no_pii", "plain twin", "reference", (150.0, 300.0, 100.0), 10),
        ("no_pii", "hyperscan", "peer", (6.0, 9.0, 12.0), 100),
        ("regex", "gradestone", "ours", (4.0, 4.0, 4.0), 100),
        ("regex", "re", "peer", (2.0, 2.0, 2.0), 100),
    ]
    return [
        item(group, name, role, figures[number], rows=rows, family="table", note=f"{name}'s note")
        for number in range(3)
        for group, name, role, figures, rows in sides
    ]


def rows_of(*items: dict[str, Any]) -> list[tables.Row]:
    return tables.rows_of(record.read(document(*items)))


def test_a_row_of_the_table_holds_medians_spread_and_ratios() -> None:
    """Rounds lie apart in the record; a ratio is one of medians; fewer rows are told."""
    fine, slow = (row.cells() for row in rows_of(*table_items()))
    assert fine == [
        "no_pii", "100", "1.50 (1.00–9.00)", "150 (100×, 10 rows)", "hyperscan 9.00 (6.00×)", "≥ 4× hyperscan", "yes",
    ]  # fmt: skip
    assert slow[3:] == ["–", "re 2.00 (0.50×)", "≥ 1× re, or at most 1 µs a row over it", "**NO**"]


def test_a_missed_goal_is_marked_and_listed() -> None:
    """In its row and below the table; the one that is met is not; a work that is absent was not measured."""
    page = results(document(*table_items()), "")
    assert "- **regex: ≥ 1× re, or at most 1 µs a row over it, missed**" in page
    assert "no_pii: ≥ 4×" not in page
    assert "- **rouge_l: ≥ 3× rouge_score_rs, not measured**" in page


def test_peers_are_listed_once_with_what_they_leave_out() -> None:
    """Whatever the rounds and works; ours and the reference are no peers."""
    again = item("iban", "hyperscan", "peer", 1.0, family="table", note="no checksum")
    text = tables.notes(record.read(document(*table_items(), again)))
    assert text == "- hyperscan 1.2: hyperscan's note; no checksum\n- re 1.2: re's note\n"


def test_an_absent_peer_meets_no_goal() -> None:
    """What was not compared was not met."""
    items = [one for one in table_items() if one["extra_info"]["side"] != "hyperscan"]
    (row, _) = rows_of(*items)
    assert row.cells()[-1] == "**not measured**"
    assert any(line.startswith("no_pii") for line in tables.missed([row], []))


@pytest.mark.parametrize(
    ("ours", "peer", "allowance", "met"),
    [(2, 4, 0, True), (2.01, 4, 0, False), (3, 2, 1, True), (3.01, 2, 1, False), (2, 2, 0, False)],
)
def test_a_goal_is_met_at_its_border(ours: float, peer: float, allowance: float, met: bool) -> None:
    """Twice as fast, or at most the allowance slower."""
    assert goals.Ratio("a", "b", 2, allowance).met(ours, peer) is met


def test_rates_and_calls_are_held_to_their_goals() -> None:
    """Rows a second at the one size with a goal, on one thread; microseconds of a call."""
    batch = [
        item("rows: contains", f"{size} {threads}", "ours", micros, family="rows", size=size, threads=threads)
        for size, threads, micros in [(10, 1, 9.0), (100_000, 1, 0.6), (100_000, 2, 0.1), (10, 2, 9.0)]
    ]
    call = item("one call: contains", "contains", "ours", 4.0, family="call", size=1)
    lines = tables.rate_lines(record.read(document(*batch, call)))
    assert [line[-1] for line in lines] == ["**NO**", "yes"]
    assert lines[0][1] == "1,666,667 rows/s"


def test_the_worst_inputs_show_three_times_and_their_growth() -> None:
    """The code is the verdict's, or all of them where a cap is met on the way."""
    items = [
        item("worst", str(share), "ours", micros, rows=1, family="worst", share=share, input="`a|b`", size=8,
             unit="bytes", code=code)
        for share, micros, code in [(1.0, 8000, "over_cap"), (0.25, 2000, "ok"), (0.5, 4000, "ok")]
    ]  # fmt: skip
    page = tables.worst_table(record.read(document(*items)))
    assert "| worst | `a&#124;b` | 8 bytes | 2.00 | 4.00 | 8.00 | 4.0 | ok, over_cap |" in page


def test_sizes_are_columns() -> None:
    """A line a work and side, sizes in order, whatever order they had their turns in."""
    items = [
        item("terms", f"{size} {role}", role, micros, family="terms", size=size, side=side)
        for size, role, side, micros in [
            (100, "ours", "gradestone", 2.0), (10, "ours", "gradestone", 1.0), (10, "peer", "hyperscan", 3.0),
        ]
    ]  # fmt: skip
    lines = tables.size_tables(record.read(document(*items))).splitlines()
    assert lines[0] == "| µs a row, terms | 10 | 100 |"
    assert lines[2:] == ["| terms | 1.00 | 2.00 |", "| terms, hyperscan 1.2 | 3.00 | – |"]


def test_a_rehearsal_says_so() -> None:
    """Fewer than five rounds give no figure to quote."""
    assert "rehearsal" in results(document(*table_items(), rounds=4), "")
    page = results(document(*table_items(), rounds=5), "## By hand\n")
    assert "rehearsal" not in page
    assert page.endswith("## By hand\n")
    assert "2031-05-09, A <fast> one, 2 cores" in page


def test_the_chart_is_xml_that_says_what_it_shows() -> None:
    """Names, versions and ratios as text, bars on the right side of one, the same bytes at every call."""
    rows = rows_of(*table_items())
    chart = drawn(rows, "on a <fast> one")
    assert chart == drawn(rows, "on a <fast> one")
    root = ElementTree.fromstring(chart)
    space = "{http://www.w3.org/2000/svg}"
    texts = ["".join(text.itertext()) for text in root.iter(f"{space}text")]
    assert {"no_pii", "regex", "6.00× hyperscan 1.2", "0.50× re 1.2", "1× (ours)"} <= set(texts)
    assert texts[-1] == "on a <fast> one"
    (one,) = (float(line.get("x1", "")) for line in root.iter(f"{space}line") if line.get("class") == "ours")
    bars = {bar.get("class"): bar for bar in root.iter(f"{space}rect") if bar.get("class") != "back"}
    assert float(bars["slower"].get("x", "")) == pytest.approx(one, abs=0.06)
    left, width = (float(bars["faster"].get(name, "")) for name in ("x", "width"))
    assert left + width == pytest.approx(one, abs=0.11)
    assert "prefers-color-scheme: dark" in chart


def test_every_goal_has_its_work() -> None:
    """A goal whose work was renamed would never be looked at: each finds one work, and no two the same peer's."""
    found = {
        goal: [work.name for work in WORKS if goals.holds(work.name, goal.work)] for goal in goals.RATIOS
    }
    assert {goal: works for goal, works in found.items() if len(works) != 1} == {}


def test_sides_take_turns() -> None:
    """Round by round within a group, groups one after the other."""
    groups = [turns.Group(name, ("ours", "peer"), dict) for name in "ab"]
    played = [(turn.group.name, turn.number, turn.side) for turn in turns.turns(groups, 3)]
    assert played == list(product("ab", (1, 2, 3), ("ours", "peer")))


def test_a_group_is_prepared_once_and_fails_at_each_turn() -> None:
    """One preparation for all rounds; a disagreement is no side's alone, and the next group goes on."""
    made: list[str] = []

    def good() -> Mapping[str, turns.Part]:
        made.append("good")
        return {"ours": turns.Part(turns.ours(1, list), {})}

    def bad() -> Mapping[str, turns.Part]:
        made.append("bad")
        raise ValueError("they disagree")

    stage = turns.Stage()
    groups = [
        turns.Group("a", ("ours",), good),
        turns.Group("b", ("ours",), bad),
        turns.Group("c", ("ours",), good),
    ]
    failed = []
    for turn in turns.turns(groups, 2):
        try:
            assert isinstance(stage.part(turn).side, Side)
        except ValueError:
            failed.append(turn.group.name)
    assert failed == ["b", "b"]
    assert made == ["good", "bad", "good"]


@pytest.mark.parametrize("worst", WORST, ids=[worst.name for worst in WORST])
def test_a_worst_input_is_as_large_as_it_says(worst: Any) -> None:
    """Neither side is larger than stated, and the longer one is about that large; the verdict is one on the text."""
    size = worst.full // 4
    candidate, reference, columns = worst.cells(size)
    lists = [*([candidate], [reference or ""]), *(column[0] for column in columns.values())]
    bytewise = worst.unit == "bytes"
    longest = max(sum(len(text.encode() if bytewise else text) for text in texts) for texts in lists)
    assert worst.unit == "tokens" or 0.95 * size <= longest <= size
    compiled = compile_grader(worst.spec, columns=columns.keys())
    candidate, reference, columns = worst.cells(4096)
    references = None if reference is None else [reference]
    batch = grade_batch(compiled, [candidate], references=references, columns=columns, threads=1)
    assert batch[0].outcome.value in {"pass", "fail"}


def test_the_worst_inputs_hold_every_detector_and_the_shares_grow_to_the_whole() -> None:
    """A kernel without a worst input would be missed by nobody."""
    kinds = {"email", "credit_card", "iban", "ipv4", "ipv6", "phone", "crypto"}
    assert {worst.kernel.removeprefix("no_pii ") for worst in WORST} >= kinds
    assert {worst.spec["type"] for worst in WORST} == {
        "no_pii", "blocklist", "contains", "exact_match", "regex", "json_schema", "json_path_assertion",
        "localization_f1", "bleu_score", "rouge_score", "semantic", "context_f1",
    }  # fmt: skip
    assert SHARES == (0.25, 0.5, 1.0)


@pytest.mark.parametrize("module", [goals, record, turns], ids=lambda module: module.__name__)
def test_examples(module: ModuleType) -> None:
    """The docstrings of the benches are run as those of the package are."""
    outcome = doctest.testmod(module)
    assert (outcome.failed, outcome.attempted > 0) == (0, True)


def test_the_record_of_a_name_holds_no_other() -> None:
    """`10` is no part of `100`, nor `rouge_score` of `rouge_score_rs`."""
    assert [goal.work for goal in goals.of_work("blocklist, 100 terms")] == ["blocklist 100"]
    assert not goals.holds("rouge_score", "rouge_score_rs")
    assert re.search(r"120×", str(goals.of_work("bleu_score")[1]))
