"""A JSON document: taken apart as a stream, each member read as strictly as a line."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.data.files import rows_of

from gradestone.data.errors import InputError
from gradestone.data.json_list import JsonFile


def told(path: Path, data: bytes) -> list[Any]:
    path.write_bytes(data)
    return rows_of(path)


@pytest.mark.parametrize("data", [b"", b" \n", b"[]", b"\xef\xbb\xbf[ ]\n"])
def test_no_rows(tmp_path: Path, data: bytes) -> None:
    """Nothing, and an empty list."""
    assert told(tmp_path / "a.json", data) == []


def test_members_that_are_no_rows(tmp_path: Path) -> None:
    """Each is one unreadable row, told by its number; those round it are read."""
    data = b'[{"a":"]}\\""}, 1, null, "x,y", [2, {"b":1}], {"a":NaN}, {"a":1e400},\n{"a":"\xff"}, {"a":{}}]'
    assert told(tmp_path / "a.json", data) == [
        {"a": ']}"'},
        (2, "not an object but a number"),
        (3, "not an object but null"),
        (4, "not an object but text"),
        (5, "not an object but a list"),
        (6, "not JSON: NaN is no JSON value"),
        (7, "a number is beyond the range of a double"),
        (8, "not UTF-8 at byte 7"),
        {"a": {}},
    ]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b'{"a":1}', "must hold one list of objects, and begins with an object; .* format jsonl"),
        (b"1", r"must hold one list of objects, \[\{…\}, \{…\}\]"),
        (b"[{}", "row 1 is not followed by a comma or by the end of the list"),
        (b"[", "row 1 is cut short: the file ends inside it"),
        (b'[{"a":1', "row 1 is cut short: the file ends inside it"),
        (b'[{"a":"x', "row 1 is cut short: the file ends inside it"),
        (b"[{},", "row 2 is cut short: the file ends inside it"),
        (b"[{},]", "row 2 has nothing before its comma, or behind the last one"),
        (b"[{},,{}]", "row 2 has nothing before its comma"),
        (b"[{} {}]", "row 1 is not followed by a comma"),
        (b'[{"a":[1}]', "row 1 closes a bracket that it did not open"),
        (b"[{}]}", "goes on behind the end of its list"),
        (b"[{}]\n{}", "goes on behind the end of its list"),
        (b'[{"a":1,}]', "row 1 is not JSON"),
        (b'[{"a":"x"y"},{"a":"z"},{"a":"w"}]', "row 1 is cut short"),
        (b'[{"a":"x"y"},{"b":"z"w"}]', "row 1 is not JSON"),
    ],
)
def test_no_list_of_objects(tmp_path: Path, data: bytes, error: str) -> None:
    """What is against the grammar ends the reading: nobody can say which rows there are."""
    with pytest.raises(InputError, match=error):
        told(tmp_path / "a.json", data)


def test_places_of_the_input_do_not_matter(tmp_path: Path) -> None:
    """Members longer than what is read at once, and strings that end anywhere in it."""
    source = random.Random(7)
    rows = [{"a": 'x"\\' * source.randrange(200_000), "b": [source.random()]} for _ in range(30)]
    assert told(tmp_path / "a.json", json.dumps(rows).encode()) == rows


def test_nested(tmp_path: Path) -> None:
    """Too many levels make a row unreadable and nothing more, however many there are."""
    for levels, fault in (
        (512, None),
        (513, "nested more than 512 levels deep"),
        (100_000, "nested more than 512 levels deep"),
    ):
        row = b'{"a":' + b"[" * levels + b"]" * levels + b"}"
        found = told(tmp_path / "a.json", b"[" + row + b',{"a":1}]')
        assert found[1] == {"a": 1}
        assert fault is None or found[0] == (1, fault)


def test_first_members(tmp_path: Path) -> None:
    """Known before the rows are taken, and no row is lost by that."""
    (tmp_path / "a.json").write_bytes(b'[1,{"b":1,"a":2}]')
    with JsonFile(str(tmp_path / "a.json")) as file:
        assert file.fields() == ("b", "a")
        (block,) = file.blocks(None)
        assert (len(block), len(block.bad), block.texts) == (1, 1, [b'{"b":1,"a":2}'])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(
    rows=st.lists(st.dictionaries(st.text(max_size=4), json_values, max_size=3), max_size=6),
    indent=st.sampled_from([None, 1]),
)
def test_what_the_standard_writer_writes(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], indent: int | None
) -> None:
    """Any list of objects comes back as it was, however it is laid out."""
    path = tmp_path_factory.mktemp("json") / "a.json"
    assert told(path, json.dumps(rows, indent=indent).encode()) == rows
