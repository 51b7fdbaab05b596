"""The reference as a whole: it stands alone, and its examples are true."""

from __future__ import annotations

import ast
import doctest
import importlib
import sys
from pathlib import Path

import pytest

import gradestone.reference

FOLDER = Path(gradestone.reference.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.py"))


def imported(path: Path) -> set[str]:
    """The top-level names that a file imports; relative imports show as a dot."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level == 1 else (node.module or "..").partition(".")[0])
    return names


@pytest.mark.parametrize("module", MODULES)
def test_imports(module: str) -> None:
    """Nothing but the standard library and the reference itself, and the regex package in one room."""
    foreign = imported(FOLDER / f"{module}.py") - {"."} - sys.stdlib_module_names
    assert foreign == ({"regex"} if module == "matching" else set())


@pytest.mark.parametrize("module", MODULES)
def test_examples(module: str) -> None:
    """Every example of a docstring gives what it says."""
    name = "gradestone.reference" if module == "__init__" else f"gradestone.reference.{module}"
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("module", sorted(set(MODULES) - {"__init__", "batch", "limits", "row", "unicode17"}))
def test_public_functions_have_examples(module: str) -> None:
    """A public function that no docstring shows in use."""
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
    assert functions
    assert [node.name for node in functions if ">>>" not in (ast.get_docstring(node) or "")] == []
