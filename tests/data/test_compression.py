"""Compressed text files: whole or refused, whatever they are called."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest
from tests.data.files import rows_of

from gradestone.data.compression import zstd_module
from gradestone.data.errors import InputError
from gradestone.data.output import WholeFile

PACK = {"gz": gzip.compress, "zst": zstd_module().compress}
MANY = b"".join(b'{"n":%d}\n' % number for number in range(20_000))


@pytest.mark.parametrize("kind", PACK)
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv"])
def test_damaged(tmp_path: Path, kind: str, name: str) -> None:
    """Cut, changed, or followed by something else: an error, never fewer rows."""
    data = {
        "a.jsonl": MANY,
        "a.json": b"[" + MANY.strip().replace(b"\n", b",") + b"]",
        "a.csv": b"n\n" + b"1\n" * 20_000,
    }
    packed = PACK[kind](data[name])
    path = tmp_path / f"{name}.{kind}"
    path.write_bytes(packed)
    assert len(rows_of(path)) == 20_000
    for broken, error in (
        (packed[:-5], "is cut short"),
        (packed[: len(packed) // 2], "is cut short"),
        (packed[:6], "is cut short"),
        (packed + b"rubbish", "is damaged|is cut short"),
        (packed[:20] + bytes([packed[20] ^ 0xFF]) + packed[21:], "is damaged"),
    ):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=error):
            rows_of(path)


@pytest.mark.parametrize("kind", PACK)
def test_known_by_content(tmp_path: Path, kind: str) -> None:
    """A plain name does not hide compression, a name that demands it is held to it, and frames are one file."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(PACK[kind](b'{"n":1}\n') + PACK[kind](b'{"n":2}\n'))
    assert rows_of(path) == [{"n": 1}, {"n": 2}]
    other = {"gz": "zst", "zst": "gz"}[kind]
    for data in (b'{"n":1}\n', PACK[other](b'{"n":1}\n')):
        (tmp_path / f"a.jsonl.{kind}").write_bytes(data)
        with pytest.raises(InputError, match=r"is not compressed with (gzip|zstd), as its name says"):
            rows_of(tmp_path / f"a.jsonl.{kind}")


def test_without_zstd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that says what to install."""
    (tmp_path / "a.jsonl.zst").write_bytes(PACK["zst"](b"{}\n"))
    for module in ("backports.zstd", "compression.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InputError, match=r"a\.jsonl\.zst: zstd .* pip install 'gradestone\[zstd\]'"):
        rows_of(tmp_path / "a.jsonl.zst")


@pytest.mark.parametrize("kind", PACK)
def test_written_and_always_alike(tmp_path: Path, kind: str) -> None:
    """The same rows give the same bytes, and they read back."""
    for name in ("a", "b"):
        with WholeFile(str(tmp_path / f"{name}.jsonl.{kind}")) as file:
            file.write([MANY])
    first, second = (tmp_path / f"{name}.jsonl.{kind}" for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    assert len(rows_of(first)) == 20_000
