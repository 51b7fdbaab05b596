"""Reads a URL the one way that leaves nothing to interpret: canonical, or refused.

Most requests that reach a forbidden address get there because two programs read one URL differently. Whatever the
readers in use are known to disagree about is therefore refused here and never repaired, and what is sent is the
canonical URL that was checked, not the one that was given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address
from typing import Final, NoReturn
from urllib.parse import quote as percent_encoded

from gradestone.net.addresses import Address
from gradestone.net.types import NetError
from gradestone.verdict import quote

DEFAULT_PORTS: Final = {"http": 80, "https": 443}

_URL: Final = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?]*)(?P<path>/[^?]*)?(?P<query>\?.*)?", re.I | re.A
)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*(?=:)", re.I | re.A)
_AUTHORITY: Final = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::(?P<port>0|[1-9][0-9]{0,4}))?")
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_OCTET: Final = re.compile(r"0|[1-9][0-9]{0,2}")

_ASCII_LOWER: Final = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
"""Not ``str.lower``, which makes ASCII letters of others, such as the sign for kelvin."""

_KEPT: Final = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"<>`{}^|')
"""Printable characters that a path and a query hold as they are; a percent sign is taken to be an escape's."""

_HOST_LIMIT: Final = 253


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes, read from its URL. The path and the query may hold secrets and do not show in ``repr``."""

    scheme: str
    host: str
    """A name in lowercase ASCII, or the text of a literal address without brackets."""
    port: int
    address: Address | None
    """The address where the host is a literal one."""
    resource: str = field(repr=False)
    """Path and query, as they are sent."""

    @property
    def bracketed(self) -> str:
        """The host as URLs and headers write it: IPv6 in brackets."""
        return f"[{self.host}]" if isinstance(self.address, IPv6Address) else self.host

    @property
    def endpoint(self) -> str:
        """``host:port``, as an entry of ``allow_hosts`` is written."""
        return f"{self.bracketed}:{self.port}"

    @property
    def origin(self) -> str:
        """``scheme://host:port``: all that a message may tell of a URL."""
        return f"{self.scheme}://{self.endpoint}"

    @property
    def authority(self) -> str:
        """What the header ``host`` says: the port only where it is not the scheme's own."""
        return self.bracketed if self.port == DEFAULT_PORTS[self.scheme] else self.endpoint

    @property
    def url(self) -> str:
        """The canonical URL, which is the one that is sent."""
        return f"{self.scheme}://{self.authority}{self.resource}"


def read_url(url: str) -> Target:
    """Return where a URL leads.

    Accepted is ``http`` or ``https``, a host and no user, optionally a port of 1 to 65535, path and query. The host is
    a name, four decimal octets, or IPv6 in brackets. Upper case, one trailing dot, and letters that IDNA 2008 encodes
    are made canonical, and so are characters of the path and the query that have to be percent-encoded.

    Raises `NetError` (``blocked_url``) for everything else, above all: white space and control characters anywhere,
    backslashes, users and passwords, fragments, percent-encoding in the host, zone ids, and numbers in the place of an
    address that are not four plain decimal octets. The reason tells the scheme and the host at most.

    >>> read_url("HTTPS://Example.org.:443/v1?q=1").url
    'https://example.org/v1?q=1'
    >>> read_url("http://2130706433/")
    Traceback (most recent call last):
    gradestone.net.types.NetError: the host "2130706433" is a number that is no address of four decimal octets
    """
    if not isinstance(url, str):
        _refuse("the URL is not text")
    if any(char.isspace() or not char.isprintable() for char in url):
        _refuse("the URL holds white space or a character that cannot be printed")
    if "\\" in url:
        _refuse("the URL holds a backslash")
    if "#" in url:
        _refuse("the URL holds a fragment, which is never sent")
    parts = _URL.fullmatch(url)
    if parts is None:
        _refuse_scheme(url)
    scheme = parts["scheme"].lower()
    host, port, address = _read_authority(parts["authority"])
    resource = (parts["path"] or "/") + (parts["query"] or "")
    return Target(scheme, host, port or DEFAULT_PORTS[scheme], address, percent_encoded(resource, safe=_KEPT))


def _refuse(reason: str) -> NoReturn:
    raise NetError("blocked_url", reason)


def _refuse_scheme(url: str) -> NoReturn:
    scheme = _SCHEME.match(url)
    if scheme is None:
        _refuse("the URL has no scheme; http:// and https:// are accepted")
    if scheme[0].lower() in DEFAULT_PORTS:
        _refuse("the URL has no // after its scheme")
    _refuse(f"the scheme {quote(scheme[0])} is not accepted; http and https are")


def _read_authority(authority: str) -> tuple[str, int | None, Address | None]:
    if "@" in authority:
        _refuse("the URL holds a user or a password")
    try:
        return read_endpoint(authority)
    except ValueError as error:
        raise NetError("blocked_url", str(error)) from None


def read_endpoint(text: str) -> tuple[str, int | None, Address | None]:
    """Return host, port and literal address of ``host``, ``host:port``, ``[ipv6]`` or ``[ipv6]:port``.

    Raises `ValueError` where the text is nothing of these; its message quotes the host at most.
    """
    parts = _AUTHORITY.fullmatch(text)
    if parts is None:
        raise ValueError("the host and the port cannot be told apart, or the port is no number")
    host, address = _read_host(parts["host"])
    if parts["port"] is None:
        return host, None, address
    port = int(parts["port"])
    if not 1 <= port <= 65535:
        raise ValueError(f"the port {port} is not within 1 to 65535")
    return host, port, address


def _read_host(text: str) -> tuple[str, Address | None]:
    if text.startswith("["):
        address = _ipv6(text[1:-1])
        return str(address), address
    name = text.translate(_ASCII_LOWER).removesuffix(".")
    if not name:
        raise ValueError("there is no host")
    if len(name) > _HOST_LIMIT:
        raise ValueError(f"the host is longer than {_HOST_LIMIT} characters")
    if not name.isascii() or "xn--" in name:
        name = _encoded(name)
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return name, _ipv4(name)
    if len(name) > _HOST_LIMIT or not all(map(_LABEL.fullmatch, labels)):
        raise ValueError(f"the host {quote(name)} is no name of a host")
    return name, None


def _ipv4(text: str) -> IPv4Address:
    octets = text.split(".")
    if len(octets) != 4 or not all(_OCTET.fullmatch(octet) and int(octet) <= 255 for octet in octets):
        raise ValueError(f"the host {quote(text)} is a number that is no address of four decimal octets")
    return IPv4Address(text)


def _ipv6(text: str) -> IPv6Address:
    if "%" in text:
        raise ValueError(f"the address {quote(text)} has a zone")
    try:
        return IPv6Address(text)
    except ValueError:
        raise ValueError(f"the host in brackets, {quote(text)}, is no IPv6 address") from None


def _encoded(name: str) -> str:
    """Encode a name as IDNA 2008 does, without any mapping: look-alikes of digits and of dots have no encoding."""
    try:
        import idna
    except ImportError:
        raise ValueError(f"the host {quote(name)} needs the package idna to be encoded") from None
    try:
        return idna.encode(name, strict=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise ValueError(f"the host {quote(name)} cannot be encoded as IDNA 2008 asks") from None
