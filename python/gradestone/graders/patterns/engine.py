"""A user's pattern, checked and written for both engines."""

from __future__ import annotations

from dataclasses import dataclass

from gradestone.graders.patterns.fault import PatternFault
from gradestone.graders.patterns.reading import read
from gradestone.graders.patterns.to_engine import to_engine
from gradestone.graders.patterns.to_rust import to_rust


@dataclass(frozen=True, slots=True)
class CompiledPattern:
    """A user's pattern, translated for both engines."""

    source: str
    """The pattern as given."""
    rust: str | None
    """For the linear engine: a pattern of Rust's ``regex`` crate for ``bytes::Regex`` without Unicode tables,
    to be searched in UTF-8. None when the pattern is outside the subset that the crate reads as ``re`` does.
    The kernel refuses it when its program is too large for an engine that cannot be stopped."""
    engine: str
    """For the stoppable engine: a pattern of the ``regex`` package, version 0, that needs no flags beside it.
    Every pattern has one; it decides every text, lone surrogates included."""


def check_pattern(pattern: str) -> tuple[str, str] | None:
    r"""Tell whether a pattern may be used: None, or ``(code, message)`` of the first thing wrong with it.

    The dialect is CPython's ``re`` with the ASCII flag and nothing beyond it, the same on every version of
    Python. In this order:

    - ``over_cap``: more than 1024 characters.
    - ``unsafe_pattern``: a back-reference ``\1`` ... ``\9``, or a repeated group that holds a quantifier or
      ``|``, at any depth; ``(\d+)?`` and ``(a|b)+`` are refused, ``(ab)+`` and ``(?:x)?`` are not. Decided on
      the text: a ``{`` counts even where it is literal, and so does ``\1`` in a class.
    - ``over_cap``: groups nested deeper than 50.
    - ``invalid_pattern``: whatever ``re`` refuses; what only some versions of Python accept (``\z``,
      ``(?t)``, the condition ``(?( 1 )...)``); a ``(?P=name)`` that ignores case beside a ``(?u:...)``; a
      condition on a group that does not end before it.
    - ``over_cap``: counted repeats of more than 200 000 steps when written out, such as ``x{4294967294}``.

    The message is one line, says how to write it otherwise where that can be said, and holds nothing of the
    pattern. An empty pattern is usable here. No warning of ``re`` is shown. Cost: milliseconds.

    >>> check_pattern(r"^\d{3}-\d{4}$")
    >>> check_pattern("(a|b)+")[0]
    'unsafe_pattern'
    >>> check_pattern("a)")
    ('invalid_pattern', 'the pattern does not compile: unbalanced parenthesis at position 1')
    """
    try:
        read(pattern)
    except PatternFault as fault:
        return fault.code, fault.message
    return None


def compile_pattern(pattern: str) -> CompiledPattern:
    r"""Translate a usable pattern for both engines; nothing is compiled yet.

    Both spellings find something in a text where ``re.search(pattern, text, re.ASCII)`` does, and have no room
    for what the engines know beyond ``re``. Where CPython disagrees with itself, one meaning holds:

    - ``\B`` is not found in the empty text, as before CPython 3.14;
    - without ``(?u:...)``, ignoring case concerns the letters A to Z only, though CPython folds a range that
      ends beyond U+FFFF by Unicode;
    - ``(?u:\w)`` finds an é wherever it stands, though CPython overlooks it at the start of a pattern.

    Inside ``(?u:...)`` digits and words are those of the ``regex`` package's Unicode version.

    Raises ``ValueError`` with the message of `check_pattern` for a pattern that it refuses.

    >>> compile_pattern(r"(?i)ok\b").rust
    '[Oo][Kk](?-u:\\b)'
    >>> compile_pattern(r"a(?=b)").rust is None
    True
    """
    try:
        meaning = read(pattern)
    except PatternFault as fault:
        raise ValueError(fault.message) from None
    return CompiledPattern(pattern, to_rust(meaning), to_engine(meaning))
