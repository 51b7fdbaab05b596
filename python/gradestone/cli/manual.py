"""The graders as people read them: the list, and a manual page each, from the registry and the options."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping
from typing import Any

from gradestone.cli.exits import CommandError
from gradestone.cli.suggest import did_you_mean
from gradestone.options import OPTIONS
from gradestone.registry import GraderEntry, load_registry
from gradestone.report.terminal import table_text


def grader_list() -> str:
    """Return the table of all graders, in the registry's order."""
    rows = [
        [
            entry.type,
            entry.category,
            "yes" if entry.scored else "no",
            "yes" if entry.kernel else "no",
            entry.description.partition(". ")[0].removesuffix(".").removeprefix("Passes when "),
        ]
        for entry in load_registry().values()
    ]
    header = ["type", "category", "scored", "kernel", "passes when"]
    return table_text(header, rows, stream=sys.stdout, words=header, wrapped=("passes when",))


def grader_page(name: str) -> str:
    """Return the manual page of a grader.

    Raises `CommandError` when no grader has the name.
    """
    registry = load_registry()
    if name not in registry:
        raise CommandError(f"no grader is called {name!r}{did_you_mean(name, registry)}")
    entry = registry[name]
    manual = inspect.cleandoc(OPTIONS[name].__doc__ or entry.description)
    return f"{name}: {entry.title}\n{_facts(entry)}\n\n{manual}\n\n{_options(entry)}"


def _facts(entry: GraderEntry) -> str:
    facts = [
        entry.category,
        "scored" if entry.scored else "passes or fails",
        "compiled kernel" if entry.kernel else "no kernel",
    ]
    facts += ["not deterministic"] if not entry.deterministic else []
    facts += ["for older suites"] if entry.legacy else []
    return ", ".join(facts)


def _options(entry: GraderEntry) -> str:
    properties, required = entry.options["properties"], OPTIONS[entry.type].required()
    if not properties:
        return "It has no options.\n"
    rows = [
        [option, _kind(rule), _default(rule, required=option in required), rule.get("description", "")]
        for option, rule in properties.items()
    ]
    header = ["option", "value", "default", "meaning"]
    return table_text(header, rows, stream=sys.stdout, words=header, wrapped=("value", "meaning"))


def _default(rule: Mapping[str, Any], *, required: bool) -> str:
    if required:
        return "required"
    return json.dumps(rule["default"]) if "default" in rule else "-"


def _kind(rule: Mapping[str, Any]) -> str:
    if "enum" in rule:
        return " | ".join(map(str, rule["enum"]))
    kind = rule.get("type", "any value")
    return " | ".join(kind) if isinstance(kind, list) else str(kind)
