"""Seven kinds of personal data, each found by one small detector.

A conservative subset: what is found has the right shape and, where the kind has one, the right checksum. Much
that is personal is not found (names, addresses, numbers in local form), and this is no replacement for a
recogniser such as Presidio. Letters and digits are the ASCII ones. Where a shape has a test beyond its
pattern, the pattern is searched left to right without overlap, and only the match that it takes at a place is
tested.

Every detector is linear in the text. Three are not written as the obvious expression, because that one costs
the square of a hostile text; the tests hold each of them equal to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Final

from .row import Row, plain
from .text import PINNED_WHITESPACE

_EMAIL: Final = re.compile(r"[A-Za-z0-9._%+-]@[A-Za-z0-9.-]+\.[A-Za-z]{2}")
_CARD: Final = re.compile(r"(?<![0-9])(?:[0-9][ -]?){13,19}(?![0-9])")
_IBAN: Final = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}(?![A-Za-z0-9])")
_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = re.compile(rf"(?<![0-9])(?:{_OCTET}\.){{3}}{_OCTET}(?![0-9])")
_HEX_AND_COLONS: Final = re.compile(r"[0-9A-Fa-f:]+")
_HEX_GROUP: Final = re.compile(r"[0-9A-Fa-f]{1,4}")
_DIGIT: Final = re.compile(r"[0-9]")
_PLUS_RUN: Final = re.compile(rf"\+([0-9{PINNED_WHITESPACE}().-]+)")
_BASE58: Final = "[1-9A-HJ-NP-Za-km-z]"
_BASE58_ADDRESS: Final = re.compile(rf"(?<!{_BASE58})[13]{_BASE58}{{25,34}}(?!{_BASE58})")
_BECH32_ADDRESS: Final = re.compile(r"(?<![a-z0-9])bc1[a-z0-9]{25,60}(?![a-z0-9])")


def pii(candidate: str, kinds: Collection[str]) -> Row:
    """Grade one text: passes when no detector of the named kinds finds anything.

    Codes: ``ok``, ``pii_found``. ``hits``: the indices in ``KINDS`` of the kinds found, ascending, each once;
    never what was found. A kind without a detector raises ``KeyError``: a misspelt one must not pass a text.

    >>> pii("mail a.b@example.org or ::1", KINDS)
    Row(code='pii_found', score=0.0, stats=(0, 0, 0, 0, 0, 0), hits=(0, 4))
    >>> pii("mail a.b@example.org", ["phone"]).code
    'ok'
    """
    found = {kind for kind in kinds if DETECTORS[kind](candidate)}
    hits = tuple(index for index, kind in enumerate(KINDS) if kind in found)
    return plain("pii_found" if hits else "ok", hits)


def has_email(text: str) -> bool:
    """Find letters, digits or ``._%+-``; ``@``; letters, digits or ``.-``; a dot; two or more letters.

    There are no borders, and all that is asked for is whether a match exists: so one character before the
    ``@`` is as good as many, and two letters as good as more. Taking many would try each start of a long run.

    >>> has_email("<jane.doe+x@mail.example.org>"), has_email("@example.org"), has_email("a@b.c")
    (True, False, False)
    """
    return _EMAIL.search(text) is not None


def has_credit_card(text: str) -> bool:
    """Find 13 to 19 digits, each optionally followed by a space or a dash, no digit beside them, Luhn-valid.

    >>> has_credit_card("4111 1111 1111 1111"), has_credit_card("4111 1111 1111 1112")
    (True, False)
    """
    return any(is_luhn_valid(match.group()) for match in _CARD.finditer(text))


def is_luhn_valid(number: str) -> bool:
    """Whether a number's last digit is its Luhn check digit (ISO/IEC 7812); only its digits are looked at.

    >>> is_luhn_valid("7992-7398713"), is_luhn_valid("7992-7398710")
    (True, False)
    """
    digits = [int(digit) for digit in _DIGIT.findall(number)]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def has_iban(text: str) -> bool:
    """Find two letters, two digits, 11 to 30 letters or digits, none beside them, mod-97 valid.

    >>> has_iban("gb82WEST12345698765432"), has_iban("GB83WEST12345698765432")
    (True, False)
    """
    return any(is_mod97_valid(match.group()) for match in _IBAN.finditer(text))


def is_mod97_valid(iban: str) -> bool:
    """Whether an IBAN satisfies ISO 7064: the first four to the end, letters as 10 to 35, remainder 1 by 97.

    >>> is_mod97_valid("DE89370400440532013000"), is_mod97_valid("DE88370400440532013000")
    (True, False)
    """
    rearranged = iban[4:] + iban[:4]
    return int("".join(str(int(character, 36)) for character in rearranged)) % 97 == 1


def has_ipv4(text: str) -> bool:
    """Find four octets of 0 to 255 without leading zeros, dotted, no digit right before or after.

    >>> has_ipv4("at 192.168.0.1."), has_ipv4("192.168.0.256"), has_ipv4("192.168.00.1")
    (True, False, False)
    """
    return _IPV4.search(text) is not None


def has_ipv6(text: str) -> bool:
    """Find an IPv6 address with neither hex digit nor colon beside it.

    Because of these borders an address is a whole maximal run of hex digits and colons, so each run is looked
    at once.

    >>> has_ipv6("ping fe80::1%eth0"), has_ipv6("std::vector"), has_ipv6("a::b")
    (True, False, False)
    """
    return any(is_ipv6(run) for run in _HEX_AND_COLONS.findall(text))


def is_ipv6(run: str) -> bool:
    """Whether a run of hex digits and colons is eight groups, or any groups round one ``::`` with a digit.

    A group is 1 to 4 hex digits. Round the ``::`` there may be none, or more than eight: shape, not a route.

    >>> is_ipv6("1:2:3:4:5:6:7:8"), is_ipv6("::1"), is_ipv6("::"), is_ipv6("1::2::3")
    (True, True, False, False)
    """
    left, gap, right = run.partition("::")
    if not gap:
        return run.count(":") == 7 and _are_groups(run)
    sides_are_groups = all(not side or _are_groups(side) for side in (left, right))
    return sides_are_groups and _DIGIT.search(run) is not None


def _are_groups(side: str) -> bool:
    return all(_HEX_GROUP.fullmatch(group) for group in side.split(":"))


def has_phone(text: str) -> bool:
    """Find ``+`` and 7 to 15 digits, with pinned whitespace, ``().-`` between them.

    The rule: a run that starts with ``+``, ``(``, ``)`` or a digit, then at least six of digits, whitespace,
    ``().-``, then a digit, as long as possible; what is left without whitespace and ``().-`` must be ``+``
    and 7 to 15 digits. A ``+`` is only ever the first of a run, so no other run reaches past one, and the one
    that it starts ends at the last digit before a character of no run. Hence it is enough to count the digits
    after each ``+``.

    >>> has_phone("call +44 (20) 7946-0958."), has_phone("020 7946 0958"), has_phone("+123456")
    (True, False, False)
    """
    return any(7 <= len(_DIGIT.findall(run)) <= 15 for run in _PLUS_RUN.findall(text))


def has_crypto(text: str) -> bool:
    """Find a Bitcoin address by its shape.

    Either 1 or 3 and 25 to 34 base58 characters, no base58 character beside them; or ``bc1`` and 25 to 60
    lowercase letters or digits, no such character beside them. No checksum is computed.

    >>> has_crypto("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"), has_crypto("bc1" + "q" * 24)
    (True, False)
    """
    return bool(_BASE58_ADDRESS.search(text) or _BECH32_ADDRESS.search(text))


DETECTORS: Final[dict[str, Callable[[str], bool]]] = {
    "email": has_email,
    "credit_card": has_credit_card,
    "iban": has_iban,
    "ipv4": has_ipv4,
    "ipv6": has_ipv6,
    "phone": has_phone,
    "crypto": has_crypto,
}
"""The detector of each kind."""

KINDS: Final[tuple[str, ...]] = tuple(DETECTORS)
"""The seven kinds, in the order in which they are reported."""
