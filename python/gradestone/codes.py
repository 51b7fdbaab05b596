"""Every cause a verdict can have: one table, so that a code is never spelt twice.

A *code* is the stable slug that programs test; the reason beside it is prose for people and may be
reworded. Each code belongs to one outcome, so the outcome of a verdict follows from its code.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Outcome(StrEnum):
    """What became of one graded row; only ``PASS`` counts as passed.

    ``FAIL``: the answer was looked at and is not good enough. ``INVALID``: options, a missing or an
    oversized input; nothing could be decided. ``ERROR``: something broke or ran out of time.
    ``NOT_RUN``: the grader was not run at all.
    """

    PASS = "pass"
    FAIL = "fail"
    INVALID = "invalid"
    ERROR = "error"
    NOT_RUN = "not_run"


class Code(NamedTuple):
    """One cause: its slug, the outcome that it means, and what it says in a sentence."""

    slug: str
    outcome: Outcome
    meaning: str


_P, _F, _I, _E, _N = Outcome.PASS, Outcome.FAIL, Outcome.INVALID, Outcome.ERROR, Outcome.NOT_RUN

CODES: Final[dict[str, Code]] = {
    slug: Code(slug, outcome, meaning)
    for slug, outcome, meaning in (
        ("ok", _P, "everything that the grader asks for holds"),
        # Options and inputs: nothing was decided.
        ("unknown_type", _I, "no grader has this type"),
        ("unknown_option", _I, "the grader has no option of this name"),
        ("missing_option", _I, "a required option is absent"),
        ("invalid_option", _I, "an option has a value that it does not accept"),
        ("invalid_pattern", _I, "the pattern does not compile"),
        ("unsafe_pattern", _I, "the pattern could backtrack for ever, or uses a back-reference"),
        ("invalid_schema", _I, "the JSON Schema is itself malformed"),
        ("missing_candidate", _I, "the row has no candidate"),
        ("missing_reference", _I, "neither an option nor the case gives what to compare with"),
        ("invalid_reference", _I, "the reference cannot be used"),
        ("empty_reference", _I, "the reference holds nothing to compare with"),
        ("empty_expected", _I, "every expected context is empty"),
        ("empty_retrieved", _I, "every retrieved context is empty"),
        ("not_json_value", _I, "the candidate is neither text nor a JSON value"),
        ("over_cap", _I, "an input exceeds a size cap of the grader"),
        ("unreadable_row", _I, "the row of the file could not be read"),
        ("missing_gateway", _I, "nobody names the gateway of the judge"),
        ("missing_prompt", _I, "the registry in use has no usable prompt for the grader"),
        ("same_family", _I, "judge and subject are models of one family"),
        ("blocked_url", _I, "the address is none that may be asked"),
        ("unresolved_host", _I, "the name of the host does not resolve"),
        # The answer was looked at and falls short.
        ("mismatch", _F, "the candidate is not the expected value"),
        ("structured_value", _F, "punctuation can only be removed from text"),
        ("missing_fragment", _F, "a required fragment is absent"),
        ("forbidden_fragment", _F, "a forbidden fragment is present"),
        ("no_match", _F, "the pattern matches nowhere"),
        ("forbidden_match", _F, "the forbidden pattern matches"),
        ("not_json", _F, "the candidate is not a JSON document"),
        ("schema_mismatch", _F, "the candidate does not satisfy the schema"),
        ("path_not_found", _F, "the path leads nowhere in the candidate"),
        ("path_found", _F, "the path that must be absent is there"),
        ("path_step_invalid", _F, "a step on an array looks like a number but is no index"),
        ("value_mismatch", _F, "the value found is not the expected one"),
        ("unparseable_candidate", _F, "the candidate cannot be read as localizations"),
        ("empty_candidate", _F, "the candidate holds nothing to score"),
        ("below_threshold", _F, "the score is under the threshold"),
        ("tool_missing", _F, "a tool that must be called was not"),
        ("tool_forbidden", _F, "a tool that must not be called was"),
        ("tool_order", _F, "the calls are not in the required order"),
        ("argument_mismatch", _F, "no call to the tool carries the expected argument"),
        ("no_trace", _F, "the candidate shows no readable tool trace"),
        ("unreadable_call", _F, "an entry of the trace cannot be read, so it may be a forbidden call"),
        ("status_mismatch", _F, "the HTTP status is another, or is not recorded"),
        ("unmeasured", _F, "the measurement is absent or is no finite number of at least 0"),
        ("over_ceiling", _F, "the measurement exceeds the ceiling"),
        ("blocked_term", _F, "a blocked term is present"),
        ("pii_found", _F, "personal data was found"),
        ("judged_fail", _F, "the judge or the endpoint says no"),
        ("baseline_won", _F, "the judge prefers the baseline one way round at least"),
        # Something broke, or never ran.
        ("deadline", _E, "the pattern ran into its deadline"),
        ("internal_error", _E, "the grader itself raised an exception"),
        ("timeout", _E, "the call took longer than it may"),
        ("unreachable", _E, "the connection was refused, broke, or brought no whole response"),
        ("redirected", _E, "the endpoint redirects, which is not followed"),
        ("response_too_large", _E, "the response exceeds its cap"),
        ("http_error", _E, "the endpoint answered with a status that is no success"),
        ("reply_not_json", _E, "the endpoint's answer is not JSON"),
        ("missing_verdict", _E, "the endpoint's answer has no boolean verdict"),
        ("unparseable_reply", _E, "the judge's reply holds no plain verdict"),
        ("conflicting_reply", _E, "the judge's reply holds verdicts that differ"),
        ("unknown_category", _E, "the judge chose a label that is no category"),
        ("endpoint_down", _N, "the endpoint was given up after calls in a row that came to nothing"),
        ("skipped", _N, "the row had failed already, and nothing was to be paid for it"),
    )
}
"""Every code by its slug, passes first, then invalid, fail, error and not_run."""

CODE_NAMES: Final[tuple[str, ...]] = tuple(CODES)
"""The slugs in table order; a batch stores a row's code as an index into this."""

CODE_INDEX: Final[dict[str, int]] = {slug: index for index, slug in enumerate(CODE_NAMES)}
"""The index of each slug in ``CODE_NAMES``."""
