"""The caller's own transport: what is still ours to decide, and what becomes of whatever it does."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from tests.net import servers
from tests.net.conftest import Watch
from tests.net.support import Fetch, Table, WeirdError, refused, send

from gradestone.net import GradeDeps, NetError, Request, Response, SsrfVerdict
from gradestone.net.refusals import BODY_CAP
from gradestone.net.transport import Client

SECRET = "s3cr3t"
SOON = 0.15


def test_it_gets_the_request_with_the_canonical_url(watch: Watch) -> None:
    """What it sends is what was checked; nothing is looked up or dialled by us."""
    fetch, table = Fetch(), Table()
    response = send(
        "HTTP://A.test.:80/x", deps=GradeDeps(fetch=fetch), resolver=table, headers={"x": "1"}, body=b"body"
    )
    assert response.body == b"{}"
    assert fetch.asked == [Request("POST", "http://a.test/x", {"x": "1"}, b"body")]
    assert (table.asked, watch.dialled, watch.resolved) == ([], [], [])


async def as_coroutine(_request: Request) -> Response:
    await asyncio.sleep(0)
    return Response(201)


class AsyncCallable:
    async def __call__(self, _request: Request) -> Response:
        await asyncio.sleep(0)
        return Response(202)


def as_function(request: Request) -> Any:
    return as_coroutine(request)


def test_sync_and_async() -> None:
    """A function, a coroutine function, an object with an async call, and a function that returns a coroutine."""
    fetches: list[Any] = [Fetch(), as_coroutine, AsyncCallable(), as_function]
    assert [send("http://a.test/", deps=GradeDeps(fetch=fetch)).status for fetch in fetches] == [
        200,
        201,
        202,
        201,
    ]


def test_a_sync_function_does_not_hold_up_the_loop() -> None:
    """It runs in a thread, beside others."""
    both = threading.Barrier(2, timeout=servers.PATIENCE)

    def fetch(_request: Request) -> Response:
        both.wait()
        return Response(200)

    async def run() -> list[Response]:
        client = Client(GradeDeps(fetch=fetch))
        calls = [client.send(Request("GET", "http://a.test/"), timeout_s=20) for _ in range(2)]
        return await asyncio.gather(*calls)

    assert [response.status for response in asyncio.run(run())] == [200, 200]


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://169.254.169.254/", "http://[::1]/", "http://[::ffff:8.8.8.8]/", "http://localhost/",
     "http://metadata.google.internal/", "http://2130706433/", "http://a@8.8.8.8/", "ftp://8.8.8.8/", "http://8.8.8.8/#"],
)  # fmt: skip
def test_what_the_url_shows_is_still_refused(url: str) -> None:
    """Spellings, literal addresses and the names of private networks; the transport is not called."""
    fetch = Fetch()
    assert refused(url, deps=GradeDeps(fetch=fetch)).code == "blocked_url"
    assert fetch.asked == []


def test_trust_admits_literal_addresses() -> None:
    """The operator's word, by the call or by allow_hosts."""
    assert send("http://127.0.0.1/", deps=GradeDeps(fetch=Fetch()), trusted=True).status == 200
    assert (
        send("http://127.0.0.1:81/", deps=GradeDeps(fetch=Fetch(), allow_hosts=["127.0.0.1:81"])).status
        == 200
    )
    assert (
        refused("http://127.0.0.1:82/", deps=GradeDeps(fetch=Fetch(), allow_hosts=["127.0.0.1:81"])).code
        == "blocked_url"
    )


@pytest.mark.parametrize(
    "error",
    [WeirdError(), OSError(SECRET), TimeoutError(SECRET), NetError("ok", SECRET), SystemExit(0), StopIteration(SECRET),
     StopAsyncIteration(), asyncio.CancelledError(), AssertionError(), BaseException(SECRET),
     ExceptionGroup(SECRET, [OSError(SECRET)])],
    ids=repr,
)  # fmt: skip
def test_whatever_it_raises_is_unreachable(error: BaseException) -> None:
    """Its kind is told and its text is not; SystemExit and a cancellation of its own end no more than the call."""

    def fetch(_request: Request) -> Response:
        raise error

    async def afetch(_request: Request) -> Response:
        raise error

    for each in (fetch, afetch):
        found = refused("http://a.test/", deps=GradeDeps(fetch=each))
        assert found.code == "unreachable"
        assert "the transport raised " in found.reason
        assert SECRET not in found.reason


class Status(int):
    pass


@pytest.mark.parametrize(
    "answer",
    [False, 200, "{}", {"status": 200}, SsrfVerdict(True), Response("200"), Response(True), Response(200.0),
     Response(Status(200)), Response(0), Response(-200), Response(1000), Response(200, {}, "{}"),
     Response(200, {}, bytearray(b"{}")), Response(200, {}, None), Response(200, None), Response(200, [])],
    ids=repr,
)  # fmt: skip
def test_whatever_is_no_response_is_unreachable(answer: Any) -> None:
    """A status, headers and bytes, or nothing came."""
    found = refused("http://a.test/", deps=GradeDeps(fetch=Fetch(answer)))
    assert (found.code, "the transport returned" in found.reason) == ("unreachable", True)


def test_nothing_is_no_response() -> None:
    """A function that forgot to return."""
    assert refused("http://a.test/", deps=GradeDeps(fetch=lambda _request: None)).code == "unreachable"  # type: ignore[arg-type,return-value]


def test_redirects_and_caps_hold() -> None:
    """As for our transport; other statuses are returned."""
    for status in (300, 301, 304, 308, 399):
        found = refused("http://a.test/", deps=GradeDeps(fetch=Fetch(Response(status, {"location": SECRET}))))
        assert (found.code, SECRET in found.reason) == ("redirected", False)
    found = refused("http://a.test/", deps=GradeDeps(fetch=Fetch(Response(200, {}, b" " * (BODY_CAP + 1)))))
    assert found.code == "response_too_large"
    assert (
        len(send("http://a.test/", deps=GradeDeps(fetch=Fetch(Response(200, {}, b" " * BODY_CAP)))).body)
        == BODY_CAP
    )
    assert send("http://a.test/", deps=GradeDeps(fetch=Fetch(Response(500)))).status == 500


def test_the_deadline_holds_for_a_thread() -> None:
    """It is left behind: neither the call nor the end of the loop waits, and what it returns is thrown away."""
    done = threading.Event()

    def fetch(request: Request) -> Any:
        done.wait(servers.PATIENCE)
        return as_coroutine(request)

    started = time.monotonic()
    assert refused("http://a.test/", deps=GradeDeps(fetch=fetch), timeout_s=SOON).code == "timeout"
    assert time.monotonic() - started < servers.PATIENCE / 2
    done.set()
    for thread in threading.enumerate():
        if thread.name == "gradestone-net":
            thread.join(servers.PATIENCE)


def test_the_process_does_not_wait_for_a_thread() -> None:
    """A transport that never returns holds up neither the loop's end nor the interpreter's."""
    script = (
        "import asyncio, threading\n"
        "from gradestone.net import Client, GradeDeps, NetError, Request\n"
        "client = Client(GradeDeps(fetch=lambda request: threading.Event().wait()))\n"
        "try:\n"
        "    asyncio.run(client.send(Request('GET', 'http://a.test/'), timeout_s=0.1))\n"
        "except NetError as error:\n"
        "    print(error.code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "timeout\n"


def test_a_late_result_of_a_thread_is_thrown_away() -> None:
    """While the loop still runs, too; a coroutine among them is closed and not left unawaited."""
    late, returned = threading.Event(), threading.Event()

    def fetch(request: Request) -> Any:
        late.wait(servers.PATIENCE)
        return as_coroutine(request)

    async def run() -> None:
        with pytest.raises(NetError, match="no answer"):
            await Client(GradeDeps(fetch=fetch)).send(Request("GET", "http://a.test/"), timeout_s=SOON)
        late.set()
        for thread in threading.enumerate():
            if thread.name == "gradestone-net":
                await asyncio.to_thread(thread.join, servers.PATIENCE)
        returned.set()
        await asyncio.sleep(0)

    asyncio.run(run())
    assert returned.is_set()


async def waits(_argument: object) -> Any:
    await asyncio.Event().wait()


async def answers_late(_argument: object) -> Any:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return Response(200, {}, b'{"passed":true}')


async def fails_late(_argument: object) -> Any:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        raise ValueError from None


@pytest.mark.parametrize("function", [waits, answers_late, fails_late])
def test_the_deadline_holds_for_a_coroutine(function: Any) -> None:
    """Whatever it makes of being cancelled: an answer after the deadline is none."""
    assert refused("http://a.test/", deps=GradeDeps(fetch=function), timeout_s=SOON).code == "timeout"
    deps = GradeDeps(fetch=Fetch(), ssrf_check=function)
    assert refused("http://a.test/", deps=deps, timeout_s=SOON).code == "timeout"


def test_cancellation_passes_through() -> None:
    """Of a transport, of a check, in a thread or not."""
    reached, done = threading.Event(), threading.Event()

    def blocks(_argument: object) -> Any:
        reached.set()
        done.wait(servers.PATIENCE)

    async def awaits(_argument: object) -> Any:
        reached.set()
        await asyncio.Event().wait()

    async def run(deps: GradeDeps) -> None:
        reached.clear()
        call = asyncio.create_task(Client(deps).send(Request("GET", "http://a.test/"), timeout_s=20))
        await asyncio.to_thread(reached.wait, servers.PATIENCE)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    for function in (awaits, blocks):
        asyncio.run(run(GradeDeps(fetch=function)))
        asyncio.run(run(GradeDeps(fetch=Fetch(), ssrf_check=function)))
    done.set()


def test_ctrl_c_passes_through() -> None:
    """KeyboardInterrupt is nobody's refusal."""

    def fetch(_request: Request) -> Response:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        send("http://a.test/", deps=GradeDeps(fetch=fetch))


def test_the_package_is_light() -> None:
    """Importing it, and using a transport of the caller's, loads no HTTP client."""
    script = (
        "import asyncio, sys\n"
        "from gradestone.net import Client, GradeDeps, Request, Response\n"
        "client = Client(GradeDeps(fetch=lambda request: Response(200)))\n"
        "asyncio.run(client.send(Request('GET', 'http://a.test/'), timeout_s=9))\n"
        "print([name for name in ('httpx2', 'httpcore2', 'anyio', 'truststore', 'idna') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


def test_names_of_the_package() -> None:
    """All that is listed is there, and nothing else is made up."""
    import gradestone.net

    assert [name for name in gradestone.net.__all__ if not hasattr(gradestone.net, name)] == []
    assert not hasattr(gradestone.net, "Clients")
