"""Ways to run the command: in this process, and as the process that a user starts."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from gradestone.cli.commands import app
from gradestone.judge.gateway import KEY_VARIABLE, VARIABLES
from gradestone.registry import REGISTRY_VARIABLE

Invoke = Callable[..., Result]
Rows = Sequence[Mapping[str, Any]]

ROWS = (
    {"id": 1, "candidate": "the cat sat", "reference": "the cat sat"},
    {"id": 2, "candidate": "write to ann@example.com", "reference": "write to her"},
    {"id": 3, "candidate": "a dog", "reference": "the cat sat"},
)


@pytest.fixture(autouse=True)
def _settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference grades: these tests are about the command, and run without a compiled extension too."""
    for name in ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "GRADESTONE_DEBUG", "GRADESTONE_THREADS"):
        monkeypatch.delenv(name, raising=False)
    for name in (*VARIABLES, KEY_VARIABLE, REGISTRY_VARIABLE):
        # Set first: `--gateway` sets one of them in this process, and only what was changed here is undone.
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("GRADESTONE_BACKEND", "python")
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def invoke() -> Invoke:
    """Runs the command in this process."""

    def run(*arguments: object, input: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, [str(one) for one in arguments], input=input)

    return run


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """Three rows: one passes everything, one holds an address, one is far from its reference."""
    return write_rows(tmp_path / "answers.jsonl", ROWS)


def write_rows(path: Path, rows: Rows) -> Path:
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "gradestone", *(str(one) for one in arguments)]


def start(*arguments: object, **settings: Any) -> subprocess.Popen[bytes]:
    """Starts the command as a process of its own."""
    environment = os.environ | settings.pop("env", {})
    return subprocess.Popen(command(*arguments), env=environment, **settings)


def finish(*arguments: object, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as a process of its own, to its end."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | settings
    with start(*arguments, **pipes) as process:
        out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def read_rows(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in text.splitlines()]
