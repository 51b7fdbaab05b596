"""Makes a source distribution that builds with no network: the crates of the lock file lie in it.

    python packaging/sdist.py [--out dist]

maturin's sdist is unpacked, `cargo vendor` lays the crates beside the sources, and `.cargo/config.toml`, which is in
the sdist alone, points cargo at them. Every crate of Cargo.lock is there and whole, for any platform and for
`cargo test`: cargo holds each file to the sum it was published with, and a crate may read any folder of its own
while it is compiled. The same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CONFIG: Final = """\
# Cargo.lock's crates are beside this file: nothing is fetched.
[source.crates-io]
replace-with = "vendored"

[source.vendored]
directory = "vendor"

[net]
offline = true
"""


def run(*command: str, cwd: Path) -> str:
    """Standard output of a command; ends the program where the command fails, with what it said."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr.strip()}")
    return done.stdout


def unpacked_sdist(folder: Path) -> Path:
    """The top folder of maturin's own sdist, unpacked."""
    plain = folder / "plain"
    run(sys.executable, "-m", "maturin", "sdist", "--out", str(plain), cwd=ROOT)
    (archive,) = plain.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def vendor(top: Path) -> None:
    """Lay the crates into the sdist, and point cargo at them."""
    run("cargo", "vendor", "--locked", "--versioned-dirs", "vendor", cwd=top)
    (top / ".cargo").mkdir()
    (top / ".cargo" / "config.toml").write_text(CONFIG, "utf-8")


def moment() -> int:
    """The time that every file gets: SOURCE_DATE_EPOCH, or that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or run("git", "log", "-1", "--format=%ct", cwd=ROOT))


def pack(top: Path, archive: Path) -> None:
    """Write the folder as a .tar.gz that says nothing of the machine: sorted, owned by nobody, of one moment."""
    when = moment()

    def neutral(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mtime = when
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with (
        archive.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=when) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(top.rglob("*")):
            tar.add(path, f"{top.name}/{path.relative_to(top).as_posix()}", recursive=False, filter=neutral)


def main() -> None:
    """Write the sdist, and say where and how large it is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder to write to")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    # Beside its place, so that the move is a rename and no half archive is ever found there.
    with tempfile.TemporaryDirectory(dir=out, prefix=".sdist-") as folder:
        top = unpacked_sdist(Path(folder))
        vendor(top)
        archive = Path(folder) / f"{top.name}.tar.gz"
        pack(top, archive)
        done = archive.replace(out / archive.name)
    print(f"{done}: {done.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
