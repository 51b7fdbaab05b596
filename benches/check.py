"""Instructions a row of each kernel, held against the recorded ones: a guard that needs no quiet machine.

    python benches/check.py             exit 1 if a bench takes over 5 % more than benches/instructions.toml says
    python benches/check.py --record    write that file

`benches/instructions/` is built as a wheel is and run under callgrind. Counts of one build differ by some 0.2 %, the
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
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
RECORD: Final = ROOT / "benches" / "instructions.toml"
LIMIT: Final = 0.05
COUNTED: Final = "instructions::counted"
HEAD: Final = """\
# Instructions a row, by `make bench-record`; `make bench-check` compares. `cpu` is what valgrind shows to code that asks
# the processor: no AVX-512, so a path that needs it is not counted.
"""


class Counts(NamedTuple):
    """What was counted, and on what."""

    machine: Mapping[str, str]
    instructions: Mapping[str, float]


def run(*command: str, **variables: str) -> str:
    """Standard output of a command; ends the program where the command fails, with what it said."""
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{Path(command[0]).name} failed:\n{done.stderr.strip()}")
    return done.stdout


def executable() -> str:
    """The benches, built. They hold no interpreter, so none is linked, and no flags of the caller's."""
    build = "cargo bench --quiet --locked --no-run --bench instructions --features python --message-format json"
    extension = {"PYO3_BUILD_EXTENSION_MODULE": "1", "PYO3_PYTHON": sys.executable}
    messages = map(json.loads, run(*build.split(), CARGO_ENCODED_RUSTFLAGS="", **extension).splitlines())
    return next(path for message in messages if (path := message.get("executable")))


def measure() -> Counts:
    """Count, and say on what."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        sys.exit("valgrind is needed to count instructions (Debian: apt-get install valgrind)")
    program = executable()
    with tempfile.TemporaryDirectory() as folder:
        options = [f"--callgrind-out-file={folder}/count", f"--toggle-collect={COUNTED}", f"--dump-after={COUNTED}"]
        printed = run(valgrind, "--command-line-only=yes", "--quiet", "--tool=callgrind", *options, program)
        dumps = sorted(Path(folder).glob("count.*"), key=lambda dump: int(dump.suffix[1:]))
        totals = [total(dump.read_text("utf-8")) for dump in dumps]
    (_, cpu), *benches = (line.split("\t") for line in printed.splitlines())
    if len(totals) != len(benches) or 0 in totals:
        sys.exit(f"callgrind counted {len(totals)} times for {len(benches)} benches: it did not see {COUNTED}")
    rustc = dict(line.split(": ", 1) for line in run("rustc", "-vV").splitlines()[1:])
    machine = {
        "rustc": run("rustc", "-V").strip(),
        "target": rustc["host"],
        "cpu": cpu,
        "valgrind": run(valgrind, "--version").strip(),
        "libc": " ".join(platform.libc_ver()),
    }
    counts = zip(benches, totals, strict=True)
    return Counts(machine, {name: round(count / int(rows), 1) for (name, rows), count in counts})


def total(dump: str) -> int:
    """The instructions of one dump of callgrind's."""
    return next(int(line.split()[1]) for line in dump.splitlines() if line.startswith("totals:"))


def written(counts: Counts) -> str:
    """The text of the record."""
    tables = (("machine", counts.machine), ("instructions", counts.instructions))
    lines = [f"\n[{name}]\n" + "".join(f"{key} = {json.dumps(table[key])}\n" for key in table) for name, table in tables]
    return HEAD + "".join(lines)


def read(text: str) -> Counts:
    """The record of a text; a `ValueError` says what no bench can be held against."""
    tables = tomllib.loads(text)
    counts = Counts(tables.get("machine", {}), tables.get("instructions", {}))
    for name, count in counts.instructions.items():
        if not isinstance(count, int | float) or not math.isfinite(count) or count <= 0:
            raise ValueError(f"{name} is no count")
    return counts


def other_machine(recorded: Counts, now: Counts) -> list[str]:
    """What makes the counts incomparable. valgrind and the C library hardly show in them and are not among it."""
    asked = [(key, recorded.machine.get(key), now.machine[key]) for key in ("rustc", "target", "cpu")]
    return [f"{key}: recorded on {before}, here is {here}" for key, before, here in asked if before != here]


def compare(recorded: Counts, now: Counts) -> tuple[list[str], list[str]]:
    """The lines of the table, and the names of the benches that fail."""
    before, after = recorded.instructions, now.instructions
    lines = [f"{'bench':<16}{'committed':>12}{'now':>12}{'change':>10}"]
    failed = []
    for name in [*before, *(name for name in after if name not in before)]:
        known = name in before and name in after
        change = after[name] / before[name] - 1 if known else math.nan
        figures = [f"{counts[name]:,.1f}" if name in counts else "–" for counts in (before, after)]
        said = "record it" if change <= -LIMIT else ""
        if not change <= LIMIT:
            failed.append(name)
            said = "SLOWER" if known else "NOT RECORDED" if name in after else "GONE"
        shown = f"{change:+.1%}" if known else "–"
        lines.append(f"{name:<16}{figures[0]:>12}{figures[1]:>12}{shown:>10}  {said}".rstrip())
    return lines, failed


def check(recorded: Counts, now: Counts) -> int:
    """Print the comparison; the exit code."""
    if differences := other_machine(recorded, now):
        print(*differences, "The counts cannot be compared. Go back to the last commit that is known to be good,")
        print("run `make bench-record` there, then `make bench-check` here.")
        return 1
    lines, failed = compare(recorded, now)
    print(*lines, sep="\n")
    if failed:
        print(f"\n{', '.join(failed)}: over {LIMIT:.0%} more than recorded, or on one side only.")
        print("Make it faster, or say in the commit why it costs more and run `make bench-record`.")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="write benches/instructions.toml")
    if parser.parse_args().record:
        RECORD.write_text(written(measure()), "utf-8")
        return 0
    try:
        recorded = read(RECORD.read_text("utf-8"))
    except (OSError, ValueError) as error:
        print(f"{RECORD.relative_to(ROOT)} cannot be read ({error}); `make bench-record` writes it")
        return 1
    return check(recorded, measure())


if __name__ == "__main__":
    sys.exit(main())
