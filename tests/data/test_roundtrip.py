"""The same rows in every format: equal verdicts, and outputs that read back."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.data.files import read_table, rows_of, write_table

from gradestone import grade_many
from gradestone.data.cells import Cells
from gradestone.data.compression import zstd_module
from gradestone.data.inputs import open_inputs
from gradestone.data.kept import Keep
from gradestone.data.outputs import open_output
from gradestone.data.verdict_columns import verdict_columns

ROWS: list[dict[str, Any]] = [
    {"id": "1", "output": "Paris", "expected": "Paris", "contexts": ["a", "b"], "gold": ["a"]},
    {"id": "2", "output": "", "expected": "Rome", "contexts": [], "gold": ["a"]},
    {"id": "3", "output": 'two\r\nlines, "quoted"\t', "expected": "x", "contexts": None, "gold": ["a"]},
    {
        "id": "4",
        "output": "=1+1 é \u2028 😀",
        "expected": "=1+1 é \u2028 😀",
        "contexts": ["b"],
        "gold": ["a"],
    },
    {"id": "5", "output": "\x00", "expected": "y", "contexts": ["é"], "gold": ["é"]},
]
GRADERS: dict[str, Any] = {
    "same": {"type": "exact_match"},
    "rouge": {"type": "rouge_score", "rouge_type": "rouge_l", "threshold": 0.5},
    "safe": {"type": "not_contains", "fragments": ["quoted"]},
}
NAMES = tuple(GRADERS)
JSON_CELLS = Cells(("contexts", "gold"))
INPUTS = (
    "rows.jsonl", "rows.ndjson", "rows.json", "rows.csv", "rows.tsv", "rows.parquet", "rows.arrow", "rows.arrows",
    "rows.jsonl.gz", "rows.json.gz", "rows.csv.gz", "rows.tsv.zst", "rows.jsonl.zst", "rows.JSONL", "rows",
)  # fmt: skip
OUTPUTS = (
    "out.jsonl", "out.csv", "out.tsv", "out.parquet", "out.arrow", "out.arrows", "out.jsonl.gz", "out.csv.gz",
    "out.jsonl.zst", "out.tsv.zst", "out.pq",
)  # fmt: skip


def packed(name: str, data: bytes) -> bytes:
    if name.endswith(".gz"):
        return gzip.compress(data)
    return zstd_module().compress(data) if name.endswith(".zst") else data


def delimited(delimiter: str) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerow(ROWS[0])
    writer.writerows(
        [
            cell if isinstance(cell, str) else "" if cell is None else json.dumps(cell, ensure_ascii=False)
            for cell in row.values()
        ]
        for row in ROWS
    )
    return file.getvalue().encode()


def written(folder: Path, name: str) -> Path:
    """The rows as a file of the format that the name says."""
    path = folder / name
    kind = name.lower().removesuffix(".gz").removesuffix(".zst").rpartition(".")[2]
    if kind in ("parquet", "arrow", "arrows"):
        return write_table(path, pa.Table.from_pylist(ROWS))
    if kind in ("csv", "tsv"):
        path.write_bytes(packed(name, delimited("," if kind == "csv" else "\t")))
    elif kind == "json":
        path.write_bytes(packed(name, json.dumps(ROWS, indent=1).encode()))
    else:
        path.write_bytes(packed(name, b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)))
    return path


def graded(source: Path, out: Path, keep: Keep = "all", cells: Cells = JSON_CELLS) -> list[Any]:
    """Grade a file into another; return the verdicts, context_f1's among them."""
    told: list[Any] = []
    names = (*NAMES, "contexts_f1")
    with open_inputs([str(source)], cells=cells) as inputs:
        sink = open_output(str(out), keep=keep, graders=names, sources=inputs.statuses)
        with sink as output:
            for block in inputs.blocks(None):
                verdicts = grade_many(GRADERS, block.column("output"), references=block.column("expected"))
                columns = {"retrieved": block.column("contexts"), "expected": block.column("gold")}
                context = {"contexts_f1": {"type": "context_f1"}}
                verdicts |= grade_many(context, [""] * len(block), columns=columns)
                told += [(name, one.code, one.score, one.reason) for name in names for one in verdicts[name]]
                output.write(block, verdicts)
    return told


@pytest.mark.parametrize("name", INPUTS)
def test_equal_verdicts(tmp_path: Path, name: str) -> None:
    """Codes, scores and reasons do not depend on the format, nor on its compression."""
    expected = graded(written(tmp_path, "first.jsonl"), tmp_path / "first.out.jsonl")
    assert len({code for _, code, _, _ in expected}) >= 5
    assert graded(written(tmp_path, name), tmp_path / "out.jsonl") == expected


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("source", ["rows.jsonl", "rows.csv", "rows.parquet"])
def test_outputs_read_back(tmp_path: Path, source: str, name: str) -> None:
    """Every row is there with its text and its verdicts, whatever the input was."""
    told = graded(written(tmp_path, source), tmp_path / name)
    back = rows_of(tmp_path / name)
    assert [row["output"] for row in back] == [row["output"] for row in ROWS]
    first, count = NAMES[0], len(ROWS)
    codes = [row[first]["code"] if "jsonl" in name else row[f"{first}_code"] for row in back]
    scores = [float(row[first]["score"] if "jsonl" in name else row[f"{first}_score"]) for row in back]
    expected = told[:count]
    assert codes == [code for _, code, _, _ in expected]
    assert scores == [score for _, _, score, _ in expected]


@pytest.mark.parametrize("name", ["out.parquet", "out.arrow", "out.arrows"])
def test_types_of_the_verdicts(tmp_path: Path, name: str) -> None:
    """Booleans, doubles, dictionaries, text; and the user's own types behind an input that has types."""
    graded(written(tmp_path, "rows.parquet"), tmp_path / name)
    table = read_table(tmp_path / name)
    kinds = [str(table.schema.field(column).type) for column in verdict_columns("same")]
    names = "dictionary<values=string, indices=int8, ordered=0>"
    assert kinds == ["bool", "double", names, names, "string"]
    assert table.schema.field("contexts").type == pa.list_(pa.string())
    assert table.select(list(ROWS[0])).to_pylist() == ROWS
    assert "lone_surrogates" not in table.schema.names


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet"])
@pytest.mark.parametrize("keep", ["none", ("expected", "id")])
def test_keep(tmp_path: Path, name: str, keep: Keep) -> None:
    """Only the columns asked for, in that order, before the verdicts."""
    for source in ("rows.jsonl", "rows.csv", "rows.arrow"):
        graded(written(tmp_path, source), tmp_path / name, keep)
        names = [column for column in rows_of(tmp_path / name)[0] if column in ROWS[0]]
        assert names == ([] if keep == "none" else list(keep))


def test_a_row_keeps_its_text(tmp_path: Path) -> None:
    """JSON lines in, JSON lines out: number forms, escapes and order are the user's."""
    line = b'{ "b":1.50e0, "output":"\\u0041\\ud800", "expected":"A","contexts":[],"gold":[] }'
    (tmp_path / "in.jsonl").write_bytes(line + b"\n")
    graded(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes().startswith(line[:-2] + b',"same":{')
