"""Options of the similarity graders: the candidate's tokens against a reference text's."""

from __future__ import annotations

from typing import ClassVar, Literal

from gradestone.options import checks
from gradestone.options.absent import ABSENT, Absent
from gradestone.options.base import GraderOptions, grader_options, option


@grader_options
class BleuScore(GraderOptions):
    """Passes when BLEU-4 of the candidate against one reference reaches the threshold.

    Both sides are lowercased and cut into pinned tokens: runs of ASCII letters and digits, and every other
    character that is not ASCII whitespace by itself. With orders n from 1 to N = min(4, |c|, |r|),
    p_n is the clipped n-gram count over |c| - n + 1, a count of 0 smoothed to 1/2; the brevity penalty is
    1 where |c| >= |r|, else exp(1 - |r|/|c|). The score is the penalty times exp of the mean
    of ln p_n. It is the same on every platform, and **not** comparable with published BLEU figures.

    Options:
        reference: text. Absent: the case reference. Text that is blank, or has no token, fails.
        threshold: the score that passes, from 0 to 1, itself included. Default 0.5.

    Empty and missing: a side without tokens fails, and so does a missing reference.
    Cost and caps: linear in the tokens, of which a side may have 4096.
    Codes: ok, below_threshold, empty_candidate, empty_reference, missing_reference, invalid_reference,
    over_cap.
    Source: Papineni et al. 2002, BLEU: a Method for Automatic Evaluation of Machine Translation.

    >>> from gradestone import BleuScore
    >>> result = BleuScore(reference="the cat sat on the mat")("the cat sat on a mat")
    >>> result.passed, round(result.score, 4)
    (True, 0.5373)
    """

    type: ClassVar[str] = "bleu_score"

    reference: str | Absent = option(checks.text, default=ABSENT)
    threshold: float = option(checks.unit, default=0.5)


@grader_options
class RougeScore(GraderOptions):
    """Passes when ROUGE-1 or ROUGE-L of the candidate against one reference reaches the threshold.

    Tokens are those of bleu_score. The overlap is the clipped count of shared tokens, or the length of the
    longest common subsequence; precision is overlap over the candidate's tokens, recall over the reference's,
    and fmeasure their harmonic mean, 0 where both are 0. **Not** comparable with published ROUGE figures:
    nothing is stemmed.

    Options:
        reference: text. Absent: the case reference. Text that is blank, or has no token, fails.
        rouge_type: ``rouge_1`` (shared tokens) or ``rouge_l`` (longest common subsequence). Default
            ``rouge_1``.
        measure: ``precision``, ``recall`` or ``fmeasure``, the figure that is the score. Default
            ``fmeasure``.
        threshold: the score that passes, from 0 to 1, itself included. Default 0.5.

    Empty and missing: a side without tokens fails, and so does a missing reference.
    Cost and caps: rouge_1 is linear; rouge_l costs the product of both sides, 64 tokens at a time. A side may
    have 4096 tokens.
    Codes: ok, below_threshold, empty_candidate, empty_reference, missing_reference, invalid_reference,
    over_cap.
    Source: Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries.

    >>> from gradestone import RougeScore
    >>> RougeScore(reference="a b c d", rouge_type="rouge_l", measure="recall")("b x d").score
    0.5
    """

    type: ClassVar[str] = "rouge_score"

    reference: str | Absent = option(checks.text, default=ABSENT)
    rouge_type: Literal["rouge_1", "rouge_l"] = option(checks.one_of("rouge_1", "rouge_l"), default="rouge_1")
    measure: Literal["precision", "recall", "fmeasure"] = option(
        checks.one_of("precision", "recall", "fmeasure"), default="fmeasure"
    )
    threshold: float = option(checks.unit, default=0.5)


@grader_options
class Semantic(GraderOptions):
    """Passes when the Jaccard overlap of both sides' sets of tokens reaches the threshold. For older suites.

    Tokens are those of bleu_score; the score is the number of shared tokens over the number of all tokens.
    The other side is always the case reference. Despite its name it counts tokens and knows nothing of
    meaning.

    Options:
        threshold: the score that passes, from 0 to 1, itself included. Default 0.5.

    Empty and missing: a side without tokens fails, and so does a missing reference.
    Cost: linear in both sides; no cap.
    Codes: ok, below_threshold, empty_candidate, empty_reference, missing_reference, invalid_reference.

    >>> from gradestone import Semantic
    >>> Semantic(threshold=0.3)("the red car", reference="a red car").score
    0.5
    """

    type: ClassVar[str] = "semantic"

    threshold: float = option(checks.unit, default=0.5)
