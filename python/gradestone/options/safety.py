"""Options of the safety graders: what a candidate must not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from gradestone.options import checks
from gradestone.options.absent import ABSENT, Absent
from gradestone.options.base import GraderOptions, grader_options, option
from gradestone.reference.pii import KINDS


@grader_options
class Blocklist(GraderOptions):
    r"""Passes when no term occurs as a whole word, whatever its case.

    Candidate and terms are lowercased by the full Unicode mapping. A term hits where neither neighbour is an
    ASCII letter or digit; terms inside longer terms are judged on their own. A structured candidate is
    searched as JSON text and in every string inside it, keys included, so that an escaped line break hides
    nothing.

    Options:
        terms: a list of at least one text, none empty; whitespace alone is allowed. Required.

    Empty and missing: an empty candidate passes, since nothing is found in it.
    Cost: one pass over the text for all terms together; no cap.
    Codes: ok, blocked_term. The reason and the metadata ``hits`` name the terms, never the text round them.

    >>> from gradestone import Blocklist
    >>> terms = Blocklist(terms=["acme", "red zone"])
    >>> terms("ACME's red-zone").metadata["hits"], terms("acmeism").passed
    (['acme'], True)
    """

    type: ClassVar[str] = "blocklist"

    terms: Sequence[str] = option(checks.list_of(checks.nonempty_text))


@grader_options
class NoPii(GraderOptions):
    """Passes when none of the chosen kinds of personal data is found.

    A conservative subset, not Presidio: e-mail addresses, card numbers and IBANs with a valid checksum, IP
    addresses, international telephone numbers, Bitcoin addresses. Names, postal addresses and local telephone
    numbers are not found. A structured candidate is searched as JSON text and in every string inside it, keys
    included.

    Options:
        entities: a list of at least one of ``email``, ``credit_card``, ``iban``, ``ipv4``, ``ipv6``,
            ``phone``, ``crypto``. Absent: all seven.

    Empty and missing: an empty candidate passes, since nothing is found in it.
    Cost: linear in the text; no cap.
    Codes: ok, pii_found. The reason and the metadata ``entities`` name kinds, never what was found.

    >>> from gradestone import NoPii
    >>> NoPii()("Write to jane@example.org or 192.0.2.1.").metadata["entities"]
    ['email', 'ipv4']
    >>> NoPii(entities=["credit_card"])("4111 1111 1111 1112").passed
    True
    """

    type: ClassVar[str] = "no_pii"

    entities: Sequence[str] | Absent = option(checks.list_of(checks.one_of(*KINDS)), default=ABSENT)
