"""Equality, fragments and users' patterns."""

from __future__ import annotations

import string
import time
from collections.abc import Sequence
from typing import Final, Protocol, cast

import regex  # type: ignore[import-untyped]

from .limits import MAX_REGEX_INPUT_CHARS, PATTERN_DEADLINE_SECONDS
from .row import Row, plain
from .text import lower, trim

_ALLOWANCES: Final = (1, 2, 4)
_WITHOUT_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


def exact_match(candidate: str, expected: str, *, case_sensitive: bool, remove_punctuation: bool) -> Row:
    r"""Grade one pair: passes when both sides are equal after normalisation.

    Both are trimmed as ECMAScript does; then lowercased, unless ``case_sensitive``; then, if
    ``remove_punctuation``, the 32 ASCII punctuation characters are dropped, and nothing is trimmed again.

    Codes: ``ok``, ``mismatch``. Linear in both texts, no cap.

    >>> exact_match(" Yes!\n", "yes", case_sensitive=False, remove_punctuation=True).code
    'ok'
    >>> exact_match("Yes !", "yes", case_sensitive=False, remove_punctuation=True).code
    'mismatch'
    """
    candidate, expected = (
        normalise(side, case_sensitive=case_sensitive, remove_punctuation=remove_punctuation)
        for side in (candidate, expected)
    )
    return plain("ok" if candidate == expected else "mismatch")


def normalise(text: str, *, case_sensitive: bool, remove_punctuation: bool) -> str:
    """Return what ``exact_match`` compares.

    >>> normalise(" 'A' - b ", case_sensitive=False, remove_punctuation=True)
    'a  b'
    """
    text = trim(text)
    if not case_sensitive:
        text = lower(text)
    if remove_punctuation:
        text = text.translate(_WITHOUT_PUNCTUATION)
    return text


def contains(candidate: str, fragments: Sequence[str], *, forbid: bool) -> Row:
    """Grade one text: passes when every fragment is a substring, or with ``forbid`` when none is.

    Compared as it is: case, whitespace and normal forms count.

    Codes: ``ok``, ``missing_fragment``, ``forbidden_fragment``. ``hits``: the indices of the missing
    fragments, with ``forbid`` of those present, ascending. Linear in the text for each fragment, no cap.

    >>> contains("the cat", ["cat", "dog", "The"], forbid=False)
    Row(code='missing_fragment', score=0.0, stats=(0, 0, 0, 0, 0, 0), hits=(1, 2))
    >>> contains("the cat", ["dog", "cat"], forbid=True).hits
    (1,)
    """
    hits = tuple(index for index, fragment in enumerate(fragments) if (fragment in candidate) == forbid)
    if not hits:
        return plain("ok")
    return plain("forbidden_fragment" if forbid else "missing_fragment", hits)


class CompiledPattern(Protocol):
    """What is needed of a compiled pattern: a search that can be stopped and leaves the GIL."""

    def search(self, text: str, /, *, timeout: float, concurrent: bool) -> object | None:
        """Return the first match or None; raise ``TimeoutError`` after ``timeout`` seconds."""


def compile_pattern(pattern: str) -> CompiledPattern:
    r"""Compile a pattern that is already translated to the ``regex`` package's dialect.

    The translator has spelt out every flag inside the pattern; here only the version is fixed, so that a
    default of the package cannot change what a pattern means. What does not compile raises ``regex.error``.

    >>> compile_pattern(r"\d+").search("room 12", timeout=0.1, concurrent=True)
    <regex.Match object; span=(5, 7), match='12'>
    """
    return cast("CompiledPattern", regex.compile(pattern, flags=regex.VERSION0))


def match_pattern(candidate: str, compiled: CompiledPattern, *, forbid: bool) -> Row:
    r"""Grade one text: passes when the pattern is found anywhere in it, or with ``forbid`` when it is not.

    Without ``forbid`` the text is searched as it is. With it, CRLF and lone CR become LF first and exactly
    one trailing LF is dropped.

    Codes: ``ok``, ``no_match``, ``forbidden_match``; ``over_cap`` for over 65 536 characters, counted before
    newlines are changed; ``deadline`` when the search takes longer than 100 ms, which is a pass for neither
    direction.

    >>> match_pattern("room 12", compile_pattern(r"\d+"), forbid=False).code
    'ok'
    >>> match_pattern("12\r\n", compile_pattern(r"\n"), forbid=True).code
    'ok'
    """
    if len(candidate) > MAX_REGEX_INPUT_CHARS:
        return plain("over_cap")
    text = unify_newlines(candidate) if forbid else candidate
    try:
        found = search(compiled, text)
    except TimeoutError:
        return plain("deadline")
    if forbid:
        return plain("forbidden_match" if found else "ok")
    return plain("ok" if found else "no_match")


def search(compiled: CompiledPattern, text: str) -> bool:
    r"""Tell whether a pattern is found anywhere in a text; raise ``TimeoutError`` after 100 ms of work.

    The GIL is free meanwhile. The package's clock is the process's: it also counts what other threads work, so
    a search that they kept from its share is begun again with twice the time, at most twice.

    >>> search(compile_pattern(r"(?<!un)safe\b"), "It is safe.")
    True
    """
    for allowance in _ALLOWANCES:
        started = time.thread_time()
        try:
            timeout = allowance * PATTERN_DEADLINE_SECONDS
            return compiled.search(text, timeout=timeout, concurrent=True) is not None
        except TimeoutError:
            # The two clocks tick apart: a tenth less is as good as all of it.
            if time.thread_time() - started >= 0.9 * PATTERN_DEADLINE_SECONDS:
                raise
    raise TimeoutError


def unify_newlines(text: str) -> str:
    r"""Make CRLF and lone CR a LF, then drop exactly one LF at the end.

    >>> unify_newlines("a\r\nb\rc\n\n")
    'a\nb\nc\n'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
