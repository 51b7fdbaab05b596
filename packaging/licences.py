"""Collects the licence texts of the crates in the compiled module into THIRD_PARTY_LICENSES.txt.

    python packaging/licences.py [--check]

Which crates those are, cargo says from the lock file: what is linked on any platform that wheels are built for.
What runs only while compiling (procedural macros, build scripts) is in no wheel; its sources in the sdist carry
their own texts. A crate whose licence is not on the list below, or that ships no text of it, is an error: nothing
is written. ``--check`` writes nothing and exits with 1 where the file is not what the lock file makes.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from license_expression import AND, OR, ExpressionError, LicenseSymbol, get_spdx_licensing
from platforms import PLATFORMS

ROOT: Final = Path(__file__).parents[1]
OUTPUT: Final = ROOT / "THIRD_PARTY_LICENSES.txt"
ALLOWED: Final = frozenset(
    {
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "BSL-1.0",
        "ISC",
        "MIT",
        "Unicode-3.0",
        "Unlicense",
        "Zlib",
    }
)
TEXT_NAME: Final = re.compile(r"(copying|copyright|licen[cs]e|notice|unlicense)", re.IGNORECASE)
RULE: Final = "-" * 80

HEAD: Final = """\
Third-party software in the compiled module of gradestone
=========================================================

Made by packaging/licences.py from Cargo.lock: `make licences` writes it anew.

The module gradestone._core is linked with the crates listed below, under the licences named beside them, and with
the Rust standard library: MIT OR Apache-2.0, copyright The Rust Project contributors; the parts of it that others
wrote are listed in COPYRIGHT-library.html of every Rust toolchain. The texts follow the list; where several crates
ship the same text, white space aside, it is printed once.
"""


class LicenceError(Exception):
    """A crate that must not be shipped as it stands, or cargo's refusal to tell."""


@dataclass(frozen=True, slots=True, order=True)
class Crate:
    """A crate of the lock file, and where cargo unpacked it."""

    name: str
    version: str
    expression: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def cargo(*arguments: str) -> str:
    """Standard output of cargo, run on the project with its lock file as it is."""
    done = subprocess.run(
        ["cargo", *arguments, "--locked", "--features", "python"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise LicenceError(f"cargo {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout


def linked_names() -> set[tuple[str, str]]:
    """Name and version of each crate that is linked into the module on at least one platform."""
    found = set()
    for target in PLATFORMS:
        tree = cargo(
            "tree", "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none", "--no-dedupe"
        )
        for line in tree.splitlines():
            name, version = line.split()[:2]
            found.add((name, version.removeprefix("v")))
    return found


def linked_crates() -> list[Crate]:
    """The linked crates of others, by name and version."""
    packages: list[dict[str, Any]] = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    wanted = linked_names()
    return sorted(
        Crate(one["name"], one["version"], one["license"] or "", Path(one["manifest_path"]).parent)
        for one in packages
        if one["source"] is not None and (one["name"], one["version"]) in wanted
    )


def is_allowed(expression: str) -> bool:
    """Whether the terms can be met with listed licences alone: one side of each OR, every part of an AND."""
    try:
        # Crates of Cargo's first years write a choice with a slash.
        return _holds(get_spdx_licensing().parse(expression.replace("/", " OR ")))
    except ExpressionError:
        return False


def _holds(part: object) -> bool:
    if isinstance(part, OR):
        return any(map(_holds, part.args))
    if isinstance(part, AND):
        return all(map(_holds, part.args))
    # An exception ("… WITH …") is no LicenseSymbol: it is refused until somebody has read it.
    return isinstance(part, LicenseSymbol) and part.key in ALLOWED


def texts_of(crate: Crate) -> dict[str, str]:
    """The licence files at the top of the crate, by file name, with line ends and trailing blanks made alike."""
    files = sorted(path for path in crate.folder.iterdir() if path.is_file() and TEXT_NAME.match(path.name))
    return {path.name: _tidied(path.read_text("utf-8")) for path in files}


def _tidied(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def faults_of(crate: Crate) -> list[str]:
    """What forbids shipping the crate, a line each."""
    faults = []
    if not is_allowed(crate.expression):
        faults.append(f"{crate}: the licence {crate.expression or '(none stated)'!r} is not on the list")
    if not any(map(str.strip, texts_of(crate).values())):
        faults.append(f"{crate}: ships no licence text")
    return faults


def rendered(crates: list[Crate]) -> str:
    """The whole file."""
    faults = [fault for crate in crates for fault in faults_of(crate)]
    if faults or not crates:
        raise LicenceError("\n".join(faults) or "cargo names no crate at all")
    users: dict[str, tuple[str, list[str]]] = {}
    for crate in crates:
        for name, text in texts_of(crate).items():
            users.setdefault(" ".join(text.split()), (text, []))[1].append(f"{crate}: {name}")
    width = max(len(str(crate)) for crate in crates)
    parts = [HEAD, *(f"  {crate!s:{width}}  {crate.expression}" for crate in crates)]
    for text, files in users.values():
        parts += ["", RULE, *files, RULE, "", text]
    return "\n".join(parts) + "\n"


def main() -> int:
    """Write the file, or with ``--check`` say whether it is up to date; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the file is stale")
    check: bool = parser.parse_args().check
    try:
        wanted = rendered(linked_crates())
    except LicenceError as error:
        print(error, file=sys.stderr)
        return 1
    if not check:
        OUTPUT.write_text(wanted, "utf-8")
        return 0
    if OUTPUT.is_file() and OUTPUT.read_text("utf-8") == wanted:
        return 0
    print(f"{OUTPUT.name} is not what Cargo.lock makes: run `make licences`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
