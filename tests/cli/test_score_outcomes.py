"""``gradestone score`` where something goes wrong: names, devices, options, interrupts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from gradestone.data.inputs import Inputs
from gradestone.data.streams import ByteStream

from .conftest import ROWS, Invoke, write_rows


def refusal(invoke: Invoke, *arguments: object) -> str:
    """Runs a command that must end with exit 2 and one line, and returns that line."""
    result = invoke("score", *arguments)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_names_that_cannot_be_looked_up(invoke: Invoke, answers: Path, tmp_path: Path) -> None:
    """A name that is too long, and a link that leads to itself, are told like any file that cannot be read."""
    long = "x" * 300
    assert "File name too long" in refusal(invoke, long, "-g", "no_pii")
    assert "File name too long" in refusal(
        invoke, answers, "-g", "no_pii", "--out", tmp_path / f"{long}.jsonl"
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "loop.jsonl").symlink_to("loop.jsonl")
    assert "loop.jsonl is no ordinary file" in refusal(invoke, folder, "-g", "no_pii")
    assert "Too many levels of symbolic links" in refusal(invoke, folder / "loop.jsonl", "-g", "no_pii")


@pytest.mark.parametrize("name", ["with space.jsonl", "new\nline.jsonl", "\x1b[31mred.jsonl", "\udcff.jsonl"])
def test_a_message_is_one_line(invoke: Invoke, tmp_path: Path, name: str) -> None:
    """Whatever a file's name holds: nothing in it breaks the line or steers the terminal."""
    path = tmp_path / name
    line = refusal(invoke, path, "-g", "no_pii")
    assert "No such file or directory" in line or "no file matches" in line
    assert "\x1b" not in line
    write_rows(path, ROWS)
    with path.open("ab") as file:
        file.write(b"{\n")
    other = write_rows(tmp_path / "other.jsonl", ROWS)
    for out in ("out.jsonl", "out.csv", "out.parquet"):
        result = invoke("score", path, other, "-g", "no_pii", "--quiet", "--out", tmp_path / out)
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 2
        assert (tmp_path / out).exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv", "parquet", "arrow", "arrows"])
def test_full_disk(invoke: Invoke, answers: Path, kind: str, threads: int) -> None:
    """Every writer says so once, with the cause."""
    settings = ("--output-format", kind, "--threads", threads)
    line = refusal(invoke, answers, "-g", "no_pii", "--out", "/dev/full", *settings)
    assert line == "gradestone: cannot write /dev/full: No space left on device\n"


@pytest.mark.parametrize("backend", ["rust", "python"])
def test_too_many_threads(invoke: Invoke, answers: Path, backend: str) -> None:
    """Refused before anything is read, not found out by every row."""
    line = refusal(invoke, answers, "-g", "no_pii", "--threads", 10**25, "--backend", backend)
    assert "threads must be a whole number from 1 to 1024" in line


def test_a_misspelt_option_column(invoke: Invoke, answers: Path) -> None:
    """Told first: that the option it should be is missing only follows from it."""
    result = invoke("score", answers, "-g", "context_f1", "--column", "retreived=a", "--column", "expected=b")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        'gradestone: --column: no grader has the option "retreived"; did you mean retrieved?',
        "gradestone: grader context_f1: context_f1 needs the option `retrieved`",
    ]


@pytest.mark.parametrize(
    "arguments",
    [("--candidate", "candidat"), ("--reference", "candidat"), ("--column", "expected=candidat")],
)
def test_a_misspelt_column(invoke: Invoke, answers: Path, arguments: tuple[str, str]) -> None:
    """The columns, and the nearest of them."""
    line = refusal(invoke, answers, "-g", "exact_match", *arguments)
    assert line == (
        'gradestone: there is no column "candidat"; the first row has "id", "candidate", "reference"; '
        "did you mean candidate?\n"
    )


def test_bad_rows_and_a_gate(invoke: Invoke, tmp_path: Path) -> None:
    """Unreadable rows count as not passed, in the gate too, and exit 2 is the stronger."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{\n[]\n{"output":"a"}\n')
    result = invoke("score", path, "-g", "no_pii", "--fail-under", "0.5", "--format", "json")
    assert result.exit_code == 2
    figures = json.loads(result.stdout)["graders"]["no_pii"]
    assert (figures["rows"], figures["passed"], figures["codes"]) == (3, 1, {"ok": 1, "unreadable_row": 2})
    assert "no_pii: 1 of 3 rows passed (33.33 %), under 0.5" in result.stderr


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "arrows"])
@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_but_bad_rows(invoke: Invoke, tmp_path: Path, kind: str, threads: int) -> None:
    """Every one is written with its verdict; none passes."""
    path, out = tmp_path / "rows.jsonl", tmp_path / f"out.{kind}"
    path.write_bytes(b"x\n" * 10)
    settings = ("--threads", threads, "--backend", "rust")
    result = invoke("score", path, "-g", "no_pii", "--out", out, "--format", "json", *settings)
    assert result.exit_code == 2
    assert json.loads(result.stdout)["graders"]["no_pii"]["codes"] == {"unreadable_row": 10}
    assert out.exists()


MOMENTS: dict[str, tuple[str, Any]] = {
    "start": ("gradestone.cli.scoring.compile_specs", None),
    "opening": ("gradestone.cli.scoring.open_inputs", None),
    "output": ("gradestone.data.output.packed", None),
    "columns": ("gradestone.cli.run.choose_columns", None),
    "reading": ("gradestone.data.streams.ByteStream.read", ByteStream.read),
    "grading": ("gradestone.cli.run.grade_many", None),
    "writing": ("gradestone.data.output.WholeFile.write", None),
    "counting": ("gradestone.report.statistics.Figures.add", None),
    "finishing": ("gradestone.data.output.os.fsync", None),
    "naming": ("gradestone.data.output.Path.replace", None),
    "closing": ("gradestone.data.inputs.Inputs.close", Inputs.close),
}


def interrupting(real: Callable[..., Any] | None) -> Callable[..., Any]:
    """What raises an interrupt, after it did what it replaces."""

    def raise_interrupt(*arguments: Any, **_: Any) -> NoReturn:
        if real is not None:
            real(*arguments)
        raise KeyboardInterrupt

    return raise_interrupt


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.csv.gz"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_interrupted_at_any_moment(  # noqa: PLR0917
    invoke: Invoke, answers: Path, monkeypatch: pytest.MonkeyPatch, moment: str, name: str, threads: int
) -> None:
    """Exit 130 and nothing of the output is left, hidden or half; once it has its name it is whole and stays."""
    target, real = MOMENTS[moment]
    monkeypatch.setattr(target, interrupting(real))
    out = answers.with_name(name)
    settings = ("--threads", threads, "--backend", "rust")
    assert invoke("score", answers, "-g", "no_pii", "--out", out, *settings).exit_code == 130
    done = {name} if moment == "closing" else set()
    assert {one.name for one in answers.parent.iterdir()} == {"answers.jsonl"} | done
