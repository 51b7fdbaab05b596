"""Users' patterns: what is refused, with which code and message."""

from __future__ import annotations

import pickle
import re
import warnings
from dataclasses import FrozenInstanceError

import pytest
from tests.graders.searching import search

from gradestone.codes import CODES
from gradestone.graders.patterns import check_pattern, compile_pattern


def code_of(pattern: str) -> str | None:
    fault = check_pattern(pattern)
    return None if fault is None else fault[0]


UNSAFE = {
    "quantifier under a star": r"(a+)*",
    "quantifier under a plus": r"^(z+)+$",
    "quantifier under a question mark": r"(\d+)?",
    "quantifier under a count": r"(a?){2}",
    "quantifier under a lazy repeat": r"(a*)+?",
    "quantifier under a possessive repeat": r"(a*)++",
    "alternative": r"(a|b)+",
    "alternative of equals": r"(z|zz)+$",
    "non-capturing": r"(?:a+)+",
    "named": r"(?P<n>a+)*",
    "atomic": r"(?>a+)+",
    "look-ahead": r"(?=a+)+",
    "look-behind": r"(?<=a|b)*",
    "scoped flags": r"(?i:a+)+",
    "condition": r"(x)(?(1)a|b)?",
    "two levels down": r"((a+)b)?",
    "sibling levels": r"((a)(b+))+",
    "lazy question mark inside": r"(a??)+",
    "count inside": r"(a{2})+",
    "brace that is literal inside": r"(a{b)+",
    "brace that is literal behind": r"(a+){b",
    "behind a comment": r"(a+)(?#why)+",
    "behind a comment that holds an escaped parenthesis": r"(a+)(?#\))+",
    "behind blanks of verbose mode": "(?x)(a+) \n+",
    "behind a comment of verbose mode": "(?x)(a+) # why\n *",
    "behind blanks where a scope is verbose": r"(?x:(a+) +)",
    "class that starts with a bracket": r"([]]+)+",
    "negated class that starts with a bracket": r"([^]]+)+",
    "class with an escaped bracket": r"([\]]*)+",
    "class that holds parentheses": r"([()]+)+",
    "a quantifier of a group counts for the outer one": r"((ab)+)?",
    "back-reference": r"(a)\1",
    "last back-reference": r"(a)\9",
    "back-reference behind an escaped backslash": r"(a)\\\1",
    "octal that looks like a back-reference": r"\101",
    "octal in a class": r"[\1]",
    "octal that ends a range": r"[\0-\7]",
    "before it is looked whether it compiles": r"(a+)+(",
    "even behind what does not compile": r"\z(a|b)*",
}

SAFE = {
    "repeated literal group": r"(ab)+",
    "optional non-capturing group": r"(?:x)?",
    "quantifier in a group that is not repeated": r"(a+)b+",
    "alternative that is not repeated": r"(?:a|b)c*",
    "escaped quantifiers": r"(\+\*\?\{\|)+",
    "escaped backslash, then a group": r"\\(a)+",
    "class of quantifiers": r"([+*?{|])+",
    "class of parentheses": r"[(]+a[)]*",
    "class with a bracket first": r"([](+])+",
    "negated class with a bracket first": r"([^](+])+",
    "class that ends in a dash": r"([a-])+[+-]",
    "question mark of a group's head": r"(?:(?P<n>a)(?i:b)(?=c)(?<!d)(?>e))+",
    "named reference": r"(?P<n>a)(?P=n)+",
    "condition without alternative": r"(a)(?(1)b)?",
    "comment of quantifiers": r"(a(?#+|*))+",
    "comment, then a quantifier": r"a(?#x)+",
    "comment of verbose mode": "(?x)(a # +|\n b)+",
    "comment in a verbose scope": "(?x:(a # +|\n b))+",
    "escaped backslash before a digit": r"\\1",
    "octal of a nought": r"\012",
    "lazy and possessive": r"a??b*?c++d{2}+",
}


@pytest.mark.parametrize("pattern", UNSAFE.values(), ids=UNSAFE)
def test_an_unsafe_pattern_is_refused_on_its_text(pattern: str) -> None:
    """Both textual rules, with the tokens of CPython's parser and before it is asked."""
    assert code_of(pattern) == "unsafe_pattern"


@pytest.mark.parametrize("pattern", SAFE.values(), ids=SAFE)
def test_what_only_looks_unsafe_is_not_refused(pattern: str) -> None:
    """Escapes, classes, comments and the heads of groups hold no quantifier."""
    assert check_pattern(pattern) is None


def test_the_refusal_says_how_to_write_it() -> None:
    """One line each, with an example."""
    nested, reference = check_pattern("(a+)+"), check_pattern(r"(a)\1")
    assert nested is not None
    assert "[ab]+ for (a|b)+" in nested[1]
    assert reference is not None
    assert "(?P=name)" in reference[1]


INVALID = {
    "open group": ("(", "missing ), unterminated subpattern at position 0"),
    "open class": ("ab[", "unterminated character set at position 2"),
    "closing too much": ("a)", "unbalanced parenthesis at position 1"),
    "counts in the wrong order": ("a{2,1}", "min repeat greater than max repeat at position 2"),
    "count too large for re": ("a{4294967295}", "the repetition number is too large"),
    "nothing to repeat": ("*a", "nothing to repeat at position 0"),
    "two quantifiers": ("a**", "multiple repeat at position 2"),
    "range in the wrong order": ("[z-a]", "bad character range at position 1"),
    "position behind guarded brackets": ("[[[z]*+*", "multiple repeat at position 7"),
    "letter without a meaning": (r"\q", "bad escape at position 0"),
    "end of an escape": ("a\\", "bad escape at position 1"),
    "flags in the middle": ("a(?i)b", "global flags not at the start of the expression at position 1"),
    "Unicode for all of it": ("(?u)a", "ASCII and UNICODE flags are incompatible"),
    "locale": ("(?L)a", "bad inline flags: cannot use 'L' flag with a str pattern at position 3"),
    "group name twice": ("(?P<n>a)(?P<n>b)", "redefinition of group name at position 12"),
    "unknown group name": ("(?P=n)", "unknown group name at position 4"),
    "unknown group number": ("(?(1)a)", "invalid group reference 1 at position 3"),
    "look-behind of no fixed width": ("(?<=a*)b", "look-behind requires fixed-width pattern"),
    "look-behind of two widths": ("(?<!a|bc)d", "look-behind requires fixed-width pattern"),
    "look-behind beyond every text": ("(?<=a{4294967294}b{9})c", "looks too much behind"),
    "property of other dialects": (r"\p{L}", "bad escape at position 0"),
    "match start of other dialects": (r"a\Kb", "bad escape at position 1"),
    "grapheme of other dialects": (r"\X", "bad escape at position 0"),
    "recursion of other dialects": ("(?R)", "unknown extension at position 1"),
    "branch reset of other dialects": ("(?|a)", "unknown extension at position 1"),
    "name of other dialects": ("(?<n>a)", "unknown extension at position 1"),
    "end of text of later versions": (r"a\z", "bad escape"),
    "flag of earlier versions": ("(?t)a", "unknown flag"),
    "flag of earlier versions in a scope": ("(?it:a)", "unknown flag"),
    "condition of earlier versions": ("(a)(?( 1 )b)", "bad character in group name"),
    "condition on another script's digit": ("(a)(?(１)b)", "bad character in group name"),
    "reference that ignores case beside Unicode": (
        "(?P<n>k)(?i:(?P=n))(?u:k)",
        "a (?P=name) that ignores case cannot stand in a pattern with (?u:...)",
    ),
    "condition on its own group": (
        "(?P<n>(?(1)a)b)",
        "a condition looks at a group that does not end before it",
    ),
    "condition on a group to come": (
        "(?(1)a|b)(c)",
        "a condition looks at a group that does not end before it",
    ),
}


@pytest.mark.parametrize(("pattern", "cause"), INVALID.values(), ids=INVALID)
def test_an_invalid_pattern_is_refused_with_its_cause(pattern: str, cause: str) -> None:
    """What re refuses, what only some versions of it accept, and the constructs without one meaning."""
    assert check_pattern(pattern) == ("invalid_pattern", f"the pattern does not compile: {cause}")


@pytest.mark.parametrize(
    "pattern", [r"\ſecret", "(?P=secret)", "(?P<secret->a)", "[secret-a]", r"\N{secret}"]
)
def test_no_text_of_the_pattern_is_in_a_message(pattern: str) -> None:
    """A message may be logged."""
    fault = check_pattern(pattern)
    assert fault is None or "secret" not in fault[1]


OVER_CAP = {
    "length": ("a" * 1025, "the pattern has 1025 characters, more than the cap of 1024"),
    "length, before it is looked at": (
        "(a+)+" * 300,
        "the pattern has 1500 characters, more than the cap of 1024",
    ),
    "nesting": ("(" * 51 + ")" * 51, "groups are nested deeper than 50"),
    "one count": ("x{4294967294}", "counted repeats come to more than 200000 steps when written out"),
    "count of a group": ("(?:ab){70000}", "counted repeats come to more than 200000 steps when written out"),
    "sum of counts": (
        "|".join(["x{9999}"] * 25),
        "counted repeats come to more than 200000 steps when written out",
    ),
    "count of no width": (
        r"(?:\b){100000}",
        "counted repeats come to more than 200000 steps when written out",
    ),
    "look-behind": ("(?<=a{199999})b", "counted repeats come to more than 200000 steps when written out"),
}

WITHIN_CAP = {
    "length": "a" * 1024,
    "length in characters beyond the BMP": "\U0001f600" * 1024,
    "nesting": "(" * 50 + ")" * 50,
    "nesting of alternatives": "(?:a|" * 50 + ")" * 50,
    "long text wanted": ".{60000}",
    "wide count without a minimum": "a{0,4294967294}",
}


@pytest.mark.parametrize(("pattern", "cause"), OVER_CAP.values(), ids=OVER_CAP)
def test_a_pattern_over_a_cap_is_refused(pattern: str, cause: str) -> None:
    """Length; nesting, which would run CPython's parser into its stack; counts, which the engine writes out."""
    assert check_pattern(pattern) == ("over_cap", cause)


@pytest.mark.parametrize("pattern", WITHIN_CAP.values(), ids=WITHIN_CAP)
def test_a_pattern_at_a_cap_is_usable(pattern: str) -> None:
    """And compiles on the stoppable engine."""
    assert check_pattern(pattern) is None
    assert search(compile_pattern(pattern), "b") is bool(re.search(pattern, "b", re.ASCII))


def test_every_code_is_in_the_table() -> None:
    """The codes are those of the table of verdicts."""
    given = {code_of(pattern) for pattern in ("(a+)+", "(", "a" * 1025)}
    assert given == {"unsafe_pattern", "invalid_pattern", "over_cap"}
    assert given <= set(CODES)


@pytest.mark.parametrize(
    "pattern", ["[[a]", "[!--a]", "[--a]", "[+--]", "[a&&b]", "[a||b]", "[a~~b]", "[^[:alpha:]]", "[]-a]"]
)
def test_no_warning_of_re_is_shown(pattern: str) -> None:
    """CPython warns of set operations to come; the class stays what it is, and the filters are not touched."""
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        compiled = compile_pattern(pattern)
    assert shown == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = re.compile(pattern, re.ASCII)
    for char in "ab[]-&|~:+,.lph^]":
        assert search(compiled, char) is bool(plain.search(char)), char


def test_a_refused_pattern_is_not_compiled() -> None:
    """Compiling one is a ValueError with the same message."""
    with pytest.raises(ValueError, match="missing \\), unterminated subpattern"):
        compile_pattern("(")


def test_a_compiled_pattern_is_a_frozen_value() -> None:
    """It can be compared, hashed, pickled, and not changed."""
    compiled = compile_pattern("a+")
    assert compiled == compile_pattern("a+") == pickle.loads(pickle.dumps(compiled))
    assert len({compiled, compile_pattern("a+")}) == 1
    with pytest.raises(FrozenInstanceError):
        compiled.source = "b"  # type: ignore[misc]
