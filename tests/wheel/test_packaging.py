"""The packaging scripts refuse what they could not check."""

from __future__ import annotations

import importlib
import sys
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.wheel.running import ROOT


@pytest.fixture
def licences(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("license_expression", reason="installed by `make check`")
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return importlib.import_module("licences")


@pytest.fixture
def wheels(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    return importlib.import_module("wheels")


def crate(licences: ModuleType, folder: Path, expression: str = "MIT", **texts: str) -> object:
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return licences.Crate(folder.name, "1.0.0", expression, folder)


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("MIT/Apache-2.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("Apache-2.0 WITH LLVM-exception OR MIT", True),
        ("Apache-2.0 WITH LLVM-exception", False),
        ("MIT AND GPL-3.0-only", False),
        ("GPL-3.0-only", False),
        ("LicenseRef-ours", False),
        ("MIT AND (", False),
        ("", False),
    ],
)
def test_which_licences_are_allowed(licences: ModuleType, expression: str, allowed: bool) -> None:
    """One side of an OR is enough, an AND needs both; what cannot be read is refused."""
    assert licences.is_allowed(expression) is allowed


def test_a_crate_that_must_not_be_shipped(licences: ModuleType, tmp_path: Path) -> None:
    """A foreign licence, none stated, no text, an empty text: each crate is named, and nothing is rendered."""
    crates = [
        crate(licences, tmp_path / "foreign", "GPL-3.0-only", LICENSE="text"),
        crate(licences, tmp_path / "silent", "", LICENSE="text"),
        crate(licences, tmp_path / "bare", README="MIT"),
        crate(licences, tmp_path / "blank", LICENSE=" \n"),
        crate(licences, tmp_path / "good", LICENSE="text"),
    ]
    with pytest.raises(licences.LicenceError) as caught:
        licences.rendered(crates)
    assert str(caught.value).splitlines() == [
        "foreign 1.0.0: the licence 'GPL-3.0-only' is not on the list",
        "silent 1.0.0: the licence '(none stated)' is not on the list",
        "bare 1.0.0: ships no licence text",
        "blank 1.0.0: ships no licence text",
    ]


def test_no_crates_at_all_is_an_error(licences: ModuleType) -> None:
    """An empty list from cargo is no clean bill."""
    with pytest.raises(licences.LicenceError, match="no crate"):
        licences.rendered([])


def test_a_text_is_printed_once(licences: ModuleType, tmp_path: Path) -> None:
    """For all crates that ship it, indented or not; no folder of this machine is printed."""
    first = crate(licences, tmp_path / "a", LICENSE="Permission is\nhereby granted")
    second = crate(licences, tmp_path / "b", COPYING="  Permission is hereby\r\n  granted\r\n", NOTICE="of b")
    page = licences.rendered([first, second])
    assert page.count("Permission") == 1
    assert "a 1.0.0: LICENSE\nb 1.0.0: COPYING\n" in page
    assert "of b" in page
    assert str(tmp_path) not in page


def test_a_stale_file_is_told(
    licences: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """--check passes on the file that was written, and on no other; it mends nothing."""
    crates = [crate(licences, tmp_path / "a", LICENSE="text")]
    output = tmp_path / "TEXTS.txt"
    monkeypatch.setattr(licences, "OUTPUT", output)
    monkeypatch.setattr(licences, "linked_crates", lambda: crates)
    monkeypatch.setattr(sys, "argv", ["licences.py", "--check"])
    assert licences.main() == 1
    assert not output.exists()
    monkeypatch.setattr(sys, "argv", ["licences.py"])
    assert licences.main() == 0
    monkeypatch.setattr(sys, "argv", ["licences.py", "--check"])
    assert licences.main() == 0
    output.write_text("older", "utf-8")
    assert licences.main() == 1
    assert "make licences" in capsys.readouterr().err
    assert output.read_text("utf-8") == "older"


@pytest.mark.parametrize("broken", ["get_standard_library", "built", "check"])
def test_one_platform_without_a_wheel_fails_them_all(
    wheels: ModuleType,
    broken: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever step failed: the platform is named, the exit code is 1, and dist/ holds what it held."""

    def build(target: str, tag: str, out: Path) -> Path:
        out.mkdir()
        (out / f"{tag}.whl").write_bytes(b"new")
        return out / f"{tag}.whl"

    def refuse(*arguments: Any) -> Path:
        if any("aarch64" in str(one) for one in arguments):
            raise wheels.WheelError("the reason")
        return build(*arguments) if broken == "built" else tmp_path

    steps = {"get_standard_library": lambda _: None, "built": build, "check": lambda *_: None, broken: refuse}
    for name, step in steps.items():
        monkeypatch.setattr(wheels, name, step)
    monkeypatch.setattr(sys, "argv", ["wheels.py", "--out", str(tmp_path)])
    (tmp_path / "older.whl").write_bytes(b"old")
    assert wheels.main() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["older.whl"]
    told = capsys.readouterr().err
    assert "aarch64-unknown-linux-gnu: no wheel. the reason" in told
    assert "1 of 2 wheels" in told


def test_flags_of_the_caller_do_not_reach_the_compiler(
    wheels: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-C target-cpu=native` in the environment would make a wheel that other machines cannot run."""
    for name in ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS"):
        monkeypatch.setenv(name, "-Ctarget-cpu=native")
    assert "native" not in " ".join(wheels.environment().values())


def test_a_wheel_that_is_not_what_its_name_says(
    wheels: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """auditwheel's tag is the one promised, word for word; no file in it holds a path of this machine."""
    wheel, tag = tmp_path / "x.whl", "manylinux_2_17_x86_64"
    shown = "is consistent with\nthe following platform tag:\n"
    monkeypatch.setattr(wheels, "run", lambda *command: shown if "show" in command else "")
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("module.so", b"clean")
    for other in ("", '"manylinux_2_28_x86_64"', '"linux_x86_64"'):
        shown = f"is consistent with\nthe following platform tag:\n{other}"
        with pytest.raises(wheels.WheelError, match=tag):
            wheels.check(wheel, tag)
    shown = f'is consistent with\nthe following platform tag:\n"{tag}"'
    wheels.check(wheel, tag)
    with zipfile.ZipFile(wheel, "a") as made:
        made.writestr("other.so", b"\0" + bytes(wheels.CARGO_HOME) + b"/registry/src")
    with pytest.raises(wheels.WheelError, match=r"other\.so"):
        wheels.check(wheel, tag)
