"""Faults of readers and writers that were seen in public, each by its number, each with its right outcome."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from tests.data.files import blocks_of, inputs_of, read_table, rows_of, write_table

from gradestone import grade_many
from gradestone.data.errors import InputError
from gradestone.data.inputs import open_inputs
from gradestone.data.outputs import open_output


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_rd_01_byte_order_mark(tmp_path: Path) -> None:
    """One leading mark goes, any other is data; a column that is missing is an error and never a blank."""
    path = put(tmp_path / "a.csv", b"\xef\xbb\xbfinput,expected\nq,\xef\xbb\xbfa\n")
    assert rows_of(path) == [{"input": "q", "expected": "\ufeffa"}]
    with pytest.raises(InputError, match=r"a\.csv has no column inputs; did you mean input\?"):
        blocks_of(path, wanted=["inputs"])
    for name, data in (("a.jsonl", b'{"input":"q"}\n'), ("a.json", b'[{"input":"q"}]')):
        assert rows_of(put(tmp_path / name, b"\xef\xbb\xbf" + data)) == [{"input": "q"}]
    with inputs_of(tmp_path / "b.csv", b"\xef\xbb\xbf\xef\xbb\xbfinput\nq\n") as twice:
        assert twice.fields() == ("\ufeffinput",)


def test_rd_03_quoted_line_breaks(tmp_path: Path) -> None:
    """One row; the CRLF inside is kept byte for byte; the place of the next row is its physical line."""
    data = b'input,expected\n"line1\r\nline2, with ""quotes""",a\nshort\n'
    assert rows_of(put(tmp_path / "a.csv", data)) == [
        {"input": 'line1\r\nline2, with "quotes"', "expected": "a"},
        (4, "1 cell, the header has 2"),
    ]


def test_rd_07_unclosed_quote(tmp_path: Path) -> None:
    """The run ends, and is told the line at which the quote opened, also inside a row of several lines."""
    for data, line in (
        (b'input,expected\n"q,a\nr,b\ns,c\n', 2),
        (b'input,expected\n"x\ny","z\nr,b\n', 3),
        (b'input,expected\nq,a\nr,"b', 3),
    ):
        path = put(tmp_path / "a.csv", data)
        with pytest.raises(
            InputError, match=f"line {line}: a cell begins with a quote which is never closed"
        ):
            blocks_of(path)


def test_rd_07_a_long_file_ends_early(tmp_path: Path) -> None:
    """A cell has a bound, so a stray quote does not swallow a large file first."""
    path = put(tmp_path / "a.csv", b'input,expected\nq,a\nr,"b\n' + b"x,y\n" * (5 << 20))
    with pytest.raises(
        InputError, match="line 3: a cell begins with a quote which is not closed within 16 MiB"
    ):
        blocks_of(path)


def test_rd_09_blank_lines_and_a_missing_last_newline(tmp_path: Path) -> None:
    """Two rows, and files are not glued together."""
    data = b'{"input":"a","expected":"b"}\n\n{"input":"c","expected":"d"}'
    one, two = put(tmp_path / "a.jsonl", data), put(tmp_path / "b.jsonl", b'\n{"input":"e"}\n7')
    assert [row["input"] for row in rows_of(one)] == ["a", "c"]
    assert rows_of(one, two)[2:] == [{"input": "e"}, (3, "not an object but a number")]
    assert rows_of(put(tmp_path / "a.csv", b"x,y\r\n\r\n1,2\n\n3,4")) == [
        {"x": "1", "y": "2"},
        {"x": "3", "y": "4"},
    ]


@pytest.mark.parametrize("row", [b'{"a":1,"a":2}', b'{"x":{"y":[{"a":1,"\\u0061":2}]}}'])
def test_rd_11_repeated_keys(tmp_path: Path, row: bytes) -> None:
    """One unreadable row, at every level, in each format that holds JSON."""
    fault = "a key is repeated in an object"
    assert rows_of(put(tmp_path / "a.jsonl", row + b"\n")) == [(1, fault)]
    assert rows_of(put(tmp_path / "a.json", b"[{}," + row + b"]")) == [{}, (2, fault)]
    cell = b'"' + row.replace(b'"', b'""') + b'"'
    told = rows_of(put(tmp_path / "a.csv", b"c\n" + cell + b"\n1\n"), cells=_json())
    assert told == [(2, f"column c: {fault}"), {"c": 1}]


def _json() -> object:
    from gradestone.data.cells import read_cells

    return read_cells("json")


@pytest.mark.parametrize("name", ["o.jsonl", "o.csv", "o.tsv", "o.parquet", "o.arrow", "o.arrows"])
def test_rd_13_lone_surrogates_are_written(tmp_path: Path, name: str) -> None:
    """Escapes in JSON lines; U+FFFD and a flag in formats of UTF-8; the other rows are as they were."""
    source = put(
        tmp_path / "a.jsonl",
        b'{"o":"a\\ud835","l":["\\udc00"]}\n{"o":"\\ud83d\\ude00\xc3\xa9"}\n{"\\ud800":"k"}\n',
    )
    _grade(source, tmp_path / name)
    rows = rows_of(tmp_path / name)
    if name == "o.jsonl":
        assert [rows[0]["o"], rows[0]["l"], rows[1]["o"], rows[2]["\ud800"]] == [
            "a\ud835",
            ["\udc00"],
            "\U0001f600é",
            "k",
        ]
        return
    flags = [row["lone_surrogates"] in (True, "true") for row in rows]
    assert flags == [True, False, False]
    assert (rows[0]["o"], rows[1]["o"], rows[0]["l"], rows[2]["\\ud800"]) == (
        "a\ufffd",
        "\U0001f600é",
        '["\\udc00"]',
        "k",
    )


def _grade(source: Path, out: Path) -> None:
    graders = {"g": {"type": "contains", "fragments": ["a"]}}
    with open_inputs([str(source)]) as inputs, open_output(str(out), graders=["g"]) as output:
        for block in inputs.blocks(None):
            output.write(block, grade_many(graders, block.cells("o")))


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow", "a.arrows"])
def test_rd_15_list_columns_are_lists(tmp_path: Path, name: str) -> None:
    """Plain lists; an empty one and null are different, and context_f1 refuses both."""
    column = pa.array([["a", "b"], [], None])
    path = write_table(tmp_path / name, pa.table({"retrieved": column, "expected": pa.array([["a"]] * 3)}))
    (block,) = blocks_of(path)
    assert block.cells("retrieved") == [["a", "b"], [], None]
    for cells in (block.column, block.cells):
        columns = {"retrieved": cells("retrieved"), "expected": cells("expected")}
        batch = grade_many({"c": {"type": "context_f1"}}, [""] * 3, columns=columns)["c"]
        assert batch.outcome.tolist()[1:] == ["invalid", "invalid"]
        assert batch.code[0] in ("ok", "below_threshold")


def test_rd_21_empty_answers_are_rows(tmp_path: Path) -> None:
    """An empty cell and an empty text are rows like any other, in every format."""
    for name, data in (
        ("a.jsonl", b'{"o":"x"}\n{"o":""}\n'),
        ("a.json", b'[{"o":"x"},{"o":""}]'),
        ("a.csv", b'o\nx\n""\n'),
        ("b.csv", b"i,o\n,x\n,\n"),
    ):
        assert [row["o"] for row in rows_of(put(tmp_path / name, data))] == ["x", ""]


def test_rd_23_crlf(tmp_path: Path) -> None:
    """The CR of a row's end goes; CRs inside quotes and inside JSON stay."""
    assert rows_of(put(tmp_path / "a.jsonl", b'{"input":"q","expected":"a\\r"}\r\n')) == [
        {"input": "q", "expected": "a\r"}
    ]
    csv = put(tmp_path / "a.csv", b'input,expected\r\nq,a\r\nr,"b\r"\r\n')
    assert rows_of(csv) == [{"input": "q", "expected": "a"}, {"input": "r", "expected": "b\r"}]


def test_rd_25_one_bad_row_among_three(tmp_path: Path) -> None:
    """The second row is told with its cause, the first and the third are graded, in every format of rows."""
    middle = '{"input":"\\ud800","n":' + "9" * 5000 + "}"
    fault = "an integer of 5000 digits is too long"
    lines = put(tmp_path / "a.jsonl", f'{{"n":1}}\n{middle}\n{{"n":3}}\n'.encode())
    assert rows_of(lines) == [{"n": 1}, (2, fault), {"n": 3}]
    document = put(tmp_path / "a.json", f'[{{"n":1}},{middle},{{"n":3}}]'.encode())
    assert rows_of(document) == [{"n": 1}, (2, fault), {"n": 3}]
    out = tmp_path / "o.parquet"
    graders = {"g": {"type": "contains", "fragments": ["1"]}}
    with open_inputs([str(lines)]) as inputs, open_output(str(out), graders=["g"]) as output:
        for block in inputs.blocks(None):
            output.write(block, grade_many(graders, block.column("n")))
    table = read_table(out)
    assert table["g_code"].to_pylist() == ["ok", "unreadable_row", "missing_fragment"]
    assert table["g_reason"].to_pylist()[1] == f"line 2 could not be read: {fault}"
    assert table["n"].to_pylist() == ["1", None, "3"]
