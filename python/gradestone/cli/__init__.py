"""The command line: ``gradestone score``, ``verify`` and ``graders``.

One module a command says what it takes. It imports what does the work when the command runs, so that help is
there at once; and this one imports nothing that takes long, so that an interrupt meets a command that can say so.
"""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import NoReturn

from gradestone.cli.exits import Exit, ending, forget_interrupts, interrupted, take_interrupts


def main() -> NoReturn:
    """Run the ``gradestone`` command on the process's arguments, and exit with its code."""
    take_interrupts()
    try:
        for stream in (sys.stdout, sys.stderr):
            # A letter that the terminal lacks is told by an escape; it does not end the command.
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        code = ending(_run)
    except KeyboardInterrupt:
        code = interrupted()
    finally:
        forget_interrupts()
    sys.exit(code)


def _run() -> Exit:
    from gradestone.cli.commands import run

    return run()
