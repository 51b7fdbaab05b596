"""Where connections go: to the checked address, under the name of the host, and never to what was not admitted."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address
from pathlib import Path

import pytest
import trustme
from tests.net import servers
from tests.net.conftest import Watch
from tests.net.servers import Server
from tests.net.support import LONG, PUBLIC, Table, refused, send

from gradestone.net import GradeDeps, NetError, Request, guard, wire
from gradestone.net.addresses import Address, is_public
from gradestone.net.transport import Client
from gradestone.net.wire import PinnedDialler, ProxyDialler

INTERNET = [IPv4Address(f"127.0.0.{last}") for last in range(2, 9)]
"""A stand-in for public addresses that a test can listen on."""


def mostly_public(address: Address) -> bool:
    return is_public(address) or address in INTERNET


@pytest.fixture
def loopback_internet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the guard take 127.0.0.2 to 127.0.0.8 for public addresses."""
    monkeypatch.setattr(guard, "is_public", mostly_public)


def test_a_public_address_is_dialled_as_it_was_checked(watch: Watch) -> None:
    """A guarded name is looked up once, and what is dialled is the first answer although the second is another."""
    watch.meant = [PUBLIC]
    table = Table(a_test=[[PUBLIC], ["127.0.0.1"]])
    error = refused("http://a.test/", resolver=table)
    assert (error.code, table.asked) == ("unreachable", [("a.test", 80)])
    assert watch.dialled == [PUBLIC]
    assert watch.resolved == []


@pytest.mark.usefixtures("loopback_internet")
def test_a_name_that_changes_its_answer() -> None:
    """The connection goes to the answer that was checked; the next call is checked anew and refused."""
    with Server(servers.answers(), host="127.0.0.2") as server:
        table = Table(a_test=[["127.0.0.2"], ["127.0.0.1"]])
        url = f"http://a.test:{server.port}/"
        assert send(url, resolver=table).status == 200
        assert len(table.asked) == 1
        assert refused(url, resolver=table).code == "blocked_url"
    assert server.requests[0].headers["host"] == f"a.test:{server.port}"
    assert len(server.requests) == 1


@pytest.mark.usefixtures("loopback_internet")
def test_a_kept_connection_does_not_spare_the_check() -> None:
    """A name that turns private is refused although a connection to its public address is still open."""

    async def run(port: int) -> None:
        table = Table(a_test=[["127.0.0.2"], ["127.0.0.2", "10.0.0.1"]])
        async with Client(GradeDeps(), resolver=table) as client:
            request = Request("GET", f"http://a.test:{port}/")
            assert (await client.send(request, timeout_s=LONG)).status == 200
            with pytest.raises(NetError) as caught:
                await client.send(request, timeout_s=LONG)
            assert caught.value.code == "blocked_url"

    with Server(servers.answers(), host="127.0.0.2") as server:
        asyncio.run(run(server.port))
    assert len(server.requests) == 1


@pytest.mark.usefixtures("loopback_internet")
def test_a_trusted_connection_serves_no_guarded_call(watch: Watch) -> None:
    """What was dialled under trust may lead anywhere: a guarded call to the same origin has a connection of its own."""

    async def run(port: int) -> None:
        table = Table(a_test=[["127.0.0.1"], ["127.0.0.2"]])
        async with Client(GradeDeps(), resolver=table) as client:
            request = Request("GET", f"http://a.test:{port}/")
            assert (await client.send(request, timeout_s=LONG, trusted=True)).status == 200
            with pytest.raises(NetError, match="no connection"):
                await client.send(request, timeout_s=LONG)

    with Server(servers.answers()) as server:
        asyncio.run(run(server.port))
    assert watch.dialled == ["127.0.0.1", "127.0.0.2"]


@pytest.mark.usefixtures("loopback_internet")
def test_addresses_are_tried_in_turn(watch: Watch) -> None:
    """One that refuses costs nothing; the next is dialled."""
    with Server(servers.answers(), host="127.0.0.4") as server:
        table = Table(a_test=[["127.0.0.3", "127.0.0.4", "127.0.0.2"]])
        assert send(f"http://a.test:{server.port}/", resolver=table).status == 200
    assert watch.dialled == ["127.0.0.3", "127.0.0.4"]


def test_an_address_that_hangs_has_its_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two addresses the first may take half of what is left, so that the second is still dialled in time."""
    import httpcore2

    shares: list[tuple[str, float | None]] = []

    async def connect(
        _self: object, host: str, _port: int, timeout: float | None = None, *_: object
    ) -> httpcore2.AsyncNetworkStream:
        shares.append((host, timeout))
        raise httpcore2.ConnectTimeout

    monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", connect)
    error = refused("http://a.test/", resolver=Table(a_test=[["8.8.8.8", "1.1.1.1"]]), timeout_s=10.0)
    assert error.code == "unreachable"
    assert shares == [("8.8.8.8", 5.0), ("1.1.1.1", 5.0)]


def test_a_call_dials_only_its_own_endpoint() -> None:
    """Without an admission, and for an endpoint that is not the admitted one, nothing is dialled."""
    import httpcore2

    async def run(port: int) -> None:
        for dialler in (PinnedDialler(), ProxyDialler("127.0.0.1", port + 1), ProxyDialler("a.test", port)):
            with pytest.raises(httpcore2.ConnectError):
                await dialler.connect_tcp("127.0.0.1", port)
        loopback = [IPv4Address("127.0.0.1")]
        for host, of_port in (("a.test", port), ("127.0.0.1", port + 1)):
            wire._ADMITTED.set(wire.Admitted(host, of_port, loopback))
            with pytest.raises(httpcore2.ConnectError):
                await PinnedDialler().connect_tcp("127.0.0.1", port)

    with Server(servers.answers()) as server:
        asyncio.run(run(server.port))
    assert server.connections == 0


def test_tls_goes_by_the_name(authority: trustme.CA, ca_bundle: Path) -> None:
    """Name of TLS, header and pool are the host's while the connection goes to an address."""
    with Server(servers.answers(), authority=authority, names=["a.test"]) as server:
        deps = GradeDeps(ca_bundle=ca_bundle, allow_hosts=[f"a.test:{server.port}"])
        table = Table(a_test=[["127.0.0.1"]])
        assert send(f"https://A.test.:{server.port}/", deps=deps, resolver=table).status == 200
    (asked,) = server.requests
    assert (asked.name, asked.headers["host"]) == ("a.test", f"a.test:{server.port}")


@pytest.mark.parametrize(("host", "written"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
def test_tls_to_an_address(authority: trustme.CA, ca_bundle: Path, host: str, written: str) -> None:
    """The certificate is checked for the address; brackets are no part of it."""
    with Server(servers.answers(), authority=authority, names=[host], host=host) as server:
        deps = GradeDeps(ca_bundle=ca_bundle, allow_hosts=[server.endpoint])
        assert send(f"https://{written}:{server.port}/", deps=deps).status == 200


def test_two_hosts_on_one_address_stay_apart(authority: trustme.CA, ca_bundle: Path) -> None:
    """Each name has its own connection, under its own name, although address and port are the same."""

    async def run(server: Server) -> None:
        trusted = [f"{name}.test:{server.port}" for name in "ab"]
        table = Table(a_test=[["127.0.0.1"]], b_test=[["127.0.0.1"]])
        async with Client(GradeDeps(ca_bundle=ca_bundle, allow_hosts=trusted), resolver=table) as client:
            for name in "abab":
                request = Request("GET", f"https://{name}.test:{server.port}/")
                assert (await client.send(request, timeout_s=LONG)).status == 200

    with Server(servers.answers(), authority=authority, names=["a.test", "b.test"]) as server:
        asyncio.run(run(server))
    assert [asked.name for asked in server.requests] == ["a.test", "b.test", "a.test", "b.test"]
    assert [asked.headers["host"].partition(":")[0] for asked in server.requests] == [
        f"{name}.test" for name in "abab"
    ]
    assert server.connections == 2


def names_of_a_server(authority: trustme.CA, names: Sequence[str], deps: GradeDeps) -> NetError:
    with Server(servers.answers(), authority=authority, names=names) as server:
        return refused(
            f"https://a.test:{server.port}/", deps=deps, resolver=Table(a_test=[["127.0.0.1"]]), trusted=True
        )


def test_certificates_that_are_not_accepted(authority: trustme.CA, ca_bundle: Path) -> None:
    """Signed by nobody who is trusted, or for another host."""
    for error in (
        names_of_a_server(authority, ["a.test"], GradeDeps()),
        names_of_a_server(trustme.CA(), ["a.test"], GradeDeps(ca_bundle=ca_bundle)),
        names_of_a_server(authority, ["b.test"], GradeDeps(ca_bundle=ca_bundle)),
        names_of_a_server(authority, ["127.0.0.1"], GradeDeps(ca_bundle=ca_bundle)),
    ):
        assert error.code == "unreachable"
        assert "certificate is not trusted, or is not for this host" in error.reason


def test_tls_to_a_server_without(ca_bundle: Path) -> None:
    """A server that speaks plain HTTP."""
    with Server(servers.answers(), on_connect=lambda peer: peer.send(b"HTTP/1.1 400 Bad\r\n\r\n")) as server:
        error = refused(
            f"https://127.0.0.1:{server.port}/", trusted=True, deps=GradeDeps(ca_bundle=ca_bundle)
        )
    assert error.code == "unreachable"
    assert "TLS could not be set up" in error.reason


def proxied(proxy: Server, url: str, resolver: Table, deps: GradeDeps | None = None) -> tuple[int, bytes]:
    response = send(
        url, deps=deps or GradeDeps(proxy=f"http://user:p%40ss@{proxy.endpoint}"), resolver=resolver
    )
    return response.status, response.body


def test_a_proxy_is_told_the_name(watch: Watch) -> None:
    """It gets the whole URL and resolves itself; only it is dialled, and it may be on a private address."""
    with Server(servers.answers(200, b"by proxy")) as proxy:
        for resolver in (Table(), Table(a_test=[[PUBLIC]])):
            assert proxied(proxy, "http://a.test/x?y", resolver) == (200, b"by proxy")
    assert {asked.path for asked in proxy.requests} == {"http://a.test/x?y"}
    assert {asked.headers["host"] for asked in proxy.requests} == {"a.test"}
    assert {asked.headers["proxy-authorization"] for asked in proxy.requests} == {"Basic dXNlcjpwQHNz"}
    assert set(watch.dialled) == {"127.0.0.1"}


def test_a_proxy_is_no_way_round_the_guard() -> None:
    """Literal private addresses, and names that are private here, are refused before the proxy is asked."""
    with Server(servers.answers()) as proxy:
        deps = GradeDeps(proxy=proxy.origin)
        for url in ("http://127.0.0.1/", "http://169.254.169.254/", "http://localhost/", "http://a.test/"):
            error = refused(url, deps=deps, resolver=Table(a_test=[[PUBLIC, "10.0.0.1"]]))
            assert error.code == "blocked_url"
    assert proxy.connections == 0


def test_a_tunnel(ca_bundle: Path) -> None:
    """HTTPS goes through CONNECT, and TLS is the host's; a proxy that refuses is told as such, without its words."""
    with Server(servers.sends(b"HTTP/1.1 403 s3cr3t\r\nContent-Length: 0\r\n\r\n")) as proxy:
        deps = GradeDeps(proxy=proxy.origin, ca_bundle=ca_bundle)
        for url in ("https://a.test/s3cr3t", "https://[2606:4700:4700::1111]:8443/"):
            error = refused(url, deps=deps, resolver=Table())
            assert (error.code, error.reason.partition('": ')[2]) == (
                "unreachable",
                "the proxy did not open a connection to it",
            )
    assert [(asked.method, asked.path) for asked in proxy.requests] == [
        ("CONNECT", "a.test:443"),
        ("CONNECT", "[2606:4700:4700::1111]:8443"),
    ]


def test_a_tunnel_that_opens(authority: trustme.CA, ca_bundle: Path) -> None:
    """Behind the proxy it is the host's certificate that counts."""

    def tunnel(peer: servers.Peer, _asked: servers.Asked) -> None:
        peer.send(b"HTTP/1.1 200 Connected\r\n\r\n")
        servers.relay(peer, ("127.0.0.1", origin.port))

    with (
        Server(servers.answers(200, b"inside"), authority=authority, names=["a.test"]) as origin,
        Server(tunnel) as proxy,
    ):
        deps = GradeDeps(proxy=proxy.origin, ca_bundle=ca_bundle)
        assert proxied(proxy, "https://a.test/x", Table(), deps) == (200, b"inside")
        error = refused("https://b.test/x", deps=deps, resolver=Table())
    assert "certificate is not trusted, or is not for this host" in error.reason
    assert [(asked.name, asked.path) for asked in origin.requests] == [("a.test", "/x")]


def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not named in the call is not used; nor are the environment's certificates."""
    with Server(servers.answers()) as proxy, Server(servers.answers()) as server:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.origin)
        monkeypatch.setenv("SSL_CERT_FILE", "/nowhere.pem")
        assert send(server.origin, trusted=True).status == 200
    assert (proxy.connections, len(server.requests)) == (0, 1)


@pytest.mark.parametrize(
    "proxy",
    ["", "127.0.0.1:80", "socks5://127.0.0.1:1080", "ftp://x", "http://", "http://x:0", "http://u:s3cr3t@x:99999",
     "http://u:s3cr3t@x/path", "http://x?s3cr3t", "http://u:s3cr3t@127.1", "http://[::1"],
)  # fmt: skip
def test_proxies_that_are_none(proxy: str) -> None:
    """An error of making the client, which does not tell the URL: it may hold a password."""
    with pytest.raises(ValueError, match=r"^proxy: ") as caught:
        Client(GradeDeps(proxy=proxy))
    assert "s3cr3t" not in str(caught.value)


def test_a_proxy_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that refuses, and one whose name does not resolve."""

    async def nothing(_host: str, _port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(wire, "system_resolver", nothing)
    for proxy in (f"http://127.0.0.1:{servers.closed_port()}", "http://proxy.test"):
        error = refused("http://a.test/", deps=GradeDeps(proxy=proxy), resolver=Table())
        assert (error.code, error.reason.partition('": ')[2]) == (
            "unreachable",
            "no connection could be made",
        )


def test_a_proxy_with_tls(authority: trustme.CA, ca_bundle: Path) -> None:
    """The way to the proxy may be HTTPS; its certificate is checked by the same bundle and for its own name."""
    with Server(servers.answers(200, b"by proxy"), authority=authority, names=["127.0.0.1"]) as proxy:
        deps = GradeDeps(proxy=proxy.origin, ca_bundle=ca_bundle)
        assert proxied(proxy, "http://a.test/x", Table(), deps) == (200, b"by proxy")
        error = refused("http://a.test/x", deps=GradeDeps(proxy=proxy.origin), resolver=Table())
    assert "certificate is not trusted" in error.reason
    assert [asked.path for asked in proxy.requests] == ["http://a.test/x"]
