"""Which addresses are public: a table of our own, so that the answer is the same under every version of Python.

``ipaddress.is_global`` follows the registries of IANA at the time of the interpreter's release, and has changed its
mind within one minor version. The table below refuses at least as much.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

Address = IPv4Address | IPv6Address

LOOPBACK: Final[tuple[Address, ...]] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))
"""What ``localhost`` means, whatever a resolver says (RFC 6761)."""

NOT_PUBLIC_V4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host on this network; 0.0.0.0 itself reaches loopback
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; metadata of some clouds
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays, withdrawn
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, with the broadcast address
    )
)
"""Everything of IPv4 that is refused."""

PUBLIC_V6: Final = IPv6Network("2000::/3")
"""All that is handed out of IPv6 as global unicast; what lies outside is refused."""

NOT_PUBLIC_V6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: the IPv4 address inside decides where it goes
        "3fff::/20",  # documentation
    )
)
"""Everything inside `PUBLIC_V6` that is refused."""

NAT64: Final = IPv6Network("64:ff9b::/96")
"""Where networks without IPv4 keep the IPv4 internet: their resolvers make such addresses of every IPv4 address."""

_IPV4_BITS: Final = 0xFFFF_FFFF


def is_public(address: Address) -> bool:
    """Whether an address is reachable by everybody, and no way into the network that this runs in.

    A NAT64 address (``64:ff9b::/96``) is what its IPv4 address is. Other forms that hold an IPv4 address (mapped,
    compatible, translated, 6to4, Teredo, the local NAT64 prefix) are refused whatever is inside.

    >>> is_public(IPv4Address("8.8.8.8")), is_public(IPv4Address("169.254.169.254"))
    (True, False)
    >>> is_public(IPv6Address("64:ff9b::8.8.8.8")), is_public(IPv6Address("64:ff9b::127.0.0.1"))
    (True, False)
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC_V4)
    if address.scope_id is not None:
        return False
    if address in NAT64:
        return is_public(IPv4Address(int(address) & _IPV4_BITS))
    return address in PUBLIC_V6 and not any(address in network for network in NOT_PUBLIC_V6)
