"""Threads, the interpreter's lock, forks, and callers that change their lists meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gradestone import compile_grader, grade_batch

WORDS = [f"word{number}" for number in range(14)]
LONG = [" ".join(WORDS[shift % 13 :] + WORDS) * 12 for shift in range(400)]
ROUGE_L = {"type": "rouge_score", "rouge_type": "rouge_l"}


@pytest.mark.parametrize("threads", [1, 2, 3, 16])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    """Same scores in the same order, with rows of very different length."""
    cells = [text * (9 if index % 50 == 0 else 1) for index, text in enumerate(LONG)]
    single = grade_batch(ROUGE_L, cells, references=LONG, threads=1)
    batch = grade_batch(ROUGE_L, cells, references=LONG, threads=threads)
    assert batch.score.tolist() == single.score.tolist()
    assert batch.code.tolist() == single.code.tolist()


def test_the_variable_sets_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """GRADESTONE_THREADS, checked like the argument."""
    monkeypatch.setenv("GRADESTONE_THREADS", "2")
    assert len(grade_batch(ROUGE_L, LONG[:5], references=LONG[:5])) == 5
    monkeypatch.setenv("GRADESTONE_THREADS", "two")
    with pytest.raises(ValueError, match="GRADESTONE_THREADS"):
        grade_batch(ROUGE_L, LONG[:5], references=LONG[:5])


def test_a_python_thread_goes_on_while_a_batch_runs() -> None:
    """The lock is free meanwhile: the other thread counts on between the start and the end of the batch."""
    stop, ticks = threading.Event(), [0]

    def tick() -> None:
        while not stop.is_set():
            ticks[0] += 1

    ticker = threading.Thread(target=tick)
    ticker.start()
    try:
        before = ticks[0]
        grade_batch(ROUGE_L, LONG * 8, references=LONG * 8, threads=1)
        during = ticks[0] - before
    finally:
        stop.set()
        ticker.join()
    # A batch that kept the lock would let the other thread in a handful of times, between chunks.
    assert during > 1_000


def test_one_compiled_grader_in_many_threads() -> None:
    """A compiled grader is shared without harm."""
    compiled = compile_grader({"type": "no_pii"})
    cells = ["mail a.user@example.com", "clean"] * 100
    with ThreadPoolExecutor(8) as pool:
        batches = list(pool.map(lambda _: grade_batch(compiled, cells, threads=2).passed.tolist(), range(40)))
    assert batches == [[False, True] * 100] * 40


def test_a_list_that_is_mutated_meanwhile() -> None:
    """The batch grades the list as it was when it was handed over."""
    cells = ["abc"] * 20_000
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            cells[:] = ["xyz"] * 5
            cells[:] = ["xyz"] * 50_000

    compiled = compile_grader({"type": "exact_match", "expected": "abc"})
    thread = threading.Thread(target=churn)
    snapshot = list(cells)
    thread.start()
    try:
        for _ in range(20):
            batch = grade_batch(compiled, cells)
            assert set(batch.code.tolist()) <= {"ok", "mismatch"}
            assert grade_batch(compiled, snapshot).passed.all()
    finally:
        stop.set()
        thread.join()


def _grade_in_child(connection: multiprocessing.connection.Connection) -> None:
    connection.send(grade_batch(ROUGE_L, LONG, references=LONG, threads=2).passed.all().item())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_after_a_threaded_batch_grades_on() -> None:
    """No pool outlives a call, so a child finds no dead workers to wait for."""
    grade_batch(ROUGE_L, LONG, references=LONG, threads=2)
    context = multiprocessing.get_context("fork")
    parent, child = context.Pipe()
    process = context.Process(target=_grade_in_child, args=(child,))
    process.start()
    assert parent.poll(60)
    assert parent.recv() is True
    process.join()
    assert process.exitcode == 0


@pytest.mark.parametrize("threads", [0, -1, 1025, 2**70, 1.0, "2", True])
def test_threads_beyond_reason_are_refused(threads: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an argument and in the environment: no such number is a fault of the rows."""
    with pytest.raises(ValueError, match="threads must be a whole number from 1 to 1024"):
        grade_batch(ROUGE_L, LONG[:3], references=LONG[:3], threads=threads)
    monkeypatch.setenv("GRADESTONE_THREADS", str(threads) if threads != "2" else "two")
    with pytest.raises(ValueError, match="GRADESTONE_THREADS must be a whole number from 1 to 1024"):
        grade_batch(ROUGE_L, LONG[:3], references=LONG[:3])
