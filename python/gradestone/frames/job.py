"""What is to be graded in a frame, whatever its kind, and what a frame must be for that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from gradestone.compiled import Grader, compile_grader
from gradestone.data.verdict_columns import verdict_columns
from gradestone.graders.rows import Nulls
from gradestone.grading import grade_many
from gradestone.net.types import GradeDeps
from gradestone.options import GraderOptionError
from gradestone.verdict import GradeBatch

SHOWN: Final = 8
"""Columns that a message lists at most."""


@dataclass(frozen=True, slots=True)
class Job:
    """The arguments of `grade_frame` but for the frame."""

    graders: Mapping[str, Grader]
    candidate: Hashable
    reference: Hashable | None
    columns: Mapping[str, Hashable]
    reasons: bool
    nulls: Nulls
    threads: int | None
    deps: GradeDeps | None
    concurrency: int
    backend: str | None

    def read(self) -> list[Hashable]:
        """The columns that the graders read, each once."""
        case = [] if self.reference is None else [self.reference]
        return list(dict.fromkeys([self.candidate, *case, *self.columns.values()]))

    def grade(self, cells: Mapping[Hashable, Any]) -> dict[str, GradeBatch]:
        """The verdicts on columns by their name in the frame."""
        return grade_many(
            self.graders,
            cells[self.candidate],
            references=None if self.reference is None else cells[self.reference],
            columns={option: cells[name] for option, name in self.columns.items()},
            nulls=self.nulls,
            threads=self.threads,
            deps=self.deps,
            concurrency=self.concurrency,
            backend=self.backend,
        )

    def added(self) -> list[str]:
        """The names of the columns that the verdicts become."""
        told = [verdict_columns(name) for name in self.graders]
        return [column for columns in told for column in (columns if self.reasons else columns[:-1])]

    def check(self, names: Sequence[Hashable], *, fold: Callable[[str], str] = str) -> None:
        """Refuses, before any row is read, arguments that the frame or the graders do not allow.

        The frame's columns must be told apart by their names; those that are read must be there, those that are
        added must not.

        Args:
            names: the frame's columns.
            fold: texts that it makes equal are one name to the frame's library.
        """
        for name in self.read():
            if name not in names:
                raise ValueError(f"the frame has no column {name!r}{_nearest(name, names)}")
        taken = Counter(fold(name) if isinstance(name, str) else name for name in names)
        for column, count in taken.items():
            if count > 1:
                raise ValueError(f"the frame has {count} columns named {column!r}; rename them apart")
        for result in self.added():
            if fold(result) in taken:
                raise ValueError(f"the frame has a column {result!r} already; rename it, or the grader")
            taken[fold(result)] += 1
        self.grade(dict.fromkeys(self.read(), ()))  # options that no grader has, and settings


def compiled(graders: Mapping[str, Grader], options: Collection[str]) -> dict[str, Grader]:
    """The graders, ready: a lazy frame runs them after the caller may have changed the mappings."""
    if not isinstance(graders, Mapping):
        raise TypeError(f"graders must map names to graders, not {type(graders).__name__}")
    if not graders:
        raise ValueError("graders is empty: nothing would be checked")
    for name in graders:
        if not isinstance(name, str):
            raise TypeError(f"the name of a grader must be a text, not {type(name).__name__}")
    return {name: _compiled_or_faulty(grader, options) for name, grader in graders.items()}


def _compiled_or_faulty(grader: Grader, options: Collection[str]) -> Grader:
    try:
        return compile_grader(grader, columns=options)
    except GraderOptionError:
        return grader  # each row's verdict will say what is wrong with it


def checked_columns(columns: Mapping[str, Hashable] | None) -> dict[str, Hashable]:
    """The options by row, a copy of the caller's mapping."""
    if columns is None:
        return {}
    if not isinstance(columns, Mapping):
        raise TypeError(f"columns must map options to the names of columns, not {type(columns).__name__}")
    return dict(columns)


def _nearest(name: Hashable, names: Sequence[Hashable]) -> str:
    near = get_close_matches(str(name), [str(one) for one in names], n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    if not names:
        return "; it has none"
    return f"; it has {', '.join(map(repr, names[:SHOWN]))}{', …' if len(names) > SHOWN else ''}"
