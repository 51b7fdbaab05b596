"""Which addresses are public: at least as strict as Python, and the same under every version of it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gradestone.net.addresses import NOT_PUBLIC_V4, NOT_PUBLIC_V6, PUBLIC_V6, is_public

REFUSED = {
    "unspecified": ["0.0.0.0", "0.1.2.3", "::"],
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd00:ec2::254"],
    "link-local": ["169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0", "febf::1"],
    "site-local": ["fec0::1"],
    "carrier-grade NAT": ["100.64.0.1", "100.100.100.200", "100.127.255.255"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    "reserved": ["240.0.0.1", "255.255.255.255", "4000::1", "5f00::1", "8000::1", "100::1", "200::1"],
    "assignments": [
        "192.0.0.1",
        "192.0.0.9",
        "192.0.0.170",
        "192.88.99.1",
        "2001::1",
        "2001:1::1",
        "2001:4:112::1",
    ],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1", "3fff:fff::1"],
    "benchmarks": ["198.18.0.1", "198.19.255.255", "2001:2::1"],
    "6to4": ["2002:7f00:1::", "2002:a9fe:a9fe::", "2002:808:808::"],
    "Teredo": ["2001:0:53aa:64c:0:0:80ff:fffe", "2001:0:808:808::1"],
    "ORCHID": ["2001:10::1", "2001:20::1"],
    "NAT64": [
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::8.8.8.8",
        "64:ff9b:0:1::1",
    ],
    "mapped": ["::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::ffff:8.8.8.8"],
    "compatible": ["::127.0.0.1", "::8.8.8.8"],
    "translated": ["::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
    "scoped": ["2606:4700:4700::1111%1"],
}

PUBLIC = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
    "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "198.17.255.255",
    "198.20.0.0", "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700:4700::1111",
    "2a00:1450:4001::1", "3ffe::1", "64:ff9b::8.8.8.8",
]  # fmt: skip


@pytest.mark.parametrize("kind", REFUSED)
def test_refused(kind: str) -> None:
    """Every range that the table names, at its ends and at the addresses that attacks use."""
    assert [text for text in REFUSED[kind] if is_public(ip_address(text))] == []


def test_public() -> None:
    """The neighbours of the refused ranges, and the addresses of well-known services."""
    assert [text for text in PUBLIC if not is_public(ip_address(text))] == []


@given(st.ip_addresses(v=4))
@example(IPv4Address("192.0.0.9"))
@example(IPv4Address("224.0.0.1"))
def test_no_laxer_than_python_v4(address: IPv4Address) -> None:
    """What is admitted is global for Python too, and no multicast."""
    if is_public(address):
        assert address.is_global
        assert not (address.is_multicast or address.is_reserved or address.is_unspecified)


@given(
    st.one_of(
        st.ip_addresses(v=6), st.ip_addresses(v=6, network="2000::/3"), st.ip_addresses(v=6, network="::/16")
    )
)
@example(IPv6Address("3fff::1"))
@example(IPv6Address("64:ff9b::8.8.8.8"))
def test_no_laxer_than_python_v6(address: IPv6Address) -> None:
    """What is admitted is global for Python too, no multicast, and holds no IPv4 address that is not public."""
    if not is_public(address):
        return
    assert address.is_global
    assert not (address.is_multicast or address.is_site_local)
    assert address.ipv4_mapped is None
    assert address.sixtofour is None
    assert address.teredo is None


@given(st.ip_addresses(v=4))
@example(IPv4Address("127.0.0.1"))
@example(IPv4Address("8.8.8.8"))
def test_forms_that_hold_ipv4(inner: IPv4Address) -> None:
    """NAT64 is decided by what is inside; every other form is refused."""
    assert is_public(IPv6Address(int(IPv6Address("64:ff9b::")) + int(inner))) is is_public(inner)
    for prefix in ("::", "::ffff:0:0", "::ffff:0:0:0", "64:ff9b:1::"):
        assert not is_public(IPv6Address(int(IPv6Address(prefix)) + int(inner)))
    assert not is_public(IPv6Address((0x2002 << 112) + (int(inner) << 80)))


@pytest.mark.parametrize("network", [*NOT_PUBLIC_V4, *NOT_PUBLIC_V6], ids=str)
def test_both_ends_of_every_network(network: object) -> None:
    """The first and the last address of an entry are refused."""
    assert not is_public(network[0])  # type: ignore[index]
    assert not is_public(network[-1])  # type: ignore[index]
    assert not is_public(PUBLIC_V6[-1] + 1)
