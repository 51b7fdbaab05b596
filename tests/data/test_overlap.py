"""Reading ahead and writing behind: order, errors, and ends."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from gradestone.data.overlap import ahead, behind


def helpers() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith("gradestone-")]


def test_everything_in_order() -> None:
    """Nothing is lost, doubled or exchanged, and the thread ends with the iteration."""
    assert list(ahead(iter(range(1000)))) == list(range(1000))
    assert list(ahead(iter(()))) == []
    done: list[int] = []
    with behind() as do:
        for number in range(1000):
            do(lambda number=number: done.append(number))  # type: ignore[misc]
    assert done == list(range(1000))
    assert helpers() == []


def test_one_item_ahead_and_no_more() -> None:
    """While an item is used the next is made, and only that: memory is bounded."""
    made: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10):
            made.append(number)
            yield number

    for number in ahead(items()):
        assert len(made) <= number + 2


@pytest.mark.parametrize("at", [0, 1, 5])
def test_what_the_reader_raises_comes_at_its_place(at: int) -> None:
    """Behind the items that were read before, once, and as it is; nothing hangs."""
    given: list[int] = []

    def items() -> Iterator[int]:
        yield from range(at)
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        given.extend(ahead(items()))
    assert given == list(range(at))
    assert helpers() == []


def test_leaving_early_waits_for_the_reader() -> None:
    """An exception of the user's, with an item half made: the file is closed only when nobody reads it."""
    reading, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def items() -> Iterator[int]:
        yield 1
        reading.set()
        may_end.wait(60)
        ended.set()
        yield 2

    def use() -> None:
        for _ in ahead(items()):
            reading.wait(60)
            may_end.set()
            raise KeyError

    with pytest.raises(KeyError):
        use()
    assert ended.is_set()
    assert helpers() == []


@pytest.mark.parametrize("last", [False, True])
def test_what_the_writer_raises_is_told_once(last: bool) -> None:
    """By the next action, which is not done, or at the end."""
    done: list[str] = []

    def fail() -> None:
        done.append("failed")
        raise OSError("full")

    with pytest.raises(OSError, match="full"), behind() as do:
        do(lambda: done.append("first"))
        do(fail)
        if not last:
            do(lambda: done.append("never"))
    assert done == ["first", "failed"]
    assert helpers() == []


def test_an_exception_of_the_block_goes_before_the_writers() -> None:
    """What is under way is done before the block is left, and nothing behind it."""
    done: list[str] = []
    may_go_on = threading.Event()

    def write() -> None:
        may_go_on.wait(60)
        done.append("under way")
        raise OSError("full")

    with pytest.raises(KeyboardInterrupt), behind() as do:
        do(write)
        may_go_on.set()
        raise KeyboardInterrupt
    assert done == ["under way"]
    assert helpers() == []


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, MemoryError])
def test_an_error_may_be_of_any_kind(kind: type[BaseException]) -> None:
    """An interrupt or an exit that is raised in the thread reaches the caller as well."""

    def fail() -> None:
        raise kind

    with pytest.raises(kind), behind() as do:
        do(fail)


def test_nothing_is_kept_in_memory() -> None:
    """An item that was used and an action that was done are free again while the next one is awaited."""

    class Item:
        pass

    with behind() as do:
        item = Item()
        known = weakref.ref(item)
        do(lambda item=item: None)  # type: ignore[misc]
        del item
        do(lambda: None)
        gc.collect()
        assert known() is None
