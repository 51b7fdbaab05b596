"""``gradestone verify``."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from tests.net.servers import Server, answers

from gradestone.registry import REGISTRY_VARIABLE, load_registry
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
JUDGE = RECORDED | {
    "type": "llm_judge",
    "options": {"rubric": "kind"},
    "stub_responses": ["PASS"],
    "expected_prompts": ["Is it kind? fine"],
}
PAIRWISE = RECORDED | {
    "type": "llm_pairwise",
    "options": {"criteria": "short", "baseline": "long"},
    "stub_responses": ["WINNER: A", "WINNER: B"],
    "expected_prompts": ["short: fine or long", "short: long or fine"],
}


def write(path: Path, document: object) -> Path:
    path.write_text(json.dumps(document))
    return path


def registry_file(path: Path, **templates: str) -> Path:
    """Our registry with other prompts."""
    document = json.loads(files("gradestone.registry").joinpath("registry.json").read_bytes())
    for entry in document["graders"]:
        if entry["type"] in templates:
            entry["prompt_template"] = templates[entry["type"]]
    return write(path, document)


def recording_registry(path: Path) -> Path:
    """The registry that the judges above were recorded with."""
    return registry_file(
        path, llm_judge="Is it {rubric}? {candidate}", llm_pairwise="{criteria}: {first} or {second}"
    )


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
        [str(tmp_path / "a.json"), "llm_judge", "1", "1", "0"],
    ]
    assert lines[4] == f"skipped, no vectors: {tmp_path / 'b.json'}"
    assert lines[-1] == "4 cases, 0 differences, 0 cases not yet run"


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
    assert list(document) == ["rows", "differences", "registry", "skipped", "unreadable"]
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
    for documents in ([], [{}], [[STATUS]]):
        for number, document in enumerate(documents):
            write(tmp_path / f"{number}.json", document)
        result = invoke("verify", tmp_path, "--backend", "rust")
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


def test_prompts_are_compared_with_the_registry_of_the_recording(invoke: Invoke, tmp_path: Path) -> None:
    """``--registry``: its prompts are used, and each must be the recorded one; the document names it."""
    path = write(tmp_path / "a.json", [JUDGE, PAIRWISE])
    registry = recording_registry(tmp_path / "registry")
    settings = ("--backend", "python", "--format", "json", "--registry", registry)
    result = invoke("verify", path, *settings)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["differences"] == []
    assert document["registry"] == load_registry(registry).id
    assert [(row["type"], row["python"]) for row in document["rows"]] == [
        ("llm_judge", 1),
        ("llm_pairwise", 1),
    ]


def test_the_registry_of_the_environment(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``GRADESTONE_REGISTRY`` does what ``--registry`` does, and the option beats it."""
    path = write(tmp_path / "a.json", [JUDGE])
    right, wrong = recording_registry(tmp_path / "right"), registry_file(tmp_path / "wrong")
    monkeypatch.setenv(REGISTRY_VARIABLE, str(wrong))
    assert invoke("verify", path, "--backend", "python").exit_code == 1
    assert invoke("verify", path, "--backend", "python", "--registry", right).exit_code == 0
    monkeypatch.setenv(REGISTRY_VARIABLE, str(right))
    assert invoke("verify", path, "--backend", "python").exit_code == 0


def test_another_registry_differs(invoke: Invoke, tmp_path: Path) -> None:
    """Exit 1, with the recorded prompts beside those that came out."""
    path = write(tmp_path / "a.json", [JUDGE])
    registry = registry_file(tmp_path / "registry", llm_judge="{rubric} {candidate}")
    result = invoke("verify", path, "--backend", "python", "--format", "json", "--registry", registry)
    assert result.exit_code == 1
    (difference,) = json.loads(result.stdout)["differences"]
    assert difference["expected"]["prompts"] == ["Is it kind? fine"]
    assert difference["got"]["prompts"] == ["kind fine"]


def test_calls_are_counted(invoke: Invoke, tmp_path: Path) -> None:
    """Without the registry prompts are ours and not compared, but a call too many or too few is told."""
    more = JUDGE | {"expected_prompts": ["Is it kind? fine"] * 2, "stub_responses": ["PASS", "PASS"]}
    fewer = PAIRWISE | {"expected_prompts": ["short: fine or long"], "stub_responses": ["WINNER: A"]}
    path = write(tmp_path / "a.json", [JUDGE, PAIRWISE, more, fewer])
    result = invoke("verify", path, "--backend", "python", "--format", "json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["registry"] is None
    told = [(one["expected"]["calls"], one["got"]["calls"]) for one in document["differences"]]
    assert told == [(2, 1), (1, 2)]


def test_nothing_is_sent(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded judges are asked nowhere, whatever gateway their options or the environment name."""
    with Server(answers(200, b'{"output_text": "FAIL"}')) as server:
        monkeypatch.setenv("GRADESTONE_GATEWAY_URL", server.origin)
        named = JUDGE | {"options": {"rubric": "kind", "gateway_url": server.origin}}
        path = write(tmp_path / "a.json", [JUDGE, named])
        assert invoke("verify", path, "--backend", "python").exit_code == 0
    assert server.connections == 0


@pytest.mark.parametrize(
    ("text", "told"), [(None, "No such file or directory"), ("{", "not a JSON document")]
)
def test_a_registry_that_cannot_be_read(invoke: Invoke, tmp_path: Path, text: str | None, told: str) -> None:
    """Exit 2 and one line that names the file."""
    registry = tmp_path / "registry.json"
    if text is not None:
        registry.write_text(text)
    path = write(tmp_path / "a.json", [RECORDED])
    result = invoke("verify", path, "--backend", "python", "--registry", registry)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"gradestone: {registry}: {told}")
    assert result.stderr.count("\n") == 1
