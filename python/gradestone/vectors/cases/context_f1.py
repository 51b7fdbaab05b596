"""Cases of ``context_f1``."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817 - a ratio should read like one
from typing import Final

from .case import ABSENT, Case, Json, concat, fails, harmonic_mean, nest, passes, repeat


def matched(
    name: str,
    comment: str,
    flags: str,
    retrieved: Json,
    expected: Json,
    counts: tuple[int, int, int, int],
    **options: Json,
) -> Case:
    """State matched and all members of both lists; measure and threshold make the verdict of them."""
    precision, recall = F(counts[0], counts[1]), F(counts[2], counts[3])
    f1 = harmonic_mean(precision, recall) if precision + recall else F(0)
    score = {"precision": precision, "recall": recall, "f1": f1}[options.get("measure", "f1")]
    names = ("retrieved_matched", "retrieved", "expected_matched", "expected")
    metadata = dict(zip(names, counts, strict=True))
    bag = {"retrieved": retrieved, "expected": expected, **options}
    if float(score) >= options.get("threshold", 0.5):
        return passes(name, comment, flags, bag, "unused", score=score, metadata=metadata)
    return fails(name, comment, flags, "below_threshold", bag, "unused", score=score, metadata=metadata)


def alike(
    name: str, comment: str, flags: str, one: Json, other: Json, similarity_threshold: float = 0.7
) -> Case:
    """State that two members are alike."""
    return matched(
        name, comment, flags, [one], [other], (1, 1, 1, 1), similarity_threshold=similarity_threshold
    )


def differ(
    name: str, comment: str, flags: str, one: Json, other: Json, similarity_threshold: float = 0.7
) -> Case:
    """State that they are not."""
    return matched(
        name, comment, flags, [one], [other], (0, 1, 0, 1), similarity_threshold=similarity_threshold
    )


def refused(name: str, comment: str, flags: str, **options: Json) -> Case:
    """State that an option is refused."""
    bag = {"retrieved": ["a"], "expected": ["a"], **options}
    return fails(name, comment, flags, "invalid_option", bag, "unused")


def over_cap(name: str, comment: str, flags: str, retrieved: Json, expected: Json) -> Case:
    """State that a list is over a cap."""
    return fails(name, comment, flags, "over_cap", {"retrieved": retrieved, "expected": expected}, "unused")


CASES: Final[tuple[Case, ...]] = (
    matched("identical", "The same contexts.", "Basic", ["a", "b"], ["b", "a"], (2, 2, 2, 2), threshold=1),
    matched("disjoint", "Other contexts.", "Basic", ["abc"], ["xyz"], (0, 1, 0, 1)),
    # Measures: 1 of 3 retrieved, 1 of 2 expected.
    matched(
        "f1",
        "The harmonic mean is the default.",
        "Formula",
        ["a", "b", "c"],
        ["a", "d"],
        (1, 3, 1, 2),
        threshold=0.39,
    ),
    matched(
        "precision",
        "Precision is over the retrieved.",
        "Formula",
        ["a", "b", "c"],
        ["a", "d"],
        (1, 3, 1, 2),
        measure="precision",
    ),
    matched(
        "recall",
        "Recall is over the expected.",
        "Formula",
        ["a", "b", "c"],
        ["a", "d"],
        (1, 3, 1, 2),
        measure="recall",
    ),
    matched(
        "f1_named",
        "The default may be named.",
        "Formula",
        ["a", "b", "c"],
        ["a", "d"],
        (1, 3, 1, 2),
        measure="f1",
    ),
    matched(
        "zero_reaches_zero",
        "0/0 is 0, which reaches the threshold 0.",
        "Threshold",
        ["a"],
        ["b"],
        (0, 1, 0, 1),
        threshold=0,
    ),
    matched(
        "at_the_threshold",
        "A score at the threshold passes.",
        "Threshold",
        ["a", "b"],
        ["a", "c"],
        (1, 2, 1, 2),
    ),
    matched(
        "just_below",
        "One double above it does not.",
        "Threshold",
        ["a", "b"],
        ["a", "c"],
        (1, 2, 1, 2),
        threshold=0.5000000000000001,
    ),
    # Members.
    matched(
        "one_serves_many",
        "One expected member serves all retrieved ones.",
        "Members",
        ["a", "a", "a"],
        ["a", "b"],
        (3, 3, 1, 2),
        measure="precision",
        threshold=1,
    ),
    matched(
        "one_serves_many_recall",
        "And the other way round.",
        "Members",
        ["a", "b"],
        ["a", "a", "a"],
        (1, 2, 3, 3),
        measure="recall",
        threshold=1,
    ),
    matched(
        "repeats_count",
        "Repeated members count each time.",
        "Members",
        ["a", "b", "b"],
        ["a"],
        (1, 3, 1, 1),
        threshold=0.4,
    ),
    matched(
        "empty_member_counts",
        "An empty member counts among all.",
        "Members EmptyInput",
        ["a", ""],
        ["a"],
        (1, 2, 1, 1),
        measure="precision",
    ),
    matched(
        "empty_member_of_expected_counts",
        "On the other side too.",
        "Members EmptyInput",
        ["a"],
        ["a", " \n"],
        (1, 1, 1, 2),
        measure="recall",
    ),
    matched(
        "two_empty_members",
        "Two empty members are alike.",
        "Members EmptyInput",
        ["a", ""],
        ["b", "\t"],
        (1, 2, 1, 2),
    ),
    matched(
        "best_partner_is_enough",
        "One partner among many is enough.",
        "Members",
        ["zzz", "abcd"],
        ["yyy", "xxx", "abcd"],
        (1, 2, 1, 3),
        measure="precision",
    ),
    # Normalisation.
    alike("case", "Members are lowercased.", "Lowercase", "PARIS", "paris", 1),
    alike("kelvin", "The Kelvin sign is a k.", "Kelvin", "\u212a", "k", 1),
    alike(
        "dotted_i",
        "Dotted I is two code points, of which one is inserted.",
        "DottedI",
        "\u0130abc",
        "iabc",
        0.8,
    ),
    differ("dotted_i_is_longer", "So it is not i.", "DottedI", "\u0130", "i", 0.6),
    alike(
        "sigma", "The final sigma.", "FinalSigma", "\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c2", 1
    ),
    alike("unicode_16", "A letter that has case since Unicode 16.", "Unicode17", "\ua7cb", "\u0264", 1),
    alike(
        "whitespace_runs",
        "Runs of pinned whitespace are one space.",
        "Whitespace",
        "a \t\r\n\f\u000bb",
        "a b",
        1,
    ),
    alike("whitespace_ends", "Ends are trimmed of it.", "Whitespace", " \n a\t", "a", 1),
    differ("nbsp", "U+00A0 is a character.", "Whitespace", "a\u00a0b", "a b", 1),
    differ("nbsp_ends", "At the ends too.", "Whitespace Trim", "\u00a0a", "a", 0.6),
    differ("separators_kept", "So are U+0085 and U+FEFF.", "Whitespace Trim", "\u0085a\ufeff", "a", 0.4),
    # Similarity.
    alike(
        "similarity_at_threshold",
        "1 - 3/10 is the double 0.7.",
        "Similarity Threshold",
        "abcdefghij",
        "abcdefgxyz",
    ),
    differ("similarity_below_threshold", "1 - 4/10 is less.", "Similarity", "abcdefghij", "abcdefwxyz"),
    differ(
        "similarity_is_a_double",
        "1 - 9/10 is a double below 0.1.",
        "Similarity Threshold",
        "abcdefghij",
        "a123456789",
        0.1,
    ),
    alike("similarity_zero", "At 0 all are alike.", "Similarity Threshold", "abc", "xyz", 0),
    differ("similarity_one", "At 1 only equals.", "Similarity Threshold", "abcdefghijk", "abcdefghijx", 1),
    alike("similarity_one_equal", "Which are.", "Similarity Threshold", "abc", "abc", 1),
    alike("longer_length", "The longer length divides.", "Similarity", "abcdefghij", "abcdefg"),
    differ("longer_length_below", "One more, and they differ.", "Similarity", "abcdefghij", "abcdef"),
    alike("substitution_costs_one", "A substitution costs one.", "Similarity", "abc", "abd", 0.6),
    differ("transposition_costs_two", "A transposition costs two.", "Similarity", "abcd", "abdc", 0.7),
    alike("insertion_costs_one", "An insertion costs one.", "Similarity", "abcd", "abxcd", 0.8),
    differ(
        "not_a_subsequence", "The distance is no matter of common letters.", "Similarity", "abcd", "dcba", 0.3
    ),
    alike("shift", "A shift costs two.", "Similarity", "abcdefgh", "bcdefgha", 0.75),
    differ(
        "astral",
        "Code points count: one of two differs.",
        "Astral Similarity",
        "\U0001f600a",
        "\U0001f601a",
        0.6,
    ),
    alike("astral_alike", "So the half is reached.", "Astral Similarity", "\U0001f600a", "\U0001f601a", 0.5),
    alike("surrogate", "A lone surrogate equals itself.", "LoneSurrogate", "\ud83d", "\ud83d", 1),
    differ("surrogate_differs", "And no other.", "LoneSurrogate", "\ud83d", "\ud83e", 0.5),
    *(
        (alike if size >= 64 else differ)(
            f"word_size_{size}",
            f"One substitution at the end of {size} code points, against 1 - 1/64.",
            "WordSize Similarity",
            repeat("a", size),
            concat(repeat("a", size - 1), "b"),
            1 - 1 / 64,
        )
        for size in (63, 64, 65)
    ),
    *(
        (alike if size >= 128 else differ)(
            f"two_words_{size}",
            f"One substitution in the middle of {size} code points, against 1 - 1/128.",
            "WordSize Similarity",
            repeat("a", size),
            concat(repeat("a", 63), "b", repeat("a", size - 64)),
            1 - 1 / 128,
        )
        for size in (127, 128, 129)
    ),
    differ(
        "two_substitutions_128",
        "Two in 128 are too many for that.",
        "WordSize Similarity",
        repeat("a", 128),
        concat("b", repeat("a", 126), "b"),
        1 - 1 / 128,
    ),
    alike(
        "long_shift",
        "Two edits across 130 code points.",
        "WordSize Similarity",
        concat("b", repeat("a", 129)),
        concat(repeat("a", 129), "b"),
        1 - 2 / 130,
    ),
    # Empty lists.
    fails(
        "retrieved_empty_text",
        "Retrieved members that are all empty.",
        "EmptyInput",
        "empty_retrieved",
        {"retrieved": ["", " \n"], "expected": ["a"], "threshold": 0},
        "unused",
    ),
    fails(
        "expected_empty_text",
        "Expected members that are all empty.",
        "EmptyInput",
        "empty_expected",
        {"retrieved": ["a"], "expected": [""], "threshold": 0},
        "unused",
    ),
    fails(
        "both_empty_text",
        "The retrieved are told first.",
        "EmptyInput Precedence",
        "empty_retrieved",
        {"retrieved": [""], "expected": [""]},
        "unused",
    ),
    matched(
        "nbsp_is_not_empty",
        "U+00A0 is not empty.",
        "EmptyInput Whitespace",
        ["\u00a0"],
        ["\u00a0"],
        (1, 1, 1, 1),
    ),
    # Caps.
    matched(
        "members_64", "64 members are graded.", "Cap", repeat(["a"], 64), repeat(["a"], 64), (64, 64, 64, 64)
    ),
    over_cap("retrieved_65", "65 are not.", "Cap", repeat(["a"], 65), ["a"]),
    over_cap("expected_65", "On the other side neither.", "Cap", ["a"], repeat(["a"], 65)),
    over_cap(
        "empty_members_65",
        "Empty ones count, and the cap comes first.",
        "Cap Precedence",
        repeat([""], 65),
        ["a"],
    ),
    matched(
        "code_points_8192",
        "8192 code points are graded.",
        "Cap",
        [repeat("a", 8192)],
        ["b"],
        (0, 1, 0, 1),
        threshold=0,
    ),
    matched(
        "expected_code_points_8192",
        "On the other side too.",
        "Cap",
        ["b"],
        [repeat("a", 8190), "bb"],
        (0, 1, 0, 2),
        threshold=0,
    ),
    over_cap("code_points_8193", "8193 are not.", "Cap", [repeat("a", 8193)], ["a"]),
    over_cap(
        "code_points_in_sum",
        "They are counted in sum.",
        "Cap",
        ["a"],
        [repeat("a", 4096), repeat("b", 4096), "c"],
    ),
    over_cap(
        "counted_as_given",
        "And as given, before whitespace is collapsed.",
        "Cap Whitespace",
        [repeat(" ", 8193)],
        ["a"],
    ),
    matched(
        "astral_8192",
        "Astral characters count one each.",
        "Cap Astral",
        [repeat("\U0001f600", 8192)],
        ["b"],
        (0, 1, 0, 1),
        threshold=0,
    ),
    # Inputs and options.
    passes(
        "candidate_unused",
        "The candidate is not looked at, even if there is none.",
        "MissingInput",
        {"retrieved": ["a"], "expected": ["a"]},
        ABSENT,
        score=1,
    ),
    passes(
        "candidate_too_deep",
        "Or one that no other grader accepts.",
        "NotJsonValue",
        {"retrieved": ["a"], "expected": ["a"]},
        nest(0, 513),
        score=1,
    ),
    fails(
        "case_reference_unused",
        "Nor is the case reference.",
        "MissingInput",
        "missing_option",
        {"retrieved": ["a"]},
        "a",
        reference=["a"],
    ),
    fails(
        "retrieved_missing",
        "retrieved is required.",
        "OptionCheck",
        "missing_option",
        {"expected": ["a"]},
        "a",
    ),
    refused("retrieved_empty_list", "An empty list is refused.", "OptionCheck EmptyInput", retrieved=[]),
    refused("expected_empty_list", "On the other side too.", "OptionCheck EmptyInput", expected=[]),
    refused("retrieved_text", "A text is no list.", "OptionCheck", retrieved="a"),
    refused("retrieved_number", "A number is no text.", "OptionCheck", retrieved=["a", 5]),
    refused("expected_null_member", "Nor is null.", "NullOption", expected=[None]),
    refused("retrieved_null", "Null is no list.", "NullOption", retrieved=None),
    refused("measure_unknown", "fmeasure is a measure of rouge_score.", "OptionCheck", measure="fmeasure"),
    refused("measure_null", "Null takes no default.", "NullOption", measure=None),
    refused("similarity_threshold_null", "Null takes no default.", "NullOption", similarity_threshold=None),
    refused("similarity_threshold_above_one", "Above 1.", "OptionCheck Threshold", similarity_threshold=1.5),
    refused("threshold_below_zero", "Below 0.", "OptionCheck Threshold", threshold=-0.5),
    refused("threshold_boolean", "true is not 1.", "BoolIsNoNumber", threshold=True),
    fails(
        "unknown_option",
        "A misspelt option is not ignored.",
        "OptionCheck Divergence",
        "unknown_option",
        {"retrieved": ["a"], "expected": ["a"], "similarity": 0.5},
        "unused",
    ),
)
