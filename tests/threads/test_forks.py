"""Forks, and as many threads as anybody asks for."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading

import pytest

from gradestone import compile_grader, grade_batch, grade_many

TEXT = "the cat sat on the mat and the dog é " * 20
GRADERS = {
    "rouge": {"type": "rouge_score", "rouge_type": "rouge_l", "reference": TEXT[::-1]},
    "pattern": {"type": "regex", "pattern": "(?:cat|dog) é$"},
    "terms": {"type": "blocklist", "terms": ["dog"]},
    "pii": {"type": "no_pii"},
}
COMPILED = {name: compile_grader(grader) for name, grader in GRADERS.items()}


def codes(threads: int) -> dict[str, list[str]]:
    cells = [TEXT, "é", None] * 1_500
    return {name: batch.code.tolist() for name, batch in grade_many(COMPILED, cells, threads=threads).items()}


def _send_codes(connection: multiprocessing.connection.Connection) -> None:
    connection.send(codes(2))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_fork_while_a_batch_runs() -> None:
    """A child that is born in the midst of a batch of another thread inherits no lock that nobody gives back."""
    expected = codes(1)
    stop = threading.Event()

    def go_on() -> None:
        while not stop.is_set():
            codes(2)

    thread = threading.Thread(target=go_on)
    thread.start()
    context = multiprocessing.get_context("fork")
    try:
        for _ in range(12):
            parent, child = context.Pipe()
            process = context.Process(target=_send_codes, args=(child,))
            process.start()
            assert parent.poll(60)
            assert parent.recv() == expected
            process.join()
            assert process.exitcode == 0
    finally:
        stop.set()
        thread.join()
    assert codes(2) == expected


@pytest.mark.parametrize("rows", [0, 1, 2, 999, 1_001])
def test_more_threads_than_rows(rows: int) -> None:
    """A thousand threads for a few rows, or none."""
    cells = ["a", "b", None, "é"] * 300
    for grader in ({"type": "contains", "fragments": ["a"]}, {"type": "regex", "pattern": "a"}):
        alone = grade_batch(grader, cells[:rows], threads=1)
        assert grade_batch(grader, cells[:rows], threads=1_000).code.tolist() == alone.code.tolist()


NO_MORE_THREADS = """
import os, resource, threading
from gradestone import grade_batch
cells = ["abc", "xyz"] * 5_000
graders = {"type": "contains", "fragments": ["a"]}, {"type": "regex", "pattern": "a"}
for grader in graders:
    grade_batch(grader, cells).passed
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
if os.getuid() == 0:
    os.setuid(65_534)
try:
    threading.Thread(target=int).start()
except RuntimeError:
    for grader in graders:
        assert grade_batch(grader, cells, threads=8).passed.tolist() == [True, False] * 5_000
    print("done")
else:
    print("no limit")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of threads")
def test_a_system_that_gives_no_more_threads() -> None:
    """Whoever is there does the work, be it the calling thread alone."""
    done = subprocess.run(
        [sys.executable, "-c", NO_MORE_THREADS], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    if done.stdout == "no limit\n":
        pytest.skip("the system does not keep the limit")
    assert done.stdout == "done\n"


def test_what_was_graded_is_given_back() -> None:
    """When a batch is there, nothing of its columns is held any more, in whichever thread its last row was graded."""
    cells = [f"row {number} é" for number in range(10_000)]
    passages = [[cell] for cell in cells]
    before = [sys.getrefcount(cell) for cell in cells]
    graders = {"bleu": {"type": "bleu_score"}, "context": {"type": "context_f1"}}
    for _ in range(20):
        columns = {"retrieved": passages, "expected": passages}
        grade_many(graders, cells, references=cells, columns=columns, threads=3)
        assert [sys.getrefcount(cell) for cell in cells] == before
