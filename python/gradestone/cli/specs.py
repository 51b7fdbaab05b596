"""The texts after ``-g``: ``[NAME=]TYPE[:OPTIONS]``, read into named, compiled graders."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from gradestone.cli.columns import unknown_options
from gradestone.cli.exits import CommandError
from gradestone.compiled import CompiledGrader, compile_grader
from gradestone.data.errors import why
from gradestone.data.splice import RESERVED
from gradestone.data.strict_json import JsonError, RepeatedKeyError, read_json
from gradestone.options import OPTIONS, GraderOptionError
from gradestone.registry import load_registry
from gradestone.verdict import quote


class SpecError(ValueError):
    """One text after ``-g`` cannot be read."""


class Spec(NamedTuple):
    """One text after ``-g``, read but not checked."""

    name: str | None
    """The name that was given to it."""
    type: str
    options: dict[str, Any]


def read_spec(text: str) -> Spec:
    """Read one text after ``-g``.

    Options are one JSON object, or ``key=value`` separated by commas, where commas within brackets, braces or
    double quotes do not separate. A value is read as JSON if it is JSON, else it is text; ``key=@file`` reads
    it from a file: a JSON value, else one text a line. For an option that is text, such as a rubric or a pattern, it is
    the whole file, but for the end of its last line, unless that is a JSON text.

    Raises `SpecError` when it has no such form, or a file cannot be read.

    >>> read_spec("rouge_l=rouge_score:rouge_type=rouge_l,threshold=0.3")
    Spec(name='rouge_l', type='rouge_score', options={'rouge_type': 'rouge_l', 'threshold': 0.3})
    >>> read_spec('blocklist:terms=["a", "b,c"]').options
    {'terms': ['a', 'b,c']}
    """
    head, _, tail = text.partition(":")
    name, equals, type_ = head.rpartition("=")
    if equals:
        _check_name(name)
    if not type_:
        raise SpecError("the grader's type is missing")
    options = _read_object(tail) if tail.lstrip().startswith("{") else _read_pairs(type_, tail)
    if "type" in options:
        raise SpecError("the type stands before the colon, it is no option")
    return Spec(name if equals else None, type_, options)


def _check_name(name: str) -> None:
    if not name or not name.isprintable():
        raise SpecError("the grader's name is empty or cannot be printed")
    if "=" in name:
        raise SpecError("one `=` may stand before the colon, as NAME=TYPE; options come after the colon")
    if name in RESERVED:
        raise SpecError(f"a grader cannot be called {name}: unreadable rows have a member of that name")


def _read_object(text: str) -> dict[str, Any]:
    try:
        options = read_json(text.encode("utf-8", "surrogatepass"))
    except JsonError as error:
        raise SpecError(f"the options are no JSON object: {error}") from None
    if not isinstance(options, dict):
        raise SpecError("the options are no JSON object")
    return options


def _read_pairs(type_: str, text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if not text.strip():
        return options
    for piece in _split(text):
        key, equals, value = piece.partition("=")
        key = key.strip()
        if not (equals and key):
            raise SpecError(
                "an option is no key=value (write values that hold commas as a JSON object after the colon)"
            )
        if key in options:
            raise SpecError(f"the option `{key}` is given twice")
        options[key] = _read_file(type_, key, value[1:]) if value.startswith("@") else _read_value(key, value)
    return options


_BRACKETS: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


def _split(text: str) -> Iterator[str]:
    """Give the pieces between the commas that stand outside brackets, braces and double quotes."""
    start = depth = 0
    quoted = escaped = False
    for index, char in enumerate(text):
        if escaped or char == "\\":
            escaped = not escaped
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in _BRACKETS:
            depth = max(0, depth + _BRACKETS[char])
        elif char == "," and not quoted and depth == 0:
            yield text[start:index]
            start = index + 1
    if quoted or depth:
        raise SpecError(
            "a quote or bracket is not closed (write such values as a JSON object after the colon)"
        )
    yield text[start:]


def _read_value(key: str, text: str) -> Any:
    try:
        return read_json(text.encode("utf-8", "surrogatepass"))
    except RepeatedKeyError as error:
        raise SpecError(f"the option `{key}`: {error}") from None
    except JsonError:
        return text


def _read_file(type_: str, key: str, name: str) -> Any:
    try:
        data = Path(name).read_bytes().removeprefix(b"\xef\xbb\xbf")
    except (OSError, ValueError) as error:
        reason = why(error) if isinstance(error, OSError) else str(error)
        raise SpecError(f"the option `{key}`: cannot read {name}: {reason}") from None
    is_text = _is_text(type_, key)
    try:
        value = read_json(data)
    except RepeatedKeyError as error:
        if not is_text:
            raise SpecError(f"the option `{key}`: {name}: {error}") from None
    except JsonError:
        pass
    else:
        if isinstance(value, str) or not is_text:
            return value
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(f"the option `{key}`: {name} is not UTF-8 at byte {error.start + 1}") from None
    if is_text:
        return text.removesuffix("\n").removesuffix("\r")
    return [line.removesuffix("\r") for line in text.split("\n") if line.strip(" \t\r\f\v")]


def _is_text(type_: str, key: str) -> bool:
    """Whether an option can be nothing but text."""
    entry = load_registry().get(type_)
    return entry is not None and entry.options["properties"].get(key, {}).get("type") == "string"


def compile_specs(texts: Iterable[str], *, columns: Collection[str] = ()) -> dict[str, CompiledGrader]:
    """Compile the graders of a command, by name and in the order given.

    ``columns`` are options that each row gives, so that they may be absent.

    A grader without a name is called after its type; if that is taken, ``TYPE_2``, ``TYPE_3`` and so on.

    Raises `CommandError` with every fault of every grader, and every one of ``columns`` that no grader has.
    """
    specs: list[Spec | None] = []
    faults: list[str] = []
    for number, text in enumerate(texts, 1):
        try:
            specs.append(read_spec(text))
        except SpecError as error:
            specs.append(None)
            faults.append(f"grader {number}: {error}")
    given = [spec.name for spec in specs if spec is not None and spec.name is not None]
    faults += [f"two graders are called {name}" for name in dict.fromkeys(given) if given.count(name) > 1]
    graders: dict[str, CompiledGrader] = {}
    for name, spec in _named(specs, frozenset(given)):
        try:
            graders[name] = compile_grader({**spec.options, "type": spec.type}, columns=columns)
        except GraderOptionError as error:
            faults += [f"grader {_shown(name)}: {fault.message}" for fault in error.faults]
    types = [spec.type for spec in specs if spec is not None and spec.type in OPTIONS]
    # Of a type that is not known nobody knows the options.
    if len(types) == len(specs):
        # Before the others: a misspelt option leaves the one that was meant missing.
        faults = [*unknown_options(columns, types), *faults]
    if faults:
        raise CommandError(*faults)
    return graders


def _named(specs: Sequence[Spec | None], taken: frozenset[str]) -> Iterator[tuple[str, Spec]]:
    used = set(taken)
    for spec in specs:
        if spec is None:
            continue
        name = spec.name if spec.name is not None else _free_name(spec.type, used)
        used.add(name)
        yield name, spec


def _free_name(type_: str, used: set[str]) -> str:
    number, name = 1, type_
    while name in used:
        number += 1
        name = f"{type_}_{number}"
    return name


def _shown(name: str) -> str:
    return name if name.isprintable() else quote(name)
