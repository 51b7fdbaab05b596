"""Writes the vector files from `cases/`: the only tool that may.

    python vectors/generate.py [--check] [GRADER ...]

Every case states the verdict that a person worked out. Each is held to the reference backend, and where they
disagree nothing is written: the differences are printed, the file that the cases would have made goes to
``<grader>.json.rej``, and the file that is there stays as it is. A disagreement is settled by SPEC.md, never
by taking over what the implementation says. ``--check`` writes nothing and exits with 1 where a file is not
what its cases make.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from importlib import import_module
from operator import add
from pathlib import Path
from typing import Final

import jsonschema_rs
from cases.case import ABSENT, Case, Json
from cases.flags import FLAGS

from gradestone.grading import grade, grade_batch
from gradestone.verdict import GradeResult

FOLDER: Final = Path(__file__).parent
FORMAT: Final = 1
VERSION: Final = "1"
TOLERANCE: Final = 1e-12

SCORED: Final = frozenset({"bleu_score", "rouge_score", "context_f1", "localization_f1", "semantic"})

FIGURES: Final[dict[str, tuple[str, ...]]] = {
    "bleu_score": ("clipped", "candidate_tokens", "reference_tokens"),
    "rouge_score": ("overlap", "candidate_tokens", "reference_tokens"),
    "semantic": ("shared_tokens", "all_tokens"),
    "context_f1": ("retrieved_matched", "retrieved", "expected_matched", "expected"),
    "localization_f1": ("file_f1", "line_f1"),
    "contains": ("fragments",),
    "not_contains": ("fragments",),
    "blocklist": ("hits",),
    "no_pii": ("entities",),
    "custom": ("fragments",),
}
"""The metadata that the vectors pin, by grader."""

_OPTION = ("unknown_option", "missing_option", "invalid_option")
_ROW = ("missing_candidate", "not_json_value")
_PATTERN = ("invalid_pattern", "unsafe_pattern", "over_cap")
_REFERENCE = ("missing_reference", "invalid_reference")
_TOKENS = ("empty_reference", "empty_candidate", "below_threshold")
_PATH = ("path_not_found", "path_step_invalid", "value_mismatch")

ATTAINABLE: Final[dict[str, tuple[str, ...]]] = {
    "exact_match": (*_OPTION[::2], *_ROW, *_REFERENCE, "structured_value", "mismatch"),
    "contains": (*_OPTION, *_ROW, "missing_fragment"),
    "not_contains": (*_OPTION, *_ROW, "forbidden_fragment"),
    "regex": (*_OPTION, *_PATTERN, *_ROW, "no_match"),
    "not_regex": (*_OPTION, *_PATTERN, *_ROW, "forbidden_match"),
    "blocklist": (*_OPTION, *_ROW, "blocked_term"),
    "no_pii": (*_OPTION[::2], *_ROW, "pii_found"),
    "json_schema": (*_OPTION, *_ROW, "invalid_schema", "not_json", "schema_mismatch"),
    "json_path_assertion": (*_OPTION, *_ROW, *_PATH, "path_found", "not_json"),
    "localization_f1": (
        *(*_OPTION[::2], *_ROW, *_REFERENCE),
        *("unparseable_candidate", "empty_candidate", "below_threshold"),
    ),
    "tool_called": (*_OPTION, *_ROW, "no_trace", "tool_missing"),
    "tool_not_called": (*_OPTION, *_ROW, "no_trace", "tool_forbidden", "unreadable_call"),
    "tool_sequence": (*_OPTION, *_ROW, "no_trace", "tool_order"),
    "tool_argument_assertion": (*_OPTION, *_ROW, "no_trace", "tool_missing", "argument_mismatch"),
    "http_status": (*_OPTION, *_ROW, "status_mismatch"),
    "latency_threshold": (*_OPTION, *_ROW, "unmeasured", "over_ceiling"),
    "cost_threshold": (*_OPTION, *_ROW, "unmeasured", "over_ceiling"),
    "token_threshold": (*_OPTION, *_ROW, "unmeasured", "over_ceiling"),
    "bleu_score": (*_OPTION[::2], *_ROW, *_REFERENCE, *_TOKENS, "over_cap"),
    "rouge_score": (*_OPTION[::2], *_ROW, *_REFERENCE, *_TOKENS, "over_cap"),
    "context_f1": (*_OPTION, "empty_retrieved", "empty_expected", "over_cap", "below_threshold"),
    "semantic": (*_OPTION[::2], *_ROW, *_REFERENCE, *_TOKENS),
    "custom": ("unknown_option", *_ROW, *_REFERENCE, "no_match", "missing_fragment", "over_cap", *_PATH),
}
"""The graders, and the codes beside ``ok`` that each can give on any machine; all must occur in its cases."""


def main() -> int:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graders", nargs="*", metavar="GRADER", help="only these; the default is all")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is stale")
    arguments = parser.parse_args()
    unknown = set(arguments.graders) - ATTAINABLE.keys()
    if unknown:
        parser.error(f"no such grader: {', '.join(sorted(unknown))}")
    validator = jsonschema_rs.Draft202012Validator(json.loads((FOLDER / "schema.json").read_bytes()))
    results = [
        produce(grader, validator, check=arguments.check) for grader in arguments.graders or ATTAINABLE
    ]
    return 0 if all(results) else 1


def produce(grader: str, validator: jsonschema_rs.Draft202012Validator, *, check: bool) -> bool:
    """Write or check one file; whether all is well."""
    cases: tuple[Case, ...] = import_module(f"cases.{grader}").CASES
    verdicts = [verdict(grader, case) for case in cases]
    faults = [*faults_of(grader, cases), *unlisted(grader, cases), *disagreements(grader, cases, verdicts)]
    document = envelope(grader, cases, verdicts)
    faults += [f"schema: {error.instance_path}: {error.message}" for error in validator.iter_errors(document)]
    text = canonical(document)
    target = FOLDER / f"{grader}.json"
    rejected = target.with_suffix(".json.rej")
    for fault in faults:
        print(f"{grader}: {fault}", file=sys.stderr)
    if check:
        stale = not target.exists() or target.read_text("ascii") != text
        if stale:
            print(f"{grader}: stale", file=sys.stderr)
        return not faults and not stale
    if faults:
        rejected.write_text(text, "ascii", newline="\n")
        return False
    rejected.unlink(missing_ok=True)
    target.write_text(text, "ascii", newline="\n")
    print(f"{grader}: {len(cases)} cases")
    return True


def verdict(grader: str, case: Case) -> GradeResult:
    """Return what the reference backend says."""
    mapping = {"type": grader, **expand(case.options)}
    reference = ABSENT if case.reference is ABSENT else expand(case.reference)
    if case.candidate is ABSENT:
        references = None if reference is ABSENT else [reference]
        return grade_batch(mapping, [None], references=references, threads=1, backend="python")[0]
    given = {} if reference is ABSENT else {"reference": reference}
    return grade(mapping, expand(case.candidate), backend="python", **given)


def expand(value: Json) -> Json:
    """Return a value with its shorthand written out.

    >>> expand({"a": {"$concat": [{"$repeat": ["xy", 2]}, "z"]}, "b": {"$nest": [1, 2]}})
    {'a': 'xyxyz', 'b': [[1]]}
    >>> expand({"$literal": {"$repeat": ["x", 2]}})
    {'$repeat': ['x', 2]}
    """
    if isinstance(value, list):
        return [expand(inner) for inner in value]
    if not isinstance(value, Mapping):
        return value
    if len(value) == 1 and (shorthand := SHORTHAND.get(next(iter(value)))) is not None:
        return shorthand(next(iter(value.values())))
    return {key: expand(inner) for key, inner in value.items()}


def _repeated(arguments: list[Json]) -> Json:
    inner, times = arguments
    return expand(inner) * times


def _joined(parts: list[Json]) -> Json:
    return reduce(add, map(expand, parts))


def _nested(arguments: list[Json]) -> Json:
    inner, times = arguments
    return reduce(lambda nested, _: [nested], range(times), expand(inner))


SHORTHAND: Final[dict[str, Callable[[Json], Json]]] = {
    "$repeat": _repeated,
    "$concat": _joined,
    "$nest": _nested,
    "$literal": lambda inner: inner,
}
"""What an object with one such key stands for (SPEC.md, section 1.3)."""


def faults_of(grader: str, cases: tuple[Case, ...]) -> Iterator[str]:
    """Yield what is wrong with the cases by themselves."""
    known = {"ok", *ATTAINABLE[grader]}
    names = [case.name for case in cases]
    for case in cases:
        if names.count(case.name) > 1:
            yield f"{case.name}: the name is not unique"
        if case.code not in known:
            yield f"{case.name}: {case.code} is not among the codes of the grader"
        yield from (f"{case.name}: unknown flag {flag}" for flag in case.flags if flag not in FLAGS)
    stated = {case.code for case in cases}
    yield from (f"no case gives {code}" for code in sorted(known - stated))


def unlisted(grader: str, cases: tuple[Case, ...]) -> Iterator[str]:
    """Yield where DIVERGENCES.md and the flag ``Divergence`` do not name the same cases."""
    names = (FOLDER / "DIVERGENCES.md").read_text("utf-8")
    lists = re.findall(rf"`{grader}`((?: `[a-z0-9_]+`)+)", names)
    listed = {name for one in lists for name in re.findall(r"`([a-z0-9_]+)`", one)}
    flagged = {case.name for case in cases if "Divergence" in case.flags}
    yield from (
        f"{name}: flagged as a divergence but not in DIVERGENCES.md" for name in sorted(flagged - listed)
    )
    yield from (f"{name}: in DIVERGENCES.md but not flagged, or no case" for name in sorted(listed - flagged))


def disagreements(grader: str, cases: tuple[Case, ...], verdicts: list[GradeResult]) -> Iterator[str]:
    """Yield where the reference backend says something else than the person."""
    for case, got in zip(cases, verdicts, strict=True):
        if (case.passed, case.code) != (got.passed, got.code):
            yield f"{case.name}: stated {case.code}, got {got.code} ({got.reason})"
            continue
        score = stated_score(grader, case)
        if score is not None and abs(score - got.score) > TOLERANCE:
            yield f"{case.name}: stated the score {score!r}, got {got.score!r}"
        for key, figure in (case.metadata or {}).items():
            if not same_figure(figure, got.metadata.get(key)):
                yield f"{case.name}: stated {key} {figure!r}, got {got.metadata.get(key)!r}"


def stated_score(grader: str, case: Case) -> float | None:
    """Return the score that a case states, by its code where it need not say; None if it leaves it open."""
    if grader not in SCORED:
        return 1.0 if case.passed else 0.0
    if case.code not in ("ok", "below_threshold"):
        return 0.0
    return None if case.score is None else float(case.score)


def same_figure(stated: Json, got: Json) -> bool:
    """Whether two figures are the same, floats within the tolerance."""
    if isinstance(stated, float) and isinstance(got, int | float):
        return abs(stated - got) <= TOLERANCE
    return type(stated) is type(got) and bool(stated == got)


def envelope(grader: str, cases: tuple[Case, ...], verdicts: list[GradeResult]) -> dict[str, Json]:
    """Build the file of a grader."""
    used = sorted({flag for case in cases for flag in case.flags if flag in FLAGS})
    return {
        "format": FORMAT,
        "grader": grader,
        "notes": {flag: {"kind": FLAGS[flag].kind, "why": FLAGS[flag].why} for flag in used},
        "number_of_tests": len(cases),
        "schema": "schema.json",
        "source": {"generator": Path(__file__).name, "name": "gradestone", "version": VERSION},
        "tests": [
            test_of(number, grader, case, got)
            for number, (case, got) in enumerate(zip(cases, verdicts, strict=True), 1)
        ],
    }


def test_of(number: int, grader: str, case: Case, got: GradeResult) -> dict[str, Json]:
    """Build one case, with the figures that only a computer has the patience for."""
    expected: dict[str, Json] = {"code": case.code}
    figures = [name for name in FIGURES.get(grader, ()) if name in got.metadata]
    if figures:
        expected["metadata"] = {name: got.metadata[name] for name in sorted(figures)}
    expected["passed"] = case.passed
    if grader in SCORED:
        expected["score"] = got.score
    inputs = {"candidate": case.candidate, "options": case.options, "reference": case.reference}
    test = {
        "comment": case.comment,
        "expected": expected,
        "flags": list(case.flags),
        "id": number,
        "name": case.name,
    }
    given = {key: value for key, value in inputs.items() if value is not ABSENT}
    return dict(sorted({**test, **given}.items()))


def canonical(document: Mapping[str, Json]) -> str:
    """Return the one text of a document: ASCII, one case a line, so that a difference is read by the case.

    The keys of the envelope are built in order. Those of a case's inputs keep theirs, which may be its point.
    """
    tests = ",\n".join(json.dumps(test, allow_nan=False) for test in document["tests"])
    head = json.dumps({**document, "tests": []}, allow_nan=False, indent=1)
    return head.removesuffix("[]\n}") + f"[\n{tests}\n]}}\n"


if __name__ == "__main__":
    sys.exit(main())
