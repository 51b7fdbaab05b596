"""Rows with verdicts: the row's own text, and nothing that is not JSON."""

from __future__ import annotations

import json
import math

import pytest

from gradestone.codes import CODES
from gradestone.data.jsonl import BadRecord
from gradestone.data.splice import graded_lines, json_text, unreadable_line, verdict_members
from gradestone.verdict import GradeBatch, RowVerdict, Verdicts


def batch(*rows: RowVerdict) -> GradeBatch:
    return GradeBatch("bleu_score", "signature", Verdicts.of(rows))


def test_member_is_the_verdict() -> None:
    """Every code's member says what the result says."""
    results = batch(*(RowVerdict(code, 1 / 3, f"reason {code}") for code in CODES))
    for member, result in zip(verdict_members("my bleu", results), results, strict=True):
        told = json.loads(b"{%b}" % member)["my bleu"]
        assert told == {
            key: result.to_dict()[key] for key in ("passed", "score", "outcome", "code", "reason")
        }
        assert list(told) == ["passed", "score", "outcome", "code", "reason"]


def test_rows_are_untouched() -> None:
    """Number forms, escapes, order and inner whitespace stay as they were."""
    texts = [b'{ "n": 1.50e0, "s":"\\u0041\\ud800" }', b"{}", b"{ }", b'{"a":{}}']
    members = {"m": [b'"m":%d' % index for index in range(4)], "k": [b'"k":0'] * 4}
    assert list(graded_lines(texts, members)) == [
        b'{ "n": 1.50e0, "s":"\\u0041\\ud800","m":0,"k":0}\n',
        b'{"m":1,"k":0}\n',
        b'{"m":2,"k":0}\n',
        b'{"a":{},"m":3,"k":0}\n',
    ]


def test_scores_come_back_bit_for_bit() -> None:
    """17 digits where they are needed."""
    scores = [0.0, 1.0, 0.1, 1 / 3, 5e-324, math.nextafter(1, 0)]
    members = verdict_members("b", batch(*(RowVerdict("ok", score, "r") for score in scores)))
    assert [json.loads(b"{%b}" % member)["b"]["score"] for member in members] == scores


def test_many_reasons_are_not_kept() -> None:
    """More different reasons than are remembered come out right."""
    reasons = [f"reason {index}" for index in range(10_000)]
    members = verdict_members("b", batch(*(RowVerdict("ok", 1.0, reason) for reason in reasons)))
    assert [json.loads(b"{%b}" % member)["b"]["reason"] for member in members] == reasons


def test_unreadable_row() -> None:
    """Line, cause, and for every grader an invalid verdict."""
    told = json.loads(unreadable_line(BadRecord(7, "not JSON"), ["a", "b"]))
    assert (told["line"], told["error"]) == (7, "not JSON")
    assert told["a"] == told["b"]
    assert told["a"]["outcome"] == "invalid"
    assert (told["a"]["passed"], told["a"]["score"], told["a"]["code"]) == (False, 0.0, "unreadable_row")


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", 'é\u2028\x00\n"\\', "\U0001f600"])
def test_any_text_is_written(text: str) -> None:
    """RD-13: lone surrogates are written as escapes, everything else in UTF-8."""
    assert json.loads(json_text(text).decode("utf-8")) == text
