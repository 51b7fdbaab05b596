"""The reader of JSON Lines that reads members where they lie, against the slow one that makes objects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gradestone.data import jsonl
from gradestone.data.jsonl import BadRecord, JsonlFile, LineBlock, Record

RESERVED = ("no_pii", "blé")

KEYS = ("a", "b", "é", "\ufeff", "no_pii", "blé", "", "constructor", "a b", "a" * 70)
RAW_KEYS = (
    *(f'"{key}"'.encode() for key in KEYS),
    *(b'"\\u0061"', b'"no\\u005fpii"', b'"\\ud800"', b'"\\ud83d\\ude00"', b'"\xff"', b'"\\n"', b"a", b"1"),
)

TEXTS = (
    *(b'""', b'"x"', b'"a\\nb"', b'"\\""', b'"\\\\"', b'"\\/"', b'"\\u0000"', b'"\\u00e9"', '"é😀"'.encode()),
    *(
        b'"\\ud83d\\ude00"',
        b'"\\ud800"',
        b'"\\ude00\\ud83d"',
        b'"\\uD800\\u0041"',
        b'"\\x"',
        b'"\\u12"',
        b'"',
    ),
    *(b'"tab\t"', b'"\x7f"', b'"\r"', b'"\xff"', b'"\xed\xa0\x80"', b'"\xef\xbb\xbf"', '"\u2028"'.encode()),
    *(b"'x'", b'"{}"', b'"' + b"long " * 50 + b'"'),
)
NUMBERS = (
    *(
        b"0",
        b"-0",
        b"-0.0",
        b"1.5",
        b"1e5",
        b"1E+2",
        b"1e400",
        b"-1e400",
        b"1e-400",
        b"01",
        b"+1",
        b".5",
        b"5.",
    ),
    *(
        b"9007199254740993",
        b"12345678901234567",
        b"123456789012345678",
        b"0.1234567890123456789",
        b"-",
        b"1e",
    ),
    *(b"9" * 309, b"9" * 4300, b"9" * 4301, b"1" * 310 + b".0", b"0." + b"0" * 400 + b"1", b"0x1", b"1_0"),
)
WORDS = (b"null", b"true", b"false", b"NaN", b"Infinity", b"-Infinity", b"nul", b"True", b"")
NESTED = tuple(
    opening * levels + inner + closing * levels
    for levels in (62, 63, 64, 65, 199, 201, 511, 512, 513)
    for opening, inner, closing in ((b"[", b"", b"]"), (b'{"a":', b"1", b"}"))
)
SPACES = (b"", b"", b"", b" ", b"\t", b"\r", b" \r ", b"\x0b", b"\x0c", "\u00a0".encode())

space = st.sampled_from(SPACES)
leaf = st.sampled_from((*TEXTS, *NUMBERS, *WORDS, *NESTED))


@st.composite
def objects(draw: st.DrawFn, values: st.SearchStrategy[bytes]) -> bytes:
    """Objects that are right most often, and wrong in every way now and then."""
    members = [
        draw(st.sampled_from(RAW_KEYS)) + draw(space) + b":" + draw(space) + draw(values) + draw(space)
        for _ in range(draw(st.integers(0, 4)))
    ]
    comma = draw(st.sampled_from((b",", b",", b",", b", ", b",,", b"")))
    return (
        b"{"
        + draw(space)
        + comma.join(members)
        + draw(st.sampled_from((b"}", b"}", b"}", b"", b",}", b"}}")))
    )


@st.composite
def lists(draw: st.DrawFn, values: st.SearchStrategy[bytes]) -> bytes:
    return (
        b"[" + b",".join(draw(st.lists(values, max_size=3))) + draw(st.sampled_from((b"]", b"]", b",]", b"")))
    )


value = st.recursive(leaf, lambda inner: st.one_of(objects(inner), lists(inner)), max_leaves=6)
sound = st.builds(
    lambda key, text: b'{"%b":%b,"z":[{"a":1}]}' % (key, text),
    st.sampled_from((b"a", b"b", "é".encode(), b"no_pii", b"no\\u005fpii")),
    st.sampled_from((b'"x"', b'"\\u00e9"', b"1", b"[]", b"null", b'""')),
)
many = st.integers(63, 66).map(
    lambda count: b"{" + b",".join(b'"k%d":%d' % (at, at) for at in range(count)) + b',"a":"last"}'
)
row = st.one_of(
    sound, objects(value), objects(value), many, value, st.sampled_from((b"", b" \t\v\f", b"\xef\xbb\xbf{}"))
)
end = st.sampled_from((b"\n", b"\n", b"\r\n", b" \n", b"\n\n", b"\r\r\n"))


@st.composite
def files(draw: st.DrawFn) -> bytes:
    lines = draw(st.lists(st.builds(bytes.__add__, row, end), max_size=12))
    start = draw(st.sampled_from((b"", b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b"\n")))
    return start + b"".join(lines) + draw(st.sampled_from((b"", b'{"a":"no end"}', b'{"a":"cut')))


def same(one: Any, other: Any) -> bool:
    """Equal to the sign of a zero and the kind of a number, which ``==`` is not."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other and math.copysign(1, one) == math.copysign(1, other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and bool(one == other)


def slow(path: Path, limit: int | None) -> list[Record | BadRecord]:
    """What a reader that makes an object of every line finds; a clash with a grader's name is its own affair."""
    with JsonlFile(str(path)) as file:
        found = list(file)
    clashing = [
        BadRecord(one.line, "it already has a member called like a grader")
        if isinstance(one, Record) and not one.fields.keys().isdisjoint(RESERVED)
        else one
        for one in found
    ]
    return clashing[:limit]


def told(blocks: Sequence[LineBlock]) -> list[tuple[int, str] | bytes]:
    """All rows of blocks in order: the texts of the readable, the others with line and error."""
    rows: list[tuple[int, str] | bytes] = []
    for block in blocks:
        texts = list(block.json_texts(None))
        assert len(texts) == len(block)
        # From the back, so that the places of those in front stay right.
        for bad in reversed(block.bad):
            texts.insert(bad.before, (bad.line, bad.error))
        rows += texts
    return rows


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    data=files(),
    piece=st.sampled_from((1, 2, 7, 64, 1000, 4 << 20)),
    most=st.sampled_from((1, 2, 3, 1 << 16)),
    wanted=st.one_of(st.none(), st.lists(st.sampled_from(KEYS), unique=True, max_size=4)),
    graded=st.lists(st.sampled_from(KEYS), unique=True, max_size=3),
    limit=st.one_of(st.none(), st.integers(1, 14)),
    threads=st.sampled_from((1, 2, 5)),
    looks=st.booleans(),
)
@example(b'{"a":"1"}\n' * 9, 4 << 20, 2, None, ["a"], 5, 2, False)
@example(b'[]\n{"a":"\\ud800"}\n{}\n[]\n', 4 << 20, 1, ["a"], [], None, 1, True)
def test_both_readers_agree(  # noqa: PLR0917
    tmp_path: Path,
    data: bytes,
    piece: int,
    most: int,
    wanted: list[str] | None,
    graded: list[str],
    limit: int | None,
    threads: int,
    looks: bool,
) -> None:
    """Texts, cells, members, bad rows with place and error: whatever is cut where, wanted, and shared out."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(data)
    expected = slow(path, limit)
    good = [one for one in expected if isinstance(one, Record)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_PIECE", piece)
        patch.setattr(jsonl, "_LINES", most)
        patch.setattr(jsonl, "_AHEAD", len(data) + 1)
        with JsonlFile(str(path), reserved=() if looks else RESERVED, threads=threads) as file:
            if looks:
                file.fields()
                file._reserved = frozenset(RESERVED)
            blocks = list(file.blocks(wanted, limit, graded))
    assert told(blocks) == [
        (one.line, one.error) if isinstance(one, BadRecord) else one.text for one in expected
    ]
    for name in KEYS:
        cells = [one.fields.get(name) for one in good]
        read = [block.column(name) for block in blocks]
        assert same([column[row] for column in read for row in range(len(column))], cells), name
        assert same([cell for block in blocks for cell in block.cells(name)], cells), name
    members = dict.fromkeys(name for one in good for name in one.fields)
    assert list(dict.fromkeys(name for block in blocks for name in block.names)) == list(members)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=files(), piece=st.sampled_from((1, 7, 1000, 4 << 20)))
def test_both_readers_find_the_same_first_row(tmp_path: Path, data: bytes, piece: int) -> None:
    """The columns are those of the first readable row, and looking for it loses no row."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(data)
    with JsonlFile(str(path)) as file:
        first = next((one for one in file if isinstance(one, Record)), None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_PIECE", piece)
        patch.setattr(jsonl, "_AHEAD", len(data) + 1)
        with JsonlFile(str(path)) as file:
            assert file.fields() == (None if first is None else tuple(first.fields))
            assert file.fields() == (None if first is None else tuple(first.fields))
            assert told(list(file.blocks(None))) == [
                (one.line, one.error) if isinstance(one, BadRecord) else one.text
                for one in slow_records(path)
            ]


def slow_records(path: Path) -> list[Record | BadRecord]:
    with JsonlFile(str(path)) as file:
        return list(file)


def test_a_block_has_a_bounded_number_of_lines(tmp_path: Path) -> None:
    """Short and unreadable lines: each costs far more memory than its bytes, so a block ends before there are many."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"x\n" * 200_000 + b'{"a":"last"}\n')
    with JsonlFile(str(path)) as file:
        blocks = list(file.blocks(["a"]))
    assert max(len(block) + len(block.bad) for block in blocks) <= 1 << 16
    assert sum(len(block.bad) for block in blocks) == 200_000
    assert blocks[-1].bad[-1].line == 200_000


def test_nothing_is_read_behind_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe may give its next piece late or never: with all rows there, nobody waits for it."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a":"1"}\n' * 10)
    monkeypatch.setattr(jsonl, "_PIECE", 20)
    with JsonlFile(str(path)) as file:
        pieces: list[bytes] = []
        whole = file._pieces
        file._pieces = (pieces.append(piece) or piece for piece in whole)  # type: ignore[func-returns-value]
        assert sum(map(len, file.blocks(["a"], 4))) == 4
    assert len(pieces) == 2
