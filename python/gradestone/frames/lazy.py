"""Frames whose rows are still to come: polars, lazily."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gradestone.frames.eager import graded
from gradestone.frames.job import Job

if TYPE_CHECKING:
    import polars as pl


def graded_lazy(frame: pl.LazyFrame, job: Job) -> pl.LazyFrame:
    """A lazy frame with the graders as a step that sees all rows at once, whatever follows it."""

    def step(rows: pl.DataFrame) -> pl.DataFrame:
        return cast("pl.DataFrame", graded(rows, job))

    # Grading no rows gives the schema, and refuses at the call what could not be graded at `collect`.
    schema = step(frame.collect_schema().to_frame()).schema
    return frame.map_batches(
        step, predicate_pushdown=False, projection_pushdown=False, slice_pushdown=False, schema=schema
    )
