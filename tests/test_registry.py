"""The registry: our file, the shape it shares with the TypeScript package's, and what the loader refuses."""

from __future__ import annotations

import copy
import json
import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.ts_fixtures import ts_fixtures, ts_json

from gradestone.options import OPTIONS
from gradestone.registry import (
    CATEGORIES,
    KERNEL_TYPES,
    GraderEntry,
    Registry,
    RegistryError,
    load_registry,
    read_registry,
)

BYTES = files("gradestone.registry").joinpath("registry.json").read_bytes()
DOCUMENT: dict[str, Any] = json.loads(BYTES)
OURS: dict[str, dict[str, Any]] = {entry["type"]: entry for entry in DOCUMENT["graders"]}
JUDGES = [type_ for type_, entry in OURS.items() if entry["category"] == "judge"]


def theirs() -> dict[str, dict[str, Any]]:
    return {entry["type"]: entry for entry in ts_json("grader-registry.json")["graders"]}


def properties(entry: dict[str, Any]) -> dict[str, Any]:
    return entry["options"]["properties"]


def markers(template: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", template))


def test_every_type_has_an_entry_and_an_options_class_in_the_same_order():
    assert list(load_registry()) == list(OPTIONS) == list(OURS)
    assert len(OURS) == 29


def test_our_file_is_valid_against_the_published_shape():
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    validator = jsonschema_rs.validator_for(ts_json("grader-registry.schema.json"))
    assert [str(error) for error in validator.iter_errors(DOCUMENT)] == []


@pytest.mark.parametrize(
    "key", ["category", "scored", "deterministic", "judge_calls", "legacy", "python_only"]
)
def test_our_file_agrees_with_the_package_on_what_a_type_is(key):
    assert {type_: entry.get(key) for type_, entry in OURS.items()} == {
        type_: entry.get(key) for type_, entry in theirs().items()
    }


def test_our_file_agrees_with_the_package_on_the_options():
    """Names in their order, which are required, defaults, choices, and whether other keys are taken."""

    def facts(entry: dict[str, Any]) -> dict[str, Any]:
        shared = {k: v for k, v in properties(entry).items() if not v.get("x-gradestone")}
        return {
            "names": list(shared),
            "defaults": {name: schema["default"] for name, schema in shared.items() if "default" in schema},
            "choices": {name: schema["enum"] for name, schema in shared.items() if "enum" in schema},
            "required": entry["options"].get("required", []),
            "others": entry["options"]["additionalProperties"],
        }

    assert {type_: facts(entry) for type_, entry in OURS.items()} == {
        type_: facts(entry) for type_, entry in theirs().items()
    }


def test_our_own_options_are_marked_and_known():
    """on_conflict of the judges is all that we add."""
    added = [
        (type_, name)
        for type_, entry in OURS.items()
        for name, v in properties(entry).items()
        if "x-gradestone" in v
    ]
    assert added == [(type_, "on_conflict") for type_ in JUDGES]


def test_the_wording_is_our_own():
    """No title that says more than the metric's name, no description and no prompt is the package's."""
    published = theirs()
    for type_, entry in OURS.items():
        for key in ("description", "prompt_template"):
            assert entry.get(key) is None or entry[key] != published[type_][key]
        for name, schema in properties(entry).items():
            other = properties(published[type_]).get(name, {})
            assert schema["description"] != other.get("description")


@pytest.mark.parametrize("type_", JUDGES)
def test_a_prompt_has_the_markers_of_the_package(type_):
    assert markers(OURS[type_]["prompt_template"]) == markers(theirs()[type_]["prompt_template"])


@pytest.mark.parametrize(
    ("type_", "line"),
    [
        ("llm_judge", "Respond with exactly PASS or FAIL."),
        ("llm_score", "SCORE: <number>"),
        ("llm_category", "CATEGORY: <category>"),
        ("llm_pairwise", "WINNER: A or WINNER: B or WINNER: TIE"),
        ("llm_answer_match", "MATCH: YES or MATCH: NO"),
    ],
)
def test_a_prompt_asks_for_the_reply_that_is_parsed(type_, line):
    """The last line of a prompt names the reply line, here and in the package's prompt."""
    assert OURS[type_]["prompt_template"].splitlines()[-1].endswith(line)
    assert line in theirs()[type_]["prompt_template"]


def test_every_text_says_something():
    """Descriptions are sentences, and say what passes and what fails."""
    for type_, entry in OURS.items():
        assert entry["description"].startswith("Passes when "), type_
        assert " Fails " in entry["description"], type_
        for name, schema in properties(entry).items():
            assert schema["description"].endswith("."), (type_, name)


def test_the_published_registry_loads_too():
    """It can stand in for ours, with its own id and its own prompts."""
    path = ts_fixtures() / "grader-registry.json"
    registry = load_registry(path)
    assert list(registry) == list(OURS)
    assert registry.id == sha256(path.read_bytes()).hexdigest()[:16] != load_registry().id
    assert registry["llm_judge"].prompt_template == theirs()["llm_judge"]["prompt_template"]


def test_entries_are_typed_and_frozen():
    entry = load_registry()["llm_pairwise"]
    assert isinstance(entry, GraderEntry)
    assert (entry.judge_calls, entry.scored, entry.legacy, entry.kernel) == (2, True, False, False)
    assert "{first}" in (entry.prompt_template or "")
    with pytest.raises(AttributeError):
        entry.scored = False  # type: ignore[misc]


def test_the_kernel_flag_is_that_of_the_table():
    assert {type_ for type_, entry in load_registry().items() if entry.kernel} == KERNEL_TYPES
    assert all(load_registry()[type_].deterministic for type_ in KERNEL_TYPES)


def test_the_built_in_registry_is_read_once_and_knows_its_bytes():
    registry = load_registry()
    assert load_registry() is registry
    assert registry.id == sha256(BYTES).hexdigest()[:16]
    assert registry.id in repr(registry)
    assert "no_such_type" not in registry


def test_a_registry_is_read_from_a_path(tmp_path: Path):
    path = tmp_path / "mine.json"
    path.write_bytes(BYTES)
    registry = load_registry(path)
    assert registry is not load_registry()
    assert registry.source == str(path)
    assert dict(registry) == dict(load_registry())


def test_every_category_is_used():
    assert {entry.category for entry in load_registry().values()} == set(CATEGORIES)


def damaged(change: Any) -> bytes:
    document = copy.deepcopy(DOCUMENT)
    change(document)
    return json.dumps(document).encode()


def entry_change(**changes: Any) -> bytes:
    """Our file with keys of its third entry changed; ``...`` removes a key."""

    def change(document: dict[str, Any]) -> None:
        for key, value in changes.items():
            if value is ...:
                del document["graders"][2][key]
            else:
                document["graders"][2][key] = value

    return damaged(change)


def options_change(**changes: Any) -> bytes:
    return entry_change(options=DOCUMENT["graders"][2]["options"] | changes)


DAMAGE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not a JSON document"),
    "cut off": (BYTES[:-10], "not a JSON document"),
    "not UTF-8": (b'"\xff"', "not a JSON document"),
    "UTF-16": (BYTES.decode().encode("utf-16"), "not a JSON document"),
    "byte order mark": (b"\xef\xbb\xbf" + BYTES, "not a JSON document"),
    "NaN": (b'{"version": NaN, "graders": []}', "NaN is no JSON value"),
    "too deep": (b"[" * 100_000, "not a JSON document"),
    "digits without end": (b'{"version": ' + b"1" * 5000 + b"}", "not a JSON document"),
    "repeated key": (b'{"version": 1, "version": 1, "graders": []}', 'the key "version" is repeated'),
    "a list": (b"[]", "keys version and graders"),
    "no version": (b'{"graders": []}', "keys version and graders"),
    "another key": (damaged(lambda d: d.update(extra=1)), "keys version and graders"),
    "another version": (damaged(lambda d: d.update(version=2)), "version must be 1"),
    "a boolean for the version": (damaged(lambda d: d.update(version=True)), "version must be 1"),
    "no entries": (damaged(lambda d: d.update(graders=[])), "at least one entry"),
    "entries by name": (damaged(lambda d: d.update(graders={})), "at least one entry"),
    "an entry that is text": (
        damaged(lambda d: d["graders"].insert(2, "regex")),
        "entry 2: must be an object",
    ),
    "the same type twice": (
        damaged(lambda d: d["graders"].append(d["graders"][2])),
        "entry 29 (not_contains): the type not_contains has an entry already",
    ),
    "type missing": (entry_change(type=...), "entry 2: lacks type"),
    "type in capitals": (entry_change(type="Contains"), "entry 2 (Contains): type must be lowercase"),
    "type with a line end": (entry_change(type="contains\n"), "type must be lowercase"),
    "type no text": (entry_change(type=3), "entry 2: type must be"),
    "title missing": (entry_change(title=...), "entry 2 (not_contains): lacks title"),
    "title empty": (entry_change(title=""), "title must be text"),
    "description no text": (entry_change(description=None), "description must be text"),
    "unknown category": (entry_change(category="style"), "category must be one of match, structure"),
    "category no text": (entry_change(category=["match"]), "category must be one of"),
    "scored no boolean": (entry_change(scored=0), "scored must be true or false"),
    "deterministic no boolean": (entry_change(deterministic="yes"), "deterministic must be true or false"),
    "legacy null": (entry_change(legacy=None), "legacy must be true or false"),
    "python_only no boolean": (entry_change(python_only=1), "python_only must be true or false"),
    "too many calls": (entry_change(judge_calls=3), "judge_calls must be 0, 1 or 2"),
    "calls a boolean": (entry_change(judge_calls=True), "judge_calls must be 0, 1 or 2"),
    "a judge without a prompt": (entry_change(judge_calls=1), "a judge needs a prompt_template"),
    "a prompt without a judge": (
        entry_change(prompt_template="{candidate}"),
        "a judge needs a prompt_template",
    ),
    "an empty prompt": (entry_change(prompt_template="", judge_calls=1), "prompt_template must be text"),
    "unknown key": (entry_change(kernel=True), 'has the unknown key "kernel"'),
    "options a list": (entry_change(options=[]), "options must be an object"),
    "options of another type": (options_change(type="array"), 'options.type must be "object"'),
    "options without properties": (entry_change(options={"type": "object"}), "options.properties"),
    "a property that is no schema": (options_change(properties={"a": 1}), "options.properties"),
    "required no list": (options_change(required="a"), "options.required must be a list"),
    "required no names": (options_change(required=[1]), "options.required must be a list"),
    "required unknown": (options_change(required=["a"]), 'options.required names "a"'),
    "additionalProperties a schema": (
        options_change(additionalProperties={}),
        "options.additionalProperties",
    ),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_refused_with_file_and_entry(name):
    """Nothing else than RegistryError comes out, and its message tells the file and what is wrong where."""
    data, fragment = DAMAGE[name]
    with pytest.raises(RegistryError) as caught:
        read_registry(data, "mine.json")
    assert str(caught.value).startswith("mine.json: ")
    assert fragment in str(caught.value)


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path):
    for path in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(RegistryError, match=re.escape(str(path))):
            load_registry(path)


def test_a_registry_does_not_follow_the_mapping_it_was_made_of():
    entries = dict(load_registry())
    registry = Registry(entries, id="0" * 16, source="test")
    entries.clear()
    assert len(registry) == 29
