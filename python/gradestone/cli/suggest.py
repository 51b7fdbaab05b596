"""The nearest right name to a wrong one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return a clause for the end of a message, or nothing when no name is near.

    >>> did_you_mean("bleu", ["bleu_score", "no_pii"])
    '; did you mean bleu_score?'
    >>> did_you_mean("xyz", ["bleu_score", "no_pii"])
    ''
    """
    written, known = name.lower().replace("-", "_"), list(names)
    near = get_close_matches(written, known, n=1) or [
        one for one in known if len(written) > 2 and written in one
    ]
    return f"; did you mean {near[0]}?" if near else ""
