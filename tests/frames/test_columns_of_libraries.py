"""Columns as libraries hold them, against the same values in a list: same codes, same scores, same reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone import grade_batch
from gradestone.frames import grade_frame

CELLS = ["abc", "é", None, "", "tail \U0001f600", "abc"]
ROUGE = {"type": "rouge_score", "rouge_type": "rouge_l", "reference": "abc é"}
CONTEXT = {"type": "context_f1", "expected": ["opens at ten"]}
LISTS = [["opens at ten"], ["a", "b"], [], None, ["opens at ten", None], [None]]

Verdict = list[tuple[str, float, str]]


def verdicts(batch: Any) -> Verdict:
    return [(result.code, result.score, result.reason) for result in batch]


def of_frame(frame: Any, grader: dict[str, Any], column: str = "candidate") -> Verdict:
    """The verdicts that `grade_frame` writes, on a column of candidates or of retrieved passages."""
    arguments: dict[str, Any] = {} if column == "candidate" else {"columns": {column: column}}
    graded = grade_frame(frame, {"g": grader}, reasons=True, **arguments)
    facts = [list(graded[f"g_{fact}"]) for fact in ("code", "score", "reason")]
    return list(zip(*facts, strict=True))


TEXTS: dict[str, Callable[[], Any]] = {
    "pandas str": lambda: pd.Series(CELLS),
    "pandas string[python]": lambda: pd.Series(CELLS, dtype=pd.StringDtype("python")),
    "pandas string[pyarrow]": lambda: pd.Series(CELLS, dtype=pd.StringDtype("pyarrow")),
    "pandas str of NaN": lambda: pd.Series(CELLS, dtype=pd.StringDtype("python", na_value=np.nan)),
    "pandas object": lambda: pd.Series(CELLS, dtype=object),
    "pandas object with NaN": lambda: pd.Series(CELLS, dtype=object).replace({None: float("nan")}),
    "pandas category": lambda: pd.Series(CELLS, dtype="category"),
    "pandas arrow": lambda: pd.Series(CELLS, dtype=pd.ArrowDtype(pa.string())),
    "pandas arrow view": lambda: pd.Series(CELLS, dtype=pd.ArrowDtype(pa.string_view())),
    "polars": lambda: pl.Series(CELLS),
    "polars category": lambda: pl.Series(CELLS, dtype=pl.Categorical),
    "polars enum": lambda: pl.Series(CELLS, dtype=pl.Enum(sorted({cell for cell in CELLS if cell is not None}))),
    "polars chunks": lambda: pl.concat([pl.Series(CELLS[:2]), pl.Series(CELLS[2:])], rechunk=False),
    "polars slice": lambda: pl.Series(["?", *CELLS, "?"]).slice(1, 6),
    "pyarrow": lambda: pa.array(CELLS),
    "pyarrow large": lambda: pa.array(CELLS, pa.large_string()),
    "pyarrow view": lambda: pa.array(CELLS, pa.string_view()),
    "pyarrow dictionary": lambda: pa.array(CELLS).dictionary_encode(),
    "pyarrow dictionary with a null in it": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 4, 2, 3, 0]), pa.array(["abc", "é", "", "tail \U0001f600", None])
    ),
    "pyarrow chunks": lambda: pa.chunked_array([CELLS[:1], [], CELLS[1:]], pa.string()),
    "pyarrow slice": lambda: pa.array(["?", *CELLS, "?"]).slice(1, 6),
}  # fmt: skip


def framed(column: Any, name: str) -> Any:
    """A frame of the column's library with the column under a name."""
    if isinstance(column, pd.Series):
        return column.to_frame(name)
    if isinstance(column, pl.Series):
        return pl.DataFrame({name: column})
    return pa.table({name: column})


def plain(frame: Any) -> Any:
    """Columns of a pyarrow table as lists, so that all frames are indexed alike."""
    return frame.to_pydict() if isinstance(frame, pa.Table) else frame


class TestTexts:
    @pytest.mark.parametrize("name", TEXTS)
    def test_alone_as_candidates_and_as_references(self, name: str) -> None:
        """`grade_batch` takes the library's column itself."""
        assert verdicts(grade_batch(ROUGE, TEXTS[name]())) == verdicts(grade_batch(ROUGE, CELLS))
        exact = {"type": "exact_match"}
        assert verdicts(grade_batch(exact, CELLS, references=TEXTS[name]())) == verdicts(
            grade_batch(exact, CELLS, references=CELLS)
        )

    @pytest.mark.parametrize("name", TEXTS)
    def test_in_a_frame(self, name: str) -> None:
        """`grade_frame` takes it out of a frame."""
        graded = plain(grade_frame(framed(TEXTS[name](), "candidate"), {"g": ROUGE}, reasons=True))
        found = [list(graded[f"g_{fact}"]) for fact in ("code", "score", "reason")]
        assert list(zip(*found, strict=True)) == verdicts(grade_batch(ROUGE, CELLS))

    def test_numpy_texts(self) -> None:
        """StringDType with and without a null, objects, and fixed widths."""
        whole = [cell for cell in CELLS if cell is not None]
        strings = np.dtypes.StringDType
        for array in (np.array(whole, dtype=strings()), np.array(whole, dtype=object), np.array(whole)):
            assert verdicts(grade_batch(ROUGE, array)) == verdicts(grade_batch(ROUGE, whole))
            assert verdicts(grade_batch(ROUGE, array[::-1])) == verdicts(grade_batch(ROUGE, whole[::-1]))
        for null in (None, np.nan, pd.NA):
            cells = [null if cell is None else cell for cell in CELLS]
            array = np.array(cells, dtype=strings(na_object=null))
            assert verdicts(grade_batch(ROUGE, array)) == verdicts(grade_batch(ROUGE, CELLS))


class TestLists:
    @pytest.mark.parametrize(
        "column",
        [
            pa.array(LISTS), pa.array(LISTS, pa.large_list(pa.string_view())), pa.chunked_array([LISTS[:2], LISTS[2:]]),
            pa.array([["?"], *LISTS]).slice(1), pl.Series(LISTS), pl.Series(LISTS, dtype=pl.List(pl.Categorical)),
            pd.Series(LISTS, dtype=object), pd.Series(LISTS, dtype=pd.ArrowDtype(pa.list_(pa.string()))),
            pa.table({"x": LISTS}).to_pandas()["x"],
        ],
        ids=["pyarrow", "large", "chunks", "slice", "polars", "polars categories", "objects", "pandas arrow", "arrays"],
    )  # fmt: skip
    def test_lists_in_a_frame(self, column: Any) -> None:
        """Empty lists, null lists, null members: each has the code that it has in a list of lists."""
        expected = verdicts(grade_batch(CONTEXT, [""] * len(LISTS), columns={"retrieved": LISTS}))
        assert [code for code, _, _ in expected][:4] == [
            "ok",
            "below_threshold",
            "empty_retrieved",
            "missing_option",
        ]
        frame = framed(column, "retrieved")
        texts = [""] * len(LISTS)
        if isinstance(frame, pa.Table):
            frame = frame.append_column("candidate", pa.array(texts))
        elif isinstance(frame, pl.DataFrame):
            frame = frame.with_columns(candidate=pl.lit(""))
        else:
            frame = frame.assign(candidate=texts)
        graded = plain(grade_frame(frame, {"g": CONTEXT}, columns={"retrieved": "retrieved"}, reasons=True))
        found = [list(graded[f"g_{fact}"]) for fact in ("code", "score", "reason")]
        assert list(zip(*found, strict=True)) == expected


class TestNumbers:
    @pytest.mark.parametrize(
        "column",
        [
            pd.Series([5, 7, None], dtype="Int64"), pd.Series([5, 7, None]), pd.Series([5, 7, None], dtype=object),
            pd.Series([5, 7, None], dtype=pd.ArrowDtype(pa.int16())), pd.Series([5, 7, None], dtype="category"),
            pl.Series([5, 7, None], dtype=pl.UInt8), pl.Series([5.0, 7.0, float("nan")]),
            pa.array([5, 7, None], pa.float32()),
        ],
        ids=lambda column: f"{type(column).__module__.partition('.')[0]} {getattr(column, 'dtype', None)}",
    )  # fmt: skip
    def test_numbers_in_a_frame(self, column: Any) -> None:
        """A number is graded as JSON writes it; NaN and NA are missing."""
        grader = {"type": "contains", "fragments": ["5"]}
        graded = plain(grade_frame(framed(column, "candidate"), {"g": grader}))
        assert list(graded["g_code"]) == ["ok", "missing_fragment", "missing_candidate"]

    def test_booleans_in_a_frame(self) -> None:
        """True is `true`."""
        grader = {"type": "exact_match", "expected": True}
        columns = [
            pd.Series([True, False]),
            pd.Series([True, False], dtype="boolean"),
            pl.Series([True, False]),
        ]
        for column in [*columns, pa.array([True, False])]:
            graded = plain(grade_frame(framed(column, "candidate"), {"g": grader}))
            assert list(graded["g_passed"]) == [True, False]


class TestObjects:
    def test_pandas_objects_are_graded_one_by_one(self) -> None:
        """Texts, numbers, JSON values, nulls of every kind and what is no JSON, in one column."""
        cells = ["a", 5, 2.5, True, None, float("nan"), pd.NA, pd.NaT, {"a": 1}, {"b": [1]}, ["a"], b"a", 2**70,
                 pd.Timestamp("2020"), np.int8(5), "\ud800"]  # fmt: skip
        frame = pd.DataFrame({"candidate": pd.Series(cells, dtype=object)})
        for grader in (
            {"type": "contains", "fragments": ["a"]},
            {"type": "json_schema", "schema": {"type": "object"}},
        ):
            expected = verdicts(grade_batch(grader, cells))
            assert of_frame(frame, grader) == expected
        codes = grade_frame(frame, {"g": {"type": "json_schema", "schema": {"required": ["b"]}}})["g_code"]
        assert codes.tolist()[8:10] == ["schema_mismatch", "ok"]

    def test_polars_objects_are_graded_one_by_one(self) -> None:
        """What polars itself cannot look into."""
        cells = [{"a": 1}, {"b": [1]}, None, b"a", "a"]
        frame = pl.DataFrame({"candidate": pl.Series(cells, dtype=pl.Object)})
        grader = {"type": "json_schema", "schema": {"required": ["b"]}}
        assert of_frame(frame, grader) == verdicts(grade_batch(grader, cells))

    @pytest.mark.parametrize(
        "frame",
        [
            pl.DataFrame({"candidate": [{"a": 1}]}), pa.table({"candidate": [{"a": 1}]}),
            pl.DataFrame({"candidate": [b"a"]}), pa.table({"candidate": [b"a"]}),
            pl.DataFrame({"candidate": pl.Series([1], dtype=pl.Decimal(10, 2))}),
            pl.DataFrame({"candidate": pl.Series([1], dtype=pl.Int64).cast(pl.Duration)}),
        ],
        ids=lambda frame: str(frame.schema),
    )  # fmt: skip
    def test_types_that_are_no_text_are_refused_whole(self, frame: Any) -> None:
        """A struct of Arrow has keys that its row never had; bytes and decimals have no text that is theirs."""
        with pytest.raises(TypeError, match=r"candidates: an Arrow column of type .* cannot be graded"):
            grade_frame(frame, {"g": {"type": "no_pii"}})


class TestNulls:
    @pytest.mark.parametrize(
        "frame",
        [
            pl.DataFrame({"candidate": [None, None]}), pa.table({"candidate": [None, None]}),
            pd.DataFrame({"candidate": [None, None]}), pl.DataFrame({"candidate": [None, None]}).lazy(),
            pl.DataFrame({"candidate": [float("nan"), None]}),
            pd.DataFrame({"candidate": pd.Series([pd.NA, pd.NA], dtype="Int8")}),
            pd.DataFrame({"candidate": pd.Series([None, None], dtype=pd.ArrowDtype(pa.null()))}),
        ],
        ids=["polars", "pyarrow", "pandas", "lazy", "NaN", "Int8", "pandas arrow"],
    )  # fmt: skip
    def test_nothing_but_nulls(self, frame: Any) -> None:
        """No row passes; as JSON nulls they are graded."""
        grader = {"type": "exact_match", "expected": None}
        missing = grade_frame(frame, {"g": grader})
        as_json = grade_frame(frame, {"g": grader}, nulls="json")
        if isinstance(frame, pl.LazyFrame):
            missing, as_json = missing.collect(), as_json.collect()
        assert list(plain(missing)["g_code"]) == ["missing_candidate"] * 2
        assert list(plain(as_json)["g_passed"]) == [True, True]

    def test_lists_of_nothing_but_nulls(self) -> None:
        """polars calls their members Null."""
        for kind in (pl.List(pl.Null), pl.List(pl.String)):
            frame = pl.DataFrame({"candidate": ["", ""], "retrieved": pl.Series([[], None], dtype=kind)})
            found = of_frame(frame, CONTEXT, "retrieved")
            assert [code for code, _, _ in found] == ["empty_retrieved", "missing_option"]


@given(st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=12), max_size=8))
def test_any_texts_in_any_frame(cells: list[str | None]) -> None:
    """All libraries, all texts that are Unicode: the verdicts of a list."""
    grader = {"type": "rouge_score", "reference": "a b c"}
    expected = verdicts(grade_batch(grader, cells))
    for frame in (
        pd.DataFrame({"candidate": pd.Series(cells, dtype="str")}),
        pd.DataFrame({"candidate": pd.Series(cells, dtype=object)}),
        pl.DataFrame({"candidate": pl.Series(cells, dtype=pl.String)}),
        pa.table({"candidate": pa.array(cells, pa.string())}),
    ):
        graded = plain(grade_frame(frame, {"g": grader}, reasons=True))
        found = [list(graded[f"g_{fact}"]) for fact in ("code", "score", "reason")]
        assert list(zip(*found, strict=True)) == expected
