"""Cases of ``localization_f1``."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817 - a ratio should read like one
from typing import Final

from .case import ABSENT, Case, Json, Number, fails, nest, passes


def scored(
    name: str,
    comment: str,
    flags: str,
    candidate: Json,
    reference: Json,
    file_f1: Number,
    line_f1: Number,
    **options: Json,
) -> Case:
    """State both figures, and by the thresholds whether they are enough."""
    bag = {"reference": reference, **options}
    threshold: Number = options.get("threshold", 0.5)
    file_threshold: Number = options.get("file_threshold", threshold)
    line_threshold: Number = options.get("line_threshold", threshold)
    enough = (
        min(file_f1, line_f1) > 0 and float(file_f1) >= file_threshold and float(line_f1) >= line_threshold
    )
    metadata = {"file_f1": float(file_f1), "line_f1": float(line_f1)}
    score = min(file_f1, line_f1)
    if enough:
        return passes(name, comment, flags, bag, candidate, score=score, metadata=metadata)
    return fails(name, comment, flags, "below_threshold", bag, candidate, score=score, metadata=metadata)


def same(name: str, comment: str, flags: str, candidate: Json, reference: Json) -> Case:
    """State that two sides are read as the same."""
    return scored(name, comment, flags, candidate, reference, 1, 1, threshold=1)


def unreadable(name: str, comment: str, flags: str, candidate: Json) -> Case:
    """State that a candidate cannot be read, although another item of it would do."""
    return fails(
        name, comment, flags, "unparseable_candidate", {"reference": "a.py:10", "threshold": 0}, candidate
    )


def item(path: Json, *lines: Json) -> dict[str, Json]:
    """Return an object item."""
    return {"path": path, "lines": list(lines)}


CASES: Final[tuple[Case, ...]] = (
    same(
        "identical",
        "The same lines of the same file.",
        "Basic",
        [item("a.py", [1, 10])],
        [item("a.py", [1, 10])],
    ),
    scored("other_file", "Another file.", "Basic", [item("b.py", [1, 10])], [item("a.py", [1, 10])], 0, 0),
    scored("other_lines", "Other lines.", "Basic", "a.py:20-30", "a.py:1-10", 1, 0),
    # Figures.
    scored("overlap", "5 lines of 15 are shared.", "Formula Ranges", "a.py:1-10", "a.py:6-15", 1, F(1, 3)),
    scored(
        "file_precision", "Files beside the expected ones.", "Formula", "a.py\nb.py\nc.py", "a.py", F(1, 2), 1
    ),
    scored(
        "file_recall", "Files that are not named.", "Formula", "a.py", "a.py\nb.py\nc.py\nd.py", F(2, 5), 1
    ),
    scored(
        "file_f1",
        "1 of 2 and 1 of 3.",
        "Formula",
        "a.py\nb.py",
        "a.py\nc.py\nd.py",
        F(2, 5),
        1,
        threshold=0.3,
    ),
    scored(
        "line_mean",
        "The mean over the shared files.",
        "Formula",
        "a.py:1-10\nb.py:1",
        "a.py:1-10\nb.py:1-4",
        1,
        F(5, 8),
    ),
    scored(
        "line_mean_of_shared_only",
        "Files that are not shared do not count in it.",
        "Formula",
        "a.py:1-10\nx.py:1",
        "a.py:1-10\ny.py:1",
        F(1, 2),
        1,
    ),
    scored(
        "score_is_the_smaller",
        "The score is the smaller figure, here that of the files.",
        "Formula",
        "a.py:1-4\nb.py:1-4",
        "a.py:1-3",
        F(2, 3),
        F(3, 4),
    ),
    scored(
        "score_is_the_smaller_lines", "Here that of the lines.", "Formula", "a.py:1-2", "a.py:1-3", 1, F(2, 3)
    ),
    scored("lines_on_one_side", "Lines against none give 0.", "Ranges", "a.py", "a.py:1", 1, 0, threshold=0),
    scored(
        "lines_on_the_other_side", "The other way round too.", "Ranges", "a.py:1", ["a.py"], 1, 0, threshold=0
    ),
    same("lines_on_neither_side", "None against none gives 1.", "Ranges", "a.py", {"path": "a.py"}),
    # Ranges.
    scored(
        "ends_included",
        "Both ends of a range belong to it.",
        "Ranges",
        "a.py:1-3",
        "a.py:3-5",
        1,
        F(1, 5),
        threshold=0.2,
    ),
    same("one_line", "A line is a range of one.", "Ranges", "a.py:7", [item("a.py", [7, 7])]),
    same("reversed", "Reversed ends are swapped.", "Ranges", "a.py:10-1", [item("a.py", [1, 10])]),
    same("reversed_object", "In an object too.", "Ranges", [item("a.py", [10, 1])], "a.py:1-10"),
    same(
        "overlapping_counted_once",
        "Overlapping ranges count each line once.",
        "Ranges",
        "a.py:1-10\na.py:5-10",
        "a.py:1-10",
    ),
    same("adjacent_joined", "Adjacent ranges make one.", "Ranges", "a.py:1-5\na.py:6-10", "a.py:1-10"),
    scored(
        "gap_stays", "A gap of one line stays.", "Ranges", "a.py:1-4\na.py:6-10", "a.py:1-10", 1, F(9, 10)
    ),
    same(
        "nested_and_unsorted",
        "Whatever their order.",
        "Ranges",
        [item("a.py", [20, 30], [1, 9], [3, 4], [8, 12])],
        "a.py:1-12\na.py:20-30",
    ),
    scored(
        "several_against_one",
        "Two ranges meet one.",
        "Ranges",
        "a.py:1-4\na.py:7-10",
        "a.py:3-8",
        1,
        F(4, 10),
    ),
    same("huge_range", "A range may be huge.", "Ranges", "a.py:1-1000000000000", "a.py:1000000000000-1"),
    same("line_zero", "Line 0 is a line.", "Ranges", "a.py:0", [item("a.py", [0, 0])]),
    # Paths.
    same(
        "repeated_path_merges",
        "A path that is repeated merges.",
        "Ranges",
        ["a.py:1", "b.py", "a.py:2"],
        ["a.py:1-2", "b.py"],
    ),
    same(
        "bare_path_adds_nothing",
        "A bare path adds no lines to one that has some.",
        "Ranges",
        ["a.py", "a.py:1-2"],
        "a.py:1-2",
    ),
    scored("path_case", "Paths compare exactly.", "Lowercase", "A.py", "a.py", 0, 0),
    scored("path_prefix", "Nothing is resolved.", "Compact", "./a.py", "a.py", 0, 0),
    scored("path_normal_form", "Nor normalised.", "NoNormalisation", "caf\u00e9.py", "cafe\u0301.py", 0, 0),
    same(
        "path_surrogate",
        "A lone surrogate is a character.",
        "LoneSurrogate",
        "\ud83d.py:1",
        [item("\ud83d.py", [1, 1])],
    ),
    # Forms.
    same(
        "compact_list",
        "A list of compact items.",
        "Compact",
        ["a.py:1-2", "b.py:3"],
        [item("a.py", [1, 2]), item("b.py", [3, 3])],
    ),
    same(
        "mixed_list",
        "Both forms in one list.",
        "Compact",
        ["a.py:1-2", item("b.py", [3, 3])],
        "a.py:1-2\nb.py:3",
    ),
    same("one_object", "One object.", "Compact", item("a.py", [1, 2]), "a.py:1-2"),
    same("lines_absent", "lines may be absent.", "Compact", [{"path": "a.py"}], "a.py"),
    same("lines_null", "Or null.", "Compact NullOption", [{"path": "a.py", "lines": None}], "a.py"),
    same("lines_empty", "Or empty.", "Compact", [item("a.py")], "a.py"),
    same(
        "windows_path",
        "The last colon splits.",
        "Compact",
        "C:\\src\\a.py:10-20",
        [item("C:\\src\\a.py", [10, 20])],
    ),
    same("two_colons", "Whatever stands before it.", "Compact", "a:b:3", [item("a:b", [3, 3])]),
    same(
        "spaces",
        "Whitespace round the item, the numbers and the dash is dropped.",
        "Compact Whitespace",
        "  a.py: 1 \t-  2  ",
        "a.py:1-2",
    ),
    same(
        "space_before_colon",
        "Before the colon it belongs to the path.",
        "Compact Whitespace",
        "a.py :1",
        [item("a.py ", [1, 1])],
    ),
    same(
        "space_in_path",
        "Inside a path it stays.",
        "Compact Whitespace",
        "my file.py:1",
        [item("my file.py", [1, 1])],
    ),
    same(
        "blank_lines",
        "Blank lines are skipped.",
        "Compact LineEnds",
        "\n\na.py:1\n \t\nb.py\n",
        ["a.py:1", "b.py"],
    ),
    same("crlf", "CRLF is harmless.", "Compact LineEnds", "a.py:1\r\n\r\nb.py\r\n", ["a.py:1", "b.py"]),
    same(
        "other_separators",
        "Only LF ends a line: U+2028, U+0085 and CR may stand in a path.",
        "Compact LineEnds",
        "a\u2028b\u0085c\rd.py:1",
        [item("a\u2028b\u0085c\rd.py", [1, 1])],
    ),
    scored(
        "json_text_not_parsed",
        "JSON in a text is not parsed: this is one long path.",
        "JsonParse Compact",
        '["a.py"]',
        "a.py",
        0,
        0,
    ),
    scored("prose_is_a_path", "Neither is prose understood.", "Compact", "see a.py:10", "a.py:10", 0, 0),
    # What cannot be read.
    unreadable("word_behind_colon", "A word behind the colon.", "Compact", "a.py:10\nb.py:x"),
    unreadable("nothing_behind_colon", "Nothing behind it.", "Compact", "a.py:10\nb.py:"),
    unreadable("nothing_before_colon", "Nothing before it.", "Compact", "a.py:10\n:1-2"),
    unreadable("open_start", "An open start is not 0.", "Compact", "a.py:-5"),
    unreadable("open_end", "Nor is an open end.", "Compact", "a.py:5-"),
    unreadable("three_numbers", "Three numbers.", "Compact", "a.py:1-2-3"),
    unreadable("two_ranges", "Two ranges.", "Compact", "a.py:1-2,5"),
    unreadable("exponent", "An exponent.", "Compact", "a.py:1e1"),
    unreadable("fraction", "A fraction.", "Compact", "a.py:10.0"),
    unreadable("hexadecimal", "Hexadecimal.", "Compact", "a.py:0xa"),
    unreadable("plus_sign", "A sign.", "Compact", "a.py:+10"),
    unreadable("underscore", "An underscore.", "Compact", "a.py:1_0"),
    unreadable("digits_beyond_ascii", "Digits beyond ASCII.", "Compact", "a.py:\uff11\uff10"),
    unreadable("windows_path_alone", "A drive without a line.", "Compact", "C:\\a.py"),
    unreadable("line_list_flat", "A flat list of lines.", "Ranges", [{"path": "a.py", "lines": [1, 10]}]),
    unreadable("line_single", "A range of one end.", "Ranges", [item("a.py", [10])]),
    unreadable("line_triple", "Or of three.", "Ranges", [item("a.py", [1, 5, 10])]),
    unreadable("line_null", "An end that is null.", "Ranges NullOption", [item("a.py", [None, 10])]),
    unreadable("line_text", "A text.", "Ranges", [item("a.py", ["10", "10"])]),
    unreadable("line_fraction", "A fraction.", "Ranges", [item("a.py", [9.5, 10])]),
    unreadable("line_boolean", "A boolean.", "BoolIsNoNumber", [item("a.py", [True, 10])]),
    unreadable("line_negative", "A negative number.", "Ranges", [item("a.py", [-1, 10])]),
    unreadable("lines_text", "Lines in a text.", "Compact", [{"path": "a.py", "lines": "10"}]),
    unreadable("path_missing", "No path.", "Compact", [{"lines": [[10, 10]]}]),
    unreadable("path_empty", "An empty one.", "Compact", [item("a.py", [10, 10]), item("", [1, 1])]),
    unreadable("path_number", "One that is no text.", "Compact", [item(5, [10, 10])]),
    unreadable(
        "empty_member",
        "An empty item in a list; in a text it would be an empty line.",
        "Compact EmptyInput",
        ["a.py:10", ""],
    ),
    unreadable("blank_member", "A blank one.", "Compact Whitespace", ["a.py:10", " \t"]),
    fails(
        "reference_empty_member",
        "As a reference.",
        "EmptyInput",
        "invalid_reference",
        {"reference": [""]},
        "a.py",
    ),
    same(
        "path_no_break_space",
        "U+00A0 is not blank.",
        "Compact Whitespace",
        ["\u00a0", item("\u0085")],
        "\u0085\n\u00a0",
    ),
    unreadable("number", "A number.", "Compact", 10),
    unreadable("null", "Null.", "NullOption", None),
    unreadable("boolean", "A boolean.", "Compact", True),
    unreadable("null_member", "A null in a list.", "Compact", ["a.py:10", None]),
    unreadable("list_member", "A list in a list.", "Compact", [["a.py:10"]]),
    unreadable("empty_object", "An empty object.", "EmptyInput", {}),
    unreadable(
        "path_blank", "A blank path.", "Compact Whitespace", [item("a.py", [10, 10]), item(" ", [1, 1])]
    ),
    # Sides that hold nothing.
    fails(
        "empty_text",
        "An empty text cites nothing.",
        "EmptyInput",
        "empty_candidate",
        {"reference": "a.py", "threshold": 0},
        "",
    ),
    fails(
        "blank_text",
        "Nor does a blank one.",
        "EmptyInput LineEnds",
        "empty_candidate",
        {"reference": "a.py"},
        "\r\n \n",
    ),
    fails(
        "empty_list",
        "Nor does an empty list.",
        "EmptyInput",
        "empty_candidate",
        {"reference": "a.py", "threshold": 0},
        [],
    ),
    fails(
        "reference_empty",
        "A reference that holds nothing.",
        "EmptyInput",
        "invalid_reference",
        {"reference": ""},
        "",
    ),
    fails("reference_empty_list", "As a list.", "EmptyInput", "invalid_reference", {}, [], reference=[]),
    # Thresholds.
    scored(
        "at_the_threshold",
        "Figures at the threshold pass.",
        "Threshold",
        "a.py:1-2\nb.py",
        "a.py:1-4\nc.py",
        F(1, 2),
        F(1, 2),
    ),
    scored(
        "file_threshold",
        "The files have a threshold of their own.",
        "Threshold",
        "a.py\nb.py",
        "a.py",
        F(2, 3),
        1,
        file_threshold=0.7,
    ),
    scored(
        "line_threshold",
        "And the lines.",
        "Threshold",
        "a.py:1-10",
        "a.py:6-15",
        1,
        F(1, 3),
        line_threshold=0.3,
    ),
    scored(
        "both_thresholds",
        "Each is held to its own.",
        "Threshold",
        "a.py:1-10",
        "a.py:6-15",
        1,
        F(1, 3),
        file_threshold=1,
        line_threshold=0.3,
    ),
    scored(
        "line_threshold_alone",
        "The other keeps the common one.",
        "Threshold",
        "a.py\nb.py\nc.py",
        "a.py\nx.py\ny.py",
        F(1, 3),
        1,
        line_threshold=0.1,
    ),
    scored(
        "common_threshold",
        "The common one is for both.",
        "Threshold",
        "a.py:1-10",
        "a.py:6-15",
        1,
        F(1, 3),
        threshold=0.3,
    ),
    scored(
        "own_beats_common",
        "Their own beat the common one.",
        "Threshold",
        "a.py:1-10",
        "a.py:6-15",
        1,
        F(1, 3),
        threshold=0.9,
        line_threshold=0.3,
        file_threshold=0.3,
    ),
    scored(
        "zero_is_not_enough",
        "A figure of 0 does not pass, not even at the threshold 0.",
        "Threshold",
        "b.py",
        "a.py",
        0,
        0,
        threshold=0,
    ),
    scored(
        "zero_lines_are_not_enough",
        "Nor does one of the two.",
        "Threshold",
        "a.py:1",
        "a.py:2",
        1,
        0,
        threshold=0,
    ),
    scored(
        "anything_above_zero",
        "At 0 anything above it does.",
        "Threshold",
        "a.py:1-100",
        "a.py:1",
        1,
        F(1, 100),
        threshold=0,
    ),
    # Inputs and options.
    passes(
        "case_reference",
        "The case reference stands in for the option.",
        "Precedence",
        {},
        "a.py:1",
        reference="a.py:1",
        score=1,
    ),
    fails(
        "option_beats_reference",
        "An explicit option wins.",
        "Precedence",
        "below_threshold",
        {"reference": "b.py"},
        "a.py",
        reference="a.py",
        score=0,
    ),
    fails("no_reference", "No reference.", "MissingInput", "missing_reference", {}, "a.py"),
    fails(
        "reference_null",
        "Null cannot be read.",
        "NullOption",
        "invalid_reference",
        {},
        "a.py",
        reference=None,
    ),
    fails(
        "reference_unreadable",
        "Nor can this.",
        "Compact",
        "invalid_reference",
        {"reference": "a.py:1-2-3"},
        "a.py",
    ),
    fails("reference_number", "Nor a number.", "Compact", "invalid_reference", {"reference": 5}, "a.py"),
    fails(
        "reference_before_candidate",
        "It is looked at before the candidate.",
        "Precedence",
        "invalid_reference",
        {"reference": "a.py:x"},
        "b.py:y",
    ),
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"reference": "a.py"},
        ABSENT,
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"reference": "a.py"},
        nest(0, 513),
    ),
    fails(
        "threshold_null",
        "A null threshold takes no default.",
        "NullOption",
        "invalid_option",
        {"reference": "a.py", "threshold": None},
        "a.py",
    ),
    fails(
        "threshold_boolean",
        "true is not 1.",
        "BoolIsNoNumber",
        "invalid_option",
        {"reference": "a.py", "threshold": True},
        "a.py",
    ),
    fails(
        "file_threshold_null",
        "The same for the files.",
        "NullOption",
        "invalid_option",
        {"reference": "a.py", "file_threshold": None},
        "a.py",
    ),
    fails(
        "line_threshold_text",
        "And the lines.",
        "OptionCheck",
        "invalid_option",
        {"reference": "a.py", "line_threshold": "0.5"},
        "a.py",
    ),
    fails(
        "threshold_above_one",
        "Above 1.",
        "OptionCheck Threshold",
        "invalid_option",
        {"reference": "a.py", "threshold": 1.1},
        "a.py",
    ),
    fails(
        "file_threshold_below_zero",
        "Below 0.",
        "OptionCheck Threshold",
        "invalid_option",
        {"reference": "a.py", "file_threshold": -0.1},
        "a.py",
    ),
    fails(
        "reference_option_depth_513",
        "Also in an option.",
        "NotJsonValue",
        "invalid_option",
        {"reference": {"path": "a.py", "x": nest(0, 512)}},
        "a.py",
    ),
    fails(
        "reference_depth_513",
        "And in a case reference.",
        "NotJsonValue",
        "invalid_reference",
        {},
        "a.py",
        reference={"path": "a.py", "x": nest(0, 512)},
    ),
    fails(
        "unknown_option",
        "A misspelt option is not ignored.",
        "OptionCheck Divergence",
        "unknown_option",
        {"reference": "a.py", "lines_threshold": 0.1},
        "a.py",
    ),
)
