"""Running kernels over a batch, and looking after the rows that a kernel does not take.

A kernel sees text only. A cell that is something else (a JSON value, a null, an object that is no JSON) comes back as
``not_text``, a text that the fast pattern engine cannot read as ``needs_engine``; such rows are decided one by one, and
all others cost nothing in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, Final, NamedTuple, cast

from gradestone.backends import BackendName, PairKernel, Rows, TextKernel, code_table, load_backend
from gradestone.codes import CODE_INDEX, CODE_NAMES
from gradestone.graders.outside import Outside
from gradestone.graders.rows import Batch, broken, guarded
from gradestone.verdict import Decided, RowVerdict, Verdicts
from gradestone.wording import Phrases

_SCORE: Final = Struct("d")

UNDECIDED: Final = 255
"""What the table of a backend maps a request to the caller to."""


class Task(NamedTuple):
    """What a grader wants of a kernel: the columns to look at, and what becomes of its rows.

    Tasks of several graders on the same rows are run in one pass.
    """

    backend: BackendName
    """Whose kernel it is."""
    kernel: TextKernel | PairKernel
    candidates: Sequence[Any]
    references: str | Sequence[Any] | None
    """None for a kernel that looks at the candidate alone."""
    phrases: Phrases
    decide: Callable[[int], RowVerdict]
    """The verdict on a row that the kernel left undecided."""

    def verdicts(self, rows: Rows) -> Verdicts:
        """The verdicts of the kernel's rows, with those it left undecided put to ``decide``."""
        codes = bytearray(rows.codes.translate(code_table(self.backend)))
        index = codes.find(UNDECIDED)
        if index < 0:
            return Verdicts.spoken(codes, rows.scores, Decided(rows, self.phrases, {}))
        scores = array("d", rows.scores)
        decided: dict[int, RowVerdict] = {}
        while index >= 0:
            verdict = guarded(self.decide, index)
            decided[index] = verdict
            codes[index] = CODE_INDEX[verdict.code]
            scores[index] = verdict.score
            index = codes.find(UNDECIDED, index + 1)
        return Verdicts.spoken(codes, scores.tobytes(), Decided(rows, self.phrases, decided))


Runner = Callable[[Batch], Task | Verdicts | Outside]
"""A grader whose options are prepared for one backend."""


def over_cap(cap: str) -> str:
    """The reason of an input that is too large; the first words are pinned."""
    return f"input exceeds grader size cap: at most {cap}"


def settle_row(work: Task | Verdicts | Outside) -> RowVerdict:
    """The verdict on a batch of one, for which the arrays of a batch would cost more than the kernel."""
    if not isinstance(work, Task):
        return _ready_row(work)
    try:
        backend, kernel, candidates, references, phrases, decide = work
        columns = (candidates,) if references is None else (candidates, references)
        rows: Rows = cast("Any", kernel).run(*columns, 1)
        if code_table(backend)[rows.codes[0]] == UNDECIDED:
            return decide(0)
        return verdict_of(rows, backend, phrases)
    except BaseException as error:
        return broken(error)


def _ready_row(work: Verdicts | Outside) -> RowVerdict:
    if isinstance(work, Outside):
        raise TypeError("the verdict of a grader that leaves the process is awaited")
    return work.row(0)


def settle(work: Sequence[Task | Verdicts], threads: int) -> list[Verdicts]:
    """The verdicts of graders on the same rows: the tasks of each backend are run in one pass.

    What a kernel or its grader raises is the verdict of that grader alone.
    """
    settled = {index: one for index, one in enumerate(work) if isinstance(one, Verdicts)}
    tasks = {index: one for index, one in enumerate(work) if isinstance(one, Task)}
    for backend in {task.backend for task in tasks.values()}:
        settled |= _run({index: task for index, task in tasks.items() if task.backend == backend}, threads)
    return [settled[index] for index in range(len(work))]


def _run(tasks: dict[int, Task], threads: int) -> dict[int, Verdicts]:
    ordered = list(tasks.values())
    try:
        rows = load_backend(ordered[0].backend).run_tasks([task[1:4] for task in ordered], threads)
        return dict(zip(tasks, map(Task.verdicts, ordered, rows), strict=True))
    except BaseException as error:
        verdict = broken(error)
    if len(tasks) == 1:
        return {index: Verdicts.same(verdict, len(task.candidates)) for index, task in tasks.items()}
    apart = [_run({index: task}, threads) for index, task in tasks.items()]
    return {index: verdicts for one in apart for index, verdicts in one.items()}


def verdict_of(rows: Rows, backend: BackendName, phrases: Phrases, index: int = 0) -> RowVerdict:
    """One row that a kernel did decide, as a `RowVerdict`."""
    code = CODE_NAMES[code_table(backend)[rows.codes[index]]]
    score = _SCORE.unpack_from(rows.scores, _SCORE.size * index)[0]
    return RowVerdict(code, score, *phrases.explain(code, score, rows, index))
