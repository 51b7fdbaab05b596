"""The two implementations of the kernels, and the one place that imports the extension.

``rust`` is the extension ``gradestone._core``; ``python`` is ``gradestone.reference.batch``. Both offer the same
classes and give the same codes, integers and scores. There is no quiet fallback: a wheel whose extension cannot be
loaded raises an ``ImportError`` that says why, and the reference grades only when it is asked for by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Final, Literal, Protocol, cast

from gradestone.codes import CODE_INDEX, CODE_NAMES, CODES, Outcome
from gradestone.wording import BROKEN, KernelRows, Phrases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gradestone._core import JsonLines, Wording
    from gradestone._core import Rows as NativeRows

    Graded = tuple[Wording, bytes, bytes, NativeRows | None, Mapping[int, bytes]]
    """The verdicts of a grader: how they are put into words, its codes, its scores, what the kernel said, and the
    reasons of the rows that the kernel did not decide."""

BackendName = Literal["rust", "python"]
"""Names accepted as ``backend=`` and in ``GRADESTONE_BACKEND``."""

ENVIRONMENT_VARIABLE: Final = "GRADESTONE_BACKEND"
THREADS_VARIABLE: Final = "GRADESTONE_THREADS"


Rows = KernelRows
"""What a kernel says about a batch, row by row."""


class TextKernel(Protocol):
    """A kernel that looks at the candidate alone."""

    def run(self, candidates: Sequence[object], threads: int) -> Rows:
        """Grade every candidate, in order."""


class PairKernel(Protocol):
    """A kernel that compares two columns; a single text on the right stands for every row."""

    def run(self, candidates: Sequence[object], references: str | Sequence[object], threads: int) -> Rows:
        """Grade every pair, in order."""


KernelTask = tuple[TextKernel | PairKernel, Sequence[object], str | Sequence[object] | None]
"""A kernel, its candidates, and its references; None for a kernel that looks at the candidate alone."""


class Backend(Protocol):
    """The kernels of one implementation, each made from checked options."""

    def run_tasks(self, tasks: Sequence[KernelTask], threads: int) -> list[Rows]:
        """Run several kernels over the same rows, in one pass where the implementation can."""

    @property
    def CODES(self) -> tuple[str, ...]:  # noqa: N802
        """The slugs of the codes, by number."""

    @property
    def ExactMatch(self) -> Callable[[bool, bool], PairKernel]:  # noqa: N802
        """Of ``(case_sensitive, remove_punctuation)``."""

    @property
    def Contains(self) -> Callable[[Sequence[str], bool], TextKernel]:  # noqa: N802
        """Of ``(fragments, forbid)``."""

    @property
    def Pattern(self) -> Callable[[str, bool], TextKernel]:  # noqa: N802
        """Of ``(pattern, forbid)``; the pattern is in the backend's own dialect."""

    @property
    def Blocklist(self) -> Callable[[Sequence[str]], TextKernel]:  # noqa: N802
        """Of the terms."""

    @property
    def Pii(self) -> Callable[[Sequence[str]], TextKernel]:  # noqa: N802
        """Of the kinds."""

    @property
    def Bleu(self) -> Callable[[float], PairKernel]:  # noqa: N802
        """Of the threshold."""

    @property
    def Rouge(self) -> Callable[[str, str, float], PairKernel]:  # noqa: N802
        """Of ``(rouge_type, measure, threshold)``."""

    @property
    def Jaccard(self) -> Callable[[float], PairKernel]:  # noqa: N802
        """Of the threshold."""

    @property
    def ContextF1(self) -> Callable[[str, float, float], PairKernel]:  # noqa: N802
        """Of ``(measure, similarity_threshold, threshold)``."""


def resolve_backend(name: str | None) -> BackendName:
    """The backend that a call uses: the argument, else ``GRADESTONE_BACKEND``, else ``rust``.

    Raises:
        ValueError: the name is neither ``rust`` nor ``python``.
    """
    chosen = name if name is not None else os.environ.get(ENVIRONMENT_VARIABLE) or "rust"
    if chosen not in ("rust", "python"):
        where = "backend" if name is not None else ENVIRONMENT_VARIABLE
        raise ValueError(f"{where} must be 'rust' or 'python', not {chosen!r}")
    return cast("BackendName", chosen)


@cache
def load_backend(name: BackendName) -> Backend:
    """The kernels of a backend.

    Raises:
        ImportError: the extension is missing or was built for another interpreter.
    """
    if name == "python":
        from gradestone.reference import batch

        return cast("Backend", batch)
    try:
        from gradestone import _core
    except ImportError as error:
        raise ImportError(
            f"gradestone's compiled kernels could not be loaded ({error}). Install the wheel of your platform, or "
            f'build it with `make build` in a checkout; `backend="python"` or {ENVIRONMENT_VARIABLE}=python '
            "chooses the slow reference on purpose."
        ) from error
    return cast("Backend", _core)


@cache
def code_table(name: BackendName) -> bytes:
    """A ``bytes.translate`` table from a backend's codes to indices into ``CODE_NAMES``.

    ``not_text`` and ``needs_engine`` are requests to the caller and not verdicts, so they map to 255.
    """
    table = bytearray([255]) * 256
    for index, slug in enumerate(load_backend(name).CODES):
        table[index] = CODE_INDEX.get(slug, 255)
    return bytes(table)


MAX_THREADS: Final = 1024
"""More threads than any machine makes use of, and few enough to start."""


def resolve_threads(threads: int | None) -> int:
    """Threads of a call: the argument, else ``GRADESTONE_THREADS``, else the cores that the process may use.

    Raises:
        ValueError: not a whole number from 1 to `MAX_THREADS`.
    """
    if threads is None:
        text = os.environ.get(THREADS_VARIABLE)
        if not text:
            return min(_usable_cores(), MAX_THREADS)
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_THREADS))
        return _checked_threads(int(text) if is_number else text, THREADS_VARIABLE)
    return _checked_threads(threads, "threads")


def _checked_threads(threads: object, name: str) -> int:
    is_number = isinstance(threads, int) and not isinstance(threads, bool)
    if not is_number or not 1 <= cast("int", threads) <= MAX_THREADS:
        raise ValueError(f"{name} must be a whole number from 1 to {MAX_THREADS}, not {threads!r}")
    return cast("int", threads)


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def arrow_column(values: object, name: str) -> Sequence[object]:
    """A column of anything with the Arrow PyCapsule interface, read where it lies; a null is ``None``.

    Raises:
        TypeError: the column's type is none that can be graded (text, numbers, booleans, and lists of these).
        ImportError: the extension, which reads Arrow's memory, cannot be loaded.
    """
    load_backend("rust")
    from gradestone import _core

    return cast("Sequence[object]", _core.ArrowColumn(values, name))


def is_native_column(values: object) -> bool:
    """Whether a column is the extension's own: one of Arrow memory, or of lines of JSON."""
    # Told by the module's name: a column that the extension did not make must not load it.
    return type(values).__module__ == "gradestone._core"


def export_verdicts(codes: bytes, scores: bytes) -> object:
    """The capsule of an Arrow stream with the verdicts of a batch.

    Raises:
        ImportError: the extension, which makes Arrow's memory, cannot be loaded.
    """
    load_backend("rust")
    from gradestone import _core

    return _core.export_verdicts(codes, scores, _names())


def export_reasoned(graded: Graded) -> object:
    """The same with the reasons, which are put together from plain text."""
    load_backend("rust")
    from gradestone import _core

    return _core.export_reasoned(graded, _names())


@cache
def _names() -> tuple[list[str], bytes, list[str]]:
    outcomes = tuple(Outcome)
    of_codes = bytes(outcomes.index(code.outcome) for code in CODES.values())
    return list(CODE_NAMES), of_codes, [outcome.value for outcome in outcomes]


def json_lines(
    block: bytes,
    first: int,
    names: Sequence[str],
    *,
    reserved: Collection[str],
    parse: Callable[[bytes], object],
    threads: int,
) -> JsonLines:
    """Lines of JSON, of which the members ``names`` are read; ``first`` is the number of the first line.

    Lines that are not plainly an object that nobody could read in two ways, or have a member that is ``reserved``, are
    hard: the caller looks at them. ``parse`` makes an object of a line where a cell is asked for that is no text.
    """
    load_backend("rust")
    from gradestone import _core

    return _core.JsonLines(block, first, list(names), list(reserved), parse, threads)


def wording(
    frames: Sequence[tuple[bytes, bytes]], phrases: Phrases, quoted: Callable[[str], bytes], quotes: int
) -> Wording:
    """How the extension puts a grader's verdicts into words.

    ``frames`` are what stands before and behind the score, by code; ``quoted`` makes what is written of a text, in
    ``quotes`` bytes of quotes at either end.
    """
    load_backend("rust")
    from gradestone import _core

    def piece(text: str, *, first: bool = False, last: bool = False) -> bytes:
        whole = quoted(text)
        return whole[0 if first else quotes : len(whole) if last else len(whole) - quotes]

    index = CODE_INDEX
    always = {"internal_error": BROKEN, **phrases.fixed}
    fixed = {index[code]: quoted(reason) for code, reason in always.items()}
    scored = {
        index[code]: (piece(before, first=True), piece(behind, last=True))
        for code, (before, behind) in phrases.scored.items()
    }
    hits = {
        index[code]: (piece(before, first=True), [piece(word) for word in words], piece("", last=True))
        for code, (before, words) in phrases.hits.items()
    }
    return _core.Wording(frames, fixed, scored, hits)


def write_lines(
    rows: JsonLines | Sequence[bytes],
    *,
    members: Sequence[tuple[str, bytes]] | None,
    verdicts: Sequence[Graded],
    others: Sequence[tuple[int, bytes]],
    threads: int,
) -> list[bytes]:
    """Rows as JSON lines with their verdicts, in pieces.

    Args:
        rows: lines that were read, or the texts of objects.
        members: of lines that were read, the members to keep, each with its name as a JSON string; None for all.
        verdicts: those of each grader.
        others: lines that stand before the row of the given number.
        threads: threads that write.
    """
    load_backend("rust")
    from gradestone import _core

    return _core.write_lines(rows, members, verdicts, others, threads)


def native_rows(rows: object) -> NativeRows | None:
    """Rows that the extension graded, which it can put into words; None for others."""
    load_backend("rust")
    from gradestone import _core

    return rows if isinstance(rows, _core.Rows) else None
