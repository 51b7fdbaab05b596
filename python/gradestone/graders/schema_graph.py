"""Where the references of a JSON Schema lead, and what that costs a validator that recurses.

A validator goes from a schema to its sub-schemas, either in place (``allOf``, ``$ref``…), which takes nothing
off the value, or below (``properties``, ``items``…), which goes one level down in the value. As a graph, this
tells three things before a validator runs: whether references lead back to themselves in place, which has no
meaning; how deep the validator's stack grows with each level of a value; and how often it may look at a value
to list errors, which is exponential in the depth where a schema goes below in several ways at once.

The graph takes in a little too much: keywords of every draft, every target that a dynamic reference may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import unquote, urljoin

from gradestone.jsontext import JsonValue

Schema = dict[str, JsonValue]

_IN_PLACE: Final = (
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
)
_ONE_OF_BELOW: Final = ("properties", "prefixItems", "items")
"""Keywords that go below with one of their schemas for each value there."""
_EACH_BELOW: Final = (
    *("additionalItems", "unevaluatedItems", "contains"),
    *("patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"),
)
_MAPS: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "dependencies"})
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")

_UNSEEN_STEPS: Final = 8
"""What a reference costs in place that leads out of the schema: the validator knows the meta-schemas."""

_UNSEEN_WAYS: Final = 1_000
"""The ways below that such a reference opens: meta-schemas go below in many."""


class SchemaShape(NamedTuple):
    """What the graph of a schema tells."""

    endless: bool
    """References lead back to themselves without going into the value; the other figures are then 0."""
    steps: int
    """The longest way in place: a level of a value costs the validator one frame more than this."""
    longest: int | None
    """The longest way through the whole schema, None where it is recursive."""
    ways: int
    """Of a recursive schema: in how many ways one value leads to the same value below it."""
    dialects: frozenset[str]
    """Every ``$schema`` that is in force somewhere."""


class _Node(NamedTuple):
    in_place: tuple[int, ...]
    below: tuple[tuple[int, ...], ...]
    """Groups; one value below meets one member of each."""
    leaves: bool
    """A reference leads out of the schema."""

    @property
    def all(self) -> tuple[int, ...]:
        return (*self.in_place, *(target for group in self.below for target in group))


def shape_of(schema: Schema) -> SchemaShape:
    """Read the graph of a schema. Linear in the schema; no recursion.

    >>> shape_of({"properties": {"a": {"$ref": "#"}}})
    SchemaShape(endless=False, steps=1, longest=None, ways=1, dialects=frozenset())
    >>> shape_of({"anyOf": [{"type": "null"}, {"$ref": "#"}]}).endless
    True
    """
    nodes, dialects = _nodes_of(schema)
    order, endless = _peeled({name: node.in_place for name, node in nodes.items()})
    if endless:
        return SchemaShape(True, 0, None, 0, dialects)
    steps = _longest(order, {name: node.in_place for name, node in nodes.items()}, nodes)
    whole = {name: node.all for name, node in nodes.items()}
    order_of_all, recursive = _peeled(whole)
    if not recursive and not any(node.leaves for node in nodes.values()):
        longest = _longest(order_of_all, whole, nodes)[id(schema)]
        return SchemaShape(False, max(steps.values()), longest, 0, dialects)
    return SchemaShape(False, max(steps.values()), None, _most_ways(order, nodes, recursive), dialects)


def _peeled(edges: Mapping[int, tuple[int, ...]]) -> tuple[list[int], frozenset[int]]:
    """Take off nodes whose targets are all taken off, again and again: these in order, and what remains.

    What remains lies on a cycle or leads to one.
    """
    sources: dict[int, list[int]] = {name: [] for name in edges}
    for name, targets in edges.items():
        for target in targets:
            sources[target].append(name)
    waiting = {name: len(targets) for name, targets in edges.items()}
    ready = [name for name, count in waiting.items() if not count]
    order: list[int] = []
    while ready:
        name = ready.pop()
        order.append(name)
        for source in sources[name]:
            waiting[source] -= 1
            if not waiting[source]:
                ready.append(source)
    return order, frozenset(edges.keys() - order)


def _longest(
    order: list[int], edges: Mapping[int, tuple[int, ...]], nodes: Mapping[int, _Node]
) -> dict[int, int]:
    longest: dict[int, int] = {}
    for name in order:
        ways = [1 + longest[target] for target in edges[name]]
        longest[name] = max(ways, default=0) + (_UNSEEN_STEPS if nodes[name].leaves else 0)
    return longest


def _most_ways(order: list[int], nodes: Mapping[int, _Node], recursive: frozenset[int]) -> int:
    ways: dict[int, int] = {}
    for name in order:
        node = nodes[name]
        own = sum(any(target in recursive for target in group) for group in node.below)
        ways[name] = own + sum(ways[target] for target in node.in_place)
        ways[name] += _UNSEEN_WAYS if node.leaves else 0
    return max(ways.values())


def _nodes_of(schema: Schema) -> tuple[dict[int, _Node], frozenset[str]]:
    """Read all schemas that the root leads to. A node's name is the ``id`` of its object, which lives on."""
    index = _Index(schema)
    nodes: dict[int, _Node] = {}
    dialects: set[str] = set()
    pending = [schema]
    while pending:
        node = pending.pop()
        if id(node) in nodes:
            continue
        in_place = [target for keyword in _IN_PLACE for target in _sub_schemas(node, keyword)]
        referred, leaves = index.targets(node)
        in_place += referred
        groups = [_sub_schemas(node, keyword) for keyword in _ONE_OF_BELOW]
        groups += [[target] for keyword in _EACH_BELOW for target in _sub_schemas(node, keyword)]
        pending += in_place + [target for group in groups for target in group]
        below = tuple(tuple(map(id, group)) for group in groups)
        nodes[id(node)] = _Node(tuple(map(id, in_place)), below, leaves)
        if isinstance(node.get("$schema"), str):
            dialects.add(node["$schema"])
    return nodes, frozenset(dialects)


def _sub_schemas(schema: Schema, keyword: str) -> list[Schema]:
    """Return the schemas of a keyword: one, a list of them, or a map of them; booleans lead nowhere."""
    value = schema.get(keyword)
    if isinstance(value, dict):
        members = list(value.values()) if keyword in _MAPS else [value]
    else:
        members = value if isinstance(value, list) else []
    return [member for member in members if isinstance(member, dict)]


class _Index:
    """The resources and anchors of a schema, by which its references are resolved."""

    def __init__(self, schema: Schema) -> None:
        self._naming = "id" if "draft-04" in str(schema.get("$schema")) else "$id"
        self._bases: dict[int, str] = {}
        self._resources: dict[str, Schema] = {"": schema}
        self._anchors: dict[tuple[str, str], Schema] = {}
        self._dynamic: dict[str, list[Schema]] = {}
        self._recursive: list[Schema] = []
        pending: list[tuple[JsonValue, str]] = [(schema, "")]
        while pending:
            value, base = pending.pop()
            if isinstance(value, dict):
                base = self._add(value, base)
                pending += ((member, base) for member in value.values())
            elif isinstance(value, list):
                pending += ((member, base) for member in value)

    def _add(self, schema: Schema, base: str) -> str:
        name = schema.get(self._naming)
        if isinstance(name, str):
            address, _, fragment = name.partition("#")
            if address:
                base = urljoin(base, address)
                self._resources[base] = schema
            if fragment:
                self._anchors[base, fragment] = schema
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = schema.get(keyword)
            if isinstance(name, str):
                self._anchors[base, name] = schema
        if isinstance(schema.get("$dynamicAnchor"), str):
            self._dynamic.setdefault(schema["$dynamicAnchor"], []).append(schema)
        if schema.get("$recursiveAnchor") is True:
            self._recursive.append(schema)
        self._bases[id(schema)] = base
        return base

    def targets(self, schema: Schema) -> tuple[list[Schema], bool]:
        """Return what the references of a schema may lead to, and whether one leads out of the schema."""
        found: list[Schema] = []
        leaves = False
        for keyword in _REFERENCES:
            reference = schema.get(keyword)
            if not isinstance(reference, str):
                continue
            target = self._resolve(self._bases[id(schema)], reference)
            if isinstance(target, dict):
                found.append(target)
            leaves |= target is None
            if keyword == "$dynamicRef":
                found += self._dynamic.get(reference.rpartition("#")[2], ())
            elif keyword == "$recursiveRef":
                found += self._recursive
        return found, leaves

    def _resolve(self, base: str, reference: str) -> JsonValue:
        address, _, fragment = reference.partition("#")
        if address:
            base = urljoin(base, address)
        resource = self._resources.get(base)
        fragment = unquote(fragment)
        if resource is None or not fragment:
            return resource
        return _pointed_at(resource, fragment) if fragment[0] == "/" else self._anchors.get((base, fragment))


def _pointed_at(value: JsonValue, pointer: str) -> JsonValue:
    for step in pointer[1:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
