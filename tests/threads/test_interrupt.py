"""Ctrl-C, and other signals, in the midst of a batch."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from gradestone import compile_grader, grade_batch, grade_many

ROWS = 400_000
TEXT = "the quick brown fox jumps over the lazy dog and the cat sat on the mat " * 40
REFERENCE = " ".join(reversed(TEXT.split()))
AMBIGUOUS = "".join(random.Random(1).choices("ab", k=65_536))
ROUGE_L = {"type": "rouge_score", "rouge_type": "rouge_l", "reference": REFERENCE}
SLOWEST = {"type": "regex", "pattern": "a[ab]{160}[A-Z]"}
"""One row of this takes the linear engine tens of milliseconds."""

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")


def texts() -> list[str]:
    return [TEXT] * ROWS


def arrow() -> pa.ChunkedArray:
    return pa.chunked_array([pa.array([TEXT] * 4_000)] * (ROWS // 4_000))


def many(threads: int) -> Any:
    graders = {
        "rouge": ROUGE_L,
        "pii": {"type": "no_pii"},
        "terms": {"type": "blocklist", "terms": ["unicorn"]},
        "bleu": {"type": "bleu_score", "reference": REFERENCE},
        "pattern": SLOWEST,
    }
    return grade_many(graders, texts(), threads=threads)


ENDLESS: dict[str, Callable[[int], Any]] = {
    "list": lambda threads: grade_batch(ROUGE_L, texts(), threads=threads),
    "two lists": lambda threads: grade_batch(
        {"type": "bleu_score"}, texts(), references=[REFERENCE] * ROWS, threads=threads
    ),
    "arrow": lambda threads: grade_batch(ROUGE_L, arrow(), threads=threads),
    "slow rows": lambda threads: grade_batch(SLOWEST, [AMBIGUOUS] * ROWS, threads=threads),
    "several graders": many,
}
"""Batches of a minute at least."""


def tasks() -> set[str]:
    """The threads that the system knows of; one that has ended may be among them for a moment."""
    return {task.name for task in Path("/proc/self/task").iterdir()}


@contextmanager
def signalled(number: int) -> Iterator[None]:
    """Sends a signal to this process while the block runs.

    The garbage collector rests: hypothesis has it call a function, and CPython drops what a handler raises in there.
    """
    timer = threading.Timer(0.2, os.kill, (os.getpid(), number))
    gc.disable()
    timer.start()
    try:
        yield
    finally:
        timer.join()
        gc.enable()


def assert_usable() -> None:
    """The next batch is right, and no thread of the last one is left."""
    batch = grade_batch({"type": "contains", "fragments": ["a"]}, ["abc", "xyz"] * 5_000, threads=2)
    assert batch.passed.tolist() == [True, False] * 5_000


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("work", ENDLESS)
def test_an_interrupt_ends_a_batch(work: str, threads: int) -> None:
    """It arrives as what it is, at once and not after the batch, which would run into the test's own limit of time."""
    grade_batch(ROUGE_L, [TEXT], threads=threads)
    before, known = tasks(), threading.active_count()
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        ENDLESS[work](threads)
    for _ in range(1_000_000):
        if tasks() <= before:
            break
    assert tasks() <= before
    assert threading.active_count() == known
    assert_usable()


def test_a_compiled_grader_is_whole_after_an_interrupt() -> None:
    """What was interrupted can be run again, from several threads."""
    compiled = compile_grader(ROUGE_L)
    expected = compiled(TEXT).score
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        grade_batch(compiled, texts(), threads=2)
    assert grade_batch(compiled, [TEXT] * 50, threads=3).score.tolist() == [expected] * 50


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("grader", [ROUGE_L, SLOWEST], ids=["short rows", "slow rows"])
def test_a_handler_may_grade(grader: dict[str, Any], threads: int) -> None:
    """A handler runs in the midst of a batch and grades; the batch goes on behind it and loses nothing."""
    is_running, seen = [False], []

    def handle(*_: object) -> None:
        assert_usable()
        seen.append(is_running[0])

    cells = [AMBIGUOUS[:4_000], TEXT] * 200
    expected = grade_batch(grader, cells[:2]).score.tolist() * 200
    old = signal.signal(signal.SIGUSR1, handle)
    try:
        with signalled(signal.SIGUSR1):
            while not seen:
                is_running[0] = True
                assert grade_batch(grader, cells, threads=threads).score.tolist() == expected
                is_running[0] = False
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert seen == [True]


def test_another_thread_is_not_interrupted() -> None:
    """Signals are the main thread's: a batch elsewhere is finished, and the main thread hears of the signal."""
    found: list[int] = []
    cells = [TEXT] * 20_000
    thread = threading.Thread(target=lambda: found.append(len(grade_batch(ROUGE_L, cells, threads=2))))
    with pytest.raises(KeyboardInterrupt), signalled(signal.SIGINT):
        thread.start()
        threading.Event().wait(60)
    thread.join()
    assert found == [20_000]


AT_EXIT = """
import atexit, gc, threading
from gradestone import compile_grader, grade_batch
grader = compile_grader({"type": "rouge_score", "rouge_type": "rouge_l", "reference": "b a " * 400})
cells = ["a b " * 400] * 200_000
class Last:
    def __del__(self, grade=grade_batch, grader=grader):
        print("deleted", len(grade(grader, ["a"] * 5_000, threads=2)), flush=True)
last = Last()
atexit.register(lambda: print("exit", len(grade_batch(grader, ["a"] * 5_000, threads=2)), flush=True))
started = threading.Event()
def endless():
    started.set()
    grade_batch(grader, cells, threads=2)
for _ in range(3):
    threading.Thread(target=endless, daemon=True).start()
started.wait()
"""


def test_an_interpreter_that_shuts_down() -> None:
    """Daemon threads in the midst of batches do not keep a process, nor break it; who grades at its end still can."""
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", AT_EXIT], capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.split("\n")[0] == "exit 5000"


@pytest.mark.parametrize("graders", [1, 2])
def test_what_a_handler_raises_is_nobodys_verdict(graders: int) -> None:
    """An exception out of a signal's handler, such as a host's timeout, ends the batch as what it is."""

    def handle(*_: object) -> None:
        raise TimeoutError("the host's own")

    old = signal.signal(signal.SIGUSR1, handle)
    try:
        with pytest.raises(TimeoutError, match="the host's own"), signalled(signal.SIGUSR1):
            grade_many({str(number): ROUGE_L for number in range(graders)}, texts(), threads=2)
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert_usable()
