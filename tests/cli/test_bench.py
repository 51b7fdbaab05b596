"""``gradestone bench``: what it reads, what it tells, and how it ends. No figure is held to anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gradestone.bench.asking import same_verdict
from gradestone.bench.peers import PEERS, Peer

from .conftest import Invoke

QUICK = ("--rounds", "1", "--rows", "3")
ROWS = [{"answer": "the cat", "gold": "the cat"}, {"answer": None, "gold": "x"}, {"answer": "a", "gold": "b"}]


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS) + "{\n")
    return path


def columns(path: Path) -> tuple[str, ...]:
    return (str(path), "--candidate", "answer", "--reference", "gold")


def test_a_table(invoke: Invoke, answers: Path) -> None:
    """A line a work with ours, the reference and the others; what was left out is said."""
    result = invoke("bench", *columns(answers), "-g", "exact_match", "--rounds", "1")
    assert result.exit_code == 0
    header, line, *notes = [line for line in result.stdout.splitlines() if line]
    assert header.split()[:3] == ["work", "rows", "ours,"]
    assert line.split()[:2] == ["exact_match", "2"]
    assert "plain Python" in line
    assert notes == [
        "left out: 1 rows without a candidate or a reference that is text",
        "left out: 1 unreadable rows",
    ]


def test_json(invoke: Invoke) -> None:
    """Every figure of every side, on the sample that needs no file."""
    result = invoke("bench", "-g", "bleu_score", "--rounds", "2", "--rows", "3", "--format", "json")
    assert result.exit_code == 0
    document: dict[str, Any] = json.loads(result.stdout)
    assert (document["texts"], document["rows"], document["rounds"]) == ("sample", 3, 2)
    (work,) = document["works"]
    assert (work["name"], work["disagreement"]) == ("bleu_score", None)
    ours, reference = work["sides"][:2]
    assert (ours["role"], ours["times_ours"], ours["rows"]) == ("ours", 1.0, 3)
    assert reference["role"] == "reference"
    assert [len(side["microseconds_a_row"]) for side in (ours, reference)] == [2, 2]
    assert all(figure > 0 for side in work["sides"] for figure in side["microseconds_a_row"])


def test_a_disagreement_is_exit_1(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that answers otherwise is named, nothing of that work is timed, and the others are."""
    liar = Peer("liar", None, "re", lambda _work, texts: lambda: [True] * len(texts), same_verdict)
    monkeypatch.setitem(PEERS, "exact_match", (liar,))
    result = invoke("bench", "-g", "exact_match", "-g", "contains", *QUICK)
    assert result.exit_code == 1
    assert "exact_match: liar disagrees" in result.stderr
    assert any(line.startswith("contains") for line in result.stdout.splitlines())


def test_missing_peers_are_named(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, with what installs them."""
    absent = Peer(
        "absent", "absent-library", "no_such_module_anywhere", lambda _work, _texts: list, same_verdict
    )
    monkeypatch.setitem(PEERS, "contains", (absent,))
    result = invoke("bench", "-g", "contains", *QUICK)
    assert "not installed: absent-library; pip install 'gradestone[bench]' brings them" in result.stdout


def test_an_unknown_type(invoke: Invoke) -> None:
    """A misspelt type is told with the nearest right one."""
    result = invoke("bench", "-g", "blue_score", *QUICK)
    assert result.exit_code == 2
    assert "there is no bench of 'blue_score'; did you mean bleu_score?" in result.stderr


def test_a_missing_column(invoke: Invoke, answers: Path) -> None:
    """Told with those that there are, and with the nearest."""
    result = invoke("bench", str(answers), "--candidate", "answr", *QUICK)
    assert result.exit_code == 2
    assert (
        'there is no column "answr"; the first row has "answer", "gold"; did you mean answer?'
        in result.stderr
    )


def test_several_columns_would_do(invoke: Invoke, tmp_path: Path) -> None:
    """Texts are not chosen among columns on the user's behalf."""
    both = tmp_path / "both.jsonl"
    both.write_text('{"output": "a", "response": "b", "reference": "c"}\n')
    result = invoke("bench", str(both), *QUICK)
    assert result.exit_code == 2
    assert "output and response could all be the candidate: choose with --candidate" in result.stderr


def test_no_rows(invoke: Invoke, tmp_path: Path) -> None:
    """Nothing to time is no success."""
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    assert invoke("bench", str(empty)).exit_code == 5


def test_a_missing_file(invoke: Invoke, tmp_path: Path) -> None:
    """Told by its name, and exit 2."""
    result = invoke("bench", str(tmp_path / "nothing.jsonl"))
    assert result.exit_code == 2
    assert "nothing.jsonl" in result.stderr


def test_too_few_sentences(invoke: Invoke, answers: Path) -> None:
    """A work that these texts are too short for is said to be, and is no fault."""
    result = invoke("bench", *columns(answers), "-g", "context_f1", "--rounds", "1")
    assert result.exit_code == 0
    assert result.stdout.count("too few sentences for one row") == 3
