"""The reader of JSON lines: what it takes, what it refuses, and what it says then."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from gradestone.data.blocks import Block
from gradestone.data.errors import InputError
from gradestone.data.jsonl import BadRecord, JsonlFile, Record
from gradestone.data.strict_json import MAX_LEVELS, JsonError, RepeatedKeyError, read_json


def records(data: bytes) -> list[Record | BadRecord]:
    """What the slow reader says of a file, which the fast one must say too, whatever it is asked for."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(data)
        file.flush()
        with JsonlFile(file.name) as slow:
            found = list(slow)
        for wanted, threads in ((["a", "input"], 1), (["expected"], 2), ([], 1)):
            with JsonlFile(file.name, threads=threads) as fast:
                assert_same(found, list(fast.blocks(wanted)), wanted)
    return found


def assert_same(found: list[Record | BadRecord], blocks: Sequence[Block], wanted: Sequence[str]) -> None:
    good = [one for one in found if isinstance(one, Record)]
    bad = [(one.line, one.error) for one in found if isinstance(one, BadRecord)]
    assert [text for block in blocks for text in block.json_texts(None)] == [one.text for one in good]
    assert [(row.line, row.error) for block in blocks for row in block.bad] == bad
    for name in wanted:
        cells = [block.column(name)[row] for block in blocks for row in range(len(block))]
        assert cells == [one.fields.get(name) for one in good]
    places = [row.before for block in blocks for row in block.bad]
    if len(blocks) == 1:
        expected = [index for index, one in enumerate(found) if isinstance(one, BadRecord)]
        assert [before + number for number, before in enumerate(places)] == expected


def fields(data: bytes) -> list[object]:
    return [one.fields if isinstance(one, Record) else one.error for one in records(data)]


def test_blank_lines_and_a_missing_last_newline() -> None:
    """RD-09: two records, with their physical line numbers."""
    found = records(b'{"input":"a","expected":"b"}\n\n \t\r\v\f\n{"input":"c","expected":"d"}')
    assert [(one.line, one.fields["input"]) for one in found if isinstance(one, Record)] == [
        (1, "a"),
        (4, "c"),
    ]


def test_other_whitespace_is_no_blank_line() -> None:
    """U+0085 and NBSP are ordinary characters, so a line of them is no JSON."""
    assert [type(one) for one in records("\u00a0\n\u0085\n".encode())] == [BadRecord, BadRecord]


@pytest.mark.parametrize(
    "line",
    [
        b'{"input":"q","expected":"no","expected":"yes"}\n',
        b'{"a":{"b":[{"c":1,"d":2,"c":1}]}}\n',
        b'{"\\u0061":1,"a":1}\n',
        b'{"s":"\\ud835","a":{"x":1,"x":2}}\n',
    ],
    ids=["top", "nested", "escaped", "beside_a_surrogate"],
)
def test_repeated_keys(line: bytes) -> None:
    """RD-11: a record error at every level, on the fast path and on the slow one; the key is not quoted."""
    assert fields(line) == ["a key is repeated in an object"]
    with pytest.raises(RepeatedKeyError):
        read_json(line)


def test_lone_surrogates() -> None:
    """RD-13: read as they are, in values and in keys; a pair of escapes is one character."""
    assert fields(b'{"input":"a\\ud835","\\udc00":"\\ud83d\\ude00"}\n') == [
        {"input": "a\ud835", "\udc00": "\U0001f600"}
    ]


def test_crlf() -> None:
    """RD-23: the CR of the line's end goes, one inside a string stays."""
    found = records(b'{"input":"q","expected":"a\\r"}\r\n{"input":"r"}\r\n')
    assert [one.fields for one in found if isinstance(one, Record)] == [
        {"input": "q", "expected": "a\r"},
        {"input": "r"},
    ]
    assert isinstance(found[0], Record)
    assert found[0].text == b'{"input":"q","expected":"a\\r"}'


def test_one_bad_row_among_three() -> None:
    """RD-25: a lone surrogate and a 5000-digit number in row two do not touch rows one and three."""
    middle = b'{"input":"\\ud800","n":' + b"9" * 5000 + b"}\n"
    assert fields(b'{"n":1}\n' + middle + b'{"n":3}\n') == [
        {"n": 1},
        "an integer of 5000 digits is too long",
        {"n": 3},
    ]


def test_integers_are_exact() -> None:
    """Beyond 2^53, and up to the 4300 digits that CPython converts."""
    digits = "9" * 4300
    assert fields(f'{{"n":9007199254740993,"m":-{digits}}}\n'.encode()) == [
        {"n": 9007199254740993, "m": -int(digits)}
    ]


def test_one_leading_byte_order_mark() -> None:
    """Only the first, and only at the start of the file."""
    mark = b"\xef\xbb\xbf"
    assert fields(mark + b'{"a":1}\n{"a":"\xef\xbb\xbf"}\n') == [{"a": 1}, {"a": "\ufeff"}]
    assert fields(mark + mark + b'{"a":1}\n') == ["a byte order mark that is not at the start of the file"]
    assert (
        fields(b'{"a":1}\n' + mark + b"{}\n")[1] == "a byte order mark that is not at the start of the file"
    )
    assert fields(mark + b"\n") == []


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'{"a":NaN}', "not JSON: NaN is no JSON value"),
        (b'{"a":-Infinity}', "not JSON: -Infinity is no JSON value"),
        (b'{"a":"secret}', "not JSON: Unterminated string starting at at character 6"),
        (b"{'a':1}", "not JSON: Expecting property name enclosed in double quotes at character 2"),
        (b'{"a":1} {"b":2}', "not JSON: Extra data at character 9"),
        (b'{"a":"x\ty"}', "not JSON: Invalid control character at at character 8"),
        (b'{"a":"\xff"}', "not UTF-8 at byte 7"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8 at byte 7"),
        (b"[1]", "not an object but a list"),
        (b'"text"', "not an object but text"),
        (b"1", "not an object but a number"),
        (b"true", "not an object but a boolean"),
        (b"null", "not an object but null"),
    ],
)
def test_refused(line: bytes, error: str) -> None:
    """Each is told by its cause and place, without a word of the line."""
    assert fields(line + b"\n") == [error]


@pytest.mark.parametrize("levels", [1, 199, 200, 201, MAX_LEVELS - 1, MAX_LEVELS])
def test_nested_as_deep_as_values_may_be(levels: int) -> None:
    """A value may have 512 levels, whichever parser has to read it."""
    assert isinstance(fields(b'{"a":' + b"[" * levels + b"]" * levels + b"}")[0], dict)


@pytest.mark.parametrize("levels", [MAX_LEVELS + 1, 900, 5_000, 200_000])
def test_nested_too_deeply(levels: int) -> None:
    """One more is refused; the interpreter's own limit does not show."""
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        inner = opening * levels + (b"1" if opening != b"[" else b"") + closing * levels
        assert fields(b'{"a":' + inner + b"}") == [f"nested more than {MAX_LEVELS} levels deep"]


def test_a_line_of_many_megabytes() -> None:
    """Size alone refuses nothing."""
    text = "x" * 20_000_000
    assert fields(f'{{"a":"{text}"}}\n'.encode()) == [{"a": text}]


def test_line_ends_are_lf_alone() -> None:
    """U+2028, NEL, FF and a lone CR inside a line do not end it."""
    assert fields('{"a":"\u2028\u0085","b":\r1}\n'.encode()) == [{"a": "\u2028\u0085", "b": 1}]


def test_gzip_by_content(tmp_path: Path) -> None:
    """Compression is seen by the first bytes, whatever the name; two members are one file."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(gzip.compress(b'{"a":1}\n') + gzip.compress(b'{"a":2}\n'))
    with JsonlFile(str(path)) as file:
        assert [one.fields for one in file if isinstance(one, Record)] == [{"a": 1}, {"a": 2}]
        assert file.position == file.size == path.stat().st_size


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a":1}\n', "is not compressed with gzip, as its name says"),
        (gzip.compress(b'{"a":1}\n' * 10_000)[:-9], "is cut short"),
        (gzip.compress(b'{"a":1}\n')[:-5] + b"\0\0\0\0\0", "is damaged"),
        (gzip.compress(b'{"a":1}\n') + b"rubbish", "is damaged"),
        (gzip.compress(b'{"a":1}\n')[:10] + b"\xff" * 30, "is damaged"),
    ],
    ids=["plain", "cut", "checksum", "rubbish_behind", "rubbish_inside"],
)
def test_damaged_gzip(tmp_path: Path, data: bytes, message: str) -> None:
    """Compressed data that is not whole is an error, never fewer rows."""
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message), JsonlFile(str(path)) as file:
        list(file)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """Told with the path and the cause."""
    with pytest.raises(InputError, match=r"cannot read .*nothing\.jsonl: No such file or directory"):
        JsonlFile(str(tmp_path / "nothing.jsonl"))
    with pytest.raises(InputError, match="is a directory, not a file"):
        JsonlFile(str(tmp_path))


def test_json_error_is_the_family() -> None:
    """Whoever reads a value catches one exception."""
    assert issubclass(RepeatedKeyError, JsonError)
    with pytest.raises(JsonError):
        read_json(b"")
