"""Several files as one input: which they are, and what is settled before the first row."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from tests.data.files import blocks_of, rows_of, write_table

from gradestone.data.errors import InputError
from gradestone.data.inputs import open_inputs
from gradestone.data.jsonl import JsonlFile


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of files, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for name, data in {
        "in/b.jsonl": '{"n":3}\n',
        "in/a.jsonl": '{"n":1}\n{"n":2}\n',
        "in/deep/c.csv": "n\n4\n",
        "in/_temporary.jsonl": "rubbish\n",
        "in/.hidden.jsonl": "rubbish\n",
        "in/.git/x.jsonl": "rubbish\n",
        "odd/[x].jsonl": '{"n":5}\n',
        "odd/x.jsonl": '{"n":6}\n',
        "mixed/a.jsonl": "{}\n",
        "mixed/notes.txt": "notes\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(data)
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (["in"], [1, 2, 3, "4"]),
        (["in/[!_]*.jsonl"], [1, 2, 3]),
        (["in/**/*.csv", "in/b.jsonl"], ["4", 3]),
        (["odd/[x].jsonl"], [5]),
        (["odd/[xy].jsonl"], [6]),
    ],
)
def test_files_patterns_and_directories(folder: Path, names: list[str], numbers: list[object]) -> None:
    """Sorted; without hidden and temporary names; a pattern only where no file is called so."""
    assert [row["n"] for row in rows_of(*names)] == numbers


@pytest.mark.parametrize(
    ("names", "error"),
    [
        (["nothing.jsonl"], "cannot read nothing.jsonl: No such file or directory"),
        (["in/*.parquet"], r"no file matches in/\*\.parquet"),
        (["empty"], "there are no files in the directory empty"),
        (["mixed"], r"mixed/notes\.txt is of no known format .*as in 'mixed/\*\.jsonl'"),
        (["in/a.jsonl", "in"], r"in/a\.jsonl is named twice"),
        (["in/a.jsonl", "./in/a.jsonl"], r"\./in/a\.jsonl is named twice, once as in/a\.jsonl"),
        (["-", "-"], "standard input is named twice"),
        ([], "no input is named"),
    ],
)
def test_names_that_stand_for_nothing_or_too_much(folder: Path, names: list[str], error: str) -> None:
    """Refused, with the name and the way out."""
    with pytest.raises(InputError, match=error):
        open_inputs(names)


def test_links(folder: Path) -> None:
    """A link to a directory is followed, a circle is refused, and so is a second name of a file."""
    (folder / "linked").mkdir()
    (folder / "linked" / "deep").symlink_to(folder / "in" / "deep")
    assert rows_of("linked") == [{"n": "4"}]
    (folder / "linked" / "round").symlink_to(folder / "linked")
    with pytest.raises(InputError, match="linked/round is a link that leads back"):
        open_inputs(["linked"])
    os.link(folder / "in" / "b.jsonl", folder / "in" / "z.jsonl")
    with pytest.raises(InputError, match=r"in/z\.jsonl is named twice, once as in/b\.jsonl"):
        open_inputs(["in"])


def test_a_format_that_is_asked_for(folder: Path) -> None:
    """It goes for every file, of a directory too."""
    assert rows_of("mixed/notes.txt", format="csv") == []
    assert len(rows_of("mixed", format="jsonl")) == 2
    with pytest.raises(InputError, match="no format is called xml; there are jsonl, json, csv"):
        open_inputs(["in"], format="xml")


def test_formats_by_content(tmp_path: Path) -> None:
    """A name that says nothing: Parquet and Arrow are seen, all else is JSON lines; a wrong name is refused."""
    table = pa.table({"n": [1]})
    data = {
        kind: write_table(tmp_path / f"a.{kind}", table).read_bytes()
        for kind in ("parquet", "arrow", "arrows")
    }
    for content in (*data.values(), b'{"n":1}\n', gzip.compress(b'{"n":1}\n')):
        (tmp_path / "file").write_bytes(content)
        assert rows_of(tmp_path / "file") == [{"n": 1}]
    (tmp_path / "b.arrow").write_bytes(data["arrows"])
    assert rows_of(tmp_path / "b.arrow") == [{"n": 1}]
    for name, content, error in (
        ("c.jsonl", data["parquet"], "is a file of the format parquet, not jsonl, as its name says"),
        ("c.parquet", data["arrow"], "is a file of the format arrow, not parquet, as its name says"),
        ("c.parquet", b"", "is no file of the format parquet"),
        ("c.arrow", b"{}\n", "is no file of the format arrow"),
        ("c.parquet.gz", data["parquet"], "compressed inside, not as a whole"),
        ("c.feather", b"FEA1....", "Feather version 1"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=error):
            open_inputs([str(tmp_path / name)])


def test_every_table_is_looked_at_first(folder: Path) -> None:
    """A column that the last file lacks ends the run before its first row, and so does a broken file."""
    (folder / "in" / "z.csv").write_text("m\n1\n")
    with (
        open_inputs(["in"]) as inputs,
        pytest.raises(InputError, match=r"in/z\.csv has no column n; The columns are m"),
    ):
        next(inputs.blocks(["n"]))
    (folder / "in" / "z.csv").write_text("n,n\n1,2\n")
    with pytest.raises(InputError, match=r"in/z\.csv, line 1"):
        open_inputs(["in"])
    (folder / "in" / "z.csv").unlink()
    (folder / "in" / "z.jsonl.gz").write_text("{}\n")
    with pytest.raises(InputError, match=r"in/z\.jsonl\.gz is not compressed with gzip, as its name says"):
        open_inputs(["in"])


def test_types_that_differ(tmp_path: Path) -> None:
    """Refused before the first row where all columns are wanted, and nobody's business where they are not."""
    write_table(tmp_path / "a.parquet", pa.table({"n": ["x"], "m": [1]}))
    write_table(tmp_path / "b.arrow", pa.table({"n": ["y"], "m": ["1"]}))
    with (
        open_inputs([str(tmp_path)]) as inputs,
        pytest.raises(InputError, match=r"column m is of the type string, in .*a\.parquet of int64"),
    ):
        next(inputs.blocks(None))
    assert [block.cells("n") for block in blocks_of(tmp_path, wanted=["n"])] == [["x"], ["y"]]
    write_table(tmp_path / "b.arrow", pa.table({"n": ["y"]}))
    with open_inputs([str(tmp_path)]) as inputs, pytest.raises(InputError, match="only one has the column m"):
        next(inputs.blocks(None))


def test_reserved_columns(folder: Path) -> None:
    """A table that has one is refused at once, and so is a first row; later rows are unreadable."""
    with pytest.raises(
        InputError, match=r"c\.csv already has a column called n: give the grader another name, as in -g"
    ):
        open_inputs(["in/deep/c.csv"], reserved=["n"])
    with open_inputs(["in"], reserved=["m"]) as inputs:
        assert inputs.fields() == ("n",)
    with (
        open_inputs(["in/a.jsonl"], reserved=["n"]) as inputs,
        pytest.raises(InputError, match="line 1 already has a member called n"),
    ):
        inputs.fields()
    (folder / "a.jsonl").write_text('7\n{"m":1}\n{"n":2}\n')
    assert rows_of("a.jsonl", reserved=["n"])[1:] == [
        {"m": 1},
        (3, "it already has a member called like a grader"),
    ]


def test_a_flag_in_a_table_is_nothing_special(tmp_path: Path) -> None:
    """An output of ours can be graded again; beside rows of JSON, whose flags it would be, it cannot."""
    (tmp_path / "a.csv").write_text("lone_surrogates,o\ntrue,x\n")
    assert len(rows_of(tmp_path / "a.csv", reserved=["lone_surrogates"])) == 1
    (tmp_path / "b.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="already has a column called lone_surrogates"):
        open_inputs([str(tmp_path)], reserved=["lone_surrogates"])


def test_limit_counts_over_all_files(folder: Path) -> None:
    """Unreadable rows count, and files behind the limit are not read."""
    (folder / "in" / "b.jsonl").write_text("7\n")
    assert len(rows_of("in", limit=2)) == 2
    assert len(rows_of("in", limit=3)) == 3
    assert rows_of("in", limit=0) == []
    (folder / "in" / "z.jsonl.gz").write_bytes(gzip.compress(b"{}\n" * 9)[:-4])
    assert len(rows_of("in", limit=4)) == 4


def test_fields_are_those_of_the_first_readable_row(folder: Path) -> None:
    """Files without one are passed by; no row is lost by looking."""
    (folder / "in" / "0.jsonl").write_text("\n7\n")
    with open_inputs(["in"]) as inputs:
        assert inputs.fields() == ("n",)
        assert sum(len(block) + len(block.bad) for block in inputs.blocks(None)) == 5
    with open_inputs(["in/0.jsonl"]) as inputs:
        assert inputs.fields() is None


def test_what_a_progress_bar_needs(folder: Path) -> None:
    """Size and position of all files, and their statuses; one name for messages."""
    with open_inputs(["in"]) as inputs:
        assert (inputs.label, inputs.several, len(inputs.statuses)) == ("3 files", True, 3)
        assert inputs.size == 16 + 8 + 4
        list(inputs.blocks(None))
        assert inputs.position == inputs.size


def test_a_file_that_changes(folder: Path) -> None:
    """A table whose columns are others by its turn is refused."""
    with open_inputs(["in"]) as inputs:
        blocks = inputs.blocks(["n"])
        next(blocks)
        (folder / "in" / "deep" / "c.csv").write_text("m\n4\n")
        with pytest.raises(InputError, match=r"c\.csv was changed while the run went on"):
            list(blocks)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_opened_once(tmp_path: Path) -> None:
    """It is what its name says; its first bytes are not lost to a look at them."""
    pipe = tmp_path / "a.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("n\n1\n"))
    writer.start()
    assert rows_of(pipe) == [{"n": "1"}]
    writer.join()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON lines, or what is asked for; compressed or not."""
    for data, format in ((b'{"n":"1"}\n', None), (b"n\n1\n", "csv"), (gzip.compress(b'[{"n":"1"}]'), "json")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert rows_of("-", format=format) == [{"n": "1"}]
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        open_inputs(["-"])


def test_the_position_may_be_asked_for_while_files_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may open the next file between two files that are asked: a progress bar must not end the run."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.jsonl").write_text('{"n":1}\n')
    with open_inputs([str(tmp_path)]) as inputs:
        blocks = inputs.blocks(["n"])
        next(blocks)

        def position(_: object) -> int:
            next(blocks, None)
            return 8

        monkeypatch.setattr(JsonlFile, "position", property(position))
        assert inputs.position == 8
