"""Parquet and Arrow: whole or refused, only what is wanted, and what JSON makes of their types."""

from __future__ import annotations

import datetime as dt
import decimal
import io
import json
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from tests.data.files import blocks_of, rows_of, write_table

from gradestone.data.arrow_ipc import ArrowFile, ArrowStream
from gradestone.data.blocks import MAX_ROWS
from gradestone.data.errors import InputError
from gradestone.data.inputs import open_inputs
from gradestone.data.parquet import ParquetFile

KINDS = ["a.parquet", "a.arrow", "a.arrows"]
READERS = {"a.parquet": ParquetFile, "a.arrow": ArrowFile, "a.arrows": ArrowStream}
PLAIN = pa.table({"a": ["x", None, ""], "b": [1, 2, 3]})


@pytest.mark.parametrize("name", KINDS)
def test_cut_short_anywhere(tmp_path: Path, name: str) -> None:
    """A file that lacks its end is refused, wherever it was cut; never fewer rows."""
    path = write_table(tmp_path / name, PLAIN)
    data = path.read_bytes()
    for cut in {*range(0, len(data), 97), len(data) - 8, len(data) - 4, len(data) - 1}:
        path.write_bytes(data[:cut])
        with pytest.raises(InputError, match=r"a\.(parquet|arrow|arrows) (is|goes)"):
            rows_of(path)


@pytest.mark.parametrize("name", KINDS)
def test_damaged_bytes(tmp_path: Path, name: str) -> None:
    """Any byte may be wrong: rows or a refusal come of it, no other exception."""
    path = write_table(tmp_path / name, PLAIN)
    data = path.read_bytes()
    for at in range(0, len(data), 11):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        try:
            rows_of(path)
        except InputError as error:
            assert len(str(error).splitlines()) == 1


def test_more_behind_a_stream(tmp_path: Path) -> None:
    """Two streams in one file are not taken for the first alone."""
    path = write_table(tmp_path / "a.arrows", PLAIN)
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(InputError, match="goes on behind the end of its stream"):
        rows_of(path)


@pytest.mark.parametrize("name", KINDS)
def test_only_what_is_wanted(tmp_path: Path, name: str) -> None:
    """The columns of a block are those wanted, in the file's order; none are a count of rows."""
    path = write_table(tmp_path / name, PLAIN)
    (block,) = blocks_of(path, wanted=["b"])
    assert (block.names, block.cells("b")) == (("b",), [1, 2, 3])
    assert [len(block) for block in blocks_of(path, wanted=[])] == [3]


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    """Refused before any row, with the nearest name."""
    path = write_table(tmp_path / "a.parquet", pa.table({"expected": ["x"]}))
    with pytest.raises(InputError, match="no column expcted; did you mean expected"):
        blocks_of(path, wanted=["expcted"])


@pytest.mark.parametrize("name", KINDS)
def test_bounded_blocks(tmp_path: Path, name: str) -> None:
    """By rows, by bytes and by the limit."""
    path = write_table(tmp_path / name, pa.table({"a": range(2 * MAX_ROWS + 1)}))
    assert [len(block) for block in blocks_of(path)] == [MAX_ROWS, MAX_ROWS, 1]
    assert [len(block) for block in blocks_of(path, limit=MAX_ROWS + 1)] == [MAX_ROWS, 1]
    write_table(path, pa.table({"a": ["x" * 1_000_000] * 20}))
    assert max(len(block) for block in blocks_of(path)) <= 8
    assert sum(len(block) for block in blocks_of(path)) == 20


@pytest.mark.parametrize("name", KINDS)
def test_dictionaries_stay(tmp_path: Path, name: str) -> None:
    """What was written as a dictionary is graded as one; a large one does not make blocks of single rows."""
    column = pa.array([f"{index}" * 2_000 for index in range(5_000)]).dictionary_encode()
    (first, *_) = blocks_of(write_table(tmp_path / name, pa.table({"a": column})))
    assert pa.types.is_dictionary(first.column("a").type)
    assert len(first) > 100 or name == "a.parquet"


@pytest.mark.parametrize("name", KINDS)
def test_text_that_is_not_utf8(tmp_path: Path, name: str) -> None:
    """The rows that hold it are unreadable, also inside lists; the others are read."""
    offsets = pa.py_buffer(b"".join(at.to_bytes(4, "little") for at in (0, 1, 2, 3)))
    column = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"a\xffc")])
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), column)
    for values in (column, lists):
        path = write_table(tmp_path / name, pa.table({"n": [1, 2, 3], "c": values}))
        rows = rows_of(path)
        assert [row if isinstance(row, tuple) else row["n"] for row in rows] == [
            1,
            (2, "column c is not UTF-8"),
            3,
        ]


def test_offsets_that_lead_astray(tmp_path: Path) -> None:
    """They would be followed out of the file; the file is refused."""
    offsets = pa.py_buffer(b"".join(at.to_bytes(4, "little") for at in (0, 2**30, 3)))
    column = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"abc")])
    path = write_table(tmp_path / "a.arrow", pa.table({"c": column}))
    with pytest.raises(InputError, match=r"a\.arrow is damaged or cannot be read"):
        rows_of(path)


def test_json_values(tmp_path: Path) -> None:
    """ISO 8601, digits as they are, lists, objects; what JSON cannot hold is null."""
    moment = dt.datetime(2020, 1, 2, 3, 4, 5, 6)
    columns = {
        "s": pa.array([moment], pa.timestamp("us")),
        "z": pa.array([moment], pa.timestamp("ms", "Europe/Berlin")),
        "n": pa.array([1], pa.timestamp("ns")),
        "d": pa.array([dt.date(2020, 1, 2)]),
        "t": pa.array([dt.time(1, 2, 3)], pa.time32("s")),
        "x": pa.array([decimal.Decimal("1.50")]),
        "f": pa.array([float("nan")]),
        "h": pa.array([1.5], pa.float16()),
        "u": pa.array([2**64 - 1], pa.uint64()),
        "l": pa.array([[float("inf"), 1.5, None]]),
        "o": pa.array([{"p": [dt.date(2020, 1, 2)], "q": None}]),
        "m": pa.array([[("k", 1), ("l", None)]], pa.map_(pa.string(), pa.int8())),
        "r": pa.array([[("k", 1), ("k", 2)]], pa.map_(pa.string(), pa.int8())),
        "i": pa.array([[(1, "v")]], pa.map_(pa.int8(), pa.string())),
        "c": pa.array(["v"]).dictionary_encode(),
        "e": pa.nulls(1),
    }
    (row,) = rows_of(write_table(tmp_path / "a.arrow", pa.table(columns)))
    assert row == {
        "s": "2020-01-02T03:04:05.000006",
        "z": "2020-01-02T03:04:05.000Z",
        "n": "1970-01-01T00:00:00.000000001",
        "d": "2020-01-02",
        "t": "01:02:03",
        "x": "1.50",
        "f": None,
        "h": 1.5,
        "u": 2**64 - 1,
        "l": [None, 1.5, None],
        "o": {"p": ["2020-01-02"], "q": None},
        "m": {"k": 1, "l": None},
        "r": [["k", 1], ["k", 2]],
        "i": [[1, "v"]],
        "c": "v",
        "e": None,
    }


@pytest.mark.parametrize(
    "column",
    [
        pa.array([b"x"]),
        pa.array([[b"x"]]),
        pa.array([{"a": b"x"}]),
        pa.array([dt.timedelta(1)]),
        pa.array([b"x"]).dictionary_encode(),
        pa.array([b"x" * 16], pa.uuid()),
    ],
    ids=str,
)
def test_types_that_json_cannot_hold(tmp_path: Path, column: pa.Array) -> None:
    """Named with column, type and the way out; they are in nobody's way where they are not wanted."""
    path = write_table(tmp_path / "a.arrow", pa.table({"a": ["x"], "c": column}))
    (block,) = blocks_of(path)
    with pytest.raises(InputError, match=r"a\.arrow: column c is of the type .*--keep"):
        block.json_texts(None)
    assert block.json_texts(["a"]) == [b'{"a":"x"}']


def test_nulls_in_structs_and_lists(tmp_path: Path) -> None:
    """A slice of nested columns gives its own members, those of null lists left out."""
    table = pa.table(
        {
            "l": pa.array([["a"], None, [], ["b", None]]),
            "f": pa.array([[1, 2], None, [3, 4], [5, 6]], pa.list_(pa.int8(), 2)),
            "v": pa.array([[1], None, [], [2, 3]], pa.list_view(pa.int8())),
            "m": pa.array([[("k", 1)], None, [], [("l", 2)]], pa.map_(pa.string(), pa.int8())),
            "s": pa.array([{"a": [1]}, None, {"a": None}, {"a": []}]),
        }
    )
    (block,) = blocks_of(write_table(tmp_path / "a.arrow", table.slice(1)))
    assert [json.loads(text) for text in block.json_texts(None)] == [
        {"l": None, "f": None, "v": None, "m": None, "s": None},
        {"l": [], "f": [3, 4], "v": [], "m": {}, "s": {"a": None}},
        {"l": ["b", None], "f": [5, 6], "v": [2, 3], "m": {"l": 2}, "s": {"a": []}},
    ]


def test_two_columns_of_one_name(tmp_path: Path) -> None:
    """Nobody could say which is meant."""
    table = pa.table([pa.array([1]), pa.array([2])], names=["a", "a"])
    for name in ("a.arrow", "a.arrows", "a.parquet"):
        with pytest.raises(InputError, match="has two columns called a"):
            rows_of(write_table(tmp_path / name, table))


@pytest.mark.parametrize("name", KINDS)
def test_standard_input(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known by its bytes, and read; a stream as it comes, the others whole."""
    data = write_table(tmp_path / name, PLAIN).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    with open_inputs(["-"]) as inputs:
        (block,) = inputs.blocks(None)
        assert (block.source, block.cells("a")) == ("standard input", ["x", None, ""])


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install."""
    for name in KINDS:
        path = write_table(tmp_path / name, PLAIN)
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "pyarrow", None)
            with pytest.raises(InputError, match=r"pip install 'gradestone\[arrow\]'"):
                READERS[name](str(path))
