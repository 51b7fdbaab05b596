"""CSV and TSV: what makes a row unreadable, and what ends the reading."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.data.files import blocks_of, inputs_of, rows_of

from gradestone.data.blocks import MAX_ROWS
from gradestone.data.cells import Cells, read_cells
from gradestone.data.delimited import MAX_CELL
from gradestone.data.errors import InputError


@pytest.mark.parametrize(
    ("row", "error"),
    [
        (b"1", "1 cell, the header has 2"),
        (b"1,2,3", "3 cells, the header has 2"),
        (b'"a"b,c', "text behind a closing quote"),
        (b'"a" ,c', "text behind a closing quote"),
        (b"a\rb,c", "a carriage return outside quotes"),
        (b"a,\xff", "not UTF-8 at byte 3 of line 2"),
        (b'"x\n\xe9y",b', "not UTF-8 at byte 1 of line 3"),
        (b"a,\xed\xa0\x80", "not UTF-8 at byte 3 of line 2"),
    ],
)
def test_an_unreadable_row(tmp_path: Path, row: bytes, error: str) -> None:
    """Told by its line and cause; the next row is read."""
    with inputs_of(tmp_path / "a.csv", b"a,b\n" + row + b"\n1,2\n") as inputs:
        (block,) = inputs.blocks(None)
    assert [(bad.before, bad.line, bad.error) for bad in block.bad] == [(0, 2, error)]
    assert (block.cells("a"), block.cells("b"), len(block)) == (("1",), ("2",), 1)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"a,a\n1,2\n", r"line 1: columns 1 and 2 have the same name"),
        (b"a,,b\n", r"line 1: column 2 of the header has no name"),
        (b"\na,\n", r"line 2: column 2 of the header has no name"),
        (b"a,\xff\n", r"line 1: the header cannot be read: not UTF-8 at byte 3 of line 1"),
        (b"a,b\rc,d\r", r"line 1: the header cannot be read: a carriage return outside quotes"),
        (b'a,"b\n1,2\n', r"line 1: a cell begins with a quote which is never closed"),
        (b'a,b\n"x"y,"z\n"\n', r"line 2: text behind a closing quote, and nobody can say where the row ends"),
        (b"a,b\n1," + b"x" * (MAX_CELL + 1) + b"\n", r"line 2: a cell is longer than 16 MiB"),
    ],
)
def test_the_reading_ends(tmp_path: Path, data: bytes, error: str) -> None:
    """Where it is uncertain what the rows or the columns are."""
    (tmp_path / "a.csv").write_bytes(data)
    with pytest.raises(InputError, match=error):
        blocks_of(tmp_path / "a.csv")


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"a,b\n", b"a,b", b"a,b\r\n\r\n"])
def test_no_rows(tmp_path: Path, data: bytes) -> None:
    """An empty file, and one with a header alone, have none; that is for the run to judge."""
    assert rows_of(_put(tmp_path / "a.csv", data)) == []


def _put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_cells_are_text(tmp_path: Path) -> None:
    """No number, no null, no date is seen in them; NUL and quotes inside a cell are characters."""
    cells = ["1.50", "", "null", "NaN", " x ", "\x00", 'it is 5" long', "x" * 1_000_000]
    data = ("a,b\n" + "".join(f"{cell},\n" for cell in cells)).encode()
    assert [row["a"] for row in rows_of(_put(tmp_path / "a.csv", data))] == cells


def test_tabs(tmp_path: Path) -> None:
    """TSV is the same with another delimiter: a comma is no delimiter there."""
    assert rows_of(_put(tmp_path / "a.tsv", b'a\tb\n1,2\t"x\ty"\n')) == [{"a": "1,2", "b": "x\ty"}]


def test_json_cells(tmp_path: Path) -> None:
    """Strict JSON, an empty cell null; what is none makes the row unreadable, by line and column."""
    data = b'a,b\n1,"[""x""]"\n,\nx,2\n1,NaN\n1,"""\\ud800"""\n'
    path = _put(tmp_path / "a.csv", data)
    assert rows_of(path, cells=read_cells("json")) == [
        {"a": 1, "b": ["x"]},
        {"a": None, "b": None},
        (4, "column a: not JSON: Expecting value at character 1"),
        (5, "column b: not JSON: NaN is no JSON value"),
        (6, "column b: a lone surrogate"),
    ]
    assert rows_of(path, cells=read_cells("json:b"))[2] == {"a": "x", "b": 2}
    assert rows_of(path)[1] == {"a": "", "b": ""}


def test_names_of_cells(tmp_path: Path) -> None:
    """A misspelt column is refused before the first row, a misspelt value at once."""
    path = _put(tmp_path / "a.csv", b"retrieved,b\n1,2\n")
    with pytest.raises(InputError, match="no column retreived to read as JSON; did you mean retrieved"):
        rows_of(path, cells=Cells(("retreived",)))
    for text in ("", "JSON", "json:", "json:a,", "text:a"):
        with pytest.raises(InputError, match="cells must be text, json, or json:"):
            read_cells(text)


def test_the_bound_of_cells_is_only_raised(tmp_path: Path) -> None:
    """It is the whole process's, so what others have set is kept where it is higher."""
    before = csv.field_size_limit(MAX_CELL * 2)
    try:
        rows_of(_put(tmp_path / "a.csv", b"a\n1\n"))
        assert csv.field_size_limit() == MAX_CELL * 2
    finally:
        csv.field_size_limit(max(before, MAX_CELL))


def test_blocks_are_bounded(tmp_path: Path) -> None:
    """By rows, by bytes, and by the limit of a run, unreadable rows counted."""
    path = _put(tmp_path / "a.csv", b"a,b\n" + b"1,2\n1\n" * MAX_ROWS)
    sizes = [len(block) + len(block.bad) for block in blocks_of(path)]
    assert sizes == [MAX_ROWS, MAX_ROWS]
    assert [len(block) + len(block.bad) for block in blocks_of(path, limit=MAX_ROWS + 3)] == [MAX_ROWS, 3]
    _put(path, b"a,b\n" + (b"x" * 1_000_000 + b",y\n") * 20)
    assert [len(block) for block in blocks_of(path)] == [9, 9, 2]


@given(
    rows=st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), max_size=8),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_what_the_standard_writer_writes(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], end: str
) -> None:
    """Any cells that it can write come back as they were."""
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator=end, quoting=csv.QUOTE_ALL).writerows([["a", "b"], *rows])
    assert [[row["a"], row["b"]] for row in rows_of(path)] == rows
