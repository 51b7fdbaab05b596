"""JSON values and JSON text: what counts as a value, how it is written, read and compared.

Every function walks with a stack of its own instead of recursion: the depth of a value decides nothing but
whether it is within `MAX_DEPTH`, however deep in the interpreter's stack the caller is.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from json.encoder import encode_basestring
from typing import Any, Final, TypeAlias

import jiter

JsonValue: TypeAlias = Any
"""A plain JSON value: None, bool, int, float, str, list or dict, no subclasses of them; numbers finite."""

MAX_DEPTH: Final = 512
"""Levels of lists and objects: what validators and other readers may recurse into on any thread's stack."""

MAX_INT_BITS: Final = 14_284
"""About 4 300 digits, the longest integer that CPython writes by default; more would cost quadratic time."""


class NotJsonValueError(ValueError):
    """A Python object that is not a JSON value. The message names kinds, never contents."""


def to_json_value(value: object) -> JsonValue:
    """Copy a value into plain JSON of our own, so that what happens to it later changes nothing here.

    Tuples become lists; NumPy scalars and subclasses of the plain types become the plain type.

    NaN, an infinity, an integer of more than about 4 300 digits, a key that is no text, bytes, ``Decimal``,
    any other object, and nesting over 512 levels, which a cycle is too, raise `NotJsonValueError`.

    >>> to_json_value({"a": (1, True, None)})
    {'a': [1, True, None]}
    >>> to_json_value([b"x"])
    Traceback (most recent call last):
        ...
    gradestone.jsontext.NotJsonValueError: a value of type bytes
    """
    return _copied(value, _opened)


def map_strings(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    """Copy a plain JSON value with every string changed, keys included.

    >>> map_strings({"a": ["b", 1]}, str.upper)
    {'A': ['B', 1]}
    """

    def opened(part: JsonValue) -> tuple[JsonValue, _Members | None]:
        if isinstance(part, str):
            return change(part), None
        if isinstance(part, dict):
            return {}, iter([(change(key), member) for key, member in part.items()])
        return _opened(part)

    return _copied(value, opened)


_Members: TypeAlias = Iterator[tuple[str | None, object]]
"""What goes into a container: with its key into an object, without one into a list."""


def _copied(value: object, opened: Callable[[object], tuple[JsonValue, _Members | None]]) -> JsonValue:
    copy, members = opened(value)
    if members is None:
        return copy
    pending = [(copy, members)]
    while pending:
        container, members = pending[-1]
        for key, member in members:
            inner, inside = opened(member)
            if key is None:
                container.append(inner)
            else:
                container[key] = inner
            if inside is not None:
                if len(pending) >= MAX_DEPTH:
                    raise NotJsonValueError(f"nested deeper than {MAX_DEPTH} levels, or within itself")
                pending.append((inner, inside))
                break
        else:
            pending.pop()
    return copy


def _opened(value: object) -> tuple[JsonValue, _Members | None]:
    """Return a scalar as it is; of a container an empty copy, and the members that go into it.

    The members are a snapshot, since another thread may change the container while it is read.
    """
    if type(value) is str or value is None:
        return value, None
    if isinstance(value, dict):
        return {}, iter([(_plain_key(key), member) for key, member in list(value.items())])
    if isinstance(value, (list, tuple)):
        return [], iter([(None, member) for member in value])
    return _plain_scalar(value), None


def _plain_key(key: object) -> str:
    if not isinstance(key, str):
        raise NotJsonValueError(f"an object key of type {type(key).__name__}")
    return str.__str__(key)


def _plain_scalar(value: object) -> JsonValue:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return _writable(int.__int__(value))
    if isinstance(value, float):
        return _finite(float.__float__(value))
    if isinstance(value, str):
        return str.__str__(value)
    return _plain_numpy_scalar(value)


def _plain_numpy_scalar(value: object) -> JsonValue:
    numpy = sys.modules.get("numpy")  # what is not loaded cannot have made the value
    if numpy is not None:
        if isinstance(value, numpy.bool_):
            return bool(value)
        if isinstance(value, numpy.integer) and not isinstance(value, numpy.timedelta64):
            return int(value)
        if isinstance(value, numpy.floating):
            return _finite(float(value))
    raise NotJsonValueError(f"a value of type {type(value).__name__}")


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise NotJsonValueError("NaN or an infinity")
    return number


def _writable(number: int) -> int:
    if number.bit_length() > MAX_INT_BITS:
        raise NotJsonValueError("an integer of too many digits")
    return number


def stringify(value: JsonValue) -> str:
    r"""Write a plain JSON value as ``JSON.stringify`` does, but that integers keep all their digits.

    No spaces; keys in their order, but those that are array indices first, ascending; only ``"``, ``\``,
    control characters and lone surrogates are escaped; floats as ECMAScript writes them.

    >>> stringify({"b": 1.0, "a": ["é\n", -0.0, 1e21], "10": None, "9": True})
    '{"9":true,"10":null,"b":1,"a":["é\\n",0,1e+21]}'
    """
    return _written(value, _own_key_order)


def text_of(candidate: JsonValue) -> str:
    """Return the text that graders of text look at: text as it is, any other value as `stringify` writes it.

    >>> text_of("a"), text_of(["a"])
    ('a', '["a"]')
    """
    return candidate if isinstance(candidate, str) else stringify(candidate)


def canonical(value: JsonValue) -> str:
    """Write as `stringify` does, but with keys sorted by code point at every level.

    >>> canonical({"b": 1, "a": {"9": 3, "10": 2}})
    '{"a":{"10":2,"9":3},"b":1}'
    """
    return _written(value, sorted)


def _written(value: JsonValue, ordered: Callable[[dict[str, JsonValue]], Iterable[str]]) -> str:
    out: list[str] = []
    pending: list[tuple[Iterator[tuple[str, JsonValue]], str]] = [(iter((("", value),)), "")]
    while pending:
        members, closing = pending[-1]
        for lead, member in members:
            out.append(lead)
            if isinstance(member, dict):
                out.append("{")
                pending.append((_keyed(member, ordered(member)), "}"))
                break
            if isinstance(member, list):
                out.append("[")
                pending.append((_listed(member), "]"))
                break
            out.append(_scalar_text(member))
        else:
            out.append(closing)
            pending.pop()
    return "".join(out)


def _keyed(value: dict[str, JsonValue], keys: Iterable[str]) -> Iterator[tuple[str, JsonValue]]:
    comma = ""
    for key in keys:
        yield f"{comma}{_string_text(key)}:", value[key]
        comma = ","


def _listed(value: list[JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    comma = ""
    for member in value:
        yield comma, member
        comma = ","


def _own_key_order(value: dict[str, JsonValue]) -> Iterable[str]:
    """Order keys as ECMAScript does: array indices ascending, then all others as they were added."""
    indices = [key for key in value if key[:1] in _DIGITS and _is_array_index(key)]
    if not indices:
        return value
    indices.sort(key=int)
    return [*indices, *(key for key in value if not _is_array_index(key))]


_DIGITS: Final = frozenset("0123456789")
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_INDEX: Final = 2**32 - 2


def _is_array_index(key: str) -> bool:
    return _INDEX.fullmatch(key) is not None and int(key) <= _LAST_INDEX


def _scalar_text(value: bool | float | str | None) -> str:
    if isinstance(value, str):
        return _string_text(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int) else _float_text(value)


def _string_text(text: str) -> str:
    quoted = encode_basestring(text)
    return quoted if quoted.isascii() else _SURROGATES.sub(_paired_or_escaped, quoted)


_SURROGATES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")


def _paired_or_escaped(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) == 1:
        return f"\\u{ord(found):04x}"
    # Two halves beside each other are one character to JSON.stringify, whose strings are UTF-16.
    return found.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _float_text(number: float) -> str:
    """Write as ECMAScript's ``Number::toString``: CPython's shortest digits, laid out differently."""
    shortest = repr(number)
    if "e" not in shortest:
        shortest = shortest.removesuffix(".0")
        return "0" if shortest == "-0" else shortest
    sign = "-" if number < 0 else ""
    mantissa, exponent = shortest.lstrip("-").split("e")
    digits = mantissa.replace(".", "")
    point = int(exponent) + 1  # the mantissa has one digit before its point
    if len(digits) <= point <= 21:
        return f"{sign}{digits}{'0' * (point - len(digits))}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def parse_json(text: str) -> JsonValue:
    """Read strict JSON (RFC 8259): of a repeated key the last one counts, integers keep all digits.

    Lone surrogates are taken inside strings, raw or escaped. NaN, infinities, a byte order mark, other
    whitespace than JSON's, a number beyond the range of a double, nesting over 512 levels, and all else that
    is no JSON document raise ``ValueError``, whose message quotes nothing.

    >>> parse_json('{"a": 1, "a": 12345678901234567890}')
    {'a': 12345678901234567890}
    """
    try:
        data = text.encode()
        if len(data) <= _SHORT_TEXT:
            # A number that a repeated key takes the place of would not be looked at.
            value = jiter.from_json(data, allow_inf_nan=False, cache_mode="keys", catch_duplicate_keys=True)
            if _holds_few_and_small(value) or not _may_hold_a_large_number(data):
                return value
        elif not _may_hold_a_large_number(data):
            return jiter.from_json(data, allow_inf_nan=False, cache_mode="keys")
    except ValueError:
        # Lone surrogates, repeated keys, and more than 200 levels are well-formed for us.
        pass
    return _parse_slowly(text)


_SHORT_TEXT: Final = 4096
"""Bytes of a text that may be read before its digits are bounded, whose conversion is quadratic."""

_FEW: Final = 32
"""Values that are looked at one by one sooner than a text of usual length is searched."""


def _holds_few_and_small(value: JsonValue) -> bool:
    """Tell whether these are few values, and no number among them is beyond the doubles."""
    pending = [value]
    left = _FEW
    for member in pending:
        kind = type(member)
        if kind is str:
            continue
        if kind is dict or kind is list:
            left -= len(member)
            if left < 0:
                return False
            pending += member.values() if kind is dict else member
        elif (kind is float and member - member != 0.0) or (kind is int and member.bit_length() > 1023):
            return False
    return True


def _may_hold_a_large_number(data: bytes) -> bool:
    """Tell whether a number may be beyond the doubles; jiter takes such ones, as infinities or as they are.

    With digits as zeros, such a number has an exponent of three digits, or one of two behind at least 209
    digits, or 309 digits. Searching for bytes is several times faster than a pattern, and most texts end at
    the first search.
    """
    flat = data.translate(_DIGITS_AS_ZEROS)
    return b"000" in flat and (b"e000" in flat or b"e+000" in flat or _MANY_DIGITS in flat)


_DIGITS_AS_ZEROS: Final = bytes.maketrans(b"123456789E", b"000000000e")
_MANY_DIGITS: Final = b"0" * 209


def _parse_slowly(text: str) -> JsonValue:
    try:
        value = _STRICT.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("not a JSON document") from None
    if depth_of(value) > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    return value


def _strict_float(digits: str) -> float:
    return _finite(float(digits))


def _strict_int(digits: str) -> int:
    _strict_float(digits)  # bounds the digits before their quadratic conversion, too
    return int(digits)


def _refuse_constant(name: str) -> None:
    raise NotJsonValueError(name)


_STRICT: Final = json.JSONDecoder(
    parse_float=_strict_float, parse_int=_strict_int, parse_constant=_refuse_constant
)


def depth_of(value: JsonValue) -> int:
    """Count the levels of lists and objects: 0 for a scalar, 1 for ``[]``.

    >>> depth_of(1), depth_of([]), depth_of({"a": [{}], "b": 2})
    (0, 1, 3)
    """
    deepest = 0
    pending = [(value, 1)]
    while pending:
        container, depth = pending.pop()
        if isinstance(container, dict):
            container = container.values()
        elif not isinstance(container, list):
            continue
        deepest = max(deepest, depth)
        pending.extend((member, depth + 1) for member in container if isinstance(member, (list, dict)))
    return deepest


def same_value(left: JsonValue, right: JsonValue) -> bool:
    """Tell whether two plain JSON values are equal: types matter, key order does not, integers are exact.

    >>> same_value({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}), same_value(True, 1), same_value(5, "5")
    (True, False, False)
    >>> same_value(9007199254740993, 9007199254740992.0)
    False
    """
    if isinstance(left, str):
        return isinstance(right, str) and left == right
    pending = [(left, right)]
    while pending:
        one, other = pending.pop()
        if isinstance(one, dict):
            if not isinstance(other, dict) or one.keys() != other.keys():
                return False
            pending.extend((member, other[key]) for key, member in one.items())
        elif isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) is not isinstance(other, bool) or one != other:
            return False
    return True


def inner_strings(value: JsonValue) -> Iterator[str]:
    """Yield every string inside a plain JSON value, keys included, in document order.

    >>> list(inner_strings({"a": ["b", {"c": "d"}], "e": 1}))
    ['a', 'b', 'c', 'd', 'e']
    """
    pending: list[Iterator[JsonValue]] = [iter((value,))]
    while pending:
        for member in pending[-1]:
            if isinstance(member, str):
                yield member
            elif isinstance(member, dict):
                pending.append(_keys_and_members(member))
                break
            elif isinstance(member, list):
                pending.append(iter(member))
                break
        else:
            pending.pop()


def _keys_and_members(value: dict[str, JsonValue]) -> Iterator[JsonValue]:
    for key, member in value.items():
        yield key
        yield member
