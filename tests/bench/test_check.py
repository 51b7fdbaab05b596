"""The guard over instruction counts, on made counts: nothing is built, nothing is run."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
MACHINE = {"rustc": "rustc 1.95.0", "target": "x86_64", "cpu": "avx2", "valgrind": "3.19", "libc": "2.36"}


@pytest.fixture(scope="module")
def guard() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benches"))
        return importlib.import_module("check")


def outcome(guard: ModuleType, recorded: dict[str, float], now: dict[str, float], **machine: str) -> int:
    return guard.check(guard.Counts(MACHINE, recorded), guard.Counts(MACHINE | machine, now))


@pytest.mark.parametrize(
    ("now", "said", "code"),
    [
        (1000.0, "", 0),
        (1050.0, "", 0),
        (1050.1, "SLOWER", 1),
        (9000.0, "SLOWER", 1),
        (950.1, "", 0),
        (950.0, "record it", 0),
    ],
)
def test_the_limit(
    guard: ModuleType, capsys: pytest.CaptureFixture[str], now: float, said: str, code: int
) -> None:
    """Five in a hundred more is the most that passes; as much less is to be recorded."""
    assert outcome(guard, {"bleu": 1000.0, "splice": 7.0}, {"bleu": now, "splice": 7.0}) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split("%")[1].strip() == said
    assert lines[2].endswith("+0.0%")
    assert any("bleu." in line for line in lines[3:]) == bool(code)


@pytest.mark.parametrize(
    ("recorded", "now", "said"),
    [
        ({"a": 1.0, "b": 1.0}, {"a": 1.0}, "GONE"),
        ({"a": 1.0}, {"a": 1.0, "b": 1.0}, "NOT RECORDED"),
        ({}, {"b": 1.0}, "b."),
    ],
)
def test_a_bench_on_one_side_only_fails(
    guard: ModuleType,
    capsys: pytest.CaptureFixture[str],
    recorded: dict[str, float],
    now: dict[str, float],
    said: str,
) -> None:
    assert outcome(guard, recorded, now) == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("key", ["rustc", "target", "cpu"])
def test_counts_of_another_machine_are_not_compared(
    guard: ModuleType, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    """Equal counts fail as well: what they are equal to is unknown."""
    assert outcome(guard, {"a": 1.0}, {"a": 1.0}, **{key: "another"}) == 1
    said = capsys.readouterr().out
    assert f"{key}: recorded with '{MACHINE[key]}', here is 'another'" in said
    assert "make bench-record" in said


def test_another_valgrind_counts_the_same(guard: ModuleType) -> None:
    assert outcome(guard, {"a": 1.0}, {"a": 1.0}, valgrind="3.24", libc="2.41") == 0


def test_a_record_is_read_as_it_was_written(guard: ModuleType) -> None:
    counts = guard.Counts(MACHINE, {"bleu": 225342.2, "contains": 3.0})
    assert guard.read(guard.written(counts)) == counts


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "machine and instructions"),
        ("machine = 1\n[instructions]", "machine and instructions"),
        ("[machine]\n[instructions]\nbleu = 0", "bleu"),
        ("[machine]\n[instructions]\nbleu = -1.5", "bleu"),
        ("[machine]\n[instructions]\nbleu = nan", "bleu"),
        ("[machine]\n[instructions]\nbleu = inf", "bleu"),
        ("[machine]\n[instructions]\nbleu = true", "bleu"),
        ("[machine]\n[instructions]\nbleu = '7'", "bleu"),
        ("[machine", "end of document"),
    ],
)
def test_a_damaged_record_is_refused(guard: ModuleType, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        guard.read(text)


def test_a_missing_record_is_one_line(
    guard: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["check.py"])
    monkeypatch.setattr(guard, "RECORD", ROOT / "benches" / "nowhere.toml")
    assert guard.main() == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_without_valgrind_it_names_the_package(guard: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="apt-get install valgrind"):
        guard.measure()


def test_the_count_of_a_dump(guard: ModuleType) -> None:
    assert guard.total("events: Ir\nfn=(1) counted\n7 12\n\ntotals: 4096\n") == 4096


def test_the_committed_record_has_every_bench(guard: ModuleType) -> None:
    """The file is whole, and its benches are those of the source."""
    recorded = guard.read(guard.RECORD.read_text("utf-8"))
    assert set(recorded.machine) == set(MACHINE)
    source = (ROOT / "benches" / "instructions" / "main.rs").read_text("utf-8")
    assert [name for name in recorded.instructions if f'"{name}"' not in source] == []
