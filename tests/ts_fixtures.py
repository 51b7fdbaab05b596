"""Where the recordings of the TypeScript package are, and what lies beside them; none of it is ours."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

_BESIDE_THE_CHECKOUT = Path(__file__).parents[2] / "shared"


def shared() -> Path:
    """The folder beside the checkout that holds the recordings, the corpus and the reported faults."""
    return _present(_BESIDE_THE_CHECKOUT, "the shared folder")


def ts_fixtures() -> Path:
    """The folder of the recordings: ``GRADESTONE_TS_FIXTURES``, else the one beside the checkout."""
    named = os.environ.get("GRADESTONE_TS_FIXTURES")
    folder = Path(named) if named else _BESIDE_THE_CHECKOUT / "fixtures" / "ts"
    return _present(folder, "the recordings of the TypeScript package (GRADESTONE_TS_FIXTURES)")


def ts_json(name: str) -> Any:
    """One file of the recordings, parsed."""
    return json.loads((ts_fixtures() / name).read_text(encoding="utf-8"))


def _present(folder: Path, what: str) -> Path:
    """A test that needs an absent folder is skipped; in CI that is a failure."""
    if folder.is_dir():
        return folder
    message = f"{what}: not at {folder}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
