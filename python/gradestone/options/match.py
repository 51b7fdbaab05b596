"""Options of the match graders: text or values against what is expected of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from gradestone.options import checks
from gradestone.options.absent import ABSENT
from gradestone.options.base import GraderOptions, grader_options, option


@grader_options
class ExactMatch(GraderOptions):
    r"""Passes when the candidate equals the expected value after both were normalised alike.

    Text is trimmed as ECMAScript trims (Unicode spaces and line ends, the byte order mark), any other JSON
    value becomes JSON text with sorted keys; then both are lowercased by the full Unicode mapping, and, where
    asked, lose their ASCII punctuation. Text is never parsed: the text ``{"a": 1}`` is not the object.

    Options:
        expected: any JSON value; ``None`` is the value null. Absent: the case reference.
        case_sensitive: True leaves out the lowercasing. Default False.
        remove_punctuation: True deletes the 32 ASCII punctuation characters after that, without trimming
            again. Both sides must then be text. Default False.

    Empty and missing: empty text equals what normalises to empty text. Without an expected value nothing
    passes.
    Cost: linear in both sides; no cap.
    Codes: ok, mismatch, structured_value, missing_reference, invalid_reference.

    >>> from gradestone import ExactMatch
    >>> ExactMatch(expected="Paris")("  PARIS\n").passed
    True
    >>> ExactMatch(expected={"a": 1, "b": 2})({"b": 2, "a": 1.0}).passed
    True
    >>> ExactMatch(expected="4", remove_punctuation=True)(4).code
    'structured_value'
    """

    type: ClassVar[str] = "exact_match"

    expected: Any = option(checks.json_value, default=ABSENT)
    case_sensitive: bool = option(checks.boolean, default=False)
    remove_punctuation: bool = option(checks.boolean, default=False)


@grader_options
class Contains(GraderOptions):
    """Passes when every fragment is a substring of the candidate text.

    Case counts and nothing is normalised. A candidate that is no text is searched as its JSON text.

    Options:
        fragments: a list of at least one text, none empty; whitespace alone is a fragment like any other.
            Required. A member that is no text is compared as its JSON text, which older suites rely on.

    Empty and missing: an empty candidate holds no fragment.
    Cost: one linear search a fragment; no cap.
    Codes: ok, missing_fragment.

    >>> from gradestone import Contains
    >>> Contains(fragments=["refund", "14 days"])("A refund takes 14 days.").passed
    True
    >>> Contains(fragments=["Refund"])("A refund takes 14 days.").code
    'missing_fragment'
    """

    type: ClassVar[str] = "contains"

    fragments: Sequence[str] = option(checks.list_of(checks.fragment))


@grader_options
class NotContains(GraderOptions):
    """Passes when no fragment is a substring of the candidate text.

    Case counts and nothing is normalised. A candidate that is no text is searched as its JSON text.

    Options:
        fragments: a list of at least one text, none empty; whitespace alone is a fragment like any other.
            Required.

    Empty and missing: an empty candidate passes, since nothing is found in it.
    Cost: one linear search a fragment; no cap.
    Codes: ok, forbidden_fragment.

    >>> from gradestone import NotContains
    >>> NotContains(fragments=["as an AI"])("The capital is Paris.").passed
    True
    >>> NotContains(fragments=["sorry"])("I am sorry.").code
    'forbidden_fragment'
    """

    type: ClassVar[str] = "not_contains"

    fragments: Sequence[str] = option(checks.list_of(checks.nonempty_text))


@grader_options
class Regex(GraderOptions):
    r"""Passes when the pattern is found anywhere in the candidate text.

    The dialect is that of CPython's ``re`` with the ASCII flag, and nothing beyond it. The text is searched
    as it is; a candidate that is no text is searched as its JSON text.

    Options:
        pattern: a regular expression, not empty. Required. Refused before it runs: one that ``re`` refuses
            (``invalid_pattern``), one over the cap (``over_cap``), and, as ``unsafe_pattern``, a
            back-reference ``\1`` to ``\9`` and a group under ``*``, ``+``, ``?`` or ``{`` that itself holds a
            repetition or an alternative: ``(\d+)?``, ``(a|b)+``.

    Empty and missing: empty text is searched like any other, so ``^$`` is found in it.
    Cost and caps: 1024 characters of pattern, 65 536 characters of text, 100 ms a text. Most patterns run on
    an engine whose time is linear in the text; the others on one that is stopped at the deadline, which is
    never a pass.
    Codes: ok, no_match, deadline, over_cap.

    >>> from gradestone import Regex
    >>> Regex(pattern=r"\b\d{4}-\d{2}-\d{2}\b")("Due on 2031-05-09.").passed
    True
    >>> Regex(pattern=r"^\d+$")("12a").code
    'no_match'
    """

    type: ClassVar[str] = "regex"

    pattern: str = option(checks.pattern)


@grader_options
class NotRegex(GraderOptions):
    r"""Passes when the pattern is not found in the candidate text once its line ends are normalised.

    CRLF and lone CR become LF, and exactly one LF at the end is dropped; so ``$`` cannot be dodged by a line
    end. All else is as for regex.

    Options:
        pattern: a regular expression, not empty, refused on the same grounds as for regex. Required.

    Empty and missing: empty text is searched like any other.
    Cost and caps: 1024 characters of pattern, 65 536 characters of text (counted before normalisation), 100
    ms a text; a deadline is a failed verdict here too.
    Codes: ok, forbidden_match, deadline, over_cap.

    >>> from gradestone import NotRegex
    >>> NotRegex(pattern=r"(?i)password")("Your order has shipped.").passed
    True
    >>> NotRegex(pattern=r"\d$")("room 12\r\n").code
    'forbidden_match'
    """

    type: ClassVar[str] = "not_regex"

    pattern: str = option(checks.pattern)


@grader_options
class Custom(GraderOptions):
    r"""Passes when the predicate in the case reference holds for the candidate. For older suites.

    The reference is an object with exactly one predicate: ``{"regex": pattern}``, ``{"jsonpath": path}`` with
    or without ``"equals"``, or ``{"contains": text}``. It is judged as the types regex, json_path_assertion
    and contains judge it, with their checks and caps; any other reference fails.

    Options: none.

    Empty and missing: as for the type that the predicate names. Without a reference nothing passes.
    Cost and caps: those of the type that the predicate names.
    Codes: missing_reference, invalid_reference, and those of regex, json_path_assertion and contains.

    >>> from gradestone import Custom
    >>> Custom()("order 66", reference={"regex": r"order \d+"}).passed
    True
    >>> Custom()("order 66", reference={"glob": "order *"}).code
    'invalid_reference'
    """

    type: ClassVar[str] = "custom"
