"""How every command ends: the exit codes, and the guard that lets no traceback out."""

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from functools import wraps
from itertools import count
from typing import Final, ParamSpec

from gradestone.data.errors import FileError, why

P = ParamSpec("P")

DEBUG_VARIABLE: Final = "GRADESTONE_DEBUG"
"""Set to ``1``, an unexpected error shows its traceback."""


class Exit(IntEnum):
    """The exit codes of every command."""

    OK = 0
    GATE_FAILED = 1
    USAGE = 2
    """Usage, configuration, unreadable input, unwritable output."""
    UNDECIDED = 3
    """Verdicts are missing: a grader broke, ran out of time, or could not run."""
    INTERNAL = 4
    NOTHING = 5
    """There was nothing to look at."""
    INTERRUPTED = 130


_PRECEDENCE: Final = (
    Exit.INTERRUPTED,
    Exit.INTERNAL,
    Exit.USAGE,
    Exit.NOTHING,
    Exit.UNDECIDED,
    Exit.GATE_FAILED,
)


def strongest(exits: Iterable[Exit]) -> Exit:
    """Return the exit code of a command for which several hold.

    >>> strongest([Exit.GATE_FAILED, Exit.USAGE]).name
    'USAGE'
    """
    holding = frozenset(exits)
    return next((code for code in _PRECEDENCE if code in holding), Exit.OK)


class CommandError(Exception):
    """Ends a command with a message on standard error, one line a fault, and an exit code."""

    def __init__(self, *faults: str, code: Exit = Exit.USAGE) -> None:
        super().__init__(*faults)
        self.faults = faults
        self.code = code


def complain(*faults: str) -> None:
    """Write faults to standard error, one line each."""
    for fault in faults:
        remark(f"gradestone: {_CONTROLS.sub(_escaped, fault)}\n")


_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What a file's name may hold, and would break the line or steer the terminal."""


def _escaped(control: re.Match[str]) -> str:
    return control[0].encode("unicode_escape").decode()


def remark(text: str) -> None:
    """Write to standard error, if there is one that takes it."""
    if sys.stderr is None:
        return
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def say(text: str) -> None:
    """Write to standard output, at once.

    Raises `CommandError` when it is closed or cannot be written, as on a full disk, and ``BrokenPipeError``
    when nobody reads it any more.
    """
    if sys.stdout is None:
        raise CommandError("cannot write to standard output: it is closed")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _abandon_output()
        raise CommandError(f"cannot write to standard output: {why(error)}") from error


def guarded(command: Callable[P, Exit]) -> Callable[P, None]:
    """Make a command of a function: whatever it returns or raises becomes one of the exit codes."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        import typer

        raise typer.Exit(int(ending(lambda: command(*args, **kwargs))))

    return run


def ending(action: Callable[[], Exit]) -> Exit:
    """Run an action and return its exit code; complain where it failed.

    An unexpected exception is told by its type alone, since its text may hold what was graded. An interrupt goes
    through: it may come at any time, and only `main` is there all the time.
    """
    try:
        return action()
    except CommandError as error:
        complain(*error.faults)
        return error.code
    except FileError as error:
        complain(str(error))
        return Exit.USAGE
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`): that needs no message.
        _abandon_output()
        return Exit.USAGE
    except Exception as error:
        if _follows_interrupt(error):
            raise KeyboardInterrupt from None
        if os.environ.get(DEBUG_VARIABLE) == "1":
            traceback.print_exception(error)
        complain(
            f"internal error ({type(error).__name__}), a bug of gradestone: "
            f"{DEBUG_VARIABLE}=1 shows the traceback"
        )
        return Exit.INTERNAL


def _follows_interrupt(error: BaseException) -> bool:
    """Tell whether an exception was raised because of an interrupt, as the interpreter does while it makes a class."""
    cause = error.__cause__
    return cause is not None and (isinstance(cause, KeyboardInterrupt) or _follows_interrupt(cause))


def interrupted() -> Exit:
    """Say that the command was interrupted, and return its exit code."""
    complain("interrupted")
    # What is still buffered for a pipe that nobody empties must not keep the process from ending.
    _abandon_output()
    return Exit.INTERRUPTED


def take_interrupts() -> None:
    """Let Ctrl-C interrupt the command, but for the second time it is pressed.

    Most often that is the same impatience, and would leave the temporary file that the first one has begun to clear
    away. Whoever goes on gets through. A process that was started to ignore interrupts goes on ignoring them.
    """
    presses = count(1)

    def interrupt(_number: int, _frame: object) -> None:
        if next(presses) != 2:
            raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def forget_interrupts() -> None:
    """Ignore interrupts from now on: all is done, and the interpreter would end with a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _abandon_output() -> None:
    """Point standard output at nothing, so that the interpreter's own flush at exit cannot fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
