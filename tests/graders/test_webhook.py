"""``custom_webhook``: what is posted, and the one answer that passes."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graders.stubs import Fetch, deps_of, raw
from tests.net.servers import (
    Asked,
    Peer,
    Server,
    answers,
    closed_port,
    message,
    never_answers,
    redirects,
    resets,
)

from gradestone import (
    CustomWebhook,
    GradeDeps,
    GradeResult,
    compile_grader,
    estimate_many,
    grade,
    grade_batch,
)
from gradestone.net import Request, Response, SsrfVerdict

URL = "https://grader.example/hook?token=s3cr3t"
YES = b'{"passed": true}'


def ask(answer: Response | BaseException, candidate: Any = "x", /, **options: Any) -> GradeResult:
    return grade({"type": "custom_webhook", "url": URL, **options}, candidate, deps=deps_of(Fetch(answer)))


POSTED: dict[str, tuple[Any, bytes]] = {
    "text": ("Paris é ✓\n", '{"candidate":"Paris é ✓\\n"}'.encode()),
    "empty": ("", b'{"candidate":""}'),
    "text that is JSON": ('{"a": 1}', b'{"candidate":"{\\"a\\": 1}"}'),
    "object": ({"b": 1.0, "a": [True, None]}, b'{"candidate":{"b":1,"a":[true,null]}}'),
    "null": (None, b'{"candidate":null}'),
    "number": (12345678901234567890, b'{"candidate":12345678901234567890}'),
    "tuple": ((1, "a"), b'{"candidate":[1,"a"]}'),
    "lone surrogate": ("a\ud800", b'{"candidate":"a\\ud800"}'),
    "lone surrogate inside": ({"\udc00": ["\ud800"]}, b'{"candidate":{"\\udc00":["\\ud800"]}}'),
}


@pytest.mark.parametrize(("candidate", "body"), POSTED.values(), ids=POSTED)
def test_what_is_posted(candidate: Any, body: bytes) -> None:
    """The candidate as JSON under one key, to the address as given, and no key of the grader's."""
    fetch = Fetch(raw(YES))
    grader = {
        "type": "custom_webhook",
        "url": URL,
        "timeout_s": 3,
        "secret": "s3cr3t",
        "headers": {"x-evil": "1"},
    }
    assert grade(grader, candidate, deps=deps_of(fetch)).passed
    assert fetch.requests == [Request("POST", URL, {"content-type": "application/json"}, body)]


def test_deep_candidates_are_posted_whole() -> None:
    """512 levels go out; one more is no JSON value, and nothing goes out."""
    deep: Any = "x"
    for _ in range(512):
        deep = [deep]
    fetch = Fetch(raw(YES))
    assert grade({"type": "custom_webhook", "url": URL}, deep, deps=deps_of(fetch)).passed
    assert fetch.requests[0].body == b'{"candidate":' + b"[" * 512 + b'"x"' + b"]" * 512 + b"}"
    result = grade({"type": "custom_webhook", "url": URL}, [deep], deps=deps_of(fetch))
    assert (result.code, len(fetch.requests)) == ("not_json_value", 1)


VERDICTS: dict[str, tuple[Any, str]] = {
    "true": (True, "ok"),
    "false": (False, "judged_fail"),
    "text true": ("true", "missing_verdict"),
    "text false": ("false", "missing_verdict"),
    "one": (1, "missing_verdict"),
    "one as a float": (1.0, "missing_verdict"),
    "zero": (0, "missing_verdict"),
    "null": (None, "missing_verdict"),
    "empty list": ([], "missing_verdict"),
    "list of true": ([True], "missing_verdict"),
    "object": ({"passed": True}, "missing_verdict"),
}


@pytest.mark.parametrize(("passed", "code"), VERDICTS.values(), ids=VERDICTS)
def test_passed_is_a_boolean(passed: Any, code: str) -> None:
    """Nothing that a language takes for true is one."""
    result = ask(raw(json.dumps({"passed": passed, "score": 1, "reason": "because"}).encode()))
    assert (result.code, result.passed, result.score) == (code, code == "ok", float(code == "ok"))


ANSWERS: dict[str, tuple[bytes, str]] = {
    "nothing but passed": (YES, "ok"),
    "whitespace round it": (b" \r\n" + YES + b"\n", "ok"),
    "other keys": (b'{"passed": true, "x": {"passed": false}}', "ok"),
    "escaped key": (b'{"p\\u0061ssed": true}', "ok"),
    "lone surrogate beside": (b'{"passed": true, "x": "\\ud800"}', "ok"),
    "empty object": (b"{}", "missing_verdict"),
    "key in capitals": (b'{"Passed": true}', "missing_verdict"),
    "key with a space": (b'{"passed ": true}', "missing_verdict"),
    "inside": (b'{"result": {"passed": true}}', "missing_verdict"),
    "other key": (b'{"pass": true}', "missing_verdict"),
    "list": (b"[true]", "missing_verdict"),
    "list of the object": (b"[" + YES + b"]", "missing_verdict"),
    "true": (b"true", "missing_verdict"),
    "null": (b"null", "missing_verdict"),
    "text": (b'"passed"', "missing_verdict"),
    "the object as text": (json.dumps(YES.decode()).encode(), "missing_verdict"),
    "empty": (b"", "reply_not_json"),
    "page": (b"<html>passed</html>", "reply_not_json"),
    "cut off": (b'{"passed": true', "reply_not_json"),
    "two documents": (YES + YES, "reply_not_json"),
    "lines": (YES + b"\n" + YES, "reply_not_json"),
    "Python's": (b"{'passed': True}", "reply_not_json"),
    "trailing comma": (b'{"passed": true,}', "reply_not_json"),
    "repeated key": (b'{"passed": false, "passed": true}', "reply_not_json"),
    "repeated key, the same": (b'{"passed": true, "passed": true}', "reply_not_json"),
    "repeated key by an escape": (b'{"passed": false, "p\\u0061ssed": true}', "reply_not_json"),
    "repeated key inside": (b'{"passed": true, "x": {"a": 1, "a": 1}}', "reply_not_json"),
    "NaN": (b'{"passed": true, "score": NaN}', "reply_not_json"),
    "beyond the doubles": (b'{"passed": true, "score": 1e400}', "reply_not_json"),
    "BOM": (b"\xef\xbb\xbf" + YES, "reply_not_json"),
    "not UTF-8": (b'{"passed": true, "x": "\xff"}', "reply_not_json"),
    "UTF-16": (YES.decode().encode("utf-16"), "reply_not_json"),
    "open brackets": (b"[" * 100_000, "reply_not_json"),
    "deep junk beside": (b'{"passed": true, "x": ' + b"[" * 600 + b"]" * 600 + b"}", "reply_not_json"),
    "very deep junk beside": (
        b'{"passed": true, "x": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
        "reply_not_json",
    ),
    "deep junk within bounds": (b'{"passed": true, "x": ' + b"[" * 500 + b"]" * 500 + b"}", "ok"),
}


@pytest.mark.parametrize(("body", "code"), ANSWERS.values(), ids=ANSWERS)
def test_answers(body: bytes, code: str) -> None:
    """One strict JSON object, in which nothing is said twice."""
    result = ask(raw(body))
    assert (result.code, result.passed) == (code, code == "ok")


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 502, 503, 199, 600])
def test_other_statuses_than_success(status: int) -> None:
    """A happy body does not count there."""
    result = ask(raw(YES, status))
    assert (result.code, result.outcome.value, result.metadata["status"]) == ("http_error", "error", status)
    assert str(status) in result.reason


@pytest.mark.parametrize("status", [200, 201, 202, 299])
def test_every_success_is_read(status: int) -> None:
    """200 to 299, and the verdict tells which."""
    result = ask(raw(YES, status))
    assert (result.passed, result.metadata["status"]) == (True, status)
    assert result.metadata["latency_s"] >= 0


def test_an_empty_success_is_no_pass() -> None:
    """204 has no body, and therefore no verdict."""
    assert ask(raw(b"", 204)).code == "reply_not_json"


FAILURES: dict[str, tuple[Response | BaseException, dict[str, Any], str]] = {
    "redirect": (Response(302, {"location": "http://169.254.169.254/s3cr3t"}, YES), {}, "redirected"),
    "status": (raw(YES, 500), {}, "http_error"),
    "raises": (ConnectionError("s3cr3t"), {}, "unreachable"),
    "too large": (raw(YES + b" " * (1 << 20)), {}, "response_too_large"),
    "no time": (raw(YES), {"timeout_s": 0}, "timeout"),
    "no JSON": (raw(b"yes"), {}, "reply_not_json"),
    "no verdict": (raw(b"{}"), {}, "missing_verdict"),
    "says no": (raw(b'{"passed": false}'), {}, "judged_fail"),
    "loopback": (raw(YES), {"url": "http://127.0.0.1/?s3cr3t"}, "blocked_url"),
    "private name": (raw(YES), {"url": "http://hook.internal/?s3cr3t"}, "blocked_url"),
    "scheme": (raw(YES), {"url": "gopher://grader.example/s3cr3t"}, "blocked_url"),
    "password": (raw(YES), {"url": "https://u:s3cr3t@grader.example/"}, "blocked_url"),
    "empty address": (raw(YES), {"url": ""}, "invalid_option"),
    "address is a list": (raw(YES), {"url": [URL]}, "invalid_option"),
    "address is null": (raw(YES), {"url": None}, "invalid_option"),
    "time is text": (raw(YES), {"timeout_s": "5"}, "invalid_option"),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "options", "code"), FAILURES.values(), ids=FAILURES)
def test_each_failure_has_its_own_code(
    answer: Response | BaseException, options: dict[str, Any], code: str
) -> None:
    """And none is a pass; neither the address nor what an exception says is told."""
    result = ask(answer, **options)
    assert (result.code, result.passed, result.score) == (code, False, 0.0)
    assert "s3cr3t" not in f"{result!r} {result.to_dict()}"


REFUSED = ["loopback", "private name", "scheme", "password", "empty address", "address is a list", "no time"]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_sends_nothing(name: str) -> None:
    """Options and the guard come before the call."""
    fetch = Fetch(raw(YES))
    grade({"type": "custom_webhook", "url": URL, **FAILURES[name][1]}, "x", deps=deps_of(fetch))
    assert fetch.requests == []


def test_a_missing_address() -> None:
    """It has no default, and no variable stands in for it."""
    result = grade({"type": "custom_webhook", "timeout_s": 1}, "x", deps=deps_of(Fetch(raw(YES))))
    assert result.code == "missing_option"


def test_a_check_of_the_callers_says_no() -> None:
    """Its reason is told, and nothing is sent."""
    fetch = Fetch(raw(YES))
    deps = deps_of(fetch, ssrf_check=lambda url: SsrfVerdict(False, "not on the list"))
    result = grade({"type": "custom_webhook", "url": URL}, "x", deps=deps)
    assert (result.code, fetch.requests) == ("blocked_url", [])
    assert "not on the list" in result.reason


def test_a_webhook_is_never_asked_again() -> None:
    """Retries are the judges': a webhook may count its calls."""
    fetch = Fetch(raw(YES, 503), raw(YES))
    result = grade({"type": "custom_webhook", "url": URL}, "x", deps=deps_of(fetch, retries=5))
    assert (result.code, len(fetch.requests)) == ("http_error", 1)


REASONS: dict[str, tuple[Any, str]] = {
    "text": ("all good", '"all good"'),
    "empty": ("", '""'),
    "lines": ("two\nlines\u2028three", '"two\\nlines\\u2028three"'),
    "escape sequence": ("\x1b[2J\u202e", '"\\u001b[2J\\u202e"'),
    "exactly the cap": ("r" * 160, '"' + "r" * 160 + '"'),
    "one more": ("r" * 161, '"' + "r" * 160 + '…"'),
    "astral at the cap": ("😀" * 161, '"' + "😀" * 160 + '…"'),
    "null": (None, "no reason was given"),
    "number": (7, "no reason was given"),
    "list": (["r"], "no reason was given"),
}


@pytest.mark.parametrize("passed", [True, False])
@pytest.mark.parametrize(("reason", "shown"), REASONS.values(), ids=REASONS)
def test_the_reason_is_shown_and_capped(reason: Any, shown: str, passed: bool) -> None:
    """On one line, printable, 160 code points of it."""
    result = ask(raw(json.dumps({"passed": passed, "reason": reason}).encode()))
    assert result.passed is passed
    assert result.reason.endswith(f": {shown}")
    assert result.reason.isprintable()


def test_other_keys_are_accepted_and_hidden() -> None:
    """This type alone takes them; they come back out of the options, and show nowhere."""
    grader = {"type": "custom_webhook", "url": URL, "api_key": "s3cr3t-key", "nested": {"a": [1, None]}}
    compiled = compile_grader(grader)
    assert compiled.options.to_mapping() == grader
    assert "s3cr3t-key" not in repr(compiled)
    fetch = Fetch(raw(YES))
    result = grade(compiled, "x", deps=deps_of(fetch))
    assert result.passed
    assert b"s3cr3t-key" not in fetch.requests[0].body
    assert "s3cr3t-key" not in f"{fetch.requests[0].headers} {result.to_dict()}"


def test_an_other_key_that_is_no_json_is_refused() -> None:
    """The options can always be written down."""
    fetch = Fetch(raw(YES))
    result = grade({"type": "custom_webhook", "url": URL, "x": b"bytes"}, "x", deps=deps_of(fetch))
    assert (result.code, fetch.requests) == ("invalid_option", [])


def test_columns_and_nulls() -> None:
    """An address by row; a row without one, or without a candidate, posts nothing."""
    fetch = Fetch(raw(YES))
    urls = [URL, None, "http://10.0.0.1/", "https://other.example/", URL]
    batch = grade_batch(
        {"type": "custom_webhook"},
        ["a", "b", "c", "d", None],
        columns={"url": urls},
        deps=deps_of(fetch),
        concurrency=1,
    )
    assert [one.code for one in batch] == ["ok", "missing_option", "blocked_url", "ok", "missing_candidate"]
    assert [request.url for request in fetch.requests] == [URL, "https://other.example/"]


def test_the_estimate() -> None:
    """A call a row, and the bytes of the bodies."""
    fetch = Fetch(raw(YES))
    grader = CustomWebhook(url=URL)
    estimate = estimate_many({"hook": grader}, ["é", {"a": 1}], deps=deps_of(fetch))["hook"]
    grade_batch(grader, ["é", {"a": 1}], deps=deps_of(fetch))
    assert (estimate.calls, estimate.characters) == (2, sum(len(request.body) for request in fetch.requests))


@given(
    body=st.binary(max_size=80)
    | st.recursive(st.booleans() | st.text(), st.lists).map(json.dumps).map(str.encode)
)
def test_whatever_is_answered_nothing_raises_and_a_pass_is_said(body: bytes) -> None:
    """Any bytes: a verdict; and a pass only for the object that says so."""
    result = ask(raw(body))
    assert result.passed == (result.code == "ok")
    assert not result.passed or b"true" in body
    assert result.code in ("ok", "judged_fail", "reply_not_json", "missing_verdict")


# A real endpoint on loopback.


def at(server: Server, /, candidate: Any = "x", **settings: Any) -> GradeResult:
    deps = GradeDeps(allow_hosts=[server.endpoint], **settings)
    return grade({"type": "custom_webhook", "url": f"{server.origin}/hook?q=1"}, candidate, deps=deps)


def test_over_http() -> None:
    """The body, its length and its type arrive as they were meant."""
    with Server(answers(200, b'{"passed": true, "reason": "fine"}')) as server:
        result = at(server, {"a": "é"})
        assert (result.passed, result.reason) == (True, 'the endpoint says passed: "fine"')
        (asked,) = server.requests
    assert (asked.method, asked.path, asked.body) == ("POST", "/hook?q=1", '{"candidate":{"a":"é"}}'.encode())
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["content-length"] == str(len(asked.body))


def test_loopback_is_refused_unless_it_is_named() -> None:
    """The guard stands before a real connection, too."""
    with Server(answers(200, YES)) as server:
        result = grade({"type": "custom_webhook", "url": f"{server.origin}/hook"}, "x")
        assert (result.code, server.connections) == ("blocked_url", 0)
        assert f"--allow-host {server.endpoint}" in result.reason


REAL: dict[str, tuple[Any, dict[str, Any], str]] = {
    "redirects": (redirects(307, "http://127.0.0.1:1/s3cr3t"), {}, "redirected"),
    "says nothing": (never_answers, {"timeout_s": 0.1}, "timeout"),
    "breaks": (resets, {}, "unreachable"),
    "says no": (answers(200, b'{"passed": false}'), {}, "judged_fail"),
    "bad status": (answers(503, YES), {}, "http_error"),
    "page": (answers(200, b"<html>"), {}, "reply_not_json"),
}


@pytest.mark.parametrize(("handler", "settings", "code"), REAL.values(), ids=REAL)
def test_failures_over_http(handler: Any, settings: dict[str, Any], code: str) -> None:
    """The codes are the same on a real connection."""
    with Server(handler) as server:
        result = at(server, **settings)
        assert (result.code, result.passed) == (code, False)
        assert len(server.requests) == 1


def test_nobody_listens() -> None:
    """A refused connection is an error of the way, and no verdict."""
    endpoint = f"127.0.0.1:{closed_port()}"
    grader = {"type": "custom_webhook", "url": f"http://{endpoint}/"}
    assert grade(grader, "x", deps=GradeDeps(allow_hosts=[endpoint])).code == "unreachable"


def test_many_rows_over_http_keep_their_order() -> None:
    """Each row has the verdict on its own candidate, though the first answer is the last to come."""
    rows = 5
    others = threading.Semaphore(0)

    def last_first(peer: Peer, asked: Asked) -> None:
        number = json.loads(asked.body)["candidate"]
        if number == 0:
            for _ in range(rows - 1):
                others.acquire(timeout=20)
        body = json.dumps({"passed": number % 2 == 0, "reason": str(number)}).encode()
        peer.send(message(200, body))
        if number != 0:
            others.release()

    with Server(last_first) as server:
        batch = grade_batch(
            {"type": "custom_webhook", "url": f"{server.origin}/"},
            list(range(rows)),
            deps=GradeDeps(allow_hosts=[server.endpoint], timeout_s=30),
            concurrency=rows,
        )
        assert batch.passed.tolist() == [True, False, True, False, True]
        assert [reason[-2] for reason in batch.reasons] == list("01234")
