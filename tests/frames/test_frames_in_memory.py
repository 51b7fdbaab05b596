"""What `grade_frame` owes to pandas, polars and pyarrow each: what they keep besides rows and columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from gradestone.frames import grade_frame

EXACT = {"exact": {"type": "exact_match", "expected": "x1"}}
FACTS = ["exact_passed", "exact_score", "exact_outcome", "exact_code"]


class TestPandas:
    @pytest.mark.parametrize(
        "index",
        [
            pd.Index([7, 7, 3], name="row"),
            pd.MultiIndex.from_tuples([("a", 1), ("a", 1), ("b", 2)], names=["x", None]),
            pd.date_range("2020", periods=3, tz="Europe/Berlin"),
            pd.CategoricalIndex(["z", "a", "z"]),
            pd.RangeIndex(9, 3, -2),
        ],
        ids=lambda index: type(index).__name__,
    )
    def test_the_index_decides_nothing_and_stays(self, index: pd.Index) -> None:
        """Verdicts are put to rows by position, repeated labels or not."""
        frame = pd.DataFrame({"candidate": ["x0", "x1", None]}, index=index)
        graded = grade_frame(frame, EXACT)
        pd.testing.assert_index_equal(graded.index, index)
        assert graded["exact_passed"].tolist() == [False, True, False]
        shuffled = grade_frame(frame.iloc[[1, 2, 0]], EXACT)
        assert shuffled["exact_passed"].tolist() == [True, False, False]

    def test_types_attrs_and_names_stay(self) -> None:
        """Every column of the caller is the same to the bit."""
        frame = pd.DataFrame(
            {
                "candidate": pd.Series(["x1", None], dtype="string"),
                "kind": pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["b", "a"], ordered=True)),
                "when": pd.to_datetime(["2020-01-01", None]).tz_localize("UTC"),
                "count": pd.Series([1, None], dtype="Int8"),
                "any": pd.Series([{"a": 1}, 2.5], dtype=object),
                3: [0.1, float("nan")],
                None: [True, False],
            }
        )
        frame.columns.name = "columns"
        frame.attrs["source"] = {"file": "a.csv"}
        graded = grade_frame(frame, EXACT)
        pd.testing.assert_frame_equal(graded.drop(columns=FACTS), frame)
        assert graded.attrs == frame.attrs
        assert graded.columns.name == "columns"
        assert graded["exact_passed"].dtype == np.dtype(bool)
        assert graded["exact_score"].dtype == np.dtype("float64")

    def test_results_can_be_written_and_the_input_is_not_reached(self) -> None:
        """No read-only column, and no memory shared with the input, on pandas with and without copy on write."""
        frame = pd.DataFrame({"candidate": ["x1", "x2"], "n": [1, 2]})
        graded = grade_frame(frame, EXACT)
        graded.loc[0, "exact_score"] = 0.5
        graded.loc[0, "n"] = 99
        graded.loc[0, "candidate"] = "changed"
        assert frame["n"].tolist() == [1, 2]
        assert frame["candidate"].tolist() == ["x1", "x2"]

    def test_repeated_column_names_are_refused(self) -> None:
        """Also where they are not read: which one would be kept?"""
        frame = pd.DataFrame([["x1", 1, 2]], columns=["candidate", "n", "n"])
        with pytest.raises(ValueError, match="the frame has 2 columns named 'n'; rename them apart"):
            grade_frame(frame, EXACT)

    def test_column_names_of_several_levels_are_refused(self) -> None:
        """They could not keep their levels beside names of one."""
        frame = pd.DataFrame([["x1"]], columns=pd.MultiIndex.from_tuples([("candidate", "a")]))
        with pytest.raises(ValueError, match="column names have 2 levels; flatten them"):
            grade_frame(frame, EXACT, candidate=("candidate", "a"))

    def test_column_names_that_are_no_texts(self) -> None:
        """A number may name the candidates."""
        frame = pd.DataFrame({0: ["x1"], 1: ["x2"]})
        assert grade_frame(frame, EXACT, candidate=0)["exact_passed"].tolist() == [True]
        assert grade_frame(frame, EXACT, candidate=1)["exact_passed"].tolist() == [False]
        with pytest.raises(ValueError, match="the frame has no column 2; it has 0, 1"):
            grade_frame(frame, EXACT, candidate=2)

    def test_many_graders_raise_no_warning_of_pandas(self) -> None:
        """Forty graders are a hundred and sixty columns, which pandas calls fragmented when they come one by one."""
        graders = {f"g{number}": {"type": "no_pii"} for number in range(40)}
        frame = pd.DataFrame({"candidate": ["a"]} | {f"c{number}": ["x"] for number in range(120)})
        assert grade_frame(frame, graders).shape == (1, 281)


class TestPolars:
    @pytest.mark.parametrize("engine", ["in-memory", "streaming"])
    def test_lazy_is_lazy_and_knows_its_schema(self, engine: Any) -> None:
        """No row is read before `collect`, and then each once."""
        seen: list[int] = []

        def watched(rows: pl.DataFrame) -> pl.DataFrame:
            seen.append(rows.height)
            return rows

        source = pl.LazyFrame({"candidate": ["x1", "x2"]})
        lazy = grade_frame(source.map_batches(watched, schema=source.collect_schema()), EXACT, reasons=True)
        schema = lazy.collect_schema()
        assert seen == []
        assert schema == {
            "candidate": pl.String, "exact_passed": pl.Boolean, "exact_score": pl.Float64, "exact_outcome": pl.String,
            "exact_code": pl.String, "exact_reason": pl.String,
        }  # fmt: skip
        assert lazy.collect(engine=engine).schema == schema
        assert seen == [2]

    @pytest.mark.parametrize("engine", ["in-memory", "streaming"])
    def test_what_follows_changes_no_verdict(self, engine: Any) -> None:
        """A filter, a slice, a selection or a sort behind the graders picks from the same verdicts."""
        size = 30_000
        source = pl.LazyFrame({"n": range(size)}).with_columns(
            candidate=pl.format("x{}", pl.col("n") % 3), gold=pl.lit("x1")
        )
        lazy = grade_frame(source, {"exact": {"type": "exact_match"}}, reference="gold")
        whole = lazy.collect(engine=engine)
        assert whole["exact_passed"].to_list() == [number % 3 == 1 for number in range(size)]
        for query in (
            lambda frame: frame.filter(pl.col("n") >= size - 4),
            lambda frame: frame.filter(pl.col("exact_passed")),
            lambda frame: frame.slice(7, 5),
            lambda frame: frame.tail(3),
            lambda frame: frame.select("exact_code", "n"),
            lambda frame: frame.select("n"),
            lambda frame: frame.sort("n", descending=True).head(4),
            lambda frame: frame.with_columns(candidate=pl.lit("x1")),
            lambda frame: frame.select(pl.col("exact_passed").mean(), pl.len()),
        ):
            assert query(lazy).collect(engine=engine).equals(query(whole.lazy()).collect())

    def test_a_grader_changed_after_the_call_changes_nothing(self) -> None:
        """What was asked is what is graded, however late."""
        graders = {"exact": {"type": "exact_match", "expected": "x1"}}
        lazy = grade_frame(pl.LazyFrame({"candidate": ["x1"]}), graders)
        graders["exact"]["expected"] = "x2"
        graders["more"] = {"type": "no_pii"}
        assert lazy.collect()["exact_passed"].to_list() == [True]

    def test_lazy_options_by_row_that_are_required(self) -> None:
        """A grader whose required options are columns is compiled without them."""
        frame = pl.LazyFrame({"candidate": ["ab", "cd"], "parts": [["a"], ["z"]]})
        graded = grade_frame(frame, {"has": {"type": "contains"}}, columns={"fragments": "parts"}).collect()
        assert graded["has_passed"].to_list() == [True, False]

    def test_own_types_stay(self) -> None:
        """Categories, structs, decimals, objects: columns that no grader reads are not looked at."""
        frame = pl.DataFrame(
            {
                "candidate": pl.Series(["x1"], dtype=pl.Categorical),
                "struct": [{"a": 1}],
                "money": pl.Series([1], dtype=pl.Decimal(10, 2)),
                "object": pl.Series([object()], dtype=pl.Object),
                "enum": pl.Series(["a"], dtype=pl.Enum(["a", "b"])),
            }
        )
        graded = grade_frame(frame, EXACT)
        assert list(graded.schema.items())[: frame.width] == list(frame.schema.items())
        assert graded["exact_passed"].to_list() == [True]

    def test_a_file_is_scanned_and_written_lazily(self, tmp_path: Path) -> None:
        """From Parquet to Parquet."""
        pl.DataFrame({"candidate": ["x1", "x2"]}).write_parquet(tmp_path / "in.parquet")
        grade_frame(pl.scan_parquet(tmp_path / "in.parquet"), EXACT).sink_parquet(tmp_path / "out.parquet")
        assert pl.read_parquet(tmp_path / "out.parquet")["exact_passed"].to_list() == [True, False]


class TestPyarrow:
    def test_metadata_and_field_types_stay(self) -> None:
        """Of the schema and of its fields."""
        field = pa.field("candidate", pa.dictionary(pa.int8(), pa.large_string()), metadata={"a": "b"})
        schema = pa.schema([field, pa.field("when", pa.timestamp("ns", "UTC"))], metadata={"k": "v"})
        table = pa.table(
            [pa.array(["x1", None]).cast(field.type), pa.array([1, None]).cast(schema[1].type)], schema
        )
        for frame in (table, table.to_batches()[0]):
            graded = grade_frame(frame, EXACT)
            assert graded.schema.metadata == {b"k": b"v"}
            assert list(graded.schema)[:2] == list(schema)
            assert graded.schema.field(0).metadata == {b"a": b"b"}
            assert graded["exact_code"].to_pylist() == ["ok", "missing_candidate"]

    def test_repeated_column_names_are_refused(self) -> None:
        """Arrow allows them."""
        table = pa.table([pa.array(["x1"]), pa.array([1]), pa.array([2])], names=["candidate", "n", "n"])
        for frame in (table, table.to_batches()[0]):
            with pytest.raises(ValueError, match="the frame has 2 columns named 'n'"):
                grade_frame(frame, EXACT)
