"""The work of ``gradestone verify``: which files, what is told of them, and the exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from gradestone.backends import BackendName, load_backend, resolve_backend
from gradestone.cli.exits import CommandError, Exit, complain, say, strongest
from gradestone.data.errors import InputError
from gradestone.registry import Registry, RegistryError, load_registry
from gradestone.report.terminal import table_text
from gradestone.verification import (
    Difference,
    Tally,
    find_files,
    read_vectors,
    run_cases,
    shipped_folder,
)


@dataclass(slots=True)
class Findings:
    """What a run over files found."""

    backends: Sequence[BackendName]
    registry: Registry | None = None
    """The registry whose prompts the recorded judges were asked, where the user named it."""
    tallies: list[tuple[str, str, Tally]] = field(default_factory=list)
    """File, type, and what became of its cases."""
    differences: list[tuple[str, Difference]] = field(default_factory=list)
    """File and difference."""
    skipped: list[str] = field(default_factory=list)
    """Files that hold no vectors."""
    unreadable: list[str] = field(default_factory=list)
    """Why files could not be read."""


def verify_files(
    paths: Sequence[Path], backends: Sequence[str], *, as_json: bool, registry: Path | None = None
) -> Exit:
    """Run the vectors at paths, else those shipped, print what was found, and return the exit code."""
    findings = Findings(
        [_loaded(backend) for backend in backends], None if registry is None else _read(registry)
    )
    for path, label, named in _files(paths, findings):
        _run_file(path, label, findings, named=named)
    say(_as_json(findings) if as_json else _as_text(findings))
    return _verdict(findings)


def _loaded(name: str) -> BackendName:
    backend = resolve_backend(name)
    try:
        load_backend(backend)
    except ImportError as error:
        raise CommandError(str(error)) from error
    return backend


def _read(path: Path) -> Registry:
    try:
        return load_registry(path)
    except RegistryError as error:
        raise CommandError(str(error)) from error


def _files(paths: Sequence[Path], findings: Findings) -> Iterator[tuple[Path, str, bool]]:
    """Give each file, what it is called in the report, and whether the user named it."""
    if not paths:
        folder = shipped_folder()
        yield from ((path, str(path.relative_to(folder.parent)), False) for path in find_files(folder))
    for path in paths:
        try:
            yield from ((one, str(one), one == path) for one in find_files(path))
        except InputError as error:
            findings.unreadable.append(str(error))


def _run_file(path: Path, label: str, findings: Findings, *, named: bool) -> None:
    try:
        cases = read_vectors(path)
    except InputError as error:
        findings.unreadable.append(str(error))
        return
    if cases is None:
        if named:
            findings.unreadable.append(f"{path} holds no vectors")
        else:
            findings.skipped.append(label)
        return
    tallies, differences = run_cases(cases, findings.backends, findings.registry)
    findings.tallies += [(label, type_, tally) for type_, tally in tallies.items()]
    findings.differences += [(label, difference) for difference in differences]


def _as_json(findings: Findings) -> str:
    rows = [
        {"file": file, "type": type_, "cases": tally.cases}
        | {backend: tally.agree.get(backend) for backend in findings.backends}
        | {"not_run": tally.not_run}
        for file, type_, tally in findings.tallies
    ]
    document = {
        "rows": rows,
        "differences": [{"file": file, **asdict(one)} for file, one in findings.differences],
        "registry": None if findings.registry is None else findings.registry.id,
        "skipped": findings.skipped,
        "unreadable": findings.unreadable,
    }
    return json.dumps(document, indent=2) + "\n"


def _as_text(findings: Findings) -> str:
    header = ["file", "type", "cases", *(f"{backend} agree" for backend in findings.backends), "not run"]
    rows = [
        [file, type_, str(tally.cases), *_agreement(tally, findings.backends), str(tally.not_run)]
        for file, type_, tally in findings.tallies
    ]
    parts = (
        [table_text(header, rows, stream=sys.stdout, words=("file", "type"), wrapped=("file",))]
        if rows
        else []
    )
    parts += [f"\n{_difference_text(file, one)}\n" for file, one in findings.differences]
    if findings.skipped:
        parts.append(f"\nskipped, no vectors: {', '.join(findings.skipped)}\n")
    cases = sum(tally.cases for _, _, tally in findings.tallies)
    not_run = sum(tally.not_run for _, _, tally in findings.tallies)
    parts.append(f"\n{cases} cases, {len(findings.differences)} differences, {not_run} cases not yet run\n")
    return "".join(parts)


def _agreement(tally: Tally, backends: Iterable[BackendName]) -> Iterator[str]:
    elsewhere = "n/a" if tally.agree else "-"
    for backend in backends:
        yield str(tally.agree.get(backend, elsewhere))


def _difference_text(file: str, difference: Difference) -> str:
    return (
        f"{file}: {difference.case} ({difference.type}, {difference.backend})\n"
        f"  expected {json.dumps(difference.expected)}\n"
        f"  got      {json.dumps(difference.got)}"
    )


def _verdict(findings: Findings) -> Exit:
    """Say what was wrong, and return the exit code."""
    exits = []
    if findings.unreadable:
        exits.append(Exit.USAGE)
        complain(*findings.unreadable)
    if findings.differences:
        exits.append(Exit.GATE_FAILED)
    if all(tally.not_run == tally.cases for _, _, tally in findings.tallies):
        exits.append(Exit.NOTHING)
        complain("there were no cases to run")
    return strongest(exits)
