"""All commands as one: ``gradestone score``, ``verify``, ``bench`` and ``graders``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from gradestone import __version__
from gradestone.cli import bench, graders, score, verify
from gradestone.cli.exits import Exit, interrupted, say

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
app.command("bench", help=bench.HELP)(bench.bench)
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


def run() -> Exit:
    """Run the command on the process's arguments. Most ends are a `SystemExit` with the exit code."""
    stdout = sys.stdout
    try:
        app(prog_name="gradestone")
    except SystemExit as end:
        if end.code != Exit.INTERRUPTED:
            raise
        # Typer makes such an end of an interrupt, wherever it came, and says nothing.
        return interrupted()
    finally:
        if sys.stdout is not stdout:
            # Typer replaced the stream since nobody reads the help; its exit code for that is not ours.
            raise BrokenPipeError
        # What help printed must be out before the interpreter flushes: nobody handles that flush's failures.
        if stdout is not None:
            say("")
    return Exit.OK
