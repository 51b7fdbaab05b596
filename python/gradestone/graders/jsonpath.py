"""Dotted paths into JSON values, as json_path_assertion and tool_argument_assertion follow them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

from gradestone.jsontext import JsonValue
from gradestone.reference.text import trim


class DeadEnd(Enum):
    """Why a path leads to no value."""

    NOT_FOUND = "not found"
    STEP_INVALID = "a step on an array is a number but no index"


def follow(value: JsonValue, steps: Sequence[str]) -> Any:
    """Return the value that the steps lead to, or the `DeadEnd` that they meet.

    On an object a step is an own key. On an array it is an index if it is ``0`` or decimal digits without a
    leading zero; written like any other number it is invalid, since readers disagree about what such a step
    means. Anything else leads nowhere. The cost is one look-up a step.

    >>> follow({"a": [{"b": None}, 5]}, ["a", "1"])
    5
    >>> [follow([7, 8], [step]).name for step in ("-1", "2", "length")]
    ['STEP_INVALID', 'NOT_FOUND', 'NOT_FOUND']
    """
    for step in steps:
        if isinstance(value, dict):
            if step not in value:
                return DeadEnd.NOT_FOUND
            value = value[step]
        elif isinstance(value, list):
            if not _is_index(step):
                return DeadEnd.STEP_INVALID if _OTHER_NUMBER.fullmatch(trim(step)) else DeadEnd.NOT_FOUND
            if len(step) > _LONGEST_INDEX or (index := int(step)) >= len(value):
                return DeadEnd.NOT_FOUND
            value = value[index]
        else:
            return DeadEnd.NOT_FOUND
    return value


def _is_index(step: str) -> bool:
    """Whether a step is ``0`` or ASCII digits without a leading zero."""
    return step.isdecimal() and step.isascii() and (step[0] != "0" or len(step) == 1)


_LONGEST_INDEX: Final = 18
"""Digits of an index that any list could have; ``int`` refuses to read thousands of them."""

_OTHER_NUMBER: Final = re.compile(
    r"[+-]?(?:Infinity|[0-9]+(?:[eE][+-]?[0-9]+)?)|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+"
)
"""What ECMAScript's ``Number(step)`` reads as a number, white space around it aside. A step holds no dot."""
