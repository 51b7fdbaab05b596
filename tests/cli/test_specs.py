"""The texts after ``-g``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.cli.exits import CommandError
from gradestone.cli.specs import SpecError, compile_specs, read_spec


@pytest.mark.parametrize(
    ("text", "name", "type_", "options"),
    [
        ("no_pii", None, "no_pii", {}),
        ("no_pii:", None, "no_pii", {}),
        ("clean=no_pii", "clean", "no_pii", {}),
        (
            "rouge_l=rouge_score:rouge_type=rouge_l,threshold=0.3",
            "rouge_l",
            "rouge_score",
            {"rouge_type": "rouge_l", "threshold": 0.3},
        ),
        ('blocklist:{"terms": ["a", "b,c"]}', None, "blocklist", {"terms": ["a", "b,c"]}),
        ('blocklist:terms=["a","b,c"],x=1', None, "blocklist", {"terms": ["a", "b,c"], "x": 1}),
        ('b:s="a,b",t="c\\",d"', None, "b", {"s": "a,b", "t": 'c",d'}),
        (
            'j:schema={"type":"object","required":["a"]}',
            None,
            "j",
            {"schema": {"type": "object", "required": ["a"]}},
        ),
        ("e:expected=Paris, France=x", None, "e", {"expected": "Paris", "France": "x"}),
        ("e:expected=null", None, "e", {"expected": None}),
        ("e:expected=", None, "e", {"expected": ""}),
        ("e:expected=a=b:c", None, "e", {"expected": "a=b:c"}),
        ('e:expected="@home"', None, "e", {"expected": "@home"}),
        ("e:expected=9007199254740993", None, "e", {"expected": 9007199254740993}),
        ("e:expected=True", None, "e", {"expected": "True"}),
        ("e:expected=NaN", None, "e", {"expected": "NaN"}),
        ("r:pattern=[a-z]{1,3}", None, "r", {"pattern": "[a-z]{1,3}"}),
        ("r:pattern=\\[a\\,b", None, "r", {"pattern": "\\[a\\,b"}),
        ("r:pattern=a]b}c", None, "r", {"pattern": "a]b}c"}),
    ],
)
def test_reads(text: str, name: str | None, type_: str, options: dict[str, object]) -> None:
    """Names, types, and options in both notations; a value is JSON if it is JSON, else text."""
    assert read_spec(text) == (name, type_, options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the grader's type is missing"),
        ("a=", "the grader's type is missing"),
        (":threshold=1", "the grader's type is missing"),
        ("=no_pii", "name is empty"),
        ("a\x1b=no_pii", "cannot be printed"),
        ("rouge_score=threshold=0.3", "one `=` may stand before the colon"),
        ("line=no_pii", "cannot be called line"),
        ("error=no_pii", "cannot be called error"),
        ("b:threshold", "an option is no key=value"),
        ("b:a,b=1", "an option is no key=value"),
        ("b:=1", "an option is no key=value"),
        ("b:threshold=1,", "an option is no key=value"),
        ("b:a=1,a=2", "the option `a` is given twice"),
        ("b:type=no_pii", "the type stands before the colon"),
        ('b:{"type": "no_pii"}', "the type stands before the colon"),
        ('b:{"a": 1', "the options are no JSON object"),
        ('b:{"a": 1, "a": 2}', "a key is repeated"),
        ('b:x={"a":1,"a":2}', "a key is repeated"),
        ("b:a=[1,2", "a quote or bracket is not closed"),
        ('b:a="1,b=2', "a quote or bracket is not closed"),
        ("b:terms=@/nowhere/terms.txt", "cannot read /nowhere/terms.txt: No such file or directory"),
        ("b:terms=@/", "cannot read /: Is a directory"),
        ("b:terms=@a\0b", "cannot read"),
    ],
)
def test_refuses(text: str, message: str) -> None:
    """What could be meant in two ways is refused."""
    with pytest.raises(SpecError) as caught:
        read_spec(text)
    assert message in str(caught.value)


@given(
    st.dictionaries(
        st.from_regex("[a-z_]+", fullmatch=True).filter(lambda key: key != "type"),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=12,
        ),
    )
)
def test_any_json_value_in_either_notation(options: dict[str, object]) -> None:
    """As one object, and as pairs with JSON values: commas, quotes and brackets inside do not matter."""
    assert read_spec(f"t:{json.dumps(options)}").options == options
    pairs = ",".join(f"{key}={json.dumps(value)}" for key, value in options.items())
    assert read_spec(f"t:{pairs}").options == options


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'["a", "b,c"]', ["a", "b,c"]),
        (b'{"type": "object"}\n', {"type": "object"}),
        (b"0.25", 0.25),
        (b"kill\r\nc++\n\n \t\nas an ai", ["kill", "c++", "as an ai"]),
        (b" padded \n", [" padded "]),
        (b"\xef\xbb\xbfkill\n", ["kill"]),
        ("stra\u00dfe\n\u00a0\n".encode(), ["stra\u00dfe", "\u00a0"]),
        (b"", []),
    ],
)
def test_values_from_files(tmp_path: Path, data: bytes, value: object) -> None:
    """A JSON value, else one text a line; lines of pinned whitespace are none."""
    path = tmp_path / "value.txt"
    path.write_bytes(data)
    assert read_spec(f"b:terms=@{path}").options == {"terms": value}


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ("Polite.\nNames a city.\n", "Polite.\nNames a city."),
        ("\n\n", "\n"),
        ("a\r\n", "a"),
        ('"a\\nb"', "a\nb"),
        ("42\n", "42"),
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ("", ""),
    ],
)
def test_text_from_a_file(tmp_path: Path, data: str, value: str) -> None:
    """A rubric is the whole file, whatever it looks like; the end of its last line is none of it."""
    path = tmp_path / "rubric.txt"
    path.write_bytes(data.encode())
    assert read_spec(f"llm_judge:rubric=@{path}").options == {"rubric": value}


@pytest.mark.parametrize(("data", "message"), [(b"a\xff\n", "is not UTF-8"), (b'{"a":1,"a":2}', "repeated")])
def test_damaged_files(tmp_path: Path, data: bytes, message: str) -> None:
    """They name the option and the file."""
    path = tmp_path / "value.txt"
    path.write_bytes(data)
    with pytest.raises(SpecError, match=message) as caught:
        read_spec(f"b:terms=@{path}")
    assert str(path) in str(caught.value)
    assert "`terms`" in str(caught.value)


def test_names() -> None:
    """A type twice is numbered; names that were given are never taken by a number."""
    assert list(compile_specs(["no_pii"] * 3)) == ["no_pii", "no_pii_2", "no_pii_3"]
    assert list(compile_specs(["no_pii", "no_pii", "no_pii_2=bleu_score"])) == [
        "no_pii",
        "no_pii_3",
        "no_pii_2",
    ]
    assert list(compile_specs(["bleu_score", "bleu_score=rouge_score"])) == ["bleu_score_2", "bleu_score"]


def test_every_fault_of_every_grader() -> None:
    """One message has them all, each under its grader's name, with the nearest right name."""
    with pytest.raises(CommandError) as caught:
        compile_specs(
            [
                "bleu",
                "a=bleu_score:treshold=0.5,threshold=2",
                "b:x",
                "a=no_pii",
                "a=no_pii",
                "c=regex",
                "fine=no_pii",
            ]
        )
    faults = caught.value.faults
    assert [fault.partition(": ")[0] for fault in faults] == [
        "grader 3",
        "two graders are called a",
        "grader bleu",
        "grader a",
        "grader a",
        "grader c",
    ]
    assert any("did you mean `threshold`?" in fault for fault in faults)
    assert any("no grader has the type `bleu`" in fault for fault in faults)


def test_a_foreign_name_is_shown_in_escapes() -> None:
    """A terminal's control sequence in a type does not reach the terminal."""
    with pytest.raises(CommandError) as caught:
        compile_specs(["no\x1b[31m"])
    assert "\x1b" not in str(caught.value)
