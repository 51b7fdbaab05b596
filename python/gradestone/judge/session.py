"""What the calls of one run share: a connection pool, the cache, retries, and knowing when an endpoint is down."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self

from gradestone.codes import CODES, Outcome
from gradestone.judge.cache import ReplyCache, ReplyKey
from gradestone.net.types import GradeDeps, NetError, Request, Response
from gradestone.registry import registry_of

LAST_RESORT_S: Final = 10.0
"""Seconds of a call where nobody says otherwise."""

DOWN_AFTER: Final = 10
"""Calls in a row that came to nothing, after which an endpoint counts as down and is asked no more."""

RETRIED: Final = frozenset({429, 502, 503, 504})
LONGEST_WAIT_S: Final = 60.0
"""The longest ``Retry-After`` that is honoured; an endpoint that wants more is not asked again."""
FIRST_WAIT_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call came to."""

    status: int
    body: bytes = field(repr=False)
    latency_s: float | None
    """Seconds of the call that was answered; None for a reply out of the cache."""
    retries: int = 0


class Session:
    """The calls of one run.

    Args:
        deps: the caller's settings.
        connections: calls under way at once, at most.

    Raises:
        RegistryError: the registry file cannot be read.
        CacheError: the cache cannot be opened.
        ValueError: a setting that is none.
    """

    def __init__(self, deps: GradeDeps, *, connections: int) -> None:
        if isinstance(deps.retries, bool) or not isinstance(deps.retries, int) or deps.retries < 0:
            raise ValueError(f"retries must be an integer of at least 0, not {deps.retries!r}")
        self.deps = deps
        self.registry = registry_of(deps.registry)
        self._connections = connections
        self._stack = AsyncExitStack()
        self._failures: dict[str, int] = {}
        self.down: dict[str, str] = {}
        """Why an endpoint counts as down, by its address."""

    async def __aenter__(self) -> Self:
        # The HTTP library is not for those who never call anybody.
        from gradestone.net.transport import Client

        async with AsyncExitStack() as stack:
            cache = self.deps.cache
            if cache is not None and not isinstance(cache, ReplyCache):
                cache = stack.enter_context(ReplyCache(cache))
            self._cache = cache
            self._client = await stack.enter_async_context(Client(self.deps, connections=self._connections))
            self._stack = stack.pop_all()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    def timeout_of(self, own: object, type_: str) -> float:
        """Seconds of a call of a type: the grader's own, else the run's, else the registry's default, else 10."""
        entry = self.registry.get(type_)
        option = entry.options["properties"].get("timeout_s", {}) if entry is not None else {}
        for limit in (own, self.deps.timeout_s, option.get("default")):
            if isinstance(limit, (int, float)) and not isinstance(limit, bool):
                return float(limit)
        return LAST_RESORT_S

    async def ask(
        self,
        request: Request,
        *,
        timeout_s: float,
        trusted: bool = False,
        key: ReplyKey | None = None,
        may_retry: bool = False,
        is_usable: Callable[[Reply], bool] = lambda reply: is_success(reply.status),
    ) -> Reply:
        """The reply to a request, out of the cache where it is there.

        Only usable replies of status 200 to 299 are kept. One that is not usable is returned too, and counts as a call
        that came to nothing.

        Raises:
            NetError: no usable reply came of it; ``endpoint_down`` where the call was not made.
        """
        kept = None if key is None or self._cache is None else self._cache.get(key)
        if kept is not None:
            return Reply(kept.status, kept.body, None)
        if request.url in self.down:
            raise NetError("endpoint_down", self.down[request.url])
        attempts = self.deps.retries if may_retry else 0
        reply = await self._watched(request, timeout_s, trusted, attempts)
        if not is_usable(reply):
            self._failed(request.url, f"status {reply.status} without an answer")
            return reply
        self._failures[request.url] = 0
        if key is not None and self._cache is not None and is_success(reply.status):
            self._cache.put(key, reply.status, reply.body)
        return reply

    async def _watched(self, request: Request, timeout_s: float, trusted: bool, attempts: int) -> Reply:
        try:
            return await self._send(request, timeout_s, trusted, attempts)
        except NetError as error:
            # What was refused here says nothing about the endpoint.
            if CODES[error.code].outcome is Outcome.ERROR:
                self._failed(request.url, error.reason)
            raise

    def _failed(self, url: str, reason: str) -> None:
        self._failures[url] = self._failures.get(url, 0) + 1
        if self._failures[url] >= DOWN_AFTER:
            self.down.setdefault(url, f"{DOWN_AFTER} calls in a row came to nothing, the last one: {reason}")

    async def _send(self, request: Request, timeout_s: float, trusted: bool, attempts: int) -> Reply:
        for tried in range(attempts + 1):
            is_last = tried == attempts
            start = time.perf_counter()
            try:
                response = await self._client.send(request, timeout_s=timeout_s, trusted=trusted)
            except NetError as error:
                if is_last or error.code != "unreachable":
                    raise
                await asyncio.sleep(_wait(tried))
                continue
            reply = Reply(response.status, response.body, time.perf_counter() - start, tried)
            wait = _wait_after(response, tried)
            if is_last or wait is None:
                return reply
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")


def is_success(status: int) -> bool:
    """Whether a status says that the request was served."""
    return 200 <= status < 300


def _wait(tried: int) -> float:
    """Seconds before the next attempt: twice as long each time, and never the same for two callers."""
    return float(FIRST_WAIT_S * 2 ** min(tried, 5) * random.uniform(0.5, 1.0))


def _wait_after(response: Response, tried: int) -> float | None:
    """Seconds to wait before the next attempt after a response; None where there is to be none."""
    if response.status not in RETRIED:
        return None
    asked = _retry_after(response.headers)
    if asked is None:
        return _wait(tried)
    return None if asked > LONGEST_WAIT_S else asked


def _retry_after(headers: Mapping[str, Any]) -> float | None:
    """The seconds of a ``Retry-After``; a date is not looked at."""
    for name, value in headers.items():
        if name.lower() == "retry-after" and isinstance(value, str) and value.strip().isascii():
            text = value.strip()
            return float(text) if text.isdigit() else None
    return None
