"""``gradestone score``: the file of verdicts, and rows that cannot be read."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from gradestone import grade

from .conftest import ROWS, Invoke, read_rows, write_rows

GROUP = ["passed", "score", "outcome", "code", "reason"]


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_rows_with_their_verdicts(invoke: Invoke, tmp_path: Path, answers: Path, name: str) -> None:
    """Every row's own fields, and a group a grader that says what `grade` says."""
    out = tmp_path / name
    result = invoke("score", answers, "-g", "no_pii", "-g", "bleu=bleu_score:threshold=0.1", "--out", out)
    assert result.exit_code == 0
    for row, told in zip(ROWS, read_rows(out), strict=True):
        assert {key: told[key] for key in row} == row
        assert list(told) == [*row, "no_pii", "bleu"]
        for grader, options in (
            ("no_pii", {"type": "no_pii"}),
            ("bleu", {"type": "bleu_score", "threshold": 0.1}),
        ):
            verdict = grade(options, row["candidate"], reference=row["reference"]).to_dict()
            assert told[grader] == {key: verdict[key] for key in GROUP}


def test_rows_stay_byte_for_byte(invoke: Invoke, tmp_path: Path) -> None:
    """RD-13: number forms, escapes and lone surrogates of the input are in the output as they were."""
    row = b'{ "n" : 1.50E+0, "big":123456789012345678901234567890, "output":"a\\ud835\\u00e9\xc3\xa9" }'
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + row + b"\r\n\r\n" + row)
    assert invoke("score", path, "-g", "no_pii", "--out", out).exit_code == 0
    lines = out.read_bytes().splitlines()
    assert len(lines) == 2
    assert all(line.startswith(row[:-2] + b',"no_pii":{"passed":true') for line in lines)


def test_reasons_with_lone_surrogates(invoke: Invoke, tmp_path: Path) -> None:
    """RD-13: an option's lone surrogate in a reason is written as an escape."""
    path, out = write_rows(tmp_path / "in.jsonl", [{"output": "a"}]), tmp_path / "out.jsonl"
    assert invoke("score", path, "-g", 'contains:fragments=["\\ud800\u00e9"]', "--out", out).exit_code == 0
    assert read_rows(out)[0]["contains"]["code"] == "missing_fragment"
    out.read_bytes().decode("utf-8")


def test_to_standard_output(invoke: Invoke, answers: Path) -> None:
    """Rows alone on standard output; the table goes to standard error."""
    result = invoke("score", answers, "-g", "no_pii", "--out", "-")
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == [1, 2, 3]
    assert result.stderr.startswith("grader")
    result = invoke("score", answers, "-g", "no_pii", "--out", "-", "--format", "json")
    assert (result.exit_code, result.stdout) == (2, "")


BAD = b"""\
{"output":"one"}
{"output":"call ann@example.com","output":"x"}

{"output":"two"}
[1]
{"output":NaN}"""


def test_unreadable_rows_go_on(invoke: Invoke, tmp_path: Path) -> None:
    """They are written in place with line and cause, count as not passed, and the exit code is 2."""
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(BAD)
    result = invoke("score", path, "-g", "no_pii", "-g", "b=no_pii", "--out", out, "--format", "json")
    assert result.exit_code == 2
    document = json.loads(result.stdout)
    assert (document["rows"], document["bad_rows"]) == (5, 3)
    assert document["graders"]["no_pii"]["codes"] == {"ok": 2, "unreadable_row": 3}
    assert document["graders"]["no_pii"]["pass_rate"] == 2 / 5
    rows = read_rows(out)
    assert [row.get("line") for row in rows] == [None, 2, None, 5, 6]
    assert list(rows[1]) == ["line", "error", "no_pii", "b"]
    assert rows[1]["error"] == "a key is repeated in an object"
    assert list(rows[1]["no_pii"]) == GROUP
    assert rows[1]["no_pii"]["outcome"] == "invalid"
    assert "gradestone: line 2 could not be read: a key is repeated in an object" in result.stderr
    assert "3 of 5 rows could not be read" in result.stderr
    assert "ann@" not in result.output + out.read_text()


def test_unreadable_rows_stop(invoke: Invoke, tmp_path: Path) -> None:
    """``--on-bad-row stop``: exit 2 at once, no figures, no file."""
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(BAD)
    result = invoke("score", path, "-g", "no_pii", "--on-bad-row", "stop", "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "gradestone: line 2 could not be read: a key is repeated in an object\n"
    assert {one.name for one in tmp_path.iterdir()} == {"in.jsonl"}


def test_only_the_first_faults_are_told(invoke: Invoke, tmp_path: Path) -> None:
    """A file that is no JSON at all does not fill the screen; all its rows are unreadable."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"not json\n" * 5000)
    result = invoke("score", path, "-g", "no_pii", "-q")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 6
    assert "5000 of 5000 rows could not be read" in result.stderr


def test_unreadable_rows_before_the_first_good_one(invoke: Invoke, tmp_path: Path) -> None:
    """The columns come from the first row that can be read."""
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b'{"response": \n{"response":"a"}\n')
    assert invoke("score", path, "-g", "no_pii", "--out", out).exit_code == 2
    assert [row["no_pii"]["code"] for row in read_rows(out)] == ["unreadable_row", "ok"]


def test_a_field_called_like_a_grader(invoke: Invoke, tmp_path: Path) -> None:
    """In the first row it ends the run and tells the way out; in a later one the row is unreadable."""
    first = write_rows(tmp_path / "first.jsonl", [{"output": "a", "no_pii": 1}])
    out = tmp_path / "out.jsonl"
    result = invoke("score", first, "-g", "no_pii", "--out", out)
    assert result.exit_code == 2
    assert (
        "line 1 already has a member called no_pii: give the grader another name, as in -g NAME=TYPE"
        in result.stderr
    )
    assert not out.exists()
    assert invoke("score", first, "-g", "mine=no_pii", "--out", out).exit_code == 0
    assert invoke("score", first, "-g", "no_pii").exit_code == 0

    later = write_rows(tmp_path / "later.jsonl", [{"output": "a"}, {"output": "a", "no_pii": 1}])
    assert invoke("score", later, "-g", "no_pii", "--out", out).exit_code == 2
    assert [row["no_pii"]["code"] for row in read_rows(out)] == ["ok", "unreadable_row"]


@pytest.mark.parametrize("data", [b"", b"\n \r\n\t\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_no_rows(invoke: Invoke, tmp_path: Path, data: bytes) -> None:
    """Exit 5, and no file."""
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(data)
    result = invoke("score", path, "-g", "no_pii", "--out", out)
    assert (result.exit_code, result.stdout) == (5, "")
    assert f"there are no rows in {path}" in result.stderr
    assert not out.exists()


def test_damaged_input_leaves_no_file(invoke: Invoke, tmp_path: Path) -> None:
    """A compressed file cut short: exit 2, and nothing under the final name."""
    path, out = tmp_path / "in.jsonl.gz", tmp_path / "out.jsonl"
    path.write_bytes(gzip.compress(b'{"output":"a"}\n' * 50_000)[:-20])
    result = invoke("score", path, "-g", "no_pii", "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is cut short" in result.stderr
    assert {one.name for one in tmp_path.iterdir()} == {"in.jsonl.gz"}


@pytest.mark.parametrize(
    ("source", "message"), [("nothing.jsonl", "No such file"), (".", "there are no files in the directory")]
)
def test_unreadable_input(invoke: Invoke, tmp_path: Path, source: str, message: str) -> None:
    """One line that names the path."""
    result = invoke("score", tmp_path / source, "-g", "no_pii")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert message in result.stderr
    assert str(tmp_path / source) in result.stderr


def test_unwritable_output(invoke: Invoke, tmp_path: Path, answers: Path) -> None:
    """A missing folder, a folder, the input itself: one line, and nothing was graded."""
    for out in (tmp_path / "no" / "out.jsonl", tmp_path, answers):
        before = answers.read_bytes()
        result = invoke("score", answers, "-g", "no_pii", "--out", out)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.splitlines()) == 1
        assert f"cannot write {out}" in result.stderr
        assert answers.read_bytes() == before


def test_full_disk(invoke: Invoke, answers: Path) -> None:
    """Told in one line, exit 2."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    result = invoke("score", answers, "-g", "no_pii", "--out", "/dev/full")
    assert result.exit_code == 2
    assert result.stderr == "gradestone: cannot write /dev/full: No space left on device\n"


def test_no_candidate_text_of_a_hit(invoke: Invoke, tmp_path: Path) -> None:
    """What was found is told by kind only: the address is nowhere but in the row's own field."""
    secret = "ann.secret@example.com"
    rows = [{"output": f"mail {secret} now"}, {"output": {secret: [f"a\n{secret}"]}}]
    path, out = write_rows(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
    graders = [
        "no_pii",
        "exact_match:expected=x",
        'contains:fragments=["zzz"]',
        "regex:pattern=^$",
        'json_schema:schema={"type":"integer"}',
        "bleu_score:reference=x",
        "localization_f1:reference=a.py",
    ]
    result = invoke("score", path, *(one for grader in graders for one in ("-g", grader)), "--out", out)
    assert result.exit_code == 0
    assert secret not in result.output
    for row in read_rows(out):
        del row["output"]
        assert secret not in json.dumps(row)
        assert row["no_pii"]["code"] == "pii_found"
