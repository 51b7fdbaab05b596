"""Bodies of answers: how much of one is read, and what undoes a content coding."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import pytest
from tests.net import servers
from tests.net.servers import Server
from tests.net.support import refused, send

from gradestone.net import NetError, Response
from gradestone.net.refusals import BODY_CAP


def ask(server: Server) -> Response:
    return send(server.origin, trusted=True)


def fault(handler: servers.Handler) -> NetError:
    with Server(handler) as server:
        return refused(server.origin, trusted=True)


def test_a_body_at_the_cap() -> None:
    """A mebibyte is read, one byte more is not."""
    with Server(servers.answers(200, b" " * BODY_CAP)) as server:
        assert len(ask(server).body) == BODY_CAP
    assert fault(servers.answers(200, b" " * (BODY_CAP + 1))).code == "response_too_large"


def test_a_declared_length_over_the_cap() -> None:
    """Refused before a byte of the body is there."""

    def handle(peer: servers.Peer, asked: servers.Asked) -> None:
        peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1048577\r\n\r\n")
        servers.never_answers(peer, asked)

    assert fault(handle).code == "response_too_large"


def test_a_body_without_an_end() -> None:
    """Reading stops at the cap, however fast the peer sends."""
    assert fault(servers.never_ends).code == "response_too_large"


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "GZip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate ": raw_deflate,
    "identity": bytes,
}


@pytest.mark.parametrize("coding", PACKERS)
def test_content_codings(coding: str) -> None:
    """Compression that was not asked for is undone all the same, and the cap counts what comes out."""
    pack = PACKERS[coding]
    line = f"Content-Encoding: {coding}"
    with Server(servers.answers(200, pack(b'{"passed":true}'), line)) as server:
        assert ask(server).body == b'{"passed":true}'
    with Server(servers.answers(200, pack(b" " * BODY_CAP), line)) as server:
        assert len(ask(server).body) == BODY_CAP
    assert fault(servers.answers(200, pack(b" " * (BODY_CAP + 1)), line)).code == "response_too_large"


def test_a_bomb_is_not_unpacked() -> None:
    """A body that unpacks to a thousand times its size is refused at the cap."""
    error = fault(servers.answers(200, gzip.compress(bytes(1 << 26)), "Content-Encoding: gzip"))
    assert error.code == "response_too_large"
