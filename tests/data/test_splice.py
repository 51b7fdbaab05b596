"""Rows with verdicts: the row's own text, and nothing that is not JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import texts as text_strategies

from gradestone import grade_batch
from gradestone.backends import write_lines
from gradestone.codes import CODE_NAMES, CODES
from gradestone.data.blocks import BadRow
from gradestone.data.splice import Place, Wordings, unreadable_line
from gradestone.data.strict_json import json_text
from gradestone.verdict import GradeBatch, RowVerdict, Verdicts


def batch(*rows: RowVerdict) -> GradeBatch:
    return GradeBatch("bleu_score", "signature", Verdicts.of(rows))


def written(
    texts: Sequence[bytes],
    batches: dict[str, GradeBatch],
    *,
    others: Sequence[tuple[int, bytes]] = (),
    threads: int = 1,
) -> bytes:
    wordings = Wordings()
    verdicts = [wordings.verdicts(name, one) for name, one in batches.items()]
    return b"".join(write_lines(texts, members=None, verdicts=verdicts, others=others, threads=threads))


def assert_told(name: str, results: GradeBatch) -> None:
    """What is written is what the results say, member by member."""
    lines = written([b"{}"] * len(results), {name: results}).splitlines()
    for line, result in zip(lines, results, strict=True):
        told = json.loads(line)[name]
        keys = ("passed", "score", "outcome", "code", "reason")
        assert told == {key: result.to_dict()[key] for key in keys}
        assert list(told) == list(keys)


def test_member_is_the_verdict() -> None:
    """Every code's member says what the result says."""
    assert_told("my bleu", batch(*(RowVerdict(code, 1 / 3, f"reason {code}") for code in CODES)))


GRADERS = [
    {"type": "bleu_score", "threshold": 0.3},
    {"type": "rouge_score", "rouge_type": "rouge_l", "measure": "recall"},
    {"type": "semantic"},
    {"type": "exact_match"},
    {"type": "contains", "fragments": ["a", '"\\\n\u2028é']},
    {"type": "not_contains", "fragments": ["a", "b"]},
    {"type": "blocklist", "terms": ["a", 'b"', "Σ"]},
    {"type": "no_pii"},
    {"type": "regex", "pattern": "a+"},
    {"type": "not_regex", "pattern": "(a)\\1"},
    {"type": "json_schema", "schema": {"type": "string"}},
]


@pytest.mark.parametrize("backend", ["rust", "python"])
@pytest.mark.parametrize("grader", GRADERS, ids=lambda grader: grader["type"])
@given(st.lists(st.tuples(text_strategies.texts, text_strategies.texts), max_size=6))
def test_reasons_are_those_of_the_results(grader, backend, pairs) -> None:
    """Put together for a whole file they are what each result says, rows that no kernel takes among them."""
    candidates = [candidate for candidate, _ in pairs] + [None, 5, "a.user@example.com", "", "\ud800"]
    references = [reference for _, reference in pairs] + ["a", "5", None, "b", "\ud800"]
    assert_told("g", grade_batch(grader, candidates, references=references, backend=backend))


@given(st.floats(0, 1), st.integers(0, 64).map(lambda n: n / 64))
def test_figures_are_those_of_python(score: float, tie: float) -> None:
    """Scores come back bit for bit, and four decimals are rounded as Python rounds, ties too."""
    for one in (score, tie):
        assert json.loads(written([b"{}"], {"b": batch(RowVerdict("ok", one, "r"))}))["b"]["score"] == one
    tokens = " ".join(map(str, range(64)))
    part = " ".join(map(str, range(round(tie * 64)))) or "none"
    assert_told("r", grade_batch({"type": "rouge_score", "measure": "recall"}, [part], references=[tokens]))


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_rows_are_untouched(threads: int) -> None:
    """Number forms, escapes, order and inner whitespace stay as they were; other lines stand in their places."""
    texts = [b'{ "n": 1.50e0, "s":"\\u0041\\ud800" }', b"{}", b"{ }", b'{"a":{}}']
    passed = b'"m":{"passed":true,"score":1.0,"outcome":"pass","code":"ok","reason":"r"}}\n'
    others = [(0, b"0\n"), (2, b"2\n"), (4, b"4\n"), (4, b"5\n")]
    verdicts = {"m": batch(*[RowVerdict("ok", 1.0, "r")] * 4)}
    assert written(texts, verdicts, others=others, threads=threads) == b"".join(
        [
            b"0\n",
            b'{ "n": 1.50e0, "s":"\\u0041\\ud800",' + passed,
            b"{" + passed,
            b"2\n",
            b"{" + passed,
            b'{"a":{},' + passed,
            b"4\n5\n",
        ]
    )


def test_scores_come_back_bit_for_bit() -> None:
    """17 digits where they are needed."""
    scores = [0.0, 1.0, 0.1, 1 / 3, 1e-05, 1.5e-7, 5e-324, math.nextafter(1, 0)]
    lines = written([b"{}"] * len(scores), {"b": batch(*(RowVerdict("ok", score, "r") for score in scores))})
    told = [line.split(b'"score":')[1].split(b",")[0].decode() for line in lines.splitlines()]
    assert told == [repr(score) for score in scores]


def test_the_order_does_not_depend_on_threads() -> None:
    """Many rows by several threads."""
    texts = [b'{"n":%d}' % number for number in range(5_000)]
    results = grade_batch({"type": "regex", "pattern": "7"}, [text.decode() for text in texts])
    alone = written(texts, {"g": results})
    assert written(texts, {"g": results}, threads=4) == alone
    assert [json.loads(line)["n"] for line in alone.splitlines()] == list(range(5_000))


def test_unreadable_row() -> None:
    """Line, cause, and for every grader an invalid verdict."""
    row = BadRow(3, 7, "not JSON")
    told = json.loads(unreadable_line(row, Place("line", None), ["a", "b"]))
    assert (told["line"], told["error"]) == (7, "not JSON")
    assert told["a"]["reason"] == "line 7 could not be read: not JSON"
    assert told["a"] == told["b"]
    assert told["a"]["outcome"] == "invalid"
    assert (told["a"]["passed"], told["a"]["score"], told["a"]["code"]) == (False, 0.0, "unreadable_row")
    told = json.loads(unreadable_line(row, Place("row", "a.json"), ["a"]))
    assert (told["file"], told["row"]) == ("a.json", 7)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", 'é\u2028\x00\n"\\', "\U0001f600"])
def test_any_text_is_written(text: str) -> None:
    """RD-13: lone surrogates are written as escapes, everything else in UTF-8."""
    assert json.loads(json_text(text).decode("utf-8")) == text


def test_a_row_on_which_a_kernel_broke_is_written() -> None:
    """A bug of a kernel costs one row, not the file."""
    rows = grade_batch({"type": "no_pii"}, ["a"]).verdicts.decided
    assert rows is not None
    code = bytes([CODE_NAMES.index("internal_error")])
    results = GradeBatch("no_pii", "s", Verdicts.spoken(code, bytes(8), rows))
    assert results[0].reason == "the kernel broke on this row"
    assert_told("g", results)
