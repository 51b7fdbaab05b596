"""`grade_frame`: every kind of frame gives the figures of lists, and comes back as it was with columns added."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import duckdb
import narwhals
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import gradestone
from gradestone import grade_many
from gradestone.codes import CODES
from gradestone.frames import grade_frame
from gradestone.graders.rows import is_null

CANDIDATES = [
    "the cat sat",
    "Ein Gruß an maria.keller@example.org",
    None,
    "",
    "tail \U0001f600",
    "the cat sat",
]
GOLD = ["the cat sat", "Ein Gruß", "x", None, "tail \U0001f600", "a dog"]
PASSAGES = [["opens at ten"], ["a", "b"], [], None, ["z"], ["x", "y"]]
WANTED = [["opens at ten."], ["a"], ["a"], ["a"], None, ["x"]]
IDS = [1, 2, 3, 4, 5, 6]
DATA = {"id": IDS, "text": CANDIDATES, "gold": GOLD, "passages": PASSAGES, "wanted": WANTED}

GRADERS: dict[str, Any] = {
    "exact": {"type": "exact_match"},
    "rouge": gradestone.RougeScore(rouge_type="rouge_l"),
    "pii": gradestone.compile_grader({"type": "no_pii"}),
    "found": {"type": "context_f1"},
    "broken": {"type": "contains", "fragment": ["a"]},
}
ARGUMENTS: dict[str, Any] = {
    "candidate": "text",
    "reference": "gold",
    "columns": {"retrieved": "passages", "expected": "wanted"},
    "reasons": True,
}
EXACT = {"exact": {"type": "exact_match", "expected": "x1"}}
FACTS = ["exact_passed", "exact_score", "exact_outcome", "exact_code"]


def as_pandas() -> pd.DataFrame:
    return pd.DataFrame(DATA)


def as_pandas_of_arrow() -> pd.DataFrame:
    return pa.table(DATA).to_pandas(types_mapper=pd.ArrowDtype)


def as_arrow() -> pa.Table:
    return pa.table(DATA)


def as_chunks() -> pa.Table:
    """Uneven chunks, an empty one among them, cut out of a larger table."""
    table = pa.concat_tables([pa.table(DATA).slice(0, 2), pa.table(DATA).slice(2)] * 2)
    return pa.concat_tables([table.slice(6, 1), table.slice(7, 0), table.slice(7, 5)])


def as_relation() -> duckdb.DuckDBPyRelation:
    return duckdb.from_arrow(pa.table(DATA))


def as_part_of_polars() -> pl.DataFrame:
    """A view into a larger frame."""
    return pl.concat([pl.DataFrame(DATA)] * 3).slice(6, 6)


KINDS: dict[str, Callable[[], Any]] = {
    "pandas": as_pandas,
    "pandas of arrow": as_pandas_of_arrow,
    "polars": lambda: pl.DataFrame(DATA),
    "part of polars": as_part_of_polars,
    "polars lazy": lambda: pl.LazyFrame(DATA),
    "pyarrow": as_arrow,
    "chunks": as_chunks,
    "record batch": lambda: pa.RecordBatch.from_pydict(DATA),
    "duckdb": as_relation,
}


def rows_of(frame: Any) -> dict[str, list[Any]]:
    """Any frame's columns as lists, with None for every kind of null."""
    if isinstance(frame, pd.DataFrame):
        columns = {name: frame[name].tolist() for name in frame.columns}
        return {name: [plain(cell) for cell in cells] for name, cells in columns.items()}
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame.to_dict(as_series=False)
    if isinstance(frame, duckdb.DuckDBPyRelation):
        frame = frame.to_arrow_table()
    return frame.to_pydict()


def plain(cell: Any) -> Any:
    if isinstance(cell, (list, np.ndarray)):
        return list(cell)
    return None if is_null(cell) else cell


def expected() -> dict[str, list[Any]]:
    """What the same call over lists says."""
    batches = grade_many(
        GRADERS, CANDIDATES, references=GOLD, columns={"retrieved": PASSAGES, "expected": WANTED}
    )
    found: dict[str, list[Any]] = dict(DATA)
    for name, batch in batches.items():
        for fact in ("passed", "score", "outcome", "code"):
            found[f"{name}_{fact}"] = getattr(batch, fact).tolist()
        found[f"{name}_reason"] = list(batch.reasons)
    return found


class TestEveryKind:
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_figures_are_those_of_lists(self, kind: str) -> None:
        """Values, order of rows and order of columns, with nulls, empty lists and a grader that is refused."""
        frame = KINDS[kind]()
        graded = grade_frame(frame, GRADERS, **ARGUMENTS)
        assert type(graded) is type(frame)
        found = rows_of(graded)
        assert found == expected()
        assert list(found) == list(expected())
        assert found["found_code"] == [
            "ok",
            "ok",
            "empty_retrieved",
            "missing_option",
            "missing_option",
            "ok",
        ]
        assert set(found["broken_outcome"]) == {"invalid"}

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_input_stays_as_it_was(self, kind: str) -> None:
        """Neither its columns nor its rows."""
        frame = KINDS[kind]()
        grade_frame(frame, GRADERS, **ARGUMENTS)
        assert rows_of(frame) == DATA

    @pytest.mark.parametrize("kind", KINDS)
    def test_without_rows_there_are_columns(self, kind: str) -> None:
        """Empty, and of the same types as with rows."""
        frame = KINDS[kind]()
        empty = frame.limit(0) if kind in ("polars lazy", "duckdb") else frame[:0]
        graded = grade_frame(empty, EXACT, candidate="text")
        assert rows_of(graded) == {name: [] for name in [*DATA, *FACTS]}
        whole = grade_frame(frame, EXACT, candidate="text")
        assert types_of(graded)[-4:] == types_of(whole)[-4:]

    @pytest.mark.parametrize("kind", KINDS)
    def test_types_of_the_results(self, kind: str) -> None:
        """Boolean, float64 and plain texts; the frame's own types are the same as before."""
        frame = KINDS[kind]()
        before, after = types_of(frame), types_of(grade_frame(frame, EXACT, candidate="text"))
        assert after[: len(before)] == before
        assert after[len(before) :] == [nw.Boolean, nw.Float64, nw.String, nw.String]

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_missing_column_is_named_with_the_nearest(self, kind: str) -> None:
        """For each of the three arguments that name columns, at the call."""
        frame = KINDS[kind]()
        for arguments, message in [
            ({"candidate": "txt"}, "the frame has no column 'txt'; did you mean 'text'"),
            ({"reference": "golden"}, "the frame has no column 'golden'; did you mean 'gold'"),
            ({"columns": {"retrieved": "passage"}}, "no column 'passage'; did you mean 'passages'"),
            ({"candidate": "???"}, r"no column '\?\?\?'; it has 'id', 'text', 'gold', 'passages', 'wanted'$"),
        ]:
            with pytest.raises(ValueError, match=message):
                grade_frame(frame, GRADERS, **{**ARGUMENTS, **arguments})

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_result_column_that_is_there_already(self, kind: str) -> None:
        """Nothing is replaced: grading twice under one name is refused, under another it works."""
        graded = grade_frame(KINDS[kind](), EXACT, candidate="text")
        with pytest.raises(ValueError, match="the frame has a column 'exact_passed' already"):
            grade_frame(graded, EXACT, candidate="text")
        again = grade_frame(graded, {"again": {"type": "no_pii"}}, candidate="text")
        assert list(rows_of(again))[-8:] == [*FACTS, *(name.replace("exact", "again") for name in FACTS)]

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_column_that_cannot_be_graded_is_refused_at_the_call(self, kind: str) -> None:
        """Dates become no text by some rule of ours. pandas has them as objects, each of them no JSON value."""
        arrow = pa.table({"candidate": pa.array([1], pa.date32())})
        if kind == "pandas":
            graded = grade_frame(arrow.to_pandas(), EXACT)
            assert graded["exact_code"].tolist() == ["not_json_value"]
            return
        frames = {
            "pandas of arrow": arrow.to_pandas(types_mapper=pd.ArrowDtype),
            "polars lazy": pl.LazyFrame(pl.DataFrame(arrow)),
            "record batch": arrow.to_batches()[0],
            "duckdb": duckdb.from_arrow(arrow),
        }
        frame = pl.DataFrame(arrow) if "polars" in kind and kind != "polars lazy" else frames.get(kind, arrow)
        with pytest.raises(TypeError, match="candidates: an Arrow column of type Date32 cannot be graded"):
            grade_frame(frame, EXACT)


def types_of(frame: Any) -> list[Any]:
    if isinstance(frame, pa.RecordBatch):
        frame = pa.Table.from_batches([frame])
    return nw.from_native(frame).collect_schema().dtypes()


class TestArguments:
    @pytest.mark.parametrize(
        "frame", [None, 5, "candidate", [{"candidate": "a"}], {"candidate": ["a"]}, pl.Series(["a"]), pa.array(["a"]),
                  pd.Series(["a"]), pl.DataFrame]
    )  # fmt: skip
    def test_what_is_no_frame(self, frame: Any) -> None:
        """The kinds are named."""
        with pytest.raises(TypeError, match=r"takes a pandas or polars DataFrame, .* not"):
            grade_frame(frame, EXACT)

    def test_a_frame_of_narwhals_is_asked_for_its_native_one(self) -> None:
        """It would come back as another kind."""
        frame = pl.DataFrame({"candidate": ["a"]})
        for wrapped in (nw.from_native(frame), nw.from_native(frame.lazy()), narwhals.from_native(frame)):
            with pytest.raises(
                TypeError, match=r"takes a pandas or polars DataFrame, .*frame\.to_native\(\)"
            ):
                grade_frame(wrapped, EXACT)

    def test_no_graders_is_no_pass(self) -> None:
        """An empty mapping would give a frame on which all graders pass."""
        with pytest.raises(ValueError, match="graders is empty: nothing would be checked"):
            grade_frame(pl.DataFrame({"candidate": ["a"]}), {})

    @pytest.mark.parametrize(
        ("graders", "message"),
        [
            ([{"type": "no_pii"}], "graders must map names"),
            ({"a": "no_pii"}, "a grader is"),
            ({1: {"type": "no_pii"}}, "the name of a grader must be a text, not int"),
        ],
    )
    def test_what_is_no_grader(self, graders: Any, message: str) -> None:
        """Misuse by the programmer, lazy or not."""
        for frame in (pl.DataFrame({"candidate": ["a"]}), pl.LazyFrame({"candidate": ["a"]})):
            with pytest.raises(TypeError, match=message):
                grade_frame(frame, graders)

    @pytest.mark.parametrize(
        ("arguments", "error", "message"),
        [
            ({"nulls": "skip"}, ValueError, "nulls must be"),
            ({"threads": 0}, ValueError, "threads must be"),
            ({"backend": "fortran"}, ValueError, "backend must be"),
            ({"columns": {"retreived": "candidate"}}, ValueError, "no grader has the option 'retreived'"),
            (
                {"columns": ["candidate"]},
                TypeError,
                "columns must map options to the names of columns, not list",
            ),
        ],
    )
    def test_settings_are_checked_at_the_call(
        self, arguments: Any, error: type[Exception], message: str
    ) -> None:
        """A lazy frame does not keep the fault for later."""
        for frame in (pl.DataFrame({"candidate": ["a"]}), pl.LazyFrame({"candidate": ["a"]})):
            with pytest.raises(error, match=message):
                grade_frame(frame, EXACT, **arguments)

    def test_the_reference_is_never_guessed(self) -> None:
        """A column of that name is not read unless it is named."""
        frame = pl.DataFrame({"candidate": ["a"], "reference": ["a"]})
        graders = {"exact": {"type": "exact_match"}}
        assert grade_frame(frame, graders)["exact_outcome"].to_list() == ["invalid"]
        assert grade_frame(frame, graders, reference="reference")["exact_outcome"].to_list() == ["pass"]

    def test_one_column_may_serve_twice(self) -> None:
        """As candidate and as reference."""
        frame = pl.DataFrame({"candidate": ["a", None]})
        graded = grade_frame(frame, {"exact": {"type": "exact_match"}}, reference="candidate")
        assert graded["exact_code"].to_list() == ["ok", "missing_candidate"]

    def test_nulls_and_backend_reach_the_graders(self) -> None:
        """A null as the JSON null, on the plain reference."""
        frame = pl.DataFrame({"candidate": [None, "null"]}, schema={"candidate": pl.String})
        graders = {"exact": {"type": "exact_match", "expected": "null"}}
        graded = grade_frame(frame, graders, nulls="json", backend="python", threads=1)
        assert graded["exact_passed"].to_list() == [True, True]
        assert grade_frame(frame, graders)["exact_passed"].to_list() == [False, True]

    def test_reasons_only_when_asked(self) -> None:
        """They cost a text a row."""
        frame = pl.DataFrame({"candidate": ["a"]})
        assert "exact_reason" not in grade_frame(frame, EXACT).columns
        assert grade_frame(frame, EXACT, reasons=True).columns[-1] == "exact_reason"

    def test_a_wide_frame_is_named_in_part(self) -> None:
        """A message of five hundred names tells nobody anything."""
        frame = pl.DataFrame({f"c{number}": [1] for number in range(500)})
        with pytest.raises(ValueError, match=r"it has 'c0', .*'c7', …$"):
            grade_frame(frame, EXACT, candidate="???")

    def test_a_frame_without_columns(self) -> None:
        """It has rows in pandas alone, and nothing to grade anywhere."""
        for frame in (pd.DataFrame(index=[1, 2]), pl.DataFrame(), pa.table({}), pl.LazyFrame()):
            with pytest.raises(ValueError, match="the frame has no column 'candidate'; it has none"):
                grade_frame(frame, EXACT)

    def test_every_code_is_a_text_in_the_frame(self) -> None:
        """Outcome and code are read by their names, as in the table of codes."""
        graded = grade_frame(pl.DataFrame(DATA), GRADERS, **ARGUMENTS)
        for name in GRADERS:
            pairs = zip(
                graded[f"{name}_code"], graded[f"{name}_outcome"], graded[f"{name}_passed"], strict=True
            )
            assert all(
                CODES[code].outcome == outcome and passed == (outcome == "pass")
                for code, outcome, passed in pairs
            )

    def test_the_module_loads_no_library_of_frames(self) -> None:
        """Nor does `import gradestone` load the module."""
        script = (
            "import sys, gradestone; assert 'gradestone.frames' not in sys.modules; import gradestone.frames;"
            "print([m for m in ('narwhals', 'pandas', 'polars', 'pyarrow', 'duckdb', 'numpy') if m in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    def test_without_narwhals_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The extra by its name."""
        monkeypatch.setitem(sys.modules, "narwhals.stable.v2", None)
        with pytest.raises(ImportError, match=r"pip install 'gradestone\[frames\]'"):
            grade_frame(pl.DataFrame({"candidate": ["a"]}), EXACT)
