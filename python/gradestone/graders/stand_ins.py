"""Stand-ins for lone surrogates, for libraries whose strings are UTF-8 and cannot hold them.

Each of the 2 048 surrogates has one of the last 2 048 code points, which no text in use holds: they are for
private use, the last two not even characters. Lengths, equality and patterns that name no such character stay
as they are. Who uses stand-ins refuses what holds both.
"""

from __future__ import annotations

import re
from typing import Final

from gradestone.jsontext import JsonValue, inner_strings, map_strings

_FIRST_SURROGATE: Final = 0xD800
_FIRST_STAND_IN: Final = 0x10F800
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_STAND_IN: Final = re.compile("[\U0010f800-\U0010ffff]")


def holds_surrogate(value: JsonValue) -> bool:
    """Tell whether a lone surrogate is anywhere in a value, keys included."""
    return _holds(value, _SURROGATE)


def holds_stand_in(value: JsonValue) -> bool:
    """Tell whether a stand-in is anywhere in a value, keys included."""
    return _holds(value, _STAND_IN)


def _holds(value: JsonValue, pattern: re.Pattern[str]) -> bool:
    return any(not text.isascii() and pattern.search(text) for text in inner_strings(value))


def disguise(value: JsonValue) -> JsonValue:
    r"""Copy a value with the stand-in for each lone surrogate.

    >>> disguise({"a\ud800": ["\udfff"]}) == {"a\U0010f800": ["\U0010ffff"]}
    True
    """
    return map_strings(value, lambda text: _shifted(text, _SURROGATE, _FIRST_STAND_IN - _FIRST_SURROGATE))


def reveal(text: str) -> str:
    r"""Put the lone surrogates back.

    >>> reveal("a\U0010f800") == "a\ud800"
    True
    """
    return _shifted(text, _STAND_IN, _FIRST_SURROGATE - _FIRST_STAND_IN)


def _shifted(text: str, pattern: re.Pattern[str], distance: int) -> str:
    if text.isascii():
        return text
    return pattern.sub(lambda match: chr(ord(match.group()) + distance), text)
