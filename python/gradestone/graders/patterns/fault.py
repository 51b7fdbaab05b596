"""Why a pattern is refused, and the caps beside that on its length."""

from __future__ import annotations

from typing import Final

MAX_NESTING: Final = 50
"""Groups inside one another. CPython's parser recurses; far under its limit the answer cannot depend on how
deep the caller's own stack is."""

MAX_STEPS: Final = 200_000
"""Steps of a pattern once its counted repeats are written out, as the stoppable engine does when it compiles:
``x{200000}`` costs it 50 MB and a fifth of a second, ``x{4294967294}`` all the memory there is."""

_QUOTING: Final = (
    "bad escape",
    "incomplete escape",
    "octal escape value",
    "undefined character name",
    "bad character range",
    "bad character in group name",
    "unknown group name",
    "redefinition of group name",
    "unknown extension",
)


class PatternFault(Exception):  # noqa: N818 -- a refusal is an answer; nothing has gone wrong
    """A pattern is refused; ``code`` is a slug of ``gradestone.codes``, ``message`` says why in one line.

    The message holds no text of the pattern, so that it may be logged.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def does_not_compile(cause: str, position: int | None = None) -> PatternFault:
    """Make the fault of a pattern that the dialect refuses, from CPython's words less what they quote."""
    cause = next((words for words in _QUOTING if cause.startswith(words)), cause)
    place = "" if position is None else f" at position {position}"
    return PatternFault("invalid_pattern", f"the pattern does not compile: {cause}{place}")
