"""A file that appears whole or not at all."""

from __future__ import annotations

import gzip
import os
import stat
from pathlib import Path

import pytest

from gradestone.data.errors import OutputError
from gradestone.data.output import WholeFile


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_appears_at_the_end(tmp_path: Path) -> None:
    """Until then only a hidden file is there; afterwards only the file."""
    final = tmp_path / "out.jsonl"
    with WholeFile(str(final)) as file:
        file.write([b"a\n", b"b\n"])
        assert not final.exists()
        assert all(name.startswith(".gradestone-") for name in names(tmp_path))
    assert final.read_bytes() == b"a\nb\n"
    assert names(tmp_path) == {"out.jsonl"}


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_of_a_failure(tmp_path: Path, name: str, error: type[BaseException]) -> None:
    """The final name keeps what it had, an interrupt included."""
    final = tmp_path / name
    final.write_bytes(b"before")
    with pytest.raises(error), WholeFile(str(final)) as file:
        file.write([b"half"])
        raise error
    assert final.read_bytes() == b"before"
    assert names(tmp_path) == {name}


def test_compressed_by_name_and_always_alike(tmp_path: Path) -> None:
    """The same rows give the same bytes: no time and no name in them."""
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        with WholeFile(str(tmp_path / name)) as file:
            file.write([b"row\n"] * 3)
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == b"row\n" * 3
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_mode_is_the_old_files_or_the_masks(tmp_path: Path) -> None:
    """A private file stays private; a new one is as open as any other new file."""
    old = tmp_path / "old.jsonl"
    old.touch(0o600)
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    for name in ("old.jsonl", "new.jsonl"):
        with WholeFile(str(tmp_path / name)) as file:
            file.write([b"x"])
    assert stat.S_IMODE(old.stat().st_mode) == 0o600
    assert (tmp_path / "new.jsonl").stat().st_mode == ordinary.stat().st_mode


def test_a_name_as_long_as_names_may_be(tmp_path: Path) -> None:
    """The temporary name does not build on it."""
    final = tmp_path / ("é" * 124 + ".jsonl")
    with WholeFile(str(final)) as file:
        file.write([b"x"])
    assert final.read_bytes() == b"x"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """What the link points at is replaced."""
    target, link = tmp_path / "target.jsonl", tmp_path / "link.jsonl"
    target.write_bytes(b"before")
    link.symlink_to(target)
    with WholeFile(str(link)) as file:
        file.write([b"after"])
    assert link.is_symlink()
    assert target.read_bytes() == b"after"


def test_refused(tmp_path: Path) -> None:
    """A folder, a missing folder, and the file being read, by whatever name."""
    source = tmp_path / "in.jsonl"
    source.write_bytes(b"rows")
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"rows")
    hard, soft = tmp_path / "hard.jsonl", tmp_path / "soft.jsonl"
    os.link(source, hard)
    soft.symlink_to(source)
    for name, message in (
        (tmp_path, "it is a directory"),
        (tmp_path / "no" / "out.jsonl", "No such file or directory"),
        (source, "it is a file that is being read"),
        (hard, "it is a file that is being read"),
        (soft, "it is a file that is being read"),
    ):
        with (
            pytest.raises(OutputError, match=message),
            WholeFile(str(name), sources=[other.stat(), source.stat()]),
        ):
            pass
    assert names(tmp_path) == {"in.jsonl", "other.jsonl", "hard.jsonl", "soft.jsonl"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("size", [1, 10_000_000])
def test_full_disk(size: int) -> None:
    """Told whether it shows while writing or only at the end; the device itself is not replaced."""
    message = "cannot write /dev/full: No space left on device"
    with pytest.raises(OutputError, match=message), WholeFile("/dev/full") as file:
        file.write([b"x" * size])
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_full_disk_under_a_final_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary file of a run that met a full disk is gone, compressed or not."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    real = Path.open

    def on_a_full_disk(path: Path, mode: str = "r", *rest: object) -> object:
        if path.suffix != ".part":
            return real(path, mode, *rest)  # type: ignore[call-overload]
        real(path, mode).close()
        return real(Path("/dev/full"), "wb")

    monkeypatch.setattr(Path, "open", on_a_full_disk)
    for name in ("out.jsonl", "out.jsonl.gz"):
        final = str(tmp_path / name)
        with pytest.raises(OutputError, match="No space left on device"), WholeFile(final) as file:
            file.write([os.urandom(3_000_000)])
        assert names(tmp_path) == set()
