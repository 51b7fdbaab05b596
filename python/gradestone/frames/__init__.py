"""Data frames in, the same data frames with verdicts out: pandas, polars, pyarrow and DuckDB.

Every kind takes one path: the columns that graders read go to `grade_many`, as Arrow where the library holds Arrow,
and the verdicts come back as columns (`eager`). What differs is when it happens (`lazy`), and how rows get out of a
database and back (`relation`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final, TypeVar, cast

from gradestone.compiled import Grader
from gradestone.frames import eager
from gradestone.frames.job import Job, checked_columns, compiled
from gradestone.graders.outside import CONCURRENCY
from gradestone.graders.rows import Nulls
from gradestone.net.types import GradeDeps

__all__ = ["grade_frame"]

Frame = TypeVar("Frame")

KINDS: Final = (
    "a pandas or polars DataFrame, a polars LazyFrame, a pyarrow Table or RecordBatch, or a DuckDB relation"
)


def grade_frame(
    frame: Frame,
    graders: Mapping[str, Grader],
    *,
    candidate: Hashable = "candidate",
    reference: Hashable | None = None,
    columns: Mapping[str, Hashable] | None = None,
    reasons: bool = False,
    nulls: Nulls = "missing",
    threads: int | None = None,
    deps: GradeDeps | None = None,
    concurrency: int = CONCURRENCY,
    backend: str | None = None,
) -> Frame:
    """Grades the rows of a data frame, and returns a frame of the same kind with the verdicts as further columns.

    For each grader, in the order of ``graders``, these columns are added behind the frame's own:

    - ``NAME_passed``: boolean, never null;
    - ``NAME_score``: float64, 0..1, never null;
    - ``NAME_outcome`` and ``NAME_code``: texts of the frame's kind. They are plain texts in every kind and not
      categories, so that they compare, join and concatenate like any text and a count shows only what occurred;
    - ``NAME_reason``: text, with ``reasons=True`` alone.

    Rows keep their number and order, the frame's own columns their values and types; the input is not changed.

    ======================  =========================================================================================
    pandas.DataFrame        Keeps its index, repeated labels and levels included, and ``attrs``. A subclass comes back
                            as a plain ``DataFrame``. Column names must have one level.
    polars.DataFrame        Columns go to the kernels as Arrow.
    polars.LazyFrame        Stays lazy: nothing is graded before ``collect``, and ``collect_schema`` knows the new
                            columns without grading. Every ``collect`` grades all rows, together and anew: no filter,
                            slice or selection that follows is moved in front of the graders, on either engine.
    pyarrow.Table           Keeps its schema's metadata. A ``RecordBatch`` comes back as one.
    DuckDBPyRelation        Is run once and graded **at once**. The relation that comes back reads rows held in memory,
                            belongs to the same connection, has the alias ``graded``, and leaves no name in the
                            catalog. Types that Arrow lacks (HUGEINT, ENUM, UUID, …) come back as they were; a
                            column that could not (a UNION with such a member) is refused. DuckDB 1 must be able to
                            write to the database for a moment, DuckDB 2 need not.
    ======================  =========================================================================================

    Other eager frames that narwhals reads like pandas (modin, cuDF) may work; they are not tested.

    Args:
        frame: one of the kinds above.
        graders: names and graders, as in `gradestone.grade_many`; at least one.
        candidate: the column with the candidates.
        reference: the column with the case references. There is none by default, whatever the columns are called.
        columns: options by row: ``{option: column}``, such as ``{"retrieved": "passages", "expected": "gold"}``.
        reasons: also render and add the reasons, which costs a Python text a row.
        nulls: what a null is (None, NaN, ``pd.NA``, an Arrow null), as in `gradestone.grade_batch`.
        threads: as in `gradestone.grade_batch`.
        deps: as in `gradestone.grade_batch`; every ``collect`` of a lazy frame asks anew, unless there is a cache.
        concurrency: as in `gradestone.grade_batch`.
        backend: as in `gradestone.grade`.

    Raises:
        TypeError: no frame of these kinds, a grader that is none, or a column of a type that cannot be graded, such
            as dates. Bad options raise nothing: as in `grade_many`, they make every row ``invalid``.
        ValueError: no graders; a column that the frame lacks, or has twice; a result column that it has already; an
            option that no grader has; an unknown setting; a DuckDB connection that may not read from Python.
        ImportError: narwhals is not installed (``pip install 'gradestone[frames]'``).

    All of these are raised at the call, for a lazy frame too.

    Columns of polars, pyarrow and DuckDB, and those of pandas that are backed by Arrow, are read as Arrow; other
    pandas columns are read as lists.

    >>> import polars as pl
    >>> from gradestone.frames import grade_frame
    >>> frame = pl.DataFrame({"candidate": ["Paris", "Lyon"], "gold": ["paris", "Paris"]})
    >>> graded = grade_frame(frame, {"exact": {"type": "exact_match"}}, reference="gold")
    >>> graded["exact_passed"].to_list(), graded["exact_code"].to_list()
    ([True, False], ['ok', 'mismatch'])
    """
    grade, options = _grading_of(frame), checked_columns(columns)
    job = Job(
        graders=compiled(graders, options),
        candidate=candidate,
        reference=reference,
        columns=options,
        reasons=reasons,
        nulls=nulls,
        threads=threads,
        deps=deps,
        concurrency=concurrency,
        backend=backend,
    )
    return cast("Frame", grade(frame, job))


def _grading_of(frame: object) -> Callable[[Any, Job], Any]:
    """How a kind of frame is graded. Its library is loaded already, and no other is."""
    try:
        from narwhals.stable.v2 import dependencies as kind
    except ImportError as error:
        raise ImportError("grade_frame needs narwhals: pip install 'gradestone[frames]'") from error
    if kind.is_narwhals_dataframe(frame) or kind.is_narwhals_lazyframe(frame):
        raise TypeError(f"grade_frame takes {KINDS}; give it `frame.to_native()`")
    if kind.is_pandas_dataframe(frame):
        return eager.graded_pandas
    if kind.is_polars_lazyframe(frame):
        from gradestone.frames.lazy import graded_lazy

        return graded_lazy
    if (
        kind.is_polars_dataframe(frame)
        or kind.is_pyarrow_table(frame)
        or kind.is_pandas_like_dataframe(frame)
    ):
        return eager.graded
    if _is_a(frame, "pyarrow", "RecordBatch"):
        return eager.graded_record_batch
    if _is_a(frame, "duckdb", "DuckDBPyRelation"):
        from gradestone.frames.relation import graded_relation

        return graded_relation
    raise TypeError(f"grade_frame takes {KINDS}, not {type(frame).__name__}")


def _is_a(frame: object, module: str, name: str) -> bool:
    loaded = sys.modules.get(module)  # what is not loaded cannot have made the frame
    return loaded is not None and isinstance(frame, getattr(loaded, name))
