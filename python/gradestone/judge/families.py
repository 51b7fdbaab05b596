"""Which models are of one family: a judge tends to like what a model of its own family wrote."""

from __future__ import annotations

import re
from typing import Final

_FAMILIES: Final = {
    "claude": ("claude",),
    "gpt": ("gpt", "chatgpt", "davinci"),
    "gemini": ("gemini", "palm", "bison"),
    "llama": ("llama",),
    "mistral": ("mistral", "mixtral"),
    "cohere": ("command", "cohere"),
    "deepseek": ("deepseek",),
    "qwen": ("qwen",),
}

_O_SERIES: Final = re.compile(r"o[0-9]")

_SEPARATORS: Final = re.compile(r"[:@]|\.(?=[a-z])")
"""What stands between the parts of a segment: ``us.anthropic.claude-4``, ``ft:gpt-4o:org``, ``llama3:8b``."""


def family_of(model: str) -> str:
    """The family of a model by its identifier; one that is not known is its own family.

    Providers stand before the model's name and a slash, tags and the names of tunings behind it and a colon: the last
    segment that is known counts, and in it the first part that is.

    >>> family_of("openai/gpt-5.5"), family_of("us.anthropic.claude-opus-4"), family_of("acme/Foo-1")
    ('gpt', 'claude', 'foo-1')
    """
    segments = [segment for segment in model.strip().lower().split("/") if segment]
    for segment in reversed(segments):
        for part in _SEPARATORS.split(segment):
            family = _family_of_part(part)
            if family is not None:
                return family
    return segments[-1] if segments else ""


def _family_of_part(part: str) -> str | None:
    if _O_SERIES.match(part):
        return "gpt"
    for word in part.split("-"):
        for family, beginnings in _FAMILIES.items():
            if word.startswith(beginnings):
                return family
    return None
