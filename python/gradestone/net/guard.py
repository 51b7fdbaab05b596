"""Decides which addresses may be dialled for a URL: looked up once, all of them public, or trusted by the operator."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from typing import Final, NoReturn, Protocol

from gradestone.net.addresses import LOOPBACK, Address, is_public
from gradestone.net.calling import ForeignError, called, in_thread
from gradestone.net.types import NetError
from gradestone.net.urls import DEFAULT_PORTS, Target, read_endpoint
from gradestone.verdict import quote

_LOG: Final = logging.getLogger("gradestone.net")

PRIVATE_NAMES: Final = ("localhost", "local", "internal", "home.arpa")
"""Names, with all below them, that are set aside for private networks: refused before anything is looked up.

They matter where the caller's own transport resolves: its answer is not ours to check (RFC 6761, 6762 and 8375, and the
metadata services of clouds).
"""


class Resolver(Protocol):
    """Looks up a name."""

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Return the texts of all addresses of a host; none, or ``OSError``, where it has none."""
        ...


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """Ask the system, in a thread that nobody has to wait for: a slow name server holds up no deadline."""
    return await in_thread(_addresses_of, host, port)


def _addresses_of(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(place[0]) for *_, place in found]


class Trust:
    """The endpoints that an operator named although their addresses are not public.

    Args:
        allow_hosts: entries ``host:port``, each trusting exactly that host and port. IPv6 stands in brackets. An entry
            without a port means port 80 of ``http`` and port 443 of ``https``.

    Raises `ValueError`, naming the entry, for one that is nothing of these. There are no wildcards, networks or URLs.

    >>> from gradestone.net.urls import read_url
    >>> trust = Trust(["127.0.0.1:8080"])
    >>> trust.holds(read_url("http://127.0.0.1:8080/v1")), trust.holds(read_url("http://127.0.0.1:8081/v1"))
    (True, False)
    """

    def __init__(self, allow_hosts: Iterable[str] = ()) -> None:
        if isinstance(allow_hosts, str | bytes):
            raise ValueError("allow_hosts is a list of host:port, not one text")
        self._trusted = frozenset(trusted for entry in allow_hosts for trusted in _read_entry(entry))

    def holds(self, target: Target) -> bool:
        """Whether a target is one of the endpoints."""
        return (target.scheme, target.host, target.port) in self._trusted


def _read_entry(entry: object) -> list[tuple[str, str, int]]:
    if not isinstance(entry, str):
        raise ValueError(f"allow_hosts: an entry is text, such as 127.0.0.1:8080, not {type(entry).__name__}")
    try:
        host, port, _ = read_endpoint(entry)
    except ValueError as error:
        # What stands before an @ may be a password.
        shown = quote(entry.rpartition("@")[2])
        raise ValueError(f"allow_hosts: {shown} is no host:port: {error}") from None
    return [(scheme, host, port or default) for scheme, default in DEFAULT_PORTS.items()]


class Guard:
    """Says of a target which addresses may be dialled for it.

    Args:
        trust: the endpoints that may have any address.
        resolver: looks up names; the system's where None.
        through_proxy: whether a proxy will look names up anew. One that does not resolve here is then let through,
            since it may resolve there; one that does is judged by the addresses that it has here.
    """

    def __init__(
        self, trust: Trust, resolver: Resolver | None = None, *, through_proxy: bool = False
    ) -> None:
        self._trust = trust
        self._resolver = resolver or system_resolver
        self._through_proxy = through_proxy
        self._logged: set[str] = set()

    def trusts(self, target: Target, *, trusted: bool) -> bool:
        """Whether the operator named this endpoint; told to the log, once an origin."""
        if not trusted and not self._trust.holds(target):
            return False
        if target.origin not in self._logged:
            self._logged.add(target.origin)
            _LOG.info("trusted endpoint %s: its addresses are not checked", target.origin)
        return True

    def check_written(self, target: Target) -> None:
        """Refuse a target whose URL alone shows that it is not public; nothing is looked up.

        Raises `NetError` (``blocked_url``).
        """
        if target.address is None and _is_private_name(target.host):
            _refuse(target, "is a name of private networks")
        if target.address is not None and not is_public(target.address):
            _refuse(target, "is not a public address")

    async def admit(self, target: Target, *, trusted: bool) -> tuple[Address, ...]:
        """Return the addresses that may be dialled for a target, in the resolver's order, each once.

        The name is looked up once. Every address that it has must be public: one that is not refuses the target, since
        a name with both is how a forbidden address is smuggled in. A trusted target may have any address.

        Raises `NetError`: ``blocked_url`` with the ``--allow-host`` that would admit the target, ``unresolved_host``.
        """
        if self.trusts(target, trusted=trusted):
            return await self.addresses(target)
        return await self.checked_addresses(target)

    async def checked_addresses(self, target: Target) -> tuple[Address, ...]:
        """Return the addresses of a target that nobody trusts, as `admit` does."""
        self.check_written(target)
        found = await self.addresses(target)
        if not all(map(is_public, found)):
            _refuse(target, "has an address that is not public")
        return found

    async def addresses(self, target: Target) -> tuple[Address, ...]:
        """Return the addresses of a target, public or not, from one look-up; none only where a proxy will look again.

        Raises `NetError` (``unresolved_host``).
        """
        if target.address is not None:
            return (target.address,)
        if _below(target.host, "localhost"):
            return LOOPBACK
        found = await self._looked_up(target)
        if not found and not self._through_proxy:
            raise _unresolved(target)
        return found

    async def _looked_up(self, target: Target) -> tuple[Address, ...]:
        try:
            texts = await called(self._resolver, target.host, target.port)
            return tuple(dict.fromkeys(map(ip_address, texts)))
        except ForeignError as foreign:
            # UnicodeError: Python's own encoding of host names refuses some that could not be looked up.
            if isinstance(foreign.error, OSError | UnicodeError):
                return ()
            raise _unresolved(target) from None
        except (TypeError, ValueError):
            raise _unresolved(target) from None


def _is_private_name(host: str) -> bool:
    return any(_below(host, name) for name in PRIVATE_NAMES)


def _below(host: str, name: str) -> bool:
    return host == name or host.endswith(f".{name}")


def _refuse(target: Target, why: str) -> NoReturn:
    admits = quote(target.endpoint)[1:-1]
    raise NetError(
        "blocked_url",
        f"{quote(target.origin)} {why}; --allow-host {admits} would admit it (allow_hosts in Python and in a suite)",
    )


def _unresolved(target: Target) -> NetError:
    return NetError("unresolved_host", f"{quote(target.origin)}: the name of the host does not resolve")
