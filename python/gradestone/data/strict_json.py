"""JSON as rows hold it: strict, exact, and refused with a cause that quotes nothing."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any, Final, NoReturn

import jiter

MAX_LEVELS: Final = 512
"""Levels of nesting below the row itself."""


class JsonError(ValueError):
    """A text is no JSON that we take; the message says why and where, and quotes nothing of it."""


class JsonSyntaxError(JsonError):
    """A text is not JSON by its grammar."""


class RepeatedKeyError(JsonError):
    """An object holds a key twice, so that nobody can say which value is meant."""


def read_json(data: bytes) -> Any:
    """Read a JSON value, strictly.

    Integers are exact. Escapes of lone surrogates are taken, here as in `jsontext.parse_json`.

    Raises `RepeatedKeyError` when an object holds a key twice at any level, and `JsonError` when it is not
    JSON by RFC 8259 (NaN, trailing commas, control characters in text), not UTF-8, nested more than 512
    levels deep, a number is beyond the range of a double, or an integer has more than 4300 digits.

    >>> read_json(b'{"answer": null, "n": 9007199254740993}')
    {'answer': None, 'n': 9007199254740993}
    """
    if _may_hold_a_large_number(data):
        return _read_slowly(data)
    try:
        return jiter.from_json(data, allow_inf_nan=False, catch_duplicate_keys=True, cache_mode="keys")
    except ValueError:
        # What the fast parser refuses is rare. The slow one tells the cause, and takes the lone surrogates
        # and the levels beyond 200 that the fast one does not.
        return _read_slowly(data)


_DIGITS_AS_ZEROS: Final = bytes.maketrans(b"123456789E", b"000000000e")


def _may_hold_a_large_number(data: bytes) -> bool:
    """Tell whether a number may be beyond the doubles, which the fast parser takes for an infinity.

    Fewer than 200 digits before an exponent of fewer than three are always within.
    """
    flat = data.translate(_DIGITS_AS_ZEROS)
    return b"000" in flat and (b"e000" in flat or b"e+000" in flat or b"0" * 200 in flat)


def _read_slowly(data: bytes) -> Any:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8 at byte {error.start + 1}") from None
    if text.startswith("\ufeff"):
        raise JsonError("a byte order mark that is not at the start of the file")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_float=_float,
            parse_int=_integer,
        )
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonSyntaxError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise JsonError(_TOO_DEEP) from None
    _check_levels(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise RepeatedKeyError("a key is repeated in an object")
    return fields


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"not JSON: {name} is no JSON value")


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise JsonError("a number is beyond the range of a double")
    return number


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise JsonError(f"an integer of {len(digits.lstrip('-'))} digits is too long") from None


_TOO_DEEP: Final = f"nested more than {MAX_LEVELS} levels deep"


def _check_levels(value: object) -> None:
    level = [value]
    for _ in range(MAX_LEVELS + 1):
        level = [child for parent in level for child in _children(parent) if isinstance(child, (dict, list))]
        if not level:
            return
    raise JsonError(_TOO_DEEP)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def json_text(value: object) -> bytes:
    """Return a value as JSON in UTF-8; lone surrogates, which UTF-8 has no form for, as escapes."""
    text = _ENCODE(value)
    # Python's backslash form of a lone surrogate, \udxxx, is JSON's as well.
    return text.encode("utf-8", "backslashreplace")


_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def whole_text(text: str) -> str:
    r"""Return a text with lone surrogates as U+FFFD.

    >>> whole_text("a\ud800b") == "a\ufffdb"
    True
    """
    return text if is_utf8(text) else _SURROGATES.sub("\ufffd", text)


def is_utf8(text: str) -> bool:
    """Tell whether a text holds no lone surrogate, which UTF-8 has no form for."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
