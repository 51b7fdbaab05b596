"""A search on the stoppable engine, as the graders do it."""

from __future__ import annotations

from gradestone.graders.patterns import CompiledPattern
from gradestone.reference import matching


def search(pattern: CompiledPattern, text: str) -> bool:
    """Whether the pattern is found; ``TimeoutError`` at its deadline."""
    return matching.search(matching.compile_pattern(pattern.engine), text)
