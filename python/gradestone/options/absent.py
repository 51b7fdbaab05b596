"""The mark of an option that was not given, which is not the same as one given as null."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal


class Absent(Enum):
    """The type of `ABSENT`, for annotations and ``isinstance``.

    >>> from gradestone import ABSENT, ExactMatch
    >>> ExactMatch().expected is ABSENT, ExactMatch(expected=None).expected is ABSENT
    (True, False)
    """

    ABSENT = "absent"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent.ABSENT
"""Not given. It is false, there is one only, and it survives pickling and copying."""
