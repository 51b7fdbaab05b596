"""Options, turns and the head of the record; see `benches/turns.py`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from benches.corpus import CORPUS
from benches.turns import Stage, turns

import gradestone

ROOT = Path(__file__).resolve().parents[1]


def _at_least_one(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gradestone")
    group.addoption("--rounds", type=_at_least_one, default=5, help="interleaved rounds of each group")
    group.addoption("--rows", type=_at_least_one, default=1000, help="the most rows that a side is timed on")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    config = metafunc.config
    played = list(turns(metafunc.module.groups(config.getoption("rows")), config.getoption("rounds")))
    metafunc.parametrize("turn", played, ids=map(str, played))


@pytest.fixture(scope="session")
def stage() -> Stage:
    return Stage()


def pytest_benchmark_update_json(
    config: pytest.Config, benchmarks: list[Mapping[str, Any]], output_json: dict[str, Any]
) -> None:
    """Adds what the report's head needs to the record, and leaves out the parameters, which are no JSON."""
    for item in output_json["benchmarks"]:
        del item["param"], item["params"]
    del benchmarks
    release = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["profile"]["release"]
    output_json["gradestone"] = {
        "version": gradestone.__version__,
        "profile": {"opt-level": 3, **release},
        "corpus": "real answers" if CORPUS.exists() else "generated texts",
        "rounds": config.getoption("rounds"),
        "rows": config.getoption("rows"),
    }
