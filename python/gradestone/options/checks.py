"""The strict checks: what a value must be to be taken as an option, and the plain value that is then stored.

A *checker* takes what the caller gave and returns what the options object keeps: plain text, numbers and
booleans, tuples for lists, JSON values of our own that nobody else can change. It raises `Refused` for
anything else. NumPy's scalars count as the numbers, booleans and texts that they are, and its one-dimensional
arrays as lists, all known by how they behave: NumPy is not imported. Nothing is converted from one kind into
another, so ``"0.5"`` is no number, ``1`` no boolean and ``True`` no number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from gradestone.jsontext import NotJsonValueError, stringify, to_json_value
from gradestone.reference.text import PINNED_WHITESPACE, lower
from gradestone.verdict import quote

Checker = Callable[[object], object]
"""``(given) -> stored``; raises `Refused`."""

T = TypeVar("T")

SHOWN: Final = 60
"""Code points of a number, a word or a name that a fault shows."""


class Refused(Exception):  # noqa: N818 - not an error of the program: a checker's way of saying no
    """A value that an option does not accept. The complaint continues a sentence that the option begins."""

    def __init__(self, complaint: str, *, code: str = "invalid_option", member: str = "") -> None:
        super().__init__(complaint)
        self.complaint = complaint
        self.code = code
        self.member = member

    @classmethod
    def unlike(cls, wanted: str, given: object) -> Refused:
        """Complain about a value of the wrong kind."""
        return cls(f"must be {wanted}, not {kind_of(given)}")


def kind_of(value: object) -> str:
    """Say what a value is, in a word or two, without showing it.

    >>> kind_of(None), kind_of(True), kind_of("secret"), kind_of([1]), kind_of(b"")
    ('null', 'a boolean', 'text', 'a list', 'a value of type bytes')
    """
    given = _plain_scalar(value)
    if isinstance(given, float) and not math.isfinite(given):
        return "NaN" if math.isnan(given) else "an infinity"
    for kind, words in _KINDS:
        if isinstance(given, kind):
            return words
    return f"a value of type {type(given).__name__[:SHOWN]}"


_KINDS: Final[tuple[tuple[type | tuple[type, ...], str], ...]] = (
    (type(None), "null"),
    (bool, "a boolean"),  # before the numbers, since a boolean is an int
    ((int, float), "a number"),
    (str, "text"),
    ((list, tuple), "a list"),
    (Mapping, "an object"),
)


def _plain_scalar(value: object) -> object:
    """Turn NumPy's scalars, and subclasses of the built-in ones, into these; leave anything else."""
    dtype_kind = getattr(getattr(value, "dtype", None), "kind", "")
    if dtype_kind in ("b", "i", "u", "f", "U") and getattr(value, "ndim", None) == 0:
        value = value.item()  # type: ignore[attr-defined]
    match value:
        case bool():
            return value
        case int():
            return int.__index__(value)
        case float():
            return float.__float__(value)
        case str():
            return str.__str__(value)
    return value


def json_value(value: object) -> object:
    """Take any JSON value, null included."""
    try:
        return to_json_value(value)
    except NotJsonValueError as error:
        raise Refused(f"must be a JSON value: {error}") from None


def text(value: object) -> str:
    """Take text, empty text included."""
    given = _plain_scalar(value)
    if not isinstance(given, str):
        raise Refused.unlike("text", given)
    return given


def nonempty_text(value: object) -> str:
    """Take text of at least one character."""
    given = text(value)
    if not given:
        raise Refused("must not be empty")
    return given


def nonblank_text(value: object) -> str:
    """Take text that is more than pinned whitespace."""
    given = text(value)
    if not given.strip(PINNED_WHITESPACE):
        raise Refused("must not be blank")
    return given


def boolean(value: object) -> bool:
    """Take True or False; 0 and 1 are numbers."""
    given = _plain_scalar(value)
    if not isinstance(given, bool):
        raise Refused.unlike("true or false", given)
    return given


def unit(value: object) -> float:
    """Take a number from 0 to 1, both included."""
    wanted = "a number from 0 to 1"
    number = _finite(value, wanted)
    if not 0 <= number <= 1:
        raise Refused(f"must be {wanted}, not {_shown(number)}")
    return float(number) + 0.0  # turns -0.0 into 0.0


def at_least_zero(value: object) -> int | float:
    """Take a finite number of at least 0. Integers keep all their digits."""
    wanted = "a finite number of at least 0"
    number = _finite(value, wanted)
    if number < 0:
        raise Refused(f"must be {wanted}, not {_shown(number)}")
    return number + 0  # turns -0.0 into 0.0


def whole(value: object) -> int:
    """Take an integer; a float counts as the integer that it equals."""
    wanted = "a whole number"
    number = _finite(value, wanted)
    if number != math.floor(number):
        raise Refused(f"must be {wanted}, not {_shown(number)}")
    return int(number)


def _finite(value: object, wanted: str) -> int | float:
    number = _plain_scalar(value)
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise Refused.unlike(wanted, number)
    try:
        finite = math.isfinite(number)
    except OverflowError:
        raise Refused(f"must be {wanted}, not a number beyond the range of a double") from None
    if not finite:
        raise Refused.unlike(wanted, number)
    return number


def _shown(number: float) -> str:
    digits = repr(number)
    return digits if len(digits) <= SHOWN else f"{digits[:SHOWN]}…"


def one_of(*words: str) -> Checker:
    """Take one of a few words, spelt exactly."""
    wanted = f"one of {', '.join(words)}"

    def check(value: object) -> str:
        given = _plain_scalar(value)
        if not isinstance(given, str):
            raise Refused.unlike(wanted, given)
        if given not in words:
            raise Refused(f"must be {wanted}, not {quote(given, SHOWN)}")
        return given

    return check


def list_of(member: Callable[[object], T], *, at_least: int = 1) -> Callable[[object], tuple[T, ...]]:
    """Take a list, tuple or one-dimensional array of so many members, each of which ``member`` takes."""

    def check(value: object) -> tuple[T, ...]:
        given = value if isinstance(value, (list, tuple)) else _array_members(value)
        if given is None:
            raise Refused.unlike("a list", value)
        if len(given) < at_least:
            least = "one member" if at_least == 1 else f"{at_least} members"
            raise Refused(f"must have at least {least}, not {len(given)}")
        return tuple(_check_member(member, index, one) for index, one in enumerate(given))

    return check


def _array_members(value: object) -> list[Any] | None:
    to_list = getattr(value, "tolist", None)
    if not callable(to_list) or getattr(value, "ndim", None) != 1:
        return None
    members = to_list()
    return members if isinstance(members, list) else None


def _check_member(member: Callable[[object], T], index: int, value: object) -> T:
    try:
        return member(value)
    except Refused as refused:
        raise Refused(refused.complaint, code=refused.code, member=f"[{index}]") from None


def fragment(value: object) -> str:
    """Take text of at least one character, or any other JSON value for its JSON text."""
    given = _plain_scalar(value)
    return nonempty_text(given) if isinstance(given, str) else stringify(json_value(given))


def pattern(value: object) -> str:
    """Take a pattern that ``re`` compiles, that cannot backtrack for ever, and that is within the cap."""
    given = nonempty_text(value)
    from gradestone.graders.patterns import check_pattern  # loads an engine: for patterns only

    fault = check_pattern(given)
    if fault is not None:
        code, message = fault
        raise Refused(f"is refused: {message}", code=code)
    return given


def extra(value: object) -> object:
    """Take a JSON object of keys that are no options."""
    if not isinstance(value, Mapping):
        raise Refused.unlike("an object", value)
    return json_value(value)


def schema(value: object) -> object:
    """Take a JSON object that is a valid JSON Schema."""
    if not isinstance(value, Mapping):
        raise Refused.unlike("an object", value)
    given = json_value(value)
    from gradestone.graders.schemas import check_schema  # loads a validator: for schemas only

    message = check_schema(given)
    if message is not None:
        raise Refused(f"is no valid JSON Schema: {message}", code="invalid_schema")
    return given


def label_key(label: str) -> str:
    """Return what labels share that a judge cannot tell apart: case and outer whitespace are gone."""
    return lower(label.strip(PINNED_WHITESPACE))


def categories(value: object) -> tuple[str, ...]:
    """Take two labels or more, none blank, no two of the same key."""
    labels = _LABELS(value)
    first_of: dict[str, int] = {}
    for index, label in enumerate(labels):
        first = first_of.setdefault(label_key(label), index)
        if first != index:
            complaint = f"must differ from member {first} by more than case and outer whitespace"
            raise Refused(complaint, member=f"[{index}]")
    return labels


_LABELS: Final = list_of(nonblank_text, at_least=2)
