"""The caps of the kernels, in one table, each with its reason.

``rust/limits.rs`` holds the same figures for the compiled kernels; a test compares them.
"""

from __future__ import annotations

from typing import Final

MAX_TOKENS: Final = 4096
"""Tokens on one side of BLEU or ROUGE: the longest common subsequence costs the product of both sides."""

MAX_CONTEXT_MEMBERS: Final = 64
"""Members of one context list: each is compared with every member of the other."""

MAX_CONTEXT_CHARS: Final = 8192
"""Code points of one context list in sum, as given: edit distances cost the product of both lists."""

MAX_PATTERN_CHARS: Final = 1024
"""Characters of a user's pattern: the time to compile one grows with its length."""

MAX_REGEX_INPUT_CHARS: Final = 65_536
"""Characters of the text that a user's pattern is searched in: a search may cost far more than its length."""

PATTERN_DEADLINE_SECONDS: Final = 0.1
"""Seconds that one search for a user's pattern may take: backtracking has no other bound."""

LIMITS: Final[dict[str, int]] = {
    "MAX_TOKENS": MAX_TOKENS,
    "MAX_CONTEXT_MEMBERS": MAX_CONTEXT_MEMBERS,
    "MAX_CONTEXT_CHARS": MAX_CONTEXT_CHARS,
    "MAX_PATTERN_CHARS": MAX_PATTERN_CHARS,
    "MAX_REGEX_INPUT_CHARS": MAX_REGEX_INPUT_CHARS,
}
"""The caps that both backends export, by name."""
