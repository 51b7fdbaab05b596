"""The wheel, built and installed into an environment of its own, away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GRADESTONE", "COV"))
    }
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release wheel, from the sources as they stand."""
    out = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", out, ROOT, cwd=out)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of an environment that holds the wheel and its base dependencies alone."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=True)
    done = run(home / "bin" / "python", "-m", "pip", "install", "--quiet", wheel, cwd=home)
    assert done.returncode == 0, done.stderr
    return home / "bin"


def test_what_the_wheel_holds(wheel: Path) -> None:
    """One abi3 module, the typing marker, the registry, the vectors; no tools, no tests, 5 MB at most."""
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.name.split("-")[2:4] == ["cp311", "abi3"]
    assert wheel.stat().st_size < 5_000_000
    for needed in (
        "_core.abi3.so",
        "_core.pyi",
        "py.typed",
        "registry/registry.json",
        "vectors/bleu_score.json",
    ):
        assert f"gradestone/{needed}" in names
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert [
        name for name in names if name.startswith("gradestone/vectors/") and name.endswith((".py", ".mjs"))
    ] == []
    assert [name for name in names if name.startswith("tests/")] == []


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
