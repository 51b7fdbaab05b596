"""Columns and cells whose own methods lie, change or raise: graded is what the interpreter holds, or nothing."""

from __future__ import annotations

import enum
import gc
import threading
import weakref
from typing import Any, NoReturn

import numpy as np
import pytest

from gradestone import grade, grade_batch, grade_many

HAS_A = {"type": "contains", "fragments": ["a"]}
BACKENDS = pytest.mark.parametrize("backend", ["rust", "python"])


class Liar(str):
    """A text that says of itself what is not so."""

    __slots__ = ()

    def isascii(self) -> bool:
        return True

    def encode(self, *_: object) -> bytes:
        return b"a"

    def __str__(self) -> str:
        return "a"

    def __len__(self) -> int:
        return 1


class Breaker(str):
    """A text that does not want to be looked at."""

    __slots__ = ()

    def isascii(self) -> NoReturn:
        raise RuntimeError

    encode = lower = casefold = __str__ = isascii  # type: ignore[assignment]


class Colour(enum.StrEnum):
    A = "a"
    RED = "r\u00e9d"


@BACKENDS
@pytest.mark.parametrize("text", ["a", "b", "\u00e9", "\u00e9a", "\ud800", "\ud800a", ""])
@pytest.mark.parametrize("kind", [Liar, Breaker, np.str_], ids=lambda kind: kind.__name__)
def test_a_subclass_of_str_is_its_text(kind: type[str], text: str, backend: str) -> None:
    """What its methods say of it changes nothing, and one such cell spoils no other."""
    cells = ["a", kind(text), "b", kind(text)]
    expected = ["ok", "ok" if "a" in text else "missing_fragment", "missing_fragment"]
    batch = grade_batch(HAS_A, cells, backend=backend)
    assert batch.code.tolist() == [*expected, expected[1]]
    exact = grade_batch(
        {"type": "exact_match"}, [text, "x"], references=[kind(text), kind(text)], backend=backend
    )
    assert exact.passed.tolist() == [True, False]
    if backend == "python":
        return  # whose context_f1 calls methods of a text
    columns = {"retrieved": [[kind(text), "x y z"]]}
    context = {"type": "context_f1", "expected": [text or "x", "x y z"]}
    alone = grade_batch(context, [""], columns={"retrieved": [[text, "x y z"]]}, backend=backend)
    assert grade_batch(context, [""], columns=columns, backend=backend)[0] == alone[0]


@BACKENDS
def test_a_member_of_an_enumeration_is_its_value(backend: str) -> None:
    """As JSON has it."""
    assert grade_batch(HAS_A, list(Colour), backend=backend).passed.tolist() == [True, False]
    assert grade({"type": "exact_match", "expected": "r\u00e9d"}, Colour.RED, backend=backend).passed


class Swapping(tuple[Any, ...]):
    """A tuple that gives other cells each time that it is asked."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return "a"

    def __len__(self) -> int:
        return 99


def test_a_tuple_with_methods_of_its_own() -> None:
    """It is read once, as it iterates, and holds as many rows as that gave."""
    assert grade_batch(HAS_A, Swapping(["b", "a", "c"])).passed.tolist() == [False, True, False]
    cells = [Swapping(["b"]), Swapping(["a"])]
    found = grade_batch({"type": "context_f1", "expected": ["a"]}, ["", ""], columns={"retrieved": cells})
    assert found.passed.tolist() == [False, True]


class Raising:
    """A sequence that breaks off."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> str:
        if index:
            raise LookupError("the column's own")
        return "a"

    def tolist(self) -> list[str]:
        return list(self)


def test_a_column_that_raises() -> None:
    """Its own error reaches the caller: there is no shorter batch."""

    class Broken(Raising):
        def __iter__(self) -> NoReturn:
            raise OSError("the column's own")

    with pytest.raises(OSError, match="the column's own"):
        grade_batch(HAS_A, Broken())


def test_lists_in_cells_that_change_meanwhile() -> None:
    """Another thread empties and fills the lists of a column: every row is one of the two, and nothing is lost."""
    cells = [["a", "b\u00e9"] for _ in range(3_000)]
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            for cell in cells:
                cell[:] = ["c"] * 20
                cell[:] = ["a", "b\u00e9"]

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(10):
            grader = {"type": "context_f1", "expected": ["a", "b\u00e9"]}
            batch = grade_batch(grader, [""] * 3_000, columns={"retrieved": cells}, threads=2)
            assert len(batch) == 3_000
            assert set(batch.code.tolist()) <= {"ok", "below_threshold"}
    finally:
        stop.set()
        thread.join()


def test_a_column_ends_with_its_last_user() -> None:
    """A column that nobody else holds lives through its batch, and no longer."""

    class Column(list[Any]):
        pass

    column = Column(f"a{number}\u00e9" for number in range(10_000))
    gone = weakref.ref(column)
    batch = grade_many({"has": HAS_A, "exact": {"type": "exact_match"}}, column, references=column, threads=2)
    assert batch["exact"].passed.all()
    del column, batch
    gc.collect()
    assert gone() is None


@BACKENDS
def test_scores_share_their_memory(backend: str) -> None:
    """Reading the scores costs no copy, however often; nobody can write to them."""
    batch = grade_batch(
        {"type": "rouge_score"}, ["a b", "a"] * 500, references=["a b"] * 1_000, backend=backend
    )
    first, second = batch.score, batch.score
    assert np.shares_memory(first, second)
    assert not first.flags.owndata
    assert not first.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        first.flags.writeable = True
    figures = first.tolist()
    del batch, second
    gc.collect()
    assert first.tolist() == figures


@BACKENDS
def test_verdicts_cannot_be_turned(backend: str) -> None:
    """What a batch hands out are copies, or read-only."""
    batch = grade_batch(HAS_A, ["b", None], backend=backend)
    for name in ("passed", "code", "outcome"):
        handed = getattr(batch, name)
        handed[:] = handed[0] if name != "passed" else True
    assert batch.passed.tolist() == [False, False]
    assert batch.code.tolist() == ["missing_fragment", "missing_candidate"]
