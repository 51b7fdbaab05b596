"""The formats of files: which a name or the first bytes say, and the reader of each."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Final, Literal, get_args

from gradestone.data.blocks import Reader
from gradestone.data.cells import Cells
from gradestone.data.compression import PACKINGS
from gradestone.data.errors import InputError

Format = Literal["jsonl", "json", "csv", "tsv", "parquet", "arrow", "arrows"]
"""The formats, as ``--input-format`` and ``--output-format`` name them; ``arrows`` is Arrow's stream."""

FORMATS: Final[tuple[Format, ...]] = get_args(Format)

SUFFIXES: Final[dict[str, Format]] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrows",
}
"""Formats by the suffix of a name, which may be in capitals."""

TEXT_FORMATS: Final = frozenset({"jsonl", "json", "csv", "tsv"})
"""Formats that may be compressed as a whole. The others are compressed inside."""

JSON_FORMATS: Final = frozenset({"jsonl", "json"})
"""Formats whose rows have what members they have; in the others all rows have the same columns."""

ARROW_FORMATS: Final = frozenset({"parquet", "arrow", "arrows"})
"""Formats that have types."""

_MAGIC: Final[dict[bytes, Format]] = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrows"}
_OLD_FEATHER: Final = b"FEA1"

MAGIC_BYTES: Final = 6
"""Bytes at the start of a file that tell a format of Arrow's."""


def read_format(text: str) -> Format:
    """Check the name of a format; raises `InputError` that lists them."""
    for format in FORMATS:
        if text == format:
            return format
    raise InputError(f"no format is called {text}; there are {', '.join(FORMATS)}")


def format_named(name: str) -> Format | None:
    """Return the format that a file's name says, None if its suffix is not known.

    >>> format_named("rows.csv.gz"), format_named("ROWS.PQ"), format_named("notes.txt")
    ('csv', 'parquet', None)
    """
    return SUFFIXES.get(Path(bare_name(name)).suffix)


def bare_name(name: str) -> str:
    """Return a file's name in small letters, without the suffix of its compression.

    >>> bare_name("Rows.CSV.gz")
    'rows.csv'
    """
    small = Path(name).name.lower()
    return next((small.removesuffix(suffix) for suffix in PACKINGS if small.endswith(suffix)), small)


def format_of(label: str, name: str, start: bytes, asked: Format | None) -> Format:
    """Settle the format of a file from what was asked for, its name and its first bytes.

    A name that says nothing, and standard input, hold JSON lines unless the bytes are Arrow's or Parquet's.

    Raises `InputError` when they contradict each other.
    """
    if start.startswith(_OLD_FEATHER):
        raise InputError(f"{label} is of Feather version 1; write it anew in version 2, or as Parquet")
    seen = next((format for magic, format in _MAGIC.items() if start.startswith(magic)), None)
    said = asked or format_named(name)
    if said is None:
        return seen or "jsonl"
    if said in ARROW_FORMATS and Path(name).suffix.lower() in PACKINGS:
        raise InputError(f"{label}: a file of the format {said} is compressed inside, not as a whole")
    if said in ("arrow", "arrows") and seen in ("arrow", "arrows"):
        # Streams are often called .arrow as well, and the bytes leave no doubt.
        return seen
    if seen is not None and seen != said:
        raise InputError(f"{label} is a file of the format {seen}, not {said}{_as_who_says(asked)}")
    if said in ARROW_FORMATS and seen is None:
        raise InputError(f"{label} is no file of the format {said}{_as_who_says(asked)}")
    return said


def _as_who_says(asked: Format | None) -> str:
    return ", as was asked for" if asked else ", as its name says"


def open_reader(
    name: str, format: Format, cells: Cells, reserved: Collection[str], threads: int = 1
) -> Reader:
    """Open a file with the reader of its format; each reader's class says what it raises."""
    if format == "jsonl":
        from gradestone.data.jsonl import JsonlFile

        return JsonlFile(name, reserved=reserved, threads=threads)
    if format == "json":
        from gradestone.data.json_list import JsonFile

        return JsonFile(name, reserved=reserved)
    if format in ("csv", "tsv"):
        from gradestone.data.delimited import DelimitedFile

        return DelimitedFile(name, "," if format == "csv" else "\t", cells)
    if format == "parquet":
        from gradestone.data.parquet import ParquetFile

        return ParquetFile(name)
    from gradestone.data.arrow_ipc import ArrowFile, ArrowStream

    return ArrowFile(name) if format == "arrow" else ArrowStream(name)
