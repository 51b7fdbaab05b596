"""What is compared: a grader with its options, and the columns it takes of a list of pairs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from gradestone.bench.sample import Pair
from gradestone.bench.texts import Texts
from gradestone.reference.limits import MAX_CONTEXT_CHARS


class Work(NamedTuple):
    """One row of the table."""

    name: str
    family: str
    """What its peers do: the key into `gradestone.bench.peers.PEERS`."""
    grader: Mapping[str, Any]
    texts: Callable[[Sequence[Pair]], Texts]
    rows: int = 1000
    """Rows at most: a row of lists is dear."""
    reference_rows: int = 200
    """Rows at most for the plain reference, which may take a thousand times as long."""


def _candidates(pairs: Sequence[Pair]) -> Texts:
    return Texts([pair.candidate for pair in pairs])


def _both(pairs: Sequence[Pair]) -> Texts:
    return Texts([pair.candidate for pair in pairs], [pair.reference for pair in pairs])


TERMS: Final = ("as an ai", "sorry", "cannot", "kill", "bomb", "c++", "password", "stupid", "hell", "drug")
"""Terms as people block them; some stand in real answers, most do not."""


def terms(count: int) -> list[str]:
    """Return so many terms, the same at every call: those of `TERMS`, then made-up words, every third with a second."""
    chance = random.Random(5)
    found = list(TERMS)
    while len(found) < count:
        words = 1 if chance.random() < 0.7 else 2
        found.append(" ".join(_made_up(chance) for _ in range(words)))
    return found[:count]


def _made_up(chance: random.Random) -> str:
    return "".join(chance.choices("abcdefghiklmnoprstuvwy", k=chance.randint(4, 9)))


def _contexts(count: int) -> Callable[[Sequence[Pair]], Texts]:
    """Make lists of so many sentences: those of a row, filled up from the rows that follow.

    Sentences are as they come, but for those that would take more than their share of the cap.
    """
    # A list over the cap would not be compared at all.
    longest = MAX_CONTEXT_CHARS // count

    def texts(pairs: Sequence[Pair]) -> Texts:
        lists = [_sentence_lists([pair[side] for pair in pairs], count, longest) for side in (0, 1)]
        rows = min(map(len, lists))
        columns = {"retrieved": lists[0][:rows], "expected": lists[1][:rows]}
        return Texts([""] * rows, None, columns)

    return texts


def _sentence_lists(texts: Sequence[str], count: int, longest: int) -> list[list[str]]:
    found: list[list[str]] = []
    gathered: list[str] = []
    for text in texts:
        gathered += [part[:longest] for part in re.split(r"(?<=[.!?])\s+|\n+", text) if part.strip()]
        if len(gathered) >= count:
            found.append(gathered[:count])
            gathered = []
    return found


SCHEMA: Final = {
    "type": "object",
    "required": ["answer", "score", "tags"],
    "properties": {
        "answer": {"type": "string", "minLength": 1},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "tags": {"type": "array", "items": {"enum": ["long", "short", "odd"]}},
    },
}


def _records(pairs: Sequence[Pair]) -> Texts:
    """JSON texts, every fourth of which breaks the schema."""
    return Texts(
        [
            json.dumps(
                {
                    "answer": pair.candidate,
                    "score": "high" if row % 4 == 3 else row % 11 / 10,
                    "tags": ["long" if len(pair.candidate) > 1000 else "short"],
                },
                ensure_ascii=False,
            )
            for row, pair in enumerate(pairs)
        ]
    )


def _places(pairs: Sequence[Pair]) -> Texts:
    """Lists of files and lines, of which a row's candidate has some of its reference's."""
    chance = random.Random(11)

    def place() -> str:
        start = chance.randint(1, 900)
        return f"src/pkg{chance.randint(0, 9)}/mod{chance.randint(0, 30)}.py:{start}-{start + chance.randint(0, 40)}"

    references = [[place() for _ in range(chance.randint(1, 12))] for _ in pairs]
    candidates = [[one if chance.random() < 0.6 else place() for one in wanted] for wanted in references]
    return Texts(["\n".join(row) for row in candidates], ["\n".join(row) for row in references])


PATTERN: Final = r"\b[Ss]orry\b|[0-9]{4}-[0-9]{2}-[0-9]{2}|[Aa]s an AI"
"""In the subset that the linear engine takes."""

_BLOCKLISTS = tuple(
    Work(f"blocklist, {count} terms", "blocklist", {"type": "blocklist", "terms": terms(count)}, _candidates)
    for count in (10, 100, 1000)
)
_CONTEXTS = tuple(
    Work(
        f"context_f1, {count}x{count} sentences",
        "context_f1",
        {"type": "context_f1"},
        _contexts(count),
        rows,
        few,
    )
    for count, rows, few in ((5, 500, 20), (16, 200, 5), (64, 40, 1))
)

WORKS: Final = (
    Work("bleu_score", "bleu", {"type": "bleu_score"}, _both),
    Work("rouge_score rouge_1", "rouge1", {"type": "rouge_score", "rouge_type": "rouge_1"}, _both),
    Work("rouge_score rouge_l", "rougeL", {"type": "rouge_score", "rouge_type": "rouge_l"}, _both, 1000, 20),
    Work("semantic", "semantic", {"type": "semantic"}, _both),
    *_BLOCKLISTS,
    Work("no_pii", "no_pii", {"type": "no_pii"}, _candidates),
    Work("regex", "regex", {"type": "regex", "pattern": PATTERN}, _candidates),
    Work("json_schema", "json_schema", {"type": "json_schema", "schema": SCHEMA}, _records),
    Work(
        "json_path_assertion",
        "json_path",
        {"type": "json_path_assertion", "path": "tags.0", "equals": "long"},
        _records,
    ),
    Work("localization_f1", "localization", {"type": "localization_f1"}, _places),
    *_CONTEXTS,
    Work("contains", "contains", {"type": "contains", "fragments": ["the", "and", "zebra"]}, _candidates),
    Work("exact_match", "exact_match", {"type": "exact_match"}, _both),
)
"""The rows of the table, in order."""
