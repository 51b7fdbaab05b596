"""The worst inputs that are known, a kernel at a time: what costs most for each byte.

Those of the detectors were searched for: repeats of up to 128 characters, from the bytes that wake the detector, bred
for the time that they take without a hit, since a hit ends the search for its kind. The others are what the kernels'
own descriptions call their bounds. Where a cap ends the work early, the input is there twice: as large as the others,
and as large as the cap lets it be.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from gradestone.reference.limits import (
    MAX_CONTEXT_CHARS,
    MAX_CONTEXT_MEMBERS,
    MAX_REGEX_INPUT_CHARS,
    MAX_TOKENS,
)

MEGABYTE = 1_000_000
SHARES = (0.25, 0.5, 1.0)
"""Of the full size."""


class Cells(NamedTuple):
    """A row of the worst kind."""

    candidate: Any
    reference: str | None = None
    columns: Mapping[str, Any] = {}


class Worst(NamedTuple):
    """An input that grows, and the grader that it is the worst for."""

    kernel: str
    text: str
    spec: Mapping[str, Any]
    cells: Callable[[int], Cells]
    full: int = MEGABYTE
    unit: str = "bytes"

    @property
    def name(self) -> str:
        return f"{self.kernel}: {self.text}"


def filled(piece: str, size: int) -> str:
    """So many bytes of one piece, but for a rest that is smaller than the piece."""
    return piece * (size // len(piece.encode("utf-8", "surrogatepass")))


def repeated(piece: str) -> Callable[[int], Cells]:
    return lambda size: Cells(filled(piece, size))


def both(text: Callable[[int], str]) -> Callable[[int], Cells]:
    """The same kind of text on both sides."""
    return lambda size: Cells(text(size), text(size))


def shuffled(words: Sequence[str], seed: int) -> list[str]:
    return random.Random(seed).sample(words, len(words))


def drawn(letters: str, size: int, between: str = "") -> str:
    """Letters at random: what no prediction of the processor helps with."""
    return between.join(random.Random(7).choices(letters, k=size // (1 + len(between))))


SIGMAS = "ΣΣ\u0345\u0345\u0345"
"""Each sigma is asked what stands before and behind it, and those marks do not count."""

KELVIN = "\u212a"
"""Becomes the letter k: three bytes that the library has to be asked about, and that prolong a word."""


def _pii() -> list[Worst]:
    bred = {
        "email": "1@",
        "credit_card": "2x9-1-8 1 9x0-5 1 9x6-5 1 981-2 ",
        "iban": "AA00a0B0G09000x000 AA00a0B0GB1000G000 ",
        "ipv4": "1.1.1.256 ",
        "ipv6": "0:",
        "phone": "+1",
        "crypto": "3O",
    }
    found = [
        Worst(f"no_pii {kind}", f"`{piece}`", {"type": "no_pii", "entities": [kind]}, repeated(piece))
        for kind, piece in bred.items()
    ]
    pieces = ["3@1:91:1:1:1:1:1:1:1 1:31:1:1:1:1:1:1:1 6:1:1:1:1:1:1:1:1 "]
    pieces += ["a@a@", "1.1.1.1.", "::::", "+((((", "aaaa"]
    found += [
        Worst("no_pii, all seven", f"`{piece}`", {"type": "no_pii"}, repeated(piece)) for piece in pieces
    ]
    return found


def _blocklist() -> list[Worst]:
    chance = random.Random(3)
    deep = ["".join(chance.choices(".,", k=40)) + "a" for _ in range(1000)]
    chains = [" ".join(chance.choices("ab", k=40)) + " c" for _ in range(1000)]
    starts = [f"{letter} x" for letter in string.ascii_lowercase]
    suffixes = ["a" * length for length in range(1, 1001)]

    def of(text: str, terms: Sequence[str], cells: Callable[[int], Cells]) -> Worst:
        return Worst("blocklist", text, {"type": "blocklist", "terms": terms}, cells)

    return [
        of("1 000 terms of 40 points each, points at random", deep, lambda size: Cells(drawn(".,", size))),
        of("1 000 terms of 40 words a and b, such words", chains, lambda size: Cells(drawn("ab", size, " "))),
        of("every word starts a term", starts, lambda size: Cells(drawn(string.ascii_lowercase, size, " "))),
        of("a, aa, aaa… in `aaaa`", suffixes, repeated("a")),
        of("sigmas", suffixes, repeated(SIGMAS)),
    ]


def _matching() -> list[Worst]:
    needles = ["a" * length + "b" for length in range(1000, 1010)]
    slowest = {"type": "regex", "pattern": "a[ab]{160}[A-Z]"}
    return [
        Worst("contains", "`a…ab` in `aaaa`", {"type": "contains", "fragments": needles[:1]}, repeated("a")),
        Worst("contains", "ten such fragments", {"type": "contains", "fragments": needles}, repeated("a")),
        Worst("exact_match", "capitals", {"type": "exact_match"}, both(lambda size: filled("A", size))),
        Worst("exact_match", "sigmas", {"type": "exact_match"}, both(lambda size: filled(SIGMAS, size))),
        Worst(
            "regex", "`a[ab]{160}[A-Z]`, a and b at random", slowest, lambda size: Cells(drawn("ab", size))
        ),
        Worst(
            "regex",
            "the same, at the cap",
            slowest,
            lambda size: Cells(drawn("ab", size)),
            MAX_REGEX_INPUT_CHARS,
            "characters",
        ),
    ]


def _json() -> list[Worst]:
    def of(text: str, schema: Mapping[str, Any], piece: str) -> Worst:
        return Worst("json_schema", text, {"type": "json_schema", "schema": schema}, listed(piece))

    def at(text: str, cells: Callable[[int], Cells]) -> Worst:
        return Worst("json_path_assertion", text, {"type": "json_path_assertion", "path": "a"}, cells)

    deep = "[" * 300 + "]" * 300
    return [
        of("arrays 300 deep, side by side", {}, deep),
        of("`multipleOf` for each number", {"items": {"multipleOf": 0.01}}, "1.5"),
        of("`anyOf` fails for each number", {"items": {"anyOf": [{"type": "string"}] * 20}}, "0"),
        Worst(
            "json_schema",
            "`uniqueItems` of arrays, all different",
            {"type": "json_schema", "schema": {"uniqueItems": True}},
            lambda size: Cells(
                "[" + ",".join(f"[[],{number:06}]".replace(",0", ",1") for number in range(size // 12)) + "]"
            ),
        ),
        Worst("json_schema", "`[[[[`", {"type": "json_schema", "schema": {}}, repeated("[")),
        at("arrays 300 deep, side by side", listed(deep)),
        at("`1e100` side by side", listed("1e100")),
        at("`[[[[`", repeated("[")),
    ]


def listed(piece: str) -> Callable[[int], Cells]:
    """A JSON array of one piece."""
    return lambda size: Cells("[" + ",".join([piece] * ((size - 1) // (len(piece) + 1))) + "]")


def _localization() -> list[Worst]:
    def of(text: str, cells: Callable[[int], Cells]) -> Worst:
        return Worst("localization_f1", text, {"type": "localization_f1", "reference": "a:1"}, cells)

    return [
        of(
            "a path a line, all different",
            lambda size: Cells("\n".join(f"{n:06}:1" for n in range(size // 9))),
        ),
        of("`a:1` a line", repeated("a:1\n")),
        of("numbers of 4 300 digits", repeated(f"a:{'1' * 4300}\n")),
        of("`::::`", repeated(":")),
    ]


def _similarity() -> list[Worst]:
    graders = {
        "bleu_score": {"type": "bleu_score"},
        "rouge_score rouge_l": {"type": "rouge_score", "rouge_type": "rouge_l"},
    }
    found = []
    for name, spec in graders.items():
        found += [
            Worst(name, "words", spec, both(lambda size: filled("lorem ipsum ", size))),
            Worst(name, "one word of Kelvin signs", spec, both(lambda size: filled(KELVIN, size))),
            Worst(name, "sigmas", spec, both(lambda size: filled(SIGMAS, size))),
            Worst(name, "4 096 long words, all different", spec, _long_words),
            Worst(name, "all tokens different, at the cap", spec, _different_words, MAX_TOKENS, "tokens"),
        ]
    semantic = {"type": "semantic"}
    return [
        *found,
        Worst("semantic", "all tokens different", semantic, lambda size: _different_words(size // 5)),
        Worst("semantic", "sigmas", semantic, both(lambda size: filled(SIGMAS, size))),
    ]


def _different_words(count: int) -> Cells:
    """So many words of four letters on each side, the same in another order."""
    letters = string.ascii_lowercase + string.digits
    words = ["".join(word) for word in islice(product(letters, repeat=4), count)]
    return Cells(" ".join(shuffled(words, 1)), " ".join(shuffled(words, 2)))


def _long_words(size: int) -> Cells:
    words = [f"{number:0{size // MAX_TOKENS - 1}}" for number in range(MAX_TOKENS)]
    return Cells(" ".join(shuffled(words, 1)), " ".join(shuffled(words, 2)))


def _context() -> list[Worst]:
    spec = {"type": "context_f1", "similarity_threshold": 0.01}

    def lists(retrieved: list[str], expected: list[str]) -> Cells:
        return Cells("", None, {"retrieved": [retrieved], "expected": [expected]})

    def one(size: int) -> Cells:
        symbols = [chr(0x4E00 + number) for number in range(size)]
        return lists(["".join(shuffled(symbols, 1))], ["".join(shuffled(symbols, 2))])

    def many(size: int) -> Cells:
        length = size // MAX_CONTEXT_MEMBERS
        letters = "ab" * (length // 2)
        members = ["".join(shuffled(letters, seed)) for seed in range(2 * MAX_CONTEXT_MEMBERS)]
        return lists(members[::2], members[1::2])

    def over(size: int) -> Cells:
        return lists([filled("a", size)], [filled("b", size)])

    return [
        Worst("context_f1", "one text a side", spec, over),
        Worst(
            "context_f1",
            "one of different characters, at the cap",
            spec,
            one,
            MAX_CONTEXT_CHARS,
            "characters",
        ),
        Worst(
            "context_f1",
            "64 of a and b, at the cap",
            {"type": "context_f1"},
            many,
            MAX_CONTEXT_CHARS,
            "characters",
        ),
    ]


WORST = (*_pii(), *_blocklist(), *_matching(), *_json(), *_localization(), *_similarity(), *_context())
