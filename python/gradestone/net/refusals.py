"""What is refused of an answer, and the words for it, whichever transport brought the answer."""

from __future__ import annotations

from typing import Final

from gradestone.net.types import NetError
from gradestone.net.urls import Target
from gradestone.verdict import quote

BODY_CAP: Final = 1 << 20
"""Bytes of a body, both as it arrives and after its content coding is undone; a larger one is refused."""


def refuse_redirect(target: Target, status: int) -> None:
    """Refuse any 3xx: nobody checked where it leads, which is not told either.

    Raises `NetError` (``redirected``).
    """
    if 300 <= status <= 399:
        raise NetError("redirected", f"{quote(target.origin)} answered {status}: redirects are not followed")


def too_large(target: Target) -> NetError:
    """Return what to raise for a body over `BODY_CAP`."""
    return NetError(
        "response_too_large", f"{quote(target.origin)}: the answer is larger than {BODY_CAP} bytes"
    )


def unreachable(target: Target, words: str) -> NetError:
    """Return what to raise where no usable answer came; the words are ours, never an endpoint's."""
    return NetError("unreachable", f"{quote(target.origin)}: {words}")


def blocked(target: Target, words: str) -> NetError:
    """Return what to raise where a URL may not be asked."""
    return NetError("blocked_url", f"{quote(target.origin)}: {words}")
