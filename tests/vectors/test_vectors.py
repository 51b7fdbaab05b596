"""The vectors as a whole: up to date, proved by another implementation, and sharp enough to notice small faults."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema_rs
import pytest

from gradestone import load_registry

VECTORS = Path(__file__).parents[2] / "vectors"
GRADERS = [entry.type for entry in load_registry().values() if entry.deterministic]


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_files_are_what_the_cases_say() -> None:
    """Nobody edited a file by hand, and the reference still confirms every stated expectation."""
    done = run(sys.executable, VECTORS / "generate.py", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("grader", GRADERS)
def test_the_files_fit_their_schema(grader: str) -> None:
    """The envelope, for readers of other languages."""
    schema = json.loads((VECTORS / "schema.json").read_text("utf-8"))
    jsonschema_rs.validate(schema, json.loads((VECTORS / f"{grader}.json").read_text("utf-8")))


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_an_independent_program_agrees() -> None:
    """It was written from SPEC.md alone, in another language, without a dependency."""
    done = run("node", VECTORS / "verify.mjs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.rstrip().endswith(", 0 differ")


def test_a_wrong_expectation_is_noticed(tmp_path: Path) -> None:
    """Each code turned into another: neither backend agrees with a single case."""
    vectors = json.loads((VECTORS / "bleu_score.json").read_text("utf-8"))
    for test in vectors["tests"]:
        ok = test["expected"]["code"] == "ok"
        test["expected"] |= {"code": "below_threshold" if ok else "ok", "passed": not ok}
    (tmp_path / "wrong.json").write_text(json.dumps(vectors), "utf-8")
    done = run(sys.executable, "-m", "gradestone", "verify", tmp_path / "wrong.json", "--format", "json")
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["differences"]) == 2 * len(vectors["tests"])


@pytest.mark.slow
def test_the_vectors_kill_every_mutant() -> None:
    """75 small faults of the reference, each noticed by some vector."""
    done = run(sys.executable, VECTORS / "mutants.py")
    assert done.returncode == 0, done.stdout + done.stderr
