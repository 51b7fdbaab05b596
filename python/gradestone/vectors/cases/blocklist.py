"""Cases of ``blocklist``."""

from __future__ import annotations

from typing import Final

from .case import ABSENT, Case, Json, concat, fails, nest, passes, repeat


def clean(name: str, comment: str, flags: str, terms: list[str], candidate: Json) -> Case:
    """State that no term hits."""
    return passes(name, comment, flags, {"terms": terms}, candidate)


def blocked(name: str, comment: str, flags: str, terms: list[str], candidate: Json, *hits: str) -> Case:
    """State which terms hit; without ``hits``, all of them."""
    found = list(hits) or terms
    return fails(name, comment, flags, "blocked_term", {"terms": terms}, candidate, metadata={"hits": found})


CASES: Final[tuple[Case, ...]] = (
    clean("absent", "No term occurs.", "Basic", ["acme", "globex"], "a clean answer"),
    blocked("present", "One does.", "Basic", ["acme"], "we love acme products"),
    blocked("whole_text", "The ends of the text are borders.", "Basic Border", ["acme"], "acme"),
    clean("empty_candidate", "An empty text holds nothing.", "EmptyInput", ["a"], ""),
    clean("inside_a_word", "A term inside a word is no hit.", "Border", ["kill"], "skills"),
    clean("letter_before", "A letter before is enough.", "Border", ["kill"], "xkill"),
    clean("letter_behind", "So is one behind.", "Border", ["kill"], "kills"),
    clean("digit_before", "A digit too.", "Border", ["kill"], "2kill"),
    clean("digit_behind", "And behind.", "Border", ["kill"], "kill2"),
    blocked("underscore_is_a_border", "The underscore is no letter.", "Border", ["kill"], "_kill_"),
    blocked("punctuation_is_a_border", "Nor is any mark.", "Border", ["kill"], "don't-kill!"),
    blocked(
        "letter_beyond_ascii_is_a_border", "Nor is a letter beyond ASCII.", "Border", ["caf"], "caf\u00e9"
    ),
    blocked(
        "greek_is_a_border",
        "A part of a Greek word hits.",
        "Border",
        ["\u03bf\u03b4\u03bf"],
        "\u03bf\u03b4\u03bf\u03c2",
    ),
    blocked(
        "second_place",
        "The first place has a letter beside it, the second has none.",
        "Border",
        ["kill"],
        "skill, kill",
    ),
    blocked(
        "term_with_marks",
        "A term may begin and end with marks.",
        "Border",
        ["c++", ".net"],
        "I like C++ and .NET",
    ),
    clean(
        "mark_term_beside_letter", "Then the letter beside a mark is looked at too.", "Border", ["++"], "c++"
    ),
    blocked("mark_term_alone", "Marks alone hit where no letter is.", "Border", ["++"], "c ++ d"),
    blocked("whitespace_term", "A term of whitespace is allowed.", "Whitespace", [" "], "a   b"),
    clean("whitespace_term_beside_letters", "It has its borders as well.", "Whitespace", [" "], "a b"),
    clean(
        "whitespace_counts",
        "Whitespace inside a term is compared as it is.",
        "Whitespace",
        ["red zone"],
        "red  zone",
    ),
    clean("nbsp_is_no_space", "U+00A0 is no space.", "Whitespace", ["red zone"], "red\u00a0zone"),
    clean("term_not_trimmed", "A term keeps its ends.", "Trim", [" acme "], "acme"),
    # Case.
    blocked(
        "case_ignored",
        "Case is ignored on both sides; the term is told as given.",
        "Lowercase",
        ["AcMe"],
        "aCmE",
    ),
    blocked("kelvin_sign", "The Kelvin sign is a k.", "Kelvin", ["kill"], "\u212aILL"),
    blocked("kelvin_term", "In a term too.", "Kelvin", ["\u212aill"], "kill"),
    clean("kelvin_is_a_letter", "And a letter beside a term.", "Kelvin Border", ["ill"], "\u212aill"),
    blocked(
        "dotted_i",
        "Dotted I is i with U+0307, which is a border.",
        "DottedI Border",
        ["i", "stanbul"],
        "\u0130stanbul",
    ),
    clean("dotted_i_not_i", "So istanbul does not occur in it.", "DottedI", ["istanbul"], "\u0130stanbul"),
    blocked(
        "sigma_final",
        "Both sides end in a final sigma.",
        "FinalSigma",
        ["\u039f\u0394\u039f\u03a3"],
        "\u039f\u03b4\u03bf\u03a3",
    ),
    clean(
        "sigma_of_the_term_alone",
        "A term is lowercased on its own: its sigma is final, that of the text is not.",
        "FinalSigma",
        ["\u0391\u03a3"],
        "\u0391\u03a3\u0391",
    ),
    blocked(
        "sigma_alone",
        "A lone sigma is not final, and hits within a word.",
        "FinalSigma",
        ["\u03a3"],
        "\u0391\u03a3\u0391",
    ),
    clean("sigma_alone_final", "But not at its end.", "FinalSigma", ["\u03a3"], "\u0391\u03a3"),
    blocked(
        "unicode_16_text",
        "Letters of the text that have case since Unicode 16.",
        "Unicode17",
        ["\u019b"],
        "\ua7dc",
    ),
    blocked("unicode_16", "A letter that has case since Unicode 16.", "Unicode17", ["\ua7dc"], "\u019b"),
    clean("sharp_s_not_folded", "Sharp s is not ss.", "Lowercase", ["strasse"], "stra\u00dfe"),
    clean("not_normalised", "No normal form is applied.", "NoNormalisation", ["caf\u00e9"], "cafe\u0301"),
    # Overlap.
    blocked(
        "term_inside_term",
        "A term inside a longer one is judged on its own.",
        "Overlap",
        ["new york", "york"],
        "in New York",
    ),
    blocked(
        "term_across_term",
        "Terms that share a word both hit.",
        "Overlap",
        ["red zone", "zone five"],
        "red zone five",
    ),
    blocked(
        "shorter_hits_alone",
        "The longer one need not hit.",
        "Overlap",
        ["new york city", "york"],
        "new york",
        "york",
    ),
    blocked(
        "longer_hits_alone", "Nor the shorter one.", "Overlap Border", ["art", "smart"], "smart", "smart"
    ),
    blocked(
        "self_overlap",
        "The first place is bounded on one side only, the one overlapping it on both.",
        "Overlap",
        ["- -"],
        "a- - - b",
    ),
    # Report.
    blocked(
        "hits_in_given_order",
        "Hits are told in the order of the option.",
        "Report",
        ["zeta", "alpha"],
        "alpha then zeta",
    ),
    blocked("hits_once", "A term that hits twice is told once.", "Report", ["acme"], "acme, acme"),
    blocked("repeated_term", "An exact repeat is dropped.", "Report", ["acme", "x", "acme"], "acme", "acme"),
    blocked(
        "same_but_for_case", "A repeat in another case is another term.", "Report", ["ACME", "acme"], "Acme"
    ),
    blocked("only_what_hit", "What does not hit is not told.", "Report", ["a", "b", "c"], "a c", "a", "c"),
    # Astral and surrogates.
    blocked(
        "astral", "An astral character hits beside marks.", "Astral", ["\U0001f600"], "\u00e9\U0001f600."
    ),
    clean("half_of_astral", "Half of it does not occur.", "Astral LoneSurrogate", ["\ud83d"], "\U0001f600"),
    blocked(
        "lone_surrogate",
        "A lone surrogate is a symbol, and a border.",
        "LoneSurrogate",
        ["a", "\udc00"],
        "a\udc00\udc00",
    ),
    clean(
        "lone_surrogate_differs",
        "Another surrogate is another symbol.",
        "LoneSurrogate",
        ["\udc00"],
        "\udc01",
    ),
    # Structured candidates.
    blocked("inner_string", "An escaped line break hides nothing.", "Structured", ["bomb"], {"a": "x\nbomb"}),
    blocked("inner_key", "Keys count.", "Structured", ["bomb"], {"x\nbomb": 1}),
    blocked("inner_deep", "At any depth.", "Structured", ["bomb"], [[{"a": ["x\tbomb"]}]]),
    blocked(
        "json_text",
        "The JSON text counts as well.",
        "Structured JsonText",
        ['a":1', "nbomb"],
        {"a": 1, "b": "x\nbomb"},
    ),
    blocked("number_text", "A number is there by its text.", "Structured NumberText", ["1", "42"], [1.0, 42]),
    clean("strings_apart", "Two strings are two texts.", "Structured", ["red zone"], ["red", " zone"]),
    clean(
        "inside_a_word_structured",
        "Borders hold inside too.",
        "Structured Border",
        ["kill"],
        {"skill": "kills"},
    ),
    blocked(
        "inner_surrogate",
        "A lone surrogate inside is searched as itself.",
        "Structured LoneSurrogate",
        ["\udc00"],
        ["\udc00"],
    ),
    blocked("null_candidate", "Null has a text.", "JsonText", ["NULL"], None),
    # Inputs and options.
    blocked("long_text", "There is no cap.", "Cap", ["b"], concat(repeat("a ", 50_000), "b")),
    fails(
        "no_candidate",
        "A missing answer is not a clean one.",
        "MissingInput",
        "missing_candidate",
        {"terms": ["a"]},
        ABSENT,
    ),
    fails(
        "depth_513",
        "513 levels are refused.",
        "NotJsonValue",
        "not_json_value",
        {"terms": ["a"]},
        nest("b", 513),
    ),
    fails("terms_missing", "The option is required.", "OptionCheck", "missing_option", {}, "a"),
    fails(
        "terms_empty",
        "An empty list blocks nothing and must not pass.",
        "OptionCheck",
        "invalid_option",
        {"terms": []},
        "a",
    ),
    fails(
        "term_empty", "An empty term is refused.", "OptionCheck", "invalid_option", {"terms": ["x", ""]}, "a"
    ),
    fails("term_number", "A number is no term.", "OptionCheck", "invalid_option", {"terms": [5]}, "a"),
    fails("terms_text", "A text is no list.", "OptionCheck", "invalid_option", {"terms": "xyz"}, "a"),
    fails("terms_null", "Nor is null.", "NullOption", "invalid_option", {"terms": None}, "a"),
    fails(
        "unknown_option",
        "An unknown option is refused.",
        "OptionCheck Divergence",
        "unknown_option",
        {"terms": ["x"], "case_sensitive": False},
        "a",
    ),
)
