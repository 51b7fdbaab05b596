"""Builds and runs the fuzz targets.

    python fuzz/run.py [TARGET ...] [--runs N] [--jobs N]

Each target compares a kernel with its oracle until it has run so many inputs; how many, in how many seconds, and what
was found is printed. Exits with 1 where something was found: what kernel and oracle said of the smallest input that
shows it, which lies in ``fuzz/artifacts/TARGET``; the target's binary, given that file, shows it again. What the fuzzer
learnt stays in ``fuzz/corpus/TARGET`` for the next run. Before all that the oracles are held to the vectors.

The engine is libFuzzer, which the crate ``libfuzzer-sys`` brings and a C++ compiler builds; the coverage that guides
it comes from LLVM's pass in the stable compiler (``instrument.sh``): neither nightly nor a tool of its own is needed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent
BUILT: Final = FOLDER.parent / "target" / "fuzz"
"""Apart from the kernels' own builds, which have no coverage in them."""
TARGETS: Final = tuple(sorted(path.stem for path in (FOLDER / "fuzz_targets").glob("*.rs")))
LONGEST: Final = 256
"""Bytes of an input: short ones run fast, and few kernels need longer ones."""
LONGER: Final = {"jsonl": 512}
"""Bytes of an input where more are needed: a line of 64 members is no short one."""


class Outcome(NamedTuple):
    """What became of a target."""

    executions: int
    seconds: float
    finding: str


def cargo(*arguments: str, built: str, **environment: str) -> None:
    """Run cargo on this package; ends the program where it fails."""
    folders = ["--manifest-path", str(FOLDER / "Cargo.toml"), "--target-dir", str(BUILT / built)]
    command = ["cargo", arguments[0], "--quiet", "--locked", *folders, *arguments[1:]]
    done = subprocess.run(
        command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{' '.join(command)} failed")


def build(targets: Sequence[str]) -> None:
    """Hold the oracles to the vectors, and build the targets with coverage of the kernels."""
    cargo("test", built="plain")
    cargo("build", "--example", "seeds", built="plain")
    bins = [word for target in targets for word in ("--bin", target)]
    cargo("build", "--release", *bins, built="guided", RUSTC_WRAPPER=str(FOLDER.resolve() / "instrument.sh"))


def run(target: str, binary: Path, runs: int) -> Outcome:
    """Run one target until it has had its runs or found something."""
    corpus, artifacts = FOLDER / "corpus" / target, FOLDER / "artifacts" / target
    artifacts.mkdir(parents=True, exist_ok=True)
    subprocess.run([BUILT / "plain" / "debug" / "examples" / "seeds", target, corpus], check=True)
    flags = [
        f"-runs={runs}",
        f"-max_len={LONGER.get(target, LONGEST)}",
        "-len_control=20",
        "-print_final_stats=1",
    ]
    flags.append(f"-artifact_prefix={artifacts}/")
    started = time.monotonic()
    failed, said = engine(binary, *flags, str(corpus))
    seconds = time.monotonic() - started
    stated = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
    finding = smallest(binary, artifacts, said) if failed else ""
    return Outcome(int(stated[1]) if stated else 0, seconds, finding)


def engine(binary: Path, *arguments: str) -> tuple[bool, str]:
    """Run a target's binary: whether it failed, and what it said."""
    command = [str(binary), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    return done.returncode != 0, done.stderr


def smallest(binary: Path, artifacts: Path, found: str) -> str:
    """What a finding is, of the smallest input that shows one, and where that lies."""
    written = re.search(r"Test unit written to (\S+)", found)
    if written is None:
        return found
    least = artifacts / "smallest"
    least.unlink(missing_ok=True)
    engine(binary, "-minimize_crash=1", "-max_total_time=20", f"-exact_artifact_path={least}", written[1])
    file = str(least) if least.exists() else written[1]
    failed, said = engine(binary, file)
    if not failed:
        return f"{panic(found)}\n  only after other inputs: {written[1]} alone does not show it"
    return f"{panic(said)}\n  input: {file}"


def panic(said: str) -> str:
    """The lines that say what went wrong."""
    lines = said.splitlines()
    first = next((at for at, line in enumerate(lines) if "panicked at" in line or "ERROR:" in line), 0)
    behind = (
        at for at, line in enumerate(lines) if at > first and ("backtrace" in line or "libFuzzer" in line)
    )
    return "\n".join(lines[first : next(behind, first + 12)])


def main() -> int:
    """Build, run, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; default all")
    parser.add_argument("--runs", type=int, default=10_000_000, help="executions of each target")
    parser.add_argument("--jobs", type=int, default=1, help="targets that run at the same time")
    arguments = parser.parse_args()
    unknown = set(arguments.targets) - set(TARGETS)
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    if arguments.runs < 1:
        parser.error("--runs must be at least 1: libFuzzer takes others for no end")
    chosen = arguments.targets or TARGETS
    build(chosen)
    findings = 0
    print(f"{'target':12} {'executions':>12} {'seconds':>9} {'a second':>9}  findings")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        outcomes = pool.map(
            lambda target: run(target, BUILT / "guided" / "release" / target, arguments.runs), chosen
        )
        for target, (executions, seconds, finding) in zip(chosen, outcomes, strict=True):
            findings += bool(finding)
            speed = executions / max(seconds, 1e-9)
            print(
                f"{target:12} {executions:12,} {seconds:9.1f} {speed:9,.0f}  {int(bool(finding))}", flush=True
            )
            if finding:
                print(finding, flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
