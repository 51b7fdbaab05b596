"""The prompts: templates of the registry in use, and what goes into them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

_MARKER: Final = re.compile(r"\{([a-z_]+)\}")


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with its ``{name}`` markers replaced, in one pass: a text that holds a marker is not expanded again.

    Markers without a value stay as they are.

    >>> fill("{rubric}: {candidate} {x}", {"rubric": "{candidate}?", "candidate": "yes"})
    '{candidate}?: yes {x}'
    """
    return _MARKER.sub(lambda marker: values.get(marker[1], marker[0]), template)


def markers_of(template: str) -> frozenset[str]:
    """The names of the markers of a template."""
    return frozenset(_MARKER.findall(template))


def fingerprint(prompt: str) -> str:
    """The first 16 hexadecimal digits of a prompt's SHA-256: what a verdict tells of the prompt that was sent."""
    return sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()[:16]
