"""The reference as a backend: a class a kernel, with the signatures of the compiled extension.

A class is built once from options that are already checked; ``run`` grades a whole column, row by row, and
returns ``Rows``. A column is a list or a tuple. ``expected`` and ``references`` are a column of the same
length, or one text for all rows. A cell that is no ``str`` gives its row the code ``not_text``: the caller
knows what to make of it. An exception inside a kernel, which is a bug of the kernel, gives its row the code
``internal_error``.

``threads`` is there so that callers need not know which backend they have, and is ignored: this is plain
Python under the GIL, where threads would take turns and win nothing.

>>> rows = Bleu(0.5).run(["the cat sat", "a dog", None], "the cat sat", threads=1)
>>> [CODES[code] for code in rows.codes]
['ok', 'below_threshold', 'not_text']
>>> rows.stats(0)
(3, 2, 1, 0, 3, 3)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from . import matching
from .bleu import bleu
from .blocklist import blocklist
from .context import MEASURES as CONTEXT_MEASURES
from .context import context_f1
from .jaccard import jaccard
from .limits import LIMITS
from .pii import KINDS, pii
from .rouge import MEASURES as ROUGE_MEASURES
from .rouge import ROUGE_TYPES, rouge
from .row import Row, plain

__all__ = [
    "CODES",
    "LIMITS",
    "Bleu",
    "Blocklist",
    "Contains",
    "ContextF1",
    "ExactMatch",
    "Jaccard",
    "Pattern",
    "Pii",
    "Rouge",
    "Rows",
    "run_tasks",
]

CODES: Final[tuple[str, ...]] = (
    "ok",
    "not_text",
    "needs_engine",
    "below_threshold",
    "empty_candidate",
    "empty_reference",
    "empty_retrieved",
    "empty_expected",
    "over_cap",
    "mismatch",
    "missing_fragment",
    "forbidden_fragment",
    "no_match",
    "forbidden_match",
    "blocked_term",
    "pii_found",
    "internal_error",
    "deadline",
)
"""The slugs that ``Rows.codes`` indexes: those of the extension in its order, then ``deadline``.

``deadline`` is only here, because only this backend's patterns can run out of time; ``needs_engine`` never
occurs.
"""

Column: TypeAlias = Sequence[object]
Kernel: TypeAlias = Callable[..., Row]
Choice = TypeVar("Choice", bound=str)


class Rows:
    r"""What a kernel says about a batch.

    >>> rows = Rows([Row("ok", 1.0), Row("blocked_term", 0.0, hits=(1, 3))])
    >>> len(rows), rows.codes, rows.hits(1)
    (2, b'\x00\x0e', (1, 3))
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def codes(self) -> bytes:
        """One index into ``CODES`` a row."""
        return bytes(CODES.index(row.code) for row in self._rows)

    @property
    def scores(self) -> bytes:
        """One native float64 a row."""
        return array("d", [row.score for row in self._rows]).tobytes()

    def stats(self, index: int, /) -> tuple[int, ...]:
        """Return the six integers of one row."""
        return self._rows[index].stats

    def hits(self, index: int, /) -> tuple[int, ...]:
        """Return the indices of what hit in one row."""
        return self._rows[index].hits


class ExactMatch:
    """``matching.exact_match`` over two columns of text."""

    def __init__(self, case_sensitive: bool, remove_punctuation: bool) -> None:
        self._kernel = partial(
            matching.exact_match, case_sensitive=case_sensitive, remove_punctuation=remove_punctuation
        )

    def run(self, candidates: Column, expected: str | Column, threads: int) -> Rows:
        """Grade each candidate against its expected text."""
        return _grade(self._kernel, _is_text, candidates, expected)


class Contains:
    """``matching.contains`` over a column of text."""

    def __init__(self, fragments: Sequence[str], forbid: bool) -> None:
        self._kernel = partial(matching.contains, fragments=tuple(fragments), forbid=forbid)

    def run(self, candidates: Column, threads: int) -> Rows:
        """Grade each candidate."""
        return _grade(self._kernel, _is_text, candidates)


class Pattern:
    """``matching.match_pattern`` over a column of text; the pattern is in the ``regex`` package's dialect."""

    def __init__(self, pattern: str, forbid: bool) -> None:
        self._kernel = partial(
            matching.match_pattern, compiled=matching.compile_pattern(pattern), forbid=forbid
        )

    def run(self, candidates: Column, threads: int) -> Rows:
        """Grade each candidate."""
        return _grade(self._kernel, _is_text, candidates)


class Blocklist:
    """``blocklist.blocklist`` over a column of text."""

    def __init__(self, terms: Sequence[str]) -> None:
        self._kernel = partial(blocklist, terms=tuple(terms))

    def run(self, candidates: Column, threads: int) -> Rows:
        """Grade each candidate."""
        return _grade(self._kernel, _is_text, candidates)


class Pii:
    """``pii.pii`` over a column of text."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kernel = partial(pii, kinds=tuple(_one_of("kind", kind, KINDS) for kind in kinds))

    def run(self, candidates: Column, threads: int) -> Rows:
        """Grade each candidate."""
        return _grade(self._kernel, _is_text, candidates)


class Bleu:
    """``bleu.bleu`` over two columns of text."""

    def __init__(self, threshold: float) -> None:
        self._kernel = partial(bleu, threshold=threshold)

    def run(self, candidates: Column, references: str | Column, threads: int) -> Rows:
        """Grade each candidate against its reference."""
        return _grade(self._kernel, _is_text, candidates, references)


class Rouge:
    """``rouge.rouge`` over two columns of text."""

    def __init__(self, rouge_type: str, measure: str, threshold: float) -> None:
        self._kernel = partial(
            rouge,
            rouge_type=_one_of("rouge_type", rouge_type, ROUGE_TYPES),
            measure=_one_of("measure", measure, ROUGE_MEASURES),
            threshold=threshold,
        )

    def run(self, candidates: Column, references: str | Column, threads: int) -> Rows:
        """Grade each candidate against its reference."""
        return _grade(self._kernel, _is_text, candidates, references)


class Jaccard:
    """``jaccard.jaccard`` over two columns of text."""

    def __init__(self, threshold: float) -> None:
        self._kernel = partial(jaccard, threshold=threshold)

    def run(self, candidates: Column, references: str | Column, threads: int) -> Rows:
        """Grade each candidate against its reference."""
        return _grade(self._kernel, _is_text, candidates, references)


class ContextF1:
    """``context.context_f1`` over two columns of lists of text."""

    def __init__(self, measure: str, similarity_threshold: float, threshold: float) -> None:
        self._kernel = partial(
            context_f1,
            measure=_one_of("measure", measure, CONTEXT_MEASURES),
            similarity_threshold=similarity_threshold,
            threshold=threshold,
        )

    def run(self, retrieved: Column, expected: Column, threads: int) -> Rows:
        """Grade each list of retrieved contexts against its list of expected ones."""
        return _grade(self._kernel, _is_text_list, retrieved, expected)


def run_tasks(tasks: Iterable[tuple[Any, Column, str | Column | None]], threads: int) -> list[Rows]:
    """Run several kernels over the same rows, one after the other.

    A task is a kernel, its candidates, and its references or ``None``. Columns may be any sequence.

    >>> rows = run_tasks([(Bleu(0.5), ["a"], "a"), (Contains(["b"], False), ["a"], None)], threads=1)
    >>> [[CODES[code] for code in one.codes] for one in rows]
    [['ok'], ['missing_fragment']]
    """
    return [_run_task(kernel, candidates, references, threads) for kernel, candidates, references in tasks]


def _run_task(kernel: Any, candidates: Column, references: str | Column | None, threads: int) -> Rows:
    rows: Rows
    if references is None:
        rows = kernel.run(tuple(candidates), threads)
    else:
        others = references if isinstance(references, str) else tuple(references)
        rows = kernel.run(tuple(candidates), others, threads)
    return rows


def _grade(kernel: Kernel, accepts: Callable[[object], bool], *columns: str | Column) -> Rows:
    return Rows(_grade_row(kernel, accepts, cells) for cells in zip(*_aligned(*columns), strict=True))


def _grade_row(kernel: Kernel, accepts: Callable[[object], bool], cells: tuple[object, ...]) -> Row:
    if not all(map(accepts, cells)):
        return plain("not_text")
    try:
        return kernel(*cells)
    except Exception:
        # A bug costs one row, as a panic does in the extension.
        return plain("internal_error")


def _aligned(first: str | Column, *others: str | Column) -> Iterator[Column]:
    """Yield the columns at the length of the first; a text in place of another stands for every row."""
    length = len(_checked_column(first))
    yield _checked_column(first)
    for other in others:
        column = [other] * length if isinstance(other, str) else _checked_column(other)
        if len(column) != length:
            raise ValueError(f"columns of different length: {length} and {len(column)}")
        yield column


def _checked_column(column: object) -> Column:
    if not isinstance(column, list | tuple):
        raise TypeError(f"a column must be a list or a tuple, not {type(column).__name__}")
    return column


def _is_text(cell: object) -> bool:
    return isinstance(cell, str)


def _is_text_list(cell: object) -> bool:
    return isinstance(cell, list | tuple) and all(map(_is_text, cell))


def _one_of(option: str, value: str, choices: tuple[Choice, ...]) -> Choice:
    for choice in choices:
        if choice == value:
            return choice
    raise ValueError(f"{option} must be one of {', '.join(choices)}, not {value!r}")
