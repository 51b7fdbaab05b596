"""What a batch takes beside its columns: Arrow memory is read where it lies, and no string gets a second copy."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROW_BYTES = 64
"""The results of a row and what is made of them. A copy of the row's text would be ten times as much."""

SLACK = 12 << 20
"""Chunks that are graded, stacks of threads, and what the allocator keeps."""

ROWS = 150_000

MEASURE = """
import ctypes, gc, os, sys
from pathlib import Path
os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
import pyarrow as pa
from gradestone import grade_batch, grade_many

kind, rows = sys.argv[1], int(sys.argv[2])

def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))

def texts(rows, length, filler):
    return (f"{number:06}".ljust(length, filler) for number in range(rows))

def column(rows):
    if kind == "ascii list":
        return list(texts(rows, 600, "x"))
    if kind == "non-ascii list":
        return list(texts(rows, 600, "\u00e9"))
    if kind == "list<string>":
        offsets = pa.array(range(0, 6 * rows + 1, 6), pa.int32())
        return pa.ListArray.from_arrays(offsets, pa.array(texts(6 * rows, 100, "x")))
    if kind == "dictionary":
        return pa.array(texts(rows, 600, "x")).dictionary_encode()
    return pa.array(texts(rows, 600, "x"), getattr(pa, kind)())

def grade(cells, threads):
    if kind == "list<string>":
        grader = {"type": "context_f1", "expected": ["x"]}
        return grade_batch(grader, cells, columns={"retrieved": cells}, threads=threads)
    return grade_batch({"type": "exact_match"}, cells, references=cells, threads=threads)

def growth(threads):
    gc.collect()
    # What was freed before must not be where a copy hides.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = status("VmRSS")
    grade(cells, threads)
    return status("VmHWM") - before

grade(column(5_000), 2)
cells = column(rows)
print(growth(1), growth(2))
"""


@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists() or platform.libc_ver()[0] != "glibc",
    reason="needs /proc and glibc",
)
@pytest.mark.parametrize(
    "kind",
    ["string", "large_string", "string_view", "dictionary", "list<string>", "ascii list", "non-ascii list"],
)
def test_no_text_is_copied(kind: str) -> None:
    """The peak over rows of 600 characters grows by their results, on one thread and on two."""
    command = [sys.executable, "-c", MEASURE, kind, str(ROWS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(int, done.stdout.split())) <= ROW_BYTES * ROWS + SLACK, done.stdout


MANY_MEMBERS = """
import resource
from pathlib import Path
from gradestone import grade_batch

cells = [[""] * 100_000] * 300
grader = {"type": "context_f1", "expected": ["x"]}
size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (200 << 20), resource.RLIM_INFINITY))
batch = grade_batch(grader, [""] * 300, columns={"retrieved": cells}, threads=2)
print(batch.code[0], batch.passed.sum())
"""


def test_lists_of_many_members_do_not_fill_the_memory() -> None:
    """A chunk ends where its lists are large, be there no byte of text in them: here 30 million members."""
    done = subprocess.run(
        [sys.executable, "-c", MANY_MEMBERS], capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "over_cap 0\n"
