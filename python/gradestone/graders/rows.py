"""The rows that a grader is given, and what a cell of a column means."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from gradestone.backends import BackendName
from gradestone.jsontext import NotJsonValueError, to_json_value
from gradestone.options import ABSENT, Absent
from gradestone.verdict import RowVerdict, Verdicts

Nulls = Literal["missing", "json", "exact"]
"""What a null in a column is: a missing value, the JSON null, or (``grade``) ``None`` alone is the JSON null."""

RowGrader = Callable[[Any, Any], RowVerdict]
"""A grader without a kernel: ``(candidate, reference) -> verdict``; the reference may be ``ABSENT``."""


@dataclass(slots=True)
class Batch:
    """One batch as every grader sees it. All sequences have the length of ``candidates``.

    Nobody changes it; declared frozen it would cost a microsecond to make, a tenth of grading one row.
    """

    candidates: Sequence[Any]
    references: Sequence[Any] | Absent
    """The case references."""
    columns: dict[str, Sequence[Any]]
    """Options that vary by row, among those that the grader reads by row."""
    nulls: Nulls
    threads: int
    backend: BackendName

    def only(self, index: int) -> Batch:
        """The batch of this one row, without the options that vary by row."""
        references = self.references
        alone = references if isinstance(references, Absent) else (references[index],)
        return Batch((self.candidates[index],), alone, {}, self.nulls, 1, self.backend)

    def __len__(self) -> int:
        return len(self.candidates)

    def reference(self, index: int) -> Any:
        """The case reference of a row; ``ABSENT`` where there is none."""
        if isinstance(self.references, Absent):
            return ABSENT
        value = self.references[index]
        return ABSENT if self.nulls == "missing" and is_null(value) else value

    def candidate(self, index: int) -> Any:
        """The candidate of a row as a plain JSON value, or the verdict that it has none."""
        return read_cell(self.candidates[index], self.nulls)


MISSING_CANDIDATE: Final = RowVerdict("missing_candidate", 0.0, "the row has no candidate")
MISSING_REFERENCE: Final = RowVerdict(
    "missing_reference", 0.0, "no reference: give the option `reference` or a case reference"
)


def read_cell(value: Any, nulls: Nulls) -> Any:
    """A cell as text or a plain JSON value; a `RowVerdict` where it is neither."""
    if type(value) is str:
        return value
    if is_null(value) and not (nulls == "exact" and value is not None):
        return MISSING_CANDIDATE if nulls == "missing" else None
    try:
        return to_json_value(value)
    except NotJsonValueError as error:
        return RowVerdict("not_json_value", 0.0, f"candidate is not a JSON value: {error}")


def is_null(value: object) -> bool:
    """Whether a cell is a null: ``None``, NaN, ``pd.NA`` or NaT (an Arrow null arrives as ``None``).

    >>> is_null(None), is_null(float("nan")), is_null(0.0), is_null("")
    (True, True, False, False)
    """
    if value is None:
        return True
    if isinstance(value, float):
        return math.isnan(value)
    # pandas and NumPy are recognised by name: neither is imported for a column that holds none of their values.
    return type(value).__name__ in _NULL_TYPES or (type(value).__name__ in _NAT_TYPES and str(value) == "NaT")


_NULL_TYPES: Final = frozenset({"NAType", "NaTType"})
_NAT_TYPES: Final = frozenset({"datetime64", "timedelta64"})


def grade_rows(grader: RowGrader, batch: Batch) -> Verdicts:
    """Runs a grader without a kernel over a batch. An exception inside it is that row's verdict."""

    def decide(index: int) -> RowVerdict:
        candidate = batch.candidate(index)
        return candidate if isinstance(candidate, RowVerdict) else grader(candidate, batch.reference(index))

    return Verdicts.of([guarded(decide, index) for index in range(len(batch))])


def guarded(decide: Callable[[int], RowVerdict], index: int) -> RowVerdict:
    """The verdict on a row, or that the grader broke on it."""
    try:
        return decide(index)
    except BaseException as error:
        return broken(error)


def broken(error: BaseException) -> RowVerdict:
    """The verdict of a grader that raised; only the exception's type is told, for its text may quote the candidate.

    A panic of a Rust library arrives as a ``PanicException``, which is no ``Exception``. What is no fault of a grader
    is raised again: an interrupt, what another signal's handler raised, and an installation that is broken.
    """
    if type(error).__name__ == "Interrupted" and error.__cause__ is not None:
        raise error.__cause__
    is_fault = isinstance(error, Exception) or type(error).__name__ == "PanicException"
    if not is_fault or isinstance(error, ImportError):
        raise error
    return RowVerdict("internal_error", 0.0, f"the grader raised {type(error).__name__}")
