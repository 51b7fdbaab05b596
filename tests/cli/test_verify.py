"""``gradestone verify``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gradestone.verification import shipped_folder

from .conftest import Invoke

RECORDED = {"name": "right", "type": "no_pii", "options": {}, "candidate": "fine", "expected_passed": True}
WRONG = RECORDED | {"name": "wrong", "candidate": "ann@example.com"}
STATUS = {
    "name": "s",
    "type": "http_status",
    "options": {"status": 1},
    "candidate": {"status": 1},
    "expected_passed": True,
}
JUDGE = RECORDED | {"type": "llm_judge", "options": {"rubric": "r"}, "stub_responses": ["PASS"]}


def write(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document))
    return path


def test_all_agree(invoke: Invoke, tmp_path: Path) -> None:
    """A line per file and type; what is no vector file is named."""
    write(tmp_path / "a.json", [RECORDED, RECORDED, STATUS, JUDGE])
    write(tmp_path / "b.json", {"type": "object"})
    result = invoke("verify", tmp_path, "--backend", "python")
    assert result.exit_code == 0
    header, *lines = result.stdout.splitlines()
    assert header.split() == ["file", "type", "cases", "python", "agree", "not", "run"]
    assert [line.split() for line in lines[:3]] == [
        [str(tmp_path / "a.json"), "no_pii", "2", "2", "0"],
        [str(tmp_path / "a.json"), "http_status", "1", "1", "0"],
        [str(tmp_path / "a.json"), "llm_judge", "1", "-", "1"],
    ]
    assert lines[4] == f"skipped, no vectors: {tmp_path / 'b.json'}"
    assert lines[-1] == "4 cases, 0 differences, 1 cases not yet run"


def test_differences_are_shown_whole(invoke: Invoke, tmp_path: Path) -> None:
    """Exit 1; file, case, backend, what was expected, what was got, and no word of the candidate."""
    path = write(tmp_path / "a.json", [RECORDED, WRONG])
    result = invoke("verify", path, "--backend", "python")
    assert result.exit_code == 1
    told = result.stdout.split("\n\n")[1].splitlines()
    assert told[0] == f"{path}: wrong (no_pii, python)"
    assert json.loads(told[1].removeprefix("  expected ")) == {"passed": True, "score": 1.0}
    assert json.loads(told[2].removeprefix("  got      "))["code"] == "pii_found"
    assert "ann@" not in result.output


def test_json(invoke: Invoke, tmp_path: Path) -> None:
    """The same as a document."""
    path = write(tmp_path / "a.json", [RECORDED, WRONG, STATUS])
    other = write(tmp_path / "b.json", {})
    result = invoke("verify", tmp_path, "--backend", "python", "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert list(document) == ["rows", "differences", "skipped", "unreadable"]
    assert document["rows"][0] == {"file": str(path), "type": "no_pii", "cases": 2, "python": 1, "not_run": 0}
    assert document["skipped"] == [str(other)]
    assert document["differences"][0]["case"] == "wrong"


@pytest.mark.parametrize("data", ["{", '[{"expected_passed": 1}]'])
def test_unreadable_files(invoke: Invoke, tmp_path: Path, data: str) -> None:
    """Exit 2 beats 1 and 5; the others are run all the same."""
    write(tmp_path / "a.json", [WRONG])
    (tmp_path / "b.json").write_text(data)
    result = invoke("verify", tmp_path, "--backend", "python")
    assert result.exit_code == 2
    assert "no_pii" in result.stdout
    assert f"gradestone: cannot read {tmp_path / 'b.json'}" in result.stderr


def test_a_named_file_must_hold_vectors(invoke: Invoke, tmp_path: Path) -> None:
    """In a folder it would be passed over."""
    path = write(tmp_path / "schema.json", {"type": "object"})
    result = invoke("verify", path, "--backend", "python")
    assert result.exit_code == 2
    assert f"{path} holds no vectors" in result.stderr
    assert invoke("verify", tmp_path / "nothing").exit_code == 2


def test_nothing_to_run(invoke: Invoke, tmp_path: Path) -> None:
    """Exit 5: an empty folder, files without vectors, and cases of which none can be run."""
    for documents in ([], [{}], [[JUDGE]]):
        for number, document in enumerate(documents):
            write(tmp_path / f"{number}.json", document)
        result = invoke("verify", tmp_path, "--backend", "python")
        assert result.exit_code == 5
        assert "there were no cases to run" in result.stderr


def test_both_backends(invoke: Invoke, tmp_path: Path) -> None:
    """A column each; ``n/a`` where a type has no kernel."""
    pytest.importorskip("gradestone._core", reason="the extension is not built")
    write(tmp_path / "a.json", [RECORDED, STATUS])
    result = invoke("verify", tmp_path)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["file", "type", "cases", "rust", "agree", "python", "agree", "not", "run"]
    assert [line[1:] for line in lines[1:3]] == [
        ["no_pii", "1", "1", "1", "0"],
        ["http_status", "1", "n/a", "1", "0"],
    ]


def test_shipped_vectors(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without arguments, from any folder: those of the package, all of which agree."""
    monkeypatch.chdir(tmp_path)
    if not any(shipped_folder().glob("*.json")):
        pytest.fail("the package ships no vectors")
    result = invoke("verify", "--backend", "python")
    assert result.exit_code == 0, result.output
    assert "vectors/blocklist.json" in result.stdout.replace("\\", "/")
    assert "schema.json" in result.stdout
