"""Choices that several commands offer."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """How results are told."""

    TABLE = "table"
    JSON = "json"


class Backend(StrEnum):
    """The implementations of the kernels."""

    RUST = "rust"
    PYTHON = "python"


class OnBadRow(StrEnum):
    """What an unreadable row does to a run."""

    CONTINUE = "continue"
    STOP = "stop"


class InputFormat(StrEnum):
    """The formats that are read."""

    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    ARROW = "arrow"
    ARROWS = "arrows"


class OutputFormat(StrEnum):
    """The formats that are written."""

    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    ARROW = "arrow"
    ARROWS = "arrows"
