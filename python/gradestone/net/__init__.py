"""Everything that leaves the process: the checked transport, and what a caller may put in its place.

Importing this loads no HTTP client; making a `Client` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradestone.net.types import Fetch, GradeDeps, NetError, Request, Response, SsrfCheck, SsrfVerdict

if TYPE_CHECKING:
    from gradestone.net.transport import Client

__all__ = [
    "Client",
    "Fetch",
    "GradeDeps",
    "NetError",
    "Request",
    "Response",
    "SsrfCheck",
    "SsrfVerdict",
]


def __getattr__(name: str) -> Any:
    if name != "Client":
        raise AttributeError(f"module 'gradestone.net' has no attribute {name!r}")
    from gradestone.net.transport import Client

    return Client
