"""Running graders that leave the process: many rows at once, in order, and an end that loses nothing."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import signal
import threading
from collections.abc import Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import FrameType, coroutine
from typing import Any, Final, TypeVar

from gradestone.graders.outside import CONCURRENCY, Outside, Progress
from gradestone.graders.rows import broken
from gradestone.judge.cache import CacheError
from gradestone.judge.session import Session
from gradestone.net.types import GradeDeps
from gradestone.verdict import RowVerdict, Verdicts

T = TypeVar("T")

Skips = Callable[[int], bool]
"""Whether a row has failed already, so that nothing is to be paid for it."""

SKIPPED: Final = RowVerdict("skipped", 0.0, "the row had failed already, and fail_fast spares the call")


async def run_outside(
    works: Mapping[str, Outside],
    deps: GradeDeps,
    *,
    concurrency: int = CONCURRENCY,
    progress: Progress | None = None,
    skips: Skips | None = None,
) -> dict[str, Verdicts]:
    """The verdicts of graders on the same rows, ``concurrency`` of them under way at once.

    Args:
        works: the graders by name.
        deps: what they work with.
        concurrency: calls at once, at most; they share a pool of as many connections.
        progress: told of every verdict.
        skips: the rows that nothing is to be paid for.

    A run with a cache that is cancelled waits for the calls that are under way: their replies are paid for, and kept.

    Raises:
        CacheError: the cache cannot be read or written.
        RegistryError: the registry file cannot be read.
        asyncio.CancelledError: the caller's task was cancelled.
    """
    async with Session(deps, connections=concurrency) as session:
        run = _Run(works, session, progress, skips)
        workers = [asyncio.create_task(run.work()) for _ in range(min(concurrency, run.total))]
        try:
            await _all(workers)
        except asyncio.CancelledError:
            run.is_ending = True
            if deps.cache is not None and workers:
                await asyncio.wait(workers)
            raise
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
    return {name: Verdicts.of(rows) for name, rows in run.verdicts.items()}


async def _all(workers: list[asyncio.Task[None]]) -> None:
    """Wait until all are done, or the first raises."""
    if not workers:
        return
    # Not `gather`: cancelling the waiting must not cancel the workers, which may be drained.
    done, _ = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
    for worker in done:
        worker.result()


class _Run:
    """The rows of a run, taken one by one by its workers."""

    def __init__(
        self,
        works: Mapping[str, Outside],
        session: Session,
        progress: Progress | None,
        skips: Skips | None,
    ) -> None:
        self._works = works
        self._session = session
        self._progress = progress
        self._skips = skips
        self.verdicts: dict[str, list[RowVerdict]] = {
            name: [SKIPPED] * len(work) for name, work in works.items()
        }
        self.total = sum(map(len, works.values()))
        self._done = 0
        self.is_ending = False
        self._places = self._all_places()

    def _all_places(self) -> Iterator[tuple[str, int]]:
        """Row by row: what was paid for a row is there as a whole if the run ends early."""
        rows = max(map(len, self._works.values()), default=0)
        yield from ((name, row) for row in range(rows) for name in self._works)

    async def work(self) -> None:
        """Take rows until there are none."""
        for name, row in self._places:
            if self.is_ending:
                return
            self.verdicts[name][row] = await self._verdict(name, row)
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self.total)
            # Rows that wait for nobody, such as those out of the cache, must not keep the loop from everybody else.
            await _others_turn()

    async def _verdict(self, name: str, row: int) -> RowVerdict:
        if self._skips is not None and self._skips(row):
            return SKIPPED
        try:
            verdict = self._works[name].grade(row, self._session)
            return await verdict if inspect.isawaitable(verdict) else verdict
        except CacheError:
            # Not the row's fault: whatever is paid for from here on would be lost.
            raise
        except Exception as error:
            return broken(error)


@coroutine
def _others_turn() -> Generator[None]:
    """Let the loop see to everything else that is ready."""
    yield


def run_here(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end: in this thread, or in another one where this thread has a loop running already.

    Ctrl-C cancels it, and is raised once it has ended; a second one does not wait.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run_interruptibly(work)
    return _run_beside(work)


def _run_interruptibly(work: Coroutine[Any, Any, T]) -> T:
    """Run it in this thread.

    `asyncio.run` cancels at Ctrl-C only where nobody has put a handler of his own in the place of Python's.
    """
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(work)
        with _cancelling(task) as was_interrupted:
            try:
                result = loop.run_until_complete(task)
            except asyncio.CancelledError:
                if was_interrupted():
                    raise KeyboardInterrupt from None
                raise
            if was_interrupted():
                # It came too late to cancel anything.
                raise KeyboardInterrupt
            return result


@contextmanager
def _cancelling(task: asyncio.Task[Any]) -> Iterator[Callable[[], bool]]:
    """Have the first Ctrl-C cancel a task, and the next one do what it did before; tell whether one came."""
    before = signal.getsignal(signal.SIGINT)
    came = False

    def cancel(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came and callable(before):
            before(number, frame)
        came = True
        task.get_loop().call_soon_threadsafe(task.cancel)

    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield lambda: False
        return
    signal.signal(signal.SIGINT, cancel)
    try:
        yield lambda: came
    finally:
        signal.signal(signal.SIGINT, before)


def _run_beside(work: Coroutine[Any, Any, T]) -> T:
    loop = asyncio.new_event_loop()
    context = contextvars.copy_context()
    task = loop.create_task(work, context=context)
    ended = threading.Event()
    thread = threading.Thread(target=_serve, args=(loop, task, ended), name="gradestone-calls")
    thread.start()
    try:
        # Not `join`: one that is interrupted takes the thread for ended, up to Python 3.12.
        ended.wait()
    except BaseException:
        with suppress(RuntimeError):  # the loop was closed in this very moment
            loop.call_soon_threadsafe(task.cancel)
        ended.wait()
        thread.join()
        raise
    thread.join()
    return task.result()


def _serve(loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any], ended: threading.Event) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(asyncio.wait([task]))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        ended.set()
        asyncio.set_event_loop(None)
        loop.close()
