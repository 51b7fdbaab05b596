"""Outputs: columns that show up late, clashes, nulls, and files that appear whole or not at all."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.data.files import read_table, rows_of, write_table

from gradestone import grade_many
from gradestone.data.blocks import MAX_ROWS
from gradestone.data.errors import FileError, InputError, OutputError
from gradestone.data.inputs import open_inputs
from gradestone.data.kept import MAX_COLUMNS, Keep, read_keep
from gradestone.data.outputs import open_output, output_format
from gradestone.data.verdict_columns import verdict_columns

TABLES = ["o.parquet", "o.arrow", "o.arrows"]
ALL = ["o.jsonl", "o.csv", *TABLES]
ADDED = list(verdict_columns("g"))


def grade(sources: Sequence[Path], out: Path | str, keep: Keep = "all", format: str | None = None) -> None:
    """Grade files into another; the candidate is always the same text."""
    with open_inputs([str(source) for source in sources]) as inputs:
        sink = open_output(
            str(out), format=format, keep=keep, graders=["g"], sources=inputs.statuses, several=inputs.several
        )
        with sink as output:
            for block in inputs.blocks(None):
                output.write(block, verdicts(len(block)))


def verdicts(rows: int) -> dict[str, Any]:
    if not rows:
        return {}
    return grade_many({"g": {"type": "contains", "fragments": ["a"]}}, ["a"] * rows)


def put(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def csv_rows(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file, strict=True))


def late(folder: Path) -> Path:
    """Rows of which the last block has members that no other has."""
    rows = [{"a": "x"}] * MAX_ROWS + [{"b": [1], "a": None}, {"c": "é"}]
    return put(folder / "in.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("name", ["o.csv", *TABLES])
def test_columns_that_show_up_late(tmp_path: Path, name: str) -> None:
    """They are columns of the whole output, null before; no row and no column is lost."""
    grade([late(tmp_path)], tmp_path / name)
    rows = rows_of(tmp_path / name)
    assert list(rows[0]) == ["a", "b", "c", "lone_surrogates", *ADDED]
    nothing = "" if name == "o.csv" else None
    assert [rows[0][column] for column in "abc"] == ["x", nothing, nothing]
    assert [rows[-2][column] for column in "abc"] == [nothing, "[1]", nothing]
    assert [rows[-1][column] for column in "abc"] == [nothing, nothing, "é"]
    assert len(rows) == MAX_ROWS + 2
    assert {row["g_code"] for row in rows} == {"ok"}
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", name}


@pytest.mark.parametrize("name", ["o.csv", *TABLES])
def test_columns_that_are_named_need_no_second_pass(tmp_path: Path, name: str) -> None:
    """They are there from the first row on, though no row may have them."""
    grade([late(tmp_path)], tmp_path / name, keep=("c", "nowhere"))
    rows = rows_of(tmp_path / name)
    assert list(rows[0]) == ["c", "nowhere", "lone_surrogates", *ADDED]
    assert (rows[-1]["c"], rows[-1]["nowhere"]) == ("é", "" if name == "o.csv" else None)


@pytest.mark.parametrize("name", ["o.csv", "o.parquet"])
def test_too_many_different_members(tmp_path: Path, name: str) -> None:
    """Refused with the way out, before memory is short."""
    rows = "".join(f'{{"m{index}":1}}\n' for index in range(MAX_COLUMNS + 1))
    with pytest.raises(OutputError, match="more than 4096 different members; choose some with --keep"):
        grade([put(tmp_path / "in.jsonl", rows)], tmp_path / name)
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl"}


@pytest.mark.parametrize("name", ALL)
def test_unreadable_rows_stand_in_their_places(tmp_path: Path, name: str) -> None:
    """Without values, with a verdict that names line and cause; also a block of nothing else."""
    source = put(tmp_path / "in.jsonl", '7\n{"a":"x"}\n8\n9\n{"a":"y"}\n[]\n')
    grade([source], tmp_path / name)
    rows = rows_of(tmp_path / name)
    if name == "o.jsonl":
        rows = [
            {"a": row.get("a"), "g_code": row["g"]["code"], "g_reason": row["g"]["reason"]} for row in rows
        ]
    assert [row["a"] or None for row in rows] == [None, "x", None, None, "y", None]
    assert [row["g_code"] for row in rows] == [
        "unreadable_row", "ok", "unreadable_row", "unreadable_row", "ok", "unreadable_row",
    ]  # fmt: skip
    assert rows[3]["g_reason"] == "line 4 could not be read: not an object but a number"
    grade([put(tmp_path / "bad.jsonl", "7\n")], tmp_path / name)
    assert len(rows_of(tmp_path / name)) == 1


@pytest.mark.parametrize("name", ALL)
def test_several_files_are_named(tmp_path: Path, name: str) -> None:
    """A line alone would say nothing; tables and JSON go into one output."""
    sources = [put(tmp_path / "a.csv", "a,z\n1,2\n3\n"), put(tmp_path / "b.json", '[{"b":2},7]')]
    grade(sources, tmp_path / name)
    rows = rows_of(tmp_path / name)
    reasons = [row["g"]["reason"] if name == "o.jsonl" else row["g_reason"] for row in rows]
    assert reasons[1] == f"{sources[0]}: line 3 could not be read: 1 cell, the header has 2"
    assert reasons[3] == f"{sources[1]}: row 2 could not be read: not an object but a number"
    if name == "o.jsonl":
        assert (rows[1]["file"], rows[1]["line"], rows[3]["row"]) == (str(sources[0]), 3, 2)
    else:
        assert list(rows[0])[:4] == ["a", "z", "b", "lone_surrogates"]


TYPED = pa.table(
    {
        "i": pa.array([1, None], pa.int8()),
        "t": pa.array([dt.datetime(2020, 1, 2), None], pa.timestamp("us", "UTC")),
        "d": pa.array(["x", None]).dictionary_encode(),
        "s": pa.array([{"a": [1]}, None]),
        "b": pa.array([b"\xff", None]),
        "l": pa.array([["x"], None], pa.large_list(pa.large_string())),
        "m": pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int8())),
    }
)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("source", ["in.parquet", "in.arrow", "in.arrows"])
def test_types_are_kept(tmp_path: Path, source: str, name: str) -> None:
    """Exactly those that the input's reader gives, binary data among them; also of a file with a bad row."""
    path = write_table(tmp_path / source, TYPED)
    grade([path], tmp_path / name)
    assert read_table(tmp_path / name).select(TYPED.schema.names).equals(read_table(path))


def test_an_unreadable_row_of_a_typed_table(tmp_path: Path) -> None:
    """Its cells are null in columns that cannot be null in the input."""
    offsets = pa.py_buffer(b"".join(at.to_bytes(4, "little") for at in (0, 1, 2)))
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"\xffa")])
    schema = pa.schema([pa.field("n", pa.int64(), nullable=False), ("c", pa.string())])
    path = write_table(tmp_path / "in.arrow", pa.table([pa.array([1, 2]), broken], schema=schema))
    grade([path], tmp_path / "o.parquet")
    table = read_table(tmp_path / "o.parquet")
    assert table.select(["n", "c"]).to_pylist() == [{"n": None, "c": None}, {"n": 2, "c": "a"}]
    assert table["g_reason"][0].as_py() == "row 1 could not be read: column c is not UTF-8"


@pytest.mark.parametrize("name", TABLES)
def test_dictionaries_that_grow(tmp_path: Path, name: str) -> None:
    """Batches with dictionaries of their own make one file; an IPC file may have but one a column."""
    parts = [pa.table({"d": pa.array([f"{part}", "x"]).dictionary_encode()}) for part in range(3)]
    with (
        pa.OSFile(str(tmp_path / "in.arrows"), "wb") as file,
        pa.ipc.new_stream(file, parts[0].schema) as writer,
    ):
        for part in parts:
            writer.write_table(part)
    grade([tmp_path / "in.arrows"], tmp_path / name)
    column = read_table(tmp_path / name)["d"]
    assert pa.types.is_dictionary(column.type)
    assert column.to_pylist() == ["0", "x", "1", "x", "2", "x"]


def test_types_that_differ_between_files_become_text(tmp_path: Path) -> None:
    """JSON and Parquet in one output: the column is text wherever it came from."""
    table = write_table(tmp_path / "a.parquet", pa.table({"n": [1, None], "f": [float("nan"), 1.5]}))
    grade([table, put(tmp_path / "b.jsonl", '{"n":"x"}\n')], tmp_path / "o.parquet")
    out = read_table(tmp_path / "o.parquet")
    assert out["n"].to_pylist() == ["1", None, "x"]
    assert str(out["f"].to_pylist()) == "[nan, 1.5, None]"
    assert out["lone_surrogates"].to_pylist() == [False, False, False]


@pytest.mark.parametrize("name", ["o.jsonl", "o.csv"])
def test_types_that_text_cannot_hold(tmp_path: Path, name: str) -> None:
    """Refused with the first block, and left out they are in nobody's way."""
    path = write_table(tmp_path / "in.parquet", TYPED)
    with pytest.raises(InputError, match=r"column b is of the type binary, .*--keep"):
        grade([path], tmp_path / name)
    assert not (tmp_path / name).exists()
    grade([path], tmp_path / name, keep=("t", "s"))
    assert rows_of(tmp_path / name)[0]["t"] == "2020-01-02T00:00:00.000000Z"


def test_csv_cells(tmp_path: Path) -> None:
    """Nothing is null and ``""`` is the empty text; formulas are not touched; the standard reader agrees."""
    texts = ["", "=1+1", "-1", "@x", 'a"b', "a,b", "a\nb", "a\rb", " a ", "é\u2028", "\x00"]
    lines = [*({"a": text} for text in texts), {"a": None}, {}, {"a": 1.5}, {"a": True}, {"a": {"k": ["é"]}}]
    source = put(tmp_path / "in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    grade([source], tmp_path / "o.csv")
    header, *rows = csv_rows(tmp_path / "o.csv")
    assert header == ["a", "lone_surrogates", *ADDED]
    assert [row[0] for row in rows] == [*texts, "", "", "1.5", "true", '{"k":["é"]}']
    assert rows[0][1:] == ["false", "true", "1.0", "pass", "ok", "passed"]
    raw = (tmp_path / "o.csv").read_bytes().split(b"\n")
    assert raw[1].startswith(b'"",false')
    assert b"\n,false,true" in (tmp_path / "o.csv").read_bytes()


def test_names_that_utf8_has_no_form_for(tmp_path: Path) -> None:
    """Members called by lone surrogates have columns of their own, and so has what is spelt like one."""
    source = put(tmp_path / "in.jsonl", '{"\\ud800":"x","\\\\ud800":"y"}\n')
    for name in ("o.csv", "o.parquet"):
        grade([source], tmp_path / name)
        row = rows_of(tmp_path / name)[0]
        assert (row["\\ud800"], row["\\ud800_"]) == ("x", "y")


@pytest.mark.parametrize("name", ALL)
def test_clashes(tmp_path: Path, name: str) -> None:
    """A column of the user's that the output adds as well is refused, and nothing is left."""
    clash = "g" if name == "o.jsonl" else "g_score"
    for source in (
        put(tmp_path / "in.csv", f"{clash}\n1\n"),
        put(tmp_path / "in.jsonl", f'{{"{clash}":1}}\n'),
        write_table(tmp_path / "in.arrow", pa.table({clash: [1]})),
    ):
        with pytest.raises(OutputError, match=f"has a column called {clash}, as the output has"):
            grade([source], tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_column_to_keep_that_is_not_there(tmp_path: Path) -> None:
    """Refused for tables; rows of JSON may have it later."""
    with pytest.raises(OutputError, match="has no column idd to keep; did you mean id"):
        grade([put(tmp_path / "in.csv", "id\n1\n")], tmp_path / "o.csv", keep=("idd",))
    grade([put(tmp_path / "in.jsonl", '{"id":1}\n{"idd":2}\n')], tmp_path / "o.jsonl", keep=("idd",))
    assert [row.get("idd") for row in rows_of(tmp_path / "o.jsonl")] == [None, 2]
    assert b'"idd"' not in (tmp_path / "o.jsonl").read_bytes().split(b"\n")[0]


@pytest.mark.parametrize("text", ["", "a,,b", "a,", "[", "[1]", "[]", '[""]'])
def test_keep_that_says_nothing(text: str) -> None:
    """Neither all, none nor names."""
    with pytest.raises(OutputError, match="keep "):
        read_keep(text)


@pytest.mark.parametrize(
    ("name", "format", "error"),
    [
        ("o.txt", None, r"must end with one of \.jsonl, \.ndjson, \.csv"),
        ("o", None, "must end with one of"),
        ("o.json", None, r"use \.jsonl"),
        ("o.parquet.gz", None, "compressed inside"),
        ("o.csv", "parquet", "its name says csv, not parquet"),
        ("-", "xml", "no format is called xml"),
    ],
)
def test_names_of_no_format(name: str, format: str | None, error: str) -> None:
    """Refused at once, before a row is graded."""
    with pytest.raises(OutputError, match=error):
        open_output(name, format=format, graders=["g"])


def test_no_graders() -> None:
    """An output without verdicts would say nothing, and pass for one that says all is well."""
    with pytest.raises(OutputError, match="there are no graders"):
        open_output("o.jsonl", graders=[])


def test_formats_of_names() -> None:
    """Capitals and compression do not matter; any name may be given a format that its suffix does not deny."""
    assert output_format("A.JSONL.GZ") == "jsonl"
    assert output_format("table", "arrow") == "arrow"


@pytest.mark.parametrize("module", ["pyarrow", "backports.zstd"])
def test_missing_packages(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told at once, in one line that says what to install."""
    name, extra = ("o.parquet", "arrow") if module == "pyarrow" else ("o.jsonl.zst", "zstd")
    for one in (module, "compression.zstd"):
        monkeypatch.setitem(sys.modules, one, None)
    with pytest.raises(OutputError, match=rf"pip install 'gradestone\[{extra}\]'"):
        open_output(name, graders=["g"])


@pytest.mark.parametrize("format", ["jsonl", "csv", "tsv", "parquet", "arrow", "arrows"])
@pytest.mark.parametrize("source", ["in.jsonl", "in.csv"])
def test_standard_output(
    tmp_path: Path,
    source: str,
    format: str,
    capfdbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same bytes as in a file, also where the rows are set aside first."""
    path = late(tmp_path) if source == "in.jsonl" else put(tmp_path / source, "a\n1\n")
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    grade([path], "-", format=format)
    monkeypatch.undo()
    grade([path], tmp_path / f"o.{format}")
    written = out.buffer
    assert isinstance(written, io.BytesIO)
    assert written.getvalue() == (tmp_path / f"o.{format}").read_bytes()


@pytest.mark.parametrize("name", [*ALL, "o.tsv.gz", "o.csv.zst", "o.jsonl.zst"])
@pytest.mark.parametrize("rows", ['{"a":"x"}\n', '{"a":"x"}\n7\n' * 5_000])
def test_nothing_is_left_of_a_failure(tmp_path: Path, name: str, rows: str) -> None:
    """Neither the file nor a part of it, whenever the run fails."""
    source = put(tmp_path / "in.jsonl", rows)
    with (
        open_inputs([str(source)]) as inputs,
        pytest.raises(KeyboardInterrupt),
        open_output(str(tmp_path / name), graders=["g"]) as output,
    ):
        for block in inputs.blocks(None):
            output.write(block, verdicts(len(block)))
            if len(rows) < 100 or block.bad:
                raise KeyboardInterrupt
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet", "arrow", "arrows"])
@pytest.mark.parametrize("source", ["in.jsonl", "in.csv"])
def test_full_disk(tmp_path: Path, source: str, format: str) -> None:
    """One line that names the output, whichever package was writing."""
    path = late(tmp_path) if source == "in.jsonl" else put(tmp_path / source, "a\n" + "x\n" * 9_000)
    with pytest.raises(OutputError, match="cannot write /dev/full: No space left on device"):
        grade([path], "/dev/full", format=format)


@pytest.mark.parametrize("name", ["o.jsonl", "o.csv", "o.parquet", "o.arrow"])
def test_killed(tmp_path: Path, name: str) -> None:
    """What is left of a run that was killed has a name of its own, which no reader takes for an output."""
    source = put(tmp_path / "in.csv", "a\n" + "x\n" * 50_000)
    program = f"""
import os, signal
from gradestone import grade_many
from gradestone.data.inputs import open_inputs
from gradestone.data.outputs import open_output
with open_inputs([{str(source)!r}]) as inputs, open_output({str(tmp_path / name)!r}, graders=["g"]) as output:
    for number, block in enumerate(inputs.blocks(None)):
        output.write(block, grade_many({{"g": {{"type": "contains", "fragments": ["a"]}}}}, block.column("a")))
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = {path.name for path in tmp_path.iterdir()} - {"in.csv"}
    assert left.startswith(".gradestone-")
    assert left.endswith(".part")


def test_sources_are_not_overwritten(tmp_path: Path) -> None:
    """None of them, in whatever format."""
    sources = [put(tmp_path / "a.csv", "a\n1\n"), put(tmp_path / "b.csv", "a\n2\n")]
    with pytest.raises(FileError, match="it is a file that is being read"):
        grade(sources, sources[1])
    assert sources[1].read_text() == "a\n2\n"


@pytest.mark.parametrize("name", ALL)
def test_no_rows(tmp_path: Path, name: str) -> None:
    """An output without rows is still one that can be read."""
    grade([put(tmp_path / "in.jsonl", "")], tmp_path / name)
    assert rows_of(tmp_path / name) == []


@pytest.mark.parametrize("name", ["o.csv", *TABLES])
def test_a_run_that_was_said_to_have_one_file(tmp_path: Path, name: str) -> None:
    """Another table's columns are refused where the output has begun, not dropped."""
    sources = [put(tmp_path / "a.csv", "a\n1\n"), put(tmp_path / "b.csv", "b\n1\n")]
    with (
        open_inputs([str(source) for source in sources]) as inputs,
        pytest.raises(OutputError, match="the columns changed while the run went on"),
        open_output(str(tmp_path / name), graders=["g"], several=False) as output,
    ):
        for block in inputs.blocks(None):
            output.write(block, verdicts(len(block)))
