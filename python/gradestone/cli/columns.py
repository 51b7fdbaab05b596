"""Which columns of a file hold the candidates and the case references."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from gradestone.cli.exits import CommandError
from gradestone.cli.suggest import did_you_mean
from gradestone.compiled import CompiledGrader
from gradestone.options import ABSENT, OPTIONS
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
    options: Mapping[str, str]
    """The columns that options are taken from."""

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, each once."""
        named = (self.candidate, self.reference, *self.options.values())
        return tuple(dict.fromkeys(name for name in named if name is not None))


def choose_columns(
    fields: Collection[str],
    graders: Mapping[str, CompiledGrader],
    *,
    candidate: str | None = None,
    reference: str | None = None,
    options: Mapping[str, str] = MappingProxyType({}),
) -> Columns:
    """Choose the columns to read, from the fields of the first row and from what the user named.

    ``options`` names the columns that options are taken from, by the options' names.

    Raises `CommandError` when a column that is needed or named is absent, or several would do; it lists the
    columns.
    """
    blind = all(grader.type in _BLIND for grader in graders.values())
    needy = [name for name, grader in graders.items() if reads_reference(grader, options)]
    for column in options.values():
        _check_there(column, fields)
    return Columns(
        _choose("candidate", candidate, CANDIDATE_NAMES, fields, needed_by=() if blind else graders.keys()),
        _choose("reference", reference, REFERENCE_NAMES, fields, needed_by=needy),
        options,
    )


def choose_pair(
    fields: Collection[str], *, candidate: str | None = None, reference: str | None = None
) -> tuple[str, str]:
    """Choose a column of candidates and one of references, as `choose_columns` does where every grader reads both."""
    return (
        _choose_needed("candidate", candidate, CANDIDATE_NAMES, fields),
        _choose_needed("reference", reference, REFERENCE_NAMES, fields),
    )


def reads_reference(grader: CompiledGrader, options: Container[str] = ()) -> bool:
    """Tell whether a grader reads the case reference, where some options are taken from columns."""
    option = _STANDS_IN.get(grader.type)
    if grader.type in _ALWAYS:
        return True
    return option is not None and option not in options and getattr(grader.options, option) is ABSENT


def _check_there(name: str, fields: Collection[str]) -> None:
    if name not in fields:
        raise CommandError(
            f"there is no column {quote(name)}; {_listing(fields)}{did_you_mean(name, fields)}"
        )


def _choose(
    role: str,
    named: str | None,
    usual: Sequence[str],
    fields: Collection[str],
    *,
    needed_by: Collection[str],
) -> str | None:
    if needed_by:
        need = f", which {_spoken(needed_by, 'and')} must have" if role == "reference" else ""
        return _choose_needed(role, named, usual, fields, need)
    if named is not None:
        _check_there(named, fields)
        return named
    present = [name for name in usual if name in fields]
    return present[0] if len(present) == 1 else None


def _choose_needed(
    role: str, named: str | None, usual: Sequence[str], fields: Collection[str], need: str = ""
) -> str:
    if named is not None:
        _check_there(named, fields)
        return named
    present = [name for name in usual if name in fields]
    if len(present) == 1:
        return present[0]
    if present:
        raise CommandError(
            f"{_spoken(present, 'and')} could all be the {role}: choose with --{role}; {_listing(fields)}"
        )
    tried = _spoken(usual, "nor")
    raise CommandError(
        f"there is no {role} column{need}: neither {tried}; choose with --{role}; {_listing(fields)}"
    )


def unknown_options(options: Iterable[str], types: Iterable[str]) -> list[str]:
    """Return a fault for each option that is to be taken from a column and that no grader of these types has."""
    known = {name: None for type_ in types for name in sorted(OPTIONS[type_].names())}
    return [
        f"--column: no grader has the option {quote(option)}{did_you_mean(option, known)}"
        for option in options
        if option not in known
    ]


def split_option_columns(texts: Iterable[str]) -> dict[str, str]:
    """Read texts ``OPTION=COL``.

    >>> split_option_columns(["retrieved=contexts"])
    {'retrieved': 'contexts'}

    Raises `CommandError` when one has no such form, or an option is given twice.
    """
    columns: dict[str, str] = {}
    for text in texts:
        option, equals, column = text.partition("=")
        if not (option and equals and column):
            raise CommandError(f"--column: {quote(text)} is no OPTION=COL")
        if option in columns:
            raise CommandError(f"--column: two columns for the option {quote(option)}")
        columns[option] = column
    return columns


def _spoken(names: Iterable[str], last: str) -> str:
    *others, final = names
    return f"{', '.join(others)} {last} {final}" if others else final


def _listing(fields: Collection[str]) -> str:
    if not fields:
        return "the first row has no columns"
    shown = [quote(name, 60) for name in list(fields)[:_LISTED]]
    more = f" and {len(fields) - _LISTED} more" if len(fields) > _LISTED else ""
    return f"the first row has {', '.join(shown)}{more}"
