"""How a URL is read: one way, or not at all."""

from __future__ import annotations

import sys
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gradestone.net import NetError
from gradestone.net.urls import read_url

CANONICAL = {
    "http://example.org": "http://example.org/",
    "HTTP://EXAMPLE.org/A?B=C": "http://example.org/A?B=C",
    "https://example.org:443/": "https://example.org/",
    "https://example.org:80/": "https://example.org:80/",
    "http://example.org:80": "http://example.org/",
    "http://example.org:65535/": "http://example.org:65535/",
    "http://example.org.:8080/": "http://example.org:8080/",
    "http://example.org?q=1": "http://example.org/?q=1",
    "http://example.org/a@b:c": "http://example.org/a@b:c",
    "http://example.org/a//b/../c;d=1?x=[1]&y=/?": "http://example.org/a//b/../c;d=1?x=[1]&y=/?",
    "http://example.org/%7Ea%2F?%zz": "http://example.org/%7Ea%2F?%zz",
    'http://example.org/ä"<>`{}|^?ü': "http://example.org/%C3%A4%22%3C%3E%60%7B%7D%7C%5E?%C3%BC",
    "http://my_service:8080/": "http://my_service:8080/",
    "http://bücher.example/": "http://xn--bcher-kva.example/",
    "http://xn--bcher-kva.example/": "http://xn--bcher-kva.example/",
    "http://ドメイン.example/": "http://xn--eckwd4c7c.example/",
    "http://8.8.8.8/": "http://8.8.8.8/",
    "http://127.0.0.1.:80/": "http://127.0.0.1/",
    "https://[2606:4700:4700:0:0:0:0:1111]/hook": "https://[2606:4700:4700::1111]/hook",
    "http://[::1]:8080": "http://[::1]:8080/",
    "http://3com.example1/": "http://3com.example1/",
    "http://0x7f.example/": "http://0x7f.example/",
}

REFUSED = {
    "scheme": [
        "", "not a url", "//8.8.8.8/x", "/x", "8.8.8.8", "example.org/", "example.org:80/", "localhost:80", "ftp://x/",
        "file:///etc/passwd", "gopher://8.8.8.8:70/_x", "data:application/json,{}", "javascript:alert(1)", "ws://x/",
        "http:/x/", "http:x", "https:8.8.8.8", "http+unix://x/", "jar:http://x/", "view-source:http://x/", "httpſ://x/",
    ],
    "no host": ["http://", "http:///x", "http://?x", "http://:80/", "http://./", "http://../", "http:////x"],
    "user": [
        "http://8.8.8.8@127.0.0.1/", "http://user:pass@8.8.8.8/", "http://@8.8.8.8/", "http://:@8.8.8.8/",
        "http://a@b@c/", "http://8.8.8.8:80@127.0.0.1/",
    ],
    "fragment": ["http://127.0.0.1#@8.8.8.8/", "http://8.8.8.8#@127.0.0.1/", "http://8.8.8.8/#", "http://8.8.8.8/?#x"],
    "white space": [
        " http://8.8.8.8/", "http://8.8.8.8/ ", "http://8.8.8.8 /", "http://169.254.169.254\n/", "ht\ntp://8.8.8.8/",
        "http://8.8.8.8/\t", "\thttp://8.8.8.8/", "http://8.8.8.8/a b", "http://8.8.8.8/\x00", "http://8.8.8.8\x00.x/",
        "http://8.8.8.8/\r\nHost: x", "http://8.8.8.8/\u00a0", "http://8.8.8.8/\u2028", "http://8.8.8.8/\x7f",
        "http://8.8.8.8/\x85", "\ufeffhttp://8.8.8.8/", "http://8.8.8\u200b.8/", "http://8.8.8\u00ad.8/",
        "http://8.8.8.8/\ud800", "http://8.8.8.8/\u202e",
    ],
    "backslash": ["http:\\\\8.8.8.8/", "http://8.8.8.8\\@127.0.0.1/", "http://127.0.0.1\\.x/", "http://8.8.8.8/\\"],
    "percent": ["http://127.0.0.%31/", "http://%31.1.1.1/", "http://a%00b/", "http://%6c%6fcalhost/", "http://x%2e/"],
    "dots": [
        "http://127。0。0。1/", "http://127．0．0．1/", "http://127｡0｡0｡1/", "http://example。org/", "http://a..b/",
        "http://.a/", "http://a../", "http://bücher..example/", "http://ü。example/",
    ],
    "look-alikes": [
        "http://①②⑦.0.0.1/", "http://１２７.0.0.1/", "http://127.0.0.１/", "http://１.example/", "http://ⓛocalhost/",
        "http://ｌocalhost/", "http://loca\u212ahost/", "http://\u212aü.example/", "http://a\u2044b/", "http://a／b/",
        "http://a＠b/", "http://a：80/", "http://a？b/", "http://a＃b/", "http://a℀b/", "http://a\uff05b/",
        "http://٣.0.0.1/", "http://xn--localhost-/", "http://xn--/", "http://xn--0/", "http://😀.example/",
        "http://faß℡/", "http://a\u3164b/",
    ],
    "numbers": [
        "http://2130706433/", "http://0/", "http://0x7f000001/", "http://0x/", "http://0x7f.0.0.1/", "http://017700000001/",
        "http://0177.0.0.1/", "http://127.1/", "http://127.0.1/", "http://127.0.0.01/", "http://127.0.0.256/",
        "http://127.0.0.1.1/", "http://0xa9.0xfe.0xa9.0xfe/", "http://example.1/", "http://example.0x1/", "http://1.2.3/",
        "http://example.0XAB./", "http://00.0.0.0/", "http://127.0.0.0x/", "http://999999999999/",
        "http://127.0.0.0x1/", "http://1.2.3.4.5/", "http://08.8.8.8/",
    ],
    "IPv6": [
        "http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[::1%]/", "http://::1/", "http://[::1/", "http://::1]/",
        "http://[]/", "http://[::1]x/", "http://x[::1]/", "http://[[::1]]/", "http://[8.8.8.8]/", "http://[v1.x]/",
        "http://[1::2::3]/", "http://[12345::]/", "http://[::1]:/", "http://[::1].example/", "http://[::ffff:127.0.0.01]/",
        "http://[:::1]/", "http://[::１]/", "http://[localhost]/",
    ],
    "port": [
        "http://x:/", "http://x:0/", "http://x:65536/", "http://x:99999/", "http://x:080/", "http://x:8o/", "http://x:-1/",
        "http://x:+80/", "http://x:80:80/", "http://x:٨٠/", "http://x: 80/", "http://x:100000/",
    ],
    "names": [
        "http://-a/", "http://a-/", "http://a.-b/", "http://a*b/", "http://*/", "http://a,b/", "http://a!/", "http://a'b/",
        "http://a$b/", "http://(a)/", "http://a;b/", "http://a=b/", "http://a&b/", "http://~/", "http://a+b/",
        f"http://{'a' * 64}/", f"http://{'a.' * 127}ab/", f"http://{'ü' * 60}.example/",
    ],
}  # fmt: skip


def why(url: Any) -> str:
    with pytest.raises(NetError) as caught:
        read_url(url)
    assert caught.value.code == "blocked_url"
    return caught.value.reason


@pytest.mark.parametrize("url", CANONICAL)
def test_canonical(url: str) -> None:
    """What is accepted has one spelling, which reads as itself."""
    target = read_url(url)
    assert target.url == CANONICAL[url]
    assert read_url(target.url) == target


@pytest.mark.parametrize("kind", REFUSED)
def test_refused(kind: str) -> None:
    """Every spelling that readers of URLs disagree about, or that hides where it leads."""
    for url in REFUSED[kind]:
        why(url)


@pytest.mark.parametrize("url", [None, 7, b"http://8.8.8.8/", ["http://8.8.8.8/"], {}, object()])
def test_not_text(url: Any) -> None:
    """What is no text is no URL."""
    assert why(url) == "the URL is not text"


def test_parts() -> None:
    """Host, port and address, and the ways a message, a header and an entry of allow_hosts write them."""
    name = read_url("https://Example.org/x?y")
    assert (name.scheme, name.host, name.port, name.address) == ("https", "example.org", 443, None)
    assert (name.origin, name.endpoint) == ("https://example.org:443", "example.org:443")
    assert (name.authority, name.resource) == ("example.org", "/x?y")
    four = read_url("http://8.8.8.8:81/")
    assert (four.host, four.address, four.authority) == ("8.8.8.8", IPv4Address("8.8.8.8"), "8.8.8.8:81")
    six = read_url("http://[0:0::1]/")
    assert (six.host, six.address, six.bracketed) == ("::1", IPv6Address("::1"), "[::1]")
    assert (six.origin, six.authority) == ("http://[::1]:80", "[::1]")


SECRET = "s3cr3t"


@pytest.mark.parametrize(
    "url",
    [
        "http://user:s3cr3t@example.org/", "http://s3cr3t@example.org/", "ftp://example.org/s3cr3t", "http://x/s3cr3t#a",
        "http://x/s3cr3t\\", "http://x/s3cr3t ?s3cr3t", "http:x/s3cr3t", "//x/s3cr3t", "http://-/s3cr3t?s3cr3t",
        "http://x:0/s3cr3t", "http://x:y/s3cr3t", "http://127.1/s3cr3t", "http://[::1%1]/s3cr3t", "s3cr3t", "http://x:s3cr3t/",
    ],
)  # fmt: skip
def test_a_reason_tells_no_secret(url: str) -> None:
    """Of user, password, path and query nothing is told."""
    assert SECRET not in why(url)
    assert why(url).isprintable()


def test_repr_hides_path_and_query() -> None:
    """A target in a log shows where it leads and no more."""
    assert SECRET not in repr(read_url("http://example.org/s3cr3t?s3cr3t"))


def test_reasons_are_cut() -> None:
    """However long the host and whatever is in it, one printable line of it is told."""
    assert len(why(f"http://{'*' * 250}/")) < 230
    assert len(why(f"{'a' * 10_000}://x/")) < 260
    assert why(f"http://{'a' * 100_000}/") == "the host is longer than 253 characters"


def test_without_idna(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where names cannot be encoded, those that need it are refused."""
    monkeypatch.setitem(sys.modules, "idna", None)
    assert "needs the package idna" in why("http://bücher.example/")
    assert "needs the package idna" in why("http://xn--bcher-kva.example/")
    assert read_url("http://example.org/").host == "example.org"


PIECES = st.lists(
    st.sampled_from(
        ["http", "https", ":", "/", "//", "@", "#", "?", "\\", "[", "]", "%", "%31", ".", "。", "127", "0", "1", "0x7f",
         "localhost", "example", "org", "::1", "ü", "①", "xn--", " ", "\t", "80", "-", "_", "\x00", "A"]
    ),
    max_size=12,
)  # fmt: skip


@given(st.one_of(st.text(), PIECES.map("".join), PIECES.map(lambda parts: "http://" + "".join(parts))))
@example("http://[::ffff:127.0.0.1]/")
def test_whatever_is_accepted_reads_alike_elsewhere(url: str) -> None:
    """Python's reader and httpx2's find the same host and port in the canonical URL; nothing but NetError is raised."""
    try:
        target = read_url(url)
    except NetError as error:
        assert error.code == "blocked_url"
        return
    assert target.url.isascii()
    assert target.url.isprintable()
    assert read_url(target.url) == target
    for host, port in (
        (urlsplit(target.url).hostname, urlsplit(target.url).port),
        (httpx2.URL(target.url).raw_host.decode("ascii"), httpx2.URL(target.url).port),
    ):
        assert host == target.host
        assert (port or {"http": 80, "https": 443}[target.scheme]) == target.port


@given(st.integers(0, 2**32 - 1), st.data())
def test_spellings_of_ipv4(number: int, data: st.DataObject) -> None:
    """Of all spellings of an address only four plain decimal octets are read, and as that address."""
    octets = [number >> shift & 255 for shift in (24, 16, 8, 0)]
    plain = ".".join(map(str, octets))
    spell = st.sampled_from(
        [str, hex, lambda octet: f"0{octet:o}", lambda octet: f"{octet:03}", "0X{:X}".format]
    )
    spelt = ".".join(data.draw(spell)(octet) for octet in octets)
    for other in (spelt, str(number), hex(number), f"{octets[0]}.{number & 0xFFFFFF}", f"0{number:o}"):
        if other != plain:
            why(f"http://{other}/")
    assert read_url(f"http://{plain}/").address == IPv4Address(number)
