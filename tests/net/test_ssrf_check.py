"""The caller's own check of URLs: it takes the place of ours, and only a plain yes admits."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.net import servers
from tests.net.servers import Server
from tests.net.support import PUBLIC, Fetch, Table, WeirdError, refused, send

from gradestone.net import GradeDeps, NetError, SsrfVerdict

SECRET = "s3cr3t"


def allow(_url: str) -> SsrfVerdict:
    return SsrfVerdict(True)


def test_a_check_is_asked_with_the_canonical_url() -> None:
    """Before the transport, sync or async."""
    asked: list[str] = []

    def check(url: str) -> SsrfVerdict:
        asked.append(url)
        return SsrfVerdict(True)

    async def acheck(url: str) -> SsrfVerdict:
        return check(url)

    for each in (check, acheck):
        assert send("HTTP://a.test:80/x?y", deps=GradeDeps(fetch=Fetch(), ssrf_check=each)).status == 200
    assert asked == ["http://a.test/x?y"] * 2


def test_a_check_takes_the_place_of_ours() -> None:
    """What it allows may be private, with our transport and with the caller's; the name is still looked up once."""
    assert send("http://127.0.0.1/", deps=GradeDeps(fetch=Fetch(), ssrf_check=allow)).status == 200
    with Server(servers.answers()) as server:
        assert send(server.origin, deps=GradeDeps(ssrf_check=allow)).status == 200
        table = Table(a_test=[["127.0.0.1"], [PUBLIC]])
        assert (
            send(f"http://a.test:{server.port}/", deps=GradeDeps(ssrf_check=allow), resolver=table).status
            == 200
        )
    assert table.asked == [("a.test", server.port)]
    assert (
        refused("http://2130706433/", deps=GradeDeps(fetch=Fetch(), ssrf_check=allow)).code == "blocked_url"
    )


@pytest.mark.parametrize("trusted", [False, True])
def test_a_check_that_refuses(trusted: bool) -> None:
    """Nothing is sent, to a trusted endpoint either; its reason is quoted, on one line and cut."""
    fetch, table = Fetch(), Table(a_test=[[PUBLIC]])

    def check(_url: str) -> SsrfVerdict:
        return SsrfVerdict(False, "not\nthis" + "!" * 1000)

    for deps in (GradeDeps(fetch=fetch, ssrf_check=check), GradeDeps(ssrf_check=check)):
        found = refused("http://a.test/", deps=deps, resolver=table, trusted=trusted)
        assert found.code == "blocked_url"
        assert 'refused it: "not\\nthis!!!' in found.reason
        assert found.reason.isprintable()
        assert len(found.reason) < 250
    assert (fetch.asked, table.asked) == ([], [])


@pytest.mark.parametrize(
    "verdict",
    [True, None, (True, ""), {"allowed": True}, "yes", SsrfVerdict(1), SsrfVerdict("yes"), SsrfVerdict(None)],
    ids=repr,
)
def test_a_check_that_does_not_say_yes(verdict: Any) -> None:
    """Only an SsrfVerdict whose ``allowed`` is true admits."""
    fetch = Fetch()
    found = refused("http://a.test/", deps=GradeDeps(fetch=fetch, ssrf_check=lambda _url: verdict))
    assert (found.code, fetch.asked) == ("blocked_url", [])


@pytest.mark.parametrize(
    "error", [WeirdError(), SystemExit(0), asyncio.CancelledError(), NetError("ok", SECRET)], ids=repr
)
def test_a_check_that_raises(error: BaseException) -> None:
    """It did not say yes."""

    def check(_url: str) -> SsrfVerdict:
        raise error

    async def acheck(_url: str) -> SsrfVerdict:
        raise error

    for each in (check, acheck):
        fetch = Fetch()
        found = refused("http://a.test/", deps=GradeDeps(fetch=fetch, ssrf_check=each))
        assert (found.code, fetch.asked) == ("blocked_url", [])
        assert SECRET not in found.reason
