"""CSV and TSV out: RFC 4180, one row a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gradestone.data.blocks import Block
from gradestone.data.errors import OutputError
from gradestone.data.kept import (
    ColumnNames,
    Keep,
    Texts,
    check_count,
    columns_may_change,
    kept_names,
    kept_texts,
    replace_surrogates,
)
from gradestone.data.output import WholeFile
from gradestone.data.splice import Place
from gradestone.data.spool import Spool
from gradestone.data.strict_json import whole_text
from gradestone.data.verdict_columns import LONE_SURROGATES, VerdictLists, verdict_columns, verdict_lists
from gradestone.verdict import GradeBatch


class _Part(NamedTuple):
    """The cells of a block."""

    kept: dict[str, Texts]
    flags: Texts | None
    """The cells of `LONE_SURROGATES`; None for rows of a table."""
    verdicts: list[Texts]


class DelimitedWriter:
    """Writes rows as CSV or TSV: the user's columns, then five a grader.

    A text is written as it is, any other value as its JSON text. A null is nothing and an empty text is ``""``. A cell
    is quoted where it is empty or holds a delimiter, a quote or a line break; rows end with LF. Cells that
    begin with ``=``, ``+``, ``-`` or ``@`` are *not* altered, though a spreadsheet would take them for formulas:
    what was graded is what is written.

    Lone surrogates are written as U+FFFD, and the column ``lone_surrogates`` says where. Rows of JSON formats may
    show new columns up to the last one, so they are set aside on disk and written at the end, with nothing in the
    columns that they lack.
    """

    def __init__(
        self, file: WholeFile, delimiter: str, keep: Keep, graders: Sequence[str], several: bool
    ) -> None:
        self._file = file
        self._delimiter = delimiter
        self._special = re.compile(f'[{delimiter}"\r\n]')
        self._keep = keep
        self._graders = graders
        self._several = several
        self._added = [column for name in graders for column in verdict_columns(name)]
        self._columns: dict[str, None] = {}
        self._flagged = False
        self._header: list[str] | None = None
        self._spool: Spool | None = None

    def write(self, block: Block, verdicts: Mapping[str, GradeBatch]) -> None:
        """Write a block's rows with their verdicts, or set them aside."""
        part = self._part(block, verdicts)
        self._columns.update(dict.fromkeys(part.kept))
        check_count(self._columns)
        self._flagged = self._flagged or part.flags is not None
        if self._header is None and self._spool is None:
            if columns_may_change(block, self._keep, self._several):
                self._spool = Spool(self._file)
            else:
                self._write_header()
        if self._spool is None:
            self._write_part(part)
        else:
            self._spool.put(part)

    def finish(self) -> None:
        """Write what was set aside."""
        if self._header is None:
            self._write_header()
        if self._spool is not None:
            for part in self._spool:
                self._write_part(part)
            self._spool.close()

    def abandon(self) -> None:
        """Drop what was set aside."""
        if self._spool is not None:
            self._spool.close()

    def _part(self, block: Block, verdicts: Mapping[str, GradeBatch]) -> _Part:
        reserved = self._added if block.fixed else [*self._added, LONE_SURROGATES]
        kept = kept_texts(block, kept_names(block, self._keep, reserved))
        flags = None
        if not block.fixed:
            flags = _booleans(replace_surrogates(kept, len(block) + len(block.bad)))
        place = Place(block.unit, block.source if self._several else None)
        told = verdict_lists(block, verdicts, self._graders, place)
        return _Part(kept, flags, [texts for name in self._graders for texts in _verdict_texts(told[name])])

    def _write_header(self) -> None:
        flag = [LONE_SURROGATES] if self._flagged else []
        names = ColumnNames()
        self._header = [*map(names.of, self._columns), *flag, *self._added]
        self._file.write(self._lines([self._header]))

    def _write_part(self, part: _Part) -> None:
        rows = len(part.verdicts[0])
        nothing: Texts = [None] * rows
        columns = [part.kept.get(name, nothing) for name in self._columns]
        flags = [part.flags or _booleans([False] * rows)] if self._flagged else []
        cells = [*columns, *flags, *part.verdicts]
        if self._header is not None and len(cells) != len(self._header):
            raise OutputError(f"cannot write {self._file.name}: the columns changed while the run went on")
        self._file.write(self._lines(zip(*cells, strict=True)))

    def _lines(self, rows: Iterable[Sequence[str | None]]) -> Iterator[bytes]:
        for row in rows:
            line = self._delimiter.join("" if cell is None else self._cell(cell) for cell in row)
            yield whole_text(line + "\n").encode()

    def _cell(self, text: str) -> str:
        if text and not self._special.search(text):
            return text
        return '"' + text.replace('"', '""') + '"'


def _booleans(values: Iterable[bool]) -> Texts:
    return ["true" if value else "false" for value in values]


def _verdict_texts(verdicts: VerdictLists) -> Iterator[Texts]:
    yield _booleans(verdicts.passed)
    yield [repr(score) for score in verdicts.scores]
    yield [*verdicts.outcomes]
    yield [*verdicts.codes]
    yield [*verdicts.reasons]
