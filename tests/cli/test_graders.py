"""``gradestone graders``."""

from __future__ import annotations

import pytest

from gradestone.registry import load_registry

from .conftest import Invoke


def test_list(invoke: Invoke) -> None:
    """One line a type, in the registry's order."""
    result = invoke("graders")
    assert result.exit_code == 0
    header, *rows = result.stdout.splitlines()
    assert header.split() == ["type", "category", "scored", "kernel", "passes", "when"]
    registry = load_registry()
    assert [row.split()[0] for row in rows] == list(registry)
    told = {row.split()[0]: row.split()[1:4] for row in rows}
    assert told["bleu_score"] == ["similarity", "yes", "yes"]
    assert told["json_schema"] == ["structure", "no", "no"]


@pytest.mark.parametrize("name", load_registry())
def test_page(invoke: Invoke, name: str) -> None:
    """Title, manual and every option, for every type."""
    result = invoke("graders", name)
    entry = load_registry()[name]
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{name}: {entry.title}\n{entry.category}, ")
    assert "Codes:" in result.stdout
    for option in entry.options["properties"]:
        assert any(line.startswith(f"{option} ") for line in result.stdout.splitlines())
    assert result.stdout.endswith("\n")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("bleu", "bleu_score"), ("No-PII", "no_pii"), ("exact_mach", "exact_match"), ("rouge", "rouge_score")],
)
def test_unknown_with_a_hint(invoke: Invoke, name: str, hint: str) -> None:
    """Exit 2 with the nearest name."""
    result = invoke("graders", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"gradestone: no grader is called '{name}'; did you mean {hint}?\n"


def test_unknown_without_a_hint(invoke: Invoke) -> None:
    """Nothing is near."""
    result = invoke("graders", "zzz\x1b")
    assert result.exit_code == 2
    assert result.stderr == "gradestone: no grader is called 'zzz\\x1b'\n"
