"""The flags of the cases: what each hunts for, and why that is worth a vector."""

from __future__ import annotations

from typing import Final, NamedTuple


class Flag(NamedTuple):
    """What sort of fault a flag hunts, and why."""

    kind: str
    why: str


FLAGS: Final[dict[str, Flag]] = {
    name: Flag(kind, why)
    for name, kind, why in (
        ("Basic", "basic", "The plain rule of the grader, once each way."),
        ("Divergence", "divergence", "The graders decide otherwise than the TypeScript package, on purpose."),
        # Options and inputs.
        ("OptionCheck", "option", "A missing, unknown or ill-typed option must not fall back to a default."),
        ("NullOption", "option", "An explicit null is not an absent option and takes no default."),
        ("BoolIsNoNumber", "option", "In many languages true is 1; here a boolean is never a number."),
        ("MissingInput", "input", "What was never given is not an empty text and must not pass."),
        (
            "EmptyInput",
            "input",
            "An empty text is a text; where it holds nothing to compare with, it must not pass.",
        ),
        (
            "Precedence",
            "input",
            "The explicit option beats the case reference, and checks have a fixed order.",
        ),
        ("NotJsonValue", "input", "Nesting beyond 512 levels is refused, not recursed into."),
        # Boundaries.
        ("Cap", "boundary", "At a cap the input is graded, one beyond it is refused."),
        ("Threshold", "boundary", "A score at the threshold passes, and 0 and 1 are thresholds."),
        ("WordSize", "boundary", "Bit-parallel algorithms go wrong where a machine word of 64 bits ends."),
        # Text.
        (
            "Lowercase",
            "text",
            "Lowercasing is full Unicode lowercasing, neither ASCII lowering nor case folding.",
        ),
        ("Kelvin", "text", "U+212A lowercases into the ASCII letter k, which ASCII lowering misses."),
        ("DottedI", "text", "U+0130 lowercases into two code points, the first an ASCII i."),
        ("FinalSigma", "text", "The lowercase of capital sigma depends on what stands round it."),
        ("Unicode17", "text", "Tables older than Unicode 17 leave these letters alone."),
        ("Astral", "text", "Beyond the BMP a character is one code point, not two UTF-16 units."),
        (
            "LoneSurrogate",
            "text",
            "A lone surrogate is a symbol like any other and must not raise or be replaced.",
        ),
        (
            "Whitespace",
            "text",
            "Six pinned characters are whitespace; regex classes and standard libraries add others.",
        ),
        ("Trim", "text", "Trimming takes ECMAScript's set, which is neither Python's nor the pinned one."),
        ("LineEnds", "text", "CRLF, lone CR and trailing line ends are handled exactly as stated."),
        (
            "NoNormalisation",
            "text",
            "Nothing is normalised: composed, decomposed and compatible forms differ.",
        ),
        # JSON.
        (
            "JsonText",
            "json",
            "A structured candidate is compared by the exact text that JSON.stringify gives.",
        ),
        ("NumberText", "json", "Numbers print as in ECMAScript: 1.0, -0 and exponents have one form."),
        ("BigInteger", "json", "Integers are exact beyond 2^53, where doubles round."),
        ("KeyOrder", "json", "Keys have a stated order in JSON text, and none in equality."),
        ("JsonParse", "json", "Only strict JSON is JSON."),
        ("Equality", "json", "Equality is by value and type."),
        ("OwnKeys", "json", "Names of inherited members are ordinary keys, absent unless given."),
        # Formulas.
        ("Formula", "formula", "A swapped, dropped or off-by-one part of the formula changes the figure."),
        ("Clipping", "formula", "An n-gram counts at most as often as the reference has it."),
        (
            "Smoothing",
            "formula",
            "An order without a match counts 1/(2*total), neither 0 nor another constant.",
        ),
        ("BrevityPenalty", "formula", "Only a candidate shorter than the reference is penalised."),
        ("Tokens", "formula", "The pinned tokenizer: ASCII runs, and every other symbol on its own."),
        ("Similarity", "formula", "The similarity is a double that is compared as such."),
        ("Members", "formula", "Which members count, and how often one may serve."),
        ("Ranges", "formula", "Line ranges are inclusive sets: swapped, merged, never counted twice."),
        # Grammars.
        ("Fragment", "grammar", "A fragment is an exact substring, by case and by code point."),
        ("Dialect", "grammar", "The dialect is CPython's re with ASCII classes, whatever engine runs it."),
        (
            "InvalidPattern",
            "grammar",
            "What re refuses is refused, even where another engine has a meaning for it.",
        ),
        (
            "UnsafePattern",
            "grammar",
            "Repeated groups that can vary, and back-references, are refused before running.",
        ),
        ("SchemaKeyword", "grammar", "Each keyword of JSON Schema is honoured, not ignored."),
        ("InvalidSchema", "grammar", "A malformed schema accepts nothing."),
        ("NoFetch", "safety", "A schema must not make the grader fetch anything."),
        ("PathStep", "grammar", "The steps of a path on objects, arrays and scalars."),
        ("Compact", "grammar", "The compact form of a localization, and what is not one."),
        ("Measured", "grammar", "A measurement is a number or plain decimal text; anything else is none."),
        # Safety.
        ("Border", "safety", "What may and what may not stand beside a hit."),
        ("Overlap", "safety", "A hit inside or across another one must not be swallowed."),
        (
            "FirstMatch",
            "safety",
            "Only the first match at a place is tested, and the search goes on behind it.",
        ),
        ("Checksum", "safety", "The right shape with a wrong checksum is no hit."),
        ("Length", "boundary", "One character too short or too long is no hit."),
        ("Structured", "safety", "In a structured candidate escapes must not hide a string, and keys count."),
        ("Report", "safety", "What a hit reports: kinds or terms, in a fixed order, each once."),
        # Traces.
        ("TraceKey", "trace", "Which member of an object holds the calls."),
        ("Entry", "trace", "The shapes of one call."),
        ("Offered", "trace", "What was offered to the model, or defined, was not called."),
        ("Provider", "trace", "The shapes in which the big providers report calls."),
        ("Unreadable", "trace", "An entry that cannot be read may be the forbidden call."),
        ("Sequence", "trace", "A subsequence: in order, each call serving once."),
        ("Delegation", "basic", "The verdict is that of the grader that the reference names."),
    )
}
