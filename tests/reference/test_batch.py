"""The reference as a backend."""

from __future__ import annotations

import inspect
import re
from array import array
from pathlib import Path
from typing import Any

import pytest

from gradestone.reference import batch
from gradestone.reference.bleu import bleu
from gradestone.reference.row import Row

RUST = Path(__file__).parents[2] / "rust"

ONE_COLUMN: list[Any] = [
    batch.Contains(["a"], False),
    batch.Pattern("a", False),
    batch.Blocklist(["a"]),
    batch.Pii(["email"]),
]
TWO_COLUMNS: list[Any] = [
    batch.ExactMatch(False, False),
    batch.Bleu(0.9),
    batch.Rouge("rouge_1", "recall", 0.5),
    batch.Jaccard(0.5),
]


def codes(rows: batch.Rows) -> list[str]:
    return [batch.CODES[code] for code in rows.codes]


def scores(rows: batch.Rows) -> list[float]:
    return array("d", rows.scores).tolist()


def test_the_codes_are_those_of_rust_and_the_deadline() -> None:
    """Same slugs in the same order, so that an index means the same on both sides."""
    source = (RUST / "batch.rs").read_text(encoding="utf-8")
    match = re.search(r"const NAMES: [^=]*= \[(.*?)\];", source, re.DOTALL)
    assert match is not None
    assert (*re.findall(r'"(\w+)"', match[1]), "deadline") == batch.CODES


@pytest.mark.parametrize(
    ("name", "options", "columns"),
    [
        ("ExactMatch", ["case_sensitive", "remove_punctuation"], ["candidates", "expected"]),
        ("Contains", ["fragments", "forbid"], ["candidates"]),
        ("Pattern", ["pattern", "forbid"], ["candidates"]),
        ("Blocklist", ["terms"], ["candidates"]),
        ("Pii", ["kinds"], ["candidates"]),
        ("Bleu", ["threshold"], ["candidates", "references"]),
        ("Rouge", ["rouge_type", "measure", "threshold"], ["candidates", "references"]),
        ("Jaccard", ["threshold"], ["candidates", "references"]),
        ("ContextF1", ["measure", "similarity_threshold", "threshold"], ["retrieved", "expected"]),
    ],
)
def test_signatures(name: str, options: list[str], columns: list[str]) -> None:
    """What both backends share, by name and order."""
    kernel = getattr(batch, name)
    assert list(inspect.signature(kernel).parameters) == options
    assert list(inspect.signature(kernel.run).parameters) == ["self", *columns, "threads"]


def test_rows_carry_what_the_kernel_said() -> None:
    """Codes, doubles and integers of a batch are those of its rows, one by one."""
    candidates, reference = ["the cat sat", "", "a dog"], "the cat sat down"
    rows = batch.Bleu(0.5).run(candidates, reference, 1)
    single = [bleu(candidate, reference, threshold=0.5) for candidate in candidates]
    assert len(rows) == 3
    assert codes(rows) == [row.code for row in single]
    assert scores(rows) == [row.score for row in single]
    assert [rows.stats(index) for index in range(3)] == [row.stats for row in single]
    assert [rows.hits(index) for index in range(3)] == [()] * 3


@pytest.mark.parametrize("kernel", ONE_COLUMN, ids=lambda kernel: type(kernel).__name__)
def test_a_cell_that_is_no_text(kernel: Any) -> None:
    """One row is handed back to the caller, its neighbours are graded; lists and tuples alike."""
    cells = ["a", None, 1, b"a", ["a"], "a@b.cd"]
    rows = kernel.run(tuple(cells), 1)
    assert [code == "not_text" for code in codes(rows)] == [False, True, True, True, True, False]
    assert rows.codes == kernel.run(cells, threads=7).codes


@pytest.mark.parametrize("kernel", TWO_COLUMNS, ids=lambda kernel: type(kernel).__name__)
def test_two_columns(kernel: Any) -> None:
    """A cell that is no text on either side; one text for all rows is a column of it."""
    rows = kernel.run(["a", None, "a", "a"], ["a", "a", None, "b"], 1)
    assert codes(rows)[:3] == ["ok", "not_text", "not_text"]
    assert codes(rows)[3] not in ("ok", "not_text")
    assert kernel.run(["a", "b", 1], "a", 1).codes == kernel.run(["a", "b", 1], ["a"] * 3, 1).codes


def test_context_lists() -> None:
    """A cell must be a list or a tuple of text on both sides."""
    kernel = batch.ContextF1("f1", 0.7, 0.5)
    retrieved = [["a"], ("a",), "a", None, ["a", 1], ["a"], []]
    expected = [("a",), ["a"], ["a"], ["a"], ["a"], "a", ["a"]]
    assert codes(kernel.run(retrieved, expected, 1)) == ["ok"] * 2 + ["not_text"] * 4 + ["empty_retrieved"]


def test_hits_are_indices_into_the_kernel_s_list() -> None:
    """Fragments and terms of the list as given, kinds of all seven."""
    assert batch.Contains(["x", "a"], True).run(["a"], 1).hits(0) == (1,)
    assert batch.Blocklist(["x", "a", "a"]).run(["a"], 1).hits(0) == (1,)
    assert batch.Pii(["ipv4", "email"]).run(["1.2.3.4 a@b.cd"], 1).hits(0) == (0, 3)


def test_an_empty_batch() -> None:
    """No rows in, no rows out."""
    rows = batch.Bleu(0.5).run([], "a", 1)
    assert (len(rows), rows.codes, rows.scores) == (0, b"", b"")


def test_a_kernel_that_raises_costs_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault is the row's verdict, as a panic is in the extension."""

    def broken(candidate: str, reference: str, *, threshold: float) -> Row:
        if candidate == "boom":
            raise ZeroDivisionError
        return bleu(candidate, reference, threshold=threshold)

    monkeypatch.setattr(batch, "bleu", broken)
    assert codes(batch.Bleu(0.5).run(["a", "boom", "a"], "a", 1)) == ["ok", "internal_error", "ok"]


def test_a_deadline_has_its_code() -> None:
    """The one code that only this backend can give."""
    assert codes(batch.Pattern("(?:a|aa)+$", True).run(["a" * 200 + "b", "x"], 1)) == ["deadline", "ok"]


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: batch.Rouge("rouge_2", "recall", 0.5), "rouge_type must be one of rouge_1, rouge_l"),
        (lambda: batch.Rouge("rouge_1", "f1", 0.5), "measure must be one of precision, recall, fmeasure"),
        (lambda: batch.ContextF1("fmeasure", 0.7, 0.5), "measure must be one of precision, recall, f1"),
        (lambda: batch.Pii(["emial"]), "kind must be one of email,"),
        (lambda: batch.Bleu(0.5).run(["a"], ["a", "b"], 1), "columns of different length: 1 and 2"),
    ],
)
def test_misuse_is_a_value_error(build: Any, message: str) -> None:
    """A name that no kernel knows must not pass every row."""
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize("columns", [("text", "a"), (None, "a"), (["a"], None), ({"a"}, "a")])
def test_a_column_must_be_a_list_or_a_tuple(columns: tuple[Any, Any]) -> None:
    """One text in place of the candidates would be graded letter by letter."""
    with pytest.raises(TypeError, match="a column must be a list or a tuple"):
        batch.Bleu(0.5).run(*columns, 1)
