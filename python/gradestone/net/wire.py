"""Sends requests over connections that are dialled to checked addresses only.

The pool of connections is httpcore2's, below httpx2's client: that client would read the URL once more, keep cookies
from one call to the next, and write whole URLs into the log. The pool is told scheme, host and port, which stay the
name of the TLS certificate, the header ``host`` and the key that a connection is reused by; only the dialling of a new
connection is ours, and it goes to the addresses that were admitted for this very call.
"""

from __future__ import annotations

import re
import ssl
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

import httpcore2
import httpx2

import gradestone
from gradestone.net.addresses import Address
from gradestone.net.guard import system_resolver
from gradestone.net.refusals import BODY_CAP, refuse_redirect, too_large, unreachable
from gradestone.net.types import NetError, Request, Response
from gradestone.net.urls import DEFAULT_PORTS, Target, read_endpoint
from gradestone.verdict import quote

IDLE_S: Final = 5.0
"""Seconds that an unused connection is kept."""

_METHOD: Final = re.compile(r"[A-Z]+")
_HEADER_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_HEADER_VALUE: Final = re.compile(r"|[!-~]|[!-~][ -~\t]*[!-~]")

_OURS: Final = frozenset(
    {
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
"""Headers that say where a message ends, who it is for, or how it is carried: the transport's, never a caller's."""

_WINDOWS: Final = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}
"""zlib's ``wbits`` by content coding; what servers call deflate is with or without zlib's header."""


class Admitted(NamedTuple):
    """The addresses that the call of this context may dial, and for which endpoint."""

    host: str
    port: int
    addresses: Sequence[Address]


_ADMITTED: Final[ContextVar[Admitted | None]] = ContextVar("admitted", default=None)


class _Stream(httpcore2.AsyncNetworkStream):
    """A connection that is closed when a call is cancelled while TLS is set up, which httpcore2 leaves open."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.AsyncNetworkStream:
        try:
            return await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            await self._stream.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Dialler(httpcore2.AsyncNetworkBackend):
    """Dials the addresses of an endpoint one after the other, each with its share of the time that is left."""

    def __init__(self) -> None:
        self._backend = httpcore2.AnyIOBackend()

    async def addresses_of(self, host: str, port: int) -> Sequence[str]:
        raise NotImplementedError

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        addresses = await self.addresses_of(host, port)
        share = None if timeout is None else timeout / max(len(addresses), 1)
        for address in addresses:
            try:
                stream = await self._backend.connect_tcp(address, port, share, local_address, socket_options)
                return _Stream(stream)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        raise httpcore2.ConnectError("no address answered")


class PinnedDialler(_Dialler):
    """Dials what was admitted for the call of this context, and nothing else."""

    async def addresses_of(self, host: str, port: int) -> Sequence[str]:
        """Return the admitted addresses; none for an endpoint that is not the call's."""
        admitted = _ADMITTED.get()
        if admitted is None or (admitted.host, admitted.port) != (host, port):
            return ()
        return [str(address) for address in admitted.addresses]


class ProxyDialler(_Dialler):
    """Dials the proxy that the operator named, and nothing else; its name is looked up for each connection."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__()
        self._endpoint = (host, port)

    async def addresses_of(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of the proxy; none for any other endpoint."""
        if (host, port) != self._endpoint:
            return ()
        try:
            return await system_resolver(host, port)
        except (OSError, UnicodeError):
            return ()


class Wire:
    """Pools of connections, and how one request and its answer go over them.

    Trusted and guarded calls have a pool each: a connection that was dialled under trust may lead to any address, and
    must not serve a guarded call to the same origin.

    Raises `ValueError` for certificates that cannot be read and for a proxy that is no URL of one.
    """

    def __init__(self, *, ca_bundle: Path | str | None, proxy: str | None, connections: int) -> None:
        tls = _tls(ca_bundle)
        way, dialler = (None, PinnedDialler()) if proxy is None else _read_proxy(proxy, ca_bundle)
        self._pools = {
            trusted: httpcore2.AsyncConnectionPool(
                ssl_context=tls,
                proxy=way,
                max_connections=connections,
                max_keepalive_connections=connections,
                keepalive_expiry=IDLE_S,
                network_backend=dialler,
            )
            for trusted in (False, True)
        }

    async def aclose(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            await pool.aclose()

    async def ask(
        self,
        target: Target,
        request: Request,
        addresses: Sequence[Address],
        *,
        trusted: bool,
        timeout_s: float,
    ) -> Response:
        """Send a request and return its answer, whole and decoded.

        Raises `NetError`: ``invalid_option`` for a request that is no HTTP, ``unreachable``, ``redirected`` or
        ``response_too_large``.
        """
        outgoing = _outgoing(target, request, timeout_s)
        token = _ADMITTED.set(Admitted(target.bracketed, target.port, addresses))
        try:
            with _told(target):
                response = await self._pools[trusted].handle_async_request(outgoing)
                try:
                    return await _read(target, response)
                finally:
                    await response.aclose()
        finally:
            _ADMITTED.reset(token)


def _tls(ca_bundle: Path | str | None) -> ssl.SSLContext:
    if ca_bundle is None:
        return httpx2.create_ssl_context(trust_env=False)
    try:
        return ssl.create_default_context(cafile=str(ca_bundle))
    except OSError as error:
        why = (
            error.strerror
            if isinstance(error, FileNotFoundError | PermissionError)
            else "it holds no certificates"
        )
        raise ValueError(f"ca_bundle: {quote(str(ca_bundle))} cannot be used: {why}") from None


def _read_proxy(proxy: str, ca_bundle: Path | str | None) -> tuple[httpcore2.Proxy, ProxyDialler]:
    try:
        parts = urlsplit(proxy)
        host, port, _ = read_endpoint(parts.netloc.rpartition("@")[2])
        auth = None if parts.username is None else (_plain(parts.username), _plain(parts.password or ""))
    except ValueError:
        raise _bad_proxy() from None
    if parts.scheme not in DEFAULT_PORTS or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise _bad_proxy()
    port = port or DEFAULT_PORTS[parts.scheme]
    # The host of a proxy is in no header and no target, but it is the name in the certificate: no brackets.
    url = httpcore2.URL(scheme=parts.scheme, host=host, port=port, target="/")
    tls = _tls(ca_bundle) if parts.scheme == "https" else None
    return httpcore2.Proxy(url, auth, ssl_context=tls), ProxyDialler(host, port)


def _plain(text: str) -> bytes:
    return unquote(text).encode("utf-8")


def _bad_proxy() -> ValueError:
    return ValueError("proxy: it is no http:// or https:// URL of a host and a port")


def _outgoing(target: Target, request: Request, timeout_s: float) -> httpcore2.Request:
    if (
        not isinstance(request.method, str)
        or not _METHOD.fullmatch(request.method)
        or request.method == "CONNECT"
    ):
        raise NetError("invalid_option", "the method of the request cannot be sent")
    if not isinstance(request.body, bytes):
        raise NetError("invalid_option", "the body of the request is no bytes")
    headers = {"host": target.authority, **_checked_headers(request.headers), "accept-encoding": "identity"}
    headers.setdefault("user-agent", f"gradestone/{gradestone.__version__}")
    if request.body or request.method not in ("GET", "HEAD", "DELETE", "OPTIONS"):
        headers["content-length"] = str(len(request.body))
    default = target.port == DEFAULT_PORTS[target.scheme]
    url = httpcore2.URL(
        scheme=target.scheme,
        host=target.bracketed,
        port=None if default else target.port,
        target=target.resource,
    )
    return httpcore2.Request(
        request.method,
        url,
        headers=[(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()],
        content=request.body,
        extensions={"timeout": {"connect": timeout_s}, "sni_hostname": target.host},
    )


def _checked_headers(given: object) -> dict[str, str]:
    if not isinstance(given, Mapping):
        raise NetError("invalid_option", "the headers of the request are no mapping")
    headers: dict[str, str] = {}
    for name, value in given.items():
        lower = _checked_header(name, value)
        if lower in headers:
            raise NetError("invalid_option", f"the header {quote(lower)} is given twice")
        headers[lower] = value
    return headers


def _checked_header(name: object, value: object) -> str:
    if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
        raise NetError("invalid_option", "the name of a header cannot be sent")
    if name.lower() in _OURS:
        raise NetError("invalid_option", f"the header {quote(name)} is set by the transport")
    if not isinstance(value, str) or not _HEADER_VALUE.fullmatch(value):
        raise NetError(
            "invalid_option",
            f"the value of the header {quote(name)} cannot be sent: "
            "it is printable ASCII, and neither begins nor ends with white space",
        )
    return name.lower()


async def _read(target: Target, response: httpcore2.Response) -> Response:
    refuse_redirect(target, response.status)
    headers: dict[str, str] = {}
    for raw_name, raw_value in response.headers:
        name, value = raw_name.decode("ascii").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    declared = headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > BODY_CAP:
        raise too_large(target)
    body = bytearray()
    async with aclosing(response.aiter_stream()) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) > BODY_CAP:
                raise too_large(target)
    return Response(
        response.status, headers, _decoded(target, bytes(body), headers.get("content-encoding", ""))
    )


def _decoded(target: Target, body: bytes, coding: str) -> bytes:
    coding = coding.strip().lower()
    if coding in ("", "identity") or not body:
        return body
    if coding not in _WINDOWS:
        raise unreachable(target, "the answer has a content coding that was not asked for")
    for wbits in _WINDOWS[coding]:
        stream = zlib.decompressobj(wbits)
        try:
            plain = stream.decompress(body, BODY_CAP + 1)
        except zlib.error:
            continue
        if len(plain) > BODY_CAP:
            raise too_large(target)
        if stream.eof and not stream.unused_data:
            return plain
    raise unreachable(target, "the compressed answer is damaged or cut short")


@contextmanager
def _told(target: Target) -> Iterator[None]:
    """Tell in words of ours what went wrong: texts of exceptions quote what an endpoint or a proxy said."""
    try:
        yield
    except NetError:
        raise
    except Exception as error:
        raise unreachable(target, _words(error)) from None


def _words(error: Exception) -> str:
    cause = error.args[0] if error.args else None
    for told in (cause, error):
        for kinds, words in _WORDS:
            if isinstance(told, kinds):
                return words
    return f"the call failed with {type(error).__name__}"


_WORDS: Final[tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...]] = (
    (ssl.SSLCertVerificationError, "its certificate is not trusted, or is not for this host"),
    (ssl.SSLError, "TLS could not be set up"),
    ((httpcore2.ConnectError, httpcore2.ConnectTimeout), "no connection could be made"),
    (httpcore2.ProxyError, "the proxy did not open a connection to it"),
    (httpcore2.RemoteProtocolError, "the answer is not HTTP, or ended before it was whole"),
    (httpcore2.NetworkError, "the connection broke"),
)
"""By the kind of an exception, or of the one that it was made of; the first that fits."""
