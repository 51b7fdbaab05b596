"""Files for the tests of readers and writers, and what came out of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gradestone.data.blocks import Block
from gradestone.data.inputs import Inputs, open_inputs


def blocks_of(*names: Path | str, wanted: Sequence[str] | None = None, **options: Any) -> list[Block]:
    """All blocks of an input."""
    with open_inputs([str(name) for name in names], **options) as inputs:
        return list(inputs.blocks(wanted))


def rows_of(*names: Path | str, **options: Any) -> list[Any]:
    """The readable rows as dicts, and in their places the unreadable ones as ``(line, error)``."""
    found: list[Any] = []
    for block in blocks_of(*names, **options):
        rows = [json.loads(text) for text in block.json_texts(None)]
        done = 0
        for bad in block.bad:
            found += [*rows[done : bad.before], (bad.line, bad.error)]
            done = bad.before
        found += rows[done:]
    return found


def inputs_of(path: Path, data: bytes, **options: Any) -> Inputs:
    """An input of one file with this content."""
    path.write_bytes(data)
    return open_inputs([str(path)], **options)


def write_table(path: Path, table: pa.Table) -> Path:
    """Write a table in the format of the file's suffix."""
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return path
    make = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
    with pa.OSFile(str(path), "wb") as file, make(file, table.schema) as writer:
        writer.write_table(table)
    return path


def read_table(path: Path) -> pa.Table:
    """Read a table back with pyarrow itself."""
    if path.suffix == ".parquet":
        return pq.read_table(path)
    open_ = pa.ipc.open_stream if path.suffix == ".arrows" else pa.ipc.open_file
    with pa.OSFile(str(path), "rb") as file:
        return open_(file).read_all()
