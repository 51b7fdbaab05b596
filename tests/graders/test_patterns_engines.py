"""Users' patterns: how they are written for both engines, and the search that can be stopped."""

from __future__ import annotations

import re
import threading
import time

import pytest
import regex
from tests.graders.searching import search

from gradestone.graders.patterns import CompiledPattern, check_pattern, compile_pattern
from gradestone.reference import matching

CAP = 65_536


WRITTEN = {
    # pattern: (for the linear engine, for the stoppable one)
    "empty": ("", "", ""),
    "letters": ("aB9", "aB9", "aB9"),
    "characters with a meaning somewhere": (r"a_{<&\-", r"a\x{5f}\x{7b}\x{3c}\x{26}\x{2d}", r"a\x5f\x7b\x3c\x26\x2d"),
    "newline": ("\n", r"\x{a}", r"\x0a"),
    "beyond ASCII": ("é", r"\x{e9}", r"\xe9"),
    "beyond Latin-1": ("日", r"\x{65e5}", r"\u65e5"),
    "beyond the BMP": ("\U0001f600", r"\x{1f600}", r"\U0001f600"),
    "lone surrogate": ("\ud800", None, r"\ud800"),
    "ignoring case": ("(?i)k-1", r"[Kk]\x{2d}1", r"[Kk]\x2d1"),
    "ignoring case beyond ASCII": ("(?i)é\u212a", r"\x{e9}\x{212a}", r"\xe9\u212a"),
    "ignoring case within a scope": ("a(?i:b(?-i:c))d", "a[Bb]cd", "a[Bb]cd"),
    "not a character": ("[^a]", r"[\x{0}-\x{60}b-\x{d7ff}\x{e000}-\x{10ffff}]", r"[\x00-\x60b-\U0010ffff]"),
    "not a character in either case": (
        "(?i)[^a]",
        r"[\x{0}-\x{40}B-\x{60}b-\x{d7ff}\x{e000}-\x{10ffff}]",
        r"[\x00-\x40B-\x60b-\U0010ffff]",
    ),
    "dot": (".", ".", "."),
    "dot of all": ("(?s).", "(?s:.)", "(?s:.)"),
    "dot of all but within a scope": ("(?s).(?-s:.)", "(?s:.).", "(?s:.)."),
    "digit": (r"\d", "[0-9]", "[0-9]"),
    "space": (r"\s", r"[\x{9}-\x{d}\x{20}]", r"[\x09-\x0d\x20]"),
    "word": (r"\w", r"[0-9A-Z\x{5f}a-z]", r"[0-9A-Z\x5fa-z]"),
    "no digit": (r"\D", r"[\x{0}-\x{2f}\x{3a}-\x{d7ff}\x{e000}-\x{10ffff}]", r"[\x00-\x2f\x3a-\U0010ffff]"),
    "class": (r"[b-da\d]", "[0-9a-d]", "[0-9a-d]"),
    "class of opposites": (r"[\s\S]", "(?s:.)", "(?s:.)"),
    "class of a range in both cases": ("(?i)[Y-b]", "[A-BY-by-z]", "[A-BY-by-z]"),
    "class of a surrogate and more": ("[\ud800a]", "a", r"[a\ud800]"),
    "class of nothing": (r"[^\s\S]", None, "(?!)"),
    "class of nothing repeated": (r"[^\s\S]*", None, "(?:(?>(?!))){0,}"),
    "alternative": ("ab|c", "(?:ab|c)", "(?:ab|c)"),
    "alternative of characters": ("a|b", "[a-b]", "[a-b]"),
    "group": ("(a)(?:b)(?P<n>c)", "abc", "abc"),
    "repeats": ("a*b+c?", "(?:a){0,}(?:b){1,}(?:c){0,1}", "a{0,}b{1,}c{0,1}"),
    "counted repeats": ("a{2}b{2,}c{,3}", "(?:a){2,2}(?:b){2,}(?:c){0,3}", "a{2,2}b{2,}c{0,3}"),
    "lazy repeats": ("a*?(?:bc)+?", "(?:a){0,}?(?:bc){1,}?", "a{0,}?(?:bc){1,}?"),
    "possessive repeat": ("a*+b", None, "a{0,}+b"),
    "atomic group": ("(?>ab)", None, "(?>ab)"),
    "start": (r"^\A", r"\A\A", r"\A\A"),
    "start of a line": (r"(?m)^\A", r"(?m:^)\A", r"(?m:^)\A"),
    "end": (r"\Z", r"\z", r"\Z"),
    "end or last newline": ("a$", r"a\n?\z", r"a(?=\n?\Z)"),
    "end or last newline in alternatives and groups": ("(a$|(b$))", r"(?:a\n?\z|b\n?\z)", r"(?:a(?=\n?\Z)|b(?=\n?\Z))"),
    "end or last newline before more": ("$a", None, r"(?=\n?\Z)a"),
    "end or last newline twice": ("$$", None, r"(?=\n?\Z)(?=\n?\Z)"),
    "end or last newline under a repeat": ("(a$)?", None, r"(?:a(?=\n?\Z)){0,1}"),
    "end of a line": ("(?m)a$b", "a(?m:$)b", "a(?m:$)b"),
    "end of a line within a scope": ("(?m:a$)b$", r"a(?m:$)b\n?\z", r"a(?m:$)b(?=\n?\Z)"),
    "edge of a word": (r"\ba", r"(?-u:\b)a", r"\ba"),
    "no edge of a word": (r"\Ba", None, r"(?!\A\Z)\Ba"),
    "look-ahead": ("a(?=b)(?!c)", None, "a(?=b)(?!c)"),
    "look-behind": ("(?<=a)(?<!b)c", None, "(?<=a)(?<!b)c"),
    "what never matches": ("(?!)(?<!)", None, "(?!)(?!)"),
    "reference": ("(x)(?P<n>a)(?P=n)", None, "x(?P<g2>a)(?P=g2)"),
    "reference that ignores case": ("(?i)(?P<n>a)(?P=n)", None, "(?P<g1>[Aa])(?i:(?P=g1))"),
    "condition": ("(a)?(?(1)b|c)", None, "(?:(?P<g1>a)){0,1}(?(g1)b|c)"),
    "condition by name, without the other case": ("(?P<DEFINE>a)?(?(DEFINE)b)", None, "(?:(?P<g1>a)){0,1}(?(g1)b|)"),
    "verbose": ("(?x) a b # c\n [ ] \\ ", r"ab\x{20}\x{20}", r"ab\x20\x20"),
    "comment": ("a(?#b|c)d", "ad", "ad"),
    "fuzzy matching of the engine": ("(?:ab){e<=1}", r"ab\x{7b}e\x{3c}\x{3d}1\x{7d}", r"ab\x7be\x3c\x3d1\x7d"),
    "POSIX class of the engine": ("[[:alpha:]]", r"[\x{3a}\x{5b}ahlp]\x{5d}", r"[\x3a\x5bahlp]\x5d"),
    "set operations of the engine": (r"[a-z&&[b]--c", r"[\x{26}\x{5b}a-z]\x{2d}\x{2d}c", r"[\x26\x5ba-z]\x2d\x2dc"),
    "large class repeated": ("[acegikmoq]+", "(?:[acegikmoq]){1,}", "(?:(?>[acegikmoq])){1,}"),
}  # fmt: skip


@pytest.mark.parametrize(("pattern", "rust", "stoppable"), WRITTEN.values(), ids=WRITTEN)
def test_how_a_pattern_is_written_for_both_engines(pattern: str, rust: str | None, stoppable: str) -> None:
    """One case a construct; None where the linear engine has none."""
    assert compile_pattern(pattern) == CompiledPattern(pattern, rust, f"(?a){stoppable}")


UNICODE_WRITTEN = {
    "edge of a word": (
        r"(?u:\b)",
        "(?:(?<=[_\\p{L}\\p{N}])(?![_\\p{L}\\p{N}])|(?<![_\\p{L}\\p{N}])(?=[_\\p{L}\\p{N}]))",
    ),
    "ASCII edge beside it": (
        r"\b(?u:a)",
        "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))a",
    ),
    "word": (r"(?u:\w)", r"[\x5f\p{L}\p{N}]"),
    "no word": (r"(?u:[^\w])", r"(?![\x5f\p{L}\p{N}])(?s:.)"),
    "class of no category": ("(?u:[^a])", r"[\x00-\x60b-\U0010ffff]"),
    "back to ASCII within": (r"(?u:(?a:\w))", r"[0-9A-Z\x5fa-z]"),
    "ignoring case": ("(?iu:ks)", r"[Kk\u212a][Ss\u017f]"),
    "ignoring case of a range": ("(?iu:[j-l])", r"[J-Lj-l\u212a]"),
    "reference": ("(?u:(?P<n>a)(?P=n))", "(?P<g1>a)(?P=g1)"),
}


@pytest.mark.parametrize(("pattern", "stoppable"), UNICODE_WRITTEN.values(), ids=UNICODE_WRITTEN)
def test_how_a_unicode_scope_is_written(pattern: str, stoppable: str) -> None:
    """Never for the linear engine, which has no tables; the ASCII part keeps its meaning beside it."""
    assert compile_pattern(pattern) == CompiledPattern(pattern, None, f"(?u){stoppable}")


EVERY_CHARACTER = "".join(map(chr, range(0x110000)))


@pytest.mark.parametrize(
    "pattern",
    [
        r"\w",
        r"\W",
        r"\d",
        r"\D",
        r"\s",
        r"\S",
        ".",
        "(?s:.)",
        "(?i)[a-kS]",
        "(?i)[^ks]",
        r"(?i)[^\w-]",
        r"[^\x00-\x7f]",
    ],
)
def test_a_character_is_what_re_says_with_the_ascii_flag(pattern: str) -> None:
    """All 1 114 112 code points, lone surrogates among them."""
    ours = regex.compile(compile_pattern(pattern).engine, regex.VERSION0)
    assert ours.findall(EVERY_CHARACTER) == re.findall(pattern, EVERY_CHARACTER, re.ASCII)


@pytest.mark.parametrize(
    "pattern",
    [r"(?u:\s)", r"(?u:\S)", "(?iu:[a-z])", "(?iu:[^a-zß])", "(?iu:[µåΐﬅ])", r"(?iu:[\u0100-\U0001ffff])"],
)
def test_a_character_is_what_re_says_in_a_unicode_scope(pattern: str) -> None:
    """Spaces and case follow the interpreter. The assertion in front keeps a fault of re out, see below."""
    ours = regex.compile(compile_pattern(pattern).engine, regex.VERSION0)
    assert ours.findall(EVERY_CHARACTER) == re.findall("(?=)" + pattern, EVERY_CHARACTER, re.ASCII)


@pytest.mark.parametrize("pattern", [r"(?u:\w)", r"(?u:\W)", r"(?u:\d)", r"(?u:\D)", r"(?u:[^\W\d])"])
def test_words_and_digits_of_a_unicode_scope(pattern: str) -> None:
    """As re says; characters that only one side's Unicode version knows aside."""
    known = re.sub(r"[^\w\s!-~]", "", EVERY_CHARACTER[:0x3000])
    ours = regex.compile(compile_pattern(pattern).engine, regex.VERSION0)
    assert ours.findall(known) == re.findall("(?=)" + pattern, known, re.ASCII)


PINNED = {
    # Where CPython differs between versions or with itself: (pattern, text, ours)
    "no edge of a word in the empty text": (r"\B", "", False),
    "no edge of a word between others": (r"\B", " ", True),
    "Unicode scope at the start": (r"(?u:\w)", "é", True),
    "Unicode scope later": (r"x?(?u:\w)", "é", True),
    "ASCII case of a range beyond the BMP": ("(?i)[\u0100-\U0001ffff]", "ÿ", False),
    "two negated characters in an alternative": ("[^a]|[^b]", "a", True),
}


@pytest.mark.parametrize(("pattern", "text", "found"), PINNED.values(), ids=PINNED)
def test_one_meaning_where_engines_or_versions_disagree(pattern: str, text: str, found: bool) -> None:
    """Faults of re, of the stoppable engine, and a change in CPython 3.14."""
    assert search(compile_pattern(pattern), text) is found


FOUND = {
    "before the last newline": ("denied$", "denied\n", True),
    "not before two": ("denied$", "denied\n\n", False),
    "never behind a newline that is no last one": ("denied$", "denied\nno", False),
    "at the very end only": (r"denied\Z", "denied\n", False),
    "at the end of a line": ("(?m)denied$", "denied\nno", True),
    "a carriage return is no line": ("(?m)^a", "b\ra", False),
    "a dot takes a line separator": ("a.b", "a\u2028b", True),
    "a dot takes a carriage return": ("a.b", "a\rb", True),
    "a dot takes a surrogate": ("^.$", "\ud800", True),
    "a surrogate is a character": ("^[\ud800-\udfff]$", "\udfff", True),
    "two surrogates are no astral character": ("^.$", "\ud83d\ude00", False),
    "an astral character is one": ("^.$", "\U0001f600", True),
    "the Kelvin sign is no k": ("(?i)^k$", "\u212a", False),
    "the long s is no s": ("(?i)^[a-z]$", "\u017f", False),
    "a dotted capital is no i": ("(?i)i", "\u0130", False),
    "a reference ignores the case of ASCII": ("(?i)^(?P<n>k)(?P=n)$", "kK", True),
    "a reference ignores the case of ASCII only": ("(?i)^(?P<n>[k\u212a])(?P=n)$", "k\u212a", False),
    "no-break space is no space": (r"\s", "\u00a0", False),
    "separators are no spaces": (r"\s", "\x1c\x85\u2028", False),
    "digits are ASCII": (r"\d", "\u0663", False),
    "letters are ASCII": (r"\w", "é", False),
    "an edge before a letter that is none": (r"cho\b", "choé", True),
    "a condition": ("^(<)?a(?(1)>)$", "<a", False),
    "possessive": ("a*+a", "aaa", False),
}


@pytest.mark.parametrize(("pattern", "text", "found"), FOUND.values(), ids=FOUND)
def test_what_is_found(pattern: str, text: str, found: bool) -> None:
    """The dialect at its seams, and re of the same opinion."""
    assert search(compile_pattern(pattern), text) is found
    assert bool(re.search(pattern, text, re.ASCII)) is found


REACHES_THE_DEADLINE = "a*a*a*a*a*a*[bc]"


def test_a_search_that_does_not_end_is_stopped() -> None:
    """Stars in a row cost the sixth power of the text; the pattern breaks no rule."""
    assert check_pattern(REACHES_THE_DEADLINE) is None
    with pytest.raises(TimeoutError):
        search(compile_pattern(REACHES_THE_DEADLINE), "a" * CAP)


def test_a_search_through_a_large_class_is_stopped() -> None:
    """The engine looks at its clock only between repeats, so a large class may not be repeated in one go."""
    odd = "".join(map(chr, range(0x101, 0x401, 2)))
    with pytest.raises(TimeoutError):
        search(compile_pattern(f"[{odd}]*(?:x|yz)"), odd[-1] * CAP)


def test_the_last_text_under_the_cap_is_searched() -> None:
    """What is linear ends within the deadline."""
    assert search(compile_pattern("(?<=a)b$"), "a" * (CAP - 1) + "b")
    assert not search(compile_pattern("(?<=b)c"), "a" * CAP)


class Busy:
    """An engine whose clock runs out before the search has had its share of the processor."""

    def __init__(self, enough: float) -> None:
        self.enough = enough
        self.timeouts: list[float] = []

    def search(self, _text: str, *, timeout: float, concurrent: bool) -> object | None:
        assert concurrent
        self.timeouts.append(timeout)
        if timeout < self.enough:
            raise TimeoutError
        return object()


@pytest.mark.parametrize(
    ("enough", "worked", "timeouts"),
    [
        (0.1, 0.0, [0.1]),
        (0.15, 0.0, [0.1, 0.2]),
        (0.3, 0.0, [0.1, 0.2, 0.4]),
        (9, 0.0, [0.1, 0.2, 0.4]),
        (9, 0.1, [0.1]),
    ],
)
def test_time_that_other_threads_worked_is_given_back(
    enough: float, worked: float, timeouts: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine's clock is the process's; a search is begun again, at most twice, until it had its own 100 ms."""
    stub, clock = Busy(enough), iter(range(100))
    monkeypatch.setattr(time, "thread_time", lambda: worked * next(clock))
    if enough > 0.4:
        with pytest.raises(TimeoutError):
            matching.search(stub, "a")
    else:
        assert matching.search(stub, "a")
    assert stub.timeouts == pytest.approx(timeouts)


def test_other_threads_run_while_a_search_does() -> None:
    """The GIL is free: a thread gets on while the search runs into its deadline."""
    started, counted, done = threading.Event(), 0, threading.Event()

    def count() -> None:
        nonlocal counted
        started.set()
        while not done.is_set():
            counted += 1
            done.wait(0.0001)

    other = threading.Thread(target=count)
    other.start()
    started.wait()
    with pytest.raises(TimeoutError):
        search(compile_pattern(REACHES_THE_DEADLINE), "a" * CAP)
    done.set()
    other.join()
    assert counted > 1
