"""Instructions a row of each kernel, held against the recorded ones: a guard that needs no quiet machine.

    python benches/check.py             exit 1 if a bench takes over 5 % more than benches/instructions.toml says
    python benches/check.py --record    write that file

`benches/instructions/` is built as the wheel is and run under callgrind. Counts of one build differ by some 0.2 %: the
seeds of hash tables. Another compiler or processor gives other counts, so nothing is compared across them.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
RECORD: Final = ROOT / "benches" / "instructions.toml"
LIMIT: Final = 0.05
COUNTED: Final = "instructions::counted"
BUILD: Final = ("cargo", "bench", "--quiet", "--locked", "--no-run", "--bench", "instructions")
HEAD: Final = """\
# Instructions a row, by `make bench-record`; `make bench-check` compares. `cpu` is what valgrind shows to code that
# asks the processor: no AVX-512, so a path that needs it is not counted.
"""


class Counts(NamedTuple):
    """What was counted, and on what."""

    machine: dict[str, Any]
    instructions: dict[str, float]


def run(*command: str, **variables: str) -> str:
    """Standard output of a command; ends the program where the command fails, with what it said."""
    environment = os.environ | variables
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{Path(command[0]).name} failed:\n{done.stderr.strip()}")
    return done.stdout


def executable() -> str:
    """The benches, built without flags of the caller's. They run no Python, so none is linked."""
    variables = {
        "CARGO_ENCODED_RUSTFLAGS": "",
        # Not the folder of builds with other variables: each would have the other compile everything anew.
        "CARGO_TARGET_DIR": "target/instructions",
        "PYO3_BUILD_EXTENSION_MODULE": "1",
        "PYO3_PYTHON": sys.executable,
    }
    printed = run(*BUILD, "--features", "python", "--message-format", "json-render-diagnostics", **variables)
    return next(path for line in printed.splitlines() if (path := json.loads(line).get("executable")))


def measure() -> Counts:
    """Count, and say on what."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        sys.exit("valgrind counts the instructions, and is not here (Debian: apt-get install valgrind)")
    program = executable()
    with tempfile.TemporaryDirectory() as folder:
        options = ("--command-line-only=yes", "--quiet", "--tool=callgrind", f"--toggle-collect={COUNTED}")
        files = (f"--dump-after={COUNTED}", f"--callgrind-out-file={folder}/count")
        (_, cpu), *benches = (
            line.split("\t") for line in run(valgrind, *options, *files, program).splitlines()
        )
        dumps = sorted(Path(folder).glob("count.*"), key=lambda dump: int(dump.suffix[1:]))
        totals = [total(dump.read_text("utf-8")) for dump in dumps]
    if len(totals) != len(benches) or 0 in totals:
        sys.exit(f"callgrind counted {len(totals)} of {len(benches)} benches: does it find {COUNTED}?")
    rustc, *about = run("rustc", "-vV").splitlines()
    target = dict(line.split(": ", 1) for line in about)["host"]
    machine = {"rustc": rustc, "target": target, "cpu": cpu, "valgrind": run(valgrind, "--version").strip()}
    machine["libc"] = " ".join(platform.libc_ver())
    pairs = zip(benches, totals, strict=True)
    return Counts(machine, {name: round(count / int(rows), 1) for (name, rows), count in pairs})


def total(dump: str) -> int:
    """The instructions of one dump of callgrind's."""
    return next(int(line.split()[1]) for line in dump.splitlines() if line.startswith("totals:"))


def written(counts: Counts) -> str:
    """The text of the record."""
    lines = [HEAD]
    for name, table in counts._asdict().items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items()), ""]
    return "\n".join(lines)


def read(text: str) -> Counts:
    """The counts of a record; a `ValueError` says why nothing can be held against it."""
    tables = [tomllib.loads(text).get(name) for name in Counts._fields]
    for table in tables:
        if not isinstance(table, dict):
            raise ValueError(f"the tables are {' and '.join(Counts._fields)}")
    for name, count in tables[1].items():
        if type(count) not in (int, float) or not math.isfinite(count) or count <= 0:
            raise ValueError(f"{name} is no count")
    return Counts(*tables)


def differences(recorded: Counts, now: Counts) -> list[str]:
    """What forbids a comparison. valgrind and the C library, which hardly show in the counts, are not among it."""
    keys = [key for key in ("rustc", "target", "cpu") if recorded.machine.get(key) != now.machine[key]]
    return [
        f"{key}: recorded with {recorded.machine.get(key)!r}, here is {now.machine[key]!r}" for key in keys
    ]


def judge(old: float | None, new: float | None) -> tuple[bool, str, str]:
    """Whether a bench passes, by how much it changed, and what is to be said of it."""
    if old is None:
        return False, "-", "NOT RECORDED"
    if new is None:
        return False, "-", "GONE"
    change = f"{new / old - 1:+.1%}"
    if new > old * (1 + LIMIT):
        return False, change, "SLOWER"
    return True, change, "record it" if new <= old * (1 - LIMIT) else ""


def compare(recorded: dict[str, float], now: dict[str, float]) -> tuple[list[str], list[str]]:
    """The lines of the table, and the names of the benches that fail."""
    lines = [f"{'bench':<16}{'committed':>12}{'now':>12}{'change':>10}"]
    failed = []
    for name in recorded | now:
        passes, change, said = judge(recorded.get(name), now.get(name))
        before, after = (f"{counts[name]:,.1f}" if name in counts else "-" for counts in (recorded, now))
        lines.append(f"{name:<16}{before:>12}{after:>12}{change:>10}  {said}".rstrip())
        if not passes:
            failed.append(name)
    return lines, failed


def check(recorded: Counts, now: Counts) -> int:
    """Print the comparison; the exit code."""
    if found := differences(recorded, now):
        print("The counts cannot be compared.", *found, sep="\n")
        print(
            "Run `make bench-record` on the last commit that is known to be fast, then `make bench-check` here."
        )
        return 1
    lines, failed = compare(recorded.instructions, now.instructions)
    print(*lines, sep="\n")
    if failed:
        print(f"\nOver {LIMIT:.0%} more than recorded, or on one side only: {', '.join(failed)}.")
        print("Make it faster, or say in the commit what it buys, and run `make bench-record`.")
    return 1 if failed else 0


def main() -> int:
    """Record or check; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", action="store_true", help="write benches/instructions.toml")
    if parser.parse_args().record:
        RECORD.write_text(written(measure()), "utf-8")
        return 0
    try:
        recorded = read(RECORD.read_text("utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        print(f"{RECORD.relative_to(ROOT)}: {why}; `make bench-record` writes it", file=sys.stderr)
        return 1
    return check(recorded, measure())


if __name__ == "__main__":
    sys.exit(main())
