"""The command line: ``gradestone score``, ``verify`` and ``graders``.

One module a command says what it takes. It imports what does the work when the command runs, so that help is
there at once.
"""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated, NoReturn

import typer

from gradestone import __version__
from gradestone.cli import graders, score, verify
from gradestone.cli.exits import Exit, ending, say

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help and one-line errors: quick, and the same on a terminal and in a log.
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("score", help=score.HELP)(score.score)
app.command("verify", help=verify.HELP)(verify.verify)
app.command("graders", help=graders.HELP)(graders.graders)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"gradestone {__version__}\n")
        raise typer.Exit


@app.callback()
def gradestone(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Grade the outputs of language models, in bulk and failing closed."""


def main() -> NoReturn:
    """Run the ``gradestone`` command on the process's arguments, and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        # A letter that the terminal lacks is told by an escape; it does not end the command.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(ending(_run))


def _run() -> Exit:
    stdout = sys.stdout
    try:
        app(prog_name="gradestone")
    finally:
        if sys.stdout is not stdout:
            # Typer replaced the stream since nobody reads the help; its exit code for that is not ours.
            raise BrokenPipeError
        # What help printed must be out before the interpreter flushes: nobody handles that flush's failures.
        if stdout is not None:
            say("")
    return Exit.OK
