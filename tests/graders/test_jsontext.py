"""JSON values and JSON text: what is a value, how it is written, read, compared and walked."""

from __future__ import annotations

import json
import sys
import threading
from collections import OrderedDict, UserDict, defaultdict
from decimal import Decimal
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.jsontext import (
    MAX_DEPTH,
    NotJsonValueError,
    canonical,
    depth_of,
    inner_strings,
    map_strings,
    parse_json,
    same_value,
    stringify,
    to_json_value,
)


class Level(IntEnum):
    LOW = 1


class Word(StrEnum):
    YES = "yes"


class Point(NamedTuple):
    x: int
    y: float


class Loud(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "loud"


class Wide(float):
    __slots__ = ()


def nested(levels: int, of: type = list, core: Any = None) -> Any:
    """A value of so many levels; its innermost list or object holds ``core`` unless that is None."""
    value: Any = [] if of is list else {}
    if core is not None:
        value = [core] if of is list else {"a": core}
    for _ in range(levels - 1):
        value = [value] if of is list else {"a": value}
    return value


PLAIN: dict[str, tuple[object, Any]] = {
    "null": (None, None),
    "boolean": (True, True),
    "integer": (5, 5),
    "float": (1.5, 1.5),
    "negative zero": (-0.0, -0.0),
    "text": ("a", "a"),
    "empty list": ([], []),
    "empty tuple": ((), []),
    "empty object": ({}, {}),
    "tuple": ((1, (2,)), [1, [2]]),
    "named tuple": (Point(1, 2.0), [1, 2.0]),
    "object of a subclass": (OrderedDict(b=1, a=(2,)), {"b": 1, "a": [2]}),
    "default dict": (defaultdict(list, a=[1]), {"a": [1]}),
    "int enum": (Level.LOW, 1),
    "str enum": ([Word.YES], ["yes"]),
    "str enum as a key": ({Word.YES: 1}, {"yes": 1}),
    "text of a subclass": (Loud("quiet"), "quiet"),
    "float of a subclass": (Wide(2.5), 2.5),
    "lone surrogate": ("\ud800", "\ud800"),
    "integer of 4 300 digits": (10**4299, 10**4299),
    "NumPy boolean": (np.True_, True),
    "NumPy integer": (np.int64(-5), -5),
    "NumPy unsigned": ([np.uint64(2**64 - 1)], [2**64 - 1]),
    "NumPy double": (np.float64(0.5), 0.5),
    "NumPy float": (np.float32(0.1), float(np.float32(0.1))),
    "NumPy half": ([np.float16(0.5)], [0.5]),
    "NumPy text": (np.str_("a"), "a"),
}


@pytest.mark.parametrize(("value", "plain"), PLAIN.values(), ids=PLAIN)
def test_what_becomes_a_plain_value(value: object, plain: Any) -> None:
    """Tuples, subclasses and NumPy scalars become the plain type, all the way down."""
    got = to_json_value(value)
    assert same_value(got, plain)
    assert repr(got) == repr(plain)
    assert all(type(one) in (type(None), bool, int, float, str, list, dict) for one in parts(got))


def parts(value: Any) -> list[Any]:
    inner = (
        list(value.values()) + list(value)
        if isinstance(value, dict)
        else value
        if isinstance(value, list)
        else []
    )
    return [value, *(part for one in inner for part in parts(one))]


LOOP: list[Any] = []
LOOP.append({"a": LOOP})

REFUSED: dict[str, object] = {
    "NaN": float("nan"),
    "infinity inside": [1, [float("-inf")]],
    "NumPy NaN": np.float64("nan"),
    "NumPy infinity": [np.float32("inf")],
    "NumPy overflow of a long double": np.longdouble("1e4000"),
    "bytes": b"a",
    "bytearray inside": {"a": bytearray(b"a")},
    "decimal": Decimal(1),
    "fraction": Fraction(1, 2),
    "complex": 1j,
    "set": {1},
    "object": object(),
    "mapping that is no dict": UserDict(a=1),
    "iterator": iter([1]),
    "array": np.array([1, 2]),
    "array without a dimension": np.array(1),
    "date": np.datetime64("2020-01-01"),
    "duration": np.timedelta64(5),
    "key that is an integer": {1: 2},
    "key that is a boolean": {True: 2},
    "key that is null": [{None: 2}],
    "key that is a tuple": {("a",): 2},
    "integer of 4 301 digits": 10**4300,
    "huge integer": [-(1 << 10_000_000)],
    "cycle": LOOP,
    "513 levels": nested(MAX_DEPTH + 1),
    "513 levels of objects": nested(MAX_DEPTH + 1, dict),
    "513 levels of tuples": (nested(MAX_DEPTH),),
    "60 000 levels": nested(60_000),
}


@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED)
def test_what_is_no_json_value(value: object) -> None:
    """Everything else is refused with the one exception."""
    with pytest.raises(NotJsonValueError):
        to_json_value(value)


def test_a_refusal_quotes_nothing() -> None:
    """Messages name types, neither keys nor values."""
    for value in ([{"secret": b"secret"}], {"secret": float("nan")}, {("secret",): 1}):
        with pytest.raises(NotJsonValueError) as caught:
            to_json_value(value)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize("of", [list, dict])
@pytest.mark.parametrize("core", [None, "x"])
def test_every_function_takes_512_levels(of: type, core: Any) -> None:
    """A scalar is level 0, an empty list level 1; nothing recurses, even near the interpreter's limit."""
    value = nested(MAX_DEPTH, of, core)

    def walk() -> None:
        assert depth_of(value) == MAX_DEPTH
        copy = to_json_value(value)
        assert same_value(copy, value)
        assert stringify(copy) == canonical(copy)
        assert list(inner_strings(copy)).count("x") == (core is not None)
        assert depth_of(map_strings(copy, str.upper)) == MAX_DEPTH

    def descend(frames: int) -> None:
        if frames:
            descend(frames - 1)
        else:
            walk()

    used = len(list(frames_here()))
    descend(sys.getrecursionlimit() - used - 60)


def frames_here() -> Any:
    frame: Any = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def test_a_value_is_copied() -> None:
    """What happens to the caller's object afterwards does not reach the copy."""
    inner: list[Any] = [1]
    given_value = {"a": inner}
    copy = to_json_value(given_value)
    inner.append(2)
    given_value["b"] = []
    assert copy == {"a": [1]}


def test_an_object_that_changes_while_it_is_copied() -> None:
    """Another thread's changes never raise: each container is read in one go."""
    shared: dict[str, Any] = {"list": [0], "object": {"0": 0}}
    stop = threading.Event()

    def change() -> None:
        count = 0
        while not stop.is_set():
            count += 1
            shared["object"][str(count % 97)] = count
            shared["object"].pop(str((count * 31) % 97), None)
            shared["list"].append(count)
            del shared["list"][: len(shared["list"]) // 2]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(2_000):
            to_json_value(shared)
    finally:
        stop.set()
        thread.join()


NUMBERS: dict[str, tuple[float, str]] = {
    "whole": (1.0, "1"),
    "zero": (0.0, "0"),
    "negative zero": (-0.0, "0"),
    "negative": (-1.5, "-1.5"),
    "below 1e21": (1e20, "100000000000000000000"),
    "shortest digits, then zeros": (123456789012345680000.0, "123456789012345680000"),
    "just below 1e21": (999999999999999900000.0, "999999999999999900000"),
    "1e21": (1e21, "1e+21"),
    "negative 1e21": (-1e21, "-1e+21"),
    "digits and an exponent": (1.2345e25, "1.2345e+25"),
    "1e16, where CPython starts to write exponents": (1e16, "10000000000000000"),
    "1e-4": (1e-4, "0.0001"),
    "1e-5, where CPython starts to write exponents": (1e-5, "0.00001"),
    "1.5e-5": (1.5e-5, "0.000015"),
    "1e-6": (1e-6, "0.000001"),
    "1.23e-6": (1.23e-6, "0.00000123"),
    "1e-7": (1e-7, "1e-7"),
    "1.5e-7": (-1.5e-7, "-1.5e-7"),
    "least": (5e-324, "5e-324"),
    "greatest": (1.7976931348623157e308, "1.7976931348623157e+308"),
    "a tenth": (0.1, "0.1"),
    "sum of tenths": (0.1 + 0.2, "0.30000000000000004"),
    "2**53": (2.0**53, "9007199254740992"),
    "2**63": (2.0**63, "9223372036854776000"),
}


@pytest.mark.parametrize(("number", "text"), NUMBERS.values(), ids=NUMBERS)
def test_floats_are_written_as_ecmascript_does(number: float, text: str) -> None:
    """ECMAScript's Number::toString; a script under Node agreed on 200 000 random doubles."""
    assert stringify(number) == text
    assert stringify([number, {"a": number}]) == f'[{text},{{"a":{text}}}]'


WRITTEN: dict[str, tuple[Any, str]] = {
    "null": (None, "null"),
    "booleans": ([True, False], "[true,false]"),
    "big integer": (10**30 + 1, "1000000000000000000000000000001"),
    "integer beyond the doubles": (10**400, "1" + "0" * 400),
    "empty": ([[], {}, ""], '[[],{},""]'),
    "short escapes": ('"\\\b\f\n\r\t', '"\\"\\\\\\b\\f\\n\\r\\t"'),
    "other control characters": ("\x00\x1f\x0b", '"\\u0000\\u001f\\u000b"'),
    "not escaped": ("/\x7f\x85\u2028\u2029é\U0001f600<'", '"/\x7f\x85\u2028\u2029é\U0001f600<\'"'),
    "lone high surrogate": ("a\ud800b", '"a\\ud800b"'),
    "lone low surrogate": ("\udfff", '"\\udfff"'),
    "halves in the wrong order": ("\ude00\ud83d", '"\\ude00\\ud83d"'),
    "halves side by side": ("\ud83d\ude00", '"\U0001f600"'),
    "two high, one low": ("\ud83d\ud83d\ude00", '"\\ud83d\U0001f600"'),
    "surrogate in a key": ({"\ud800": 1}, '{"\\ud800":1}'),
    "keys as given": ({"b": 1, "a": 2}, '{"b":1,"a":2}'),
    "integer-like keys first": ({"b": 0, "10": 1, "9": 2, "a": 3}, '{"9":2,"10":1,"b":0,"a":3}'),
    "greatest index": ({"4294967295": 0, "4294967294": 1}, '{"4294967294":1,"4294967295":0}'),
    "no indices": ({"a": 0, "01": 1, "-1": 2, "1.0": 3, " 1": 4, "1e3": 5, "": 6, "٣": 7}, None),
    "zero": ({"a": 0, "0": 1, "00": 2}, '{"0":1,"a":0,"00":2}'),
    "integer-like keys below": ({"a": [{"b": 0, "2": 1, "1": 2}]}, '{"a":[{"1":2,"2":1,"b":0}]}'),
}  # fmt: skip


@pytest.mark.parametrize(("value", "text"), WRITTEN.values(), ids=WRITTEN)
def test_values_are_written_as_json_stringify_does(value: Any, text: str | None) -> None:
    """Escapes, the order of keys, digits of integers. None: exactly as the json module writes it."""
    assert stringify(value) == (text or json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def test_canonical_text_sorts_keys_by_code_point_at_every_level() -> None:
    """Astral keys come after U+FFFF, unlike in UTF-16; integer-like keys are keys like any other."""
    value = {"\U0001f600": 1, "\uffff": 2, "b": {"10": 1, "9": 2}, "B": [{"z": 0, "a": 1}]}
    assert canonical(value) == '{"B":[{"a":1,"z":0}],"b":{"10":1,"9":2},"\uffff":2,"\U0001f600":1}'


READ: dict[str, tuple[str, Any]] = {
    "number": ("-0", 0),
    "negative zero": ("-0.0", -0.0),
    "exponent": ("1E+2", 100.0),
    "greatest double": ("1.7976931348623157e308", 1.7976931348623157e308),
    "underflow": ("1e-400", 0.0),
    "long fraction": ("0." + "0" * 400 + "1e401", 1.0),
    "whole with a fraction": ("1.0", 1.0),
    "big integer": ("12345678901234567890123", 12345678901234567890123),
    "2**64": ("18446744073709551616", 2**64),
    "309 digits within the doubles": ("1" + "0" * 308, 10**308),
    "white space": (" \t\r\n[ 1 ,\n2 ]\r\n", [1, 2]),
    "repeated key": ('{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}),
    "own key __proto__": ('{"__proto__":1}', {"__proto__": 1}),
    "escapes": (r'"\"\\\/\b\f\n\r\tA\u00e9"', '"\\/\b\f\n\r\tAé'),
    "pair": (r'"\ud83d\ude00"', "\U0001f600"),
    "escaped lone surrogate": (r'["\ud800", "\udfff"]', ["\ud800", "\udfff"]),
    "raw lone surrogate": ('{"\ud800":"\udfff"}', {"\ud800": "\udfff"}),
    "raw and escaped halves": ('"\ud83d\\ude00"', "\ud83d\ude00"),
    "raw control character above": ('"\x7f\u2028"', "\x7f\u2028"),
    "escaped NUL": (r'"\u0000"', "\x00"),
    "brackets inside text": ('"' + "[{" * 600 + '"', "[{" * 600),
    "512 levels": ("[" * 512 + "]" * 512, nested(512)),
    "512 levels of objects": ('{"a":' * 511 + "{}" + "}" * 511, nested(512, dict)),
}


@pytest.mark.parametrize(("text", "value"), READ.values(), ids=READ)
def test_documents_are_read(text: str, value: Any) -> None:
    """Strict JSON, with exact integers and surrogates of any kind."""
    got = parse_json(text)
    assert same_value(got, value)
    assert repr(got) == repr(value)


UNREAD: dict[str, str] = {
    "nothing": "",
    "white space only": " \n",
    "NaN": "NaN",
    "NaN inside": "[NaN]",
    "infinity": "Infinity",
    "negative infinity": '{"a":-Infinity}',
    "constant beside a surrogate": '["\\ud800",NaN]',
    "byte order mark": "\ufeff{}",
    "no-break space": "\u00a01",
    "vertical tab": "\v1",
    "line separator": "1\u2028",
    "beyond the doubles": "1e309",
    "negative beyond the doubles": "[-1e400]",
    "rounds beyond the doubles": "1.7976931348623159e308",
    "exponent with zeros": "1e0000400",
    "many digits and a small exponent": "1" * 250 + "e60",
    "integer of 401 digits": "1" + "0" * 400,
    "integer of 5 000 digits": "[" + "9" * 5_000 + "]",
    "beyond the doubles beside a surrogate": '["\\ud800",1e400]',
    "overwritten number beyond the doubles": '{"a":1e400,"a":1}',
    "leading zero": "01",
    "plus": "+1",
    "bare point": "1.",
    "hex": "0x1",
    "trailing comma": '{"a":1,}',
    "two values": "1 2",
    "single quotes": "{'a':1}",
    "raw line break in text": '"a\nb"',
    "raw NUL in text": '"\x00"',
    "open text": '"a',
    "unknown escape": r'"\x41"',
    "short escape": r'"\u12"',
    "comment": "1 // one",
    "fence": "```json\n{}\n```",
    "513 levels": "[" * 513 + "]" * 513,
    "513 levels of objects": '{"a":' * 513 + "1" + "}" * 513,
    "60 000 levels": "[" * 60_000 + "]" * 60_000,
    "60 000 levels, open": "[" * 60_000,
    "60 000 levels of objects": '{"a":' * 60_000 + "1" + "}" * 60_000,
}


@pytest.mark.parametrize("text", UNREAD.values(), ids=UNREAD)
def test_what_is_no_document(text: str) -> None:
    """Whatever is not strict JSON raises ValueError, whose message holds nothing of the text."""
    with pytest.raises(
        ValueError, match=r"^(not a JSON document|nested (deeper than 512 levels|too deeply))$"
    ):
        parse_json(text)


finite = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | finite | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3) | st.integers().map(str), inner)
    ),
    max_leaves=20,
)
surrogate_texts = st.text(st.characters(categories=["Cs", "L", "Cc"]), max_size=6)


@given(json_values)
def test_what_is_written_is_read_back(value: Any) -> None:
    """Both readers find the value again; whole doubles from 2**53 on are written with fewer digits."""
    text = stringify(value)
    back = parse_json(text)
    assert stringify(back) == text
    assert same_value(json.loads(text), back)
    assert same_value(parse_json(canonical(value)), back)
    if not holds_large_number(value):
        assert same_value(back, value)


@given(st.lists(surrogate_texts))
def test_lone_surrogates_survive(value: list[str]) -> None:
    """Escaped and unescaped they are the same text, but that halves side by side become their character."""
    joined = [
        text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") for text in value
    ]
    assert parse_json(stringify(value)) == joined


@given(json_values, json_values)
def test_equality_is_that_of_canonical_text(left: Any, right: Any) -> None:
    """Reflexive, symmetric, and the same as equal canonical text wherever integers are within 2**53."""
    assert same_value(left, left)
    assert same_value(left, right) == same_value(right, left)
    if same_value(left, right):
        assert canonical(left) == canonical(right) or holds_large_number(left)


def holds_large_number(value: Any) -> bool:
    return any(isinstance(part, (int, float)) and abs(part) >= 2**53 for part in parts(value))


EQUALITY: dict[str, tuple[Any, Any, bool]] = {
    "true is not 1": (True, 1, False),
    "false is not 0": ([False], [0], False),
    "0 is -0": (0, -0.0, True),
    "1 is 1.0": ({"a": 1}, {"a": 1.0}, True),
    "5 is not text": (5, "5", False),
    "null is not 0": (None, 0, False),
    "null is not false": (None, False, False),
    "null is not empty": ("", None, False),
    "exact beyond 2**53": (2**53 + 1, float(2**53), False),
    "exact integers": (10**30, 10**30 + 1, False),
    "an integer is the double that it is": (2**70, float(2**70), True),
    "key order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    "list order": ([1, 2], [2, 1], False),
    "shorter list": ([1], [1, 1], False),
    "missing key": ({"a": None}, {}, False),
    "other key": ({"a": 1}, {"b": 1}, False),
    "list is no object": ([], {}, False),
    "list is no scalar": ([1], 1, False),
    "text by code points": ("é", "e\u0301", False),
    "deep difference": (nested(512, core=1), nested(512, core=2), False),
    "deep equality": (nested(512, dict, core=1), nested(512, dict, core=1.0), True),
}


@pytest.mark.parametrize(("left", "right", "same"), EQUALITY.values(), ids=EQUALITY)
def test_equality(left: Any, right: Any, same: bool) -> None:
    """By type and value, both ways round."""
    assert same_value(left, right) is same
    assert same_value(right, left) is same


def test_strings_inside() -> None:
    """Keys too, in document order, at every level; a text is its own only string."""
    assert list(inner_strings("a")) == ["a"]
    assert list(inner_strings({"a": [1, "b", {"c": None, "d": ["e"]}], "f": "g"})) == list("abcdefg")
    assert list(inner_strings([None, True, 1.5])) == []
