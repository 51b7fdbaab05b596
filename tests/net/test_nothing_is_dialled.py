"""Refused URLs, and that neither a look-up nor a connection is tried for them: the interpreter is the witness."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from tests.net import servers
from tests.net.conftest import Watch
from tests.net.servers import Server
from tests.net.support import PUBLIC, Table, refused, send
from tests.net.test_urls import REFUSED

from gradestone.net import GradeDeps, Response

KNOWN_ATTACKS = [
    "http://[::ffff:127.0.0.1]/", "http://[0:0:0:0:0:ffff:a9fe:a9fe]/", "http://[::ffff:7f00:1]/",
    "http://2130706433/", "http://127.1/", "http://0177.0.0.1/", "http://0x7f000001/", "http://0xa9.0xfe.0xa9.0xfe/",
    "http://0/", "http://0.0.0.0/", "http://[::]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::a9fe:a9fe]/",
    "http://[2002:a9fe:a9fe::]/", "http://[2001:0:53aa:64c:0:0:80ff:fffe]/", "http://[::ffff:0:127.0.0.1]/",
    "http://[::127.0.0.1]/", "http://8.8.8.8@127.0.0.1/", "http://127.0.0.1\\@8.8.8.8/", "http://127.0.0.1#@8.8.8.8/",
    " http://169.254.169.254/", "http://169.254.169.254\n/", "http://LOCALHOST/", "http://localhost./",
    "http://a.localhost/", "http://127.0.0.%31/", "http://①②⑦.0.0.1/", "http://127。0。0。1/",
    "http://metadata.google.internal/computeMetadata/v1/", "http://[fe80::1%25eth0]/", "http://[fe80::1]/", "http://",
    "not a url", "http://10.1.2.3/", "http://172.16.0.1/", "http://192.168.0.1/", "http://100.100.100.200/",
    "http://169.254.169.254/", "http://169.254.169.254./", "http://198.18.0.1/", "http://192.0.0.1/", "http://192.0.2.1/",
    "http://224.0.0.1/", "http://240.0.0.1/", "http://255.255.255.255/", "http://[::1]/", "http://[fd00:ec2::254]/",
    "http://[fec0::1]/", "http://[ff02::1]/", "http://[2001:db8::1]/", "gopher://8.8.8.8:70/_x", "file:///etc/passwd",
    "data:application/json,{\"passed\":true}", "//8.8.8.8/x",
]  # fmt: skip


@pytest.mark.parametrize("url", KNOWN_ATTACKS)
def test_known_attacks(url: str, watch: Watch) -> None:
    """URLs of published attacks, with our transport and its own resolver, and with a transport of the caller's."""
    asked: list[Any] = []
    deps = GradeDeps(fetch=lambda request: asked.append(request) or Response(200))
    assert refused(url).code == "blocked_url"
    assert refused(url, deps=deps).code == "blocked_url"
    assert (watch.dialled, watch.resolved, asked) == ([], [], [])


@pytest.mark.parametrize("kind", REFUSED)
def test_spellings(kind: str, watch: Watch) -> None:
    """Every spelling that is refused, under trust too: trust admits addresses, not ambiguity."""
    for url in REFUSED[kind]:
        assert refused(url, trusted=True).code == "blocked_url"
    assert (watch.dialled, watch.resolved) == ([], [])


def test_a_private_answer(watch: Watch) -> None:
    """A name is looked up, once, and not dialled."""
    table = Table(a_test=[[PUBLIC, "127.0.0.1"], [PUBLIC]])
    assert refused("http://a.test/", resolver=table).code == "blocked_url"
    assert (len(table.asked), watch.dialled, watch.resolved) == (1, [], [])


def test_the_system_is_asked_once(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The default resolver makes the only look-up of a call; connecting makes none."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_: object, **__: object) -> Any:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with Server(servers.answers()) as server:
        assert send(f"http://a.test:{server.port}/", trusted=True).status == 200
        assert refused(f"http://a.test:{server.port}/").code == "blocked_url"
    assert asked == ["a.test", "a.test"]
    assert (watch.dialled, watch.resolved) == (["127.0.0.1"], [])


def test_the_witness_stops_what_is_outside(watch: Watch) -> None:
    """What the proofs above rest on: look-ups and connections are seen, and those outside loopback not made."""
    watch.meant = [PUBLIC]
    with socket.socket() as one, pytest.raises(PermissionError):
        one.connect((PUBLIC, 80))
    socket.getaddrinfo("127.0.0.1", 80)
    assert (watch.dialled, watch.resolved) == ([PUBLIC], ["127.0.0.1"])
