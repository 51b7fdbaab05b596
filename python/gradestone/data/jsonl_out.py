"""JSON lines out: each row's own text, untouched, with one member a grader behind the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gradestone.backends import write_lines
from gradestone.data.blocks import Block
from gradestone.data.jsonl import LineBlock
from gradestone.data.kept import Keep, kept_names
from gradestone.data.output import WholeFile
from gradestone.data.splice import Place, Wordings, unreadable_line
from gradestone.data.strict_json import json_text
from gradestone.verdict import GradeBatch

if TYPE_CHECKING:
    from gradestone._core import JsonLines


class JsonlWriter:
    """Writes rows as JSON objects, one a line.

    Rows that are JSON keep their text byte for byte where all columns are kept. Lone surrogates are written as
    escapes. An unreadable row is an object of its place, the cause, and a verdict a grader.
    """

    def __init__(
        self, file: WholeFile, keep: Keep, graders: Sequence[str], *, several: bool, threads: int
    ) -> None:
        self._file = file
        self._threads = threads
        self._wordings = Wordings()
        self._keep = keep
        self._graders = graders
        self._several = several

    def write(self, block: Block, verdicts: Mapping[str, GradeBatch]) -> None:
        """Write a block's rows with their verdicts."""
        place = Place(block.unit, block.source if self._several else None)
        rows, members = self._rows(block)
        pieces = write_lines(
            rows,
            members=members,
            verdicts=[self._wordings.verdicts(name, verdicts[name]) for name in self._graders if len(block)],
            others=[(row.before, unreadable_line(row, place, self._graders)) for row in block.bad],
            threads=self._threads,
        )
        self._file.write(pieces)

    def _rows(self, block: Block) -> tuple[JsonLines | Sequence[bytes], list[tuple[str, bytes]] | None]:
        """Return what is written of the rows: lines that were read are written without a detour."""
        if self._keep == "all" and isinstance(block, LineBlock) and block.reserved.issuperset(self._graders):
            return block.lines, None
        names = kept_names(block, self._keep, self._graders)
        if isinstance(block, LineBlock) and block.has_members(names):
            return block.lines, [(name, json_text(name)) for name in names]
        return block.json_texts(None if self._keep == "all" else names), None

    def finish(self) -> None:
        """Do nothing: every line was written."""

    def abandon(self) -> None:
        """Do nothing: nothing is held."""
