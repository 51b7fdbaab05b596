"""A certificate authority, and the proof that nothing leaves loopback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
import trustme
from tests.net import servers


class Watch:
    """What the process asked of the network while it was watched; the interpreter itself tells."""

    def __init__(self) -> None:
        self.on = False
        self.meant: list[str] = []
        self.dialled: list[str] = []
        self.resolved: list[str] = []

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on or not event.startswith("socket."):
            return
        if event in ("socket.connect", "socket.sendto"):
            host = str(arguments[1][0])
            self.dialled.append(host)
            if not ip_address(host).is_loopback:
                raise PermissionError("a test dials nothing but loopback")
        if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
            self.resolved.append(str(arguments[0]))

    @property
    def outside(self) -> list[str]:
        """What was tried and is not loopback."""
        return [host for host in self.dialled if not ip_address(host).is_loopback]


_WATCH = Watch()
sys.addaudithook(_WATCH.hear)


@pytest.fixture
def watch() -> Iterator[Watch]:
    """What is dialled and resolved during a test."""
    _WATCH.on, _WATCH.meant, _WATCH.dialled, _WATCH.resolved = True, [], [], []
    yield _WATCH
    _WATCH.on = False


@pytest.fixture(autouse=True)
def nothing_leaves(watch: Watch) -> Iterator[None]:
    """Fail every test here that tries to dial anything but loopback, unless it is meant to; it never gets through."""
    yield
    assert watch.outside == watch.meant


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    """Who signs the certificates of the servers."""
    return trustme.CA()


@pytest.fixture(scope="session")
def ca_bundle(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that makes the authority trusted."""
    return servers.bundle(authority, tmp_path_factory.mktemp("tls"))
