"""Reading ahead and writing behind, so that both go on while rows are graded.

Only files on disk are read and written so: whatever may wait for somebody, such as a pipe, stays with the main thread,
where an interrupt reaches it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Give the items of an iterator, the next of which is made in another thread while one is used."""
    end = object()
    with _Hand("gradestone-read") as hand:
        hand.give(lambda: next(items, end))
        while (item := hand.take()) is not end:
            hand.give(lambda: next(items, end))
            yield item


@contextmanager
def behind() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Give what takes actions and does them in another thread, in order, one ahead of the caller at most.

    What an action raises is raised by the next one, or at the end. When the block ends with an exception, the action
    that is under way is waited for, and nothing more is done.
    """
    under_way = False

    def settle() -> None:
        nonlocal under_way
        if under_way:
            under_way = False
            hand.take()

    def do(action: Callable[[], None]) -> None:
        nonlocal under_way
        settle()
        hand.give(action)
        under_way = True

    with _Hand("gradestone-write") as hand:
        yield do
        settle()


class _Hand:
    """A thread that does what it is given, in order; leaving the ``with`` block waits until it has done.

    Nothing here takes a lock in Python code, as the standard library's pools do: an interrupt that comes when one was
    just taken would leave it locked, and then everybody waits for ever.
    """

    def __init__(self, name: str) -> None:
        self._given: SimpleQueue[Callable[[], Any] | None] = SimpleQueue()
        self._done: SimpleQueue[_Result | None] = SimpleQueue()
        # The interpreter must be able to end when an interrupt has kept somebody from waiting for it.
        self._thread = Thread(target=_work, args=(self._given, self._done), name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def give(self, action: Callable[[], Any]) -> None:
        """Have an action done after those given before."""
        self._given.put(action)

    def take(self) -> Any:
        """Wait for the next action that was not waited for; return what it returned, or raise what it raised."""
        result = self._done.get()
        assert result is not None  # the thread goes on until the block ends
        if result.error is not None:
            raise result.error
        return result.value

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._given.put(None)
        while self._done.get() is not None:
            pass
        self._thread.join()


class _Result:
    """How an action ended."""

    def __init__(self, action: Callable[[], Any]) -> None:
        self.value: Any = None
        self.error: BaseException | None = None
        try:
            self.value = action()
        except BaseException as error:
            self.error = error


def _work(given: SimpleQueue[Callable[[], Any] | None], done: SimpleQueue[_Result | None]) -> None:
    while (action := given.get()) is not None:
        done.put(_Result(action))
        # Kept, it would keep a block in memory until the next one is there.
        del action
    done.put(None)
