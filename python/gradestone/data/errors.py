"""Files that cannot be read or written, in words."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from itertools import islice
from typing import Final


class FileError(Exception):
    """A file cannot be used; the message names it and says why, in one line."""


class InputError(FileError):
    """A file cannot be read."""


class OutputError(FileError):
    """A file cannot be written."""


def why(error: OSError) -> str:
    """Return an operating system's error in words, without the path that the message names anyway."""
    return error.strerror or type(error).__name__


def missing_extra(need: str, extra: str) -> str:
    """Return what to say when an optional package is not installed.

    >>> missing_extra("a Parquet file", "arrow")
    "a Parquet file needs a package that is not installed: pip install 'gradestone[arrow]'"
    """
    return f"{need} needs a package that is not installed: pip install 'gradestone[{extra}]'"


def the_columns(names: Collection[str], wanted: str) -> str:
    """Return the end of a message about a column that is not there: the nearest name, and those there are.

    >>> the_columns(["question", "answer"], "anser")
    'did you mean answer? The columns are question, answer'
    """
    near = get_close_matches(wanted, names, n=1)
    listed = ", ".join(name[:_LONG] for name in islice(names, _LISTED)) + (
        ", …" if len(names) > _LISTED else ""
    )
    return f"{f'did you mean {near[0]}? ' if near else ''}The columns are {listed}"


_LISTED: Final = 30
"""Columns that a message lists."""

_LONG: Final = 80
"""Characters of a column's name that a message shows."""
