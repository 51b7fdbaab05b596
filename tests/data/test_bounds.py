"""What is too long is refused early, and what is refused is not quoted."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from tests.data.files import blocks_of, rows_of, write_table

from gradestone.data import delimited, json_list, jsonl, streams
from gradestone.data.cells import Cells
from gradestone.data.errors import InputError


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.jsonl", b'{}\n{"a":"' + b"x" * 200 + b'"}\n', "line 2 is longer than 256 MiB"),
        ("a.csv", b"a\n" + b"x" * 200 + b"\n", "line 2 is longer than 256 MiB"),
        ("a.csv", b"a,b,c\n" + b'"x\ny",' * 40 + b"z\n", "line 2: a row is longer than 256 MiB"),
        ("a.json", b'[{},{"a":"' + b"x" * 200 + b'"}]', "row 2 is longer than 256 MiB"),
    ],
)
def test_rows_have_a_bound(
    tmp_path: Path, name: str, data: bytes, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line of 256 MiB, and as much of a row that has several; here the bound is a hundred bytes."""
    for module in (delimited, json_list, jsonl, streams):
        monkeypatch.setattr(module, "MAX_LINE", 100)
        monkeypatch.setattr(module, "_CHUNK", 10, raising=False)
    monkeypatch.setattr(jsonl, "_PIECE", 10)
    message = error.replace("256 MiB", "0 MiB")
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message):
        rows_of(tmp_path / name)


SECRET = "hunter2"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", '{"a":"hunter2}\n["hunter2"]\n{"hunter2":1,"hunter2":2}\n{"a":hunter2}\n'),
        ("a.json", '[["hunter2"],{"hunter2":1,"hunter2":2}]'),
        ("b.json", '[{"a":hunter2}]'),
        ("c.json", '"hunter2"'),
        ("a.csv", 'a,b\nhunter2\n"hunter2"hunter2,\nhunter2,hunter2\n'),
        ("b.csv", 'a,b\n"hunter2,\n'),
        ("c.csv", "hunter2,hunter2\n"),
        ("d.csv", '"hunter2"hunter2\n'),
    ],
)
def test_nothing_is_quoted(tmp_path: Path, name: str, data: str) -> None:
    """No message has a word of a row or of a cell, whatever is wrong with it."""
    (tmp_path / name).write_text(data)
    told: list[str] = []
    try:
        for block in blocks_of(tmp_path / name, cells=Cells(None)):
            told += [bad.error for bad in block.bad]
    except InputError as error:
        told.append(str(error))
    assert told
    assert SECRET not in " ".join(told)


def test_columns_whose_names_hold_dots(tmp_path: Path) -> None:
    """A column is taken by its whole name, though Parquet has its own meaning of dots."""
    table = pa.table({"a.b": ["x"], "a": pa.array([{"b": 1, "c": 2}]), "a.": ["y"]})
    path = write_table(tmp_path / "a.parquet", table)
    for wanted, cells in (("a.b", ["x"]), ("a", [{"b": 1, "c": 2}]), ("a.", ["y"])):
        (block,) = blocks_of(path, wanted=[wanted])
        assert (block.names, block.cells(wanted)) == ((wanted,), cells)
