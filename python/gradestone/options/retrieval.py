"""Options of the retrieval graders: what was found or cited against what should have been."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Literal

from gradestone.options import checks
from gradestone.options.absent import ABSENT, Absent
from gradestone.options.base import GraderOptions, grader_options, option

_CONTEXTS: Final = checks.list_of(checks.text)


@grader_options
class ContextF1(GraderOptions):
    """Passes when the retrieved contexts match the expected ones well enough. The candidate is not looked at.

    Members are lowercased, their ASCII whitespace is collapsed. Two members match when 1 less their
    Levenshtein distance over the longer length, in code points, reaches similarity_threshold; two empty ones
    match. Precision is the share of retrieved members that have a match, recall the share of expected ones,
    f1 their harmonic mean.

    Options:
        retrieved: a list of at least one text. Required, here or as a column.
        expected: a list of at least one text. Required, here or as a column.
        measure: ``precision``, ``recall`` or ``f1``, the figure that is the score. Default ``f1``.
        similarity_threshold: how alike two members must be to match, from 0 to 1. Default 0.7.
        threshold: the score that passes, from 0 to 1, itself included. Default 0.5.

    Empty and missing: empty members count, but a list whose members are all empty fails.
    Cost and caps: the product of both lists' lengths in characters, 64 at a time; a list may have 64 members
    and 8192 code points in all.
    Codes: ok, below_threshold, empty_retrieved, empty_expected, over_cap.

    >>> from gradestone import ContextF1
    >>> found = ["Paris is the capital of France.", "Rome is in Italy."]
    >>> ContextF1(retrieved=found, expected=["paris is the capital of france"], measure="precision")("").score
    0.5
    """

    type: ClassVar[str] = "context_f1"

    retrieved: Sequence[str] = option(_CONTEXTS)
    expected: Sequence[str] = option(_CONTEXTS)
    measure: Literal["precision", "recall", "f1"] = option(
        checks.one_of("precision", "recall", "f1"), default="f1"
    )
    similarity_threshold: float = option(checks.unit, default=0.7)
    threshold: float = option(checks.unit, default=0.5)


@grader_options
class LocalizationF1(GraderOptions):
    """Passes when the files and line ranges that the candidate cites match the reference.

    Either side is a list of ``{"path": …, "lines": [[start, end], …]}`` objects and of compact texts
    ``path:start-end``, ``path:line`` or ``path``; one such object; or text with one compact item a line.
    Paths compare exactly, repeated ones merge. File F1 is that of the two sets of paths. Line F1 is the mean,
    over the paths that both sides name, of the intersection over the union of their lines; two paths without
    lines count 1, one against lines 0. Both must be above 0 and reach their thresholds. The score is the
    lesser one.

    Options:
        reference: what should be cited, in one of those shapes. Absent: the case reference.
        threshold: the threshold of both figures, from 0 to 1, itself included. Default 0.5.
        file_threshold: the threshold of file F1. Absent: ``threshold``.
        line_threshold: the threshold of line F1. Absent: ``threshold``.

    Empty and missing: a side that names nothing fails, and so does a missing reference.
    Cost: n log n in the items; no cap.
    Codes: ok, below_threshold, unparseable_candidate, empty_candidate, missing_reference, invalid_reference.

    >>> from gradestone import LocalizationF1
    >>> result = LocalizationF1(reference=["a.py:1-10", "b.py"])("a.py:6-15")
    >>> result.passed, round(result.metadata["file_f1"], 4), round(result.metadata["line_f1"], 4)
    (False, 0.6667, 0.3333)
    """

    type: ClassVar[str] = "localization_f1"

    reference: Any = option(checks.json_value, default=ABSENT)
    threshold: float = option(checks.unit, default=0.5)
    file_threshold: float | Absent = option(checks.unit, default=ABSENT)
    line_threshold: float | Absent = option(checks.unit, default=ABSENT)
