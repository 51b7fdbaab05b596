"""What goes out and what comes back, and the functions that a caller may put in the place of ours."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from gradestone.judge.cache import ReplyCache
    from gradestone.registry import Registry


@dataclass(frozen=True, slots=True)
class Request:
    """One request. Headers and body may hold secrets and texts of candidates, and do not show in ``repr``."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False, default_factory=dict)
    body: bytes = field(repr=False, default=b"")


@dataclass(frozen=True, slots=True)
class Response:
    """What an endpoint answered. Names of headers are lowercase where the default transport made it."""

    status: int
    headers: Mapping[str, str] = field(repr=False, default_factory=dict)
    body: bytes = field(repr=False, default=b"")


class SsrfVerdict(NamedTuple):
    """Whether an address may be asked, and why not."""

    allowed: bool
    reason: str = ""


Fetch = Callable[[Request], Response | Awaitable[Response]]
"""A transport in the place of ours."""

SsrfCheck = Callable[[str], SsrfVerdict | Awaitable[SsrfVerdict]]
"""A check of a URL in the place of ours."""


class NetError(Exception):
    """A request that was refused, or that no usable response came of.

    ``code`` is one of ``gradestone.codes.CODES``; ``reason`` is one line that holds no secret: of a URL it tells the
    scheme, the host and the port at most.
    """

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeDeps:
    """What graders that leave the process work with.

    Args:
        fetch: sends a `Request` and returns a `Response`, in the place of our transport; sync or async. A function that
            is not async is called in a thread.
        ssrf_check: says of a URL whether it may be asked, in the place of our guard; sync or async.
        allow_hosts: endpoints that are trusted although their addresses are not public, each exactly ``host:port``,
            such as ``127.0.0.1:8080``; without a port both 80 and 443 are meant, each under its scheme.
        subject_model: the model that wrote the candidates, where the grader's option does not say.
        timeout_s: seconds of a whole call where the grader's option does not say.
        registry: the registry whose prompts are sent, or its file; by default that of ``$GRADESTONE_REGISTRY``, else
            ours.
        cache: a `ReplyCache`, or the file of one: replies that were paid for are not asked for again.
        retries: how often a call of a judge is sent anew after a refused or broken connection, and after the statuses
            429 and 502 to 504; never after a reply that was read.
        ca_bundle: a file of certificates to trust in the place of the system's.
        proxy: a proxy to send through. It then resolves the names, so no address is pinned; literal addresses and names
            that resolve here are still checked. Proxies of the environment are never used.
        judge: a judge in the process, for graders that take one.

    >>> from gradestone import GradeDeps
    >>> GradeDeps(allow_hosts=["127.0.0.1:8080"], timeout_s=30).retries
    0
    """

    fetch: Fetch | None = None
    ssrf_check: SsrfCheck | None = None
    allow_hosts: tuple[str, ...] | list[str] = ()
    subject_model: str | None = None
    timeout_s: float | None = None
    registry: Registry | Path | str | None = None
    cache: ReplyCache | Path | str | None = None
    retries: int = 0
    ca_bundle: Path | str | None = None
    proxy: str | None = field(repr=False, default=None)
    judge: Callable[[str], str | Awaitable[str]] | None = None
