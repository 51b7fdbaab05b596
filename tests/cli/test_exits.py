"""Exit codes, and what stands between an exception and the user."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.net.servers import closed_port

from gradestone.cli.exits import CommandError, Exit, ending, strongest
from gradestone.data.errors import InputError

from .conftest import Invoke, write_rows


def test_precedence() -> None:
    """130 > 4 > 2 > 5 > 3 > 1 > 0, for any that hold."""
    order = [130, 4, 2, 5, 3, 1, 0]
    for count in range(len(order) + 1):
        for holding in itertools.permutations(order, count):
            expected = next((code for code in order if code in holding), 0)
            assert strongest(map(Exit, holding)) == expected


def raising(error: BaseException) -> Callable[[], Exit]:
    def action() -> Exit:
        raise error

    return action


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (CommandError("first", "second"), 2, "gradestone: first\ngradestone: second\n"),
        (CommandError("nothing", code=Exit.NOTHING), 5, "gradestone: nothing\n"),
        (InputError("cannot read x"), 2, "gradestone: cannot read x\n"),
        (BrokenPipeError(), 2, ""),
    ],
)
def test_expected_ends(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, message: str
) -> None:
    """Each has its code and one line a fault."""
    assert ending(raising(error)) == code
    assert capsys.readouterr().err == message


def test_interrupts_go_through() -> None:
    """To `main`, which is there all the time; also one that something made another exception of."""
    disguised = RuntimeError("Error calling __set_name__")
    disguised.__cause__ = ValueError()
    disguised.__cause__.__cause__ = KeyboardInterrupt()
    for error in (KeyboardInterrupt(), disguised):
        with pytest.raises(KeyboardInterrupt):
            ending(raising(error))


def test_unexpected_end(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 4, and one line that does not quote the exception, whose text may be private; or a traceback."""
    assert ending(raising(ValueError("ann@example.com"))) == 4
    told = capsys.readouterr().err
    assert told == (
        "gradestone: internal error (ValueError), a bug of gradestone: "
        "GRADESTONE_DEBUG=1 shows the traceback\n"
    )
    monkeypatch.setenv("GRADESTONE_DEBUG", "1")
    assert ending(raising(MemoryError())) == 4
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_bug_in_a_command(invoke: Invoke, answers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No traceback reaches the user, and no file is left."""
    monkeypatch.setattr("gradestone.cli.run.grade_many", lambda *_, **__: 1 / 0)
    result = invoke("score", answers, "-g", "no_pii", "--out", answers.with_name("out.jsonl"))
    assert result.exit_code == 4
    assert "Traceback" not in result.output
    assert {one.name for one in answers.parent.iterdir()} == {"answers.jsonl"}


BROKEN = f"llm_judge:rubric=kind,gateway_url=http://127.0.0.1:{closed_port()}"
"""A judge that nobody answers for."""


def admitted(grader: str) -> str:
    """What ``--allow-host`` takes for the gateway of a grader."""
    return grader.rpartition("/")[2]


def test_undecided_rows(invoke: Invoke, tmp_path: Path) -> None:
    """Exit 3 when a grader could not be asked; a missed gate beside it does not weaken that."""
    path = write_rows(tmp_path / "r.jsonl", [{"output": "a"}])
    out = tmp_path / "out.jsonl"
    settings = ("--allow-host", admitted(BROKEN), "--fail-under", "1", "--out", out)
    result = invoke("score", path, "-g", BROKEN, "-g", "no_pii", *settings)
    assert result.exit_code == 3
    assert "llm_judge: 1 of 1 rows were left undecided" in result.stderr
    assert "llm_judge: 0 of 1 rows passed" in result.stderr
    assert "1 unreachable" in result.stdout
    assert out.exists()


def test_unreadable_beats_undecided_and_gate(invoke: Invoke, tmp_path: Path) -> None:
    """Exit 2 > 3 > 1, with every message."""
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"output":"a"}\n{\n')
    settings = ("--allow-host", admitted(BROKEN), "--fail-under", "1", "--format", "json")
    result = invoke("score", path, "-g", BROKEN, *settings)
    assert result.exit_code == 2
    codes = json.loads(result.stdout)["graders"]["llm_judge"]["codes"]
    assert codes == {"unreadable_row": 1, "unreachable": 1}
    for message in ("could not be read", "left undecided", "rows passed"):
        assert message in result.stderr


def test_a_judge_without_a_gateway(invoke: Invoke, answers: Path) -> None:
    """The run ends before the first row, since no row could pass."""
    result = invoke("score", answers, "-g", "llm_judge:rubric=kind", "--fail-under", "0.1")
    assert result.exit_code == 2
    assert "llm_judge has no gateway: give --gateway, the option gateway_url, or set" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["score"],
        ["score", "x.jsonl"],
        ["score", "-g", "no_pii"],
        ["score", "x.jsonl", "-g", "no_pii", "--limit", "0"],
        ["score", "x.jsonl", "-g", "no_pii", "--limit", "many"],
        ["score", "x.jsonl", "-g", "no_pii", "--threads", "0"],
        ["score", "x.jsonl", "-g", "no_pii", "--on-bad-row", "skip"],
        ["score", "x.jsonl", "-g", "no_pii", "--format", "xml"],
        ["score", "x.jsonl", "-g", "no_pii", "--no-such-option"],
        ["verify", "--backend", "fortran"],
        ["graders", "a", "b"],
        ["no-such-command"],
        ["--no-such-option"],
    ],
)
def test_usage(invoke: Invoke, arguments: list[str]) -> None:
    """Exit 2, told on standard error."""
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage: gradestone" in result.stderr or "Usage: root" in result.stderr


def test_help_and_version(invoke: Invoke) -> None:
    """Exit 0; the help of every command names its exit codes or what it lists."""
    for arguments in (["--help"], ["-h"], ["score", "--help"], ["verify", "--help"], ["graders", "--help"]):
        result = invoke(*arguments)
        assert result.exit_code == 0
        assert "\x1b" not in result.output
    assert "gradestone score answers.jsonl -g no_pii" in invoke("score", "-h").stdout
    version = invoke("--version")
    assert (version.exit_code, version.stdout) == (0, "gradestone 0.1.0\n")
