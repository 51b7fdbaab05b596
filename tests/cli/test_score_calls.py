"""``gradestone score`` with graders that leave the process: whom it asks, what it keeps, and how it goes on."""

from __future__ import annotations

import collections
import json
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.net.servers import PATIENCE, Asked, Peer, Server, closed_port, message, never_answers

from gradestone.judge.cache import ReplyCache

from .conftest import Invoke, finish, read_rows, start, write_rows

JUDGE = "llm_score:rubric=kind,min_score=0.5"

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def reply(text: str = "SCORE: 1") -> bytes:
    return message(200, json.dumps({"output_text": text}).encode())


class Gateway(Server):
    """A judge that passes everything, and knows which rows it was asked about.

    ``on_call`` is told the number of each call, from 1, before the answer; what it returns is sent in its place.
    """

    def __init__(self, on_call: Callable[[int], bytes | None] = lambda _: None) -> None:
        super().__init__(self._answer)
        self._on_call = on_call
        self._numbers = iter(range(1, 1_000_000))
        self.served: list[str] = []
        """The rows that got a good reply, or whose asker had gone by then."""

    def _answer(self, peer: Peer, asked: Asked) -> None:
        peer.keep = True
        sent = self._on_call(next(self._numbers))
        if sent is None:
            self.served.append(row_of(asked))
        peer.send(reply() if sent is None else sent)

    def rows(self) -> list[str]:
        """The rows that were asked about, one entry a call."""
        return [row_of(asked) for asked in self.requests]


def row_of(asked: Asked) -> str:
    found = re.search(r"row-\d+", json.loads(asked.body)["input"])
    assert found is not None
    return found[0]


def names(count: int) -> list[str]:
    return [f"row-{number:03}" for number in range(count)]


def one_by_one(path: Path, gateway: Gateway, out: Path) -> tuple[str | int | Path, ...]:
    """The command that puts the rows of a file to a judge, one at a time."""
    return ("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--out", out, "--concurrency", 1)


def rows_file(folder: Path, count: int, padding: str = "") -> Path:
    rows = [{"output": name, "padding": padding} for name in names(count)]
    return write_rows(folder / "rows.jsonl", rows)


def codes(path: Path, grader: str = "llm_score") -> list[str]:
    return [row[grader]["code"] for row in read_rows(path)]


def left(folder: Path) -> set[str]:
    """The files of a folder, but for the input."""
    return {one.name for one in folder.iterdir()} - {"rows.jsonl"}


# Whom it asks.


def test_gateway(invoke: Invoke, tmp_path: Path) -> None:
    """``--gateway`` names a trusted judge, on loopback too; each row is asked about once, and nothing else is left."""
    out = tmp_path / "out.jsonl"
    with Gateway() as gateway:
        result = invoke(
            "score", rows_file(tmp_path, 5), "-g", JUDGE, "--gateway", gateway.origin, "--out", out
        )
    assert result.exit_code == 0, result.output
    assert sorted(gateway.rows()) == names(5)
    assert codes(out) == ["ok"] * 5
    assert left(tmp_path) == {"out.jsonl"}


@pytest.mark.parametrize("variable", ["GRADESTONE_GATEWAY_URL", "CAVE_GATEWAY_URL"])
def test_gateway_of_the_environment(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """It is trusted as the option is, which beats it."""
    with Gateway() as gateway, Gateway() as other:
        monkeypatch.setenv(variable, gateway.origin)
        assert invoke("score", rows_file(tmp_path, 2), "-g", JUDGE, "--fail-under", 1).exit_code == 0
        assert len(gateway.requests) == 2
        settings = ("--gateway", other.origin, "--fail-under", 1)
        assert invoke("score", rows_file(tmp_path, 2), "-g", JUDGE, *settings).exit_code == 0
        assert (len(gateway.requests), len(other.requests)) == (2, 2)


def test_a_blocked_gateway_tells_what_admits_it(invoke: Invoke, tmp_path: Path) -> None:
    """An address in a grader's options is guarded; with the very words of the refusal the call goes through."""
    path, out = rows_file(tmp_path, 2), tmp_path / "out.jsonl"
    with Gateway() as gateway:
        arguments = ("score", path, "-g", f"{JUDGE},gateway_url={gateway.origin}", "--out", out)
        result = invoke(*arguments, "--fail-under", 1)
        assert result.exit_code == 1
        assert codes(out) == ["blocked_url"] * 2
        assert gateway.connections == 0
        found = re.search(r"--allow-host \S+", read_rows(out)[0]["llm_score"]["reason"])
        assert found is not None
        assert found[0] == f"--allow-host {gateway.endpoint}"
        assert invoke(*arguments, *found[0].split(), "--fail-under", 1).exit_code == 0
        assert codes(out) == ["ok"] * 2
        assert len(gateway.requests) == 2


def test_trust_is_exact(invoke: Invoke, tmp_path: Path) -> None:
    """Another port, another spelling, and the gateway's own trust admit nothing else."""
    path = rows_file(tmp_path, 1)
    with Gateway() as gateway, Gateway() as hook:
        webhook = f"custom_webhook:url={hook.origin}"
        for settings in (
            ("--gateway", gateway.origin),
            ("--allow-host", f"127.0.0.1:{hook.port + 1}"),
            ("--allow-host", f"localhost:{hook.port}"),
            ("--allow-host", "127.0.0.1"),
        ):
            result = invoke("score", path, "-g", webhook, *settings, "--format", "json")
            assert json.loads(result.stdout)["graders"]["custom_webhook"]["codes"] == {"blocked_url": 1}
        assert hook.connections == 0


def test_several_hosts(invoke: Invoke, tmp_path: Path) -> None:
    """``--allow-host`` is repeatable."""
    with Gateway() as one, Gateway() as two:
        graders = [f"{name}={JUDGE},gateway_url={each.origin}" for name, each in (("a", one), ("b", two))]
        hosts = ("--allow-host", one.endpoint, "--allow-host", two.endpoint)
        path = rows_file(tmp_path, 2)
        assert (
            invoke("score", path, "-g", graders[0], "-g", graders[1], *hosts, "--fail-under", 1).exit_code
            == 0
        )
    assert (len(one.requests), len(two.requests)) == (2, 2)


@pytest.mark.parametrize("concurrency", [1, 4])
def test_concurrency(invoke: Invoke, tmp_path: Path, concurrency: int) -> None:
    """So many calls are under way before any is answered, and never more."""
    barrier = threading.Barrier(concurrency)
    under_way: set[int] = set()
    most = 0

    def on_call(number: int) -> None:
        nonlocal most
        under_way.add(number)
        most = max(most, len(under_way))
        barrier.wait(PATIENCE)
        under_way.discard(number)

    with Gateway(on_call) as gateway:
        settings = ("--gateway", gateway.origin, "--concurrency", concurrency, "--fail-under", 1)
        assert invoke("score", rows_file(tmp_path, 12), "-g", JUDGE, *settings).exit_code == 0
    assert most == concurrency


def test_retries(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Off by default; with them a busy judge is asked again after as long as it wants."""
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr("gradestone.judge.session.asyncio.sleep", sleep)
    path, out = rows_file(tmp_path, 2), tmp_path / "out.jsonl"

    def on_call(number: int) -> bytes | None:
        return message(429, b"", "Retry-After: 3") if number % 2 else None

    settings = ("--concurrency", 1, "--out", out)
    with Gateway(on_call) as gateway:
        result = invoke("score", path, "-g", JUDGE, "--gateway", gateway.origin, *settings)
        assert (result.exit_code, codes(out), waits) == (3, ["http_error", "ok"], [])
    with Gateway(on_call) as gateway:
        result = invoke(
            "score", path, "-g", JUDGE, "--gateway", gateway.origin, *settings, "--retries", 1, "--resume"
        )
        assert (result.exit_code, codes(out), waits) == (0, ["ok", "ok"], [3.0, 3.0])
    assert len(gateway.requests) == 4


def test_rows_without_an_answer(invoke: Invoke, tmp_path: Path) -> None:
    """The run is done, and what was paid for is kept for those who want the missing ones: one call more, not three."""
    path, out = rows_file(tmp_path, 3), tmp_path / "out.jsonl"

    def on_call(number: int) -> bytes | None:
        return message(500, b"") if number == 2 else None

    with Gateway(on_call) as gateway:
        arguments = (
            "score",
            path,
            "-g",
            JUDGE,
            "--gateway",
            gateway.origin,
            "--concurrency",
            1,
            "--out",
            out,
        )
        first = invoke(*arguments)
        assert (first.exit_code, sorted(codes(out))) == (3, ["http_error", "ok", "ok"])
        assert "1 verdicts lack an answer: --resume asks for these again" in first.stderr
        assert invoke(*arguments).exit_code == 2
        assert (invoke(*arguments, "--resume").exit_code, codes(out)) == (0, ["ok"] * 3)
    assert len(gateway.requests) == 4
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted([path.name, out.name])


def test_timeout(invoke: Invoke, tmp_path: Path) -> None:
    """``--timeout`` holds where the grader does not say; the row is undecided."""
    out = tmp_path / "out.jsonl"
    with Server(never_answers) as server:
        settings = ("--gateway", server.origin, "--out", out)
        path = rows_file(tmp_path, 1)
        assert invoke("score", path, "-g", JUDGE, *settings, "--timeout", 0.1).exit_code == 3
        assert codes(out) == ["timeout"]
        assert "0.1 s" in read_rows(out)[0]["llm_score"]["reason"]
        assert (
            invoke(
                "score", path, "-g", f"{JUDGE},timeout_s=0.2", *settings, "--timeout", 60, "--resume"
            ).exit_code
            == 3
        )
        assert "0.2 s" in read_rows(out)[0]["llm_score"]["reason"]


def registry_file(path: Path, template: str) -> Path:
    document = json.loads(files("gradestone.registry").joinpath("registry.json").read_bytes())
    for entry in document["graders"]:
        if entry["type"] == "llm_score":
            entry["prompt_template"] = template
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize("how", ["option", "variable"])
def test_registry(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """``--registry``, else ``GRADESTONE_REGISTRY``: its prompts are sent."""
    registry = registry_file(tmp_path / "registry.json", "As {rubric} as {candidate}?")
    settings: tuple[object, ...] = ("--registry", registry)
    if how == "variable":
        monkeypatch.setenv("GRADESTONE_REGISTRY", str(registry))
        settings = ()
    with Gateway() as gateway:
        path = rows_file(tmp_path, 1)
        assert invoke("score", path, "-g", JUDGE, "--gateway", gateway.origin, *settings).exit_code == 0
    assert json.loads(gateway.requests[0].body)["input"] == "As kind as row-000?"


def test_options_from_columns(invoke: Invoke, tmp_path: Path) -> None:
    """Each row may bring its own rubric."""
    path = write_rows(tmp_path / "rows.jsonl", [{"output": name, "how": f"{name}!"} for name in names(2)])
    with Gateway() as gateway:
        settings = ("--gateway", gateway.origin, "--column", "rubric=how", "--fail-under", 1)
        assert invoke("score", path, "-g", "llm_score:min_score=0.5", *settings).exit_code == 0
    assert sorted(json.loads(asked.body)["input"].count("!") for asked in gateway.requests) == [1, 1]


# A look ahead.


@pytest.mark.parametrize("settings", [(), ("--resume",), ("--cache", "CACHE")], ids=str)
def test_dry_run(invoke: Invoke, tmp_path: Path, settings: tuple[str, ...]) -> None:
    """Calls and characters of every grader; nothing is sent, and nothing written."""
    path, out = rows_file(tmp_path, 3), tmp_path / "out.jsonl"
    kept = tmp_path / "out.jsonl.replies"
    if settings == ("--resume",):
        ReplyCache(kept).close()
    before = left(tmp_path)
    given = [str(tmp_path / "cache") if one == "CACHE" else one for one in settings]
    pair = "llm_pairwise:baseline=b,criteria=c"
    with Gateway() as gateway:
        arguments = ("-g", JUDGE, "-g", pair, "-g", "no_pii", "--gateway", gateway.origin, "--out", out)
        result = invoke("score", path, *arguments, "--dry-run", *given)
        assert result.exit_code == 0, result.output
        header, *lines = [line.split() for line in result.stdout.splitlines()]
        assert header == ["grader", "calls", "characters"]
        assert [line[:2] for line in lines] == [["llm_score", "3"], ["llm_pairwise", "6"], ["no_pii", "0"]]
        told = json.loads(invoke("score", path, *arguments, "--dry-run", *given, "--format", "json").stdout)
        assert told["calls"]["llm_score"]["calls"] == 3
    assert gateway.connections == 0
    assert left(tmp_path) == before
    sizes = {"calls": 3, "characters": int(lines[0][2].replace(",", ""))}
    assert told["calls"]["llm_score"] == sizes


def test_a_dry_run_counts_the_characters_that_are_sent(invoke: Invoke, tmp_path: Path) -> None:
    """The estimate is what the run then sends."""
    path = rows_file(tmp_path, 3)
    with Gateway() as gateway:
        arguments = ("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--format", "json")
        told = json.loads(invoke(*arguments, "--dry-run").stdout)["calls"]["llm_score"]
        assert invoke(*arguments).exit_code == 0
    sent = [len(json.loads(asked.body)["input"]) for asked in gateway.requests]
    assert told == {"calls": len(sent), "characters": sum(sent)}


# What it keeps.


def test_cache(invoke: Invoke, tmp_path: Path) -> None:
    """A named file stays, and the second run asks nobody; nothing is beside the output."""
    path, out, cache = rows_file(tmp_path, 4), tmp_path / "out.jsonl", tmp_path / "cache.db"
    with Gateway() as gateway:
        arguments = ("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--cache", cache, "--out", out)
        for _ in range(2):
            assert invoke(*arguments).exit_code == 0
            assert left(tmp_path) == {"out.jsonl", "cache.db"}
            assert codes(out) == ["ok"] * 4
    assert len(gateway.requests) == 4


def test_nothing_is_kept_without_an_output(invoke: Invoke, tmp_path: Path) -> None:
    """Nor beside standard output: there is no name for it."""
    with Gateway() as gateway:
        for settings in ((), ("--out", "-")):
            arguments = ("-g", JUDGE, "--gateway", gateway.origin, *settings)
            assert invoke("score", rows_file(tmp_path, 1), *arguments).exit_code == 0
    assert left(tmp_path) == set()
    assert len(gateway.requests) == 2


def failing_from(first: int) -> Callable[[int], bytes | None]:
    return lambda number: message(500) if number >= first else None


def test_a_judge_that_is_down(invoke: Invoke, tmp_path: Path) -> None:
    """Exit 3; what there is stands under another name, and the replies are kept."""
    path, out = rows_file(tmp_path, 40), tmp_path / "out.jsonl"
    arguments = ("score", path, "-g", JUDGE, "--out", out, "--concurrency", 1)
    with Gateway(failing_from(6)) as gateway:
        result = invoke(*arguments, "--gateway", gateway.origin)
        assert result.exit_code == 3
        assert len(gateway.requests) == 15
    assert left(tmp_path) == {"out.partial.jsonl", "out.jsonl.replies"}
    partial = codes(tmp_path / "out.partial.jsonl")
    assert partial == ["ok"] * 5 + ["http_error"] * 10 + ["endpoint_down"] * 25
    assert "stopped after 40 rows, llm_score: 10 calls in a row came to nothing" in result.stderr
    assert "out.partial.jsonl; --resume asks for those that have no reply yet" in result.stderr
    with ReplyCache(tmp_path / "out.jsonl.replies") as replies:
        assert len(replies) == 5


class Recovering(Gateway):
    """A judge that is down from one call on until it is mended."""

    def __init__(self, first: int) -> None:
        super().__init__(lambda number: message(500) if self.is_down and number >= first else None)
        self.is_down = True


def test_resume_after_a_judge_was_down(invoke: Invoke, tmp_path: Path) -> None:
    """``--resume`` completes: every row got one good reply in total, the output is there and the replies are gone."""
    path, out = rows_file(tmp_path, 40), tmp_path / "out.jsonl"
    with Recovering(6) as gateway:
        arguments = (
            "score",
            path,
            "-g",
            JUDGE,
            "--out",
            out,
            "--concurrency",
            1,
            "--gateway",
            gateway.origin,
        )
        assert invoke(*arguments).exit_code == 3
        gateway.is_down = False
        result = invoke(*arguments, "--resume")
        assert result.exit_code == 0, result.output
    assert sorted(gateway.served) == names(40)
    assert codes(out) == ["ok"] * 40
    assert not (tmp_path / "out.jsonl.replies").exists()


def test_a_run_stops_early(invoke: Invoke, tmp_path: Path) -> None:
    """The blocks behind the one that finds the judge down are not asked about; ``--resume`` works, as is told."""
    path, out = rows_file(tmp_path, 60, "x" * 200_000), tmp_path / "out.jsonl"
    with Gateway(failing_from(1)) as gateway:
        settings = ("--gateway", gateway.origin, "--concurrency", 1, "--format", "json", "--threads", 1)
        arguments = ("score", path, "-g", JUDGE, "--out", out, *settings)
        result = invoke(*arguments)
        asked = len(gateway.requests)
        assert invoke(*arguments, "--resume").exit_code == 3
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    assert 10 < document["rows"] < 60
    assert document["stopped"].startswith("llm_score: 10 calls in a row came to nothing")
    assert asked == 10
    assert left(tmp_path) == {"out.partial.jsonl", "out.jsonl.replies"}


def test_an_older_output_is_not_replaced_by_half_a_one(invoke: Invoke, tmp_path: Path) -> None:
    """It is as it was."""
    path, out = rows_file(tmp_path, 40), tmp_path / "out.csv"
    out.write_text("older")
    with Gateway(failing_from(1)) as gateway:
        arguments = ("-g", JUDGE, "--out", out, "--gateway", gateway.origin)
        assert invoke("score", path, *arguments).exit_code == 3
    assert out.read_text() == "older"
    assert (tmp_path / "out.partial.csv").exists()


def test_bad_rows_among_them(invoke: Invoke, tmp_path: Path) -> None:
    """They are told, count as not passed, and cost nothing; the run is whole all the same."""
    path, out = rows_file(tmp_path, 3), tmp_path / "out.jsonl"
    path.write_bytes(path.read_bytes() + b"{\n")
    with Gateway() as gateway:
        result = invoke("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--out", out)
    assert result.exit_code == 2
    assert "1 of 4 rows could not be read" in result.stderr
    assert len(gateway.requests) == 3
    assert len(read_rows(out)) == 4
    assert left(tmp_path) == {"out.jsonl"}


def test_a_bad_row_that_ends_the_run(invoke: Invoke, tmp_path: Path) -> None:
    """What was paid for before it is kept, and ``--resume`` goes on once the row is mended."""
    rows = rows_file(tmp_path, 60, "x" * 200_000).read_bytes()
    path, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(rows + b"{\n")
    with Gateway() as gateway:
        arguments = ("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--out", out, "--threads", 1)
        assert invoke(*arguments, "--on-bad-row", "stop").exit_code == 2
        asked = len(gateway.requests)
        assert 0 < asked < 60
        assert left(tmp_path) == {"out.jsonl.replies"}
        path.write_bytes(rows)
        assert invoke(*arguments, "--resume").exit_code == 0
        assert sorted(gateway.rows()) == names(60)
    assert left(tmp_path) == {"out.jsonl"}


# What it refuses.


def refused(invoke: Invoke, *arguments: object) -> str:
    """What a command says that must end with exit 2, one line and nothing else."""
    result = invoke("score", *arguments)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("gradestone: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_replies_of_another_run(invoke: Invoke, tmp_path: Path) -> None:
    """They are not mixed in silently: the line says what to do, and nothing is sent or changed."""
    path, out, kept = rows_file(tmp_path, 1), tmp_path / "out.jsonl", tmp_path / "out.jsonl.replies"
    ReplyCache(kept).close()
    before = kept.read_bytes()
    with Gateway() as gateway:
        line = refused(invoke, path, "-g", JUDGE, "--gateway", gateway.origin, "--out", out)
    assert (
        f"{kept} holds replies of a run that did not end: --resume goes on with them, or delete the file"
        in line
    )
    assert gateway.connections == 0
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-g", JUDGE, "--resume"), "--resume needs the --out of the run that it goes on with, or its --cache"),
        (("-g", JUDGE, "--resume", "--out", "-"), "--resume needs the --out"),
        (("-g", JUDGE, "--resume", "--out", "OUT"), "so there is nothing to go on with"),
        (("-g", "no_pii", "--resume", "--out", "OUT"), "no grader leaves the process"),
        (("-g", "no_pii", "--resume"), "no grader leaves the process"),
        (("-g", JUDGE, "--allow-host", "http://127.0.0.1:80"), "--allow-host: "),
        (("-g", JUDGE, "--allow-host", "127.0.0.1:99999"), "--allow-host: "),
        (("-g", JUDGE, "--allow-host", "127.0.0.1:80", "--allow-host", "*"), '--allow-host: "*"'),
        (("-g", JUDGE, "--allow-host", "a\nb"), "--allow-host: "),
        (("-g", JUDGE, "--registry", "MISSING"), "missing: No such file or directory"),
        (("-g", JUDGE, "--registry", "GARBAGE"), "garbage: not a JSON document"),
        (("-g", JUDGE, "--cache", "GARBAGE"), "garbage: it is no SQLite database"),
        (("-g", JUDGE, "--cache", "FOREIGN"), "foreign: it is an SQLite database of something else"),
        (("-g", JUDGE, "--cache", "FOLDER"), "folder: it is a directory"),
        (("-g", JUDGE, "--cache", "NOWHERE"), "No such file or directory"),
    ],
)  # fmt: skip
def test_settings_that_do_not_fit(
    invoke: Invoke, tmp_path: Path, arguments: Sequence[str], told: str
) -> None:
    """Exit 2 and a line that helps, before anything is asked; nothing is left or changed."""
    paths = {name: tmp_path / name.lower() for name in ("OUT", "MISSING", "GARBAGE", "FOREIGN", "FOLDER")}
    paths["NOWHERE"] = tmp_path / "nowhere" / "cache"
    paths["GARBAGE"].write_bytes(b"{ no JSON, and no database either" * 50)
    paths["FOLDER"].mkdir()
    with sqlite3.connect(paths["FOREIGN"]) as foreign:
        foreign.execute("CREATE TABLE t (a)")
    foreign.close()
    path = rows_file(tmp_path, 1)
    before = {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()}
    with Gateway() as gateway:
        given = [paths.get(one, one) for one in arguments]
        line = refused(invoke, path, "--gateway", gateway.origin, *given)
    assert told in line
    assert gateway.connections == 0
    assert {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()} == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("--concurrency", "0"),
        ("--concurrency", "many"),
        ("--retries", "-1"),
        ("--retries", "1.5"),
        ("--timeout", "-1"),
        ("--timeout", "soon"),
    ],
)
def test_numbers_that_are_none(invoke: Invoke, tmp_path: Path, arguments: Sequence[str]) -> None:
    """Exit 2, as with every option."""
    result = invoke("score", rows_file(tmp_path, 1), "-g", JUDGE, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert arguments[0] in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "mistake",
    [("--candidate", "nowhere"), ("--fail-under", "2"), ("--column", "rubric=nowhere"), ("--cells", "odd")],
    ids=str,
)
def test_a_mistake_leaves_no_replies_behind(invoke: Invoke, tmp_path: Path, mistake: tuple[str, str]) -> None:
    """The next run, with the mistake mended, begins as if nothing had been."""
    path, out = rows_file(tmp_path, 1), tmp_path / "out.jsonl"
    with Gateway() as gateway:
        arguments = ("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--out", out)
        assert invoke(*arguments, *mistake).exit_code == 2
        assert left(tmp_path) == set()
        assert invoke(*arguments).exit_code == 0
    assert invoke("score", tmp_path / "missing.jsonl", *arguments[2:]).exit_code == 2
    assert left(tmp_path) == {"out.jsonl"}


def test_a_resumed_run_that_fails_keeps_the_replies(invoke: Invoke, tmp_path: Path) -> None:
    """A mistake beside ``--resume`` costs nothing that was paid for."""
    path, out = rows_file(tmp_path, 12), tmp_path / "out.jsonl"
    with Recovering(2) as gateway:
        arguments = one_by_one(path, gateway, out)
        assert invoke(*arguments).exit_code == 3
        assert invoke(*arguments, "--resume", "--candidate", "nowhere").exit_code == 2
        gateway.is_down = False
        assert invoke(*arguments, "--resume").exit_code == 0
    assert sorted(gateway.served) == names(12)


def test_nobody_answers(invoke: Invoke, tmp_path: Path) -> None:
    """A gateway that is not there: exit 3, no row passes, no traceback."""
    arguments = ("-g", JUDGE, "--gateway", f"http://127.0.0.1:{closed_port()}", "--format", "json")
    result = invoke("score", rows_file(tmp_path, 3), *arguments)
    assert result.exit_code == 3
    assert json.loads(result.stdout)["graders"]["llm_score"]["codes"] == {"unreachable": 3}
    assert "Traceback" not in result.output


# The end that comes early.


class Ending(Gateway):
    """A judge that sends the process a signal when a call comes, and then answers as if nothing had been."""

    def __init__(self, call: int, number: int) -> None:
        super().__init__(self._end)
        self._call, self._number = call, number
        self._ready = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._ready.set()

    def _end(self, number: int) -> None:
        if number == self._call:
            assert self._ready.wait(PATIENCE)
            assert self._process is not None
            self._process.send_signal(self._number)

    def run(self, *arguments: object, **settings: Any) -> subprocess.CompletedProcess[bytes]:
        """Run the command until it ends by the signal."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with start(*arguments, **pipes, **settings) as process:
            self.watch(process)
            out, err = process.communicate(timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("concurrency", [1, 4])
def test_interrupted_and_resumed(tmp_path: Path, number: int, concurrency: int) -> None:
    """Exit 130 with what is under way brought home; in the end each row was asked about exactly once."""
    path, out, kept = rows_file(tmp_path, 20), tmp_path / "out.jsonl", tmp_path / "out.jsonl.replies"
    with Ending(5, number) as gateway:
        arguments = ("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--out", out, "-q")
        ended = gateway.run(*arguments, "--concurrency", concurrency)
        assert (ended.returncode, ended.stdout) == (130, b"")
        asked = len(gateway.requests)
        assert 5 <= asked < 20
        assert ended.stderr.decode() == (
            f"gradestone: interrupted; {asked} replies are kept in {kept}: --resume goes on with them\n"
            "gradestone: interrupted\n"
        )
        assert left(tmp_path) == {"out.jsonl.replies"}
        assert kept.stat().st_mode & 0o777 == 0o600
        resumed = finish(*arguments, "--resume")
        assert (resumed.returncode, resumed.stdout, resumed.stderr) == (0, b"", b"")
    assert sorted(gateway.rows()) == names(20)
    assert codes(out) == ["ok"] * 20
    assert left(tmp_path) == {"out.jsonl"}


@posix
def test_interrupted_at_the_first_call(tmp_path: Path) -> None:
    """Its reply is kept too."""
    path, out = rows_file(tmp_path, 2), tmp_path / "out.jsonl"
    with Ending(1, signal.SIGINT) as gateway:
        arguments = one_by_one(path, gateway, out)
        assert gateway.run(*arguments).returncode == 130
        assert finish(*arguments, "--resume").returncode == 0
    assert sorted(gateway.rows()) == names(2)


@posix
def test_interrupted_without_an_output(tmp_path: Path) -> None:
    """There is nothing to keep: one line, as always."""
    with Ending(2, signal.SIGINT) as gateway:
        arguments = ("score", rows_file(tmp_path, 20), "-g", JUDGE, "--gateway", gateway.origin)
        ended = gateway.run(*arguments, "--concurrency", 1)
    assert (ended.returncode, ended.stderr) == (130, b"gradestone: interrupted\n")
    assert left(tmp_path) == set()


@posix
def test_interrupted_with_a_cache(tmp_path: Path) -> None:
    """The named file holds the replies, and the same command goes on, with ``--resume`` or without."""
    path, cache = rows_file(tmp_path, 10), tmp_path / "cache.db"
    with Ending(4, signal.SIGINT) as gateway:
        arguments = ("score", path, "-g", JUDGE, "--gateway", gateway.origin, "--cache", cache, "-q")
        ended = gateway.run(*arguments, "--concurrency", 1)
        assert ended.returncode == 130
        assert f"replies are kept in {cache}" in ended.stderr.decode()
        assert finish(*arguments, "--resume").returncode == 0
        assert finish(*arguments).returncode == 0
    assert sorted(gateway.rows()) == names(10)


@posix
def test_killed_and_resumed(tmp_path: Path) -> None:
    """No process can do anything about SIGKILL: one row at most is asked about twice."""
    path, out = rows_file(tmp_path, 12), tmp_path / "out.jsonl"
    with Ending(6, signal.SIGKILL) as gateway:
        arguments = one_by_one(path, gateway, out)
        assert gateway.run(*arguments).returncode == -signal.SIGKILL
        assert not out.exists()
        assert finish(*arguments).returncode == 2
        assert len(gateway.requests) == 6
        assert finish(*arguments, "--resume").returncode == 0
    asked = collections.Counter(gateway.rows())
    assert sorted(asked) == names(12)
    assert sum(asked.values()) <= 13
    assert codes(out) == ["ok"] * 12
    assert not (tmp_path / "out.jsonl.replies").exists()


@posix
def test_a_process_that_ignores_interrupts_can_be_ended(tmp_path: Path) -> None:
    """One that a script started in the background: SIGINT does nothing, SIGTERM ends it, and replies are kept."""
    path, out = rows_file(tmp_path, 12), tmp_path / "out.jsonl"

    def ignoring() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    with Ending(4, signal.SIGTERM) as gateway:
        arguments = one_by_one(path, gateway, out)
        assert gateway.run(*arguments, preexec_fn=ignoring).returncode == -signal.SIGTERM
        assert finish(*arguments, "--resume").returncode == 0
    assert sum(collections.Counter(gateway.rows()).values()) <= 13


def test_what_is_loaded_for_graders_in_the_process() -> None:
    """Who asks nobody does not wait for what calls are made with."""
    heavy = ("asyncio", "sqlite3", "ssl", "httpcore2", "gradestone.judge.cache", "gradestone.net.guard")
    program = f"import sys, gradestone.cli.scoring; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
