"""Files that cannot be read or written, in words."""

from __future__ import annotations


class FileError(Exception):
    """A file cannot be used; the message names it and says why, in one line."""


class InputError(FileError):
    """A file cannot be read."""


class OutputError(FileError):
    """A file cannot be written."""


def why(error: OSError) -> str:
    """Return an operating system's error in words, without the path that the message names anyway."""
    return error.strerror or type(error).__name__
