"""Commands run as a stranger's shell would run them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def run(
    *command: str | Path, cwd: Path, variables: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without what this process was told of Python and gradestone."""
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "GRADESTONE", "COV"))
    }
    environment |= variables or {}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
