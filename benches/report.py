"""Writes benches/RESULTS.md and benches/chart.svg from the raw record of a run.

    python -m benches.report benches/raw.json

The sections of the scripts (threads, interrupt, the whole command) are appended by `make bench`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benches import goals, tables
from benches.chart import drawn
from benches.record import Series, read

FOLDER = Path(__file__).parent
NOTES = FOLDER / "notes.md"
"""Written by hand: what was found where a goal is missed, and what was tried."""


def results(document: Mapping[str, Any], notes: str) -> str:
    """The page of a run."""
    series = read(document)
    rows = tables.rows_of(series)
    sections = [
        f"# Measured figures\n\n{head(document)}\n",
        "## Ours, the reference and the peers\n\n"
        "Time of a row, tokenising included, and in brackets how many times ours it is. Answers were compared before\n"
        "anything was timed; every run gets strings that nobody has looked at yet. A side with fewer rows says so.\n\n"
        f"{tables.main_table(rows)}",
        "![Time a row of each peer, as a multiple of ours](chart.svg)\n",
        f"### Goals that are not met\n\n{_missed(rows, series)}",
        f"### The peers, and what they leave out\n\n{tables.notes(series) or 'None was installed.'}",
        f"## Through the door\n\n{tables.rate_table(series)}",
        f"## Sizes\n\n{tables.size_tables(series)}\n{tables.batch_table(series)}",
        "## The worst inputs\n\n"
        "One row, one thread, through `grade_batch`, the copy of the text included. In the last column but one 4 is\n"
        "linear; a cap that ends the work gives less, one that bounds a product of two sides up to 16.\n\n"
        f"{tables.worst_table(series)}",
        notes,
    ]
    return "\n".join(section for section in sections if section)


def head(document: Mapping[str, Any]) -> str:
    """When, where and of what the figures are."""
    machine, run = document["machine_info"], document["gradestone"]
    cpu = machine["cpu"]
    profile = ", ".join(f"{name} {str(value).lower()}" for name, value in run["profile"].items())
    rehearsal = (
        f"\n\n**A rehearsal of {run['rounds']} rounds: {goals.ROUNDS} are the least that may be quoted.**"
        if run["rounds"] < goals.ROUNDS
        else ""
    )
    return (
        f"{document['datetime'][:10]}, {cpu.get('brand_raw', machine['machine'])}, {cpu['count']} cores,\n"
        f"{machine['system']} {machine['machine']}, {machine['python_implementation']} {machine['python_version']}, "
        f"gradestone {run['version']}.\n"
        f"Build profile: release ({profile}). Command: `make bench`. Rows: {run['corpus']}.\n"
        f"Medians (min–max) of {run['rounds']} interleaved rounds, one thread each unless it says two; each timing\n"
        "follows an untimed run, and the garbage collector runs between them only."
        f"{rehearsal}"
    )


def _missed(rows: Sequence[tables.Row], series: Sequence[Series]) -> str:
    return "".join(f"- **{line}**\n" for line in tables.missed(rows, series)) or "All are met.\n"


def caption(document: Mapping[str, Any]) -> str:
    machine = document["machine_info"]
    return f"{document['datetime'][:10]}, {machine['cpu'].get('brand_raw', machine['machine'])}, benches/RESULTS.md"


def main() -> None:
    document = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    notes = NOTES.read_text("utf-8") if NOTES.exists() else ""
    (FOLDER / "RESULTS.md").write_text(results(document, notes), "utf-8")
    chart = drawn(tables.rows_of(read(document)), caption(document))
    (FOLDER / "chart.svg").write_text(chart, "utf-8")


if __name__ == "__main__":
    main()
