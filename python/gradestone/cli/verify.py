"""``gradestone verify``: proves verdicts against recorded ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from gradestone.cli.choices import Backend, Format
from gradestone.cli.exits import Exit, guarded

HELP: Final = """\
Run conformance vectors and compare every verdict with the recorded one.

PATH is a vector file or a folder of them: the TypeScript package's (JSON or JSONL) and our own. Without one, the
vectors that are part of this package are run. Every case runs on the compiled kernels and on the reference in Python;
n/a stands where a grader has no kernel. Judges answer as they were recorded, and nothing is sent: the number of calls
must be the recorded one and, with the recording's --registry, each prompt too, to the byte.

\b
Exit codes:
  0  all agree
  1  some differ
  2  a file cannot be read
  5  there was nothing to run
"""


@guarded
def verify(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="[PATH]...", help="Vector files, or folders of them.")
    ] = None,
    backend: Annotated[Backend | None, typer.Option(help="Run on this backend only. [default: both]")] = None,
    registry: Annotated[
        Path | None,
        typer.Option(
            envvar="GRADESTONE_REGISTRY", metavar="FILE", help="The registry whose prompts judges were asked."
        ),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="How the outcome is printed.")] = Format.TABLE,
) -> Exit:
    """Prove verdicts against recorded ones, see ``HELP``."""
    from gradestone.cli.verifying import verify_files  # loads the kernels

    backends = [backend] if backend is not None else list(Backend)
    return verify_files(
        paths or [], [one.value for one in backends], as_json=format_ is Format.JSON, registry=registry
    )
