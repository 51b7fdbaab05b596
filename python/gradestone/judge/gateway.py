"""Which endpoint a judge is asked at, and the request that is sent there."""

from __future__ import annotations

import json
import os
from typing import Final, NamedTuple

from gradestone.options import Absent
from gradestone.options.judge import DEFAULT_UPSTREAM_KEY, JudgeOptions

VARIABLES: Final = ("GRADESTONE_GATEWAY_URL", "CAVE_GATEWAY_URL")
"""Environment variables that name the gateway, the first one first."""

KEY_VARIABLE: Final = "GRADESTONE_API_KEY"
"""Environment variable of the bearer token. It is sent to a gateway of the environment only: a grader's options may
come out of anybody's file, and must not be able to send it elsewhere."""

_PATH: Final = "/openai/v1/responses"


class Gateway(NamedTuple):
    """Where calls go."""

    url: str
    """The address of the calls themselves."""
    trusted: bool
    """Whether the operator named it; else a grader's options did, and they may come out of anybody's file."""


def gateway_of(options: JudgeOptions) -> Gateway | None:
    """The gateway of a judge: its option, else the environment's; None where nobody names one."""
    if not isinstance(options.gateway_url, Absent):
        return Gateway(_call_url(options.gateway_url), trusted=False)
    for name in VARIABLES:
        url = os.environ.get(name)
        if url:
            return Gateway(_call_url(url), trusted=True)
    return None


def _call_url(base: str) -> str:
    return base.removesuffix("/") + _PATH


def headers_of(options: JudgeOptions, gateway: Gateway) -> dict[str, str]:
    """The headers of a call; both keys are in them."""
    return {
        # White space at the end of a header is not sent.
        "authorization": f"Bearer {_key_of(options, gateway)}".rstrip(" "),
        "content-type": "application/json",
        "x-cave-upstream-key": options.upstream_key,
    }


def _key_of(options: JudgeOptions, gateway: Gateway) -> str:
    if not isinstance(options.api_key, Absent):
        return options.api_key
    return os.environ.get(KEY_VARIABLE, "") if gateway.trusted else ""


def unsendable_key(options: JudgeOptions, gateway: Gateway) -> str | None:
    """The name of a key that cannot stand in a header; None where both can."""
    keys = {"api_key": _key_of(options, gateway), "upstream_key": options.upstream_key}
    return next((name for name, key in keys.items() if not (key.isascii() and key.isprintable())), None)


def without_keys(text: str, options: JudgeOptions) -> str:
    """A text from outside without the keys that may have been sent there: an endpoint can repeat them."""
    own = os.environ.get(KEY_VARIABLE, "") if isinstance(options.api_key, Absent) else options.api_key
    keys = {own.strip(" "), options.upstream_key.strip(" ")} - {"", DEFAULT_UPSTREAM_KEY}
    for key in sorted(keys, key=len, reverse=True):
        text = text.replace(key, "[key]")
    return text


def body_of(model: str, prompt: str) -> bytes:
    """The body of a call."""
    return json.dumps({"model": model, "input": prompt}).encode("ascii")
