"""What is wrong with a grader's options, and the exception that says so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Fault(NamedTuple):
    """One thing wrong with one option."""

    option: str
    """The option's name, or ``type``."""
    code: str
    """A slug of ``gradestone.codes.CODES``: unknown_type, unknown_option, missing_option, invalid_option,
    invalid_pattern, unsafe_pattern, over_cap or invalid_schema."""
    message: str
    """One line for people: the option, what it accepts, and what kind of thing was given instead."""


class GraderOptionError(ValueError):
    """A grader's options are refused; ``faults`` lists everything that is wrong with them.

    Values are told by their kind alone (``text``, ``a list``), but for numbers out of range and words outside
    a choice, so that a message may be logged: no secret, pattern or text of an option is in it. A fault of a JSON
    Schema names the place and the keyword.

    >>> from gradestone import BleuScore, GraderOptionError
    >>> try:
    ...     BleuScore(reference=5, threshold=1.5)
    ... except GraderOptionError as error:
    ...     for fault in error.faults:
    ...         print(fault.code, "-", fault.message)
    invalid_option - `reference` must be text, not a number
    invalid_option - `threshold` must be a number from 0 to 1, not 1.5
    """

    grader: str
    """The grader's type as it was given; empty when none was given."""
    faults: tuple[Fault, ...]
    """At least one: unknown options first, then in the order of the grader's options."""

    def __init__(self, grader: str, faults: Iterable[Fault]) -> None:
        self.grader = grader
        self.faults = tuple(faults)
        super().__init__(grader, self.faults)

    def __str__(self) -> str:
        messages = "; ".join(fault.message for fault in self.faults)
        return (
            messages if self.faults[0].option == "type" else f"invalid options of {self.grader}: {messages}"
        )
