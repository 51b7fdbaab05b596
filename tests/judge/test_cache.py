"""Replies that were paid for come back as they were, or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.judge.cache import CachedReply, CacheError, ReplyCache, ReplyKey

MIB = bytes(range(256)) * 4096


def key(**changes: Any) -> ReplyKey:
    parts: dict[str, Any] = {"endpoint": "https://judge.example/v1", "model": "m", "prompt": b"p"}
    return ReplyKey(**parts | changes)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.db"


@pytest.fixture
def cache(path: Path) -> Iterator[ReplyCache]:
    with ReplyCache(path) as opened:
        yield opened


def filled(path: Path, replies: int = 3) -> list[ReplyKey]:
    """Make a file with replies of 200 bytes each, and close it."""
    keys = [key(sample=number) for number in range(replies)]
    with ReplyCache(path) as opened:
        for one in keys:
            opened.put(one, 200, b"reply %d " % one.sample * 25)
    return keys


def sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement).fetchall()


# Keys


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "https://judge.example/v2"},
        {"model": "M"},
        {"parameters": {"temperature": 0}},
        {"parameters": {"temperature": None}},
        {"prompt": b"p "},
        {"prompt": b""},
        {"sample": 1},
    ],
    ids=repr,
)
def test_every_part_of_a_key_counts(cache: ReplyCache, changes: dict[str, Any]) -> None:
    """A reply to another endpoint, model, parameters, prompt or sample is not the reply."""
    cache.put(key(), 200, b"a")
    assert key(**changes) != key()
    assert key(**changes).digest() != key().digest()
    assert cache.get(key(**changes)) is None


def test_values_that_python_takes_for_equal_are_not() -> None:
    """True is not 1, and a list is not its text; 1.0 and 1 are one JSON number."""
    spellings = [True, 1, "1", [1], "[1]", {"1": 1}, None, "null", 0, False]
    assert len({key(parameters={"a": one}) for one in spellings}) == len(spellings)
    halves = ["\ud800", "\udfff", "?", "\ufffd", "\\ud800", ""]
    assert len({key(model=one) for one in halves} | {key(parameters={"a": one}) for one in halves}) == 12
    assert key(parameters={"a": 1.0}) == key(parameters={"a": 1})


def test_the_order_of_parameters_does_not_count() -> None:
    """Mappings that are equal make one key, inner ones too."""
    one = key(parameters={"seed": 1, "stop": {"x": 1, "y": 2}})
    assert one == key(parameters={"stop": {"y": 2, "x": 1}, "seed": 1})
    assert hash(one) == hash(key(parameters={"stop": {"y": 2, "x": 1}, "seed": 1}))


def test_a_key_does_not_change_with_the_mapping_that_it_was_made_of() -> None:
    """The parameters are copied to the bottom."""
    stop = ["a"]
    parameters = {"stop": stop}
    one = key(parameters=parameters)
    stop.append("b")
    parameters["seed"] = []
    assert one == key(parameters={"stop": ["a"]})
    assert one.parameters == {"stop": ["a"]}


PIECES = st.text('ab1{}":,\x00\x01é\ud800', max_size=4)
KEYS = st.tuples(
    PIECES, PIECES, st.dictionaries(PIECES, PIECES, max_size=2), st.binary(max_size=4), st.integers(0, 11)
)
PARTS = ("endpoint", "model", "parameters", "prompt", "sample")


@given(KEYS, KEYS)
def test_keys_are_equal_only_when_all_their_parts_are(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    """No two keys of different parts have one digest."""
    first, second = (ReplyKey(**dict(zip(PARTS, parts, strict=True))) for parts in (one, other))
    assert (first.digest() == second.digest()) == (one == other) == (first == second)


@given(st.text("ab1{}\x00é", max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_a_border_between_two_parts_counts(text: str, at: int, other: int) -> None:
    """Keys whose parts written one after the other are the same text stay different keys."""

    def split(border: int) -> list[ReplyKey]:
        left, right = text[:border], text[border:]
        return [
            key(endpoint=left, model=right),
            key(model=left, prompt=right.encode()),
            key(endpoint=left, model="", prompt=right.encode()),
        ]

    same = text[:at] == text[:other]
    assert [a == b for a, b in zip(split(at), split(other), strict=True)] == [same] * 3


def test_a_sample_does_not_run_into_the_prompt() -> None:
    """Nor does the prompt hold what looks like parameters."""
    assert key(prompt=b"p1", sample=2) != key(prompt=b"p", sample=12)
    assert key(prompt=b"{}p") != key(prompt=b"p", parameters={})


def test_the_digest_is_pinned() -> None:
    """Lengths in eight bytes before every part: a change would need another tag, and lose what was paid for."""
    parts = [b"gradestone reply key 1", "é".encode(), b"m", b'{"a":[1],"b":"\\ud800"}', b"p\x00", b"7"]
    spelt = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    one = ReplyKey(endpoint="é", model="m", parameters={"b": "\ud800", "a": (1,)}, prompt=b"p\x00", sample=7)
    assert one.digest() == hashlib.sha256(spelt).digest()


@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "https://ann:secret@judge.example/v1"},
        {"endpoint": "https://secret@judge.example"},
        {"endpoint": "//secret@judge.example"},
        {"endpoint": "https:\\\\secret@judge.example\\v1"},
        {"parameters": {"stop": b"secret"}},
        {"parameters": {"temperature": float("nan")}},
        {"parameters": {1: "secret"}},
        {"sample": -1},
        {"sample": True},
    ],
    ids=repr,
)
def test_what_is_no_key(changes: dict[str, Any]) -> None:
    """Userinfo in the endpoint, parameters that are no JSON, samples that are no number; none is quoted."""
    with pytest.raises(ValueError, match=r".") as raised:
        key(**changes)
    assert "secret" not in str(raised.value)


def test_an_at_sign_behind_the_host_is_no_userinfo() -> None:
    """Some gateways have models in their paths."""
    assert key(endpoint="https://judge.example/run/@cf/m") != key(endpoint="https://judge.example/run?to=a@b")


def test_texts_do_not_show() -> None:
    """Prompts, endpoints, parameters and bodies may hold what nobody should read in a log."""
    shown = repr(key(endpoint="https://secret/", parameters={"user": "secret"}, prompt=b"secret"))
    assert "secret" not in shown + repr(CachedReply(200, b"secret", 0.0))


# Replies


@pytest.mark.parametrize("body", [b"", b"\x00", b"\xff\xfe{", '{"a": "é"}'.encode(), MIB], ids=len)
@pytest.mark.parametrize("status", [200, 404, 0, 999])
def test_a_reply_comes_back_as_it_was(path: Path, status: int, body: bytes) -> None:
    """Any status and any bytes, at once and from the file that was closed and opened again."""
    before = time.time()
    with ReplyCache(path) as cache:
        assert cache.get(key()) is None
        cache.put(key(), status, body)
        fresh = cache.get(key())
    with ReplyCache(str(path)) as cache:
        later = cache.get(key())
        assert len(cache) == 1
    assert fresh == later
    assert later is not None
    assert (later.status, later.body) == (status, body)
    assert before <= later.created <= time.time()


def test_a_second_reply_takes_the_place_of_the_first(cache: ReplyCache) -> None:
    """Of one key there is one reply, the last that was put."""
    cache.put(key(), 500, b"first")
    cache.put(key(sample=1), 200, b"other")
    cache.put(key(), 200, b"second")
    replies = [cache.get(key(sample=sample)) for sample in (0, 1)]
    assert [(one.status, one.body) for one in replies if one] == [(200, b"second"), (200, b"other")]
    assert len(cache) == 2


@pytest.mark.parametrize("status", [-1, 1000, 2**70])
def test_what_is_no_status(cache: ReplyCache, status: int) -> None:
    """Nothing is kept of it."""
    with pytest.raises(ValueError, match="from 0 to 999"):
        cache.put(key(), status, b"")
    assert len(cache) == 0


def test_an_empty_cache_is_a_cache(cache: ReplyCache, path: Path) -> None:
    """`if cache` asks whether there is any, not whether it holds replies."""
    assert len(cache) == 0
    assert cache
    assert cache.path == path
    assert repr(cache) == f"ReplyCache({str(path)!r})"


def test_a_closed_cache_gives_and_takes_nothing(path: Path) -> None:
    """It raises; closing it again does nothing."""
    with ReplyCache(path) as cache:
        pass
    cache.close()
    for use in (lambda: cache.get(key()), lambda: cache.put(key(), 200, b""), lambda: len(cache)):
        with pytest.raises(CacheError, match=r"replies\.db: it is closed"):
            use()


# The file


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_only_the_owner_can_read_it(path: Path, mask: int) -> None:
    """Mode 0600 whatever the mask, of the log and the index beside it too; only the file is left at the end."""
    before = os.umask(mask)
    try:
        with ReplyCache(path) as cache:
            cache.put(key(), 200, b"a")
            modes = {one.name: oct(stat.S_IMODE(one.stat().st_mode)) for one in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("replies.db", "replies.db-wal", "replies.db-shm"), "0o600")
    assert [one.name for one in path.parent.iterdir()] == ["replies.db"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_private_before_anything_is_in_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite finds an empty file of mode 0600, and is not asked to make one."""
    seen: list[tuple[int, int, bool]] = []
    real = sqlite3.connect

    def watched(name: str, **rest: Any) -> sqlite3.Connection:
        status = path.stat()
        seen.append((status.st_size, stat.S_IMODE(status.st_mode), name.endswith("?mode=rw")))
        return real(name, **rest)

    monkeypatch.setattr(sqlite3, "connect", watched)
    ReplyCache(path).close()
    assert seen == [(0, 0o600, True)]


@pytest.mark.parametrize("content", [True, False])
def test_an_existing_file_keeps_its_mode(path: Path, content: bool) -> None:
    """Whether it is a cache or an empty file, which becomes one."""
    if content:
        filled(path)
    path.touch()
    path.chmod(0o640)
    with ReplyCache(path) as cache:
        cache.put(key(), 200, b"a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_no_text_of_a_key_is_in_the_file(path: Path) -> None:
    """Digests only, also in the log while it is open."""
    secret = key(
        endpoint="https://endpoint-text/", model="model-text", prompt=b"prompt-text", parameters={"parameter-text": 1}
    )  # fmt: skip
    with ReplyCache(path) as cache:
        cache.put(secret, 200, b"the body")
        while_open = b"".join(one.read_bytes() for one in path.parent.iterdir())
    for content in (while_open, path.read_bytes()):
        assert b"-text" not in content
        assert b"the body" in content
        assert secret.digest() in content


@pytest.mark.parametrize("name", ["a b.db", "what?mode=memory", "100%41#x", "é\udcff"], ids=ascii)
def test_any_name_of_a_file(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters that mean something in a URI mean themselves; a relative name is of this folder."""
    monkeypatch.chdir(tmp_path)
    with ReplyCache(name) as cache:
        cache.put(key(), 200, b"a")
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208
    with ReplyCache(tmp_path / name) as cache:
        assert len(cache) == 1


def test_a_link_to_a_cache_is_followed(tmp_path: Path, path: Path) -> None:
    """The link stays a link."""
    filled(path)
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with ReplyCache(link) as cache:
        assert len(cache) == 3
        cache.put(key(model="n"), 200, b"a")
    with ReplyCache(path) as cache:
        assert len(cache) == 4
    assert link.is_symlink()


# Files that cannot be used


def test_places_where_no_cache_can_be(tmp_path: Path) -> None:
    """A folder, a missing folder, a file for a folder, a pipe, links to nothing, to a folder and to itself, a NUL."""
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "linked").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = set(tmp_path.iterdir())
    for name, reason in (
        (".", "it is a directory"),
        ("no/replies.db", "No such file or directory"),
        ("file/replies.db", "Not a directory"),
        ("pipe", "it is no regular file"),
        ("dangling", "No such file or directory"),
        ("linked", "it is a directory"),
        ("loop", "Too many levels of symbolic links"),
        ("x" * 300, "File name too long"),
    ):
        with pytest.raises(CacheError) as raised:
            ReplyCache(tmp_path / name)
        assert str(raised.value) == f"cannot use the reply cache {tmp_path / name}: {reason}"
    with pytest.raises(CacheError, match="embedded null"):
        ReplyCache(tmp_path / "a\0b")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("there", [True, False])
def test_a_file_system_that_is_read_only(path: Path, there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused at the door with the system's reason, a file that is there too: SQLite would only read it."""
    if there:
        filled(path)
    real = os.open

    def refuse(name: Path, flags: int, *rest: int) -> int:
        if there and flags & os.O_CREAT:
            return real(name, flags, *rest)
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(name))

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(CacheError, match=r"replies\.db: Read-only file system$"):
        ReplyCache(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to any file")
def test_a_file_that_may_not_be_written(path: Path) -> None:
    """Refused with the system's reason."""
    filled(path)
    path.chmod(0o400)
    with pytest.raises(CacheError, match="Permission denied"):
        ReplyCache(path)


def other_database(path: Path) -> None:
    sql(path, "CREATE TABLE reply (a)", "INSERT INTO reply VALUES (1)")


def other_application(path: Path) -> None:
    sql(path, "PRAGMA application_id = 7", "PRAGMA user_version = 1", "CREATE TABLE reply (a)")


def other_database_in_wal_mode(path: Path) -> None:
    sql(path, "PRAGMA journal_mode = WAL", "CREATE TABLE notes (a)")


def database_without_tables(path: Path) -> None:
    sql(path, "CREATE TABLE a (a)", "DROP TABLE a")


def next_version(path: Path) -> None:
    filled(path)
    sql(path, "PRAGMA user_version = 2")


def version_of_nobody(path: Path) -> None:
    filled(path)
    sql(path, "PRAGMA user_version = 0")


def garbage(path: Path) -> None:
    path.write_bytes(b"no database\n" * 1000)


def one_byte(path: Path) -> None:
    path.write_bytes(b"S")


def cut_in_the_header(path: Path) -> None:
    filled(path)
    os.truncate(path, 80)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (other_database, "it is an SQLite database of something else"),
        (other_application, "it is an SQLite database of something else"),
        (other_database_in_wal_mode, "it is an SQLite database of something else"),
        (database_without_tables, "it is an SQLite database of something else"),
        (next_version, "it is of version 2, and only version 1 can be read"),
        (version_of_nobody, "it is of version 0, and only version 1 can be read"),
        (garbage, "it is no SQLite database"),
        (one_byte, "it is no SQLite database"),
        (cut_in_the_header, "it is no SQLite database"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_file_that_is_no_cache_is_refused_and_left_alone(path: Path, make: Any, reason: str) -> None:
    """The error names the file and what it is; its bytes and times are as they were, and nothing is beside it."""
    make(path)
    content, before = path.read_bytes(), path.stat()
    with pytest.raises(CacheError) as raised:
        ReplyCache(path)
    assert str(raised.value) == f"cannot use the reply cache {path}: {reason}"
    after = path.stat()
    assert path.read_bytes() == content
    assert (after.st_mtime_ns, after.st_ctime_ns) == (before.st_mtime_ns, before.st_ctime_ns)
    assert list(path.parent.iterdir()) == [path]


def test_a_database_of_something_else_that_is_in_use(path: Path) -> None:
    """Its owner's locks and its unfinished transaction are as they were."""
    other_database(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as owner:
        owner.execute("BEGIN EXCLUSIVE")
        owner.execute("INSERT INTO reply VALUES (2)")
        with pytest.raises(CacheError, match="something else"):
            ReplyCache(path)
        code = (
            "import sqlite3, sys, contextlib\n"
            "with contextlib.closing(sqlite3.connect(sys.argv[1], timeout=0)) as other:\n"
            "    other.execute('SELECT * FROM reply').fetchall()\n"
        )
        done = run(code, path)
        owner.execute("COMMIT")
        assert owner.execute("SELECT a FROM reply").fetchall() == [(1,), (2,)]
    assert "database is locked" in done.stderr


def test_an_emptied_file_takes_nothing_from_the_log_of_the_former(path: Path) -> None:
    """Deleting the file of a process that was killed, and not its log, loses replies and mixes none."""
    with ReplyCache(path) as cache:
        cache.put(key(), 200, b"old")
        log = path.with_name("replies.db-wal").read_bytes()
    path.unlink()
    path.with_name("replies.db-wal").write_bytes(log)
    with ReplyCache(path) as cache:
        assert len(cache) == 0
        cache.put(key(model="n"), 200, b"new")
    with ReplyCache(path) as cache:
        assert cache.get(key()) is None
        assert cache.get(key(model="n")) is not None


# Damage


@pytest.mark.parametrize("size", [512, 4095, 4096, 5000, 8192])
def test_a_file_that_was_cut_off(path: Path, size: int) -> None:
    """Told at the door."""
    filled(path)
    assert path.stat().st_size > 8192
    os.truncate(path, size)
    with pytest.raises(CacheError, match=r"replies\.db: .*malformed"):
        ReplyCache(path)


def test_a_byte_of_a_body_that_was_flipped(path: Path) -> None:
    """That reply raises; the others are as they were, and a new reply mends it."""
    keys = filled(path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"reply 1 reply", b"repLy 1 reply", 1))
    with ReplyCache(path) as cache:
        with pytest.raises(CacheError, match=r"replies\.db: a reply in it is damaged"):
            cache.get(keys[1])
        assert cache.get(keys[0]) is not None
        cache.put(keys[1], 200, b"again")
        mended = cache.get(keys[1])
    assert mended is not None
    assert mended.body == b"again"


@pytest.mark.parametrize(
    "change",
    [
        "status = 201",
        "status = 'x'",
        "created = created + 1",
        "created = 'x'",
        "body = x'00'",
        "body = ''",
        "body = 'reply'",
        "seal = x''",
        "seal = 1",
        "(status, created, body, seal) = (SELECT status, created, body, seal FROM reply WHERE rowid = 2)",
    ],
)
def test_a_row_that_was_changed(path: Path, change: str) -> None:
    """The seal is over status, time and body, and over the key: a whole reply of another key is no reply either."""
    keys = filled(path)
    sql(path, f"UPDATE reply SET {change} WHERE key = x'{keys[0].digest().hex()}'")
    with ReplyCache(path) as cache:
        with pytest.raises(CacheError, match="a reply in it is damaged"):
            cache.get(keys[0])
        assert cache.get(keys[1]) is not None


def test_tables_that_are_not_as_they_were(path: Path) -> None:
    """What SQLite says is told; nothing is taken for a missing reply."""
    filled(path)
    sql(path, "DROP TABLE reply")
    with ReplyCache(path) as cache:
        for use in (lambda: cache.get(key()), lambda: cache.put(key(), 200, b""), lambda: len(cache)):
            with pytest.raises(CacheError, match=r"replies\.db: no such table: reply"):
                use()


@pytest.mark.parametrize("byte", [b"\n", b"\x1b", b"\xff"])
def test_what_a_damaged_file_says_is_not_repeated_raw(path: Path, byte: bytes) -> None:
    """The error stays one line of printable text."""
    filled(path)
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE reply", b"CREATE TABLE`%sply" % (byte * 2)))
    with pytest.raises(CacheError) as raised:
        ReplyCache(path)
    assert str(raised.value) == f"cannot use the reply cache {path}: it is damaged"


def test_a_flipped_byte_anywhere_never_makes_a_wrong_reply(path: Path) -> None:
    """The reply that was put, none, or an error, wherever the damage is."""
    keys = filled(path)
    sound = path.read_bytes()
    with ReplyCache(path) as cache:
        replies = [cache.get(one) for one in keys]
    used = [at for at, byte in enumerate(sound) if byte]
    for at in used[::3]:
        damaged = bytearray(sound)
        damaged[at] ^= 1 << at % 8
        path.write_bytes(damaged)
        try:
            with ReplyCache(path) as cache:
                for one, reply in zip(keys, replies, strict=True):
                    try:
                        assert cache.get(one) in (reply, None)
                    except CacheError:
                        continue
        except CacheError:
            continue


# Threads and processes


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_threads_share_one_cache(cache: ReplyCache) -> None:
    """Each gets what it put, while all of them put and get."""
    wrong: list[object] = []
    barrier = threading.Barrier(8)

    def work(name: int) -> None:
        barrier.wait()
        for sample in range(40):
            mine = key(model=str(name), sample=sample)
            cache.put(mine, 200, b"%d %d" % (name, sample))
            reply = cache.get(mine)
            if reply is None or reply.body != b"%d %d" % (name, sample):
                wrong.append((name, sample, reply))

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []
    assert len(cache) == 320


def test_threads_that_make_the_file_at_once(tmp_path: Path) -> None:
    """One of them makes the table, whoever it is; the others wait for it, and none is told that the file is locked."""
    wrong: list[object] = []
    barrier = threading.Barrier(4)

    def work(name: int) -> None:
        for number in range(60):
            barrier.wait()
            try:
                with ReplyCache(tmp_path / f"{number}.db") as cache:
                    cache.put(key(sample=name), 200, b"a")
            except CacheError as error:
                wrong.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []
    for number in range(60):
        with ReplyCache(tmp_path / f"{number}.db") as cache:
            assert len(cache) == 4


WRITER = """\
import sys
from gradestone.judge.cache import ReplyCache, ReplyKey
sys.stdout.write("ready\\n"); sys.stdout.flush()
sys.stdin.readline()
with ReplyCache(sys.argv[1]) as cache:
    for sample in range(int(sys.argv[3])):
        key = ReplyKey(endpoint="e", model=sys.argv[2], prompt=b"p", sample=sample)
        cache.put(key, 200, b"%d" % sample * 500)
        print(sample, flush=True)
    if len(sys.argv) > 4:
        sys.stdin.readline()
"""


def test_processes_that_write_at_once_lose_nothing(path: Path) -> None:
    """Nor do they come into each other's way while the file is made."""
    processes = [start(WRITER, path, name, 150) for name in "abc"]
    for one in processes:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in processes:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    for one in processes:
        one.communicate(timeout=60)
        assert one.returncode == 0
    with ReplyCache(path) as cache:
        assert len(cache) == 450
        for name in "abc":
            for sample in range(150):
                reply = cache.get(ReplyKey(endpoint="e", model=name, prompt=b"p", sample=sample))
                assert reply is not None
                assert reply.body == b"%d" % sample * 500


@pytest.mark.parametrize("puts", [1, 60, 100_000])
def test_a_reply_survives_the_process(path: Path, puts: int) -> None:
    """Killed after `put` returned, or in the midst of a later one: what was put is there."""
    process = start(WRITER, path, "m", puts, "and wait")
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "ready\n"
    process.stdin.write("\n")
    process.stdin.flush()
    kept = min(puts, 500)
    assert [process.stdout.readline() for _ in range(kept)] == [f"{sample}\n" for sample in range(kept)]
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    with ReplyCache(path) as cache:
        assert len(cache) >= kept
        for sample in range(kept):
            reply = cache.get(ReplyKey(endpoint="e", model="m", prompt=b"p", sample=sample))
            assert reply is not None
            assert reply.body == b"%d" % sample * 500


def test_a_file_whose_log_was_being_carried_over(path: Path) -> None:
    """Killed when the header was written and the pages behind it were not: the log still has them."""
    with ReplyCache(path) as cache:
        before = path.read_bytes()
        for sample in range(100):
            cache.put(key(sample=sample), 200, b"x" * 500)
        log = path.with_name("replies.db-wal").read_bytes()
    after = path.read_bytes()
    assert len(after) > len(before)
    path.write_bytes(after[:4096] + before[4096:])
    path.with_name("replies.db-wal").write_bytes(log)
    with ReplyCache(path) as cache:
        assert len(cache) == 100


@pytest.mark.parametrize("use", ["cache.get(key)", "cache.put(key, 200, b'child')", "len(cache)"])
def test_a_forked_child_opens_its_own(path: Path, use: str) -> None:
    """SQLite's locks do not go with a fork: the child is refused, and closing there harms nobody."""
    code = f"""\
import os, sys
from gradestone.judge.cache import CacheError, ReplyCache, ReplyKey
key = ReplyKey(endpoint="e", model="m", prompt=b"p")
cache = ReplyCache(sys.argv[1])
cache.put(key, 200, b"parent")
child = os.fork()
if child == 0:
    try:
        {use}
    except CacheError as error:
        cache.close()
        os._exit(3 if "forked" in str(error) else 4)
    os._exit(5)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
cache.put(key, 200, b"again")
cache.close()
"""
    done = run(code, path)
    assert done.returncode == 0, done.stderr
    with ReplyCache(path) as cache:
        reply = cache.get(ReplyKey(endpoint="e", model="m", prompt=b"p"))
    assert reply is not None
    assert reply.body == b"again"


def test_a_second_cache_of_the_process_leaves_the_first_its_locks(path: Path) -> None:
    """Opening and closing the file again must not let another process take the log from under the first."""
    code = """\
import sys
from gradestone.judge.cache import ReplyCache
ReplyCache(sys.argv[1]).close()
"""
    with ReplyCache(path) as cache:
        cache.put(key(), 200, b"a")
        ReplyCache(path).close()
        assert run(code, path).returncode == 0
        assert path.with_name("replies.db-wal").exists()
        cache.put(key(model="n"), 200, b"b")
    with ReplyCache(path) as cache:
        assert len(cache) == 2


def test_a_file_that_stays_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waited for, then told; the reply that could not be kept is not there in half."""
    filled(path)
    monkeypatch.setattr("gradestone.judge.cache.BUSY_SECONDS", 0.1)
    with ReplyCache(path) as cache, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CacheError, match=r"replies\.db: database is locked"):
            cache.put(key(model="n"), 200, b"a")
        assert len(cache) == 3
        other.execute("ROLLBACK")
        cache.put(key(model="n"), 200, b"a")
        assert len(cache) == 4
