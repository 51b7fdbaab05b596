"""Localizations: reading them, scoring them, and the grader."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.graders.localization import file_f1, line_f1, localization_f1, parse_localizations
from gradestone.options import ABSENT, LocalizationF1

READ: dict[str, tuple[Any, Any]] = {
    "path alone": ("a.py", {"a.py": []}),
    "line": ("a.py:7", {"a.py": [(7, 7)]}),
    "range": ("a.py:3-9", {"a.py": [(3, 9)]}),
    "reversed range": ("a.py:9-3", {"a.py": [(3, 9)]}),
    "leading zeros": ("a.py:007-010", {"a.py": [(7, 10)]}),
    "line zero": ("a.py:0", {"a.py": [(0, 0)]}),
    "the last colon splits": ("C:\\src\\a.py:1-2", {"C:\\src\\a.py": [(1, 2)]}),
    "colon in the path": ("C:/x.py:5", {"C:/x.py": [(5, 5)]}),
    "white space": (" \t a.py: 1\t-\f9 \v", {"a.py": [(1, 9)]}),
    "lines of text": ("a.py:1\r\n\r\n  \nb.py\n", {"a.py": [(1, 1)], "b.py": []}),
    "other white space belongs to the path": ("\u00a0a.py:1", {"\u00a0a.py": [(1, 1)]}),
    "NEL is no line break": ("a.py\u0085b.py", {"a.py\u0085b.py": []}),
    "lone surrogate": ("\ud800:1", {"\ud800": [(1, 1)]}),
    "words": ("see a.py:1-5", {"see a.py": [(1, 5)]}),
    "overlapping ranges merge": ("a:1-5\na:3-9", {"a": [(1, 9)]}),
    "adjacent ranges merge": ("a:6-9\na:1-5", {"a": [(1, 9)]}),
    "separate ranges do not": ("a:7-9\na:1-5", {"a": [(1, 5), (7, 9)]}),
    "range within a range": ("a:1-9\na:3-4\na:10", {"a": [(1, 10)]}),
    "path with and without lines": ("a\na:3", {"a": [(3, 3)]}),
    "empty text": ("", {}),
    "blank text": (" \r\n\t", {}),
    "empty list": ([], {}),
    "object": ({"path": "a", "lines": [[1, 2]]}, {"a": [(1, 2)]}),
    "object without lines": ({"path": "a"}, {"a": []}),
    "null lines": ([{"path": "a", "lines": None}], {"a": []}),
    "empty lines": ([{"path": "a", "lines": []}], {"a": []}),
    "reversed lines": ([{"path": "a", "lines": [[5, 2]]}], {"a": [(2, 5)]}),
    "other keys": ({"path": "a", "score": 0.5}, {"a": []}),
    "object's path is exact": ([{"path": " a:1 "}], {" a:1 ": []}),
    "mixed list": (["a:1", {"path": "a", "lines": [[2, 3]]}, "b"], {"a": [(1, 3)], "b": []}),
    "huge numbers": ("a:1-" + "9" * 4_300, {"a": [(1, 10**4_300 - 1)]}),
}


@pytest.mark.parametrize(("value", "read"), READ.values(), ids=READ)
def test_shapes_that_are_read(value: Any, read: Any) -> None:
    """Objects, compact items, lists of both, and text."""
    assert parse_localizations(value) == read


UNREAD: dict[str, Any] = {
    "null": None,
    "number": 12345,
    "boolean": True,
    "open range": "a:1-",
    "open start": "a:-5",
    "no number": "a:",
    "word": "a:x",
    "Windows path alone": "C:\\src\\a.py",
    "three numbers": "a:1-2-3",
    "exponent": "a:1e1",
    "fraction": "a:10.0",
    "hex": "a:0x10",
    "plus": "a:+1",
    "underscore": "a:1_0",
    "full-width digits": "a:\uff11\uff10",
    "no-break space": "a:\u00a01",
    "other dash": "a:1\u20132",
    "number longer than CPython reads": "a:" + "9" * 4_301,
    "no path": ":1-2",
    "blank path": "  :1",
    "one bad line of many": "a:1\nb:x\nc:2",
    "JSON text": '[{"path": "a", "lines": [[1, 2]]}]',
    "JSON object text": '{"path": "a"}',
    "list in a list": [["a:1"]],
    "null in a list": ["a", None],
    "number in a list": [1],
    "empty item in a list": ["a", ""],
    "blank item in a list": [" \n"],
    "object without a path": {"lines": [[1, 2]]},
    "path that is no text": {"path": 5},
    "empty path": {"path": "", "lines": [[1, 2]]},
    "white space path": {"path": " \t"},
    "flat lines": {"path": "a", "lines": [1, 5]},
    "one end": {"path": "a", "lines": [[1]]},
    "three ends": {"path": "a", "lines": [[1, 2, 3]]},
    "null end": {"path": "a", "lines": [[None, 5]]},
    "empty text end": {"path": "a", "lines": [["", 5]]},
    "text end": {"path": "a", "lines": [["1", "5"]]},
    "float end": {"path": "a", "lines": [[1.0, 5]]},
    "boolean end": {"path": "a", "lines": [[True, 5]]},
    "negative end": {"path": "a", "lines": [[-1, 5]]},
    "lines as text": {"path": "a", "lines": "1-5"},
    "lines as an object": {"path": "a", "lines": {"start": 1}},
    "lines as false": {"path": "a", "lines": False},
}


@pytest.mark.parametrize("value", UNREAD.values(), ids=UNREAD)
def test_shapes_that_are_not(value: Any) -> None:
    """One unreadable part makes the whole unreadable, as candidate and as reference."""
    assert parse_localizations(value) is None
    assert judged(value, "a").code == "unparseable_candidate"
    assert judged("a", value).code == "invalid_reference"


def judged(candidate: Any, reference: Any = ABSENT, case: Any = ABSENT, **thresholds: float) -> Any:
    options = LocalizationF1(reference=reference, **thresholds)
    return localization_f1(options)(candidate, case)


SCORES: dict[str, tuple[Any, Any, float, float]] = {
    "same": ("a:1-10", "a:1-10", 1.0, 1.0),
    "half the lines": ("a:1-10", "a:6-10", 1.0, 0.5),
    "disjoint lines": ("a:1-5", "a:6-10", 1.0, 0.0),
    "one line shared": ("a:1-5", "a:5-9", 1.0, 1 / 9),
    "files only": ("a\nb", "a\nb", 1.0, 1.0),
    "lines on one side": ("a:1", "a", 1.0, 0.0),
    "no shared path": ("a:1", "b:1", 0.0, 0.0),
    "an extra file": ("a\nb\nc", "a\nb", 0.8, 1.0),
    "a missing file": ("a", "a\nb", 2 / 3, 1.0),
    "mean over shared paths": ("a:1-2\nb:1-4", "a:1-2\nb:3-4\nc", 0.8, 0.75),
    "several ranges": ("a:1-3\na:7-9", "a:2-8", 1.0, 4 / 9),
    "paths compare exactly": ("A.py:1", "a.py:1", 0.0, 0.0),
}


@pytest.mark.parametrize(("candidate", "reference", "files", "lines"), SCORES.values(), ids=SCORES)
def test_scores(candidate: Any, reference: Any, files: float, lines: float) -> None:
    """File F1 over the sets of paths, line F1 over the paths that both name; the lesser one is the score."""
    verdict = judged(candidate, reference)
    assert verdict.metadata == {"file_f1": pytest.approx(files), "line_f1": pytest.approx(lines)}
    assert verdict.score == min(verdict.metadata.values())
    assert (verdict.code == "ok") is (min(files, lines) >= 0.5)


VERDICTS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "default threshold, at it": ("a:1-2", {"reference": "a:1-4"}, "ok"),
    "default threshold, under it": ("a:1-2", {"reference": "a:1-5"}, "below_threshold"),
    "threshold of both": ("a:1-2", {"reference": "a:1-5", "threshold": 0.4}, "ok"),
    "line threshold": ("a:1-2", {"reference": "a:1-5", "line_threshold": 0.4}, "ok"),
    "line threshold alone is lower": ("a\nb\nc", {"reference": "a", "line_threshold": 0}, "ok"),
    "file threshold": ("a\nb\nc", {"reference": "a", "file_threshold": 0.51}, "below_threshold"),
    "file threshold beats threshold": ("a\nb", {"reference": "a", "threshold": 1, "file_threshold": 0.6}, "ok"),
    "zero still needs a shared path": ("b", {"reference": "a", "threshold": 0}, "below_threshold"),
    "zero still needs a shared line": ("a:1", {"reference": "a:2", "threshold": 0}, "below_threshold"),
    "zero": ("a:1", {"reference": "a:1-99", "threshold": 0}, "ok"),
    "case reference": ("a", {"case": "a"}, "ok"),
    "option beats case reference": ("a", {"reference": "a", "case": "b"}, "ok"),
    "case reference of tuples": ("a:1", {"case": ({"path": "a", "lines": ((1, 1),)},)}, "ok"),
    "no reference": ("a", {}, "missing_reference"),
    "null reference": ("a", {"reference": None}, "invalid_reference"),
    "null reference beats case reference": ("a", {"reference": None, "case": "a"}, "invalid_reference"),
    "null case reference": ("a", {"case": None}, "invalid_reference"),
    "case reference that is no JSON": ("a", {"case": b"a"}, "invalid_reference"),
    "empty reference": ("a", {"reference": []}, "invalid_reference"),
    "blank case reference": ("a", {"case": " \n"}, "invalid_reference"),
    "empty candidate": ("", {"reference": "a"}, "empty_candidate"),
    "empty list": ([], {"reference": "a"}, "empty_candidate"),
    "the reference comes first": ("a:x", {"reference": "a:x"}, "invalid_reference"),
}  # fmt: skip


@pytest.mark.parametrize(("candidate", "options", "code"), VERDICTS.values(), ids=VERDICTS)
def test_verdicts(candidate: Any, options: dict[str, Any], code: str) -> None:
    """Thresholds from both sides, and where the reference comes from."""
    verdict = judged(candidate, **options)
    assert verdict.code == code
    if code not in ("ok", "below_threshold"):
        assert (verdict.score, verdict.metadata) == (0.0, None)


def test_a_reason_tells_figures_only() -> None:
    """Neither paths of the candidate nor those of the reference."""
    assert (
        judged("secret:1-2\nx", "secret:2-3").reason
        == "file F1 0.6667 (threshold 0.5), line F1 0.3333 (threshold 0.5)"
    )


ranges = st.tuples(st.integers(0, 12), st.integers(0, 12))
sides = st.dictionaries(st.sampled_from("abc"), st.lists(ranges, max_size=3), min_size=1)


def as_items(side: dict[str, list[tuple[int, int]]]) -> list[Any]:
    return [{"path": path, "lines": [list(ends) for ends in lines]} for path, lines in side.items()]


def as_text(side: dict[str, list[tuple[int, int]]]) -> str:
    return "\n".join(
        f"{path}:{start}-{end}" if lines else path
        for path, lines in side.items()
        for start, end in lines or [(0, 0)]
    )


@given(sides, sides)
def test_scores_are_those_of_sets_of_lines(left: Any, right: Any) -> None:
    """Against sets and exact fractions; symmetric; the same from text, objects, and whatever order."""
    cited, expected = parse_localizations(as_items(left)), parse_localizations(as_text(right))
    assert cited is not None
    assert expected == parse_localizations(as_items(right)[::-1])
    sets = [
        {
            path: {line for ends in lines for line in range(min(ends), max(ends) + 1)}
            for path, lines in side.items()
        }
        for side in (left, right)
    ]
    shared = sets[0].keys() & sets[1].keys()
    assert file_f1(cited, expected) == pytest.approx(2 * len(shared) / (len(left) + len(right)))
    overlaps = [
        Fraction(len(sets[0][path] & sets[1][path]), len(union))
        if (union := sets[0][path] | sets[1][path])
        else 1
        for path in shared
    ]
    mean = sum(overlaps, Fraction(0)) / len(shared) if shared else 0
    assert line_f1(cited, expected) == pytest.approx(float(mean))
    assert line_f1(expected, cited) == pytest.approx(float(mean))
