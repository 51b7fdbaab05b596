"""Cases of ``rouge_score``."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817 - a ratio should read like one
from typing import Final

from .case import ABSENT, Case, Json, Number, concat, fails, harmonic_mean, nest, passes, repeat


def scores(
    name: str,
    comment: str,
    flags: str,
    candidate: Json,
    reference: Json,
    overlap: int,
    score: Number,
    threshold: float = 0.5,
    **options: Json,
) -> Case:
    """State an overlap and the score that it makes, and by the threshold whether that is enough."""
    bag = {"reference": reference, "threshold": threshold, **options}
    metadata = {"overlap": overlap}
    if float(score) >= threshold:
        return passes(name, comment, flags, bag, candidate, score=score, metadata=metadata)
    return fails(name, comment, flags, "below_threshold", bag, candidate, score=score, metadata=metadata)


def lcs(
    name: str, comment: str, flags: str, candidate: Json, reference: Json, length: int, sizes: tuple[int, int]
) -> Case:
    """State the length of the longest common subsequence of two sides of so many tokens."""
    score = harmonic_mean(F(length, sizes[0]), F(length, sizes[1])) if length else 0
    return scores(name, comment, flags, candidate, reference, length, score, rouge_type="rouge_l")


def shifted(tokens: int) -> Case:
    """Move one token from the end of so many to their front."""
    size = tokens + 1
    return lcs(
        f"shifted_{tokens}",
        f"{tokens} equal tokens and another that moved from the end to the front.",
        "WordSize",
        concat(repeat("a ", tokens), "z"),
        concat("z ", repeat("a ", tokens)),
        tokens,
        (size, size),
    )


def alternating(pairs: int) -> Case:
    """Put so many pairs against the same pairs turned round."""
    size = 2 * pairs
    return lcs(
        f"alternating_{size}",
        f"{pairs} pairs against turned ones: all tokens but one.",
        "WordSize",
        repeat("a b ", pairs),
        repeat("b a ", pairs),
        size - 1,
        (size, size),
    )


CASES: Final[tuple[Case, ...]] = (
    scores("identical", "Equal texts score 1.", "Basic", "the cat sat", "the cat sat", 3, 1, 1),
    scores("unlike", "Nothing in common scores 0.", "Basic", "a b", "x y", 0, 0),
    scores(
        "zero_reaches_zero", "0 reaches the threshold 0, and 0/0 is 0.", "Threshold", "a b", "x y", 0, 0, 0
    ),
    # Measures: 2 of 3 candidate tokens, 2 of 4 reference tokens.
    scores("fmeasure", "The harmonic mean is the default.", "Formula", "a b c", "a b d e", 2, F(4, 7)),
    scores(
        "precision",
        "Precision is over the candidate.",
        "Formula",
        "a b c",
        "a b d e",
        2,
        F(2, 3),
        measure="precision",
    ),
    scores(
        "recall", "Recall is over the reference.", "Formula", "a b c", "a b d e", 2, F(1, 2), measure="recall"
    ),
    scores(
        "recall_of_a_part",
        "A part has a low recall.",
        "Formula",
        "a",
        "a b c d",
        1,
        F(1, 4),
        measure="recall",
    ),
    scores(
        "precision_of_a_part",
        "And a full precision.",
        "Formula",
        "a",
        "a b c d",
        1,
        1,
        1,
        measure="precision",
    ),
    scores(
        "precision_of_padding",
        "Padding lowers precision.",
        "Formula",
        "a b c d",
        "a",
        1,
        F(1, 4),
        measure="precision",
    ),
    scores(
        "fmeasure_named",
        "The default may be named.",
        "Formula",
        "a b c",
        "a b d e",
        2,
        F(4, 7),
        measure="fmeasure",
        rouge_type="rouge_1",
    ),
    # rouge_1
    scores(
        "clipped_by_reference",
        "A token counts as often as the reference has it.",
        "Clipping",
        "a a a",
        "a b",
        1,
        F(2, 5),
    ),
    scores(
        "clipped_by_candidate",
        "And as often as the candidate has it.",
        "Clipping",
        "a b",
        "a a a",
        1,
        F(2, 5),
    ),
    scores("order_is_ignored", "In rouge_1 order does not matter.", "Formula", "c b a", "a b c", 3, 1, 1),
    scores("multiset", "Counts do.", "Clipping", "a a b b c", "a b b b d", 3, F(3, 5)),
    # rouge_l
    scores(
        "order_counts", "In rouge_l it does.", "Formula", "c b a", "a b c", 1, F(1, 3), rouge_type="rouge_l"
    ),
    lcs("subsequence", "A subsequence need not be contiguous.", "Formula", "a x b y c", "a b c", 3, (5, 3)),
    lcs("crossing", "Crossing matches exclude each other.", "Formula", "a b c d e", "a c e b d", 3, (5, 5)),
    lcs("repeated_token", "A token serves once.", "Formula", "a a b", "a b a", 2, (3, 3)),
    lcs("repeated_in_reference", "However often the other side has it.", "Formula", "a", "a a", 1, (1, 2)),
    lcs(
        "greedy_is_wrong",
        "The first match is not always part of the longest.",
        "Formula",
        "c a b d",
        "a b c d",
        3,
        (4, 4),
    ),
    scores(
        "lcs_precision",
        "Precision over the candidate.",
        "Formula",
        "a x b y c",
        "a b c",
        3,
        F(3, 5),
        rouge_type="rouge_l",
        measure="precision",
    ),
    scores(
        "lcs_recall",
        "Recall over the reference.",
        "Formula",
        "a x b y c",
        "a b c",
        3,
        1,
        1,
        rouge_type="rouge_l",
        measure="recall",
    ),
    *map(shifted, (62, 63, 64, 65, 126, 127, 128, 129)),
    *map(alternating, (31, 32, 33, 63, 64, 65)),
    lcs(
        "word_against_two",
        "63 tokens within 128.",
        "WordSize",
        repeat("a ", 63),
        repeat("b a ", 64),
        63,
        (63, 128),
    ),
    lcs(
        "two_words_against_one",
        "And the other way round.",
        "WordSize",
        repeat("b a ", 64),
        repeat("a ", 65),
        64,
        (128, 65),
    ),
    lcs(
        "last_bit_of_a_word",
        "The only match is the 64th token.",
        "WordSize",
        concat(repeat("x ", 63), "a"),
        concat("a ", repeat("y ", 63)),
        1,
        (64, 64),
    ),
    lcs(
        "first_bit_of_next_word",
        "Or the 65th.",
        "WordSize",
        concat(repeat("x ", 64), "a"),
        concat(repeat("y ", 64), "a"),
        1,
        (65, 65),
    ),
    lcs(
        "carry_across_words",
        "A match that is carried from one word into the next.",
        "WordSize",
        concat("b ", repeat("a ", 130)),
        concat(repeat("a ", 130), "b"),
        130,
        (131, 131),
    ),
    # Tokens.
    scores(
        "tokens",
        "Marks are tokens, letters and digits run together.",
        "Tokens",
        "Don't say GPT4!",
        "don ' t say gpt4 !",
        6,
        1,
        1,
    ),
    scores(
        "whitespace",
        "Only pinned whitespace separates.",
        "Whitespace",
        "a\u000bb\u00a0c",
        "a b c",
        3,
        F(6, 7),
    ),
    scores("kelvin", "The Kelvin sign is a k.", "Kelvin", "\u212a", "k", 1, 1, 1),
    scores("dotted_i", "Dotted I holds an i.", "DottedI", "\u0130", "i", 1, F(2, 3)),
    scores(
        "sigma", "A final sigma is another token.", "FinalSigma", "\u0391\u03a3", "\u03b1\u03c3", 1, F(1, 2)
    ),
    scores(
        "unicode_16",
        "A letter that has case since Unicode 16.",
        "Unicode17",
        "\U00010d50",
        "\U00010d70",
        1,
        1,
        1,
    ),
    scores("astral", "An astral character is one token.", "Astral", "\U0001f600", "\U0001f601", 0, 0),
    scores("surrogates", "So is a lone surrogate.", "LoneSurrogate", "\ud83d x", "\ud83d \ude00", 1, F(1, 2)),
    scores(
        "surrogates_lcs",
        "In rouge_l too.",
        "LoneSurrogate",
        "\ud83d x \ude00",
        "\ud83d \ude00",
        2,
        F(4, 5),
        rouge_type="rouge_l",
    ),
    # Thresholds.
    scores(
        "at_the_threshold", "A score at the threshold passes.", "Threshold", "a b", "a c", 1, F(1, 2), 0.5
    ),
    scores(
        "just_below",
        "One double above it does not.",
        "Threshold",
        "a b",
        "a c",
        1,
        F(1, 2),
        0.5000000000000001,
    ),
    passes(
        "default_threshold",
        "The default is one half.",
        "Threshold",
        {"reference": "a c"},
        "a b",
        score=F(1, 2),
    ),
    # Empty sides.
    fails(
        "empty_candidate",
        "An empty candidate.",
        "EmptyInput",
        "empty_candidate",
        {"reference": "a", "threshold": 0},
        "",
    ),
    fails(
        "blank_candidate",
        "A blank one.",
        "EmptyInput Whitespace",
        "empty_candidate",
        {"reference": "a"},
        "\u000b\f",
    ),
    scores("bom_candidate", "U+FEFF is a token.", "EmptyInput Whitespace", "\ufeff", "a", 0, 0),
    fails(
        "blank_reference",
        "A blank reference.",
        "EmptyInput Trim",
        "empty_reference",
        {"reference": "\u3000\ufeff "},
        "a",
    ),
    scores("separator_reference", "U+001C is a token.", "EmptyInput Trim", "\u001c", "\u001c", 1, 1, 1),
    fails(
        "both_empty",
        "The reference is looked at first.",
        "EmptyInput Precedence",
        "empty_reference",
        {},
        "",
        reference="",
    ),
    # Caps.
    scores(
        "tokens_4096",
        "4096 tokens a side are scored.",
        "Cap",
        repeat("a ", 4096),
        repeat("a ", 4096),
        4096,
        1,
        1,
    ),
    scores(
        "lcs_4096",
        "In rouge_l too.",
        "Cap WordSize",
        repeat("a b ", 2048),
        repeat("b a ", 65),
        130,
        F(260, 4226),
        0.06,
        rouge_type="rouge_l",
    ),
    fails(
        "candidate_4097",
        "A candidate of 4097 is not.",
        "Cap",
        "over_cap",
        {"reference": "a", "threshold": 0},
        repeat("a ", 4097),
    ),
    fails("reference_4097", "Nor is a reference.", "Cap", "over_cap", {"reference": repeat("a ", 4097)}, "a"),
    fails(
        "lcs_4097",
        "In rouge_l neither.",
        "Cap",
        "over_cap",
        {"reference": "a", "rouge_type": "rouge_l"},
        repeat(".", 4097),
    ),
    # Inputs and options.
    passes(
        "case_reference",
        "The case reference stands in for the option.",
        "Precedence",
        {},
        "a b",
        reference="b a",
        score=1,
    ),
    fails(
        "option_beats_reference",
        "An explicit option wins.",
        "Precedence",
        "below_threshold",
        {"reference": "x"},
        "a",
        reference="a",
        score=0,
    ),
    passes(
        "structured_candidate",
        "A structured candidate counts by its JSON text.",
        "JsonText NumberText",
        {"reference": "[1,0]", "rouge_type": "rouge_l"},
        [1.0, -0.0],
        score=1,
    ),
    fails("no_reference", "No reference.", "MissingInput", "missing_reference", {}, "a"),
    fails(
        "reference_null",
        "A case reference of null is no text.",
        "NullOption",
        "invalid_reference",
        {},
        "null",
        reference=None,
    ),
    fails("reference_list", "Nor is a list.", "OptionCheck", "invalid_reference", {}, "a", reference=["a"]),
    fails(
        "no_candidate",
        "A row without a candidate.",
        "MissingInput",
        "missing_candidate",
        {"reference": "a"},
        ABSENT,
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"reference": "a"},
        nest(0, 513),
    ),
    fails(
        "option_null",
        "A null option is not an absent one.",
        "NullOption",
        "invalid_option",
        {"reference": None},
        "a",
        reference="a",
    ),
    fails(
        "type_unknown",
        "An unknown type.",
        "OptionCheck",
        "invalid_option",
        {"reference": "a", "rouge_type": "rouge_2"},
        "a",
    ),
    fails(
        "type_case",
        "Spelt exactly.",
        "OptionCheck",
        "invalid_option",
        {"reference": "a", "rouge_type": "rouge_L"},
        "a",
    ),
    fails(
        "type_null",
        "Null takes no default.",
        "NullOption",
        "invalid_option",
        {"reference": "a", "rouge_type": None},
        "a",
    ),
    fails(
        "measure_unknown",
        "f1 is a measure of context_f1.",
        "OptionCheck",
        "invalid_option",
        {"reference": "a", "measure": "f1"},
        "a",
    ),
    fails(
        "threshold_null",
        "A null threshold takes no default.",
        "NullOption",
        "invalid_option",
        {"reference": "a", "threshold": None},
        "a",
    ),
    fails(
        "threshold_boolean",
        "true is not 1.",
        "BoolIsNoNumber",
        "invalid_option",
        {"reference": "a", "threshold": True},
        "a",
    ),
    fails(
        "threshold_above_one",
        "Above 1.",
        "OptionCheck Threshold",
        "invalid_option",
        {"reference": "a", "threshold": 1.0000000000000002},
        "a",
    ),
    fails(
        "unknown_option",
        "A misspelt option is not ignored.",
        "OptionCheck Divergence",
        "unknown_option",
        {"reference": "a", "rougetype": "rouge_l"},
        "a",
    ),
)
