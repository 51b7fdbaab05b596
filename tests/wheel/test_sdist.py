"""The source distribution: built, unpacked and compiled where there is no network and cargo has fetched nothing."""

from __future__ import annotations

import os
import shutil
import tarfile
import venv
from pathlib import Path

import pytest
from tests.wheel.running import ROOT, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_200)]


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of an environment with maturin."""
    home = tmp_path_factory.mktemp("builder")
    venv.create(home, with_pip=True)
    done = run(home / "bin" / "python", "-m", "pip", "install", "--quiet", "maturin>=1.16,<2", cwd=home)
    assert done.returncode == 0, done.stderr
    return home / "bin"


@pytest.fixture(scope="module")
def sdist(builder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive, from the sources as they stand."""
    out = tmp_path_factory.mktemp("sdist")
    done = run(builder / "python", ROOT / "packaging" / "sdist.py", "--out", out, cwd=out)
    assert done.returncode == 0, done.stderr
    return next(out.glob("*.tar.gz"))


def without_network(tmp_path: Path) -> tuple[str, ...]:
    """What to write before a command so that it has no network; nothing where the system does not let us."""
    prefix = ("unshare", "--map-root-user", "--net")
    return prefix if shutil.which("unshare") and run(*prefix, "true", cwd=tmp_path).returncode == 0 else ()


def test_the_same_sources_make_the_same_archive(sdist: Path, builder: Path, tmp_path: Path) -> None:
    """Byte for byte."""
    done = run(builder / "python", ROOT / "packaging" / "sdist.py", "--out", tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / sdist.name).read_bytes() == sdist.read_bytes()


def test_what_the_archive_holds(sdist: Path) -> None:
    """One folder; the lock file, the licences, the crates, and the file that points cargo at them; 20 MB at most."""
    with tarfile.open(sdist) as opened:
        names = set(opened.getnames())
    top = sdist.name.removesuffix(".tar.gz")
    assert {name.split("/")[0] for name in names} == {top}
    for needed in ("PKG-INFO", "Cargo.lock", "THIRD_PARTY_LICENSES.txt", ".cargo/config.toml", "rust/lib.rs"):
        assert f"{top}/{needed}" in names
    assert any(name.startswith(f"{top}/vendor/memchr-") for name in names)
    assert not (ROOT / ".cargo").exists()
    assert sdist.stat().st_size < 20_000_000


def test_it_builds_without_network(sdist: Path, builder: Path, tmp_path: Path) -> None:
    """With an empty CARGO_HOME; what it built is installed, and agrees with every vector."""
    with tarfile.open(sdist) as opened:
        opened.extractall(tmp_path, filter="data")
    variables = {
        "PATH": f"{builder}{os.pathsep}{os.environ['PATH']}",
        "CARGO_HOME": str(tmp_path / "cargo-home"),
        "CARGO_TARGET_DIR": str(tmp_path / "target"),
        "CARGO_NET_OFFLINE": "true",
    }
    built = run(
        *without_network(tmp_path),
        *(builder / "python", "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", tmp_path / "out", tmp_path / sdist.name.removesuffix(".tar.gz")),
        cwd=tmp_path,
        variables=variables,
    )
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    (wheel,) = (tmp_path / "out").glob("*.whl")
    done = run(builder / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    verified = run(builder / "gradestone", "verify", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout[-500:] + verified.stderr
