"""What a schema or a candidate could do to the process that judges it: fetch, hang, overflow the stack, fill memory."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from gradestone.graders.schema_graph import SchemaShape, shape_of
from gradestone.graders.schemas import MAX_FRAMES, check_schema, compile_schema

ROOT = {"$ref": "#"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_6 = "http://json-schema.org/draft-06/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def code_of(schema: Any, value: Any) -> str:
    verdict = compile_schema(schema).judge(value)
    assert verdict.score == (verdict.code == "ok")
    assert verdict.reason.isprintable()
    return verdict.code


def passes(schema: Any, value: Any) -> bool:
    code = code_of(schema, value)
    assert code in ("ok", "schema_mismatch")
    return code == "ok"


def nested(levels: int, core: Any = 1) -> Any:
    for _ in range(levels):
        core = [core]
    return core


# References are not fetched.


class Counting(BaseHTTPRequestHandler):
    requests = 0

    def do_GET(self) -> None:
        type(self).requests += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """A server on the loopback that counts what it is asked."""
    Counting.requests = 0
    server = HTTPServer(("127.0.0.1", 0), Counting)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_no_reference_is_ever_fetched(address: str, tmp_path: Path) -> None:
    """Over HTTP nobody is asked, and a file that exists is not read: such schemas are invalid."""
    file = tmp_path / "schema.json"
    file.write_text('{"type": "integer"}')
    targets = [f"{address}/s", f"{address}/s#/a", file.as_uri(), str(file), "schema.json"]
    for target in targets:
        for schema in (
            {"$ref": target},
            {"$dynamicRef": target},
            {"properties": {"a": {"items": {"$ref": target}}}},
            {"$defs": {"a": {"$ref": target}}},
            {"$id": f"{address}/root", "$ref": target},
            {"$id": file.as_uri() + "/../root", "$ref": target},
            {"$schema": DRAFT_7, "definitions": {"a": {"$ref": target}}},
            {"$schema": DRAFT_4, "id": f"{address}/root", "$ref": target},
            {"$schema": target},
            {"$schema": DRAFT_2020, "$defs": {"a": {"$id": "b", "$schema": target}}, "$ref": "#/$defs/a"},
        ):
            assert check_schema(schema) is not None, schema
    assert Counting.requests == 0


def test_an_address_alone_is_not_fetched(address: str) -> None:
    """``$id``, annotations and values may hold addresses; judging values asks nobody either."""
    schema = {
        "$id": f"{address}/s",
        "default": {"$ref": f"{address}/d"},
        "format": "uri",
        "const": f"{address}/c",
    }
    assert passes(schema, f"{address}/c")
    assert passes({"enum": [{"$ref": f"{address}/e"}]}, {"$ref": f"{address}/e"})
    assert Counting.requests == 0


# What could hang or end the process.

CATASTROPHES = [
    r"(a+)+$",
    r"^(a|a)*$",
    r"^(a|aa)+$",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(a*)*b",
    r"^(a?){40}a{40}$",
]


@pytest.mark.parametrize("pattern", CATASTROPHES)
def test_patterns_are_searched_in_linear_time(pattern: str) -> None:
    """On texts that a backtracking engine would search for years; the verdict is the right one, negated too."""
    text = "a" * 39 + "!"
    names = {"pattern": {"pattern": pattern}, "patternProperties": {"patternProperties": {pattern: False}}}
    assert not passes(names["pattern"], text)
    assert passes({"not": names["pattern"]}, text)
    assert passes(names["patternProperties"], {text: 1})
    assert not passes({"additionalProperties": False, "patternProperties": {pattern: True}}, {text: 1})
    assert not passes(names["pattern"], "a" * 100_000 + "!")


ENDLESS: dict[str, Any] = {
    "itself": ROOT,
    "a pair": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "allOf": {"allOf": [ROOT]},
    "anyOf": {"anyOf": [{"type": "integer"}, ROOT]},
    "oneOf": {"oneOf": [ROOT, {"type": "integer"}]},
    "not": {"not": ROOT},
    "if": {"if": ROOT},
    "then": {"if": True, "then": ROOT},
    "else": {"if": False, "else": ROOT},
    "dependentSchemas": {"dependentSchemas": {"a": ROOT}},
    "dependencies": {"$schema": DRAFT_7, "dependencies": {"a": ROOT}},
    "anchor": {"$ref": "#x", "$defs": {"a": {"$anchor": "x", "allOf": [{"$ref": "#x"}]}}},
    "anchor of Draft 7": {"$schema": DRAFT_7, "not": {"$id": "#x", "allOf": [{"$ref": "#x"}]}},
    "own address": {"$id": "http://x.test/s", "$ref": "http://x.test/s"},
    "own address, relative": {"$id": "http://x.test/s", "$ref": "s"},
    "own address of Draft 4": {"$schema": DRAFT_4, "id": "http://x.test/s", "allOf": [{"$ref": "s#"}]},
    "own name": {"$id": "urn:x:s", "allOf": [{"$ref": "urn:x:s"}]},
    "escaped pointer": {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"$ref": "#/%24defs/a~1b"}}},
    "pointer into a list": {"allOf": [{"anyOf": [{"$ref": "#/allOf/0"}]}]},
    "dynamic": {"$dynamicAnchor": "x", "allOf": [{"$dynamicRef": "#x"}]},
    "recursive": {"$schema": DRAFT_2019, "$recursiveAnchor": True, "allOf": [{"$recursiveRef": "#"}]},
    "below a level": {"properties": {"a": {"$ref": "#/properties/a"}}},
}  # fmt: skip


@pytest.mark.parametrize("schema", ENDLESS.values(), ids=ENDLESS)
def test_references_that_never_reach_a_value_make_a_schema_invalid(schema: Any) -> None:
    """They have no meaning, so nothing may pass by them."""
    assert check_schema(schema) == "references lead back to themselves without going into the value"


FINITE: dict[str, Any] = {
    "unused": {"$defs": {"a": {"$ref": "#/$defs/a"}}},
    "properties": {"properties": {"a": ROOT}},
    "items": {"type": "array", "items": ROOT},
    "contains": {"contains": ROOT},
    "propertyNames": {"propertyNames": ROOT},
    "unevaluatedProperties": {"unevaluatedProperties": ROOT},
    "alternatives that go below": {"anyOf": [{"items": ROOT}, {"additionalProperties": ROOT}]},
    "dynamic tree": {"$dynamicAnchor": "n", "properties": {"c": {"items": {"$dynamicRef": "#n"}}}},
    "const that looks like one": {"const": ROOT},
    "the same twice": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {}}},
}


@pytest.mark.parametrize("schema", FINITE.values(), ids=FINITE)
def test_recursion_through_values_is_fine(schema: Any) -> None:
    """Each turn takes a level off the value."""
    assert check_schema(schema) is None


def test_endless_references_do_not_end_the_process() -> None:
    """In a process of its own, where a stack overflow would be seen as a signal."""
    script = (
        "import json, sys\n"
        "from gradestone.graders.schemas import check_schema\n"
        "print([check_schema(schema) is not None for schema in json.load(sys.stdin)])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(list(ENDLESS.values())),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout.strip()) == (0, str([True] * len(ENDLESS)))


def chain(length: int, end: Any) -> dict[str, Any]:
    """References that follow on one another in place."""
    links = {f"d{index}": {"allOf": [{"$ref": f"#/$defs/d{index + 1}"}]} for index in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": links | {f"d{length}": end}}


DEEP_SCHEMAS: dict[str, Any] = {
    "items": {"items": ROOT, "type": ["array", "integer"]},
    "many ways": {"allOf": [{"anyOf": [{"oneOf": [{"items": ROOT}]}]}], "unevaluatedItems": ROOT},
    "not not": {"not": {"not": {"items": ROOT}}},
    "chain of 5": chain(5, {"items": ROOT}),
    "chain of 50": chain(50, {"items": ROOT}),
    "chain of 900": chain(900, {"items": ROOT}),
    "no recursion": {"const": 5},
    "meta-schema": {"$ref": DRAFT_2020},
}


@pytest.mark.parametrize("schema", DEEP_SCHEMAS.values(), ids=DEEP_SCHEMAS)
def test_deep_values_fit_the_smallest_stack(schema: Any) -> None:
    """At every depth up to 512 on a thread of 1 MB: a verdict, never a crash."""
    compiled = compile_schema(schema)
    codes: set[str] = set()

    def judge() -> None:
        for levels in (1, 2, 8, 17, 63, 222, 255, 256, 400, 512):
            codes.add(compiled.judge(nested(levels)).code)
            codes.add(compiled.judge(nested(levels, "x")).code)

    previous = threading.stack_size(1024 * 1024)
    try:
        thread = threading.Thread(target=judge)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
    assert codes
    assert codes <= {"ok", "schema_mismatch", "over_cap"}


def test_a_schema_says_how_deep_a_value_may_be() -> None:
    """The longer the way in place, the fewer levels; the verdict one level on is over the cap, and names it."""
    schema = chain(100, {"items": ROOT})
    levels = MAX_FRAMES // (shape_of(schema).steps + 1)
    assert 1 < levels < 512
    assert code_of(schema, nested(levels)) == "ok"
    verdict = compile_schema(schema).judge(nested(levels + 1))
    assert verdict.code == "over_cap"
    assert "input exceeds grader size cap" in verdict.reason
    assert check_schema(chain(MAX_FRAMES, {})) == "references follow on references for too long"


def test_values_too_deep_to_compare() -> None:
    """The validator compares 255 levels; deeper values fail where they would have to be compared."""
    assert code_of({"uniqueItems": True}, [nested(200), nested(200)]) == "schema_mismatch"
    assert code_of({"uniqueItems": True}, [nested(400), nested(400)]) == "over_cap"
    assert code_of({"type": "array"}, nested(512)) == "ok"


WAYS: dict[str, Any] = {
    "anyOf": {"anyOf": [{"type": "array", "items": ROOT}, {"type": "array", "items": ROOT, "minItems": 1}]},
    "oneOf": {"oneOf": [{"type": "array", "items": ROOT}, {"type": "array", "items": ROOT, "minItems": 2}]},
    "allOf": {"allOf": [{"items": ROOT}, {"items": ROOT}], "type": ["array", "string"]},
    "unevaluated": {"anyOf": [{"items": ROOT}, {"items": ROOT}], "unevaluatedItems": False, "type": ["array", "null"]},
    "conditional": {"if": {"items": ROOT}, "then": {"items": ROOT}, "else": {"items": ROOT}, "type": ["array", "null"]},
}  # fmt: skip


@pytest.mark.parametrize("schema", WAYS.values(), ids=WAYS)
def test_listing_errors_is_never_exponential(schema: Any) -> None:
    """A schema that goes below in several ways: the verdict stays, errors are listed for shallow values only."""
    compiled = compile_schema(schema)
    assert compiled.judge([[1]]).reason.startswith("$")
    for levels in (8, 20, 100, 512):
        verdict = compiled.judge(nested(levels))
        assert verdict.code == "schema_mismatch"
    assert "to list where" in compiled.judge(nested(512)).reason


def test_large_values_are_judged_without_listing() -> None:
    """A million faulty members cost no million errors."""
    verdict = compile_schema({"items": {"type": "string"}}).judge([1] * 1_000_000)
    assert verdict.code == "schema_mismatch"
    assert "to list where" in verdict.reason


SHAPES: dict[str, tuple[Any, SchemaShape]] = {
    "empty": ({}, SchemaShape(False, 0, 0, 0, frozenset())),
    "in place": ({"allOf": [{"not": {"if": True}}]}, SchemaShape(False, 2, 2, 0, frozenset())),
    "below": ({"items": {"items": {}}}, SchemaShape(False, 0, 2, 0, frozenset())),
    "chain": (chain(3, {}), SchemaShape(False, 7, 7, 0, frozenset())),
    "recursive": ({"items": {"allOf": [ROOT]}}, SchemaShape(False, 2, None, 1, frozenset())),
    "one of several properties": ({"properties": {"a": ROOT, "b": ROOT}}, SchemaShape(False, 1, None, 1, frozenset())),
    "several at once": ({"properties": {"a": ROOT}, "contains": ROOT}, SchemaShape(False, 1, None, 2, frozenset())),
    "several patterns": ({"patternProperties": {"a": ROOT, "b": ROOT}}, SchemaShape(False, 1, None, 2, frozenset())),
    "several in place": ({"anyOf": [{"items": ROOT}, {"items": ROOT}]}, SchemaShape(False, 2, None, 2, frozenset())),
    "dialects": ({"$schema": "u:x", "not": {"$schema": "u:y"}}, SchemaShape(False, 1, 1, 0, frozenset({"u:x", "u:y"}))),
}  # fmt: skip


@pytest.mark.parametrize(("schema", "shape"), SHAPES.values(), ids=SHAPES)
def test_the_graph_of_a_schema(schema: Any, shape: SchemaShape) -> None:
    """Ways in place, the longest way through, recursion and how often it branches."""
    assert shape_of(schema) == shape


def test_a_schema_is_shared_between_threads() -> None:
    """One compiled schema, several threads, the verdicts of one."""
    compiled = compile_schema({"items": {"type": "string", "pattern": "^a"}, "uniqueItems": True})
    rows: list[Any] = [["a"], ["b"], ["a", "a"], ["a\ud800"], [5], "x"] * 50
    expected = [compiled.judge(row).code for row in rows]
    found: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: found.append([compiled.judge(row).code for row in rows]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
