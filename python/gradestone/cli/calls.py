"""What ``gradestone score`` settles for graders that leave the process: who is trusted, and where replies are kept."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from gradestone.cli.exits import CommandError, complain
from gradestone.compiled import CompiledGrader
from gradestone.data.output import is_replaced
from gradestone.judge.cache import CacheError, ReplyCache
from gradestone.judge.gateway import VARIABLES, gateway_of
from gradestone.net.guard import Trust
from gradestone.net.types import GradeDeps, NetError
from gradestone.net.urls import read_url
from gradestone.options.judge import JudgeOptions
from gradestone.registry import RegistryError, registry_of

if TYPE_CHECKING:
    from gradestone.cli.scoring import CallWish


def replies_file(out: str) -> Path:
    """Where the replies of a run are kept until its output is complete."""
    return Path(f"{out}.replies")


@contextmanager
def call_settings(
    wish: CallWish, graders: Mapping[str, CompiledGrader], columns: Collection[str], out: str | None
) -> Iterator[tuple[GradeDeps, Callable[[], None]]]:
    """Give the settings of the calls, and what is to be called when the output is complete.

    ``columns`` are the options that are taken from columns.

    Replies that were paid for are kept: in the file that the user named, else beside the output, and there until the
    output is complete. A run that was interrupted goes on with ``--resume``.

    Raises `CommandError` when a setting does not fit, a file of replies of an earlier run is there that the user does
    not want to go on with, or one cannot be used.
    """
    path, is_ours = _replies_of(wish, out)
    try:
        registry = registry_of(wish.registry)
        with (
            _named(wish.gateway),
            _replies(None if wish.dry_run else path, is_ours) as cache,
            terminated_as_interrupted(),
        ):
            _check_endpoints(wish, graders, columns)
            deps = GradeDeps(
                allow_hosts=tuple(wish.allow_hosts),
                timeout_s=wish.timeout,
                registry=registry,
                cache=cache,
                retries=wish.retries,
            )
            yield deps, cache.forget if cache is not None and is_ours else _nothing
    except (RegistryError, CacheError) as error:
        raise CommandError(str(error)) from error


@contextmanager
def _named(gateway: str | None) -> Iterator[None]:
    """Name the gateway where judges look first: what the operator names is trusted."""
    name = VARIABLES[0]
    before = os.environ.get(name)
    if gateway is not None:
        os.environ[name] = gateway
    try:
        yield
    finally:
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before


def _check_endpoints(wish: CallWish, graders: Mapping[str, CompiledGrader], columns: Collection[str]) -> None:
    """Refuse at once what would fail at every row."""
    try:
        Trust(wish.allow_hosts)
        if wish.gateway is not None:
            read_url(wish.gateway)
    except ValueError as error:
        raise CommandError(f"--allow-host: {str(error).removeprefix('allow_hosts: ')}") from error
    except NetError as error:
        raise CommandError(f"--gateway: {error.reason}") from error
    if wish.dry_run or "gateway_url" in columns:
        return
    for name, grader in graders.items():
        if isinstance(grader.options, JudgeOptions) and gateway_of(grader.options) is None:
            raise CommandError(
                f"{name} has no gateway: give --gateway, the option gateway_url, or set {' or '.join(VARIABLES)}"
            )


def _nothing() -> None:
    """Nothing is to be done."""


@contextmanager
def _replies(path: Path | None, is_ours: bool) -> Iterator[_Replies | None]:
    if path is None:
        yield None
        return
    with _Replies(path) as cache:
        try:
            yield cache
        except BaseException as error:
            if not _is_empty(cache):
                if isinstance(error, KeyboardInterrupt):
                    complain(
                        f"interrupted; {len(cache)} replies are kept in {path}: --resume goes on with them"
                    )
            elif is_ours:
                # It would only keep the next run from beginning.
                cache.forget()
            raise
        finally:
            if cache.is_done:
                cache.close()
                for name in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
                    name.unlink(missing_ok=True)


def _is_empty(cache: ReplyCache) -> bool:
    try:
        return len(cache) == 0
    except CacheError:
        return False


class _Replies(ReplyCache):
    """The replies of one run, which go when it is done."""

    is_done = False

    def forget(self) -> None:
        """They are needed no more."""
        self.is_done = True


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """End at SIGTERM as at Ctrl-C: with the calls under way brought home."""
    if threading.current_thread() is not threading.main_thread() or not callable(
        signal.getsignal(signal.SIGINT)
    ):
        # Where interrupts are ignored, as in the background of a script, a SIGTERM must still end the process.
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _replies_of(wish: CallWish, out: str | None) -> tuple[Path | None, bool]:
    """The file of replies, and whether it goes when the output is complete."""
    if wish.cache is not None:
        return Path(wish.cache), False
    if out is None or not is_replaced(out):
        if wish.resume:
            raise CommandError("--resume needs the --out of the run that it goes on with, or its --cache")
        return None, False
    path = replies_file(out)
    if path.exists() and not wish.resume and not wish.dry_run:
        raise CommandError(
            f"{path} holds replies of a run that did not end: --resume goes on with them, or delete the file"
        )
    if wish.resume and not path.exists():
        raise CommandError(f"--resume: there is no {path}, so there is nothing to go on with")
    return path, True
