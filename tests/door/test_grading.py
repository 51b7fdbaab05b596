"""The one door: what may be graded, what a column may be, and where it raises."""

from __future__ import annotations

import array
import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import gradestone
from gradestone import ABSENT, BleuScore, Contains, compile_grader, grade, grade_batch, grade_many

CONTAINS = {"type": "contains", "fragments": ["a"]}


def outcomes(batch: gradestone.GradeBatch) -> list[str]:
    return batch.outcome.tolist()


class TestGrade:
    def test_a_mapping_an_options_object_and_a_compiled_grader_say_the_same(self) -> None:
        """Three ways to write a grader are one grader."""
        forms = [
            CONTAINS,
            Contains(fragments=["a"]),
            compile_grader(CONTAINS),
            compile_grader(Contains(fragments=["a"])),
        ]
        assert len({repr(grade(form, "abc")) for form in forms}) == 1
        assert all(grade(form, "abc") for form in forms)

    def test_options_and_compiled_graders_can_be_called(self) -> None:
        """The short form for one text."""
        assert BleuScore(reference="the cat")("the cat").score == 1.0
        assert compile_grader({"type": "bleu_score"})("the cat", reference="the cat").passed

    @pytest.mark.parametrize("grader", [None, 5, "contains", ["contains"], object()])
    def test_what_is_no_grader_raises(self, grader: Any) -> None:
        """Misuse by the programmer is an exception, not a verdict."""
        with pytest.raises(TypeError, match="a grader is"):
            grade(grader, "x")

    @pytest.mark.parametrize(
        "spec",
        [
            {},
            {"type": "no_such"},
            {"type": None},
            {"type": "contains"},
            {"type": "contains", "fragments": []},
            {"type": "contains", "fragment": ["a"]},
            {"type": "bleu_score", "threshold": "0.5"},
        ],
    )
    def test_faulty_options_are_a_failed_verdict(self, spec: dict[str, Any]) -> None:
        """No exception, no pass: outcome invalid, in one call and in a batch alike."""
        result = grade(spec, "abc", reference="abc")
        assert (result.passed, result.outcome, result.score) == (False, "invalid", 0.0)
        batch = grade_batch(spec, ["abc", "a"])
        assert outcomes(batch) == ["invalid"] * 2
        assert batch[0].reason == result.reason != ""

    def test_every_fault_is_in_the_reason_and_in_the_error(self) -> None:
        """One run shows all that is wrong."""
        spec = {"type": "rouge_score", "measure": "recal", "threshold": 2, "rogue_type": "rouge_l"}
        with pytest.raises(gradestone.GraderOptionError) as caught:
            compile_grader(spec)
        assert len(caught.value.faults) == 3
        assert "did you mean `rouge_type`" in str(caught.value)
        assert all(fault.message in grade(spec, "a").reason for fault in caught.value.faults)

    def test_none_is_the_json_null(self) -> None:
        """One candidate of null is a value, NaN is none."""
        assert grade({"type": "contains", "fragments": ["null"]}, None).passed
        assert grade({"type": "exact_match", "expected": None}, None).passed
        assert grade({"type": "no_pii"}, float("nan")).code == "not_json_value"

    @pytest.mark.parametrize(
        "value", [b"a", {1: "a"}, {"a": {1, 2}}, object(), 1j, float("inf"), [float("nan")]]
    )
    def test_what_is_no_json_value_fails(self, value: Any) -> None:
        """Bytes, sets, objects, infinities: not graded by their repr."""
        for spec in (
            CONTAINS,
            {"type": "no_pii"},
            {"type": "json_schema", "schema": {}},
            {"type": "exact_match", "expected": 1},
        ):
            assert grade(spec, value).code == "not_json_value"

    def test_cycles_and_depth(self) -> None:
        """A cycle and 513 levels are no JSON; 512 are."""
        cycle: list[Any] = []
        cycle.append(cycle)
        deep: Any = 1
        for _ in range(512):
            deep = [deep]
        assert grade({"type": "no_pii"}, cycle).code == "not_json_value"
        assert grade({"type": "no_pii"}, deep).passed
        assert grade({"type": "no_pii"}, [deep]).code == "not_json_value"

    def test_the_backend_is_chosen_by_name_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The argument, then the variable; an unknown name raises."""
        with pytest.raises(ValueError, match="backend must be"):
            grade(CONTAINS, "a", backend="fortran")
        monkeypatch.setenv("GRADESTONE_BACKEND", "fortran")
        with pytest.raises(ValueError, match="GRADESTONE_BACKEND"):
            grade(CONTAINS, "a")
        assert grade(CONTAINS, "a", backend="python").passed

    def test_an_explicit_option_wins_over_the_case_reference(self) -> None:
        """The case reference stands in only where the option is absent."""
        assert grade({"type": "exact_match", "expected": "a"}, "a", reference="b").passed
        assert grade({"type": "exact_match"}, "b", reference="b").passed
        assert not grade({"type": "exact_match", "expected": None}, "b", reference="b").passed
        assert grade({"type": "bleu_score", "reference": "x"}, "x", reference="y").passed
        assert grade({"type": "bleu_score"}, "x", reference=ABSENT).code == "missing_reference"


class TestResult:
    def test_fields_truth_and_dict(self) -> None:
        """The verdict as an object, as a condition and as JSON."""
        result = grade({"type": "blocklist", "terms": ["bad"]}, "bad")
        assert not result
        assert json.loads(json.dumps(result.to_dict())) == {
            "passed": False,
            "grader": "blocklist",
            "score": 0.0,
            "reason": 'blocked term: "bad"',
            "code": "blocked_term",
            "outcome": "fail",
            "metadata": {"hits": ["bad"]},
            "signature": "blocklist|border:a-z0-9|u:17|c:1",
        }

    def test_it_is_frozen(self) -> None:
        """Nobody turns a fail into a pass."""
        result = grade(CONTAINS, "x")
        with pytest.raises(AttributeError):
            result.code = "ok"  # type: ignore[misc]
        with pytest.raises((AttributeError, TypeError)):
            result.passed = True  # type: ignore[misc]


class TestColumns:
    def test_lists_tuples_arrays_and_arrow_say_the_same(self) -> None:
        """One column in every container."""
        cells = ["abc", "é", None, ""]
        big = pa.array(cells, pa.large_string())
        containers = [
            cells,
            tuple(cells),
            np.array(cells, dtype=object),
            pa.array(cells),
            big,
            big.slice(0),
            pa.array(cells, pa.string_view()),
            pa.array(cells).dictionary_encode(),
            pa.chunked_array([cells[:1], [], cells[1:]], pa.string()),
            pa.array(["?", *cells, "?"]).slice(1, 4),
        ]
        for container in containers:
            batch = grade_batch(CONTAINS, container)
            assert batch.code.tolist() == [
                "ok",
                "missing_fragment",
                "missing_candidate",
                "missing_fragment",
            ], container

    def test_numpy_texts_and_numbers(self) -> None:
        """Fixed-width texts, NumPy numbers, NaN."""
        assert grade_batch(CONTAINS, np.array(["ab", "x"])).passed.tolist() == [True, False]
        assert outcomes(grade_batch({"type": "contains", "fragments": ["5"]}, np.array([5.0, np.nan, 1.5]))) == [
            "pass", "invalid", "pass",
        ]  # fmt: skip
        assert grade_batch(
            {"type": "contains", "fragments": ["5"]}, [np.int64(5), np.float64(5)]
        ).passed.all()

    def test_arrow_lists_feed_context_f1(self) -> None:
        """list<string> columns; an empty list and a null are refused, and differ."""
        retrieved = pa.array([["a", "b"], [], None])
        batch = grade_batch(
            {"type": "context_f1", "expected": ["a"]}, ["", "", ""], columns={"retrieved": retrieved}
        )
        assert batch.code.tolist() == ["ok", "empty_retrieved", "missing_option"]

    def test_other_arrow_types_are_refused_by_name(self) -> None:
        """A date is not turned into text by some rule of ours."""
        with pytest.raises(TypeError, match="candidates: an Arrow column of type Date32"):
            grade_batch(CONTAINS, pa.array([1], pa.date32()))
        with pytest.raises(TypeError, match="Struct"):
            grade_batch(CONTAINS, pa.table({"a": ["x"]}))

    @pytest.mark.parametrize("column", ["abc", b"abc", {"a": 1}, {"a"}, iter(["a"]), 5, np.zeros((2, 2))])
    def test_what_is_no_column_raises(self, column: Any) -> None:
        """One text is not a column of its letters."""
        with pytest.raises(TypeError, match="candidates must"):
            grade_batch(CONTAINS, column)

    def test_columns_of_different_length_raise(self) -> None:
        """Rows are never paired by guess."""
        with pytest.raises(ValueError, match="references has 1 rows, candidates have 2"):
            grade_batch({"type": "bleu_score"}, ["a", "b"], references=["a"])
        with pytest.raises(ValueError, match="column 'reference' has 3 rows"):
            grade_batch({"type": "bleu_score"}, ["a", "b"], columns={"reference": ["a"] * 3})

    def test_a_column_that_no_grader_reads_raises(self) -> None:
        """A misspelt column would otherwise be ignored in silence."""
        with pytest.raises(ValueError, match="no grader has the option 'refrence'"):
            grade_batch({"type": "bleu_score"}, ["a"], columns={"refrence": ["a"]})

    def test_a_column_beats_the_option_which_beats_the_case_reference(self) -> None:
        """The order of precedence, for fast and for slow columns."""
        batch = grade_batch(
            {"type": "bleu_score", "reference": "option"},
            ["column"],
            references=["case"],
            columns={"reference": ["column"]},
        )
        assert batch[0].score == 1.0
        spec = {"type": "localization_f1", "reference": "b.py"}
        assert grade_batch(spec, ["a.py"], columns={"reference": ["a.py"]})[0].passed
        assert grade_batch(spec, ["b.py"], references=["a.py"])[0].passed
        assert grade_batch({"type": "exact_match", "expected": 1}, ["2"], columns={"expected": [2]})[0].passed

    def test_any_option_may_be_a_column(self) -> None:
        """Each row's options are checked; a faulty one is that row's verdict alone."""
        batch = grade_batch(
            {"type": "rouge_score", "reference": "a b"},
            ["a"] * 4,
            columns={"threshold": [0.1, 0.9, "x", None]},
        )
        assert batch.code.tolist() == ["ok", "below_threshold", "invalid_option", "missing_option"]
        rows = grade_batch({"type": "contains"}, ["abc", "abc"], columns={"fragments": [["a"], ["z"]]})
        assert rows.passed.tolist() == [True, False]

    def test_a_required_option_that_nobody_gives(self) -> None:
        """A compiled grader whose column is left out fails every row."""
        compiled = compile_grader({"type": "context_f1", "retrieved": ["a"]}, columns=["expected"])
        assert grade_batch(compiled, ["", ""], columns={"expected": [["a"], ["b"]]}).passed.tolist() == [
            True,
            False,
        ]
        assert grade_batch(compiled, ["", ""]).code.tolist() == ["missing_option"] * 2
        assert grade(compiled, "").code == "missing_option"

    def test_nulls(self) -> None:
        """A null cell is a missing value, or the JSON null when asked."""
        cells = [None, float("nan"), "null"]
        spec = {"type": "exact_match", "expected": "null"}
        assert outcomes(grade_batch(spec, cells)) == ["invalid", "invalid", "pass"]
        assert outcomes(grade_batch(spec, cells, nulls="json")) == ["pass"] * 3
        references = grade_batch({"type": "exact_match"}, ["a", "null"], references=["a", None])
        assert references.code.tolist() == ["ok", "missing_reference"]
        as_json = grade_batch({"type": "exact_match"}, ["a", "null"], references=["a", None], nulls="json")
        assert as_json.passed.tolist() == [True, True]
        with pytest.raises(ValueError, match="nulls must be"):
            grade_batch(spec, cells, nulls="skip")  # type: ignore[arg-type]

    def test_an_empty_column_is_an_empty_batch(self) -> None:
        """No rows, no verdicts: the caller sees that there is nothing."""
        batch = grade_batch(CONTAINS, [])
        assert (len(batch), batch.passed.tolist(), batch.score.tolist(), list(batch)) == (0, [], [], [])


class TestBatch:
    def test_arrays_items_reasons_and_truth(self) -> None:
        """What a batch offers, and that it is neither true nor false."""
        batch = grade_batch({"type": "rouge_score"}, ["a b", "", None, "z"], references=["a b"] * 4)
        assert batch.passed.dtype == bool
        assert batch.score.dtype == np.float64
        assert batch.code.tolist() == ["ok", "empty_candidate", "missing_candidate", "below_threshold"]
        assert outcomes(batch) == ["pass", "fail", "invalid", "fail"]
        assert [result.code for result in batch] == batch.code.tolist()
        assert batch[-1].code == "below_threshold"
        assert [result.code for result in batch[1:3]] == ["empty_candidate", "missing_candidate"]
        assert list(batch.reasons) == [result.reason for result in batch]
        assert batch.reasons[1:2] == [batch[1].reason]
        with pytest.raises(IndexError):
            batch[4]
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(batch)
        with pytest.raises(ValueError, match=r"read-only|writeable"):
            batch.score[0] = 1.0

    def test_arrow(self) -> None:
        """As a table, with and without reasons."""
        batch = grade_batch(CONTAINS, ["a", "b"])
        assert batch.to_arrow().to_pylist() == [
            {"passed": True, "score": 1.0, "outcome": "pass", "code": "ok"},
            {"passed": False, "score": 0.0, "outcome": "fail", "code": "missing_fragment"},
        ]
        assert batch.to_arrow(reasons=True)["reason"].to_pylist() == list(batch.reasons)

    def test_the_repr_holds_no_candidate(self) -> None:
        """Counts only."""
        batch = grade_batch({"type": "no_pii"}, ["mail a.user@example.com"])
        assert repr(batch) == "GradeBatch(grader='no_pii', rows=1, passed=0)"


class TestMany:
    def test_named_graders_over_the_same_rows(self) -> None:
        """A column goes to each grader that has the option; a faulty grader spoils no other."""
        batches = grade_many(
            {"bleu": {"type": "bleu_score"}, "pii": {"type": "no_pii"}, "broken": {"type": "contains"}},
            ["a b", "c d"],
            columns={"reference": ["a b", "a b"]},
        )
        assert {name: batch.code.tolist() for name, batch in batches.items()} == {
            "bleu": ["ok", "below_threshold"],
            "pii": ["ok", "ok"],
            "broken": ["missing_option"] * 2,
        }

    def test_graders_must_be_named(self) -> None:
        """A list of graders has no names to report by."""
        with pytest.raises(TypeError, match="graders must map names"):
            grade_many([CONTAINS], ["a"])  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "2"])
def test_threads_are_a_whole_number(threads: Any) -> None:
    """Nothing is rounded or guessed."""
    with pytest.raises(ValueError, match="threads must be"):
        grade_batch(CONTAINS, ["a"], threads=threads)


def test_array_module_columns_are_sequences() -> None:
    """Any sequence will do."""
    assert grade_batch(
        {"type": "contains", "fragments": ["7"]}, array.array("i", [7, 8])
    ).passed.tolist() == [True, False]


def test_the_public_names_are_written_out_and_all_there() -> None:
    """Type checkers read `__all__` as text; each name resolves, and an unknown one is an AttributeError."""
    assert set(gradestone.__all__) == {"__version__", *gradestone._HOME_OF}
    assert all(getattr(gradestone, name) is not None for name in gradestone.__all__)
    assert set(gradestone.__all__) <= set(dir(gradestone))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = gradestone.nothing
