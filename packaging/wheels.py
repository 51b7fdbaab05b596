"""Builds the manylinux wheels of every platform on one machine, checks them, and only then lays them into dist/.

    python packaging/wheels.py [--out dist]

Zig links against the glibc that the tag promises, on any host. A wheel is kept when maturin and auditwheel agree on
its tag, abi3audit finds nothing beyond the stable ABI, and no path of this machine is in it. No platform is
left out quietly: whatever could not be built or checked is named, dist/ stays as it was, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from platforms import PLATFORMS

ROOT: Final = Path(__file__).parents[1]
BIN: Final = Path(sys.executable).parent
CARGO_HOME: Final = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")


class WheelError(Exception):
    """Why there is no wheel for a platform."""


def run(*command: str | Path) -> str:
    """All that a command prints; raises `WheelError` with the end of it where the command fails."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        ending = "\n".join(done.stdout.splitlines()[-20:])
        raise WheelError(f"{' '.join(map(str, command))} failed:\n{ending}")
    return done.stdout


def environment() -> dict[str, str]:
    """The caller's, with our own tools first, and with flags for the compiler that are ours alone.

    Flags of the caller could raise the instruction set above the one that every CPU of the platform has. The two
    here write crates' and our own paths without the folder that they lie in on this machine.
    """
    flags = [f"--remap-path-prefix={CARGO_HOME / 'registry' / 'src'}=", f"--remap-path-prefix={ROOT}="]
    inherited = {key: value for key, value in os.environ.items() if "RUSTFLAGS" not in key}
    return {
        **inherited,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
    }


def get_standard_library(target: str) -> None:
    """See that Rust's standard library for the target is there; rustup fetches it where it is not."""
    if Path(run("rustc", "--print", "target-libdir", "--target", target).strip()).is_dir():
        return
    if shutil.which("rustup") is None:
        raise WheelError(
            f"this Rust has no standard library for {target}, and there is no rustup to fetch it"
        )
    run("rustup", "target", "add", target)


def built(target: str, tag: str, out: Path) -> Path:
    """The wheel of the target, as maturin made it."""
    options = ("--release", "--locked", "--zig", "--target", target, "--compatibility", tag)
    run(BIN / "maturin", "build", *options, "--out", out)
    (wheel,) = out.glob("*.whl")
    return wheel


def check(wheel: Path, tag: str) -> None:
    """Hold the wheel to what its name says, by tools that did not build it."""
    shown = " ".join(run(BIN / "auditwheel", "show", wheel).split())
    found = re.search(r'consistent with the following platform tag: "(\w+)"', shown)
    if found is None or found[1] != tag:
        raise WheelError(f"auditwheel says {found[1] if found else 'nothing'} where {tag} is wanted: {shown}")
    run(BIN / "abi3audit", "--strict", wheel)
    with zipfile.ZipFile(wheel) as opened:
        for name in opened.namelist():
            if os.fsencode(CARGO_HOME) in (data := opened.read(name)) or os.fsencode(ROOT) in data:
                raise WheelError(f"{name} in the wheel holds a path of this machine")


def main() -> int:
    """Build and check all, then keep all; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write to")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    wheels: list[Path] = []
    with tempfile.TemporaryDirectory(dir=out, prefix=".wheels-") as folder:
        for target, tag in PLATFORMS.items():
            try:
                get_standard_library(target)
                wheel = built(target, tag, Path(folder) / target)
                check(wheel, tag)
            except WheelError as error:
                print(f"{target}: no wheel. {error}", file=sys.stderr)
            else:
                print(f"{target}: built and checked", flush=True)
                wheels.append(wheel)
        if len(wheels) < len(PLATFORMS):
            print(f"{len(wheels)} of {len(PLATFORMS)} wheels: {out} is left as it was", file=sys.stderr)
            return 1
        for wheel in wheels:
            done = wheel.replace(out / wheel.name)
            print(f"{done}: {done.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
