"""The command as a process: signals, pipes, full disks, terminals, start-up."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROWS, finish, read_rows, start, write_rows

PIPE_CAPACITY = 1 << 20
ROW = json.dumps({"output": "x" * 1000}).encode() + b"\n"


def test_score(answers: Path) -> None:
    """Rows to standard output, table to standard error, exit code of the process."""
    ended = finish("score", answers, "-g", "no_pii", "--out", "-", "--fail-under", "0.9")
    assert ended.returncode == 1
    assert [json.loads(line)["id"] for line in ended.stdout.splitlines()] == [1, 2, 3]
    assert ended.stderr.startswith(b"grader")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_interrupt(tmp_path: Path) -> None:
    """Ctrl-C while rows come slowly: exit 130, one line, and no file, half-written or hidden."""
    out = tmp_path / "out.jsonl"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start("score", "-", "-g", "no_pii", "--out", out, **pipes) as process:
        assert process.stdin is not None
        # More than the pipe holds: once it is written, the process is reading rows.
        process.stdin.write(ROW * (2 * PIPE_CAPACITY // len(ROW)))
        process.stdin.flush()
        assert [one.suffix for one in tmp_path.iterdir()] == [".part"]
        process.send_signal(signal.SIGINT)
        process.wait(60)
        assert process.stdout is not None
        assert process.stderr is not None
        told = process.stdout.read(), process.stderr.read()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
    assert process.returncode == 130
    assert told == (b"", b"gradestone: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [["graders"], ["graders", "bleu_score"], ["--help"], ["score", "-h"], ["--version"]],
)
def test_nobody_reads_the_output(arguments: list[str]) -> None:
    """A closed pipe (``| head``) makes no noise."""
    reading, writing = os.pipe()
    os.close(reading)
    ended = finish(*arguments, stdout=writing)
    os.close(writing)
    assert ended.returncode == 2
    assert ended.stderr == b""


def test_nobody_reads_the_rows(tmp_path: Path) -> None:
    """The same in the middle of a long output."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(ROW * 5_000)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start("score", path, "-g", "no_pii", "--out", "-", **pipes) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["no_pii"]["passed"]
        process.stdout.close()
        told = process.stderr.read()
    assert process.returncode == 2
    assert told == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["graders"],
        ["--help"],
        ["--version"],
        ["score", "IN", "-g", "no_pii"],
        ["score", "IN", "-g", "no_pii", "--out", "-"],
    ],
)
def test_full_standard_output(answers: Path, arguments: list[str]) -> None:
    """One line and exit 2, whoever writes."""
    with Path("/dev/full").open("wb") as full:
        ended = finish(*(answers if one == "IN" else one for one in arguments), stdout=full)
    assert ended.returncode == 2
    assert b"cannot write standard output" in ended.stderr.replace(b"write to", b"write")
    assert b"No space left on device" in ended.stderr
    assert b"Traceback" not in ended.stderr
    assert b"Exception ignored" not in ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="file descriptors of POSIX")
def test_closed_streams(answers: Path) -> None:
    """Without standard output a command that prints fails; without standard error it is just silent."""
    shell = [sys.executable, "-m", "gradestone", "score", str(answers), "-g", "no_pii"]
    ended = subprocess.run(["/bin/sh", "-c", 'exec "$@" >&-', "sh", *shell], capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (
        2,
        b"gradestone: cannot write to standard output: it is closed\n",
    )
    ended = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" 2>&-', "sh", *shell], capture_output=True, check=False
    )
    assert ended.returncode == 0
    ended = subprocess.run(["/bin/sh", "-c", 'exec "$@" <&-', "sh", *shell], capture_output=True, check=False)
    assert ended.returncode == 0


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root may read and write everything")
def test_no_permission(tmp_path: Path, answers: Path) -> None:
    """An unreadable file and an unwritable folder are told with their paths."""
    locked = tmp_path / "locked"
    locked.mkdir(0o500)
    ended = finish("score", answers, "-g", "no_pii", "--out", locked / "out.jsonl")
    assert (ended.returncode, b"Permission denied" in ended.stderr) == (2, True)
    answers.chmod(0)
    ended = finish("score", answers, "-g", "no_pii")
    assert (ended.returncode, b"Permission denied" in ended.stderr) == (2, True)


def on_a_terminal(*arguments: object, columns: int = 100, **variables: str) -> tuple[int, str]:
    """Runs the command under a pseudo-terminal; returns its exit code and all that the terminal got."""
    main, other = pty.openpty()
    environment = {"COLUMNS": str(columns), "LINES": "40"} | variables
    with start(*arguments, env=environment, stdin=other, stdout=other, stderr=other) as process:
        os.close(other)
        shown = b""
        # The last reader of a terminal gets an error where a pipe would give nothing.
        with contextlib.suppress(OSError):
            while piece := os.read(main, 65536):
                shown += piece
    os.close(main)
    return process.returncode, shown.decode()


def test_on_a_terminal(answers: Path) -> None:
    """A progress bar with rate and time left that is gone at the end, and a table with a rule."""
    code, shown = on_a_terminal("score", answers, "-g", "no_pii")
    assert code == 0
    assert "3 rows" in shown
    assert "rows/s" in shown
    assert "left" in shown
    assert "─" in shown
    assert "\x1b[1m" in shown
    assert shown.index("left") < shown.index("grader")


def test_colours_are_refused(answers: Path) -> None:
    """``NO_COLOR``: no colour, though bold may stay."""
    _, coloured = on_a_terminal("score", answers, "-g", "no_pii")
    _, plain = on_a_terminal("score", answers, "-g", "no_pii", NO_COLOR="1")
    assert "\x1b[3" in coloured
    assert "\x1b[3" not in plain


@pytest.mark.parametrize("variables", [{"CI": "true"}, {"TERM": "dumb"}])
def test_plain_terminals(answers: Path, variables: dict[str, str]) -> None:
    """Under CI and on a dumb terminal: no bar, no escape, plain lines."""
    code, shown = on_a_terminal("score", answers, "-g", "no_pii", **variables)
    assert code == 0
    assert "\x1b" not in shown
    assert "left" not in shown
    assert shown.startswith("grader")


def test_quiet_terminal(answers: Path) -> None:
    """``--quiet``: nothing."""
    assert on_a_terminal("score", answers, "-g", "no_pii", "--quiet") == (0, "")


def test_a_narrow_terminal_loses_no_figure(answers: Path) -> None:
    """Lines may break, cells are not cut."""
    _, shown = on_a_terminal("score", answers, "-g", "no_pii", "-q", "--format", "table", columns=30)
    assert shown == ""
    _, shown = on_a_terminal("score", answers, "-g", "no_pii", columns=30)
    for text in ("no_pii", "66.67 %", "20.77 .. 93.85 %", "0.6667", "invalid"):
        assert text in shown


def test_a_poor_locale(tmp_path: Path) -> None:
    """A grader's name that the terminal has no letters for is shown in escapes."""
    path = write_rows(tmp_path / "r.jsonl", ROWS)
    ended = finish("score", path, "-g", "müde=no_pii", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert ended.returncode == 0
    assert b"m\\xfcde" in ended.stdout


def test_quick_start() -> None:
    """Help loads neither NumPy nor the parser nor the kernels nor rich."""
    code = (
        "import sys; from gradestone.cli.commands import app\n"
        "try: app(['score', '--help'])\n"
        "except SystemExit: pass\n"
        "print([name for name in ('numpy', 'jiter', 'rich', 'regex', 'jsonschema_rs', 'gradestone.grading') "
        "if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert ended.stdout.splitlines()[-1] == "[]"


def test_big_rows(tmp_path: Path) -> None:
    """A row of many megabytes among small ones is graded like any other."""
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    write_rows(path, [{"output": "a"}, {"output": "b " * 8_000_000}, {"output": "c"}])
    assert finish("score", path, "-g", "exact_match:expected=a", "--out", out).returncode == 0
    assert [row["exact_match"]["passed"] for row in read_rows(out)] == [True, False, False]


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="this system does not tell a process's memory")
def test_memory_does_not_grow_with_rows(tmp_path: Path) -> None:
    """Ten times the rows take the same memory, but for what the allocator keeps."""
    peaks = []
    for rows in (4_000, 40_000):
        path = tmp_path / "in.jsonl"
        path.write_bytes(ROW * rows)
        process = start("score", path, "-g", "http_status:status=200", "-q", "--out", tmp_path / "out.jsonl")
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        peaks.append(usage.ru_maxrss)
    assert peaks[1] < 1.2 * peaks[0]


INTERRUPTED_WHILE_LOADING = """
import sys
module = sys.argv.pop(1)
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from gradestone.cli import main
main()
"""


@pytest.mark.parametrize(
    "module", ["typer", "gradestone.cli.score", "gradestone.cli.scoring", "rich.console"]
)
def test_interrupted_while_loading(answers: Path, module: str) -> None:
    """The packages take a while to load: an interrupt then is one like any other, without a traceback."""
    code = INTERRUPTED_WHILE_LOADING
    arguments = [sys.executable, "-c", code, module, "score", str(answers), "-g", "no_pii"]
    ended = subprocess.run(arguments, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, b"gradestone: interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_impatience(tmp_path: Path) -> None:
    """Ctrl-C twice at once: the second interrupts no clearing away."""
    out = tmp_path / "out.jsonl"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start("score", "-", "-g", "no_pii", "--out", out, **pipes) as process:
        assert process.stdin is not None
        process.stdin.write(ROW * (2 * PIPE_CAPACITY // len(ROW)))
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.wait(60)
        assert process.stderr is not None
        told = process.stderr.read()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
    assert (process.returncode, told) == (130, b"gradestone: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_interrupted_while_nobody_reads(tmp_path: Path) -> None:
    """A full pipe: the process ends, though its last rows are not to be got rid of."""
    path = tmp_path / "in.jsonl"
    path.write_bytes(ROW * 5_000)
    reading, writing = os.pipe()
    with start(
        "score", path, "-g", "no_pii", "--out", "-", stdout=writing, stderr=subprocess.PIPE
    ) as process:
        os.close(writing)
        assert os.read(reading, 1)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == b"gradestone: interrupted\n"
    os.close(reading)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_killed(tmp_path: Path) -> None:
    """A process that is killed leaves what it had under another name, never half an output."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with start("score", "-", "-g", "no_pii", "--out", tmp_path / "out.jsonl", **pipes) as process:
        assert process.stdin is not None
        process.stdin.write(ROW * (2 * PIPE_CAPACITY // len(ROW)))
        process.stdin.flush()
        process.kill()
        process.wait(60)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
    assert [one.suffix for one in tmp_path.iterdir()] == [".part"]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="this system has no /dev/stdout")
@pytest.mark.parametrize("kind", [None, "csv", "arrows"])
def test_devices_of_pipes(answers: Path, kind: str | None) -> None:
    """``/dev/stdout``, and the ``/dev/fd/63`` of a shell's ``>(…)``, are written to like a pipe."""
    formats = ["--output-format", kind] if kind else []
    ended = finish("score", answers, "-g", "no_pii", "-q", "--out", "/dev/stdout", *formats)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert len(ended.stdout) > 100
    reading, writing = os.pipe()
    ended = finish(
        "score", answers, "-g", "no_pii", "-q", "--out", f"/dev/fd/{writing}", *formats, pass_fds=[writing]
    )
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert len(pipe.read()) > 100
    assert (ended.returncode, ended.stderr) == (0, b"")
