"""Localization F1: the files and line ranges that an answer cites, against those that it should."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from gradestone.graders.rows import MISSING_REFERENCE, RowGrader
from gradestone.jsontext import JsonValue, NotJsonValueError, to_json_value
from gradestone.options import Absent, LocalizationF1
from gradestone.reference.text import PINNED_WHITESPACE
from gradestone.verdict import RowVerdict

Range: TypeAlias = tuple[int, int]
"""First and last line, both included, in this order."""

Localizations: TypeAlias = Mapping[str, list[Range]]
"""The ranges cited of each path: ascending, none touching another; empty for a file cited as a whole."""


def localization_f1(options: LocalizationF1) -> RowGrader:
    """Pass when file F1 and line F1 are above 0 and reach their thresholds; the score is the lesser one."""
    fallback = options.threshold
    file_threshold = fallback if isinstance(options.file_threshold, Absent) else options.file_threshold
    line_threshold = fallback if isinstance(options.line_threshold, Absent) else options.line_threshold
    own = None if isinstance(options.reference, Absent) else _read_reference(options.reference)

    def grade(candidate: JsonValue, reference: object) -> RowVerdict:
        expected = _read_reference(reference) if own is None else own
        if isinstance(expected, RowVerdict):
            return expected
        cited = parse_localizations(candidate)
        if cited is None:
            return _UNPARSEABLE
        if not cited:
            return _EMPTY
        files, lines = file_f1(cited, expected), line_f1(cited, expected)
        passed = min(files, lines) > 0 and files >= file_threshold and lines >= line_threshold
        reason = (
            f"file F1 {files:.4f} (threshold {file_threshold:g}), "
            f"line F1 {lines:.4f} (threshold {line_threshold:g})"
        )
        figures = {"file_f1": files, "line_f1": lines}
        return RowVerdict("ok" if passed else "below_threshold", min(files, lines), reason, figures)

    return grade


_UNPARSEABLE: Final = RowVerdict("unparseable_candidate", 0.0, "candidate cannot be read as localizations")
_EMPTY: Final = RowVerdict("empty_candidate", 0.0, "candidate cites nothing")
_INVALID: Final = RowVerdict(
    "invalid_reference", 0.0, "reference cannot be read as localizations, or is empty"
)


def _read_reference(reference: object) -> Localizations | RowVerdict:
    if isinstance(reference, Absent):
        return MISSING_REFERENCE
    try:
        return parse_localizations(to_json_value(reference)) or _INVALID
    except NotJsonValueError:
        return _INVALID


def parse_localizations(value: JsonValue) -> Localizations | None:
    r"""Read localizations from any of their shapes: None if a part cannot be read, empty if there is none.

    A list of objects ``{"path": …, "lines": [[start, end], …]}`` and of compact items ``path:start-end``,
    ``path:line``, ``path``; one such object; or text with a compact item a line. Repeated paths merge.

    >>> parse_localizations("a.py:7-5\r\n\r\na.py : 8\nb.py")
    {'a.py': [(5, 7)], 'a.py ': [(8, 8)], 'b.py': []}
    >>> parse_localizations([{"path": "a.py", "lines": [[1, 2], [3, 4]]}, "a.py:9"])
    {'a.py': [(1, 4), (9, 9)]}
    >>> parse_localizations("a.py:x"), parse_localizations([{"path": "a.py", "lines": [[1, 2.0]]}])
    (None, None)
    """
    items: Iterable[JsonValue]
    if isinstance(value, str):
        items = filter(_is_not_blank, value.split("\n"))
    elif isinstance(value, (dict, list)):
        items = [value] if isinstance(value, dict) else value
    else:
        return None
    cited: dict[str, list[Range]] = {}
    for item in items:
        if isinstance(item, str) and (plain := _PLAIN(item)):
            path, start, end = plain.groups()
            cited.setdefault(path, []).append(_range(int(start), int(end or start)))
            continue
        read = _read_object(item) if isinstance(item, dict) else _read_compact(item)
        if read is None:
            return None
        path, ranges = read
        cited.setdefault(path, []).extend(ranges)
    return {path: _merged(ranges) for path, ranges in cited.items()}


def _is_not_blank(text: str) -> bool:
    return bool(text.strip(PINNED_WHITESPACE))


def _read_object(item: dict[str, JsonValue]) -> tuple[str, list[Range]] | None:
    path, lines = item.get("path"), item.get("lines")
    if not isinstance(path, str) or not _is_not_blank(path):
        return None
    if lines is None:
        return path, []
    if not isinstance(lines, list) or not all(map(_is_range, lines)):
        return None
    return path, [_range(*ends) for ends in lines]


def _is_range(ends: JsonValue) -> bool:
    return isinstance(ends, list) and len(ends) == 2 and all(type(end) is int and end >= 0 for end in ends)


_PLAIN: Final = re.compile(r"([^\s:]+):([0-9]{1,9})(?:-([0-9]{1,9}))?").fullmatch
"""How nearly all items are written: nothing of them is dropped, and there is no other colon."""

_LINES: Final = re.compile(
    rf"[{PINNED_WHITESPACE}]*([0-9]{{1,4300}})"
    rf"(?:[{PINNED_WHITESPACE}]*-[{PINNED_WHITESPACE}]*([0-9]{{1,4300}}))?"
)
"""What may follow an item's last colon; ``int`` reads 4 300 digits and no more."""


def _read_compact(item: JsonValue) -> tuple[str, list[Range]] | None:
    if not isinstance(item, str):
        return None
    item = item.strip(PINNED_WHITESPACE)
    path, colon, lines = item.rpartition(":")
    if not colon:
        return (item, []) if item else None
    match = _LINES.fullmatch(lines)
    if match is None or not path:
        return None
    return path, [_range(int(match[1]), int(match[2] or match[1]))]


def _range(start: int, end: int) -> Range:
    return (start, end) if start <= end else (end, start)


def _merged(ranges: list[Range]) -> list[Range]:
    if len(ranges) < 2:
        return ranges
    merged: list[Range] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def file_f1(cited: Localizations, expected: Localizations) -> float:
    """Return the F1 of two sets of paths, neither empty: precision of the cited, recall of the expected.

    >>> file_f1({"a": [], "b": [], "c": []}, {"a": [], "b": []})
    0.8
    """
    shared = len(cited.keys() & expected.keys())
    if not shared:
        return 0.0
    precision, recall = shared / len(cited), shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def line_f1(cited: Localizations, expected: Localizations) -> float:
    """Return the mean, over the shared paths, of intersection over union of their lines.

    >>> line_f1({"a": [(1, 10)], "b": []}, {"a": [(6, 15)], "b": [], "c": []})
    0.6666666666666666
    """
    shared = [path for path in cited if path in expected]
    if not shared:
        return 0.0
    return sum(_overlap(cited[path], expected[path]) for path in shared) / len(shared)


def _overlap(left: list[Range], right: list[Range]) -> float:
    if not left or not right:
        return float(left == right)
    if left == right:
        return 1.0
    both = _shared_lines(left, right)
    return both / (_count(left) + _count(right) - both)


def _count(ranges: list[Range]) -> int:
    return sum(end - start + 1 for start, end in ranges)


def _shared_lines(left: list[Range], right: list[Range]) -> int:
    shared = 0
    here, there = 0, 0
    while here < len(left) and there < len(right):
        start = max(left[here][0], right[there][0])
        end = min(left[here][1], right[there][1])
        shared += max(0, end - start + 1)
        if left[here][1] < right[there][1]:
            here += 1
        else:
            there += 1
    return shared
