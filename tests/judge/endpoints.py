"""Judges of tests: transports that answer as they are told and count what is under way."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from gradestone import GradeDeps
from gradestone.net import Request, Response

GATEWAY = "https://judge.example"

Answer = Callable[[int], Awaitable[Response]]


def score_judge(**options: Any) -> dict[str, Any]:
    """A judge that passes at 0.5."""
    return {"type": "llm_score", "rubric": "kind", "min_score": 0.5, "gateway_url": GATEWAY, **options}


def says(text: str, **headers: str) -> Response:
    """What a gateway answers when the judge says this."""
    return Response(200, headers, json.dumps({"output_text": text}).encode())


def rows(count: int) -> list[str]:
    """Candidates that can be told apart in a prompt."""
    return [f"candidate {index} of them" for index in range(count)]


def row_of(request: Request) -> int:
    """Which of `rows` a request is about."""
    found = re.search(r"candidate (\d+) of them", json.loads(request.body)["input"])
    assert found is not None
    return int(found[1])


async def passes(_row: int) -> Response:
    """The answer to any row."""
    return says("SCORE: 1")


class Endpoint:
    """A transport that remembers which rows it was asked about, and how many calls were under way at most."""

    def __init__(self, answer: Answer = passes) -> None:
        self._answer = answer
        self.asked: list[int] = []
        self.under_way = 0
        self.most = 0

    async def __call__(self, request: Request) -> Response:
        row = row_of(request)
        self.asked.append(row)
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            return await self._answer(row)
        finally:
            self.under_way -= 1

    def deps(self, **settings: Any) -> GradeDeps:
        """Settings that send everything here."""
        return GradeDeps(fetch=self, **settings)


class Script:
    """A transport that gives one response or exception after the other, and then the last one for ever."""

    def __init__(self, *answers: Response | BaseException) -> None:
        self._answers = list(answers)
        self.calls = 0

    async def __call__(self, _request: Request) -> Response:
        answer = self._answers[min(self.calls, len(self._answers) - 1)]
        self.calls += 1
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def deps(self, **settings: Any) -> GradeDeps:
        """Settings that send everything here."""
        return GradeDeps(fetch=self, **settings)
