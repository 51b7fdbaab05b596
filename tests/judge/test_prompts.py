"""Prompts: markers are filled literally, in one pass, and a verdict tells which prompt was sent."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone import load_registry
from gradestone.judge.prompts import fill, fingerprint, markers_of

FILLED: dict[str, tuple[str, dict[str, str], str]] = {
    "one": ("Judge {candidate}.", {"candidate": "this"}, "Judge this."),
    "twice": ("{a}{a}", {"a": "x"}, "xx"),
    "without a value": ("{a} {b}", {"a": "x"}, "x {b}"),
    "value not in the template": ("{a}", {"a": "x", "b": "y"}, "x"),
    "empty value": ("[{a}]", {"a": ""}, "[]"),
    "a marker in a value": ("{a}{b}", {"a": "{b}", "b": "{a}"}, "{b}{a}"),
    "its own marker in a value": ("{a}", {"a": "{a}{a}"}, "{a}{a}"),
    "halves of a marker": ("{a}b}", {"a": "{", "b": "x"}, "{b}"),
    "format marks": ("{a}", {"a": "{0} %s {{x}} ${y} $1 \\1 \\g<0>"}, "{0} %s {{x}} ${y} $1 \\1 \\g<0>"),
    "double braces": ("{{a}}", {"a": "x"}, "{x}"),
    "spaces inside": ("{ a }", {"a": "x"}, "{ a }"),
    "capitals": ("{A}", {"a": "x", "A": "y"}, "{A}"),
    "digits": ("{a1}", {"a1": "x"}, "{a1}"),
    "empty braces": ("{}", {"": "x"}, "{}"),
    "line ends stay": ("{a}\r\n", {"a": "x\ry\u2028"}, "x\ry\u2028\r\n"),
    "lone surrogate": ("{a}", {"a": "\ud800"}, "\ud800"),
    "no marker": ("plain", {"a": "x"}, "plain"),
}


@pytest.mark.parametrize(("template", "values", "prompt"), FILLED.values(), ids=FILLED)
def test_fill(template: str, values: dict[str, str], prompt: str) -> None:
    """Markers are replaced by the values as they are; values are never read as templates."""
    assert fill(template, values) == prompt


@given(candidate=st.text(), rubric=st.text())
def test_values_arrive_whole(candidate: str, rubric: str) -> None:
    """Whatever a value holds, it stands in the prompt to the character."""
    template = "[{rubric}] {candidate}!"
    assert fill(template, {"rubric": rubric, "candidate": candidate}) == f"[{rubric}] {candidate}!"


def test_markers_of() -> None:
    """The names of the markers, each once."""
    assert markers_of("{a} {b_c} {a} {A} { d } {e1} {}") == {"a", "b_c"}


@pytest.mark.parametrize(
    ("name", "markers", "line"),
    [
        ("llm_judge", {"rubric", "candidate"}, r"exactly PASS or FAIL"),
        ("llm_score", {"rubric", "candidate"}, r"SCORE: <number>"),
        ("llm_category", {"prompt", "categories", "candidate"}, r"CATEGORY: <category>"),
        ("llm_pairwise", {"criteria", "first", "second"}, r"WINNER: A or WINNER: B or WINNER: TIE"),
        ("llm_answer_match", {"expected", "candidate"}, r"MATCH: YES or MATCH: NO"),
    ],
)
def test_our_prompts(name: str, markers: set[str], line: str) -> None:
    """Each holds its markers, and the one line that it asks for is the one that is read."""
    template = load_registry()[name].prompt_template
    assert template is not None
    assert markers_of(template) == markers
    assert re.search(line, template)


def test_a_fingerprint_is_of_the_bytes() -> None:
    """The first half of the digest's hexadecimal digits; a lone surrogate has one, too."""
    assert fingerprint("é") == hashlib.sha256(b"\xc3\xa9").hexdigest()[:16]
    assert len(fingerprint("\ud800")) == 16
    assert fingerprint("a") != fingerprint("a ")
