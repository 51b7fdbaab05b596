"""Vector files: which there are, and the cases in them.

The TypeScript package's shape is a JSON list, or JSON lines, of ``{name, type, options, candidate,
expected_passed}`` with ``expected_score``, ``expected_pii``, ``expected_hits``, ``expected_file_f1`` and
``expected_line_f1`` where they were recorded. A case without a type but with a ``reference`` is one of
localization_f1, one with ``stub_responses`` needs a judge. Our shape is the envelope of ``vectors/SPEC.md``.

A file that is no vector file is told apart from one that is and cannot be read. What is not understood in a
case is an error, since an expectation that is passed over would agree with everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from gradestone.data.errors import InputError, why
from gradestone.data.jsonl import BadRecord, JsonlFile
from gradestone.data.strict_json import JsonError, read_json
from gradestone.options import ABSENT
from gradestone.registry import load_registry

EXACT: Final = 1e-12
"""How far a figure that was recorded in full may be off: a few last places of ``exp`` and ``ln``."""

ROUNDED: Final = 0.5e-4 + EXACT
"""The same for figures that were rounded to four decimals."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a case says about its verdict; None where it says nothing."""

    passed: bool
    code: str | None = None
    score: float | None = None
    metadata: Mapping[str, Any] | None = None
    """Figures that the verdict's metadata must have, among others."""
    tolerance: float = EXACT
    """How far the score, and every float of the metadata, may be off."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge whose replies were recorded, and what it was asked."""

    replies: Sequence[str]
    """The replies, in the order of the calls."""
    prompts: Sequence[str]
    """The prompts of the calls that must be made, with the registry of the recording."""
    reason_contains: str = ""
    """What the verdict's reason must hold."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case: a grader, what it is given, and what it must say."""

    name: str
    type: str
    options: Mapping[str, Any]
    candidate: Any
    """The candidate; ``ABSENT`` where the row has none."""
    reference: Any
    """The case reference; ``ABSENT`` where there is none."""
    expected: Expected
    judge: Judge | None = None
    """What the judge of the case answers; None where the case needs none."""


def shipped_folder() -> Path:
    """Return the folder of the vectors that are part of the package."""
    return Path(str(files("gradestone"))) / "vectors"


def find_files(path: Path) -> Iterator[Path]:
    """Give the JSON and JSONL files at a path: the file itself, or all in a folder and below it, sorted.

    Raises `InputError` when there is nothing at the path, or it cannot be read.
    """
    if not path.exists():
        raise InputError(f"cannot read {path}: No such file or directory")
    if path.is_file():
        yield path
        return
    try:
        inside = sorted(path.rglob("*"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {why(error)}") from error
    yield from (one for one in inside if one.suffix in (".json", ".jsonl") and one.is_file())


def read_vectors(path: Path) -> list[Case] | None:
    """Read the cases of a file; None if it is no vector file.

    Raises `InputError` when the file cannot be read, is no strict JSON, or holds a case that is not
    understood.
    """
    document = _lines(path) if path.suffix == ".jsonl" else _document(path)
    if isinstance(document, dict) and isinstance(document.get("tests"), list) and "grader" in document:
        return _envelope(path, document)
    if isinstance(document, list) and any(_is_recorded(item) for item in document):
        tolerance = (
            EXACT if any(_is_full(value) for item in document for value in _figures(item)) else ROUNDED
        )
        return [_recorded(path, number, item, tolerance) for number, item in enumerate(document, 1)]
    return None


def _document(path: Path) -> Any:
    try:
        return read_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot read {path}: {why(error)}") from error
    except JsonError as error:
        raise InputError(f"cannot read {path}: {error}") from None


def _lines(path: Path) -> list[dict[str, Any]]:
    with JsonlFile(str(path)) as file:
        records = list(file)
    for record in records:
        if isinstance(record, BadRecord):
            raise InputError(f"cannot read {path}, line {record.line}: {record.error}")
    return [record.fields for record in records if not isinstance(record, BadRecord)]


def _is_recorded(item: object) -> bool:
    return isinstance(item, dict) and "expected_passed" in item


_METADATA: Final = {
    "expected_pii": "entities",
    "expected_hits": "hits",
    "expected_file_f1": "file_f1",
    "expected_line_f1": "line_f1",
}
"""The package's expectations beside the score, and where a verdict's metadata has them."""

_FIGURES: Final = ("expected_score", "expected_file_f1", "expected_line_f1")

_KEYS: Final = frozenset(
    {"name", "type", "options", "candidate", "reference", "expected_passed", "expected_score", *_METADATA}
)
_JUDGE_KEYS: Final = frozenset({"stub_responses", "expected_prompts", "expected_reason_contains"})


def _figures(item: object) -> Iterator[float]:
    if isinstance(item, dict):
        yield from (item[key] for key in _FIGURES if isinstance(item.get(key), float))


def _is_full(figure: float) -> bool:
    """Tell whether a figure has more than four decimals. One is enough: a file is recorded in one way."""
    return round(figure, 4) != figure


def _recorded(path: Path, number: int, item: object, tolerance: float) -> Case:
    """Read a case of the package's shape."""
    fail = _refusal(path, f"case {number}")
    if not _is_recorded(item) or not isinstance(item, dict):
        raise fail("it has no expected_passed")
    judged = "stub_responses" in item
    unknown = item.keys() - _KEYS - (_JUDGE_KEYS if judged else frozenset())
    if unknown:
        raise fail(f"{min(unknown)} is not understood")
    type_ = item.get("type", "localization_f1" if "reference" in item else None)
    expected = Expected(
        _typed(item["expected_passed"], bool, "expected_passed", fail),
        score=_score(item.get("expected_score"), "expected_score", fail),
        metadata={name: item[key] for key, name in _METADATA.items() if key in item},
        tolerance=tolerance,
    )
    return _case(item, type_, expected, fail, judge=_judge(item, fail) if judged else None)


def _judge(item: Mapping[str, Any], fail: Refuse) -> Judge:
    return Judge(
        _texts(item["stub_responses"], "stub_responses", fail),
        _texts(item.get("expected_prompts"), "expected_prompts", fail),
        _typed(item.get("expected_reason_contains", ""), str, "expected_reason_contains", fail),
    )


def _texts(value: object, name: str, fail: Refuse) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(member, str) for member in value):
        raise fail(f"{name} is missing or no list of texts")
    return value


def _envelope(path: Path, document: Mapping[str, Any]) -> list[Case]:
    tests = document["tests"]
    stated = document.get("number_of_tests", len(tests))
    if stated != len(tests):
        raise InputError(f"cannot read {path}: it holds {len(tests)} cases, not {stated} as it says")
    return [_own(path, document["grader"], test) for test in tests]


def _own(path: Path, type_: object, test: object) -> Case:
    """Read a case of our envelope."""
    fail = _refusal(path, f"case {test.get('id') if isinstance(test, dict) else '?'}")
    if not isinstance(test, dict):
        raise fail("it is no object")
    stated = _typed(test.get("expected"), dict, "expected", fail)
    unknown = stated.keys() - {"passed", "code", "score", "metadata"}
    if unknown:
        raise fail(f"expected.{min(unknown)} is not understood")
    expected = Expected(
        _typed(stated.get("passed"), bool, "expected.passed", fail),
        _typed(stated.get("code"), str, "expected.code", fail),
        _score(stated.get("score"), "expected.score", fail),
        _typed(stated.get("metadata", {}), dict, "expected.metadata", fail),
    )
    inputs = ("options", "candidate", "reference")
    written_out = {key: _expanded(test[key], fail) for key in inputs if key in test}
    return _case(test | written_out, type_, expected, fail)


Refuse = Callable[[str], InputError]


def _refusal(path: Path, where: str) -> Refuse:
    return lambda fault: InputError(f"cannot read {path}, {where}: {fault}")


def _case(
    item: Mapping[str, Any], type_: object, expected: Expected, fail: Refuse, *, judge: Judge | None = None
) -> Case:
    if not isinstance(type_, str) or type_ not in load_registry():
        raise fail("no grader has its type")
    return Case(
        _typed(item.get("name"), str, "name", fail),
        type_,
        _typed(item.get("options", {}), dict, "options", fail),
        item.get("candidate", ABSENT),
        item.get("reference", ABSENT),
        expected,
        judge,
    )


def _typed(value: Any, kind: type, name: str, fail: Refuse) -> Any:
    if not isinstance(value, kind):
        raise fail(f"{name} is missing or no {kind.__name__}")
    return value


def _score(value: object, name: str, fail: Refuse) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise fail(f"{name} is no number")
    return float(value)


def _expanded(value: Any, fail: Refuse) -> Any:
    """Return a value with the shorthand of ``vectors/SPEC.md`` written out, from the inside."""
    if isinstance(value, list):
        return [_expanded(member, fail) for member in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        [(form, argument)] = value.items()
        if form == "$literal":
            return argument
        if form in _SHORTHAND and isinstance(argument, list):
            try:
                return _SHORTHAND[form](*_expanded(argument, fail))
            except TypeError:
                raise fail(f"{form} has arguments that do not fit") from None
    return {key: _expanded(member, fail) for key, member in value.items()}


def _repeat(value: Any, times: int) -> Any:
    return value * times


def _concat(first: Any, *others: Any) -> Any:
    return sum(others, first) if isinstance(first, list) else first + "".join(others)


def _nest(value: object, times: int) -> object:
    for _ in range(times):
        value = [value]
    return value


_SHORTHAND: Final[dict[str, Callable[..., Any]]] = {
    "$repeat": _repeat,
    "$concat": _concat,
    "$nest": _nest,
}
