"""What tests of the transport share: a call in one line, and resolvers that answer from a table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from gradestone.net import GradeDeps, NetError, Request, Response
from gradestone.net.transport import Client

LONG = 20.0
"""Seconds for calls that must not run into their deadline."""

PUBLIC = "93.184.216.34"


class Table:
    """A resolver that answers from a table, one answer a look-up and the last for ever, and keeps what it was asked."""

    def __init__(self, **answers: Sequence[Sequence[str]]) -> None:
        self._answers = {name.replace("_", "."): list(each) for name, each in answers.items()}
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        answers = self._answers.get(host, [[]])
        return answers.pop(0) if len(answers) > 1 else answers[0]


class Fetch:
    """A transport that keeps what it is asked, and answers with one thing."""

    def __init__(self, answer: Any = None) -> None:
        self.answer = Response(200, {}, b"{}") if answer is None else answer
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Any:
        self.asked.append(request)
        return self.answer


class WeirdError(Exception):
    """An exception whose text is a secret."""

    def __str__(self) -> str:
        return "s3cr3t"


def send(
    url: str,
    *,
    deps: GradeDeps | None = None,
    resolver: Any = None,
    timeout_s: float = LONG,
    trusted: bool = False,
    method: str = "POST",
    headers: dict[str, str] | None = None,
    body: bytes = b"",
) -> Response:
    """Send one request with a client of its own."""

    async def run() -> Response:
        async with Client(deps or GradeDeps(), resolver=resolver) as client:
            request = Request(method, url, {} if headers is None else headers, body)
            return await client.send(request, timeout_s=timeout_s, trusted=trusted)

    return asyncio.run(run())


def refused(url: str, **options: Any) -> NetError:
    """Return why one request did not come to a response."""
    try:
        response = send(url, **options)
    except NetError as error:
        return error
    raise AssertionError(f"answered with {response.status}")
