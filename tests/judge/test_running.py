"""Many rows at once: the limit, the order, an end that comes early, and who is asked at all."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from pathlib import Path
from typing import Any

import pytest

from gradestone import (
    GradeDeps,
    agrade,
    agrade_batch,
    agrade_many,
    estimate_many,
    grade,
    grade_batch,
    grade_many,
)
from gradestone.codes import CODES, Outcome
from gradestone.judge.cache import ReplyCache
from gradestone.net import Request, Response
from gradestone.verdict import RowVerdict

from .endpoints import GATEWAY, Answer, Endpoint, Script, rows, says, score_judge

JUDGE = score_judge()


def held_until(count: int) -> Answer:
    """No call is answered before so many are under way."""
    barrier = asyncio.Barrier(count)

    async def answer(_row: int) -> Response:
        await barrier.wait()
        return says("SCORE: 1")

    return answer


@pytest.mark.parametrize("concurrency", [1, 2, 5])
def test_the_limit_is_reached_and_holds(concurrency: int) -> None:
    """As many calls are under way as may be, and never are there more."""
    endpoint = Endpoint(held_until(concurrency))
    batch = grade_batch(JUDGE, rows(3 * concurrency), deps=endpoint.deps(), concurrency=concurrency)
    assert batch.passed.all()
    assert sorted(endpoint.asked) == list(range(3 * concurrency))
    assert endpoint.most == concurrency


def test_eight_at_once_by_default() -> None:
    """Where nobody says otherwise."""
    endpoint = Endpoint(held_until(8))
    assert grade_batch(JUDGE, rows(16), deps=endpoint.deps()).passed.all()
    assert endpoint.most == 8


def test_the_limit_is_that_of_the_whole_set() -> None:
    """Several graders share it."""
    endpoint = Endpoint(held_until(3))
    graders = {"a": JUDGE, "b": score_judge(rubric="short")}
    batches = grade_many(graders, rows(6), deps=endpoint.deps(), concurrency=3)
    assert all(batch.passed.all() for batch in batches.values())
    assert endpoint.most == 3


def test_a_sync_transport_runs_side_by_side() -> None:
    """It is called in threads, as many at once as may be."""
    barrier = threading.Barrier(4)

    def fetch(_request: Request) -> Response:
        barrier.wait(timeout=30)
        return says("SCORE: 1")

    assert grade_batch(JUDGE, rows(8), deps=GradeDeps(fetch=fetch), concurrency=4).passed.all()


def test_results_are_in_order_whatever_the_order_of_replies() -> None:
    """The last row is answered first."""
    count = 6
    answered = [asyncio.Event() for _ in range(count + 1)]
    answered[count].set()

    async def answer(row: int) -> Response:
        await answered[row + 1].wait()
        answered[row].set()
        return says(f"SCORE: 0.{row}")

    batch = grade_batch(JUDGE, rows(count), deps=Endpoint(answer).deps(), concurrency=count)
    assert batch.score.tolist() == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]


def test_progress() -> None:
    """Once a verdict, with how many there are and will be, those that needed no call among them."""
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    candidates = [*rows(4), None]
    graders = {"a": JUDGE, "b": score_judge(rubric="short"), "pii": {"type": "no_pii"}}
    grade_many(graders, candidates, deps=Endpoint().deps(), concurrency=2, progress=progress)
    assert told == [(done, 10) for done in range(1, 11)]
    told.clear()
    grade_batch({"type": "no_pii"}, rows(3), progress=progress)
    assert told == []


def test_a_progress_callback_that_raises_ends_the_run() -> None:
    """It is the caller's, so its exception is too; no further row is asked about."""

    def progress(_done: int, _total: int) -> None:
        raise LookupError("the bar is gone")

    endpoint = Endpoint()
    with pytest.raises(LookupError, match="the bar is gone"):
        grade_batch(JUDGE, rows(5), deps=endpoint.deps(), concurrency=1, progress=progress)
    assert endpoint.asked == [0]


def test_no_rows() -> None:
    """Nothing is asked, and nothing waited for."""
    endpoint = Endpoint()
    assert len(grade_batch(JUDGE, [], deps=endpoint.deps())) == 0
    assert endpoint.asked == []


class Held:
    """An endpoint whose calls wait until the test lets them go."""

    def __init__(self, wanted: int) -> None:
        self.there = asyncio.Event()
        self.release = asyncio.Event()
        self.cancelled = 0
        self.endpoint = Endpoint(self._answer)
        self._wanted = wanted

    async def _answer(self, _row: int) -> Response:
        if self.endpoint.under_way == self._wanted:
            self.there.set()
        try:
            await self.release.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return says("SCORE: 1")


def test_cancelling_ends_the_calls_under_way() -> None:
    """Without a cache nobody gains by waiting for them."""

    async def main() -> Held:
        held = Held(3)
        task = asyncio.create_task(agrade_batch(JUDGE, rows(9), deps=held.endpoint.deps(), concurrency=3))
        await held.there.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(asyncio.all_tasks()) == 1
        return held

    held = asyncio.run(main())
    assert (held.cancelled, held.endpoint.under_way, held.endpoint.asked) == (3, 0, [0, 1, 2])


def test_cancelling_brings_home_what_is_paid_for(tmp_path: Path) -> None:
    """With a cache the calls under way are waited for and kept, and no row is begun."""
    path = tmp_path / "replies.db"

    async def main() -> Held:
        held = Held(3)
        deps = held.endpoint.deps(cache=path)
        task = asyncio.create_task(agrade_batch(JUDGE, rows(9), deps=deps, concurrency=3))
        await held.there.wait()
        task.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        assert not task.done()
        held.release.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        return held

    held = asyncio.run(main())
    assert (held.cancelled, held.endpoint.asked) == (0, [0, 1, 2])
    with ReplyCache(path) as cache:
        assert len(cache) == 3
    again = Endpoint()
    assert grade_batch(JUDGE, rows(9), deps=again.deps(cache=path), concurrency=1).passed.all()
    assert again.asked == [3, 4, 5, 6, 7, 8]


def test_cancelling_twice_does_not_wait(tmp_path: Path) -> None:
    """The second time the calls under way are ended."""

    async def main() -> Held:
        held = Held(2)
        deps = held.endpoint.deps(cache=tmp_path / "replies.db")
        task = asyncio.create_task(agrade_batch(JUDGE, rows(4), deps=deps, concurrency=2))
        await held.there.wait()
        for _ in range(2):
            task.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await task
        return held

    assert asyncio.run(main()).cancelled == 2


def test_the_loop_goes_on_meanwhile() -> None:
    """`agrade` and `agrade_many` hold nobody up: what they wait for is done in the same loop."""

    async def main() -> None:
        held = Held(2)
        deps = held.endpoint.deps()
        one = asyncio.create_task(agrade(JUDGE, rows(1)[0], deps=deps))
        many = asyncio.create_task(agrade_many({"a": JUDGE, "pii": {"type": "no_pii"}}, rows(1), deps=deps))
        await held.there.wait()
        held.release.set()
        assert (await one).passed
        assert [batch.passed.tolist() for batch in (await many).values()] == [[True], [True]]

    asyncio.run(main())


SEEN: contextvars.ContextVar[str] = contextvars.ContextVar("SEEN")


def test_sync_calls_inside_a_running_loop() -> None:
    """As in a notebook: verdicts, the caller's context variables, and exceptions come through."""
    seen: list[str] = []

    async def fetch(_request: Request) -> Response:
        seen.append(SEEN.get())
        return says("SCORE: 1")

    async def main() -> None:
        SEEN.set("the caller's")
        assert grade(JUDGE, "x", deps=GradeDeps(fetch=fetch)).passed
        assert grade(JUDGE, "x", deps=GradeDeps(fetch=lambda _: says("SCORE: 1"))).passed
        assert grade_batch(JUDGE, rows(3), deps=GradeDeps(fetch=fetch)).passed.all()
        with pytest.raises(ValueError, match="retries"):
            grade(JUDGE, "x", deps=GradeDeps(fetch=fetch, retries=-1))

    asyncio.run(main())
    assert seen == ["the caller's"] * 4
    assert "gradestone-calls" not in [thread.name for thread in threading.enumerate()]


def test_fail_fast_pays_nothing_for_rows_that_failed() -> None:
    """Rows that a deterministic grader did not pass are skipped, which is no pass; all others are asked about."""
    candidates = [*rows(3), f"{rows(4)[3]} a@b.example", None]
    graders = {
        "judge": JUDGE,
        "pii": {"type": "no_pii"},
        "other": {"type": "regex", "pattern": "candidate [^1]"},
    }
    endpoint = Endpoint()
    batches = grade_many(graders, candidates, deps=endpoint.deps(), fail_fast=True)
    assert batches["judge"].code.tolist() == ["ok", "skipped", "ok", "skipped", "skipped"]
    assert CODES["skipped"].outcome is Outcome.NOT_RUN
    assert batches["judge"].passed.tolist() == [True, False, True, False, False]
    assert sorted(endpoint.asked) == [0, 2]
    endpoint = Endpoint()
    grade_many(graders, candidates, deps=endpoint.deps())
    assert sorted(endpoint.asked) == [0, 1, 2, 3]


def test_agrade_many_fails_fast_too() -> None:
    """The same door, awaited."""
    graders = {"judge": JUDGE, "pii": {"type": "no_pii"}}
    endpoint = Endpoint()
    batches = asyncio.run(agrade_many(graders, ["a@b.example"], deps=endpoint.deps(), fail_fast=True))
    assert (batches["judge"].code.tolist(), endpoint.asked) == (["skipped"], [])


@pytest.mark.parametrize("fail_fast", [True, False])
def test_deterministic_graders_run_first(monkeypatch: pytest.MonkeyPatch, fail_fast: bool) -> None:
    """Whatever the order in which they are named."""
    events: list[str] = []

    def status(*_: Any) -> RowVerdict:
        events.append("inside")
        return RowVerdict("ok", 1.0, "")

    async def answer(_row: int) -> Response:
        events.append("outside")
        return says("SCORE: 1")

    monkeypatch.setattr("gradestone.graders.WITHOUT_KERNEL", {"http_status": lambda _: status})
    graders = {"judge": JUDGE, "status": {"type": "http_status", "status": 200}}
    grade_many(graders, rows(3), deps=Endpoint(answer).deps(), fail_fast=fail_fast)
    assert events == ["inside"] * 3 + ["outside"] * 3


def test_names_keep_their_order() -> None:
    """That of the mapping that was given, whoever ran first."""
    graders = {"judge": JUDGE, "pii": {"type": "no_pii"}, "bad": {"type": "nothing"}, "again": JUDGE}
    assert list(grade_many(graders, rows(2), deps=Endpoint().deps())) == list(graders)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("sk-secret"),
        RuntimeError("sk-secret"),
        OSError("sk-secret"),
        TimeoutError("sk-secret"),
        ExceptionGroup("sk-secret", [ValueError("sk-secret")]),
        SystemExit(0),
        asyncio.CancelledError("sk-secret"),
        MemoryError(),
        RecursionError(),
        StopAsyncIteration(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_transport_that_raises(error: BaseException) -> None:
    """It is one row's verdict, never a pass or the end of the run; of the exception only the type is told."""
    script = Script(error, says("SCORE: 1"))
    batch = grade_batch(JUDGE, rows(2), deps=script.deps(), concurrency=1)
    assert batch.code.tolist() == ["unreachable", "ok"]
    assert type(error).__name__ in batch.reasons[0]
    assert "sk-secret" not in f"{batch!r} {batch.reasons}"


NO_RESPONSES: list[Any] = [
    None,
    200,
    b"SCORE: 1",
    "SCORE: 1",
    {"status": 200},
    Response(status=True),
    Response(200, {}, "SCORE: 1"),  # type: ignore[arg-type]
    Response(200, None, b"SCORE: 1"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("answer", NO_RESPONSES, ids=range(len(NO_RESPONSES)))
def test_a_transport_that_returns_no_response(answer: Any) -> None:
    """The same."""
    result = grade(JUDGE, "x", deps=GradeDeps(fetch=lambda _: answer))
    assert (result.code, result.passed) == ("unreachable", False)


def test_an_interrupt_out_of_a_transport_is_one() -> None:
    """It is raised, not judged."""
    with pytest.raises(KeyboardInterrupt):
        grade_batch(JUDGE, rows(3), deps=Script(KeyboardInterrupt()).deps(), concurrency=1)


@pytest.mark.parametrize("deps", [{}, "deps", 5, object()], ids=["dict", "text", "number", "object"])
@pytest.mark.parametrize("grader", [JUDGE, {"type": "no_pii"}], ids=["outside", "inside"])
def test_deps_of_another_type(grader: dict[str, Any], deps: Any) -> None:
    """A mistake of the program's, so it raises, through every door and whatever the grader."""
    for door in (grade, grade_batch):
        with pytest.raises(TypeError, match="deps must be a GradeDeps"):
            door(grader, ["x"], deps=deps)
    for awaited in (agrade, agrade_batch):
        with pytest.raises(TypeError, match="deps must be a GradeDeps"):
            asyncio.run(awaited(grader, ["x"], deps=deps))
    with pytest.raises(TypeError, match="deps must be a GradeDeps"):
        estimate_many({"a": grader}, ["x"], deps=deps)


@pytest.mark.parametrize("concurrency", [0, -1, True, 2.0, "8", None])
def test_concurrency_is_a_number_from_one_on(concurrency: Any) -> None:
    """None of these is read as anything else, and nothing is asked."""
    endpoint = Endpoint()
    with pytest.raises(ValueError, match="concurrency must be an integer of at least 1"):
        grade_batch(JUDGE, rows(1), deps=endpoint.deps(), concurrency=concurrency)
    with pytest.raises(ValueError, match="concurrency must be an integer of at least 1"):
        asyncio.run(agrade_batch(JUDGE, rows(1), deps=endpoint.deps(), concurrency=concurrency))
    assert endpoint.asked == []


def test_an_estimate_sends_nothing() -> None:
    """Calls and characters by grader; rows that would be refused cost nothing."""
    endpoint = Endpoint()
    graders = {
        "judge": JUDGE,
        "pair": {"type": "llm_pairwise", "baseline": "b", "criteria": "c", "gateway_url": GATEWAY},
        "hook": {"type": "custom_webhook", "url": GATEWAY},
        "pii": {"type": "no_pii"},
        "bad": {"type": "nothing"},
    }
    found = estimate_many(graders, [*rows(3), None], deps=endpoint.deps())
    calls = {name: one.calls for name, one in found.items()}
    assert calls == {"judge": 3, "pair": 6, "hook": 3, "pii": 0, "bad": 0}
    assert found["hook"].characters == sum(len('{"candidate":"' + row + '"}') for row in rows(3))
    assert endpoint.asked == []
