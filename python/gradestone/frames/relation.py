"""Relations of DuckDB: rows out of the database as Arrow, and back to the same connection.

A relation is run once, for it may give other rows the next time, or none. Its connection cannot be asked for, but
`DuckDBPyRelation.query` runs a statement on it, and DuckDB finds an Arrow table as the variable that the statement
names. Arrow lacks some of DuckDB's types, such as HUGEINT; columns of these go through it as text, from which
they can be read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

from gradestone.frames.eager import graded
from gradestone.frames.job import Job

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
    from duckdb import DuckDBPyRelation

ALIAS: Final = "graded"
"""The alias of what comes back: with the input's own, the two could not be joined."""

TEXTS: Final = frozenset({"enum", "uuid", "varchar"})
"""Types that Arrow lacks and that are texts to a grader; JSON is a varchar."""

NO_TEXT: Final = ("UNION(", "VARIANT")
"""Types that cannot be read again from their text. Arrow has them, but not where they are nested with a HUGEINT."""


def graded_relation(relation: DuckDBPyRelation, job: Job) -> DuckDBPyRelation:
    """The rows of a relation with their verdicts, as a relation of the same connection."""
    job.check(relation.columns, fold=str.casefold)
    lost = _lost_types(relation)
    for name in job.read():
        if name in lost and lost[name].id not in TEXTS:
            raise TypeError(f"the column {name!r} of type {lost[name]} cannot be graded; cast it to text")
    for name, kind in lost.items():
        if any(word in str(kind) for word in NO_TEXT):
            raise TypeError(f"the column {name!r} of type {kind} cannot be kept; cast it, or leave it out")
    rows = _recast(relation, dict.fromkeys(lost, "VARCHAR")).to_arrow_table()
    found = _recast(_scan(relation, graded(rows, job)), lost)
    # To DuckDB 2 a query depends on the relation that it was asked of, read or not, and on the tables behind that.
    return (found if _is_duckdb_1() else found.materialize()).set_alias(ALIAS)


def _lost_types(relation: DuckDBPyRelation) -> dict[str, Any]:
    """The columns whose type does not come back from Arrow, found out with columns of these types and no rows."""
    kinds = dict(zip(relation.columns, relation.types, strict=True))
    known = {name: kind for name, kind in kinds.items() if str(kind).strip('"') != "NULL"}
    if not known:
        return {}
    nothing = ", ".join(f"CAST(NULL AS {kind}) AS {_quoted(name)}" for name, kind in known.items())
    with _name_for(relation) as name:
        empty = cast("DuckDBPyRelation", relation.query(name, f"SELECT {nothing} LIMIT 0"))
    back = _scan(relation, empty.to_arrow_table()).types
    return {
        name: kind for (name, kind), after in zip(known.items(), back, strict=True) if str(kind) != str(after)
    }


def _recast(relation: DuckDBPyRelation, kinds: dict[str, Any]) -> DuckDBPyRelation:
    """The relation with some columns cast to other types."""
    if not kinds:
        return relation
    terms = (
        f"CAST({_quoted(name)} AS {kinds[name]}) AS {_quoted(name)}" if name in kinds else _quoted(name)
        for name in relation.columns
    )
    return relation.select(", ".join(terms))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _scan(relation: DuckDBPyRelation, _gradestone_graded_rows: pa.Table) -> DuckDBPyRelation:
    """An Arrow table as a relation on the connection of another, for as long as anybody reads it."""
    import duckdb

    try:
        # In this very function, since DuckDB looks for the variable nowhere else.
        with _name_for(relation) as name:
            query = relation.query(name, "SELECT * FROM _gradestone_graded_rows")
    except duckdb.CatalogException as error:
        raise ValueError(
            "the DuckDB connection may not read from Python: its setting python_enable_replacements or "
            "enable_external_access is off"
        ) from error
    found = cast("DuckDBPyRelation", query)
    if list(found.columns) != _gradestone_graded_rows.column_names:
        raise ValueError("a table named _gradestone_graded_rows hides the graded rows; rename it")
    return found


@contextmanager
def _name_for(relation: DuckDBPyRelation) -> Iterator[str]:
    """The name that a query must give its relation: nobody's else, and dropped where DuckDB 1 leaves it as a view."""
    name = f"gradestone_{uuid4().hex}"
    try:
        yield name
    finally:
        if _is_duckdb_1():
            _drop(relation, name)


def _drop(relation: DuckDBPyRelation, view: str) -> None:
    import duckdb

    with suppress(duckdb.Error):  # what kept it from being there is the error to see
        relation.query(view, f"DROP VIEW IF EXISTS {view}")


def _is_duckdb_1() -> bool:
    import duckdb

    return duckdb.__version__.startswith("1.")
