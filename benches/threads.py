"""Two threads of one process beside two processes, and what a Python thread gets done meanwhile.

    python -m benches.threads [--corpus FILE.jsonl.gz] [--rows N]

Prints a table for benches/RESULTS.md. The rounds are interleaved: one thread, two threads, two processes with a thread
each, all over the same rows, so that whatever else the machine does falls on all of them. The goal is that two threads
reach nine tenths of what two processes do.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from benches.corpus import CORPUS, load

from gradestone import compile_grader, grade_batch

ROUNDS = 7
SPECS: dict[str, dict[str, Any]] = {
    "bleu_score": {"type": "bleu_score"},
    "rouge_score rouge_l": {"type": "rouge_score", "rouge_type": "rouge_l"},
    "context_f1": {"type": "context_f1"},
    "no_pii": {"type": "no_pii"},
}
Pairs = Sequence[tuple[str, str]]


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def sentences(texts: Sequence[str]) -> list[list[str]]:
    """Each text as up to sixteen contexts."""
    return [[part[:120] for part in text.split(". ")[:16] if part] or ["-"] for text in texts]


def work_of(name: str, pairs: Pairs) -> Callable[[int], None]:
    """Grades the rows once, on so many threads."""
    candidates, references = (list(column) for column in zip(*pairs, strict=True))
    if name != "context_f1":
        grader = compile_grader(SPECS[name])
        return lambda threads: _done(grade_batch(grader, candidates, references=references, threads=threads))
    columns = {"retrieved": sentences(candidates), "expected": sentences(references)}
    grader = compile_grader(SPECS[name], columns=columns.keys())
    return lambda threads: _done(grade_batch(grader, candidates, columns=columns, threads=threads))


def _done(batch: Any) -> None:
    assert "internal_error" not in set(batch.code[:100].tolist())


def passes(work: Callable[[int], None], times: int, threads: int) -> float:
    def run() -> None:
        for _ in range(times):
            work(threads)

    return seconds(run)


def child(name: str, pairs: Pairs, times: int, start: Barrier, end: Barrier) -> None:
    work = work_of(name, pairs)
    work(1)
    for _ in range(ROUNDS):
        start.wait()
        passes(work, times, 1)
        end.wait()


def measure(name: str, pairs: Pairs) -> list[list[float]]:
    """Rows a second in each round, by one thread, by two threads, by two processes."""
    work = work_of(name, pairs)
    work(2)
    times = max(1, round(0.4 / passes(work, 1, 1)))
    context = multiprocessing.get_context("spawn")
    start, end = context.Barrier(3), context.Barrier(3)
    halves = pairs[::2], pairs[1::2]
    children = [context.Process(target=child, args=(name, half, times, start, end)) for half in halves]
    for process in children:
        process.start()
    found: list[list[float]] = [[], [], []]
    for _ in range(ROUNDS):
        taken = [passes(work, times, 1), passes(work, times, 2)]
        start.wait()
        taken.append(seconds(end.wait))
        for figures, one in zip(found, taken, strict=True):
            figures.append(times * len(pairs) / one)
    for process in children:
        process.join()
    return found


def progress(pairs: Pairs) -> tuple[float, float]:
    """Turns a second of a Python thread that counts: alone, and while a batch runs on one thread."""
    work = work_of("bleu_score", pairs)
    turns, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            turns[0] += 1

    def rate(meanwhile: Callable[[], None]) -> float:
        before, start = turns[0], time.perf_counter()
        meanwhile()
        return (turns[0] - before) / (time.perf_counter() - start)

    counter = threading.Thread(target=count)
    counter.start()
    alone = rate(lambda: time.sleep(0.5))
    beside = rate(lambda: [work(1) for _ in range(10)] and None)
    stop.set()
    counter.join()
    return alone, beside


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--rows", type=int, default=10_465)
    chosen = parser.parse_args()
    # Five times over: of a batch that takes five milliseconds, starting a thread is a twentieth.
    pairs = load(chosen.rows, chosen.corpus) * 5
    print("\n## Threads\n")
    print(f"Medians of {ROUNDS} interleaved rounds over {len(pairs):,} rows (`python -m benches.threads`).\n")
    print("| work | 1 thread, rows/s | 2 threads | 2 processes | 2 threads / 1 | 2 threads / 2 processes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in SPECS:
        one, two, processes = found = measure(name, pairs)
        middle = " | ".join(f"{statistics.median(rates):,.0f}" for rates in found)
        gain = statistics.median(b / a for a, b in zip(one, two, strict=True))
        share = statistics.median(b / a for a, b in zip(processes, two, strict=True))
        print(f"| {name} | {middle} | {gain:.2f} | {share:.2f} |", flush=True)
    alone, beside = progress(pairs)
    print(
        f"\nA Python thread that counts gets {beside / alone:.0%} of its turns while a batch runs on one thread."
    )


if __name__ == "__main__":
    main()
