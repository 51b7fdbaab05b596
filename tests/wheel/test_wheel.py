"""The wheel, built and installed into an environment of its own, away from the checkout."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import zipfile
from pathlib import Path

import pytest
from tests.wheel.running import ROOT, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]

DATA = {".json", ".jsonl"}


def test_what_the_wheel_holds(wheel: Path) -> None:
    """One abi3 module, the typing marker, the registry, every vector file; no tools, no tests, 5 MB at most."""
    names = set(zipfile.ZipFile(wheel).namelist())
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]
    assert wheel.stat().st_size < 5_000_000
    package = ROOT / "python" / "gradestone"
    vectors = {f"vectors/{path.name}" for path in (package / "vectors").iterdir() if path.suffix in DATA}
    assert len(vectors) > 20
    needed = {"_core.abi3.so", "_core.pyi", "py.typed", "registry/registry.json", *vectors}
    assert {f"gradestone/{name}" for name in needed} - names == set()
    assert [name for name in names if name.startswith("gradestone/vectors/cases/")] == []
    assert [
        name for name in names if name.startswith("gradestone/vectors/") and name.endswith((".py", ".mjs"))
    ] == []
    # Nothing but what python/ holds: no tests, no packaging, no bench.
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops <= {path.name for path in (ROOT / "python").iterdir()}


def test_the_licences_travel_with_the_wheel(wheel: Path) -> None:
    """Ours, the notices, and the texts of the crates, as they lie in the checkout."""
    opened = zipfile.ZipFile(wheel)
    (folder,) = {name.split("/")[0] for name in opened.namelist() if ".dist-info/" in name}
    for name in ("LICENSE", "NOTICE", "THIRD_PARTY_LICENSES.txt"):
        assert opened.read(f"{folder}/licenses/{name}") == (ROOT / name).read_bytes()
    metadata = opened.read(f"{folder}/METADATA").decode()
    assert "\nLicense-Expression: MIT\n" in metadata
    assert "\nLicense-File: THIRD_PARTY_LICENSES.txt\n" in metadata


def test_the_readme_scores_its_demo(installed: Path, tmp_path: Path) -> None:
    """README's first command, as printed, from a folder that holds the examples and nothing else."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    readme = (ROOT / "README.md").read_text("utf-8").replace("\\\n", " ")
    command = shlex.split(re.findall(r"^gradestone score .*", readme, re.MULTILINE)[0])
    done = run(installed / command[0], *command[1:], "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    graders = json.loads(done.stdout)["graders"]
    assert sorted(graders) == ["blocklist", "exact_match", "no_pii", "not_contains", "rouge_l"]
    assert all(figures["passed"] > 0 for figures in graders.values())


def test_the_command_works_from_an_empty_directory(installed: Path, tmp_path: Path) -> None:
    """verify finds the vectors that were shipped; score grades a file."""
    verified = run(installed / "gradestone", "verify", "--format", "json", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    (tmp_path / "a.jsonl").write_text('{"output": "x", "expected": "X"}\n')
    scored = run(
        installed / "gradestone", "score", "a.jsonl", "-g", "exact_match", "--format", "json", cwd=tmp_path
    )
    assert scored.returncode == 0, scored.stdout + scored.stderr
    assert json.loads(scored.stdout)["graders"]["exact_match"]["passed"] == 1


def test_the_reference_alone_needs_no_extension(installed: Path, tmp_path: Path) -> None:
    """With the Python backend the extension is not even imported; without it the Rust backend says why."""
    code = (
        "import sys; sys.modules['gradestone._core'] = None\n"
        "import gradestone\n"
        "assert gradestone.grade({'type': 'bleu_score', 'reference': 'a'}, 'a', backend='python')\n"
        "try: gradestone.grade({'type': 'bleu_score', 'reference': 'a'}, 'a')\n"
        "except ImportError as error: print(error)\n"
    )
    done = run(installed / "python", "-c", code, cwd=tmp_path)
    assert "could not be loaded" in done.stdout, done.stderr


def test_importing_is_light(installed: Path, tmp_path: Path) -> None:
    """The door is lazy: no NumPy, no typer, no extension until they are used."""
    code = (
        "import sys, gradestone; print(sorted(m for m in sys.modules if m.split('.')[0] in "
        + repr({"numpy", "typer", "rich", "regex", "jiter", "jsonschema_rs", "pyarrow"})
        + " or m.startswith('gradestone.')))"
    )
    assert run(installed / "python", "-c", code, cwd=tmp_path).stdout.strip() == "[]"
