"""Match graders: the candidate's text against fragments, patterns, or an expected value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from gradestone.backends import BackendName, TextKernel, load_backend
from gradestone.graders.kernels import Runner, Task, over_cap, verdict_of
from gradestone.graders.patterns import compile_pattern
from gradestone.graders.rows import Batch, is_null
from gradestone.jsontext import NotJsonValueError, canonical, text_of, to_json_value
from gradestone.options import Absent, Contains, ExactMatch, NotContains, NotRegex, Regex
from gradestone.reference.limits import MAX_REGEX_INPUT_CHARS, PATTERN_DEADLINE_SECONDS
from gradestone.verdict import RowVerdict, quote
from gradestone.wording import PASSED, Phrases

_NO_EXPECTED: Final = RowVerdict(
    "missing_reference", 0.0, "no expected value: give the option `expected` or a case reference"
)


def exact_match(options: ExactMatch, backend: BackendName) -> Runner:
    """Both sides are equal once trimmed, lowercased and, where asked, rid of punctuation."""
    kernel = load_backend(backend).ExactMatch(options.case_sensitive, options.remove_punctuation)

    def expected_of(batch: Batch, index: int) -> Any:
        column = batch.columns.get("expected")
        if column is not None:
            value = column[index]
            return _NO_EXPECTED if batch.nulls == "missing" and is_null(value) else value
        if not isinstance(options.expected, Absent):
            return options.expected
        value = batch.reference(index)
        return _NO_EXPECTED if isinstance(value, Absent) else value

    def decide(batch: Batch, index: int) -> RowVerdict:
        candidate, expected = batch.candidate(index), expected_of(batch, index)
        if isinstance(candidate, RowVerdict):
            return candidate
        if isinstance(expected, RowVerdict):
            return expected
        try:
            expected = expected if isinstance(expected, str) else to_json_value(expected)
        except NotJsonValueError as error:
            return RowVerdict("invalid_reference", 0.0, f"expected value is not a JSON value: {error}")
        if options.remove_punctuation and not (isinstance(candidate, str) and isinstance(expected, str)):
            return RowVerdict("structured_value", 0.0, "remove_punctuation needs text on both sides")
        rows = kernel.run((_comparable(candidate),), _comparable(expected), 1)
        return verdict_of(rows, backend, _EQUALITY)

    def run(batch: Batch) -> Task:
        expected: str | Sequence[Any] | Absent
        if "expected" in batch.columns:
            expected = batch.columns["expected"]
        elif isinstance(options.expected, Absent):
            expected = batch.references
        elif isinstance(options.expected, str):
            expected = options.expected
        else:
            # A value that is no text compares as JSON text, but the kernel must not take a candidate for it whose
            # row the option remove_punctuation refuses.
            expected = (options.expected,) * len(batch)
        if isinstance(expected, Absent):
            expected = (None,) * len(batch)
        return Task(
            backend, kernel, batch.candidates, expected, _EQUALITY, lambda index: decide(batch, index)
        )

    return run


_EQUALITY: Final = Phrases(fixed={"ok": PASSED, "mismatch": "candidate differs from the expected value"})


def _comparable(value: Any) -> str:
    return value if isinstance(value, str) else canonical(value)


def contains(options: Contains, backend: BackendName) -> Runner:
    """Every fragment is a substring of the candidate text."""
    return _fragments(options.fragments, backend, forbid=False)


def not_contains(options: NotContains, backend: BackendName) -> Runner:
    """No fragment is a substring of the candidate text."""
    return _fragments(options.fragments, backend, forbid=True)


def _fragments(fragments: Sequence[str], backend: BackendName, *, forbid: bool) -> Runner:
    kernel = load_backend(backend).Contains(fragments, forbid)
    found, what = ("forbidden_fragment", "forbidden") if forbid else ("missing_fragment", "missing")

    def figures(_stats: tuple[int, ...], hits: Sequence[int]) -> dict[str, Any]:
        return {"fragments": [fragments[hit] for hit in hits]}

    words = {found: (f"{what} fragment: ", [quote(fragment) for fragment in fragments])}
    phrases = Phrases(fixed={"ok": PASSED}, hits=words, figures=figures)

    def decide(batch: Batch, index: int) -> RowVerdict:
        candidate = batch.candidate(index)
        if isinstance(candidate, RowVerdict):
            return candidate
        return verdict_of(kernel.run((text_of(candidate),), 1), backend, phrases)

    def run(batch: Batch) -> Task:
        return Task(backend, kernel, batch.candidates, None, phrases, lambda index: decide(batch, index))

    return run


def regex(options: Regex, backend: BackendName) -> Runner:
    """The pattern is found somewhere in the candidate text, as it is."""
    return _pattern(options.pattern, backend, forbid=False)


def not_regex(options: NotRegex, backend: BackendName) -> Runner:
    """The pattern is not found once line ends are normalised."""
    return _pattern(options.pattern, backend, forbid=True)


def _pattern(pattern: str, backend: BackendName, *, forbid: bool) -> Runner:
    compiled = compile_pattern(pattern)
    # The reference searches on an engine that can be stopped. It also takes what the linear engine does not: patterns
    # outside the common subset, and texts that hold a lone surrogate.
    stoppable = load_backend("python").Pattern(compiled.engine, forbid)
    linear = _linear(compiled.rust, backend, forbid=forbid)

    def decide(batch: Batch, index: int) -> RowVerdict:
        candidate = batch.candidate(index)
        if isinstance(candidate, RowVerdict):
            return candidate
        return verdict_of(stoppable.run((text_of(candidate),), 1), "python", _PATTERN)

    def run(batch: Batch) -> Task:
        engine: BackendName = "python" if linear is None else backend
        kernel = linear or stoppable
        return Task(engine, kernel, batch.candidates, None, _PATTERN, lambda index: decide(batch, index))

    return run


def _linear(pattern: str | None, backend: BackendName, *, forbid: bool) -> TextKernel | None:
    if pattern is None or backend == "python":
        return None
    try:
        return load_backend(backend).Pattern(pattern, forbid)
    except ValueError:
        # The program is too large for its worst case to end in time on the engine that cannot be stopped.
        return None


_PATTERN: Final = Phrases(
    fixed={
        "ok": PASSED,
        "no_match": "pattern not found",
        "forbidden_match": "forbidden pattern found",
        "deadline": f"pattern ran into its deadline of {PATTERN_DEADLINE_SECONDS * 1000:.0f} ms",
        "over_cap": over_cap(f"{MAX_REGEX_INPUT_CHARS} characters for a pattern's input"),
    }
)
