"""``gradestone score`` over every format: the same rows give the same figures, and outputs can be read back."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

from gradestone.data.inputs import open_inputs

from .conftest import Invoke, write_rows

CONTEXTS = (None, [], [""], ["opens at ten"], ["opens at ten", "é"])
ROWS: list[dict[str, Any]] = [
    {"id": str(at), "output": text, "expected": gold, "found": found, "wanted": wanted}
    for at, (text, gold, found, wanted) in enumerate(
        (text, gold, found, wanted)
        for text in ("the cat sat", "", None, "write to ann@example.com é")
        for gold in ("the cat sat", None)
        for found in CONTEXTS
        for wanted in CONTEXTS
    )
]
GRADERS = ("-g", "no_pii", "-g", "rouge_score", "-g", "context_f1", "--candidate", "output")
COLUMNS = ("--reference", "expected", "--column", "retrieved=found", "--column", "expected=wanted")
FORMATS = ("jsonl", "jsonl.gz", "json", "csv", "tsv", "csv.zst", "parquet", "arrow", "arrows")


def written(path: Path) -> Path:
    """Writes the rows in the format of the name."""
    kind = path.suffixes[0]
    if kind == ".jsonl":
        return write_rows(path, ROWS)
    if kind == ".json":
        path.write_text(json.dumps(ROWS))
        return path
    if kind in (".csv", ".tsv"):
        plain = path.with_suffix("") if path.suffix == ".zst" else path
        with plain.open("w", newline="") as file:
            writer = csv.writer(file, delimiter="," if kind == ".csv" else "\t")
            writer.writerow(ROWS[0])
            writer.writerows(
                ["" if cell is None else json.dumps(cell) for cell in row.values()] for row in ROWS
            )
        if plain != path:
            from gradestone.data.compression import packed

            with path.open("wb") as file, packed(file, "zstd") as stream:
                stream.write(plain.read_bytes())
        return path
    table = pa.Table.from_pylist(ROWS)
    if kind == ".parquet":
        pq.write_table(table, path, row_group_size=30)
        return path
    make = pa.ipc.new_file if kind == ".arrow" else pa.ipc.new_stream
    with make(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=30)
    return path


def cells(path: Path) -> list[str]:
    return ["--cells", "json"] if path.suffixes[0] in (".csv", ".tsv") else []


def figures(invoke: Invoke, *arguments: object) -> dict[str, Any]:
    result = invoke("score", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    document: dict[str, Any] = json.loads(result.stdout)
    return {"rows": document["rows"], "bad_rows": document["bad_rows"], **document["graders"]}


@pytest.fixture
def expected(invoke: Invoke, tmp_path: Path) -> dict[str, Any]:
    """What the plain reference says of the rows as JSON lines."""
    return figures(invoke, write_rows(tmp_path / "rows.jsonl", ROWS), *GRADERS, *COLUMNS)


@pytest.mark.parametrize("backend", ["rust", "python"])
@pytest.mark.parametrize("name", FORMATS)
def test_same_figures(
    invoke: Invoke, tmp_path: Path, expected: dict[str, Any], name: str, backend: str
) -> None:
    """Texts, nulls, empty texts, lists, empty lists and null lists are the same in every format, on both backends."""
    path = written(tmp_path / f"input.{name}")
    for threads in (1, 2, 8):
        settings = ("--backend", backend, "--threads", threads)
        assert figures(invoke, path, *GRADERS, *COLUMNS, *cells(path), *settings) == expected


def test_the_figures_tell_empty_lists_from_missing_ones(expected: dict[str, Any]) -> None:
    """RD-15: the code of each is its own, so the comparison above would notice if one became the other."""
    codes = expected["context_f1"]["codes"]
    assert {"missing_option", "empty_retrieved", "empty_expected", "ok"} <= codes.keys()
    assert "invalid_option" not in codes


@pytest.mark.parametrize("backend", ["rust", "python"])
def test_options_that_are_no_list(invoke: Invoke, tmp_path: Path, backend: str) -> None:
    """Text, numbers and lists of other things than text are refused row by row, among good rows."""
    wrong = ["text", 1, True, {"a": "b"}, [1], [None], [["nested"]]]
    rows = [{"f": ["a"], "w": ["a"]}, *({"f": cell, "w": ["a"]} for cell in wrong), {"f": ["a"], "w": ["a"]}]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    told = figures(
        invoke,
        path,
        "-g",
        "context_f1",
        "--column",
        "retrieved=f",
        "--column",
        "expected=w",
        "--backend",
        backend,
    )
    assert told["context_f1"]["codes"] == {"ok": 2, "invalid_option": len(wrong)}


@pytest.mark.parametrize("limit", [1, 29, 30, 31, 199, 200, 10**30])
@pytest.mark.parametrize("name", ["jsonl", "json", "csv", "parquet", "arrow", "arrows"])
def test_limit(invoke: Invoke, tmp_path: Path, name: str, limit: int) -> None:
    """The first rows of all files together, however they are cut into batches; more than there are is all."""
    path = written(tmp_path / f"input.{name}")
    other = written(tmp_path / "other.csv")
    told = figures(
        invoke, path, other, "-g", "no_pii", "--candidate", "output", "--limit", limit, "--threads", 2
    )
    assert told["rows"] == min(limit, 2 * len(ROWS))


@pytest.mark.parametrize("source", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("name", ["jsonl", "jsonl.zst", "csv.gz", "tsv", "parquet", "arrow", "arrows"])
@pytest.mark.parametrize("threads", [1, 2])
def test_outputs_are_read_back(invoke: Invoke, tmp_path: Path, source: str, name: str, threads: int) -> None:
    """Every row, in order, with the user's columns that are kept and the verdicts, whichever way it went."""
    path, out = written(tmp_path / f"input.{source}"), tmp_path / f"out.{name}"
    arguments = (path, *cells(path), *GRADERS, *COLUMNS, "--threads", threads, "--backend", "rust")
    result = invoke("score", *arguments, "--keep", "output,id", "--out", out)
    assert result.exit_code == 0, result.stderr
    with open_inputs([str(out)]) as rows:
        kept = [
            row
            for block in rows.blocks(None)
            for row in zip(block.cells("id"), block.cells("output"), strict=True)
        ]
    nulls = {None, ""} if "sv" in name else {None}
    assert [one for one, _ in kept] == [row["id"] for row in ROWS]
    assert all(
        text == row["output"] or {text, row["output"]} <= nulls
        for (_, text), row in zip(kept, ROWS, strict=True)
    )
    again = invoke("score", out, "-g", "again=no_pii", "--candidate", "output", "--format", "json")
    assert json.loads(again.stdout)["graders"]["again"]["codes"]["pii_found"] == 50


def test_mixed_formats(invoke: Invoke, tmp_path: Path) -> None:
    """Several files of several formats are one input; the places of unreadable rows name their file."""
    paths = [written(tmp_path / f"{number}.{name}") for number, name in enumerate(FORMATS)]
    (tmp_path / "z.jsonl").write_bytes(b'{"output":"a"}\n[]\n')
    out = tmp_path / "graded" / "out.csv"
    out.parent.mkdir()
    result = invoke(
        "score", *paths, tmp_path / "z.jsonl", "-g", "no_pii", "--candidate", "output", "--out", out, "--keep", "id",
        "--format", "json",
    )  # fmt: skip
    assert result.exit_code == 2
    assert json.loads(result.stdout)["input"] == [*map(str, paths), str(tmp_path / "z.jsonl")]
    assert (
        f"gradestone: {tmp_path / 'z.jsonl'}: line 2 could not be read: not an object but a list"
        in result.stderr
    )
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(FORMATS) * len(ROWS) + 2
    assert [row["no_pii_code"] for row in rows[-2:]] == ["ok", "unreadable_row"]


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_a_column_that_a_later_file_lacks(invoke: Invoke, tmp_path: Path, name: str) -> None:
    """Told before any row is graded, with the file and the nearest name."""
    first = write_rows(tmp_path / "a.jsonl", [{"output": "a", "gold": "a"}])
    second = tmp_path / f"b.{name}"
    if name == "csv":
        second.write_text("output,golf\na,a\n")
    else:
        pq.write_table(pa.table({"output": ["a"], "golf": ["a"]}), second)
    out = tmp_path / "out.jsonl"
    result = invoke("score", first, second, "-g", "exact_match", "--reference", "gold", "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{second} has no column gold; did you mean golf? The columns are output, golf" in result.stderr
    assert not out.exists()
