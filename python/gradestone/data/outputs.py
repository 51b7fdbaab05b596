"""Outputs of a run: rows with their verdicts, in the format that the name says."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, Protocol

from gradestone.data.arrow_blocks import import_arrow
from gradestone.data.blocks import Block
from gradestone.data.compression import PACKINGS, packing_named, zstd_module
from gradestone.data.errors import InputError, OutputError
from gradestone.data.formats import ARROW_FORMATS, SUFFIXES, Format, format_named, read_format
from gradestone.data.kept import Keep
from gradestone.data.output import WholeFile, is_replaced
from gradestone.verdict import GradeBatch


class Writer(Protocol):
    """What writes the rows of a run, block by block."""

    def write(self, block: Block, verdicts: Mapping[str, GradeBatch]) -> None:
        """Write a block's rows, unreadable ones in their places, each with a verdict a grader."""

    def finish(self) -> None:
        """Write what was set aside, and the end of the file."""

    def abandon(self) -> None:
        """Drop what was set aside."""


def output_format(name: str, format: str | None = None) -> Format:
    """Settle the format of an output from what was asked for and its name.

    >>> output_format("graded.csv.gz"), output_format("-"), output_format("-", "csv")
    ('csv', 'jsonl', 'csv')

    Raises `OutputError` when the name says no format or another one, or the format cannot be written.
    """
    named = format_named(name)
    chosen = named if format is None else _asked(format)
    if chosen is None and not is_replaced(name):
        return "jsonl"
    if chosen is None:
        raise OutputError(f"cannot write {name}: a name must end with one of {', '.join(_WRITTEN)}")
    if named is not None and named != chosen:
        raise OutputError(f"cannot write {name}: its name says {named}, not {chosen}")
    if chosen == "json":
        raise OutputError(f"cannot write {name}: JSON is read, but not written; use .jsonl")
    if chosen in ARROW_FORMATS and Path(name).suffix.lower() in PACKINGS:
        raise OutputError(
            f"cannot write {name}: a file of the format {chosen} is compressed inside, not as a whole"
        )
    return chosen


_WRITTEN: Final = tuple(suffix for suffix, format in SUFFIXES.items() if format != "json")


def _asked(format: str) -> Format:
    try:
        return read_format(format)
    except InputError as error:
        raise OutputError(str(error)) from None


def open_output(
    name: str,
    *,
    format: str | None = None,
    keep: Keep = "all",
    graders: Sequence[str],
    sources: Sequence[os.stat_result] = (),
    several: bool | None = None,
    threads: int = 1,
    is_partial: Callable[[], bool] = lambda: False,
) -> AbstractContextManager[Writer]:
    """Open the output of a run; the file appears whole when the ``with`` block ends well, or not at all.

    Args:
        name: the file; ``-`` is standard output. ``.jsonl`` and ``.ndjson``, ``.csv`` and ``.tsv``, each also with
            ``.gz`` or ``.zst``, ``.parquet`` and ``.pq``, ``.arrow``, ``.feather`` and ``.ipc`` (an IPC file),
            ``.arrows`` (an IPC stream).
        format: the format where the name says none; of ``-``, a device and a pipe it is JSON lines otherwise.
        keep: which of the user's columns are written; see `gradestone.data.kept.read_keep`.
        graders: the names of the graders, at least one.
        sources: the statuses of the files that are read, none of which may be overwritten.
        several: whether rows come from more than one file, whose names are then told; by default, whether
            there is more than one source.
        threads: threads that put JSON lines together.
        is_partial: asked at the end whether rows are missing; the file is then named so, see `partial_name`.

    What each format makes of columns and values: `JsonlWriter`, `DelimitedWriter`, `ArrowWriter`.

    Raises:
        OutputError: at once where the name, the format or a missing package forbids it; on entering and while
            writing as `WholeFile` does, and where the rows' columns do not fit.

    """
    chosen = output_format(name, format)
    if not graders:
        raise OutputError(f"cannot write {name}: there are no graders whose verdicts it could hold")
    _check_packages(name, chosen)
    many = len(sources) > 1 if several is None else several
    return _opened(
        WholeFile(name, sources=sources, is_partial=is_partial),
        chosen,
        keep,
        tuple(graders),
        several=many,
        threads=threads,
    )


def _check_packages(name: str, format: Format) -> None:
    try:
        if packing_named(name) == "zstd":
            zstd_module()
        if format in ARROW_FORMATS:
            import_arrow("Parquet or Arrow")
    except (ImportError, InputError) as error:
        raise OutputError(f"cannot write {name}: {error}") from None


@contextmanager
def _opened(
    file: WholeFile, format: Format, keep: Keep, graders: Sequence[str], *, several: bool, threads: int
) -> Iterator[Writer]:
    with file:
        writer = _writer(file, format, keep, graders, several=several, threads=threads)
        try:
            yield writer
            writer.finish()
        except BaseException:
            writer.abandon()
            raise


def _writer(
    file: WholeFile, format: Format, keep: Keep, graders: Sequence[str], *, several: bool, threads: int
) -> Writer:
    if format == "jsonl":
        from gradestone.data.jsonl_out import JsonlWriter

        return JsonlWriter(file, keep, graders, several=several, threads=threads)
    if format in ("csv", "tsv"):
        from gradestone.data.csv_out import DelimitedWriter

        return DelimitedWriter(file, "," if format == "csv" else "\t", keep, graders, several)
    from gradestone.data.arrow_out import ArrowWriter
    from gradestone.data.arrow_sinks import IpcSink, ParquetSink

    sink = ParquetSink(file) if format == "parquet" else IpcSink(file, streamed=format == "arrows")
    return ArrowWriter(file, sink, keep, graders, several)
