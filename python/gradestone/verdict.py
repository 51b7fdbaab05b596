"""What a grader says: about one row (`GradeResult`) and about a whole batch (`GradeBatch`)."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, overload

from gradestone.codes import CODE_INDEX, CODE_NAMES, CODES, Outcome
from gradestone.wording import KernelRows, Phrases

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

QUOTE_LIMIT: Final = 160
"""Code points of foreign text that a reason may quote."""


def quote(text: str, limit: int = QUOTE_LIMIT) -> str:
    r"""``text`` for a reason: in double quotes, on one line, printable, cut to ``limit`` code points and ``…``.

    >>> quote("two\nlines")
    '"two\\nlines"'
    """
    cut = text if len(text) <= limit else text[:limit] + "…"
    quoted = json.dumps(cut, ensure_ascii=False)
    return quoted if quoted.isprintable() else "".join(map(_printable, quoted))


def _printable(char: str) -> str:
    return char if char.isprintable() else json.dumps(char)[1:-1]


class RowVerdict(NamedTuple):
    """What a grader written in Python says about one row."""

    code: str
    """A slug of ``gradestone.codes.CODES``."""
    score: float
    """0..1, unrounded; 1.0 or 0.0 where the grader is not scored."""
    reason: str
    """One line for people; never quotes the candidate where that may hold personal data."""
    metadata: dict[str, Any] | None = None
    """Figures beside the verdict, JSON values only."""


@dataclass(frozen=True, slots=True)
class GradeResult:
    """The verdict on one candidate.

    Only an outcome of ``pass`` has ``passed=True``; a result is true in a condition exactly when it passed.

    >>> from gradestone import grade
    >>> result = grade({"type": "contains", "fragments": ["Paris"]}, "It is Lyon.")
    >>> result.passed, result.code, result.reason
    (False, 'missing_fragment', 'missing fragment: "Paris"')
    """

    grader: str
    """The grader's type, such as ``bleu_score``."""
    code: str
    """The stable slug of the cause; ``gradestone.codes.CODES`` lists them all."""
    score: float
    """0..1, unrounded. Graders that are not scored give 1.0 or 0.0."""
    reason: str
    """One line for people. Its wording may change; test ``code`` instead."""
    metadata: dict[str, Any]
    """Figures beside the verdict, such as ``{"file_f1": 0.5, "line_f1": 1.0}``."""
    signature: str
    """What was computed and how; two scores are comparable when their signatures are equal."""

    @property
    def outcome(self) -> Outcome:
        """``pass``, ``fail``, ``invalid``, ``error`` or ``not_run``: what the code means."""
        return CODES[self.code].outcome

    @property
    def passed(self) -> bool:
        """Whether the outcome is ``pass``."""
        return CODES[self.code].outcome is Outcome.PASS

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return (
            f"GradeResult(passed={self.passed}, grader={self.grader!r}, score={self.score!r}, "
            f"outcome={self.outcome.value!r}, code={self.code!r}, reason={self.reason!r})"
        )

    def to_dict(self) -> dict[str, Any]:
        """The verdict as a JSON object: plain strings, numbers and a dict."""
        return {
            "passed": self.passed,
            "grader": self.grader,
            "score": self.score,
            "reason": self.reason,
            "code": self.code,
            "outcome": self.outcome.value,
            "metadata": self.metadata,
            "signature": self.signature,
        }


_PASSED: Final = bytes(code.outcome is Outcome.PASS for code in CODES.values())


class Decided(NamedTuple):
    """What a kernel said about a batch, and the rows that were decided beside it."""

    rows: KernelRows
    phrases: Phrases
    own: Mapping[int, RowVerdict]
    """Verdicts on rows that the kernel left undecided."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on a batch before anybody reads them: two arrays, and how to explain a row."""

    codes: bytes | bytearray
    """One index into ``CODE_NAMES`` a row."""
    scores: bytes | bytearray
    """One native float64 a row."""
    explain: Callable[[int], tuple[str, dict[str, Any]]]
    """The reason and the metadata of a row."""
    decided: Decided | None = None
    """What a kernel said, for those who write whole files; None where no kernel was asked."""

    @classmethod
    def spoken(cls, codes: bytes | bytearray, scores: bytes, decided: Decided) -> Verdicts:
        """Verdicts of a kernel."""
        score_of = memoryview(scores).cast("d")

        def explain(index: int) -> tuple[str, dict[str, Any]]:
            own = decided.own.get(index)
            if own is not None:
                return own.reason, own.metadata or {}
            return decided.phrases.explain(CODE_NAMES[codes[index]], score_of[index], decided.rows, index)

        return cls(codes, scores, explain, decided)

    @classmethod
    def of(cls, rows: Sequence[RowVerdict]) -> Verdicts:
        """Verdicts that were decided row by row."""
        codes = bytes(CODE_INDEX[row.code] for row in rows)
        scores = array("d", [row.score for row in rows]).tobytes()
        return cls(codes, scores, lambda index: (rows[index].reason, rows[index].metadata or {}))

    @classmethod
    def same(cls, row: RowVerdict, count: int) -> Verdicts:
        """One verdict for every row of a batch."""
        codes = bytes([CODE_INDEX[row.code]]) * count
        scores = array("d", [row.score]).tobytes() * count
        return cls(codes, scores, lambda _: (row.reason, dict(row.metadata or {})))

    def __len__(self) -> int:
        return len(self.codes)

    def row(self, index: int) -> RowVerdict:
        """One row, explained."""
        score = memoryview(self.scores).cast("d")[index]
        return RowVerdict(CODE_NAMES[self.codes[index]], score, *self.explain(index))

    def result(self, index: int, grader: str, signature: str) -> GradeResult:
        """One row as a `GradeResult`."""
        code, score, reason, metadata = self.row(index)
        return GradeResult(grader, code, score, reason, metadata or {}, signature)


class _Reasons(Sequence[str]):
    """The reasons of a batch, each rendered when it is read."""

    __slots__ = ("_verdicts",)

    def __init__(self, verdicts: Verdicts) -> None:
        self._verdicts = verdicts

    def __len__(self) -> int:
        return len(self._verdicts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        rows = range(len(self))[index]
        if isinstance(rows, range):
            return [self._verdicts.explain(row)[0] for row in rows]
        return self._verdicts.explain(rows)[0]


class GradeBatch:
    """The verdicts on a batch of candidates, in their order.

    The arrays cost 9 bytes a row; reasons and metadata are rendered when they are read.

    >>> from gradestone import grade_batch
    >>> batch = grade_batch({"type": "contains", "fragments": ["a"]}, ["abc", "xyz", None])
    >>> batch.passed.tolist(), batch.outcome.tolist()
    ([True, False, False], ['pass', 'fail', 'invalid'])
    >>> batch[1].reason
    'missing fragment: "a"'

    A batch is neither true nor false: ``if batch:`` raises, since it could only mean the wrong thing.
    """

    __slots__ = ("_verdicts", "grader", "signature")

    grader: str
    """The grader's type."""
    signature: str
    """What was computed and how; the same for every row."""

    def __init__(self, grader: str, signature: str, verdicts: Verdicts) -> None:
        self.grader = grader
        self.signature = signature
        self._verdicts = verdicts

    @property
    def passed(self) -> npt.NDArray[np.bool_]:
        """Whether each row passed."""
        import numpy as np

        return np.frombuffer(_PASSED, dtype=np.bool_)[self._code_indices()]

    @property
    def score(self) -> npt.NDArray[np.float64]:
        """The score of each row, unrounded; read-only, without a copy."""
        import numpy as np

        scores = np.frombuffer(self._verdicts.scores, dtype=np.float64)
        scores.flags.writeable = False
        return scores

    @property
    def outcome(self) -> npt.NDArray[np.object_]:
        """The outcome of each row, as a string."""
        return _names([code.outcome.value for code in CODES.values()])[self._code_indices()]

    @property
    def code(self) -> npt.NDArray[np.object_]:
        """The cause of each row's verdict, as a string."""
        return _names(CODE_NAMES)[self._code_indices()]

    @property
    def reasons(self) -> Sequence[str]:
        """The reason of each row, rendered when it is read."""
        return _Reasons(self._verdicts)

    def __len__(self) -> int:
        return len(self._verdicts)

    @overload
    def __getitem__(self, index: int) -> GradeResult: ...
    @overload
    def __getitem__(self, index: slice) -> list[GradeResult]: ...
    def __getitem__(self, index: int | slice) -> GradeResult | list[GradeResult]:
        rows = range(len(self))[index]
        if isinstance(rows, range):
            return [self._verdicts.result(row, self.grader, self.signature) for row in rows]
        return self._verdicts.result(rows, self.grader, self.signature)

    def __iter__(self) -> Iterator[GradeResult]:
        return (self._verdicts.result(row, self.grader, self.signature) for row in range(len(self)))

    def __bool__(self) -> NoReturn:
        raise TypeError("a GradeBatch is neither true nor false; use batch.passed.all(), .any() or .mean()")

    def __repr__(self) -> str:
        passed = self._verdicts.codes.count(CODE_INDEX["ok"])
        return f"GradeBatch(grader={self.grader!r}, rows={len(self)}, passed={passed})"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The batch through the Arrow PyCapsule interface: the columns passed, score, outcome and code.

        ``polars.DataFrame(batch)``, ``pyarrow.table(batch)`` and whatever else reads that interface take it directly.
        ``outcome`` and ``code`` are dictionaries of text. A requested schema is not looked at, as the interface allows.
        """
        del requested_schema
        from gradestone.backends import export_verdicts

        return export_verdicts(bytes(self._verdicts.codes), bytes(self._verdicts.scores))

    def to_arrow(self, *, reasons: bool = False) -> pa.Table:
        """The batch as a ``pyarrow.Table`` with the columns passed, score, outcome and code.

        Args:
            reasons: also render and add the column ``reason``.

        Raises:
            ImportError: pyarrow is not installed (``pip install 'gradestone[arrow]'``).
        """
        try:
            import pyarrow as pa
        except ImportError as error:
            raise ImportError("to_arrow needs pyarrow: pip install 'gradestone[arrow]'") from error
        table = pa.table(self)
        if reasons:
            table = table.append_column("reason", pa.array(list(self.reasons), type=pa.string()))
        return table

    @property
    def verdicts(self) -> Verdicts:
        """What the batch is made of, for those who write whole files."""
        return self._verdicts

    def _code_indices(self) -> npt.NDArray[np.uint8]:
        import numpy as np

        return np.frombuffer(self._verdicts.codes, dtype=np.uint8)


def _names(names: Sequence[str]) -> npt.NDArray[np.object_]:
    import numpy as np

    return np.array(names, dtype=np.object_)
