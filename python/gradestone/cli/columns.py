"""Which columns of a file hold the candidates and the case references."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from gradestone.cli.exits import CommandError
from gradestone.grading import CompiledGrader
from gradestone.options import ABSENT
from gradestone.verdict import quote

CANDIDATE_NAMES: Final = ("candidate", "output", "response")
"""Columns that are taken for the candidate when none is named."""

REFERENCE_NAMES: Final = ("reference", "expected")
"""Columns that are taken for the case reference when none is named."""

_STANDS_IN: Final = {
    "exact_match": "expected",
    "bleu_score": "reference",
    "rouge_score": "reference",
    "localization_f1": "reference",
}
"""Types for which the case reference stands in where this option is absent."""

_ALWAYS: Final = frozenset({"semantic", "custom"})
"""Types that always read the case reference."""

_BLIND: Final = frozenset({"context_f1"})
"""Types that do not look at the candidate."""

_LISTED: Final = 30
"""Columns that a message lists."""


class Columns(NamedTuple):
    """The columns of a file that graders read; None where no grader needs one."""

    candidate: str | None
    reference: str | None


def choose_columns(
    fields: Collection[str],
    graders: Mapping[str, CompiledGrader],
    *,
    candidate: str | None = None,
    reference: str | None = None,
) -> Columns:
    """Choose the columns to read, from the fields of the first row and from what the user named.

    Raises `CommandError` when a column that is needed or named is absent, or several would do; it lists the
    columns.
    """
    blind = all(grader.type in _BLIND for grader in graders.values())
    needy = [name for name, grader in graders.items() if reads_reference(grader)]
    return Columns(
        _choose("candidate", candidate, CANDIDATE_NAMES, fields, needed_by=() if blind else graders.keys()),
        _choose("reference", reference, REFERENCE_NAMES, fields, needed_by=needy),
    )


def reads_reference(grader: CompiledGrader) -> bool:
    """Tell whether a grader with these options reads the case reference."""
    option = _STANDS_IN.get(grader.type)
    return grader.type in _ALWAYS or (option is not None and getattr(grader.options, option) is ABSENT)


def _choose(
    role: str,
    named: str | None,
    usual: Iterable[str],
    fields: Collection[str],
    *,
    needed_by: Collection[str],
) -> str | None:
    if named is not None:
        if named in fields:
            return named
        raise CommandError(f"there is no column {quote(named)}; {_listing(fields)}")
    present = [name for name in usual if name in fields]
    if len(present) == 1:
        return present[0]
    if not needed_by:
        return None
    if present:
        raise CommandError(
            f"{_spoken(present, 'and')} could all be the {role}: choose with --{role}; {_listing(fields)}"
        )
    need = f", which {_spoken(needed_by, 'and')} must have" if role == "reference" else ""
    tried = _spoken(usual, "nor")
    raise CommandError(
        f"there is no {role} column{need}: neither {tried}; choose with --{role}; {_listing(fields)}"
    )


def _spoken(names: Iterable[str], last: str) -> str:
    *others, final = names
    return f"{', '.join(others)} {last} {final}" if others else final


def _listing(fields: Collection[str]) -> str:
    if not fields:
        return "the first row has no columns"
    shown = [quote(name, 60) for name in list(fields)[:_LISTED]]
    more = f" and {len(fields) - _LISTED} more" if len(fields) > _LISTED else ""
    return f"the first row has {', '.join(shown)}{more}"
