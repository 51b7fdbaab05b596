"""Blocks set aside on disk until the run has shown all columns."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from typing import Any

from gradestone.data.output import WholeFile


class Spool:
    """A temporary file of objects, beside the output that they go into, without a name.

    Both passes hold one object at a time. Raises `OutputError` when the disk is full.
    """

    def __init__(self, output: WholeFile) -> None:
        self._output = output
        with output.naming():
            self._parts = 0
            self._file = tempfile.TemporaryFile(dir=output.folder)  # noqa: SIM115

    def put(self, part: object) -> None:
        """Set an object aside."""
        with self._output.naming():
            pickle.dump(part, self._file, pickle.HIGHEST_PROTOCOL)
            self._parts += 1

    def __iter__(self) -> Iterator[Any]:
        with self._output.naming():
            self._file.seek(0)
            for _ in range(self._parts):
                yield pickle.load(self._file)

    def close(self) -> None:
        """Give the disk's room back."""
        self._file.close()
