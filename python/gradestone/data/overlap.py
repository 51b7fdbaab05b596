"""Reading ahead and writing behind, so that both go on while rows are graded.

Only files on disk are read and written so: whatever may wait for somebody, such as a pipe, stays with the main thread,
where an interrupt reaches it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


def ahead(items: Iterator[T]) -> Iterator[T]:
    """Give the items of an iterator, the next of which is made in another thread while one is used."""
    end = object()
    with ThreadPoolExecutor(1, thread_name_prefix="gradestone-read") as pool:
        coming: Future[T | object] = pool.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, items, end)
            yield item  # type: ignore[misc]


@contextmanager
def behind() -> Iterator[Callable[[Callable[[], None]], None]]:
    """Give what takes actions and does them in another thread, in order, one ahead of the caller at most.

    What an action raises is raised by the next one, or at the end. When the block ends with an exception, the action
    that is under way is waited for, and nothing more is done.
    """
    last: list[Future[None]] = []

    def settle() -> None:
        if last:
            last.pop().result()

    with ThreadPoolExecutor(1, thread_name_prefix="gradestone-write") as pool:

        def do(action: Callable[[], None]) -> None:
            settle()
            last.append(pool.submit(action))

        yield do
        settle()
