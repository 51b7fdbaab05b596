"""Requests over real connections: what is sent, what is read, and what each thing that goes wrong is called."""

from __future__ import annotations

import asyncio
import gzip
import logging
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from tests.net import servers
from tests.net.servers import Server
from tests.net.support import LONG, Table, refused, send

from gradestone.net import GradeDeps, NetError, Request, Response
from gradestone.net.transport import Client

SECRET = "s3cr3t"
SOON = 0.15


def ask(server: Server, **options: Any) -> Response:
    return send(server.origin + "/v1?q=1", trusted=True, **options)


def fault(handler: servers.Handler, **options: Any) -> NetError:
    with Server(handler) as server:
        return refused(f"{server.origin}/{SECRET}?{SECRET}", trusted=True, **options)


def test_what_is_sent_and_what_comes_back() -> None:
    """Method, path, headers and body arrive; the transport adds where the message ends and who it is for."""
    body = bytes(range(256)) * 100
    with Server(servers.echoes) as server:
        response = ask(
            server, body=body, headers={"Authorization": f"Bearer {SECRET}", "Content-Type": "text/x"}
        )
        (asked,) = server.requests
    assert (response.status, response.body) == (200, body)
    assert response.headers["content-length"] == "25600"
    assert (asked.method, asked.path, asked.body, asked.name) == ("POST", "/v1?q=1", body, None)
    assert asked.headers == {
        "host": server.endpoint,
        "user-agent": "gradestone/0.1.0",
        "authorization": f"Bearer {SECRET}",
        "content-type": "text/x",
        "accept-encoding": "identity",
        "content-length": "25600",
    }


def test_a_get_has_no_body() -> None:
    """And says nothing of the length of one, while an empty POST does."""
    with Server(servers.answers()) as server:
        ask(server, method="GET")
        ask(server, method="POST", headers={"user-agent": "mine"})
    assert "content-length" not in server.requests[0].headers
    assert server.requests[1].headers["content-length"] == "0"
    assert server.requests[1].headers["user-agent"] == "mine"


def test_connections_are_kept() -> None:
    """Calls one after the other to one origin share a connection; cookies are not carried over."""

    async def run(server: Server) -> None:
        async with Client(GradeDeps()) as client:
            for _ in range(3):
                request = Request("POST", server.origin)
                assert (await client.send(request, timeout_s=LONG, trusted=True)).status == 200

    with Server(servers.answers(200, b"{}", "Set-Cookie: a=b")) as server:
        asyncio.run(run(server))
    assert len(server.requests) == 3
    assert server.connections == 1
    assert not any("cookie" in asked.headers for asked in server.requests)


@pytest.mark.parametrize("status", [200, 201, 204, 226, 400, 401, 404, 418, 500, 503, 599, 999])
def test_statuses_are_answers(status: int) -> None:
    """Which of them are failures is the grader's to say."""
    with Server(servers.answers(status, b"" if status == 204 else b"{}")) as server:
        assert ask(server).status == status


def test_too_many_requests() -> None:
    """Status, header and body of a refusal are there for whoever sends anew."""
    with Server(servers.limits) as server:
        response = ask(server)
    assert (response.status, response.headers["retry-after"]) == (429, "7")
    assert response.body == b'{"error":"slow down"}'


@pytest.mark.parametrize("status", [*range(300, 309), 399])
def test_redirects_are_refused(status: int) -> None:
    """Any 3xx; where it leads is neither asked nor told."""
    with (
        Server(servers.answers()) as elsewhere,
        Server(servers.redirects(status, f"{elsewhere.origin}/{SECRET}")) as server,
    ):
        error = refused(server.origin, trusted=True)
    assert error.code == "redirected"
    assert error.reason == f'"{server.origin}" answered {status}: redirects are not followed'
    assert elsewhere.connections == 0


@pytest.mark.parametrize(
    "handler", [servers.never_answers, servers.stalls_in_body, servers.drips], ids=lambda one: one.__name__
)
def test_the_deadline_is_over_headers_and_body(handler: servers.Handler) -> None:
    """One deadline ends a call wherever it waits; bytes that keep coming do not move it."""
    started = time.monotonic()
    error = fault(handler, timeout_s=SOON)
    assert error.code == "timeout"
    assert "no answer within 0.15 s" in error.reason
    assert SECRET not in error.reason
    assert time.monotonic() - started >= SOON


def test_the_deadline_is_over_tls(ca_bundle: Path) -> None:
    """A peer that accepts and says nothing while TLS is set up."""
    with Server(servers.answers(), on_connect=lambda peer: peer.closing.wait(servers.PATIENCE)) as server:
        error = refused(
            f"https://127.0.0.1:{server.port}/",
            trusted=True,
            timeout_s=SOON,
            deps=GradeDeps(ca_bundle=ca_bundle),
        )
    assert error.code == "timeout"


def test_the_deadline_is_over_the_look_up() -> None:
    """A resolver that does not answer, async or in its thread."""

    async def never(_host: str, _port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    done = threading.Event()

    def blocks(_host: str, _port: int) -> list[str]:
        done.wait(servers.PATIENCE)
        return []

    for resolver in (never, blocks):
        assert refused("http://a.test/", resolver=resolver, timeout_s=SOON).code == "timeout"
    done.set()


@pytest.mark.parametrize("timeout_s", [0, 0.0, -1, float("nan")])
def test_no_time_at_all(timeout_s: float) -> None:
    """At 0 the deadline is over before anything is looked up or dialled."""
    table = Table(a_test=[["127.0.0.1"]])
    assert refused("http://a.test/", resolver=table, trusted=True, timeout_s=timeout_s).code == "timeout"
    assert table.asked == []


def test_a_client_survives_its_timeouts() -> None:
    """A call that timed out gives its connection back, so the only one there is serves the next call."""

    def handle(peer: servers.Peer, asked: servers.Asked) -> None:
        (servers.never_answers if asked.path == "/slow" else servers.echoes)(peer, asked)

    async def run(server: Server) -> None:
        async with Client(GradeDeps(), connections=1) as client:
            for _ in range(3):
                with pytest.raises(NetError, match="no answer"):
                    await client.send(Request("GET", f"{server.origin}/slow"), timeout_s=0.05, trusted=True)
            response = await client.send(
                Request("POST", server.origin, body=b"x"), timeout_s=LONG, trusted=True
            )
            assert response.body == b"x"

    with Server(handle) as server:
        asyncio.run(run(server))


def test_waiting_for_a_connection_counts() -> None:
    """A call that finds every connection taken waits within its deadline."""

    def handle(peer: servers.Peer, asked: servers.Asked) -> None:
        reached.set()
        servers.never_answers(peer, asked)

    async def run(server: Server) -> None:
        async with Client(GradeDeps(), connections=1) as client:
            request = Request("GET", server.origin)
            first = asyncio.create_task(client.send(request, timeout_s=LONG, trusted=True))
            await asyncio.to_thread(reached.wait, servers.PATIENCE)
            with pytest.raises(NetError) as caught:
                await client.send(request, timeout_s=SOON, trusted=True)
            assert (caught.value.code, server.connections) == ("timeout", 1)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)

    reached = threading.Event()
    with Server(handle) as server:
        asyncio.run(run(server))


def test_many_calls_at_once() -> None:
    """More calls than connections: each gets its own answer."""

    async def run(server: Server) -> list[Response]:
        async with Client(GradeDeps(), connections=4) as client:
            requests = [Request("POST", server.origin, body=b"%d" % number) for number in range(40)]
            return await asyncio.gather(
                *(client.send(each, timeout_s=LONG, trusted=True) for each in requests)
            )

    with Server(servers.echoes) as server:
        responses = asyncio.run(run(server))
    assert [response.body for response in responses] == [b"%d" % number for number in range(40)]
    assert server.connections <= 4


UNREACHABLE: dict[str, tuple[servers.Handler, str]] = {
    "truncated body": (servers.truncates, "ended before it was whole"),
    "chunked body without an end": (
        servers.sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
        "ended before it was whole",
    ),
    "status line that is none": (servers.malforms, "is not HTTP"),
    "TLS where none was asked for": (servers.sends(b"\x15\x03\x01\x00\x02\x02\x46"), "is not HTTP"),
    "no answer at all": (servers.sends(), "ended before it was whole"),
    "half a head": (servers.sends(b"HTTP/1.1 200 OK\r\nContent-Le"), "ended before it was whole"),
    "two lengths": (
        servers.sends(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}1"),
        "is not HTTP",
    ),
    "length that is no number": (
        servers.sends(b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}"),
        "is not HTTP",
    ),
    "head without an end": (servers.sends(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 50_000), "is not HTTP"),
    "chunk that is none": (
        servers.sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"),
        "is not HTTP",
    ),
    "reset": (servers.resets, "the connection broke"),
    "coding that was not asked for": (servers.answers(200, b"{}", "Content-Encoding: br"), "content coding"),
    "two codings": (servers.answers(200, b"{}", "Content-Encoding: gzip, gzip"), "content coding"),
    "gzip that is none": (
        servers.answers(200, b"{}", "Content-Encoding: gzip"),
        "compressed answer is damaged",
    ),
    "gzip cut short": (
        servers.answers(200, gzip.compress(b"{}")[:-1], "Content-Encoding: gzip"),
        "cut short",
    ),
    "gzip with more after it": (
        servers.answers(200, gzip.compress(b"{}") + b"{}", "Content-Encoding: gzip"),
        "damaged",
    ),
    "deflate that is none": (servers.answers(200, b"{}{}", "Content-Encoding: deflate"), "damaged"),
}


@pytest.mark.parametrize("kind", UNREACHABLE)
def test_unreachable(kind: str) -> None:
    """Whatever is no whole answer is one code, and words that say what happened without quoting the peer."""
    handler, words = UNREACHABLE[kind]
    error = fault(handler, timeout_s=LONG)
    assert error.code == "unreachable", error.reason
    assert words in error.reason
    assert SECRET not in error.reason
    assert "HELLO" not in error.reason
    assert error.reason.isprintable()


def test_nobody_listens() -> None:
    """A port that refuses."""
    error = refused(f"http://127.0.0.1:{servers.closed_port()}/", trusted=True)
    assert (error.code, error.reason.partition(": ")[2]) == ("unreachable", "no connection could be made")


def test_reset_while_connecting(ca_bundle: Path) -> None:
    """A peer that breaks the connection before TLS is up."""
    with Server(servers.answers(), on_connect=servers.Peer.reset) as server:
        error = refused(
            f"https://127.0.0.1:{server.port}/", trusted=True, deps=GradeDeps(ca_bundle=ca_bundle)
        )
    assert error.code == "unreachable"


def test_headers_come_back_in_lowercase() -> None:
    """Repeated ones are joined, and bytes that are no ASCII are kept."""
    with Server(servers.answers(200, b"{}", "X-A: 1", "x-a: 2", "X-B: \xe9")) as server:
        headers = ask(server).headers
    assert (headers["x-a"], headers["x-b"]) == ("1, 2", "é")


@pytest.mark.parametrize(
    "headers",
    [{"Host": "a"}, {"content-length": "1"}, {"Transfer-Encoding": "chunked"}, {"connection": "x"}, {"Upgrade": "x"},
     {"accept-encoding": "gzip"}, {"proxy-authorization": SECRET}, {"x": f"{SECRET}\r\nhost: a"}, {"x": f"{SECRET}\n"},
     {"x": f" {SECRET}"}, {"x": f"{SECRET} "}, {"x": f"{SECRET}\x00"}, {"x": f"{SECRET}é"}, {"x y": "1"}, {"": "1"},
     {"x:": "1"}, {"x\n": "1"}, {"é": "1"}, {"x": 1}, {1: "x"}, {"x": None}, {"X-A": "1", "x-a": "1"}, [("x", "1")]],
)  # fmt: skip
def test_headers_that_cannot_be_sent(headers: Any) -> None:
    """They are refused before anything is dialled, by name; values are secrets and not told."""
    error = refused("http://127.0.0.1:1/", trusted=True, headers=headers)
    assert error.code == "invalid_option"
    assert SECRET not in error.reason


@pytest.mark.parametrize(
    "options", [{"method": "CONNECT"}, {"method": "get"}, {"method": "A B"}, {"method": ""}, {"body": "x"}]
)
def test_requests_that_cannot_be_sent(options: Any) -> None:
    """A method or a body that is none is refused before anything is dialled."""
    assert refused("http://127.0.0.1:1/", trusted=True, **options).code == "invalid_option"


def test_values_of_headers() -> None:
    """Empty ones and inner white space are sent as they are."""
    with Server(servers.answers()) as server:
        ask(server, headers={"x-a": "", "x-b": "a \t b", "x-c": "~"})
    (asked,) = server.requests
    assert [asked.headers[name] for name in ("x-a", "x-b", "x-c")] == ["", "a \t b", "~"]


def test_ipv6() -> None:
    """An address in brackets is dialled, and the header has the brackets."""
    with Server(servers.answers(), host="::1") as server:
        assert send(server.origin, deps=GradeDeps(allow_hosts=[server.endpoint])).status == 200
    assert server.requests[0].headers["host"] == f"[::1]:{server.port}"


def test_cancellation_passes_through() -> None:
    """A call that is cancelled ends as cancelled, and leaves the client usable."""

    def handle(peer: servers.Peer, asked: servers.Asked) -> None:
        if asked.path != "/slow":
            return servers.echoes(peer, asked)
        reached.set()
        return servers.never_answers(peer, asked)

    async def run(server: Server) -> None:
        async with Client(GradeDeps(), connections=1) as client:
            call = asyncio.create_task(
                client.send(Request("GET", f"{server.origin}/slow"), timeout_s=LONG, trusted=True)
            )
            await asyncio.to_thread(reached.wait, servers.PATIENCE)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert (
                await client.send(Request("POST", server.origin), timeout_s=LONG, trusted=True)
            ).status == 200

    reached = threading.Event()
    with Server(handle) as server:
        asyncio.run(run(server))


def test_secrets_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    """Not in ours and not in those of the packages below, at any level; nor in a refusal or a repr."""
    headers = {"authorization": f"Bearer {SECRET}", "x-key": SECRET}
    with caplog.at_level(logging.DEBUG), Server(servers.answers()) as server:
        send(f"{server.origin}/{SECRET}?{SECRET}", trusted=True, headers=headers, body=SECRET.encode())
        refused(f"http://127.0.0.1:{servers.closed_port()}/{SECRET}", trusted=True, headers=headers)
    assert "trusted endpoint" in caplog.text
    assert SECRET not in caplog.text
    request = Request("POST", f"http://x/{SECRET}", headers, SECRET.encode())
    response = Response(200, headers, SECRET.encode())
    assert SECRET not in f"{request!r}{response!r}{GradeDeps(proxy=f'http://u:{SECRET}@x:1')!r}"


@pytest.mark.parametrize("missing", ["httpx2", "httpcore2"])
def test_without_the_client(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Where httpx2 is not installed, our transport is an error that says so, and the caller's works."""
    monkeypatch.delitem(sys.modules, "gradestone.net.wire", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"pip install 'gradestone\[judges\]'"):
        Client(GradeDeps())
    assert send("http://8.8.8.8/", deps=GradeDeps(fetch=lambda _request: Response(200))).status == 200


@pytest.mark.parametrize(
    "options", [{"allow_hosts": ["*"]}, {"allow_hosts": "127.0.0.1:80"}, {"ca_bundle": "/nowhere.pem"}]
)
def test_what_cannot_be_used_is_said_at_once(options: Any) -> None:
    """Misconfiguration is an error of making the client, and names what is wrong."""
    with pytest.raises(ValueError, match=next(iter(options))):
        Client(GradeDeps(**options))


def test_a_bundle_without_certificates(tmp_path: Path) -> None:
    """A file that holds none is told by its name."""
    (tmp_path / "empty.pem").write_text("nothing")
    with pytest.raises(ValueError, match=r"ca_bundle: .*empty\.pem.* holds no certificates"):
        Client(GradeDeps(ca_bundle=tmp_path / "empty.pem"))
