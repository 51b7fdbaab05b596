"""Columns as the graders take them, whatever the caller had."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, cast

from gradestone.backends import arrow_column, is_native_column


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
    if is_native_column(values):
        return cast("Sequence[Any]", values)
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{name} must be a column of values, not one {type(values).__name__}")
    if _holds_arrow(values):
        return arrow_column(values, name)
    if getattr(values, "ndim", 1) != 1:
        raise TypeError(f"{name} must have one dimension, not {values.ndim}")
    if hasattr(values, "tolist"):
        # `tolist` would give times of nanoseconds as bare numbers, which would then be graded.
        is_time = getattr(getattr(values, "dtype", None), "kind", "") in ("M", "m")
        return tuple(values) if is_time else tuple(values.tolist())
    if isinstance(values, Sequence):
        return tuple(values)
    raise TypeError(
        f"{name} must be a list, a tuple, a NumPy array or an Arrow column, not {type(values).__name__}"
    )


def _holds_arrow(values: Any) -> bool:
    """Whether a column can be read as Arrow as it is.

    pandas offers the interface for every series, but converts what it does not hold as Arrow as a whole: mixed cells
    fail, integers among floats change, objects gain each other's keys, and without pyarrow nothing works.
    """
    if not (hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__")):
        return False
    pandas = sys.modules.get("pandas")  # what is not loaded cannot have made the column
    if pandas is None or not isinstance(values, (pandas.Series, pandas.Index)):
        return True
    return isinstance(values.dtype, pandas.ArrowDtype) or getattr(values.dtype, "storage", "") == "pyarrow"
