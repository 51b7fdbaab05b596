"""Peers of json_schema, json_path_assertion and localization_f1."""

from __future__ import annotations

import json
import re
from typing import Any

from gradestone.bench.asking import Run
from gradestone.bench.texts import Texts
from gradestone.bench.works import Work


def jsonschema_rs(work: Work, texts: Texts) -> Run:
    """A compiled schema asked about what the standard library reads, and for what is wrong where something is."""
    import jsonschema_rs as library

    validator = library.validator_for(work.grader["schema"])

    def is_valid(text: str) -> bool:
        value = json.loads(text)
        return validator.is_valid(value) or not [error.message for error in validator.iter_errors(value)]

    return lambda: [is_valid(text) for text in texts.candidates]


def jsonschema(work: Work, texts: Texts) -> Run:
    """The same in plain Python."""
    from jsonschema import Draft202012Validator

    is_valid = Draft202012Validator(work.grader["schema"]).is_valid
    return lambda: [is_valid(json.loads(text)) for text in texts.candidates]


def json_path(work: Work, texts: Texts) -> Run:
    """Reading, walking and comparing."""
    steps = work.grader["path"].split(".")
    wanted = work.grader["equals"]

    def holds(text: str) -> bool:
        value: Any = json.loads(text)
        for step in steps:
            value = value[int(step)] if isinstance(value, list) else value[step]
        return bool(value == wanted)

    return lambda: [holds(text) for text in texts.candidates]


_PLACE = re.compile(r"(.+):(\d+)-(\d+)")


def localization(work: Work, texts: Texts) -> Run:
    """Lines as sets of numbers, which is what one writes first."""
    del work

    def read(text: str) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for line in text.splitlines():
            match = _PLACE.fullmatch(line.strip())
            if match is None:
                raise ValueError
            path, start, end = match.groups()
            found.setdefault(path, set()).update(range(int(start), int(end) + 1))
        return found

    def score(candidate: str, reference: str) -> float:
        ours, theirs = read(candidate), read(reference)
        shared = ours.keys() & theirs.keys()
        if not shared:
            return 0.0
        files = 2 * len(shared) / (len(ours) + len(theirs))
        overlaps = [len(ours[path] & theirs[path]) / len(ours[path] | theirs[path]) for path in shared]
        return min(files, sum(overlaps) / len(shared))

    return lambda: [score(candidate, reference) for candidate, reference in texts.pairs]
