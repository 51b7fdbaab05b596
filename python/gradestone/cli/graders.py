"""``gradestone graders``: the list of graders, and one grader's manual page."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from gradestone.cli.exits import Exit, guarded, say

HELP: Final = """\
List the graders, or show the manual page of one.

Scored graders give a degree from 0 to 1 and pass at their threshold; the others give 1 or 0. Graders with a
kernel run compiled code on many rows at once.
"""


@guarded
def graders(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A grader's type, such as bleu_score.")
    ] = None,
) -> Exit:
    """List the graders or show one's manual page, see ``HELP``."""
    from gradestone.cli.manual import grader_list, grader_page  # loads every grader's options

    say(grader_list() if name is None else grader_page(name))
    return Exit.OK
