"""Columns as the graders take them, whatever the caller had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradestone.backends import arrow_column


def to_column(values: Any, name: str) -> Sequence[Any]:
    """A column's cells, which nothing that happens to the caller's list changes.

    They are a tuple of their own, or Arrow memory, which is read where it lies.

    Takes a list or tuple, a one-dimensional NumPy array, a pandas or polars series, a pyarrow array or chunked array:
    anything with the Arrow PyCapsule interface, or a sequence.

    Raises:
        TypeError: ``values`` is no column: one text, a mapping, a set, an iterator, or an array of more dimensions.
    """
    if isinstance(values, (list, tuple)):
        return tuple(values)
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{name} must be a column of values, not one {type(values).__name__}")
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        return arrow_column(values, name)
    if getattr(values, "ndim", 1) != 1:
        raise TypeError(f"{name} must have one dimension, not {values.ndim}")
    if hasattr(values, "tolist"):
        return tuple(values.tolist())
    if isinstance(values, Sequence):
        return tuple(values)
    raise TypeError(
        f"{name} must be a list, a tuple, a NumPy array or an Arrow column, not {type(values).__name__}"
    )
