"""The one way out: every request of every grader is checked, sent and read here."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

from gradestone.net.calling import ForeignError, called
from gradestone.net.guard import Guard, Resolver, Trust
from gradestone.net.refusals import BODY_CAP, blocked, refuse_redirect, too_large, unreachable
from gradestone.net.types import Fetch, GradeDeps, NetError, Request, Response, SsrfCheck, SsrfVerdict
from gradestone.net.urls import Target, read_url
from gradestone.verdict import quote

if TYPE_CHECKING:
    from gradestone.net.wire import Wire


class Client:
    """Sends requests, each under the guard and one deadline; a context manager that closes its connections.

    Args:
        deps: what the caller puts in the place of ours: a transport, a check of URLs, certificates, trusted endpoints,
            a proxy.
        resolver: looks up names; the system's where None. Not asked where ``deps.fetch`` is given.
        connections: how many connections are open at once, counted apart for trusted and for guarded calls; further
            calls wait for one, within their deadlines.

    Raises `ValueError` for an entry of ``allow_hosts``, certificates or a proxy that cannot be used, and `ImportError`
    where httpx2 is not installed and there is no ``deps.fetch``.

    A client belongs to the event loop that it is first used in.
    """

    def __init__(self, deps: GradeDeps, *, resolver: Resolver | None = None, connections: int = 8) -> None:
        self._fetch = deps.fetch
        self._check = deps.ssrf_check
        self._guard = Guard(Trust(deps.allow_hosts), resolver, through_proxy=deps.proxy is not None)
        self._wire = None if deps.fetch is not None else _wire(deps, connections)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        if self._wire is not None:
            await self._wire.aclose()

    async def send(self, request: Request, *, timeout_s: float, trusted: bool = False) -> Response:
        """Send a request and return the answer, whatever its status; only redirects are refused.

        What is sent is the canonical form of the URL that was checked.

        Args:
            request: what to send.
            timeout_s: seconds for everything together: looking the name up, connecting, TLS, headers and body, and a
                check or a transport of the caller's. At 0 they are over at once. A function of the caller's that goes
                on in its thread is left behind; one that is async and never awaits cannot be stopped.
            trusted: whether the operator named this endpoint, so that its addresses need not be public.

        Raises `NetError` and nothing else: ``blocked_url``, ``unresolved_host``, ``timeout``, ``unreachable``,
        ``redirected``, ``response_too_large``, or ``invalid_option`` for a request that cannot be sent as HTTP.
        Cancellation passes through.
        """
        target = read_url(request.url)
        late = NetError("timeout", f"{quote(target.origin)}: no answer within {timeout_s:g} s")
        if not timeout_s > 0:
            raise late
        deadline = asyncio.timeout(timeout_s)
        try:
            async with deadline:
                response = await self._answer(target, request, timeout_s, trusted)
        except TimeoutError:
            raise late from None
        except NetError:
            if deadline.expired():
                raise late from None
            raise
        if deadline.expired():
            raise late
        return response

    async def _answer(self, target: Target, request: Request, timeout_s: float, trusted: bool) -> Response:
        if self._check is not None:
            await self._ask_check(self._check, target)
        under_trust = self._guard.trusts(target, trusted=trusted)
        unguarded = under_trust or self._check is not None
        if self._fetch is not None:
            if not unguarded:
                self._guard.check_written(target)
            return await self._fetched(self._fetch, target, request)
        resolve = self._guard.addresses if unguarded else self._guard.checked_addresses
        addresses = await resolve(target)
        wire = cast("Wire", self._wire)
        return await wire.ask(target, request, addresses, trusted=under_trust, timeout_s=timeout_s)

    async def _ask_check(self, check: SsrfCheck, target: Target) -> None:
        """Ask the caller's check, in the place of ours; of trusted endpoints too, since its no is a no."""
        try:
            verdict = await called(check, target.url)
        except ForeignError as foreign:
            raise blocked(target, f"the ssrf_check raised {foreign.kind}") from None
        if not isinstance(verdict, SsrfVerdict):
            raise blocked(target, "the ssrf_check returned no SsrfVerdict")
        if verdict.allowed is not True:
            raise blocked(target, f"the ssrf_check refused it: {quote(str(verdict.reason))}")

    async def _fetched(self, fetch: Fetch, target: Target, request: Request) -> Response:
        try:
            answer = await called(fetch, replace(request, url=target.url))
        except ForeignError as foreign:
            raise unreachable(target, f"the transport raised {foreign.kind}") from None
        response = _usable(target, answer)
        refuse_redirect(target, response.status)
        if len(response.body) > BODY_CAP:
            raise too_large(target)
        return response


def _wire(deps: GradeDeps, connections: int) -> Wire:
    try:
        from gradestone.net.wire import Wire
    except ImportError as error:
        raise ImportError(
            "requests over the network need a package that is not installed: pip install 'gradestone[judges]'"
        ) from error
    return Wire(ca_bundle=deps.ca_bundle, proxy=deps.proxy, connections=connections)


def _usable(target: Target, answer: Any) -> Response:
    if not isinstance(answer, Response):
        raise unreachable(target, f"the transport returned no Response but {type(answer).__name__}")
    if type(answer.status) is not int or not 100 <= answer.status <= 999:
        raise unreachable(target, "the transport returned a Response whose status is no HTTP status")
    if not isinstance(answer.body, bytes):
        raise unreachable(target, "the transport returned a Response whose body is no bytes")
    if not isinstance(answer.headers, Mapping):
        raise unreachable(target, "the transport returned a Response whose headers are no mapping")
    return answer
