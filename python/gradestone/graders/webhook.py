"""``custom_webhook``: an endpoint of the user's own decides."""

from __future__ import annotations

from typing import Any, Final

from gradestone.data.strict_json import JsonError, read_json
from gradestone.graders.outside import Estimate
from gradestone.jsontext import JsonValue, stringify
from gradestone.judge.session import Session, is_success
from gradestone.net.types import NetError, Request
from gradestone.options import CustomWebhook
from gradestone.registry import Registry
from gradestone.verdict import RowVerdict, quote


class custom_webhook:  # noqa: N801 - named like its type, as every grader
    """Passes when the endpoint answers with a JSON object whose ``passed`` is true.

    One call, never repeated. An answer that is no such object, a status other than 200 to 299, and whatever went
    wrong on the way are no pass, each with its own code.
    """

    def __init__(self, options: CustomWebhook) -> None:
        self._options = options

    async def grade(self, candidate: Any, session: Session) -> RowVerdict:
        """Post the candidate, and read the answer."""
        limit = session.timeout_of(self._options.timeout_s, self._options.type)
        request = Request(
            "POST", self._options.url, {"content-type": "application/json"}, _body_of(candidate)
        )
        try:
            reply = await session.ask(request, timeout_s=limit)
        except NetError as error:
            return RowVerdict(error.code, 0.0, error.reason)
        latency = {} if reply.latency_s is None else {"latency_s": round(reply.latency_s, 6)}
        return _read(reply.status, reply.body)._replace(metadata={"status": reply.status, **latency})

    def estimate(self, candidate: Any, registry: Registry) -> Estimate:
        """One call."""
        del registry
        return Estimate(1, len(_body_of(candidate)))


def _body_of(candidate: JsonValue) -> bytes:
    """The candidate's own spelling in JSON; a lone surrogate is escaped."""
    return stringify({"candidate": candidate}).encode("utf-8")


_NO_REASON: Final = "no reason was given"


def _read(status: int, body: bytes) -> RowVerdict:
    if not is_success(status):
        return RowVerdict("http_error", 0.0, f"the endpoint answered with status {status}")
    try:
        answer = read_json(body)
    except JsonError:
        return RowVerdict("reply_not_json", 0.0, "the endpoint's answer is not JSON")
    passed = answer.get("passed") if isinstance(answer, dict) else None
    if not isinstance(passed, bool):
        return RowVerdict(
            "missing_verdict", 0.0, "the endpoint's answer is no object with a boolean `passed`"
        )
    reason = answer.get("reason")
    said = quote(reason) if isinstance(reason, str) else _NO_REASON
    return (
        RowVerdict("ok", 1.0, f"the endpoint says passed: {said}")
        if passed
        else RowVerdict("judged_fail", 0.0, f"the endpoint says not passed: {said}")
    )
