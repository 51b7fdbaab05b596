"""What Unicode 17 lowercases and older tables do not: the listed exception.

Lowercasing is pinned to Unicode 17 (``str::to_lowercase`` of rustc 1.95). CPython carries the tables of its
own release: 3.11 has Unicode 14, 3.12 has 15.0, 3.13 has 15.1, 3.14 has 16. This file holds the difference
between 14 and 17; a newer CPython agrees with part of it already, which changes nothing. A CPython with
tables after 17 would need a listed exception of its own, and ``tests/reference/test_unicode17.py`` fails
there.

How the tables were made. A program compiled with rustc 1.95 printed for every code point ``c`` the lowercase
of ``c``, and whether sigma becomes final in ``cΣ`` and in ``acΣ``; the same was asked of CPython 3.11.7, and
what differed is below: 55 mappings, each to one code point, and the roles of 307 code points. The two
questions about sigma tell the role of ``c`` in the Final_Sigma rule of the Unicode Standard (section 3.13):
final in both, it is cased; final in the second alone, it is case-ignorable; else it is neither. A character
with both properties is case-ignorable here, because the rule skips it before it looks for a cased one.
"""

from __future__ import annotations

from enum import Enum
from typing import Final


class CaseRole(Enum):
    """What a character is to the final-sigma rule."""

    CASED = "cased"
    IGNORABLE = "case-ignorable"
    NEITHER = "neither"


# First and last code point of a run, and what the first becomes; the others follow at the same distance.
_MAPPINGS: Final = (
    (0x1C89, 0x1C89, 0x1C8A),
    (0xA7CB, 0xA7CB, 0x0264),
    (0xA7CC, 0xA7CC, 0xA7CD),
    (0xA7CE, 0xA7CE, 0xA7CF),
    (0xA7D2, 0xA7D2, 0xA7D3),
    (0xA7D4, 0xA7D4, 0xA7D5),
    (0xA7DA, 0xA7DA, 0xA7DB),
    (0xA7DC, 0xA7DC, 0x019B),
    (0x10D50, 0x10D65, 0x10D70),
    (0x16EA0, 0x16EB8, 0x16EBB),
)

# First and last code point of each run of one role.
_ROLES: Final = {
    CaseRole.CASED: (
        *((0x1C89, 0x1C8A), (0xA7CB, 0xA7CF), (0xA7D2, 0xA7D2), (0xA7D4, 0xA7D4), (0xA7DA, 0xA7DC)),
        *((0x10D50, 0x10D65), (0x10D70, 0x10D85), (0x16EA0, 0x16EB8), (0x16EBB, 0x16ED3)),
        (0x1DF25, 0x1DF2A),
    ),
    CaseRole.IGNORABLE: (
        *((0x0897, 0x0897), (0x0ECE, 0x0ECE), (0x1ACF, 0x1ADD), (0x1AE0, 0x1AEB), (0xA7F1, 0xA7F1)),
        *((0x10D4E, 0x10D4E), (0x10D69, 0x10D6D), (0x10D6F, 0x10D6F), (0x10EC5, 0x10EC5)),
        *((0x10EFA, 0x10EFF), (0x11241, 0x11241), (0x113BB, 0x113C0), (0x113CE, 0x113CE)),
        *((0x113D0, 0x113D0), (0x113D2, 0x113D2), (0x113E1, 0x113E2), (0x11B60, 0x11B60)),
        *((0x11B62, 0x11B64), (0x11B66, 0x11B66), (0x11DD9, 0x11DD9), (0x11F00, 0x11F01)),
        *((0x11F36, 0x11F3A), (0x11F40, 0x11F40), (0x11F42, 0x11F42), (0x11F5A, 0x11F5A)),
        *((0x13439, 0x13440), (0x13447, 0x13455), (0x1611E, 0x16129), (0x1612D, 0x1612F)),
        *((0x16D40, 0x16D42), (0x16D6B, 0x16D6C), (0x16FF2, 0x16FF3), (0x1E030, 0x1E06D)),
        *((0x1E08F, 0x1E08F), (0x1E4EB, 0x1E4EF), (0x1E5EE, 0x1E5EF), (0x1E6E3, 0x1E6E3)),
        *((0x1E6E6, 0x1E6E6), (0x1E6EE, 0x1E6EF), (0x1E6F5, 0x1E6F5), (0x1E6FF, 0x1E6FF)),
    ),
    CaseRole.NEITHER: ((0x0295, 0x0295), (0x1171E, 0x1171E)),
}

LOWERCASE: Final[dict[int, int]] = {
    code: target + code - first for first, last, target in _MAPPINGS for code in range(first, last + 1)
}
"""The 55 code points that Unicode 14 leaves alone and Unicode 17 lowercases, each with what it becomes."""

CASE_ROLES: Final[dict[str, CaseRole]] = {
    chr(code): role
    for role, runs in _ROLES.items()
    for first, last in runs
    for code in range(first, last + 1)
}
"""The 307 characters whose role for a final sigma differs between Unicode 14 and 17, with that of 17."""
