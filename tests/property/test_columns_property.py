"""Whatever a column is held in, and however it is cut into chunks and threads: the same verdicts."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.texts import AWKWARD

from gradestone import GradeBatch, compile_grader, grade, grade_batch, grade_many

GRADERS: dict[str, dict[str, Any]] = {
    "exact": {"type": "exact_match"},
    "has": {"type": "contains", "fragments": ["a", "\u03c3", "."]},
    "has not": {"type": "not_contains", "fragments": ["b", "\u00e9"]},
    "terms": {"type": "blocklist", "terms": ["a", "b", "\u03c3", "cat"]},
    "pii": {"type": "no_pii"},
    "pattern": {"type": "regex", "pattern": "[a-c]+\\."},
    "no pattern": {"type": "not_regex", "pattern": "^.?$"},
    "bleu": {"type": "bleu_score", "threshold": 0.3},
    "rouge 1": {"type": "rouge_score", "rouge_type": "rouge_1", "measure": "recall"},
    "rouge l": {"type": "rouge_score", "rouge_type": "rouge_l"},
    "overlap": {"type": "semantic"},
}
"""Every kernel that takes texts."""

CONTEXT = {"context": {"type": "context_f1"}}

Told = dict[str, list[tuple[str, float, str, dict[str, Any]]]]


def told(batches: dict[str, GradeBatch]) -> Told:
    """All that batches say of their rows."""
    return {
        name: [(row.code, row.score, row.reason, row.metadata) for row in batch]
        for name, batch in batches.items()
    }


def _sliced(cells: Sequence[Any], kind: pa.DataType | None = None) -> pa.Array:
    return pa.array(["before", None, *cells, "behind"], kind or pa.string()).slice(2, len(cells))


def _chunked(cells: Sequence[Any], kind: pa.DataType | None = None) -> pa.ChunkedArray:
    kind = kind or pa.string()
    cuts = (0, 0, 1, 3, 3, len(cells))
    parts = [pa.array(cells[start:end], kind) for start, end in itertools.pairwise(cuts)]
    return pa.chunked_array(parts, kind)


def _dictionary(cells: Sequence[Any], keys: pa.DataType) -> pa.DictionaryArray:
    """Its entries stand in another order than they are met, hold a null and one that no key leads to."""
    entries = [None, "never met", *sorted({cell for cell in cells if cell is not None}, reverse=True)]
    # Nulls by a null entry and by a null key, in turns.
    numbers = [entries.index(cell) if cell is not None or row % 2 else None for row, cell in enumerate(cells)]
    return pa.DictionaryArray.from_arrays(pa.array(numbers, keys), pa.array(entries, pa.string()))


TEXTS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "tuple": tuple,
    "string": lambda cells: pa.array(cells, pa.string()),
    "large_string": lambda cells: pa.array(cells, pa.large_string()),
    "string_view": lambda cells: pa.array(cells, pa.string_view()),
    "slice": _sliced,
    "slice of views": lambda cells: _sliced(cells, pa.string_view()),
    "chunks": _chunked,
    "chunks of views": lambda cells: _chunked(cells, pa.string_view()),
    "slice of a dictionary": lambda cells: _dictionary([None, "x", *cells], pa.int16()).slice(2),
    **{
        f"dictionary<{keys}>": lambda cells, keys=keys: _dictionary(cells, keys)
        for keys in (
            *(pa.int8(), pa.int16(), pa.int32(), pa.int64()),
            *(pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
        )
    },
}

encodable = st.lists(st.sampled_from([part for part in AWKWARD if part.isprintable() or part.isspace()])).map(
    "".join
)
texts = encodable | st.text(st.characters(codec="utf-8"), max_size=30)
pairs = st.lists(st.tuples(st.none() | texts, st.none() | texts), max_size=12)


@given(pairs, st.sampled_from(sorted(TEXTS)), st.sampled_from(sorted(TEXTS)), st.integers(1, 3))
def test_texts_in_any_column(
    rows: list[tuple[str | None, str | None]], kind: str, other: str, threads: int
) -> None:
    """Codes, scores, reasons and metadata are those of a list."""
    candidates, references = [[row[side] for row in rows] for side in (0, 1)]
    expected = told(grade_many(GRADERS, candidates, references=references, threads=1))
    columns = TEXTS[kind](candidates), TEXTS[other](references)
    assert told(grade_many(GRADERS, columns[0], references=columns[1], threads=threads)) == expected


LISTS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "tuples": lambda cells: [cell if cell is None else tuple(cell) for cell in cells],
    "list": lambda cells: pa.array(cells, pa.list_(pa.string())),
    "large_list": lambda cells: pa.array(cells, pa.large_list(pa.large_string())),
    "list of views": lambda cells: pa.array(cells, pa.list_(pa.string_view())),
    "slice": lambda cells: pa.array([["?"], None, *cells], pa.list_(pa.string())).slice(2),
    "chunks": lambda cells: _chunked(cells, pa.list_(pa.string())),
    "list of a dictionary": lambda cells: pa.array(cells, pa.list_(pa.dictionary(pa.int8(), pa.string()))),
}

lists = st.none() | st.lists(st.none() | texts, max_size=4) | st.lists(texts, max_size=4)


@given(
    st.lists(st.tuples(lists, lists), max_size=8),
    st.sampled_from(sorted(LISTS)),
    st.sampled_from(sorted(LISTS)),
    st.integers(1, 3),
)
def test_lists_in_any_column(rows: list[tuple[Any, Any]], kind: str, other: str, threads: int) -> None:
    """Empty lists, null lists and null members, wherever the offsets begin."""
    retrieved, expected = [[row[side] for row in rows] for side in (0, 1)]
    candidates = [""] * len(rows)

    def graded(left: Any, right: Any, threads: int) -> Told:
        columns = {"retrieved": left, "expected": right}
        return told(grade_many(CONTEXT, candidates, columns=columns, threads=threads))

    plain = graded(retrieved, expected, 1)
    assert graded(LISTS[kind](retrieved), LISTS[other](expected), threads) == plain


@pytest.mark.parametrize("members", [2, 3])
def test_lists_of_a_fixed_size(members: int) -> None:
    """Its offsets are implied, beyond those of a slice too."""
    cells = [["a"] * members, None, ["b", "c", "d"][:members], ["a"] * members]
    column = pa.array(cells, pa.list_(pa.string(), members)).slice(1)
    grader = {"type": "context_f1", "expected": ["a"]}
    found = grade_batch(grader, [""] * 3, columns={"retrieved": column})
    assert told({"": found}) == told({"": grade_batch(grader, [""] * 3, columns={"retrieved": cells[1:]})})


CELLS = [
    ("the cat sat.", "the cat sat."),
    (None, "a"),
    ("", ""),
    ("a.user@example.com \u00e9", "a user"),
    ("\ud800 b", "b"),
    (7, "7"),
    ("x " * 700, "y x " * 20),
    ("a", None),
]
"""Rows of every kind, which are repeated."""


def assert_rows_are_their_own(
    kinds: Sequence[tuple[Any, Any]],
    order: Sequence[int],
    threads: int,
    column: Callable[[list[Any]], Any] = list,
) -> None:
    """Each row of a long batch has the verdict that it has alone."""
    compiled = {name: compile_grader(grader) for name, grader in GRADERS.items()}
    candidates, references = [column([kinds[kind][side] for kind in order]) for side in (0, 1)]
    batches = grade_many(compiled, candidates, references=references, threads=threads)
    for name, batch in batches.items():
        alone = [
            grade_batch(compiled[name], [candidate], references=[reference])[0]
            for candidate, reference in kinds
        ]
        assert batch.code.tolist() == [alone[kind].code for kind in order], name
        assert batch.score.tolist() == [alone[kind].score for kind in order], name
        for row in {0, len(order) // 2, len(order) - 1}:
            assert batch[row].to_dict() == alone[order[row]].to_dict(), (name, row)


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("rows", [1, 63, 65, 4_095, 4_096, 4_097, 8_193])
def test_where_a_chunk_has_its_last_row(rows: int, threads: int) -> None:
    """Around the rows that a chunk and a run hold at most."""
    order = [(row * 5 + row // 64) % len(CELLS) for row in range(rows)]
    assert_rows_are_their_own(CELLS, order, threads)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("size", [131_071, 131_072, 131_073, 1_048_575, 1_048_577])
@pytest.mark.parametrize("letter", ["x", "\u00e9"])
def test_where_a_chunk_has_its_last_byte(size: int, letter: str, threads: int) -> None:
    """Around the bytes after which the first chunk ends, and the others: a long row between short ones."""
    long = letter * (size // len(letter.encode()))
    kinds = [(long, "a"), ("a.", "a."), (long, long), ("cat", "a"), (None, "a")]
    assert_rows_are_their_own(kinds, [1, 0, 3, 0, 2, 1, 4, 3, 1], threads)
    assert_rows_are_their_own(kinds, [0, 1, 2, 3, 4], threads, lambda cells: pa.array(cells, pa.string()))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("rows", [4_095, 4_096, 4_097])
def test_chunks_of_arrow_and_of_batches(rows: int, threads: int) -> None:
    """The producer's chunks end elsewhere than ours."""
    kinds = [("a b", "a b"), ("b", "a"), (None, "a"), ("", "\u00e9"), ("\u00e9", "\u00e9")]
    order = [row % len(kinds) for row in range(2 * rows)]

    def chunked(cells: list[Any]) -> pa.ChunkedArray:
        cuts = [0, 1, 1, rows - 1, rows, rows + 7, 2 * rows]
        return pa.chunked_array(
            [pa.array(cells[start:end], pa.string()) for start, end in itertools.pairwise(cuts)]
        )

    assert_rows_are_their_own(kinds, order, threads, chunked)


@pytest.mark.parametrize("backend", ["rust", "python"])
@given(
    rows=pairs.filter(bool),
    names=st.lists(st.sampled_from(sorted(GRADERS)), min_size=1, max_size=6, unique=True),
    thresholds=st.lists(st.sampled_from([0.0, 0.5, 1.0, None, "x"]), min_size=12, max_size=12),
    own=st.sampled_from(["", "reference", "threshold", "both"]),
)
def test_many_is_each_by_itself(
    rows: list[tuple[Any, Any]], names: list[str], thresholds: list[Any], own: str, backend: str
) -> None:
    """What graders share, and which columns they have of their own, changes no verdict of any."""
    candidates, references = [[row[side] for row in rows] for side in (0, 1)]
    columns: dict[str, Any] = {}
    if own in ("reference", "both"):
        columns["reference"] = references[::-1]
    if own in ("threshold", "both"):
        columns["threshold"] = thresholds[: len(rows)]
    graders = {name: GRADERS[name] for name in names}
    takes = {
        name: {
            option: cells
            for option, cells in columns.items()
            if option in compile_grader(one).options.names()
        }
        for name, one in graders.items()
    }
    columns = {
        option: cells for option, cells in columns.items() if any(option in own for own in takes.values())
    }
    together = told(
        grade_many(graders, candidates, references=references, columns=columns, backend=backend, threads=2)
    )
    for name, grader in graders.items():
        apart = grade_batch(
            grader, candidates, references=references, columns=takes[name], backend=backend, threads=1
        )
        assert told({name: apart}) == {name: together[name]}


@given(pairs.filter(bool), st.sampled_from(sorted(GRADERS)))
def test_one_is_a_batch_of_one(rows: list[tuple[Any, Any]], name: str) -> None:
    """`grade` says of a text what a batch says of its row."""
    candidates, references = [[row[side] or "" for row in rows] for side in (0, 1)]
    batch = grade_batch(GRADERS[name], candidates, references=references)
    for row, result in enumerate(batch):
        assert grade(GRADERS[name], candidates[row], reference=references[row]) == result
