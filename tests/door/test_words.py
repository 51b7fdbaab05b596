"""What the extension writes of verdicts, against what Python says of them; and what it refuses to write."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.texts import texts

from gradestone import GradeBatch, _core, grade_batch
from gradestone.backends import export_reasoned, export_verdicts, write_lines
from gradestone.codes import CODE_INDEX, CODE_NAMES, CODES
from gradestone.data.arrow_out import _Stream
from gradestone.data.splice import Wordings
from gradestone.data.strict_json import whole_text

GRADERS: list[dict[str, Any]] = [
    {"type": "bleu_score", "threshold": 0.3},
    {"type": "rouge_score", "measure": "recall"},
    {"type": "semantic"},
    {"type": "exact_match"},
    {"type": "contains", "fragments": ["a", '"\\\n\u2028\u00e9', "\ud800"]},
    {"type": "not_contains", "fragments": ["a", "\U0001f600"]},
    {"type": "blocklist", "terms": ["a", 'b"', "\u03a3"]},
    {"type": "no_pii"},
    {"type": "regex", "pattern": "a+"},
    {"type": "json_schema", "schema": {"type": "string"}},
]


def graded_in(batch: GradeBatch, *, plain: bool) -> Any:
    return Wordings(plain=plain).verdicts("g", batch)


@pytest.mark.parametrize("grader", GRADERS, ids=lambda grader: grader["type"])
@given(rows=st.lists(st.tuples(texts, texts), max_size=8), threads=st.integers(1, 3))
def test_a_line_and_an_arrow_row_say_what_python_says(
    grader: dict[str, Any], rows: list[tuple[str, str]], threads: int
) -> None:
    """Passed, score, outcome, code and reason of each row, as JSON and as Arrow."""
    candidates = [candidate for candidate, _ in rows] + [None, 5, "\ud800", "a.user@example.com"]
    references = [reference for _, reference in rows] + ["a", None, "\ud800", "b"]
    batch = grade_batch(grader, candidates, references=references)
    results = [row.to_dict() for row in batch]
    pieces = write_lines(
        [b"{}"] * len(batch),
        members=None,
        verdicts=[graded_in(batch, plain=False)],
        others=[],
        threads=threads,
    )
    written = [json.loads(line)["g"] for line in b"".join(pieces).splitlines()]
    assert written == [
        {name: row[name] for name in ("passed", "score", "outcome", "code", "reason")} for row in results
    ]
    table = pa.table(_Stream(export_reasoned(graded_in(batch, plain=True))))
    for name in ("passed", "score", "outcome", "code"):
        assert table[name].to_pylist() == [row[name] for row in results]
        assert pa.table(batch)[name].to_pylist() == [row[name] for row in results]
    assert table["reason"].to_pylist() == [whole_text(row["reason"]) for row in results]


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("rows", [0, 1, 63, 65, 1_000])
def test_every_row_is_written_once(rows: int, threads: int) -> None:
    """In order, with the lines that stand between, however many threads there are."""
    batch = grade_batch({"type": "contains", "fragments": ["7"]}, [str(row) for row in range(rows)])
    others = [(row, b'{"other":%d}\n' % row) for row in range(0, rows + 1, 10)]
    pieces = write_lines(
        [b'{"n":%d}' % row for row in range(rows)],
        members=None, verdicts=[graded_in(batch, plain=False)], others=others, threads=threads,
    )  # fmt: skip
    lines = [json.loads(line) for line in b"".join(pieces).splitlines()]
    expected: list[Any] = []
    for row in range(rows + 1):
        expected += [("other", row)] if row % 10 == 0 else []
        expected += [(row, "7" in str(row))] if row < rows else []
    assert [
        ("other", line["other"]) if "other" in line else (line["n"], line["g"]["passed"]) for line in lines
    ] == expected


def words(**phrases: Any) -> _core.Wording:
    frames = [(b'"g":{"score":', b',"reason":')] * len(CODE_NAMES)
    return _core.Wording(frames, phrases.get("fixed", {}), phrases.get("scored", {}), phrases.get("hits", {}))


OK, MISMATCH = CODE_INDEX["ok"], CODE_INDEX["mismatch"]
ONE = b"\x00" * 6 + b"\xf0?"


class TestRefusals:
    @pytest.mark.parametrize("count", [0, 1, 3])
    def test_verdicts_and_rows_must_be_as_many(self, count: int) -> None:
        """A row without a verdict is not written, nor is a verdict dropped."""
        graded = (words(fixed={OK: b'"fine"'}), bytes([OK]) * 2, ONE * 2, None, {})
        with pytest.raises(ValueError, match=f"^{count} rows need as many verdicts, not 2$"):
            write_lines([b"{}"] * count, members=None, verdicts=[graded], others=[], threads=1)

    @pytest.mark.parametrize("scores", [ONE, ONE * 3, b""])
    def test_each_verdict_has_its_score(self, scores: bytes) -> None:
        """The score of another row is none."""
        graded = (words(fixed={OK: b'"fine"'}), bytes([OK]) * 2, scores, None, {})
        with pytest.raises(ValueError, match="need as many verdicts"):
            write_lines([b"{}"] * 2, members=None, verdicts=[graded], others=[], threads=1)
        with pytest.raises(ValueError, match="need as many verdicts"):
            export_reasoned(graded)

    def test_the_kernel_speaks_of_the_same_rows(self) -> None:
        """What hit is looked up by row."""
        rows = _core.Contains(["a"], False).run(("a",), 1)
        graded = (words(fixed={OK: b'"fine"'}), bytes([OK]) * 2, ONE * 2, rows, {})
        with pytest.raises(ValueError, match="need as many verdicts"):
            export_reasoned(graded)

    @pytest.mark.parametrize("code", [MISMATCH, len(CODES), 255])
    def test_a_code_without_words(self, code: int) -> None:
        """It is told which, before a line is written; a reason of the row's own will do for a code that is known."""
        graded = (words(fixed={OK: b'"fine"'}), bytes([OK, code]), ONE * 2, None, {})
        with pytest.raises(ValueError, match=f"^row 1: there are no words for code {code}$"):
            write_lines([b"{}"] * 2, members=None, verdicts=[graded], others=[], threads=1)
        with pytest.raises(ValueError, match=f"code.* {code}$"):
            export_reasoned(graded)
        if code == MISMATCH:
            line = write_lines(
                [b"{}"] * 2, members=None, verdicts=[(*graded[:4], {1: b'"own"'})], others=[], threads=1
            )
            assert json.loads(b"".join(line).splitlines()[1])["g"]["reason"] == "own"

    def test_words_for_a_code_that_has_no_frame(self) -> None:
        """There is no such code."""
        with pytest.raises(ValueError, match="there is no frame for code 200"):
            words(fixed={200: b'"?"'})

    @pytest.mark.parametrize("code", [len(CODES), 128, 255])
    def test_a_code_that_is_none_is_not_exported(self, code: int) -> None:
        """Least of all as the first one, which passes."""
        with pytest.raises(ValueError, match=f"no code or outcome has the number {code}"):
            export_verdicts(bytes([OK, code]), ONE * 2)

    def test_members_of_hard_lines_are_not_left_out(self) -> None:
        """A line that was not read has members, even if nobody knows where."""
        lines = _core.JsonLines(b'{"a":1}\n{"a":1,"a":2}', 1, ["a"], [], json.loads, 1)
        assert lines.hard() == [1]
        graded = (words(fixed={OK: b'"fine"'}), bytes([OK]) * 2, ONE * 2, None, {})
        with pytest.raises(ValueError, match="hard line"):
            write_lines(lines, members=[("a", b'"a"')], verdicts=[graded], others=[], threads=1)
        kept = lines.without([1])
        one = (graded[0], graded[1][:1], ONE, None, {})
        line = write_lines(kept, members=[("a", b'"a"')], verdicts=[one], others=[], threads=1)
        assert json.loads(b"".join(line)) == {"a": 1, "g": {"score": 1.0, "reason": "fine"}}
