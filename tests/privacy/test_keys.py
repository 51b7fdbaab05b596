"""Keys of gateways, webhooks and proxies: in no file, no message, no repr and no exception, whatever goes wrong."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.net import servers
from tests.net.servers import Asked, Handler, Peer, Server, answers, closed_port, message

from gradestone import GradeDeps, agrade, compile_grader, grade, grade_batch
from gradestone.judge.gateway import KEY_VARIABLE, VARIABLES
from gradestone.net import Request, Response
from gradestone.options import GraderOptionError, parse_grader

API, UPSTREAM, TOKEN, EXTRA, PASSWORD = KEYS = tuple(
    f"sk-{name}-7f3a9c" for name in ("api", "upstream", "token", "extra", "password")
)
ENCODED = base64.b64encode(f"operator:{PASSWORD}".encode()).decode()
SECRETS = (*KEYS, ENCODED)

GOOD = json.dumps({"output_text": "SCORE: 1", "passed": True}).encode()


@pytest.fixture(autouse=True)
def _no_gateway(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, KEY_VARIABLE):
        monkeypatch.delenv(name, raising=False)


def leaks(*said: str | bytes) -> list[str]:
    """The secrets that something holds."""
    whole = b"\n".join(one if isinstance(one, bytes) else one.encode("utf-8", "replace") for one in said)
    return [secret for secret in SECRETS if secret.encode() in whole]


def judge(origin: str, **options: Any) -> dict[str, Any]:
    keys = {"api_key": API, "upstream_key": UPSTREAM}
    return {"type": "llm_score", "rubric": "r", "min_score": 0.5, "gateway_url": origin, **keys, **options}


def hook(origin: str, **options: Any) -> dict[str, Any]:
    return {"type": "custom_webhook", "url": f"{origin}/hook?token={TOKEN}", "api_key": EXTRA, **options}


def repeats(status: int) -> Handler:
    """Answer with all that was sent, as debugging gateways do."""

    def handle(peer: Peer, asked: Asked) -> None:
        peer.keep = True
        sent = {"error": {"headers": asked.headers, "path": asked.path, "body": asked.body.decode()}}
        peer.send(message(status, json.dumps(sent).encode()))

    return handle


BEHAVIOURS: dict[str, Handler] = {
    "good": answers(200, GOOD),
    "repeats": repeats(200),
    "repeats_400": repeats(400),
    "repeats_500": repeats(500),
    "redirects": servers.redirects(302, f"http://127.0.0.1:1/?token={TOKEN}"),
    "resets": servers.resets,
    "truncates": servers.truncates,
    "malforms": servers.malforms,
    "bad_header": servers.sends(b"HTTP/1.1 200 OK\r\nx: " + API.encode() + b"\x00\r\n\r\n"),
    "never_answers": servers.never_answers,
}


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
@pytest.mark.parametrize("make", [judge, hook], ids=["judge", "webhook"])
def test_results(
    behaviour: str,
    make: Callable[..., dict[str, Any]],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Verdicts, batches, graders, settings and logs, down to those of the HTTP library's own."""
    caplog.set_level(logging.INFO)
    logging.getLogger("gradestone").setLevel(logging.DEBUG)
    with Server(BEHAVIOURS[behaviour]) as server:
        deps = GradeDeps(allow_hosts=[server.endpoint], timeout_s=5 if behaviour != "never_answers" else 0.1)
        grader = compile_grader(make(server.origin))
        result = grade(grader, "x", deps=deps)
        batch = grade_batch(grader, ["x", "y"], deps=deps)
    assert server.requests
    assert result.passed is (behaviour == "good")
    said = [
        repr(result),
        str(result.to_dict()),
        repr(batch),
        *batch.reasons,
        *map(str, (one.to_dict() for one in batch)),
    ]
    said += [
        repr(grader),
        repr(grader.options),
        grader.signature,
        repr(deps),
        caplog.text,
        *capfd.readouterr(),
    ]
    assert leaks(*said) == []


@pytest.mark.parametrize("make", [judge, hook], ids=["judge", "webhook"])
def test_refused_addresses(make: Callable[..., dict[str, Any]]) -> None:
    """A refusal tells scheme, host and port at most."""
    for origin in (
        "http://127.0.0.1:9",
        "http://localhost:9",
        f"http://operator:{PASSWORD}@127.0.0.1:9",
        f"http://operator:{PASSWORD}@judge.example",
        f"ftp://judge.example/{TOKEN}",
        f"http://127.0.0.1:9/{TOKEN}\n",
        f"http://judge.example:99999/{TOKEN}",
        f"//{TOKEN}@judge.example",
    ):
        grader = compile_grader(make(origin))
        result = grade(grader, "x", deps=GradeDeps(fetch=lambda _: Response(200, {}, GOOD)))
        assert (result.code, result.passed) == ("blocked_url", False), result
        assert leaks(repr(result), str(result.to_dict()), repr(grader), repr(grader.options)) == []


def test_keys_that_cannot_be_sent() -> None:
    """They are refused, and not told, whichever it is."""
    for options in ({"api_key": f"{API}\n"}, {"upstream_key": f"{UPSTREAM}\u00e9"}):
        result = grade(
            judge("https://judge.example", **options), "x", deps=GradeDeps(fetch=lambda _: Response(200))
        )
        assert result.code == "invalid_option"
        assert leaks(repr(result), str(result.to_dict())) == []


@pytest.mark.parametrize(
    "spec",
    [
        judge("https://judge.example", api_key=[API]),
        judge("https://judge.example", upstream_key={"key": UPSTREAM}),
        judge("https://judge.example", apikey=API),
        judge("https://judge.example", model=5),
        judge("https://judge.example", gateway_url=[f"https://judge.example/{TOKEN}"]),
        hook("https://hook.example", url=[TOKEN]),
        hook("https://hook.example", timeout_s=EXTRA),
    ],
    ids=range(7),
)
def test_faults_of_options(spec: dict[str, Any]) -> None:
    """What is wrong is named, what was given is not."""
    result = grade(spec, "x")
    assert not result.passed
    with pytest.raises(GraderOptionError) as caught:
        parse_grader(spec)
    shown = "".join(traceback.format_exception(caught.value))
    assert leaks(repr(result), str(result.to_dict()), repr(caught.value), shown) == []


def test_requests_and_responses_do_not_show_what_they_hold() -> None:
    """They are what a transport of the caller's may log."""
    seen: list[Request] = []

    def fetch(request: Request) -> Response:
        seen.append(request)
        return Response(200, {"x-key": API}, API.encode())

    grade(judge("https://judge.example"), "x", deps=GradeDeps(fetch=fetch))
    grade(hook("https://hook.example"), "x", deps=GradeDeps(fetch=fetch))
    assert seen[0].headers["authorization"] == f"Bearer {API}"
    assert TOKEN in seen[1].url
    assert leaks(*map(repr, seen), repr(Response(200, {"x-key": API}, API.encode()))) == []


def test_exceptions_of_a_transport() -> None:
    """Of what it raised only the type is told."""

    def fetch(request: Request) -> Response:
        raise ValueError(f"{request.url} {dict(request.headers)} {request.body!r}")

    for grader in (judge("https://judge.example"), hook("https://hook.example")):
        result = grade(grader, "x", deps=GradeDeps(fetch=fetch))
        assert result.code == "unreachable"
        assert leaks(repr(result), str(result.to_dict())) == []


@pytest.mark.parametrize(
    "proxy",
    [
        f"http://operator:{PASSWORD}@127.0.0.1:{closed_port()}",
        f"http://operator:{PASSWORD}@127.0.0.1:99999",
        f"ftp://operator:{PASSWORD}@127.0.0.1:9",
        f"operator:{PASSWORD}@127.0.0.1:9",
        f"http://operator:{PASSWORD}@\n",
    ],
    ids=["closed", "port", "scheme", "none", "newline"],
)
def test_the_password_of_a_proxy(proxy: str) -> None:
    """Not in the settings' repr, not in a verdict, and not in the exception where the proxy is none."""
    deps = GradeDeps(proxy=proxy, allow_hosts=["127.0.0.1:9"], timeout_s=5)
    said = [repr(deps)]
    try:
        result = grade(judge("http://127.0.0.1:9"), "x", deps=deps)
        assert not result.passed
        said += [repr(result), str(result.to_dict())]
    except Exception as error:
        said += [*traceback.format_exception(error)]
    # The traceback shows this file's own lines, which hold no secret.
    assert leaks(*said) == []


def test_a_proxy_that_is_asked() -> None:
    """It gets its password; nobody else is told, whatever it answers."""
    with Server(repeats(407)) as proxy:
        origin = f"http://operator:{PASSWORD}@{proxy.endpoint}"
        deps = GradeDeps(proxy=origin, allow_hosts=["127.0.0.1:9"], timeout_s=5)
        result = grade(judge("http://127.0.0.1:9"), "x", deps=deps)
    assert ENCODED in str(proxy.requests[0].headers)
    assert leaks(repr(result), str(result.to_dict()), repr(deps)) == []


def test_the_cache_holds_no_key(tmp_path: Path) -> None:
    """Neither in clear nor by a digest of its own: other keys find the same replies."""
    path = tmp_path / "replies.db"
    with Server(answers(200, GOOD)) as server:
        deps = GradeDeps(allow_hosts=[server.endpoint], cache=path)
        grade(judge(server.origin), "x", deps=deps)
        assert (
            grade(judge(server.origin, api_key="other", upstream_key="other"), "x", deps=deps).metadata[
                "cached"
            ]
            == 1
        )
    assert leaks(*(one.read_bytes() for one in tmp_path.iterdir())) == []
    assert b"Bearer" not in path.read_bytes()


def test_the_key_of_the_environment_goes_to_its_gateway_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway that a grader's options name may be anybody's."""
    monkeypatch.setenv(KEY_VARIABLE, API)
    seen: list[Request] = []

    async def fetch(request: Request) -> Response:
        seen.append(request)
        return Response(200, {}, GOOD)

    bare = {"type": "llm_score", "rubric": "r", "min_score": 0.5}
    deps = GradeDeps(fetch=fetch)
    asyncio.run(agrade({**bare, "gateway_url": "https://judge.example"}, "x", deps=deps))
    assert leaks(str(dict(seen[0].headers))) == []
    monkeypatch.setenv(VARIABLES[0], "https://gateway.example")
    result = asyncio.run(agrade(bare, "x", deps=deps))
    assert seen[1].headers["authorization"] == f"Bearer {API}"
    assert leaks(repr(result), str(result.to_dict())) == []


# The command line.


def score(folder: Path, *arguments: object, **variables: str) -> list[bytes]:
    """Run the command; return what it printed and all that it wrote."""
    path = folder / "rows.jsonl"
    if not path.exists():
        path.write_text(
            "".join(json.dumps({"output": f"row {number}"}) + "\n" for number in range(3)) + "{\n"
        )
    command = [sys.executable, "-m", "gradestone", "score", str(path), *map(str, arguments)]
    environment = os.environ | {"GRADESTONE_BACKEND": "python", "GRADESTONE_DEBUG": "1"} | variables
    ended = subprocess.run(command, capture_output=True, check=False, env=environment, timeout=60)
    assert b"Traceback" not in ended.stderr, ended.stderr.decode()
    written = [one.read_bytes() for one in folder.iterdir() if one.is_file() and one != path]
    return [ended.stdout, ended.stderr, *written]


def spec(grader: dict[str, Any]) -> str:
    """A grader as it stands after ``-g``."""
    return f"{grader['type']}:{json.dumps({key: value for key, value in grader.items() if key != 'type'})}"


@pytest.mark.parametrize("behaviour", ["good", "repeats", "repeats_500", "redirects", "resets"])
@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet"])
def test_files_and_messages_of_a_run(tmp_path: Path, behaviour: str, name: str) -> None:
    """Outputs, reports, errors and replies of a run whose graders' options hold the keys."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    with Server(BEHAVIOURS[behaviour]) as server:
        graders = ("-g", spec(judge(server.origin)), "-g", spec(hook(server.origin)))
        settings = ("--allow-host", server.endpoint, "--out", tmp_path / name, "--format", "json")
        said = score(tmp_path, *graders, *settings)
    assert any(UPSTREAM in str(asked.headers) for asked in server.requests)
    # A judge that gave no answer leaves the replies of the run, to go on with.
    assert len(said) == (3 if behaviour in ("good", "repeats") else 4)
    assert leaks(*said) == []


def test_files_and_messages_of_a_run_that_stops(tmp_path: Path) -> None:
    """The partial output and the replies that are kept."""
    replies = [answers(200, GOOD)] * 2 + [repeats(500)] * 50

    def handle(peer: Peer, asked: Asked) -> None:
        replies[len(server.requests) - 1](peer, asked)

    (tmp_path / "rows.jsonl").write_text("".join(f'{{"output": "{number}"}}\n' for number in range(30)))
    with Server(handle) as server:
        settings = ("--allow-host", server.endpoint, "--out", tmp_path / "out.jsonl", "--concurrency", 1)
        said = score(tmp_path, "-g", spec(judge(server.origin)), *settings)
    assert {one.name for one in tmp_path.iterdir()} == {
        "rows.jsonl",
        "out.partial.jsonl",
        "out.jsonl.replies",
    }
    assert leaks(*said) == []


def test_keys_of_the_environment_and_of_files(tmp_path: Path) -> None:
    """``GRADESTONE_API_KEY``, and an option that is read from a file with ``@``."""
    keys = tmp_path / "keys"
    keys.mkdir()
    (keys / "upstream").write_text(json.dumps(UPSTREAM))
    grader = f"llm_score:rubric=r,min_score=0.5,upstream_key=@{keys / 'upstream'}"
    with Server(answers(200, GOOD)) as server:
        settings = (
            "--gateway",
            server.origin,
            "--out",
            tmp_path / "out.jsonl",
            "--cache",
            tmp_path / "cache",
        )
        said = score(tmp_path, "-g", grader, *settings, GRADESTONE_API_KEY=API)
    assert server.requests[0].headers["authorization"] == f"Bearer {API}"
    assert server.requests[0].headers["x-cave-upstream-key"] == UPSTREAM
    assert leaks(*said) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("-g", spec(judge("http://127.0.0.1:9", api_key=[API]))),
        ("-g", spec(judge("http://127.0.0.1:9", apikey=API))),
        ("-g", f'llm_judge:{{"rubric": "r", "api_key": "{API}"'),
        ("-g", f"llm_judge:rubric=r,api_key={API},api_key={API}"),
        ("-g", f"llm_judge:rubric=r,{API}"),
        ("-g", f"custom_webhook:url=http://127.0.0.1:9/?token={TOKEN}"),
        ("-g", "llm_judge:rubric=r", "--gateway", f"http://operator:{PASSWORD}@127.0.0.1:9"),
    ],
    ids=range(7),
)
def test_mistakes_on_the_command_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """What is refused is not repeated where it may hold a key."""
    said = score(tmp_path, *arguments, "--out", tmp_path / "out.jsonl", "--dry-run")
    assert leaks(*said) == []
    assert leaks(*score(tmp_path, *arguments, "--out", tmp_path / "out.jsonl")) == []
