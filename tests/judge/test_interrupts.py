"""Ctrl-C while calls are under way: raised as everywhere, once nothing is lost that was paid for."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from gradestone import grade, grade_batch
from gradestone.judge.running import run_here

from .endpoints import Script, says, score_judge

JUDGE = score_judge()

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

PRELUDE = """
import asyncio, os, signal, sys, threading
from gradestone import GradeDeps, grade_batch
from gradestone.judge.cache import ReplyCache
from gradestone.judge.running import run_here
from gradestone.net import Response
JUDGE = {"type": "llm_score", "rubric": "kind", "min_score": 0.5, "gateway_url": "https://judge.example"}
ROWS = [f"row {number}" for number in range(9)]
calls = 0
async def fetch(request):
    global calls
    calls += 1
    if calls == 3:
        signal.raise_signal(signal.SIGINT)
    await asyncio.sleep(0)
    return Response(200, {}, b'{"output_text": "SCORE: 1"}')
"""


def told(code: str, *arguments: object) -> str:
    """What a program of a user's prints, in a process of its own that ends well and without a complaint."""
    program = [sys.executable, "-c", PRELUDE + textwrap.dedent(code), *map(str, arguments)]
    ended = subprocess.run(program, capture_output=True, check=False, text=True, timeout=60)
    assert (ended.stderr, ended.returncode) == ("", 0)
    return ended.stdout


@posix
def test_interrupt() -> None:
    """It ends the run, and the handler is as before."""
    assert (
        told("""
        async def endless(request):
            global calls
            calls += 1
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()
        try:
            grade_batch(JUDGE, ROWS, deps=GradeDeps(fetch=endless), concurrency=1)
        except KeyboardInterrupt:
            print(calls, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        """)
        == "1 True\n"
    )


@posix
def test_interrupt_with_a_cache(tmp_path: Path) -> None:
    """What is under way is brought home first; the next run asks for the rest."""
    code = """
        deps = GradeDeps(fetch=fetch, cache=sys.argv[1])
        try:
            grade_batch(JUDGE, ROWS, deps=deps, concurrency=2)
        except KeyboardInterrupt:
            kept = calls
            with ReplyCache(sys.argv[1]) as cache:
                print(len(cache) == kept < 9)
        calls = 100
        print(grade_batch(JUDGE, ROWS, deps=deps).passed.all(), calls - 100 + kept)
        """
    assert told(code, tmp_path / "replies.db") == "True\nTrue 9\n"


@posix
def test_a_second_interrupt_does_not_wait(tmp_path: Path) -> None:
    """It is Python's own, and calls that never end are ended."""
    code = """
        async def never(request):
            for _ in range(2):
                signal.raise_signal(signal.SIGINT)
                await asyncio.sleep(0)
            await asyncio.Event().wait()
        try:
            grade_batch(JUDGE, ROWS, deps=GradeDeps(fetch=never, cache=sys.argv[1]), concurrency=1)
        except KeyboardInterrupt:
            print("interrupted")
        """
    assert told(code, tmp_path / "replies.db") == "interrupted\n"


@posix
def test_interrupt_beside_a_running_loop() -> None:
    """In a notebook the calls run in another thread: they are ended before it is raised."""
    assert (
        told("""
        async def endless(request):
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.Event().wait()
        async def main():
            try:
                grade_batch(JUDGE, ROWS, deps=GradeDeps(fetch=endless), concurrency=1)
            except KeyboardInterrupt:
                print("interrupted", threading.active_count())
        loop = asyncio.new_event_loop()  # asyncio.run would take the interrupt over
        loop.run_until_complete(main())
        loop.close()
        """)
        == "interrupted 1\n"
    )


@posix
def test_an_interrupt_of_the_last_moment_is_not_lost() -> None:
    """One that comes when the work is as good as done is raised all the same."""
    assert (
        told("""
        async def work():
            signal.raise_signal(signal.SIGINT)
            return 1
        try:
            run_here(work())
        except KeyboardInterrupt:
            print("interrupted")
        """)
        == "interrupted\n"
    )


@posix
def test_a_process_that_ignores_interrupts_goes_on() -> None:
    """As one that a shell script started in the background."""
    assert (
        told("""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print(grade_batch(JUDGE, ROWS, deps=GradeDeps(fetch=fetch)).passed.all())
        """)
        == "True\n"
    )


def test_the_handler_is_as_before() -> None:
    """Whatever came of the run."""
    before = signal.getsignal(signal.SIGINT)
    grade(JUDGE, "x", deps=Script(says("SCORE: 1")).deps())
    with pytest.raises(KeyError):
        grade_batch(JUDGE, ["x"], deps=Script(says("SCORE: 1")).deps(), progress=lambda *_: {}["gone"])
    assert signal.getsignal(signal.SIGINT) is before


def test_calls_in_other_threads() -> None:
    """A thread that is not the main one can grade too; signals are not its business."""
    results: list[bool] = []
    thread = threading.Thread(
        target=lambda: results.append(grade(JUDGE, "x", deps=Script(says("SCORE: 1")).deps()).passed)
    )
    thread.start()
    thread.join()
    assert results == [True]


def test_run_here_gives_what_the_work_gives() -> None:
    """Its result, and its exception."""

    async def works() -> int:
        return 1

    async def fails() -> None:
        raise LookupError("no")

    assert run_here(works()) == 1
    with pytest.raises(LookupError, match="no"):
        run_here(fails())
