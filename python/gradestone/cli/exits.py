"""How every command ends: the exit codes, and the guard that lets no traceback out."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from functools import wraps
from typing import Final, ParamSpec

import typer

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
        remark(f"gradestone: {fault}\n")


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
        raise typer.Exit(int(ending(lambda: command(*args, **kwargs))))

    return run


def ending(action: Callable[[], Exit]) -> Exit:
    """Run an action and return its exit code; complain where it failed.

    An unexpected exception is told by its type alone, since its text may hold what was graded.
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
    except KeyboardInterrupt:
        complain("interrupted")
        return Exit.INTERRUPTED
    except Exception as error:
        if os.environ.get(DEBUG_VARIABLE) == "1":
            traceback.print_exception(error)
        complain(
            f"internal error ({type(error).__name__}), a bug of gradestone: "
            f"{DEBUG_VARIABLE}=1 shows the traceback"
        )
        return Exit.INTERNAL


def _abandon_output() -> None:
    """Point standard output at nothing, so that the interpreter's own flush at exit cannot fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
