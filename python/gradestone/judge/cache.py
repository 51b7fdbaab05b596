"""Replies that were paid for, kept in an SQLite file so that they need not be asked for again.

What is kept is the reply as it came, which is parsed anew each time: a fixed parser takes effect on old replies.
A reply is found by the SHA-256 of everything that decided it, and sealed with a second one, over the key and all that
was kept; so a damaged file can lose a reply, or raise, but never pass one off for another.

The file is in WAL mode: a reply is safe from the end of the process once `ReplyCache.put` has returned, which costs no
waiting for the disk. When the power fails the last replies may be gone; the file stays sound.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import stat
import struct
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from gradestone.data.errors import why
from gradestone.jsontext import canonical, to_json_value

APPLICATION_ID: Final = 0x67725243
"""What the header of our files says that they are: ``grRC``."""

VERSION: Final = 1
"""The version of the table and of the two digests in it; a file of another version is refused."""

BUSY_SECONDS: Final = 10.0
"""How long another process's write is waited for."""


class CacheError(ValueError):
    """A reply cache cannot be used; the message names the file and says why, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyKey:
    """All that decides a reply. Two keys are equal when their digests are.

    Credentials are no part of it: whoever may read the file gets the replies that any of them paid for. Prompts and
    endpoints do not show in ``repr``.

    Args:
        endpoint: URL of the call. One with userinfo raises ``ValueError``.
        model: the model, as it is asked for.
        parameters: what else the call says about sampling, such as ``{"temperature": 0}``; JSON values, whose keys
            have no order, and in which 1 and 1.0 are one number. What is no JSON value raises ``ValueError``. Copied.
        prompt: the prompt's bytes, or those of the body of the request.
        sample: which of several replies to the same prompt; 0 is the first.

    >>> key = ReplyKey(endpoint="https://example.org/v1", model="gpt-5.5", prompt=b"Is the sky blue?")
    >>> key.digest().hex()[:16]
    '3ece022649e8924f'
    >>> key == ReplyKey(endpoint="https://example.org/v1", model="gpt-5.5", prompt=b"Is the sky blue?", sample=1)
    False
    """

    endpoint: str = field(repr=False, compare=False)
    model: str = field(compare=False)
    parameters: Mapping[str, object] = field(repr=False, compare=False, default_factory=dict)
    prompt: bytes = field(repr=False, compare=False)
    sample: int = field(compare=False, default=0)
    _digest: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if _has_userinfo(self.endpoint):
            raise ValueError("the endpoint of a reply key holds userinfo")
        if isinstance(self.sample, bool) or self.sample < 0:
            raise ValueError("the sample of a reply key is a number from 0 on")
        parameters = to_json_value(dict(self.parameters))
        digest = _digest_of(
            b"gradestone reply key 1",
            _utf8(self.endpoint),
            _utf8(self.model),
            _utf8(canonical(parameters)),
            self.prompt,
            b"%d" % self.sample,
        )
        object.__setattr__(self, "parameters", parameters)
        object.__setattr__(self, "_digest", digest)

    def digest(self) -> bytes:
        """Return the 32 bytes by which the reply is found: SHA-256 over the parts, each after its length."""
        return self._digest


@dataclass(frozen=True, slots=True)
class CachedReply:
    """A reply as it came: HTTP status, raw body, and when it was kept, in seconds since the epoch."""

    status: int
    body: bytes = field(repr=False)
    created: float


class ReplyCache:
    """A file of replies, for use in a ``with`` block.

    A new file has mode 0600 from its first moment, and so have the ``-wal`` and ``-shm`` files that are beside it
    while it is open. An existing file keeps the mode that it has; an empty one becomes a cache. Of keys the file holds
    digests only. Replies are in it as they came, with whatever of the prompt the endpoint repeats.

    Several threads may use one cache, and several processes one file; a write waits up to ten seconds for another's.
    After a fork the child has to open the file anew. Get and put cost one hash of the body each; nothing is ever
    dropped from the file, and deleting it (with the ``-wal`` file, if one was left) is how to begin afresh.

    Every method raises `CacheError`, and none returns something in its place: when the file cannot be made or written,
    is no regular file, no SQLite database, that of another application or of another version (such a file is left
    untouched), when it is damaged, or stays locked, and when the cache is closed.

    >>> import tempfile
    >>> key = ReplyKey(endpoint="https://example.org/v1", model="gpt-5.5", prompt=b"Is the sky blue?")
    >>> with tempfile.TemporaryDirectory() as folder, ReplyCache(f"{folder}/replies.db") as cache:
    ...     cache.put(key, 200, b'{"output_text": "PASS"}')
    ...     reply = cache.get(key)
    >>> reply.status, reply.body
    (200, b'{"output_text": "PASS"}')
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._connection: sqlite3.Connection | None = None
        with self._naming():
            self._connection = _opened(self._path)

    @property
    def path(self) -> Path:
        """The file, by the name that it was opened with."""
        return self._path

    def get(self, key: ReplyKey) -> CachedReply | None:
        """Return the reply that was kept for a key; None when there is none."""
        digest = key.digest()
        with self._using() as connection:
            rows = connection.execute(_GET, (digest,)).fetchall()
            if not rows:
                return None
            match rows[0]:
                case (int(status), float(created), bytes(body), bytes(seal)) if (
                    _seal(digest, status, created, body) == seal
                ):
                    return CachedReply(status, body, created)
            raise _UnusableError("a reply in it is damaged")

    def put(self, key: ReplyKey, status: int, body: bytes) -> None:
        """Keep a reply, in the place of any that was kept for the key before.

        A status outside 0 to 999 raises ``ValueError``.
        """
        if not 0 <= status <= 999:
            raise ValueError("a status is a number from 0 to 999")
        digest, created = key.digest(), time.time()
        seal = _seal(digest, status, created, body)
        with self._using() as connection:
            connection.execute(_PUT, (digest, status, created, body, seal))

    def close(self) -> None:
        """Close the file; closing it again does nothing."""
        # The parent's connection is not the child's to close: that may delete a log which is in use.
        if os.getpid() != self._process:
            return
        with self._lock, self._naming():
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def __len__(self) -> int:
        with self._using() as connection:
            return int(connection.execute("SELECT count(*) FROM reply").fetchall()[0][0])

    def __bool__(self) -> bool:
        # An empty cache is still one: `if cache` asks whether there is any.
        return True

    def __repr__(self) -> str:
        return f"ReplyCache({str(self._path)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._naming():
            # Asked before the lock, which another thread may have held when the process forked.
            if os.getpid() != self._process:
                raise _UnusableError("it was opened by the process that this one was forked from")
            with self._lock:
                if self._connection is None:
                    raise _UnusableError("it is closed")
                yield self._connection

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn refusals of SQLite and of the operating system into ours, which name the file."""
        try:
            yield
        except OSError as error:
            raise CacheError(f"cannot use the reply cache {self._path}: {why(error)}") from error
        except (sqlite3.Error, ValueError) as error:
            raise CacheError(f"cannot use the reply cache {self._path}: {_said(error)}") from error


class _UnusableError(ValueError):
    """What is wrong with a file, without its name."""


def _said(error: Exception) -> str:
    """Return what SQLite says, in which it may quote a damaged file: unprintable, or no text at all."""
    said = str(error)
    return "it is damaged" if isinstance(error, UnicodeDecodeError) or not said.isprintable() else said


_CREATE: Final = """\
CREATE TABLE reply (
    key BLOB NOT NULL PRIMARY KEY,
    status INTEGER NOT NULL,
    created REAL NOT NULL,
    body BLOB NOT NULL,
    seal BLOB NOT NULL
)"""
_GET: Final = "SELECT status, created, body, seal FROM reply WHERE key = ?"
_PUT: Final = "INSERT OR REPLACE INTO reply (key, status, created, body, seal) VALUES (?, ?, ?, ?, ?)"


def _opened(path: Path) -> sqlite3.Connection:
    if not _is_blank(path):
        _identify(path)
    connection = _connected(path, "mode=rw")
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        _fill(connection)
        _log_ahead(connection)
    except BaseException:
        connection.close()
        raise
    return connection


_creating: Final = threading.Lock()

_LEAST_SIZE: Final = 512
"""Bytes of the smallest database; SQLite takes a file of one byte for an empty one."""


def _is_blank(path: Path) -> bool:
    """Make the file if it is not there; tell whether there is nothing in it."""
    # Closing any descriptor of a file gives up all locks that the process has on it. The lock sees to it that no other
    # thread has come to work with the file by then; and a file that is there is never opened here, only asked about.
    with _creating, suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise _UnusableError("it is a directory")
    if not stat.S_ISREG(status.st_mode):
        raise _UnusableError("it is no regular file")
    if 0 < status.st_size < _LEAST_SIZE:
        raise _UnusableError("it is no SQLite database")
    if not os.access(path, os.R_OK | os.W_OK):
        # SQLite would not say why, and would open it for reading only.
        os.close(os.open(path, os.O_RDWR))
    return status.st_size == 0


def _identify(path: Path) -> None:
    """Refuse a file that is not ours, by its header alone and without a trace.

    ``immutable`` makes SQLite look at nothing but the file: it takes no locks, makes no files beside it, and rolls
    nothing back. With ``writable_schema`` it accepts a header that is ahead of the file's length, as one is in the
    midst of a checkpoint, of a process that is writing or of one that was killed.
    """
    with closing(_connected(path, "immutable=1")) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        try:
            header = _header(connection)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
                raise _UnusableError("it is no SQLite database") from error
            raise
    _check(*header)


def _check(application_id: int, version: int) -> None:
    if application_id != APPLICATION_ID:
        raise _UnusableError("it is an SQLite database of something else")
    if version != VERSION:
        raise _UnusableError(f"it is of version {version}, and only version {VERSION} can be read")


def _header(connection: sqlite3.Connection) -> tuple[int, int]:
    return _pragma(connection, "application_id"), _pragma(connection, "user_version")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchall()[0][0])


def _fill(connection: sqlite3.Connection) -> None:
    """Make the table in a file without anything; of processes that do so at once the first does it."""
    if _header(connection) == (APPLICATION_ID, VERSION):
        return
    # Asked again: another process may have been at it in between, or between the two halves of the answer.
    connection.execute("BEGIN IMMEDIATE")
    if _header(connection) == (0, 0) and not connection.execute("SELECT 1 FROM sqlite_master").fetchall():
        # Before WAL mode is on, so that the header is in the file itself and not only in the log beside it.
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute(_CREATE)
    _check(*_header(connection))
    connection.execute("COMMIT")


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Turn WAL mode on, which SQLite gives up at once when another process does so too, whatever the timeout."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.005)


def _connected(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _seal(digest: bytes, status: int, created: float, body: bytes) -> bytes:
    return _digest_of(b"gradestone reply 1", digest, b"%d" % status, struct.pack(">d", created), body)


def _digest_of(*parts: bytes) -> bytes:
    """Return the SHA-256 of the parts, each after its length in eight bytes: no two lists of parts run together."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_AUTHORITY: Final = re.compile(r"[^/\\?#]*[/\\]{2,}([^/\\?#]*)")


def _has_userinfo(url: str) -> bool:
    found = _AUTHORITY.match(url)
    return found is not None and "@" in found[1]
