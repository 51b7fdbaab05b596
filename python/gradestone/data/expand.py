"""Names of inputs as users write them: files, standard input, patterns and directories."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from gradestone.data.errors import InputError, why
from gradestone.data.formats import SUFFIXES, format_named
from gradestone.data.streams import STDIN, is_file, is_folder, is_there, label_of


def expand(names: Sequence[str], *, any_suffix: bool = False) -> list[str]:
    """Return the files that names stand for, in the order of the names, those of one name sorted.

    A name is a file; ``-`` for standard input; a pattern with ``*``, ``?``, ``[…]`` and ``**`` for any depth, where no
    file has exactly that name; or a directory, which stands for all files in it and below, but for names that
    begin with a dot or an underscore. ``any_suffix`` lets a directory hold files of unknown suffix.

    Raises `InputError` when there is no such file, a pattern matches none, a directory is empty, holds what is
    no file of a known suffix or cannot be read, or a file is there twice.
    """
    if not names:
        raise InputError("no input is named")
    found = [file for name in names for file in _files_of(name, any_suffix)]
    _check_once(found)
    return found


def _files_of(name: str, any_suffix: bool) -> list[str]:
    if name == STDIN:
        return [name]
    if is_folder(name):
        return _files_in(name, any_suffix)
    if is_there(name) or not glob.has_magic(name):
        return [name]
    found = sorted(one for one in glob.iglob(name, recursive=True) if not is_folder(one))  # noqa: PTH207
    if not found:
        raise InputError(f"no file matches {name}")
    return found


def _files_in(name: str, any_suffix: bool) -> list[str]:
    files = []
    for file in _walk(name, frozenset()):
        if not is_file(file):
            raise InputError(f"{file} is no ordinary file; name the files of {name} with a pattern")
        if not any_suffix and format_named(file) is None:
            raise InputError(
                f"{file} is of no known format ({', '.join(SUFFIXES)}); name the files of {name} with a pattern, "
                f"as in '{Path(name) / '*.jsonl'}'"
            )
        files.append(file)
    if not files:
        raise InputError(f"there are no files in the directory {name}")
    return files


def _walk(folder: str, above: frozenset[tuple[int, int]]) -> Iterator[str]:
    """Give the files below a folder, sorted by their paths; links are followed, but not in a circle."""
    try:
        status = os.stat(folder)  # noqa: PTH116
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise InputError(f"cannot read {folder}: {why(error)}") from error
    itself = (status.st_dev, status.st_ino)
    if itself in above:
        raise InputError(f"{folder} is a link that leads back to a directory above it")
    for entry in entries:
        if entry.name.startswith((".", "_")):
            continue
        if is_folder(entry.path):
            yield from _walk(entry.path, above | {itself})
        else:
            yield entry.path


def _check_once(names: Sequence[str]) -> None:
    seen: dict[object, str] = {}
    for name in names:
        key = _identity(name)
        if key in seen:
            first = seen[key]
            other = "" if first == name else f", once as {label_of(first)}"
            raise InputError(f"{label_of(name)} is named twice{other}")
        seen[key] = name


def _identity(name: str) -> object:
    if name == STDIN:
        return name
    try:
        status = os.stat(name)  # noqa: PTH116
    except OSError as error:
        raise InputError(f"cannot read {name}: {why(error)}") from error
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else name
