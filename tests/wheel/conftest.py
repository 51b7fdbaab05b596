"""The wheel that is tested, and an environment that holds nothing else.

``GRADESTONE_WHEEL=dist/….whl`` names a finished wheel; otherwise one is built from the sources as they stand.
"""

from __future__ import annotations

import os
import sys
import venv
from pathlib import Path

import pytest
from tests.wheel.running import ROOT, run


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel under test."""
    if named := os.environ.get("GRADESTONE_WHEEL"):
        return Path(named).resolve(strict=True)
    out = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", out, ROOT, cwd=out)
    assert built.returncode == 0, built.stdout + built.stderr
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of an environment that holds the wheel and its base dependencies alone."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=True)
    done = run(home / "bin" / "python", "-m", "pip", "install", "--quiet", wheel, cwd=home)
    assert done.returncode == 0, done.stderr
    return home / "bin"
