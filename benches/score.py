"""The whole command on a file: rows a second and peak memory, by threads, format and number of rows.

    python -m benches.score [--corpus FILE.jsonl.gz] [--rows N] [--formats jsonl,csv,parquet] [--rounds N]

The file is the corpus repeated with changes until it has N rows (by default once). Every run must give the same
figures; a difference ends the bench. `whole process` is the time from start to exit, `own count` what the command tells
of itself, which leaves out the start of the interpreter.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benches.corpus import CORPUS, load

MADE_ROWS = 10_000
"""Rows of a made-up corpus, where there is no real one."""

COLUMNS = ("id", "model", "input", "candidate", "reference")
TERMS = [f"term{number}" for number in range(80)] + [
    "as an ai", "language model", "sorry", "cannot", "kill", "bomb", "c++", "password", "stupid", "hell", "drug",
    "credit card", "guarantee", "confidential", "lorem ipsum", "todo", "fixme", "hate", "idiot", "weapon",
]  # fmt: skip


def rows_of(corpus: Path, count: int | None) -> Iterator[dict[str, Any]]:
    """The corpus, again and again, each time with other texts."""
    answers = _answers(corpus)
    for number in range(len(answers) if count is None else count):
        turn, row = number // len(answers), answers[number % len(answers)]
        changes = {"candidate": f"{row['candidate']} v{turn}", "reference": f"{turn} {row['reference']}"}
        yield row if turn == 0 else row | changes | {"id": f"{row['id']}/{turn}"}


def _answers(corpus: Path) -> list[dict[str, Any]]:
    if not corpus.exists():
        made = {"model": "none", "input": "What is it?"}
        return [{"id": str(n), **made, **pair._asdict()} for n, pair in enumerate(load(MADE_ROWS, corpus))]
    with gzip.open(corpus, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def write(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    if path.suffix == ".parquet":
        return write_parquet(path, rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            return None
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        return writer.writerows(rows)


def write_parquet(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := [row for _, row in zip(range(20_000), rows, strict=False)]:
            writer.write_table(pa.Table.from_pylist(batch, schema))


class Run(NamedTuple):
    seconds: float
    own: float
    rows: int
    peak: float
    figures: dict[str, Any]


def run(source: Path, out: Path, terms: Path, threads: int) -> Run:
    """One run of the command as a process of its own."""
    command = [sys.executable, "-m", "gradestone", "score", str(source)]
    command += ["-g", "bleu_score", "-g", "rouge_score:rouge_type=rouge_l", "-g", "no_pii"]
    command += ["-g", f"blocklist:terms=@{terms}", "--out", str(out), "--threads", str(threads)]
    command += ["--format", "json", "--quiet"]
    reading, writing = os.pipe()
    start = time.perf_counter()
    actions = [(os.POSIX_SPAWN_DUP2, writing, 1), (os.POSIX_SPAWN_CLOSE, reading)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        document = json.loads(told.read())
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    assert os.waitstatus_to_exitcode(status) == 0
    out.unlink()
    own = document["seconds"]
    return Run(seconds, own, document["rows"], usage.ru_maxrss / 1024, document["graders"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--rows", type=int)
    parser.add_argument("--formats", default="jsonl,csv,parquet")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    print("\n## The whole command\n")
    print(
        "`gradestone score FILE -g bleu_score -g rouge_score:rouge_type=rouge_l -g no_pii -g blocklist:terms=@terms.txt"
    )
    print(f"--out FILE`, {len(TERMS)} terms; medians of {chosen.rounds} runs (`python -m benches.score`).\n")
    print("| in | out | threads | rows | own count, rows/s | whole process, rows/s | peak memory, MB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    figures = None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        terms = folder / "terms.txt"
        terms.write_text("\n".join(TERMS) + "\n", "utf-8")
        for kind in chosen.formats.split(","):
            source = folder / f"rows.{kind}"
            write(source, rows_of(chosen.corpus, chosen.rows))
            if (chosen.rows or 0) < 100_000:
                run(source, folder / f"out.{kind}", terms, 2)
            for threads in (1, 2):
                runs = [run(source, folder / f"out.{kind}", terms, threads) for _ in range(chosen.rounds)]
                figures = figures or runs[0].figures
                assert all(one.figures == figures for one in runs), f"{kind}: the figures differ"
                own = statistics.median(one.rows / one.own for one in runs)
                whole = statistics.median(one.rows / one.seconds for one in runs)
                peak = max(one.peak for one in runs)
                rows = f"{runs[0].rows:,}"
                print(
                    f"| {kind} | {kind} | {threads} | {rows} | {own:,.0f} | {whole:,.0f} | {peak:,.0f} |",
                    flush=True,
                )
            source.unlink()
    print("\nAll runs gave the same figures.")


if __name__ == "__main__":
    main()
