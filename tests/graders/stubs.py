"""A transport that answers from a list, for graders that leave the process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from gradestone import GradeDeps
from gradestone.net import Request, Response

GATEWAY = "https://gateway.example"


class Fetch:
    """Answers one response a request, the last one for ever, and keeps what it was asked."""

    def __init__(self, *answers: Response | BaseException) -> None:
        self._answers = list(answers)
        self.requests: list[Request] = []

    async def __call__(self, request: Request) -> Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    @property
    def bodies(self) -> list[Any]:
        """The bodies of the requests, as JSON."""
        return [json.loads(request.body) for request in self.requests]

    @property
    def prompts(self) -> list[str]:
        """What a judge was asked."""
        return [body["input"] for body in self.bodies]


def said(text: str, status: int = 200, **more: Any) -> Response:
    """A judge's answer."""
    return Response(status, {}, json.dumps({"output_text": text, **more}).encode())


def raw(body: bytes, status: int = 200) -> Response:
    """An answer of any bytes."""
    return Response(status, {}, body)


def judged(*texts: str | Response | BaseException) -> Fetch:
    """A judge that says one text a call."""
    return Fetch(*(said(text) if isinstance(text, str) else text for text in texts))


def deps_of(fetch: Callable[..., Any], **settings: Any) -> GradeDeps:
    """Settings under which everything goes to a stub."""
    return GradeDeps(fetch=fetch, **settings)
