"""Which addresses may be dialled, and for whom they need not be public."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

import pytest
from tests.net.support import PUBLIC, Table

from gradestone.net import NetError
from gradestone.net.guard import Guard, Trust, system_resolver
from gradestone.net.urls import read_url

SIX = "2606:4700:4700::1111"


def admit(
    url: str, resolver: Any = None, *, allow: Sequence[str] = (), trusted: bool = False, **options: Any
) -> list[str]:
    guard = Guard(Trust(allow), resolver, **options)
    return [str(address) for address in asyncio.run(guard.admit(read_url(url), trusted=trusted))]


def refusal(url: str, resolver: Any = None, **options: Any) -> NetError:
    with pytest.raises(NetError) as caught:
        admit(url, resolver, **options)
    return caught.value


def test_every_address_is_admitted_once_and_in_order() -> None:
    """A name with public addresses may be dialled at each of them."""
    table = Table(a_test=[[PUBLIC, SIX, PUBLIC, "2606:4700:4700:0::1111"]])
    assert admit("https://a.test/", table) == [PUBLIC, SIX]
    assert table.asked == [("a.test", 443)]


@pytest.mark.parametrize(
    "bad", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:8.8.8.8", "fe80::1%lo", "0.0.0.0"]
)
def test_one_private_address_among_public_ones(bad: str) -> None:
    """One address that is not public refuses the name, wherever it stands."""
    for answer in ([bad], [PUBLIC, bad], [bad, PUBLIC], [PUBLIC, SIX, bad, PUBLIC]):
        error = refusal("http://a.test/", Table(a_test=[answer]))
        assert error.code == "blocked_url"
        assert bad not in error.reason


def test_a_refusal_says_what_would_admit() -> None:
    """The exact entry, which then does admit."""
    for url, endpoint in (
        ("http://127.0.0.1/secret?secret", "127.0.0.1:80"),
        ("https://[::1]/secret", "[::1]:443"),
        ("http://a.test:8080/secret", "a.test:8080"),
        ("http://LOCALHOST/secret", "localhost:80"),
        ("http://metadata.google.internal/secret", "metadata.google.internal:80"),
    ):
        table = Table(a_test=[["10.0.0.1"]], metadata_google_internal=[["169.254.169.254"]])
        error = refusal(url, table)
        assert error.code == "blocked_url"
        assert f"--allow-host {endpoint} " in error.reason
        assert "allow_hosts" in error.reason
        assert "secret" not in error.reason
        assert admit(url, table, allow=[endpoint]) != []


def test_literal_addresses_are_not_looked_up() -> None:
    """An address in the URL is judged as it is."""
    table = Table()
    assert admit("http://8.8.8.8/", table) == ["8.8.8.8"]
    assert admit(f"http://[{SIX}]/", table) == [SIX]
    assert refusal("http://169.254.169.254/", table).code == "blocked_url"
    assert table.asked == []


@pytest.mark.parametrize("host", ["localhost", "LocalHost", "localhost.", "a.localhost"])
def test_localhost_is_loopback(host: str) -> None:
    """Whatever a resolver says: it is not asked."""
    table = Table(localhost=[[PUBLIC]], a_localhost=[[PUBLIC]])
    assert refusal(f"http://{host}/", table).code == "blocked_url"
    assert admit(f"http://{host}/", table, trusted=True) == ["127.0.0.1", "::1"]
    assert table.asked == []


@pytest.mark.parametrize("host", ["metadata.google.internal", "internal", "printer.local", "nas.home.arpa"])
def test_names_of_private_networks(host: str) -> None:
    """They are refused before they are looked up, public answer or not; trusted ones are looked up."""
    table = Table(**{host.replace(".", "_"): [[PUBLIC]]})
    assert refusal(f"http://{host}/", table).code == "blocked_url"
    assert table.asked == []
    assert admit(f"http://{host}/", table, trusted=True) == [PUBLIC]
    assert admit("http://notlocalhost.test/", Table(notlocalhost_test=[[PUBLIC]])) == [PUBLIC]


def raising(error: Exception) -> Any:
    async def resolver(_host: str, _port: int) -> Sequence[str]:
        raise error

    return resolver


@pytest.mark.parametrize(
    "resolver",
    [
        Table(a_test=[[]]),
        raising(socket.gaierror(-2, "Name or service not known")),
        raising(OSError("secret")),
        raising(UnicodeError("label too long")),
        raising(RuntimeError("secret")),
        Table(a_test=[["not an address"]]),
        Table(a_test=[[PUBLIC, "127.1"]]),
        Table(a_test=[None]),  # type: ignore[list-item]
        Table(a_test=[[None]]),  # type: ignore[list-item]
    ],
    ids=[
        "none",
        "gaierror",
        "OSError",
        "UnicodeError",
        "RuntimeError",
        "rubbish",
        "short form",
        "no list",
        "no text",
    ],
)
def test_a_name_that_does_not_resolve(resolver: Any) -> None:
    """It is refused, trusted or not."""
    for trusted in (False, True):
        error = refusal("http://a.test/secret", resolver, trusted=trusted)
        assert error.code == "unresolved_host"
        assert error.reason == '"http://a.test:80": the name of the host does not resolve'


def test_one_look_up_a_call() -> None:
    """An answer that changes between two look-ups has nothing to change: there is no second one."""
    table = Table(a_test=[[PUBLIC], ["127.0.0.1"]])
    assert admit("http://a.test/", table) == [PUBLIC]
    assert len(table.asked) == 1
    assert refusal("http://a.test/", table).code == "blocked_url"


def test_trust_is_exact() -> None:
    """One scheme's port where none is given, one port where one is, one host, nothing below it or beside it."""
    trust = Trust(["127.0.0.1:8080", "[::1]", "Judge.Example", "10.0.0.1:443", "[fd00::1]:81"])
    held = {
        "http://127.0.0.1:8080/x": True,
        "https://127.0.0.1:8080/x": True,
        "http://127.0.0.1/": False,
        "http://127.0.0.1:8081/": False,
        "http://127.0.0.2:8080/": False,
        "http://localhost:8080/": False,
        "http://[::1]/": True,
        "https://[0:0::1]/": True,
        "http://[::1]:443/": False,
        "http://judge.example./": True,
        "https://judge.example/": True,
        "http://judge.example:443/": False,
        "http://judge.example:8080/": False,
        "http://a.judge.example/": False,
        "https://10.0.0.1/": True,
        "http://10.0.0.1/": False,
        "http://[fd00:0::1]:81/": True,
        "http://[::ffff:127.0.0.1]:8080/": False,
    }
    assert {url: trust.holds(read_url(url)) for url in held} == held


@pytest.mark.parametrize(
    "entry",
    [
        "", "*", "*.example.org", "10.0.0.0/8", "http://127.0.0.1:80", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
        "127.1:80", "2130706433", "::1", "::1:80", "[::1", "[fe80::1%eth0]:80", "user@host:80", "host:80/path",
        " host:80", "host:http", "a..b", ":80", "１２７.0.0.1:80",
    ],
)  # fmt: skip
def test_malformed_entries(entry: str) -> None:
    """An entry that is no host and port is an error that names it, not an entry that never matches."""
    with pytest.raises(ValueError, match="allow_hosts") as caught:
        Trust(["127.0.0.1:80", entry])
    # What stands before an @ may be a password.
    assert f'"{entry.rpartition("@")[2]}"' in str(caught.value)


@pytest.mark.parametrize("entries", ["127.0.0.1:80", b"x", [7], [None], [b"127.0.0.1:80"]])
def test_entries_are_a_list_of_text(entries: Any) -> None:
    """One text would be a list of its letters."""
    with pytest.raises(ValueError, match="allow_hosts"):
        Trust(entries)


def test_trust_admits_any_address_and_is_logged_once_an_origin(caplog: pytest.LogCaptureFixture) -> None:
    """The log tells each origin that trust was used for, and nothing more of the URL."""
    guard = Guard(
        Trust(["a.test:80"]), Table(a_test=[["10.0.0.1"]], b_test=[["10.0.0.2"]], c_test=[[PUBLIC]])
    )

    async def run() -> None:
        for url, trusted in (
            ("a.test/secret", False),
            ("a.test/", False),
            ("b.test/secret", True),
            ("c.test/", False),
        ):
            assert await guard.admit(read_url(f"http://{url}"), trusted=trusted)

    with caplog.at_level(logging.INFO, "gradestone.net"):
        asyncio.run(run())
    told = [
        (record.name, record.levelname, record.getMessage())
        for record in caplog.records
        if record.name != "asyncio"
    ]
    assert told == [
        ("gradestone.net", "INFO", "trusted endpoint http://a.test:80: its addresses are not checked"),
        ("gradestone.net", "INFO", "trusted endpoint http://b.test:80: its addresses are not checked"),
    ]


def test_through_a_proxy() -> None:
    """A name that does not resolve here may resolve there; one that resolves here to a private address is refused."""
    assert admit("http://a.test/", Table(), through_proxy=True) == []
    assert admit("http://a.test/", raising(socket.gaierror()), through_proxy=True) == []
    for resolver in (Table(a_test=[["rubbish"]]), raising(RuntimeError())):
        assert refusal("http://a.test/", resolver, through_proxy=True).code == "unresolved_host"
    assert refusal("http://a.test/", Table(a_test=[["10.0.0.1"]]), through_proxy=True).code == "blocked_url"
    assert refusal("http://10.0.0.1/", through_proxy=True).code == "blocked_url"
    assert refusal("http://a.internal/", through_proxy=True).code == "blocked_url"


def test_the_system_resolver() -> None:
    """Texts of addresses, each of which reads as one; none for a name that cannot be."""
    found = asyncio.run(system_resolver("127.0.0.1", 80))
    assert [ip_address(text) for text in found] == [ip_address("127.0.0.1")]
    with pytest.raises((OSError, UnicodeError)):
        asyncio.run(system_resolver("a" * 64, 80))
