"""The judge graders: a language model is asked, and what its reply plainly says is the verdict.

The order of checks: options, bias guard, the guard of the network, the call. What is refused spends no call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

from gradestone.graders.outside import NOTHING, Estimate
from gradestone.jsontext import JsonValue, text_of
from gradestone.judge.cache import ReplyKey
from gradestone.judge.families import family_of
from gradestone.judge.gateway import (
    VARIABLES,
    Gateway,
    body_of,
    gateway_of,
    headers_of,
    unsendable_key,
    without_keys,
)
from gradestone.judge.prompts import fill, fingerprint, markers_of
from gradestone.judge.replies import (
    Found,
    read_category,
    read_match,
    read_score,
    read_verdict,
    read_winner,
)
from gradestone.judge.session import Reply, Session, is_success
from gradestone.judge.texts import Answer, read_answer
from gradestone.net.types import NetError, Request
from gradestone.net.urls import read_url
from gradestone.options import Absent, LlmAnswerMatch, LlmCategory, LlmJudge, LlmPairwise, LlmScore
from gradestone.options.checks import label_key
from gradestone.options.judge import JudgeOptions
from gradestone.registry import Registry
from gradestone.verdict import RowVerdict, quote

O = TypeVar("O", bound=JudgeOptions)  # noqa: E741 - the options


class _Unusable(Exception):  # noqa: N818 - a verdict on its way up, and no error of the program
    """No verdict can be read."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class _Judge(Generic[O]):
    """What all judges share: the prompts go out, and the replies are read once all of them are there."""

    reads_any_status: ClassVar[bool] = False
    """Whether a reply of another status than 200 to 299 is still read."""

    def __init__(self, options: O) -> None:
        self._options = options

    async def grade(self, candidate: JsonValue, session: Session) -> RowVerdict:
        """Ask, and read."""
        metadata: dict[str, Any] = {"model": self._options.model, "registry": session.registry.id}
        try:
            self._check_bias(session.deps.subject_model)
            gateway = self._gateway()
            prompts = self._prompts(candidate, session.registry)
            metadata["prompts"] = [fingerprint(prompt) for prompt in prompts]
            answers = [await self._ask(prompt, gateway, session, metadata) for prompt in prompts]
            verdict = self._decide([self._text_of(reply, answer) for reply, answer in answers], metadata)
        except (_Unusable, NetError) as error:
            verdict = RowVerdict(error.code, 0.0, error.reason)
        return verdict._replace(metadata=metadata)

    def estimate(self, candidate: JsonValue, registry: Registry) -> Estimate:
        """The calls and the code points of their prompts."""
        try:
            prompts = self._prompts(candidate, registry)
        except _Unusable:
            return NOTHING
        return Estimate(len(prompts), sum(map(len, prompts)))

    def _check_bias(self, run_subject: str | None) -> None:
        own = self._options.subject_model
        subject = run_subject if isinstance(own, Absent) else own
        if subject is not None and family_of(subject) == family_of(self._options.model):
            raise _Unusable(
                "same_family",
                f"judge {quote(self._options.model)} and subject {quote(subject)} are of one model family",
            )

    def _gateway(self) -> Gateway:
        gateway = gateway_of(self._options)
        if gateway is None:
            raise _Unusable(
                "missing_gateway",
                f"no gateway: give the option `gateway_url` or set {' or '.join(VARIABLES)}",
            )
        read_url(gateway.url)  # refused before anything else is made of it
        key = unsendable_key(self._options, gateway)
        if key is not None:
            raise _Unusable("invalid_option", f"`{key}` must be printable ASCII")
        return gateway

    def _prompts(self, candidate: JsonValue, registry: Registry) -> list[str]:
        entry = registry.get(self._options.type)
        if entry is None or entry.prompt_template is None:
            raise _Unusable("missing_prompt", f"the registry has no prompt for {self._options.type}")
        wanted = self._values(text_of(candidate))
        missing = wanted[0].keys() - markers_of(entry.prompt_template)
        if missing:
            raise _Unusable(
                "missing_prompt", f"the registry's prompt of {entry.type} lacks the marker {{{min(missing)}}}"
            )
        return [fill(entry.prompt_template, values) for values in wanted]

    async def _ask(
        self, prompt: str, gateway: Gateway, session: Session, metadata: dict[str, Any]
    ) -> tuple[Reply, Answer]:
        options = self._options
        request = Request("POST", gateway.url, headers_of(options, gateway), body_of(options.model, prompt))
        reply = await session.ask(
            request,
            timeout_s=session.timeout_of(options.timeout_s, options.type),
            trusted=gateway.trusted,
            key=ReplyKey(
                endpoint=gateway.url, model=options.model, prompt=prompt.encode("utf-8", "surrogatepass")
            ),
            may_retry=True,
            is_usable=self._is_usable,
        )
        answer = read_answer(reply.body)
        _note(metadata, reply, answer)
        return reply, answer

    def _is_usable(self, reply: Reply) -> bool:
        """Whether a reply holds a judge's words, whatever they say."""
        is_read = self.reads_any_status or is_success(reply.status)
        return is_read and read_answer(reply.body).text is not None

    def _text_of(self, reply: Reply, answer: Answer) -> str:
        if not is_success(reply.status) and not self.reads_any_status:
            raise _Unusable("http_error", f"the gateway answered with status {reply.status}")
        if answer.text is None:
            if not is_success(reply.status):
                raise _Unusable("http_error", f"the gateway answered with status {reply.status}")
            raise _Unusable("unparseable_reply", "the gateway's answer holds no text of a model")
        return answer.text

    def _settled(self, found: Found | None, text: str, wanted: str, metadata: dict[str, Any]) -> Any:
        """The value that was found, unless there is none, or several of which none is to be chosen."""
        if found is None:
            raise _Unusable("unparseable_reply", f"the reply holds no {wanted}: {self._quoted(text)}")
        if found.conflicting:
            metadata["conflicting"] = True
            if self._options.on_conflict == "fail":
                raise _Unusable(
                    "conflicting_reply", f"the reply's lines {wanted} differ: {self._quoted(text)}"
                )
        return found.value

    def _quoted(self, text: str) -> str:
        """What a judge said, for a reason."""
        return quote(without_keys(text, self._options))

    def _values(self, candidate: str) -> list[dict[str, str]]:
        """What goes into the template, a prompt a call."""
        raise NotImplementedError

    def _decide(self, texts: list[str], metadata: dict[str, Any]) -> RowVerdict:
        """The verdict that the replies say."""
        raise NotImplementedError


def _note(metadata: dict[str, Any], reply: Reply, answer: Answer) -> None:
    """Add up what the calls of a verdict took. Seconds of a reply out of the cache were waited for long ago."""
    if reply.latency_s is None:
        metadata["cached"] = metadata.get("cached", 0) + 1
    else:
        metadata["latency_s"] = round(metadata.get("latency_s", 0.0) + reply.latency_s, 6)
    if reply.retries:
        metadata["retries"] = metadata.get("retries", 0) + reply.retries
    if answer.usage:
        metadata["usage"] = _summed(metadata.get("usage", {}), answer.usage)


def _summed(left: Mapping[str, int], right: Mapping[str, int]) -> dict[str, int]:
    return {name: left.get(name, 0) + right.get(name, 0) for name in (*left, *right)}


class llm_judge(_Judge[LlmJudge]):  # noqa: N801 - named like its type, as every grader
    """Passes when the reply plainly says PASS."""

    # An old behaviour that suites rely on: gateways that answer with an odd status and a good body.
    reads_any_status = True

    def _values(self, candidate: str) -> list[dict[str, str]]:
        return [{"rubric": self._options.rubric, "candidate": candidate}]

    def _decide(self, texts: list[str], metadata: dict[str, Any]) -> RowVerdict:
        passed = self._settled(read_verdict(texts[0]), texts[0], "plain PASS or FAIL", metadata)
        if passed:
            return RowVerdict("ok", 1.0, "the judge says PASS")
        return RowVerdict("judged_fail", 0.0, f"the judge says FAIL: {self._quoted(texts[0])}")


class llm_score(_Judge[LlmScore]):  # noqa: N801
    """Passes when the score of the reply reaches the minimum."""

    def _values(self, candidate: str) -> list[dict[str, str]]:
        return [{"rubric": self._options.rubric, "candidate": candidate}]

    def _decide(self, texts: list[str], metadata: dict[str, Any]) -> RowVerdict:
        score = self._settled(read_score(texts[0]), texts[0], "line `SCORE: <number>`", metadata)
        if not 0 <= score <= 1:
            raise _Unusable("unparseable_reply", f"the score is not from 0 to 1: {self._quoted(texts[0])}")
        if score >= self._options.min_score:
            return RowVerdict("ok", score, f"score {score:g} >= min_score {self._options.min_score:g}")
        return RowVerdict(
            "below_threshold", score, f"score {score:g} < min_score {self._options.min_score:g}"
        )


class llm_category(_Judge[LlmCategory]):  # noqa: N801
    """Passes when the label of the reply is one of the passing ones."""

    def _values(self, candidate: str) -> list[dict[str, str]]:
        return [
            {
                "prompt": self._options.prompt,
                "categories": ", ".join(self._options.categories),
                "candidate": candidate,
            }
        ]

    def _decide(self, texts: list[str], metadata: dict[str, Any]) -> RowVerdict:
        label = self._settled(read_category(texts[0]), texts[0], "line `CATEGORY: <label>`", metadata)
        key = label_key(label)
        known = {label_key(one): one for one in self._options.categories}
        if key not in known:
            raise _Unusable(
                "unknown_category", f"the judge chose no category of the list: {self._quoted(label)}"
            )
        metadata["category"] = known[key]
        if key in set(map(label_key, self._options.passing_categories)):
            return RowVerdict("ok", 1.0, f"the judge chose {quote(known[key])}")
        return RowVerdict("judged_fail", 0.0, f"the judge chose {quote(known[key])}, which does not pass")


_WORTH: Final = {"A": 1.0, "TIE": 0.5, "B": 0.0}
"""What an answer is worth to the response that stood first."""


class llm_pairwise(_Judge[LlmPairwise]):  # noqa: N801
    """Passes when the baseline wins neither way round."""

    def _values(self, candidate: str) -> list[dict[str, str]]:
        criteria, baseline = self._options.criteria, self._options.baseline
        return [
            {"criteria": criteria, "first": candidate, "second": baseline},
            {"criteria": criteria, "first": baseline, "second": candidate},
        ]

    def _decide(self, texts: list[str], metadata: dict[str, Any]) -> RowVerdict:
        first, second = (
            self._settled(read_winner(text), text, "line `WINNER: <A, B or TIE>`", metadata) for text in texts
        )
        metadata["winners"] = [first, second]
        score = min(_WORTH[first], 1.0 - _WORTH[second])
        told = f"the judge says {first} with the candidate as A, and {second} with the candidate as B"
        return RowVerdict("ok" if score > 0 else "baseline_won", score, told)


class llm_answer_match(_Judge[LlmAnswerMatch]):  # noqa: N801
    """Passes when the reply says that the answers match."""

    def _values(self, candidate: str) -> list[dict[str, str]]:
        return [{"expected": self._options.expected, "candidate": candidate}]

    def _decide(self, texts: list[str], metadata: dict[str, Any]) -> RowVerdict:
        if self._settled(read_match(texts[0]), texts[0], "line `MATCH: <YES or NO>`", metadata):
            return RowVerdict("ok", 1.0, "the judge says that the answers match")
        return RowVerdict("judged_fail", 0.0, "the judge says that the answers do not match")
