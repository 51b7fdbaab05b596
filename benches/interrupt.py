"""How long a user waits between Ctrl-C and the KeyboardInterrupt, while a batch runs that would take minutes.

    python -m benches.interrupt [--tries N] [--threads N]

Prints a table for benches/RESULTS.md. A thread sends SIGINT at a moment of its own; the figure is the time from there
to the handler of the exception. The goal is less than 100 ms, on the slowest rows of the linear pattern engine too.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from gradestone import compile_grader, grade_batch, grade_many

ROWS = 300_000
TEXT = "the quick brown fox jumps over the lazy dog and the cat sat on the mat " * 40
REFERENCE = "a lazy dog sat on the mat while the quick cat jumps over the brown fox " * 40
SLOWEST = {"type": "regex", "pattern": "a[ab]{160}[A-Z]"}
"""About as large as a pattern for the linear engine may be: it steps every state at every character."""


def works(threads: int) -> dict[str, Callable[[], Any]]:
    rouge = compile_grader({"type": "rouge_score", "rouge_type": "rouge_l", "reference": REFERENCE})
    slowest = compile_grader(SLOWEST)
    texts = [TEXT] * ROWS
    arrow = pa.array([TEXT]).take(pa.array([0] * (ROWS // 10), pa.int32()))
    ambiguous = "".join(random.Random(1).choices("ab", k=65_536))
    graders = {
        "rouge": rouge,
        "pii": {"type": "no_pii"},
        "bleu": {"type": "bleu_score", "reference": REFERENCE},
    }
    return {
        "rouge_l, a list": lambda: grade_batch(rouge, texts, threads=threads),
        "rouge_l, Arrow": lambda: grade_batch(rouge, pa.chunked_array([arrow] * 10), threads=threads),
        "three graders, a list": lambda: grade_many(graders, texts, threads=threads),
        "regex, the slowest rows": lambda: grade_batch(slowest, [ambiguous] * ROWS, threads=threads),
    }


def latency(work: Callable[[], Any], delay: float) -> float:
    """Seconds from the signal to its exception."""
    sent = [0.0]

    def send() -> None:
        time.sleep(delay)
        sent[0] = time.perf_counter()
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        work()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    finally:
        sender.join()
    raise AssertionError("the batch ended before the signal")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    delays = random.Random(7)
    print("\n## From Ctrl-C to the KeyboardInterrupt\n")
    print("`python -m benches.interrupt`\n")
    print(f"| work, {chosen.threads} threads, {chosen.tries} tries | median ms | longest ms |")
    print("| --- | --- | --- |")
    for name, work in works(chosen.threads).items():
        found = [1e3 * latency(work, delays.uniform(0.2, 0.5)) for _ in range(chosen.tries)]
        print(f"| {name} | {statistics.median(found):.1f} | {max(found):.1f} |", flush=True)


if __name__ == "__main__":
    main()
