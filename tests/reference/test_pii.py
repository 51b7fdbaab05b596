"""The seven detectors of personal data."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.texts import texts

from gradestone.reference.pii import (
    DETECTORS,
    KINDS,
    has_email,
    has_ipv6,
    has_phone,
    is_luhn_valid,
    is_mod97_valid,
    pii,
)

BASE58 = "A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNaQWERTYxyz"


def card(length: int) -> str:
    """A number of 4s and the check digit that it needs."""
    total = sum(8 if place % 2 else 4 for place in range(1, length))
    return "4" * (length - 1) + str(-total % 10)


def iban(letters: str, tail: str) -> str:
    """An IBAN with the check digits that its country and account need."""
    number = int("".join(str(int(character, 36)) for character in f"{tail}{letters}00"))
    return f"{letters}{98 - number % 97:02}{tail}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a@b.co", True),
        ("mail <Jane.Doe+x@mail-1.example.org>!", True),
        (".@-.co", True),
        ("_@b.co", True),
        ("%@b.co", True),
        ("+@b.co", True),
        ("-@..co", True),
        ("!@b.co", False),
        ("éa@b.co", True),
        ("a@b.co1", True),
        ("a@b.c.de", True),
        ("a@b..co", True),
        ("a@b.c", False),
        ("a@b.c1", False),
        ("a@.co", False),
        ("@b.co", False),
        ("é@b.co", False),
        ('"a"@b.co', False),
        ("a@b,co", False),
        ("a@bü.co", False),
        ("a@b.cö", False),
        ("a@b", False),
    ],
)
def test_email(text: str, found: bool) -> None:
    """ASCII characters on both sides, a dot and two letters; no borders."""
    assert DETECTORS["email"](text) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4111111111111111", True),
        ("4111 1111 1111 1111", True),
        ("4111-1111-1111-1111", True),
        ("4111-1111 1111-1111-", True),
        ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", True),
        ("x4111111111111111x", True),
        ("4111111111111112", False),
        ("4111  1111 1111 1111", False),
        ("4111\u00a01111\u00a01111\u00a01111", False),
        ("4111\t1111\t1111\t1111", False),
        (card(12), False),
        (card(13), True),
        (card(19), True),
        (card(20), False),
        # What follows a separator is another number: the match gives the separator back.
        ("4111 1111 1111 1111 12345678", True),
        ("4111111111111111 1", False),
        # The longest match is the one that is tested, and nothing inside it is.
        ("1 4111111111111111", False),
        ("1, 4111111111111111", True),
        ("4111111111111112, 4111111111111111", True),
        ("٤111111111111111", False),
    ],
)
def test_credit_card(text: str, found: bool) -> None:
    """13 to 19 digits, single separators, borders, check digit, and what backtracking leaves."""
    assert DETECTORS["credit_card"](text) is found


def test_the_check_digits_of_the_card_cases() -> None:
    """So that length alone decides them; and the examples of the literature."""
    assert all(is_luhn_valid(card(length)) for length in range(12, 21))
    assert all(map(is_luhn_valid, ("79927398713", "4111111111111111", "378282246310005", "6011000990139424")))


@given(st.text("0123456789", min_size=1, max_size=18))
def test_each_number_has_one_luhn_digit(number: str) -> None:
    """Exactly one last digit satisfies the check."""
    assert sum(is_luhn_valid(f"{number}{digit}") for digit in range(10)) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("GB82WEST12345698765432", True),
        ("gb82west12345698765432", True),
        ("Gb82WeSt12345698765432", True),
        ("é_GB82WEST12345698765432_é", True),
        ("GB83WEST12345698765432", False),
        ("GB82 WEST 1234 5698 7654 32", False),
        ("xGB82WEST12345698765432", False),
        ("GB82WEST12345698765432x", False),
        ("0GB82WEST12345698765432", False),
        (iban("NO", "1" * 10), False),
        (iban("NO", "1" * 11), True),
        (iban("MT", "Z" * 30), True),
        (iban("MT", "Z" * 31), False),
        ("GB83WEST12345698765432 GB82WEST12345698765432", True),
    ],
)
def test_iban(text: str, found: bool) -> None:
    """Case, borders, 15 to 34 characters in all, checksum."""
    assert DETECTORS["iban"](text) is found


def test_the_checksums_of_the_iban_cases() -> None:
    """So that length alone decides them."""
    assert all(is_mod97_valid(iban("NO", "1" * length)) for length in range(8, 32))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.2.3.4", True),
        ("0.0.0.0", True),
        ("255.255.255.255", True),
        ("v1.2.3.4-rc", True),
        (".1.2.3.4.", True),
        ("1.2.3.4.5", True),
        ("1.2.3.4\u0663", True),
        ("256.1.1.1", False),
        ("1.2.3.256", False),
        ("1.2.3.1234", False),
        ("01.2.3.4", False),
        ("1.2.03.4", False),
        ("1.2.3.04", False),
        ("1.2.3", False),
        ("1.2..3.4", False),
        ("1.2.3.x", False),
        ("\u0661.2.3.4", False),
    ],
)
def test_ipv4(text: str, found: bool) -> None:
    """Four octets of 0 to 255 without leading zeros, no ASCII digit beside them."""
    assert DETECTORS["ipv4"](text) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1:2:3:4:5:6:7:8", True),
        ("a:b:c:d:e:f:A:B", True),
        ("2001:0db8:85a3:0000:0000:8a2e:0370:7334", True),
        ("::1", True),
        ("1::", True),
        ("fe80::1%eth0", True),
        ("[::1]:80", True),
        ("::ffff:1.2.3.4", True),
        ("g::1", True),
        ("1:2:3:4:5:6:7:8::9:a", True),
        ("1::2:3:4:5:6:7:8:9", True),
        ("::", False),
        ("a::b", False),
        ("fe::", False),
        ("std::vector", False),
        (":::1", False),
        ("1:::2", False),
        ("1::2::3", False),
        ("1:2:3:4:5:6:7", False),
        ("1:2:3:4:5:6:7:8:9", False),
        (":1:2:3:4:5:6:7:8", False),
        ("1:2:3:4:5:6:7:8:", False),
        ("12345::", False),
        ("::12345", False),
        ("1:2:3:4:5:6:7:00008", False),
        ("12:34:56", False),
        ("\u0661::", False),
    ],
)
def test_ipv6(text: str, found: bool) -> None:
    """Eight groups, or any number round exactly one double colon and a digit; borders on both sides."""
    assert DETECTORS["ipv6"](text) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("+1234567", True),
        ("+123456", False),
        ("+123456789012345", True),
        ("+1234567890123456", False),
        ("+44 (20) 7946-0958.", True),
        ("(+44) 20 7946 0958", True),
        ("+1\n2\t3\r4\f5\v6 7", True),
        ("+ . 1234567", True),
        ("++1234567", True),
        ("12345678+1234567", True),
        ("+1234567\u00a089", True),
        ("+1234567+89", True),
        ("+1234567) (89012345", True),
        ("+1234567) (890123456", False),
        ("+1\u00a0234567", False),
        ("+1/234567", False),
        ("020 7946 0958", False),
        ("(020) 7946 0958", False),
        ("+", False),
        ("+" + "(" * 50, False),
        ("+\u0661234567", False),
    ],
)
def test_phone(text: str, found: bool) -> None:
    """A plus and 7 to 15 digits in one run; digits of one run are counted together."""
    assert DETECTORS["phone"](text) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", True),
        ("3" + BASE58[:24], False),
        ("3" + BASE58[:25], True),
        ("3" + BASE58[:34], True),
        ("3" + BASE58[:35], False),
        ("2" + BASE58[:30], False),
        ("x3" + BASE58[:30], False),
        ("03" + BASE58[:30] + "0", True),
        ("l3" + BASE58[:30] + "I", True),
        ("3" + BASE58[:15] + "O" + BASE58[:15], False),
        ("bc1" + "q" * 24, False),
        ("bc1" + "q" * 25, True),
        ("bc1" + "0" * 60, True),
        ("bc1" + "q" * 61, False),
        ("Bbc1" + "q" * 30 + "Q", True),
        ("bbc1" + "q" * 30, False),
        ("0bc1" + "q" * 30, False),
        ("BC1" + "q" * 30, False),
    ],
)
def test_crypto(text: str, found: bool) -> None:
    """26 to 35 base58 characters from 1 or 3, or bc1 and 25 to 60; borders of their own alphabets."""
    assert DETECTORS["crypto"](text) is found


def test_kinds_are_reported_in_their_order() -> None:
    """Whatever the order they are asked for in, and each once."""
    assert KINDS == ("email", "credit_card", "iban", "ipv4", "ipv6", "phone", "crypto")
    text = "+1234567 ::1 1.2.3.4 a@b.co c@d.eu"
    assert pii(text, KINDS).hits == (0, 3, 4, 5)
    assert pii(text, ["phone", "email", "phone"]).hits == (0, 5)
    assert pii(text, ["iban"]) == pii("", KINDS)
    assert (pii(text, KINDS).code, pii(text, KINDS).score) == ("pii_found", 0.0)


def test_an_unknown_kind_is_refused() -> None:
    """A misspelt kind must not pass every text."""
    with pytest.raises(KeyError, match="emial"):
        pii("a@b.co", ["emial"])


# What the rules say in one expression each; they cost the square of a hostile text.
OBVIOUS_EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}")
_GROUPS = "[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*"
OBVIOUS_IPV6 = re.compile(
    "(?<![0-9A-Fa-f:])"
    f"(?:(?:[0-9A-Fa-f]{{1,4}}:){{7}}[0-9A-Fa-f]{{1,4}}|(?:{_GROUPS})?::(?:{_GROUPS})?)"
    "(?![0-9A-Fa-f:])"
)
OBVIOUS_PHONE = re.compile(r"[+()0-9][0-9 \t\n\r\f\v().-]{6,}[0-9]")


def obvious_ipv6(text: str) -> bool:
    matches = (match.group() for match in OBVIOUS_IPV6.finditer(text))
    return any("::" not in address or re.search("[0-9]", address) for address in matches)


def obvious_phone(text: str) -> bool:
    numbers = (re.sub(r"[ \t\n\r\f\v().-]", "", run) for run in OBVIOUS_PHONE.findall(text))
    return any(re.fullmatch(r"\+[0-9]{7,15}", number) for number in numbers)


def pieces(*members: str, size: int = 14) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(members), max_size=size).map("".join)


@given(pieces("a", "Z", "9", ".", "%", "+", "-", "@", "é", " ") | texts)
@example("a@b.c@d.ef")
def test_email_is_the_obvious_expression(text: str) -> None:
    """One character before and two letters after decide as many do."""
    assert has_email(text) == bool(OBVIOUS_EMAIL.search(text))


@given(pieces(":", "::", "1", "a", "F", "12ab", "12345", "1:2:3:4:5:6:7:8", "a:b:c:", "g", ".", " ") | texts)
@example("1:2:3:4:5:6:7::")
def test_ipv6_is_the_obvious_expression(text: str) -> None:
    """A match is a whole run, so looking at runs finds the same."""
    assert has_ipv6(text) == obvious_ipv6(text)


@given(
    pieces("+", "(", ")", "1", "23", "4567", "89012345", " ", "\n", ".", "-", "\u00a0", "x", size=20) | texts
)
@example("1 +12345+1234567")
@example("(1234567+1234567(")
def test_phone_is_the_obvious_expression(text: str) -> None:
    """Counting the digits after each plus decides as matching every run does."""
    assert has_phone(text) == obvious_phone(text)


@pytest.mark.parametrize(
    "pattern",
    [
        "a",
        "a@",
        "a.",
        "1.",
        "1.1.1.256 ",
        ":",
        "::1 :",
        "+((((",
        "+1 ",
        "1 ",
        "1-",
        "aa11",
        "bc1",
        "\t",
        "\ud800",
    ],
)
def test_hostile_text_ends(pattern: str) -> None:
    """A megabyte of what each detector would have to come back for."""
    text = pattern * (1_000_000 // len(pattern))
    assert pii(text, KINDS).code in ("ok", "pii_found")


def test_ten_megabytes_end() -> None:
    """Length alone costs no more than its share."""
    assert pii("+((((" * 2_000_000 + "1" * 15, KINDS).hits == (5,)
