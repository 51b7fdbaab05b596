"""Options of the judge graders: a language model is asked for the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Literal, cast

from gradestone.options import checks
from gradestone.options.absent import ABSENT, Absent
from gradestone.options.base import GraderOptions, grader_options, option
from gradestone.options.faults import Fault

DEFAULT_MODEL: Final = "gpt-5.5"
DEFAULT_UPSTREAM_KEY: Final = "stub"


@grader_options
class JudgeOptions(GraderOptions):
    """The options that all judge graders share.

    Options:
        gateway_url: base URL of the gateway, not blank. Absent: ``$GRADESTONE_GATEWAY_URL``, else
            ``$CAVE_GATEWAY_URL``; with none of them the verdict fails. Never in ``repr``.
        model: the judge's model, not blank. Default ``gpt-5.5``; name it wherever a verdict gates something.
        api_key: bearer token for the gateway. Absent: an empty one. Never in ``repr``, a fault or a reason.
        upstream_key: key that the gateway passes on. Default ``stub``. Hidden likewise.
        subject_model: the model that wrote the candidate, not blank. If it is of the judge's family the
            verdict fails before any call.
        timeout_s: seconds for the whole call, finite and at least 0. Absent: the time limit of the run, else
            15.
        on_conflict: what to do with a reply whose verdict lines differ: ``first`` takes the first, ``fail``
            refuses the reply. Default ``first``.

    An address in ``gateway_url`` must be public or named in ``GradeDeps.allow_hosts``; that of the environment is
    trusted. Prompts are those of the registry in use. Metadata of the verdict: ``model``, ``registry`` and
    ``prompts`` (fingerprints), ``latency_s`` of the calls that were made, ``cached`` and ``retries`` where there were
    any, ``usage`` where the replies tell it, ``conflicting`` where verdict lines differ.

    Codes: missing_gateway, same_family, missing_prompt, blocked_url, unresolved_host (invalid); timeout, unreachable,
    redirected, response_too_large, http_error (error); endpoint_down, skipped (not run).
    """

    gateway_url: str | Absent = option(checks.nonblank_text, default=ABSENT, hidden=True)
    model: str = option(checks.nonblank_text, default=DEFAULT_MODEL)
    api_key: str | Absent = option(checks.text, default=ABSENT, hidden=True)
    upstream_key: str = option(checks.text, default=DEFAULT_UPSTREAM_KEY, hidden=True)
    subject_model: str | Absent = option(checks.nonblank_text, default=ABSENT)
    timeout_s: float | Absent = option(checks.at_least_zero, default=ABSENT)
    on_conflict: Literal["first", "fail"] = option(checks.one_of("first", "fail"), default="first")


@grader_options
class LlmJudge(JudgeOptions):
    """Passes when a judge model answers PASS to a rubric.

    The candidate goes into the prompt as text, or as its JSON text. PASS or FAIL must be plainly the verdict:
    the reply starts with it, or a line is nothing but it, and nothing negates or contradicts it.

    Options:
        rubric: what the candidate must live up to, not blank. Required.
        gateway_url, model, api_key, upstream_key, subject_model, timeout_s, on_conflict: see JudgeOptions.

    Empty and missing: an empty candidate is judged like any other; a reply without a verdict fails.
    Cost: one call.
    Codes: ok, judged_fail, unparseable_reply, and those of JudgeOptions.

    >>> from gradestone import LlmJudge
    >>> LlmJudge(rubric="The answer is polite.", api_key="s3cret")
    LlmJudge(model='gpt-5.5', subject_model=ABSENT, timeout_s=ABSENT, \
on_conflict='first', rubric='The answer is polite.')
    """

    type: ClassVar[str] = "llm_judge"

    rubric: str = option(checks.nonblank_text)


@grader_options
class LlmScore(JudgeOptions):
    """Passes when the score from 0 to 1 that a judge model gives under a rubric reaches a minimum.

    The reply is read from its first line ``SCORE: <number>``; a number outside 0 to 1 is no score.

    Options:
        rubric: what the score measures, not blank. Required.
        min_score: the score that passes, from 0 to 1, itself included. Required.
        gateway_url, model, api_key, upstream_key, subject_model, timeout_s, on_conflict: see JudgeOptions.

    Empty and missing: an empty candidate is judged like any other; a reply without a score fails.
    Cost: one call.
    Codes: ok, below_threshold, unparseable_reply, conflicting_reply, and those of JudgeOptions.

    >>> from gradestone import LlmScore
    >>> LlmScore(rubric="Is it factual?", min_score=0.7).min_score
    0.7
    """

    type: ClassVar[str] = "llm_score"

    rubric: str = option(checks.nonblank_text)
    min_score: float = option(checks.unit)


@grader_options
class LlmCategory(JudgeOptions):
    """Passes when the category that a judge model picks for the candidate is one of the passing ones.

    The reply is read from its first line ``CATEGORY: <label>``. Labels are compared without regard to case
    and outer ASCII whitespace; a label that is no category fails.

    Options:
        prompt: what to classify by, not blank. Required.
        categories: a list of at least two labels, none blank, no two alike but for case and outer whitespace.
            Required.
        passing_categories: a list of at least one label, each one of ``categories`` in that sense. Required.
        gateway_url, model, api_key, upstream_key, subject_model, timeout_s, on_conflict: see JudgeOptions.

    Empty and missing: an empty candidate is judged like any other; a reply without a category fails.
    Cost: one call.
    Codes: ok, judged_fail, unknown_category, unparseable_reply, conflicting_reply, and those of JudgeOptions.

    >>> from gradestone import LlmCategory
    >>> tone = LlmCategory(prompt="Which tone?", categories=["polite", "rude"], passing_categories=["Polite"])
    >>> tone.passing_categories
    ('Polite',)
    """

    type: ClassVar[str] = "llm_category"

    prompt: str = option(checks.nonblank_text)
    categories: Sequence[str] = option(checks.categories)
    passing_categories: Sequence[str] = option(checks.list_of(checks.nonblank_text))

    @classmethod
    def _conflicts(cls, values: Mapping[str, object]) -> list[Fault]:
        categories, passing = values.get("categories", ABSENT), values.get("passing_categories", ABSENT)
        if categories is ABSENT or passing is ABSENT:
            return []
        known = set(map(checks.label_key, cast("tuple[str, ...]", categories)))
        for index, label in enumerate(cast("tuple[str, ...]", passing)):
            if checks.label_key(label) not in known:
                message = f"`passing_categories[{index}]` must be one of `categories`"
                return [Fault("passing_categories", "invalid_option", message)]
        return []


@grader_options
class LlmPairwise(JudgeOptions):
    """Passes when a judge model never prefers a baseline to the candidate.

    The judge is asked twice, with the two responses swapped, so that a liking for the first place cannot
    decide. Each answer, ``WINNER: A``, ``WINNER: B`` or ``WINNER: TIE``, is worth 1, 0.5 or 0 to the
    candidate; the score is the lesser one.

    Options:
        baseline: the response that the candidate must not lose to, not blank. Required.
        criteria: what makes one response the better one, not blank. Required.
        gateway_url, model, api_key, upstream_key, subject_model, timeout_s, on_conflict: see JudgeOptions.

    Empty and missing: an empty candidate is judged like any other; a reply without a winner fails.
    Cost: two calls.
    Codes: ok, baseline_won, unparseable_reply, conflicting_reply, and those of JudgeOptions.

    >>> from gradestone import LlmPairwise
    >>> LlmPairwise(baseline="It is Paris.", criteria="clarity").on_conflict
    'first'
    """

    type: ClassVar[str] = "llm_pairwise"

    baseline: str = option(checks.nonblank_text)
    criteria: str = option(checks.nonblank_text)


@grader_options
class LlmAnswerMatch(JudgeOptions):
    """Passes when a judge model finds that the candidate gives the expected answer, however it is worded.

    The reply is read from its first line ``MATCH: YES`` or ``MATCH: NO``.

    Options:
        expected: the answer that the candidate should give, not blank. Required.
        gateway_url, model, api_key, upstream_key, subject_model, timeout_s, on_conflict: see JudgeOptions.

    Empty and missing: an empty candidate is judged like any other; a reply that does not say fails.
    Cost: one call.
    Codes: ok, judged_fail, unparseable_reply, conflicting_reply, and those of JudgeOptions.

    >>> from gradestone import LlmAnswerMatch
    >>> LlmAnswerMatch(expected="42").to_mapping()["expected"]
    '42'
    """

    type: ClassVar[str] = "llm_answer_match"

    expected: str = option(checks.nonblank_text)
