"""Calls functions of the caller's, sync or async, without the event loop ever waiting for one."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Outcome(NamedTuple):
    value: Any
    error: BaseException | None


class ForeignError(Exception):
    """What a function of the caller's raised; its text is not to be told, since it may hold a secret."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(type(error).__name__)
        self.kind = type(error).__name__
        self.error = error


async def called(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function, in a thread unless it is async, and return what it returns, or what that awaits to.

    Raises `ForeignError` for whatever it raises, ``SystemExit`` among it: a grader must not be able to end a run with
    success. Only the cancellation of this task and ``KeyboardInterrupt`` pass through.
    """
    try:
        value = function(*arguments) if _is_async(function) else await in_thread(function, *arguments)
        return await value if inspect.isawaitable(value) else value
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise ForeignError(error) from None
    except BaseException as error:
        raise ForeignError(error) from None


def _is_async(function: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function in a thread of its own that ends nothing: neither the loop nor the process waits for it.

    The threads of ``asyncio.to_thread`` are waited for when the loop closes, so a call that outlives its deadline would
    hold the program up.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Outcome] = loop.create_future()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            outcome = _Outcome(context.run(function, *arguments), None)
        except BaseException as error:
            outcome = _Outcome(None, error)
        try:
            loop.call_soon_threadsafe(_deliver, future, outcome)
        except RuntimeError:
            _discard(outcome.value)

    threading.Thread(target=run, name="gradestone-net", daemon=True).start()
    outcome = await future
    if outcome.error is not None:
        raise outcome.error
    value: T = outcome.value
    return value


def _deliver(future: asyncio.Future[_Outcome], outcome: _Outcome) -> None:
    if future.done():
        _discard(outcome.value)
        return
    future.set_result(outcome)


def _discard(value: Awaitable[object] | object) -> None:
    if inspect.iscoroutine(value):
        value.close()
