"""Real servers on loopback that behave as they are told and keep what they were asked.

>>> with Server(answers(200, b"{}")) as server:
...     ...  # server.origin, server.port, server.requests, server.connections
"""

from __future__ import annotations

import select
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import trustme

PATIENCE = 30.0
"""Seconds after which a server gives up on a client: no test waits for it, but none can hang either."""


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    name: str | None
    """The server name that TLS was asked for."""


@dataclass
class Peer:
    """One accepted connection, for a handler to answer on."""

    socket: socket.socket
    closing: threading.Event
    """Set when the server ends: what a slow handler waits for."""
    keep: bool = field(default=False)
    """Whether a further request is read after this one; a handler sets it."""

    def send(self, *parts: bytes) -> None:
        self.socket.sendall(b"".join(parts))

    def reset(self) -> None:
        """Close so that the client sees a reset and no end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


Handler = Callable[[Peer, Asked], None]


class Server:
    """A server on a free port of one loopback address, in threads of its own, from ``with`` to the end of it.

    Args:
        handler: answers a request.
        authority: who signs the certificate; None for plain HTTP.
        names: the names that the certificate holds.
        host: the address to listen on.
        on_connect: called with every connection in the place of all else, before TLS and before anything is read.
    """

    def __init__(
        self,
        handler: Handler,
        *,
        authority: trustme.CA | None = None,
        names: Sequence[str] = ("localhost",),
        host: str = "127.0.0.1",
        on_connect: Callable[[Peer], None] | None = None,
    ) -> None:
        self.requests: list[Asked] = []
        self.connections = 0
        self.host = host
        self._handler = handler
        self._on_connect = on_connect
        self._tls = None if authority is None else _tls(authority, names)
        self._closing = threading.Event()
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.create_server((host, 0), family=family, backlog=128)
        self.port: int = self._listener.getsockname()[1]

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}"

    @property
    def endpoint(self) -> str:
        """What ``allow_hosts`` takes."""
        return self.origin.partition("://")[2]

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE)
        self._listener.close()

    def _start(self, target: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            connection.settimeout(PATIENCE)
            with self._lock:
                self._open.add(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        spoken = connection
        try:
            if self._on_connect is not None:
                self._on_connect(Peer(connection, self._closing))
                return
            name: str | None = None
            if self._tls is not None:
                spoken, name = self._handshake(connection)
            self._converse(spoken, name)
        except (OSError, ssl.SSLError, ValueError):
            return
        finally:
            with self._lock:
                self._open -= {connection, spoken}
            spoken.close()
            connection.close()

    def _handshake(self, connection: socket.socket) -> tuple[ssl.SSLSocket, str | None]:
        assert self._tls is not None
        names: list[str] = []
        context = self._tls()
        context.sni_callback = lambda _socket, name, _context: names.append(name or "")
        spoken = context.wrap_socket(connection, server_side=True)
        with self._lock:
            self._open.add(spoken)
        return spoken, next(iter(names), None) or None

    def _converse(self, connection: socket.socket, name: str | None) -> None:
        peer = Peer(connection, self._closing, keep=True)
        with connection.makefile("rb") as stream:
            while peer.keep and not self._closing.is_set():
                asked = _read_request(stream, name)
                if asked is None:
                    return
                self.requests.append(asked)
                peer.keep = False
                self._handler(peer, asked)


def _read_request(stream: Iterator[bytes], name: str | None) -> Asked | None:
    first = stream.readline()  # type: ignore[attr-defined]
    if not first:
        return None
    method, path, _ = first.decode("latin-1").split(" ", 2)
    headers: dict[str, str] = {}
    while (line := stream.readline().strip()) != b"":  # type: ignore[attr-defined]
        key, _, value = line.decode("latin-1").partition(":")
        headers[key.strip().lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", "0")))  # type: ignore[attr-defined]
    return Asked(method, path, headers, body, name)


def _tls(authority: trustme.CA, names: Sequence[str]) -> Callable[[], ssl.SSLContext]:
    certificate = authority.issue_cert(*names)

    def context() -> ssl.SSLContext:
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(made)
        return made

    return context


def bundle(authority: trustme.CA, folder: Path) -> Path:
    """Write the authority's certificate where ``ca_bundle`` can read it."""
    path = folder / "authority.pem"
    authority.cert_pem.write_to_path(str(path))
    return path


def message(status: int, body: bytes = b"", *lines: str) -> bytes:
    """The bytes of an answer with its length."""
    head = [f"HTTP/1.1 {status} Any", *lines, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(head).encode("latin-1") + body


def answers(status: int = 200, body: bytes = b"{}", *lines: str) -> Handler:
    """Answer every request alike, and keep the connection."""

    def handle(peer: Peer, _asked: Asked) -> None:
        peer.keep = True
        peer.send(message(status, body, *lines))

    return handle


def echoes(peer: Peer, asked: Asked) -> None:
    """Answer with the body of the request, and keep the connection."""
    peer.keep = True
    peer.send(message(200, asked.body))


def sends(*parts: bytes) -> Handler:
    """Send exactly these bytes and close."""
    return lambda peer, _asked: peer.send(*parts)


def truncates(peer: Peer, _asked: Asked) -> None:
    """Promise ten bytes more than are sent."""
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{}  ")


def malforms(peer: Peer, _asked: Asked) -> None:
    """Send a status line that is none."""
    peer.send(b"HELLO 200 there\r\n\r\n")


def redirects(status: int, location: str) -> Handler:
    """Point elsewhere."""
    return answers(status, b"", f"Location: {location}")


def limits(peer: Peer, _asked: Asked) -> None:
    """Refuse as one that is asked too often."""
    peer.keep = True
    peer.send(message(429, b'{"error":"slow down"}', "Retry-After: 7"))


def resets(peer: Peer, _asked: Asked) -> None:
    """Break the connection."""
    peer.reset()


def never_answers(peer: Peer, _asked: Asked) -> None:
    """Say nothing until the server ends."""
    peer.closing.wait(PATIENCE)


def stalls_in_body(peer: Peer, _asked: Asked) -> None:
    """Send the head and the beginning of a body, and then nothing until the server ends."""
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    peer.closing.wait(PATIENCE)


def never_ends(peer: Peer, _asked: Asked) -> None:
    """Send a body in chunks until the client or the server has had enough."""
    peer.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    while not peer.closing.is_set():
        peer.send(chunk)


def drips(peer: Peer, _asked: Asked) -> None:
    """Send a body byte by byte, each soon enough, and never its end."""
    peer.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not peer.closing.wait(0.01):
        peer.send(b"1\r\n \r\n")


def relay(peer: Peer, address: tuple[str, int]) -> None:
    """Carry bytes between a client and another server until either ends: the tunnel of a proxy."""
    with socket.create_connection(address, PATIENCE) as there:
        ends = {peer.socket: there, there: peer.socket}
        while readable := select.select(list(ends), [], [], PATIENCE)[0]:
            for end in readable:
                data = end.recv(1 << 16)
                if not data:
                    return
                ends[end].sendall(data)


def closed_port(host: str = "127.0.0.1") -> int:
    """A port that nothing listens on."""
    with socket.create_server((host, 0)) as listener:
        return int(listener.getsockname()[1])
