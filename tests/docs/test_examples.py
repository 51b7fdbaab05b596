"""Everything that the documentation shows is run: docstrings, README, examples."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import json
import pkgutil
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

import gradestone

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(gradestone.__path__, "gradestone.")
    if not module.name.endswith(("__main__", "_core"))
)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    """Each example of each module, its output compared."""
    module = importlib.import_module(name)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.testmod(module, optionflags=flags).failed == 0


def test_the_package_docstring() -> None:
    """The example at the door."""
    assert doctest.testmod(gradestone).failed == 0


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def test_readme_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python blocks run one after the other, as a reader would type them; an `assert` in them is a claim."""
    monkeypatch.chdir(ROOT)
    namespace: dict[str, object] = {}
    found = blocks("python")
    assert found
    for block in found:
        exec(compile(block, "README.md", "exec"), namespace)


def readme_commands() -> list[str]:
    text = "".join(blocks("sh")).replace("\\\n", " ")
    return [line for line in text.splitlines() if line.startswith("gradestone ")]


@contextmanager
def stub_judge() -> Iterator[int]:
    """The judge of the examples, on a free port."""
    spec = importlib.util.spec_from_file_location("stub_judge", ROOT / "examples" / "stub_judge.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with ThreadingHTTPServer(("127.0.0.1", 0), module.StubJudge) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("command", readme_commands())
def test_readme_commands(command: str) -> None:
    """Each `gradestone` line runs in the checkout and exits as its comment says (`# exit 1`), else with 0."""
    with stub_judge() as port:
        words = [word.replace(":8642", f":{port}") for word in shlex.split(command, comments=True)]
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
    expected = re.search(r"#.*exit (\d+)", command)
    assert done.returncode == int(expected[1] if expected else 0), done.stdout + done.stderr


def rows() -> list[dict[str, object]]:
    return [
        json.loads(line) for line in (ROOT / "examples" / "answers.jsonl").read_text("utf-8").splitlines()
    ]


FAMILIES = {
    "match": {"type": "exact_match"},
    "structure": {"type": "json_schema", "schema": {"type": "object", "required": ["name", "age"]}},
    "tools": {"type": "tool_called", "tools": ["search"]},
    "thresholds": {"type": "latency_threshold", "p95_ms": 500},
    "similarity": {"type": "bleu_score", "threshold": 0.4},
    "localization": {"type": "localization_f1"},
    "safety": {"type": "no_pii"},
}


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_passes_and_fails_in_the_examples(family: str) -> None:
    """The sample file shows both verdicts of every family."""
    found = rows()
    assert len(found) >= 60
    batch = gradestone.grade_batch(
        FAMILIES[family], [row["candidate"] for row in found], references=[row["reference"] for row in found]
    )
    assert {"pass", "fail"} <= set(batch.outcome.tolist())


def test_retrieval_passes_and_fails_in_the_examples() -> None:
    """Contexts as columns."""
    found = [row for row in rows() if "retrieved" in row]
    columns = {
        "retrieved": [row["retrieved"] for row in found],
        "expected": [row["expected_contexts"] for row in found],
    }
    batch = gradestone.grade_batch({"type": "context_f1"}, [None] * len(found), columns=columns)
    assert {"pass", "fail"} <= set(batch.outcome.tolist())
