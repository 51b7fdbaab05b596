"""Frames that hold their rows: pandas, polars and pyarrow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from gradestone.frames.job import Job
from gradestone.verdict import GradeBatch

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw


def graded(frame: Any, job: Job) -> Any:
    """The frame with the verdicts, of every kind that narwhals can add columns to."""
    import narwhals.stable.v2 as nw

    names = frame.column_names if nw.dependencies.is_pyarrow_table(frame) else frame.columns
    job.check(list(names))
    eager = nw.from_native(frame, eager_only=True)
    batches = job.grade({name: _cells(eager.get_column(cast("str", name))) for name in job.read()})
    columns = zip(job.added(), _values(batches, job), strict=True)
    added = [
        nw.new_series(name, values, kind, backend=eager.implementation) for name, (values, kind) in columns
    ]
    return eager.with_columns(*added).to_native()


def graded_pandas(frame: Any, job: Job) -> Any:
    """A pandas frame, which has more to keep than rows and columns."""
    if frame.columns.nlevels > 1:
        raise ValueError(f"the frame's column names have {frame.columns.nlevels} levels; flatten them to one")
    # `assign` copies unless pandas copies on write, so that no later write to the result reaches the input.
    result = graded(frame, job).assign().__finalize__(frame)
    result.columns = frame.columns.append(result.columns[frame.shape[1] :])  # a name None would have become 0
    return result


def graded_record_batch(batch: Any, job: Job) -> Any:
    """A record batch, as the table that it is."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    table = graded(pa.Table.from_batches([batch]), job)
    arrays = [column.combine_chunks() for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=table.schema)


def _values(batches: Mapping[str, GradeBatch], job: Job) -> Iterator[tuple[Any, nw.dtypes.DType]]:
    """The values and types that are added, in the order of `Job.added`."""
    import narwhals.stable.v2 as nw

    for batch in batches.values():
        yield batch.passed, nw.Boolean()
        yield batch.score.copy(), nw.Float64()  # the batch's own is read-only, and pandas 2 would keep it so
        yield batch.outcome.tolist(), nw.String()
        yield batch.code.tolist(), nw.String()
        if job.reasons:
            yield list(batch.reasons), nw.String()


def _cells(series: nw.Series[Any]) -> Any:
    """A column as `grade_many` takes it: as Arrow where the library holds Arrow, else as a list."""
    native = series.to_native()
    if series.implementation.is_pyarrow():
        return native
    if series.implementation.is_polars():
        return native.to_list() if _is_without_arrow(native.dtype) else native
    if getattr(native.dtype, "storage", "") == "pyarrow" or hasattr(native.dtype, "pyarrow_dtype"):
        import pyarrow as pa

        return pa.array(native)
    return _list_of(native)


def _is_without_arrow(kind: Any) -> bool:
    """Whether polars gives a column to Arrow as pointers, or as nulls with a buffer that the format does not know."""
    import polars as pl

    while isinstance(kind, (pl.List, pl.Array)):
        kind = kind.inner
    return isinstance(kind, (pl.Object, pl.Null))


def _list_of(series: Any) -> list[Any]:
    """A pandas column's cells as they are. As Arrow, mixed ones would fail and objects gain each other's keys."""
    import numpy as np

    cells: list[Any] = series.tolist()
    if str(series.dtype) != "object":
        return cells
    # What Parquet calls a list, pandas reads as an array in a cell.
    return [cell.tolist() if isinstance(cell, np.ndarray) else cell for cell in cells]
