"""The registry: one entry a grader type, in a JSON file that people and other programs read too.

``registry.json`` beside this module is ours. Another file of the same shape can be loaded in its place;
judges then send the prompts of that file, to the byte. A file that is damaged, or of another shape, is
refused as a whole.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NoReturn

VERSION: Final = 1
"""The version of the file's shape that this module reads."""

CATEGORIES: Final = (
    "match",
    "structure",
    "tools",
    "thresholds",
    "similarity",
    "retrieval",
    "safety",
    "judge",
    "external",
)
"""The families of graders."""

KERNEL_TYPES: Final = frozenset(
    {
        "exact_match",
        "contains",
        "not_contains",
        "regex",
        "not_regex",
        "blocklist",
        "no_pii",
        "bleu_score",
        "rouge_score",
        "context_f1",
        "semantic",
    }
)
"""The types that a compiled kernel grades. It is a fact about this package and not about the grader, and the
shape of
the file admits no further keys, so it stands here and not in the file."""


class RegistryError(ValueError):
    """A registry file cannot be read; the message names the file, the entry and what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraderEntry:
    """What the registry says about one grader type."""

    type: str
    """The name in ``{"type": …}``."""
    title: str
    """A short name for people."""
    category: str
    """The family, one of ``CATEGORIES``."""
    description: str
    """What passes and what fails, in a sentence or two."""
    scored: bool
    """Whether the score is a degree; else it is 1.0 for a pass and 0.0 for a fail."""
    deterministic: bool
    """Whether the same input always has the same verdict."""
    judge_calls: int
    """Calls to a judge model that one verdict costs: 0, 1 or 2."""
    options: Mapping[str, Any]
    """A JSON Schema of the options. It is shared by all who load the registry: read it, do not change it."""
    kernel: bool
    """Whether a compiled kernel grades the type."""
    legacy: bool = False
    """Whether the type is kept for older suites only."""
    python_only: bool = False
    """Whether the TypeScript package lacks the type."""
    prompt_template: str | None = None
    """The prompt of a judge, with ``{name}`` markers; None for every other type."""


class Registry(Mapping[str, GraderEntry]):
    """The entries by type, in the file's order. Read-only.

    >>> from gradestone import load_registry
    >>> registry = load_registry()
    >>> len(registry), registry["bleu_score"].category, registry["bleu_score"].kernel
    (29, 'similarity', True)
    """

    __slots__ = ("_entries", "id", "source")

    id: str
    """The first 16 hexadecimal digits of the file's SHA-256; a judge's verdict tells them."""
    source: str
    """The file's name."""

    def __init__(self, entries: Mapping[str, GraderEntry], *, id: str, source: str) -> None:
        self._entries = dict(entries)
        self.id = id
        self.source = source

    def __getitem__(self, type_: str) -> GraderEntry:
        return self._entries[type_]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<Registry {self.id} of {len(self)} graders from {self.source}>"


def load_registry(path: Path | None = None) -> Registry:
    """Load the built-in registry, or the one in a file.

    The built-in one is read once a process; a file is read at every call.

    A file that cannot be read, is no strict JSON in UTF-8, has another version or shape, an unknown category,
    the same type twice, or a judge without a prompt raises `RegistryError`.
    """
    if path is None:
        return _built_in()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RegistryError(f"{path}: {error.strerror or error}") from error
    return read_registry(data, str(path))


REGISTRY_VARIABLE: Final = "GRADESTONE_REGISTRY"
"""Environment variable that names the registry file in use."""


def registry_of(named: Registry | Path | str | None) -> Registry:
    """The registry in use: the one given or in the named file, else in that of ``$GRADESTONE_REGISTRY``, else ours."""
    if isinstance(named, Registry):
        return named
    path = named if named is not None else os.environ.get(REGISTRY_VARIABLE) or None
    return load_registry(None if path is None else Path(path))


@cache
def _built_in() -> Registry:
    name = "registry.json"
    return read_registry(files(__name__).joinpath(name).read_bytes(), name)


def read_registry(data: bytes, source: str) -> Registry:
    """Read a registry from a file's bytes, as `load_registry` does; ``source`` names the file in errors."""
    document = _parse(data, source)
    if not isinstance(document, dict) or document.keys() != {"version", "graders"}:
        raise RegistryError(f"{source}: must be an object with the keys version and graders, and no others")
    if type(document["version"]) is not int or document["version"] != VERSION:
        raise RegistryError(f"{source}: version must be {VERSION}, the one that this release reads")
    graders = document["graders"]
    if not isinstance(graders, list) or not graders:
        raise RegistryError(f"{source}: graders must be a list of at least one entry")
    entries: dict[str, GraderEntry] = {}
    for index, entry in enumerate(graders):
        fault = _fault(entry) or (
            f"the type {entry['type']} has an entry already" if entry["type"] in entries else None
        )
        if fault is not None:
            raise RegistryError(f"{source}: {_name(entry, index)}: {fault}")
        entries[entry["type"]] = GraderEntry(**entry, kernel=entry["type"] in KERNEL_TYPES)
    return Registry(entries, id=sha256(data).hexdigest()[:16], source=source)


def _parse(data: bytes, source: str) -> object:
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RegistryError(f"{source}: not a JSON document: {error}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {json.dumps(repeated)} is repeated in an object")
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _name(entry: object, index: int) -> str:
    type_ = entry.get("type") if isinstance(entry, dict) else None
    return f"entry {index} ({type_})" if isinstance(type_, str) else f"entry {index}"


def _is_name(value: object) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


def _is_calls(value: object) -> bool:
    return type(value) is int and 0 <= value <= 2


def _is_category(value: object) -> bool:
    return isinstance(value, str) and value in CATEGORIES


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

_SHAPE: Final[dict[str, tuple[Callable[[object], bool], str]]] = {
    "type": (_is_name, "lowercase letters, digits and _, a letter first"),
    "title": (_is_text, "text"),
    "category": (_is_category, f"one of {', '.join(CATEGORIES)}"),
    "description": (_is_text, "text"),
    "scored": (_is_boolean, "true or false"),
    "deterministic": (_is_boolean, "true or false"),
    "judge_calls": (_is_calls, "0, 1 or 2"),
    "options": (_is_object, "an object"),
    "legacy": (_is_boolean, "true or false"),
    "python_only": (_is_boolean, "true or false"),
    "prompt_template": (_is_text, "text"),
}
"""Each key of an entry: its check, and what it must be, in words."""

_OPTIONAL: Final = frozenset({"legacy", "python_only", "prompt_template"})


def _fault(entry: object) -> str | None:
    """Say what is wrong with an entry, or return None."""
    if not isinstance(entry, dict):
        return "must be an object"
    for key in entry:
        if key not in _SHAPE:
            return f"has the unknown key {json.dumps(key)}"
    for key, (accepts, wanted) in _SHAPE.items():
        if key not in entry:
            if key in _OPTIONAL:
                continue
            return f"lacks {key}"
        if not accepts(entry[key]):
            return f"{key} must be {wanted}"
    if (entry["judge_calls"] > 0) != ("prompt_template" in entry):
        return "a judge needs a prompt_template, and no other grader has one"
    return _options_fault(entry["options"])


def _options_fault(options: dict[str, Any]) -> str | None:
    if options.get("type") != "object":
        return 'options.type must be "object"'
    properties = options.get("properties")
    if not isinstance(properties, dict) or not all(
        isinstance(schema, dict) for schema in properties.values()
    ):
        return "options.properties must map each option to its JSON Schema"
    required = options.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return "options.required must be a list of names"
    for name in required:
        if name not in properties:
            return f"options.required names {json.dumps(name)}, which options.properties lacks"
    if not isinstance(options.get("additionalProperties", True), bool):
        return "options.additionalProperties must be true or false"
    return None
