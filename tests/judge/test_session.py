"""What the calls of a run share: retries, the time limit, the cache, and knowing when an endpoint is down."""

from __future__ import annotations

import asyncio
import gc
import json
import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.net import servers
from tests.net.servers import Server, answers, message

from gradestone import GradeDeps, agrade, grade, grade_batch, grade_many
from gradestone.codes import CODES, Outcome
from gradestone.judge.cache import CacheError, ReplyCache
from gradestone.judge.session import DOWN_AFTER, FIRST_WAIT_S
from gradestone.net import Request, Response, SsrfVerdict
from gradestone.registry import Registry, read_registry

from .endpoints import GATEWAY, Endpoint, Script, rows, says, score_judge

JUDGE = score_judge()
HOOK = {"type": "custom_webhook", "url": "https://hook.example"}
GOOD = says("SCORE: 1")


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that are waited between attempts; nobody waits for them."""
    told: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        told.append(seconds)
        await real(0)

    monkeypatch.setattr("gradestone.judge.session.asyncio.sleep", sleep)
    return told


# Retries.


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_statuses_that_are_asked_again(waits: list[float], status: int) -> None:
    """The reply that came in the end counts, and the metadata says how many attempts it took beside the first."""
    script = Script(Response(status), Response(status), GOOD)
    result = grade(JUDGE, "x", deps=script.deps(retries=2))
    assert (result.code, result.metadata["retries"], script.calls) == ("ok", 2, 3)
    assert len(waits) == 2


@pytest.mark.parametrize("status", [201, 400, 401, 404, 408, 500, 501, 505])
def test_statuses_that_are_not(waits: list[float], status: int) -> None:
    """They say that asking again would be of no use, or that the endpoint is at fault."""
    script = Script(Response(status), GOOD)
    result = grade(JUDGE, "x", deps=script.deps(retries=2))
    assert (result.passed, script.calls, waits) == (False, 1, [])
    assert "retries" not in result.metadata


def test_broken_connections_are_asked_again(waits: list[float]) -> None:
    """Whatever the transport raised."""
    script = Script(OSError("reset"), OSError("reset"), GOOD)
    result = grade(JUDGE, "x", deps=script.deps(retries=5))
    assert (result.code, result.metadata["retries"], script.calls, len(waits)) == ("ok", 2, 3, 2)


def test_broken_connections_of_a_real_server(waits: list[float]) -> None:
    """Reset, cut short and garbled; then an answer."""
    behaviours = [servers.resets, servers.truncates, servers.malforms, answers(200, GOOD.body)]

    def handle(peer: servers.Peer, asked: servers.Asked) -> None:
        behaviours[len(server.requests) - 1](peer, asked)

    with Server(handle) as server:
        deps = GradeDeps(allow_hosts=[server.endpoint], retries=3)
        result = grade(score_judge(gateway_url=server.origin), "x", deps=deps)
    assert (result.code, result.metadata["retries"], len(server.requests)) == ("ok", 3, 4)
    assert len(waits) == 3


@pytest.mark.parametrize("answer", [Response(503), OSError("reset")])
def test_retries_are_off_by_default(waits: list[float], answer: Any) -> None:
    """Nobody is charged twice who did not ask for it."""
    script = Script(answer, GOOD)
    assert not grade(JUDGE, "x", deps=script.deps()).passed
    assert (script.calls, waits) == (1, [])


@pytest.mark.parametrize(("answer", "code"), [(Response(503), "http_error"), (OSError("x"), "unreachable")])
def test_retries_are_bounded(waits: list[float], answer: Any, code: str) -> None:
    """No more attempts than were asked for, each wait at most twice the one before, and none endless."""
    script = Script(answer)
    result = grade(JUDGE, "x", deps=script.deps(retries=8))
    assert (result.code, script.calls, len(waits)) == (code, 9, 8)
    for tried, wait in enumerate(waits):
        longest = FIRST_WAIT_S * 2 ** min(tried, 5)
        assert longest / 2 <= wait <= longest


def test_waits_are_jittered(waits: list[float]) -> None:
    """Callers that were refused together do not come back together."""
    for _ in range(4):
        grade(JUDGE, "x", deps=Script(Response(503), GOOD).deps(retries=1))
    assert len(set(waits)) == 4


@pytest.mark.parametrize("name", ["retry-after", "Retry-After", "RETRY-AFTER"])
@pytest.mark.parametrize(("text", "seconds"), [("0", 0.0), ("7", 7.0), (" 12 ", 12.0), ("60", 60.0)])
def test_retry_after_is_honoured(waits: list[float], name: str, text: str, seconds: float) -> None:
    """The endpoint's seconds, however the header is spelt."""
    script = Script(Response(429, {name: text}), GOOD)
    assert grade(JUDGE, "x", deps=script.deps(retries=1)).passed
    assert waits == [seconds]


def test_retry_after_of_a_real_server(waits: list[float]) -> None:
    """As it comes over the wire."""

    def handle(peer: servers.Peer, asked: servers.Asked) -> None:
        if len(server.requests) == 1:
            servers.limits(peer, asked)
        else:
            answers(200, GOOD.body)(peer, asked)

    with Server(handle) as server:
        deps = GradeDeps(allow_hosts=[server.endpoint], retries=1)
        assert grade(score_judge(gateway_url=server.origin), "x", deps=deps).passed
    assert waits == [7.0]


@pytest.mark.parametrize("text", ["61", "3600", "9" * 9, "9" * 10, "9" * 400])
def test_a_longer_retry_after_is_taken_at_its_word(waits: list[float], text: str) -> None:
    """It is not asked again before that time, so it is not asked again."""
    script = Script(Response(429, {"retry-after": text}), GOOD)
    result = grade(JUDGE, "x", deps=script.deps(retries=3))
    assert (result.code, script.calls, waits) == ("http_error", 1, [])


@pytest.mark.parametrize(
    "text", ["", "soon", "-1", "1.5", "1e3", "٣", "Wed, 21 Oct 2026 07:28:00 GMT", None, 5]
)
def test_a_retry_after_without_plain_seconds(waits: list[float], text: Any) -> None:
    """Our own wait."""
    script = Script(Response(503, {"retry-after": text}), GOOD)
    assert grade(JUDGE, "x", deps=script.deps(retries=1)).passed
    (wait,) = waits
    assert FIRST_WAIT_S / 2 <= wait <= FIRST_WAIT_S


@pytest.mark.parametrize("text", ["SCORE: 0.1", "SCORE: 7", "no score", "", "<think>SCORE: 1"])
def test_a_reply_is_never_asked_for_again(waits: list[float], text: str) -> None:
    """Whatever it says: asking until the answer is welcome is no judgement."""
    script = Script(says(text), GOOD)
    result = grade(JUDGE, "x", deps=script.deps(retries=3))
    assert (result.passed, script.calls, waits) == (False, 1, [])


def test_what_was_refused_or_took_too_long_is_not_asked_again(waits: list[float]) -> None:
    """Nor are redirects, and answers that are too large."""

    async def never(_request: Request) -> Response:
        nonlocal calls
        calls += 1
        await asyncio.Event().wait()
        raise AssertionError

    calls = 0
    result = grade(JUDGE, "x", deps=GradeDeps(fetch=never, retries=3, timeout_s=0.05))
    assert (result.code, calls) == ("timeout", 1)
    for answer, code in (
        (Response(302, {"location": "https://x.example"}), "redirected"),
        (Response(200, {}, b" " * (1 << 20) + b" "), "response_too_large"),
    ):
        script = Script(answer, GOOD)
        assert grade(JUDGE, "x", deps=script.deps(retries=3)).code == code
        assert script.calls == 1
    assert waits == []


def test_a_webhook_is_never_asked_again(waits: list[float]) -> None:
    """Nobody knows what posting twice does there."""
    script = Script(Response(503), GOOD)
    assert grade(HOOK, "x", deps=script.deps(retries=3)).code == "http_error"
    assert (script.calls, waits) == (1, [])


def test_retries_of_both_calls_are_added(waits: list[float]) -> None:
    """The metadata of a pairwise verdict counts them together."""
    pairwise = {"type": "llm_pairwise", "baseline": "b", "criteria": "c", "gateway_url": GATEWAY}
    script = Script(Response(503), says("WINNER: A"), Response(503), Response(503), says("WINNER: B"))
    result = grade(pairwise, "x", deps=script.deps(retries=2))
    assert (result.code, result.metadata["retries"], script.calls, len(waits)) == ("ok", 3, 5, 3)


@pytest.mark.parametrize("retries", [-1, True, 1.0, "2", None])
def test_retries_are_a_number_from_nought_on(retries: Any) -> None:
    """None of these is read as anything else, and nothing is asked."""
    script = Script(GOOD)
    with pytest.raises(ValueError, match="retries must be an integer of at least 0"):
        grade(JUDGE, "x", deps=script.deps(retries=retries))
    with pytest.raises(ValueError, match="retries must be an integer of at least 0"):
        asyncio.run(agrade(JUDGE, "x", deps=script.deps(retries=retries)))
    assert script.calls == 0


# An endpoint that is down.

FAILURES: list[tuple[Any, str]] = [
    (Response(500), "http_error"),
    (Response(404), "http_error"),
    (OSError("refused"), "unreachable"),
    (Response(302), "redirected"),
]


@pytest.mark.parametrize(("answer", "code"), FAILURES)
def test_down_after_calls_in_a_row_that_came_to_nothing(answer: Any, code: str) -> None:
    """Not a call earlier, and not a call later; the rows that remain are not run, and none passes."""
    script = Script(answer)
    batch = grade_batch(JUDGE, rows(25), deps=script.deps(), concurrency=1)
    assert script.calls == DOWN_AFTER == 10
    assert batch.code.tolist() == [code] * 10 + ["endpoint_down"] * 15
    assert CODES["endpoint_down"].outcome is Outcome.NOT_RUN
    assert not batch.passed.any()
    assert "10 calls in a row came to nothing" in batch.reasons[10]


def test_nine_calls_are_not_enough() -> None:
    """The tenth is made, and what it says counts."""
    script = Script(*[Response(500)] * 9, GOOD)
    batch = grade_batch(JUDGE, rows(12), deps=script.deps(), concurrency=1)
    assert batch.code.tolist() == ["http_error"] * 9 + ["ok"] * 3


def test_a_success_in_between_begins_anew() -> None:
    """Nine, a reply, nine, a reply: never ten in a row. A reply that cannot be read is one too."""
    script = Script(*[Response(500)] * 9, says("what?"), *[Response(500)] * 9, GOOD, Response(500))
    batch = grade_batch(JUDGE, rows(31), deps=script.deps(), concurrency=1)
    down = ["http_error"] * 10 + ["endpoint_down"]
    assert batch.code.tolist() == [
        *(["http_error"] * 9 + ["unparseable_reply"]),
        *(["http_error"] * 9 + ["ok"]),
        *down,
    ]


def test_calls_under_way_come_home() -> None:
    """With eight at once at most seven more are made than it takes to know."""
    endpoint = Endpoint(answered_with(Response(500)))
    batch = grade_batch(JUDGE, rows(100), deps=endpoint.deps(), concurrency=8)
    assert 10 <= len(endpoint.asked) <= 17
    assert batch.code.tolist().count("endpoint_down") == 100 - len(endpoint.asked)


def answered_with(response: Response) -> Callable[[int], Any]:
    async def answer(_row: int) -> Response:
        return response

    return answer


def test_refusals_say_nothing_about_an_endpoint() -> None:
    """A URL that was refused was not asked, however often; nor does a refusal undo what the endpoint did."""
    blocked = score_judge(gateway_url="http://127.0.0.1:9")
    assert grade_batch(blocked, rows(25), deps=Script(GOOD).deps()).code.tolist() == ["blocked_url"] * 25
    checks = 0

    def check(_url: str) -> SsrfVerdict:
        nonlocal checks
        checks += 1
        return SsrfVerdict(checks % 2 == 0, "every other one")

    script = Script(Response(500))
    batch = grade_batch(JUDGE, rows(23), deps=script.deps(ssrf_check=check), concurrency=1)
    assert batch.code.tolist() == ["blocked_url", "http_error"] * 10 + ["endpoint_down"] * 3
    assert script.calls == 10


def test_each_endpoint_by_itself() -> None:
    """One that is down takes no other with it."""

    async def fetch(request: Request) -> Response:
        return GOOD if "good" in request.url else Response(500)

    graders = {
        "bad": score_judge(gateway_url="https://bad.example"),
        "good": score_judge(gateway_url="https://good.example"),
    }
    batches = grade_many(graders, rows(20), deps=GradeDeps(fetch=fetch), concurrency=1)
    assert batches["good"].passed.all()
    assert batches["bad"].code.tolist() == ["http_error"] * 10 + ["endpoint_down"] * 10


def test_webhooks_can_be_down_too() -> None:
    """The same count."""
    script = Script(Response(500))
    batch = grade_batch(HOOK, rows(12), deps=script.deps(), concurrency=1)
    assert batch.code.tolist() == ["http_error"] * 10 + ["endpoint_down"] * 2


def test_an_odd_status_with_a_verdict_is_no_failure() -> None:
    """`llm_judge` reads bodies of any status; a gateway that answers so is not down. One without a text is."""
    judge = {"type": "llm_judge", "rubric": "kind", "gateway_url": GATEWAY}
    odd = Response(500, {}, says("PASS").body)
    assert grade_batch(judge, rows(25), deps=Script(odd).deps(), concurrency=1).passed.all()
    script = Script(Response(500, {}, b'{"error": {"message": "PASS"}}'))
    batch = grade_batch(judge, rows(12), deps=script.deps(), concurrency=1)
    assert batch.code.tolist() == ["http_error"] * 10 + ["endpoint_down"] * 2


def test_every_run_asks_anew() -> None:
    """What was down is asked again by the next call of `grade_batch`."""
    script = Script(*[Response(500)] * 10, GOOD)
    deps = script.deps()
    assert grade_batch(JUDGE, rows(12), deps=deps, concurrency=1).code.tolist()[-1] == "endpoint_down"
    assert grade_batch(JUDGE, rows(2), deps=deps, concurrency=1).passed.all()


def test_retries_do_not_count_as_calls(waits: list[float]) -> None:
    """A call with its retries is one; and once an endpoint is down nothing is tried."""
    script = Script(Response(503))
    batch = grade_batch(JUDGE, rows(12), deps=script.deps(retries=2), concurrency=1)
    assert batch.code.tolist() == ["http_error"] * 10 + ["endpoint_down"] * 2
    assert (script.calls, len(waits)) == (30, 20)


# The time limit.


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that each call is given."""
    told: list[float] = []

    async def send(
        _client: object, _request: Request, *, timeout_s: float, trusted: bool = False
    ) -> Response:
        del trusted
        told.append(timeout_s)
        return Response(200, {}, b'{"output_text": "SCORE: 1", "passed": true}')

    monkeypatch.setattr("gradestone.net.transport.Client.send", send)
    return told


def registry_without_limits() -> Registry:
    document = json.loads(files("gradestone.registry").joinpath("registry.json").read_bytes())
    for entry in document["graders"]:
        entry["options"]["properties"].get("timeout_s", {}).pop("default", None)
    return read_registry(json.dumps(document).encode(), "test")


@pytest.mark.parametrize("grader", [JUDGE, HOOK], ids=["judge", "webhook"])
def test_whose_time_limit_counts(limits: list[float], grader: dict[str, Any]) -> None:
    """The grader's, else the run's, else the registry's default, else ten seconds; 0 is one like any other."""
    default = 15 if grader is JUDGE else 5
    for own, run, registry, expected in (
        (3, 4, None, 3),
        (0.5, None, None, 0.5),
        (0, 4, None, 0),
        (None, 4, None, 4),
        (None, 0, None, 0),
        (None, None, None, default),
        (None, None, registry_without_limits(), 10),
        (None, 4, registry_without_limits(), 4),
    ):
        given = grader if own is None else {**grader, "timeout_s": own}
        assert grade(given, "x", deps=GradeDeps(timeout_s=run, registry=registry)).passed
        assert limits.pop() == expected


def test_a_limit_of_nought_is_over_at_once() -> None:
    """Nothing is sent."""
    script = Script(GOOD)
    assert grade(JUDGE, "x", deps=script.deps(timeout_s=0)).code == "timeout"
    assert script.calls == 0


# The cache.


def test_a_second_run_sends_nothing(tmp_path: Path) -> None:
    """Same verdicts; the metadata says that the reply was kept, and tells no latency."""
    cache = tmp_path / "replies.db"
    first = grade_batch(JUDGE, rows(5), deps=Endpoint().deps(cache=cache))
    assert all("latency_s" in row.metadata and "cached" not in row.metadata for row in first)
    endpoint = Endpoint()
    second = grade_batch(JUDGE, rows(5), deps=endpoint.deps(cache=str(cache)))
    assert endpoint.asked == []
    assert (second.score.tolist(), second.passed.tolist()) == (first.score.tolist(), first.passed.tolist())
    assert all(row.metadata["cached"] == 1 and "latency_s" not in row.metadata for row in second)
    assert [row.metadata["prompts"] for row in second] == [row.metadata["prompts"] for row in first]


def test_a_verdict_of_two_calls_of_which_one_was_kept(tmp_path: Path) -> None:
    """It says how many replies came out of the cache, and the latency of the other."""
    pairwise = {"type": "llm_pairwise", "baseline": "b", "criteria": "c", "gateway_url": GATEWAY}
    script = Script(says("WINNER: A"), OSError("reset"), says("WINNER: B"))
    deps = script.deps(cache=tmp_path / "replies.db")
    assert grade(pairwise, "x", deps=deps).code == "unreachable"
    result = grade(pairwise, "x", deps=deps)
    assert (result.code, result.metadata["cached"], script.calls) == ("ok", 1, 3)
    assert "latency_s" in result.metadata


def test_an_open_cache_can_be_given_and_stays_open(tmp_path: Path) -> None:
    """It is the caller's to close."""
    with ReplyCache(tmp_path / "replies.db") as cache:
        assert grade(JUDGE, "x", deps=Script(GOOD).deps(cache=cache)).passed
        assert len(cache) == 1
        script = Script(OSError("down"))
        assert grade(JUDGE, "x", deps=script.deps(cache=cache)).passed
        assert script.calls == 0


def test_an_unreadable_reply_is_kept_too(tmp_path: Path) -> None:
    """It was paid for, and is parsed anew each time: a better parser takes effect."""
    deps = Script(says("hm")).deps(cache=tmp_path / "replies.db")
    assert grade(JUDGE, "x", deps=deps).code == "unparseable_reply"
    script = Script(GOOD)
    assert grade(JUDGE, "x", deps=script.deps(cache=tmp_path / "replies.db")).code == "unparseable_reply"
    assert script.calls == 0


@pytest.mark.parametrize(
    "answer", [Response(400), Response(429), Response(500, {}, GOOD.body), OSError("reset"), Response(302)]
)
def test_what_is_no_success_is_not_kept(tmp_path: Path, answer: Any) -> None:
    """The next run asks again."""
    script = Script(answer, GOOD)
    deps = script.deps(cache=tmp_path / "replies.db")
    assert [grade(JUDGE, "x", deps=deps).passed for _ in range(3)] == [False, True, True]
    assert script.calls == 2


def test_llm_judge_keeps_no_odd_status(tmp_path: Path) -> None:
    """Not even where it reads the body."""
    judge = {"type": "llm_judge", "rubric": "kind", "gateway_url": GATEWAY}
    script = Script(Response(500, {}, says("PASS").body))
    deps = script.deps(cache=tmp_path / "replies.db")
    assert [grade(judge, "x", deps=deps).passed for _ in range(2)] == [True, True]
    assert script.calls == 2


@pytest.mark.parametrize(
    "other",
    [
        ({"model": "gpt-5.5-mini"}, "x"),
        ({"gateway_url": "https://other.example"}, "x"),
        ({"gateway_url": GATEWAY + ":8443"}, "x"),
        ({"rubric": "unkind"}, "x"),
        ({}, "y"),
        ({}, "x "),
    ],
    ids=str,
)
def test_another_question_is_another_reply(tmp_path: Path, other: tuple[dict[str, Any], str]) -> None:
    """Model, endpoint and prompt."""
    options, candidate = other
    script = Script(GOOD)
    deps = script.deps(cache=tmp_path / "replies.db")
    assert grade(JUDGE, "x", deps=deps).passed
    result = grade(score_judge(**options), candidate, deps=deps)
    assert ("cached" in result.metadata, script.calls) == (False, 2)


@pytest.mark.parametrize(
    "options",
    [
        {"api_key": "sk-other"},
        {"upstream_key": "up"},
        {"min_score": 0.9},
        {"timeout_s": 3},
        {"on_conflict": "fail"},
    ],
    ids=str,
)
def test_what_does_not_change_the_question_does_not_miss(tmp_path: Path, options: dict[str, Any]) -> None:
    """Keys, thresholds and limits."""
    script = Script(GOOD)
    deps = script.deps(cache=tmp_path / "replies.db")
    assert grade(JUDGE, "x", deps=deps).passed
    assert grade(score_judge(**options), "x", deps=deps).metadata["cached"] == 1
    assert script.calls == 1


def test_what_was_kept_counts_when_the_endpoint_is_down(tmp_path: Path) -> None:
    """Nobody has to be asked for it."""
    deps = {"cache": tmp_path / "replies.db"}
    grade_batch(JUDGE, rows(20)[15:], deps=Endpoint().deps(**deps))
    batch = grade_batch(JUDGE, rows(20), deps=Script(Response(500)).deps(**deps), concurrency=1)
    assert batch.code.tolist() == ["http_error"] * 10 + ["endpoint_down"] * 5 + ["ok"] * 5


def test_a_webhook_is_not_cached(tmp_path: Path) -> None:
    """What it says may change."""
    script = Script(Response(200, {}, b'{"passed": true}'))
    deps = script.deps(cache=tmp_path / "replies.db")
    assert [grade(HOOK, "x", deps=deps).passed for _ in range(2)] == [True, True]
    assert script.calls == 2


def broken_caches(folder: Path) -> dict[str, Path]:
    garbage, other = folder / "garbage", folder / "folder"
    garbage.write_bytes(b"no database" * 100)
    other.mkdir()
    return {"garbage": garbage, "folder": other, "nowhere": folder / "missing" / "replies.db"}


@pytest.mark.parametrize("kind", ["garbage", "folder", "nowhere"])
def test_a_cache_that_cannot_be_used(tmp_path: Path, kind: str) -> None:
    """It raises before anything is asked: a run that cannot keep what is paid for is not begun."""
    path = broken_caches(tmp_path)[kind]
    script = Script(GOOD)
    for run in (
        lambda: grade(JUDGE, "x", deps=script.deps(cache=path)),
        lambda: grade_batch(JUDGE, rows(3), deps=script.deps(cache=path)),
        lambda: asyncio.run(agrade(JUDGE, "x", deps=script.deps(cache=path))),
    ):
        with pytest.raises(CacheError, match=path.name):
            run()
    assert script.calls == 0


def test_a_damaged_reply_raises(tmp_path: Path) -> None:
    """It is no row's fault and never a wrong reply: the run ends."""
    path = tmp_path / "replies.db"
    assert grade(JUDGE, "x", deps=Script(says("SCORE: 0.1")).deps(cache=path)).score == 0.1
    data = path.read_bytes()
    assert data.count(b"SCORE: 0.1") == 1
    path.write_bytes(data.replace(b"SCORE: 0.1", b"SCORE: 0.9"))
    script = Script(GOOD)
    with pytest.raises(CacheError, match="a reply in it is damaged"):
        grade_batch(JUDGE, ["x", "y"], deps=script.deps(cache=path), concurrency=1)
    assert script.calls == 0


def test_a_cache_that_was_closed_raises(tmp_path: Path) -> None:
    """Through the batch too."""
    with ReplyCache(tmp_path / "replies.db") as cache:
        pass
    with pytest.raises(CacheError, match="it is closed"):
        grade_batch(JUDGE, rows(2), deps=Script(GOOD).deps(cache=cache))


# Settings.


@pytest.mark.parametrize(
    "entry", ["", "http://a", "a b:1", "127.0.0.1:99999", "*:80", "user@host:1", 5, None]
)
def test_a_trusted_host_that_is_none(entry: Any) -> None:
    """It raises; nothing is asked, and nothing is trusted by accident."""
    script = Script(GOOD)
    with pytest.raises(ValueError, match="allow_hosts"):
        grade(JUDGE, "x", deps=script.deps(allow_hosts=[entry]))
    assert script.calls == 0


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not tell what is open")
def test_a_run_that_cannot_begin_leaves_nothing_open(tmp_path: Path) -> None:
    """The cache is closed where what comes behind it fails."""
    path = tmp_path / "replies.db"
    gc.disable()
    try:
        with pytest.raises(ValueError, match="allow_hosts"):
            grade(JUDGE, "x", deps=Script(GOOD).deps(cache=path, allow_hosts=["no host"]))
        assert [name for name in map(_target, Path("/proc/self/fd").iterdir()) if "replies.db" in name] == []
    finally:
        gc.enable()


def _target(link: Path) -> str:
    try:
        return os.readlink(link)  # noqa: PTH115 - a path that need not be one
    except OSError:
        return ""


def test_one_connection_serves_many_calls() -> None:
    """The calls of a run share a pool of as many connections as may be under way."""
    with Server(answers(200, GOOD.body)) as server:
        deps = GradeDeps(allow_hosts=[server.endpoint])
        judge = score_judge(gateway_url=server.origin)
        assert grade_batch(judge, rows(12), deps=deps, concurrency=1).passed.all()
        assert (len(server.requests), server.connections) == (12, 1)
        assert grade_batch(judge, rows(12), deps=deps, concurrency=3).passed.all()
        assert (len(server.requests), server.connections <= 4) == (24, True)


def test_the_body_of_a_refusal_is_not_told() -> None:
    """It may repeat what was sent."""
    with Server(lambda peer, asked: peer.send(message(500, asked.body))) as server:
        deps = GradeDeps(allow_hosts=[server.endpoint])
        result = grade(score_judge(gateway_url=server.origin), "a private text", deps=deps)
    assert result.reason == "the gateway answered with status 500"
