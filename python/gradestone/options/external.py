"""Options of the external graders: verdicts of systems that are not ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gradestone.jsontext import to_json_value
from gradestone.options import checks
from gradestone.options.absent import ABSENT, Absent
from gradestone.options.base import GraderOptions, grader_options, option
from gradestone.options.faults import Fault


@grader_options
class CustomWebhook(GraderOptions):
    """Passes when an endpoint of yours answers with a JSON object whose ``passed`` is true.

    The candidate is posted as ``{"candidate": value}``. The address is checked before the call; redirects are
    refused.

    Options:
        url: where to post to, not empty. Required. Never in ``repr``, since its query may hold a key.
        timeout_s: seconds for the whole call, finite and at least 0. Absent: the time limit of the run, else
            5.
        extra: every other key of a mapping, kept as it is and not sent. This is the only grader that takes
            other keys. They do not show in ``repr``, since a key may be secret.

    Empty and missing: an answer without a boolean ``passed`` fails.
    Cost: one call; it is never repeated.
    Codes: ok, judged_fail; blocked_url, unresolved_host (invalid); timeout, unreachable, redirected,
        response_too_large, http_error, reply_not_json, missing_verdict (error); endpoint_down, skipped (not run).

    >>> from gradestone import CustomWebhook
    >>> CustomWebhook(url="https://grader.example.org/v1", timeout_s=2).to_mapping()
    {'type': 'custom_webhook', 'url': 'https://grader.example.org/v1', 'timeout_s': 2}
    """

    type: ClassVar[str] = "custom_webhook"

    url: str = option(checks.nonempty_text, hidden=True)
    timeout_s: float | Absent = option(checks.at_least_zero, default=ABSENT)
    extra: Mapping[str, Any] | Absent = option(checks.extra, default=ABSENT, hidden=True)

    def to_mapping(self) -> dict[str, Any]:
        """Return the mapping that `parse_grader` takes back, the other keys included."""
        mapping = GraderOptions.to_mapping(self)
        return mapping if isinstance(self.extra, Absent) else mapping | to_json_value(self.extra)

    @classmethod
    def _conflicts(cls, values: Mapping[str, object]) -> list[Fault]:
        extra = values.get("extra", ABSENT)
        taken = [name for name in ("type", *cls.names()) if isinstance(extra, Mapping) and name in extra]
        return [
            Fault("extra", "invalid_option", f"`extra` must not hold `{name}`, which is no other key")
            for name in taken
        ]
