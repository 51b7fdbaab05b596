"""A `GradeBatch` through the Arrow PyCapsule interface: libraries take it as it is, without pyarrow between."""

from __future__ import annotations

import gc
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import gradestone
from gradestone import grade_batch

COLUMNS = ["passed", "score", "outcome", "code"]
CELLS = ["a b", "a", None, "", "z", "a b"]
ROUGE = {"type": "rouge_score", "reference": "a b"}


def figures(batch: gradestone.GradeBatch) -> dict[str, list[Any]]:
    return {name: getattr(batch, name).tolist() for name in COLUMNS}


@pytest.fixture
def batch() -> gradestone.GradeBatch:
    return grade_batch(ROUGE, CELLS)


def test_pyarrow(batch: gradestone.GradeBatch) -> None:
    """A table with its types: bool, double, and texts behind small indices."""
    table = pa.table(batch)
    assert table.to_pydict() == figures(batch)
    assert table.schema.names == COLUMNS
    assert table.schema.types[:2] == [pa.bool_(), pa.float64()]
    for kind in table.schema.types[2:]:
        assert pa.types.is_dictionary(kind)
        assert (kind.index_type.bit_width, kind.value_type) == (8, pa.string())
    assert table.equals(pa.RecordBatchReader.from_stream(batch).read_all())


def test_polars(batch: gradestone.GradeBatch) -> None:
    """A frame, whose categories compare like texts."""
    frame = pl.DataFrame(batch)
    assert frame.to_dict(as_series=False) == figures(batch)
    assert frame.dtypes == [pl.Boolean, pl.Float64, pl.Categorical, pl.Categorical]
    assert frame.filter(pl.col("code") == "missing_candidate").height == 1


@pytest.mark.skipif(not hasattr(pd.DataFrame, "from_arrow"), reason="pandas 2 has no from_arrow")
def test_pandas(batch: gradestone.GradeBatch) -> None:
    """A frame, by the method that pandas 3 has for it."""
    frame = pd.DataFrame.from_arrow(batch)
    assert frame.to_dict("list") == figures(batch)
    assert [str(kind) for kind in frame.dtypes] == ["bool", "float64", "category", "category"]


def test_duckdb(batch: gradestone.GradeBatch) -> None:
    """As a table of a query, by its variable, and as often as one likes."""
    relation = duckdb.sql("SELECT * FROM batch")
    rows = list(zip(*figures(batch).values(), strict=True))
    assert relation.fetchall() == rows
    assert relation.fetchall() == rows
    assert [str(kind) for kind in relation.types] == ["BOOLEAN", "DOUBLE", "VARCHAR", "VARCHAR"]
    query = "SELECT code, count(*) FROM batch WHERE outcome <> 'pass' AND score < 0.5 GROUP BY ALL ORDER BY 1"
    assert duckdb.sql(query).fetchall() == [
        ("below_threshold", 1), ("empty_candidate", 1), ("missing_candidate", 1),
    ]  # fmt: skip
    assert duckdb.from_arrow(batch).fetchall() == rows


def test_it_can_be_read_again(batch: gradestone.GradeBatch) -> None:
    """Each call is a stream of its own, and a stream that is dropped unread costs nothing."""
    batch.__arrow_c_stream__()
    gc.collect()
    assert pa.table(batch).equals(pa.table(batch))


def test_the_arrays_outlive_the_batch() -> None:
    """Whoever took the stream owns what it reads."""
    table = pa.table(grade_batch(ROUGE, CELLS * 1000))
    gc.collect()
    assert table.slice(5999).to_pylist() == [{"passed": True, "score": 1.0, "outcome": "pass", "code": "ok"}]


@pytest.mark.parametrize("cells", [[], [None]])
def test_types_do_not_depend_on_rows(cells: list[None]) -> None:
    """No rows, and none that was graded: the same schema as ever."""
    assert pa.table(grade_batch(ROUGE, cells)).schema == pa.table(grade_batch(ROUGE, CELLS)).schema
    assert pl.DataFrame(grade_batch(ROUGE, cells)).schema == pl.DataFrame(grade_batch(ROUGE, CELLS)).schema


def test_a_refused_grader_has_rows_too() -> None:
    """Every row is invalid, and says so."""
    frame = pl.DataFrame(grade_batch({"type": "contains", "fragment": ["a"]}, CELLS))
    assert frame["passed"].sum() == 0
    assert frame["outcome"].unique().to_list() == ["invalid"]


def test_batches_of_several_graders_go_together() -> None:
    """Codes of one grader and of another are the same texts in one column."""
    tables = [pa.table(grade_batch(grader, CELLS)) for grader in (ROUGE, {"type": "no_pii"})]
    whole = pa.concat_tables(tables, promote_options="default").combine_chunks()
    expected = [*grade_batch(ROUGE, CELLS).code, *grade_batch({"type": "no_pii"}, CELLS).code]
    assert whole["code"].to_pylist() == expected
    assert pl.concat([pl.DataFrame(table) for table in tables])["code"].to_list() == expected


def test_a_requested_schema_is_a_wish(batch: gradestone.GradeBatch) -> None:
    """The interface allows to give another schema than the one asked for; it does not allow to fail."""
    wish = pa.schema(
        [("passed", pa.bool_()), ("score", pa.float32()), ("outcome", pa.string()), ("code", pa.string())]
    )
    stream = batch.__arrow_c_stream__(wish.__arrow_c_schema__())
    reader = pa.RecordBatchReader._import_from_c_capsule(stream)
    assert reader.read_all()["code"].to_pylist() == batch.code.tolist()


def test_the_figures_are_those_of_the_arrays(batch: gradestone.GradeBatch) -> None:
    """To the bit."""
    scores = pa.table(batch)["score"].to_numpy()
    assert np.array_equal(scores.view(np.int64), batch.score.view(np.int64))
    assert pa.table(batch).to_pydict() == batch.to_arrow().to_pydict()


@pytest.mark.parametrize("grader", [ROUGE, {"type": "no_pii"}])
def test_to_pandas_through_pyarrow(grader: dict[str, Any]) -> None:
    """The way that pandas 2 has."""
    frame = pa.table(grade_batch(grader, CELLS)).to_pandas()
    assert frame["passed"].tolist() == grade_batch(grader, CELLS).passed.tolist()
    assert frame["code"].tolist() == grade_batch(grader, CELLS).code.tolist()
