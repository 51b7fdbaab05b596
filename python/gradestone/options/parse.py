"""From a mapping, as it stands in a suite or on the command line, to an options object."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Final

from gradestone.options.absent import ABSENT
from gradestone.options.base import EXTRA, GraderOptions
from gradestone.options.checks import SHOWN, kind_of
from gradestone.options.external import CustomWebhook
from gradestone.options.faults import Fault, GraderOptionError
from gradestone.options.judge import LlmAnswerMatch, LlmCategory, LlmJudge, LlmPairwise, LlmScore
from gradestone.options.match import Contains, Custom, ExactMatch, NotContains, NotRegex, Regex
from gradestone.options.retrieval import ContextF1, LocalizationF1
from gradestone.options.safety import Blocklist, NoPii
from gradestone.options.similarity import BleuScore, RougeScore, Semantic
from gradestone.options.structure import JsonPathAssertion, JsonSchema
from gradestone.options.thresholds import CostThreshold, HttpStatus, LatencyThreshold, TokenThreshold
from gradestone.options.tools import ToolArgumentAssertion, ToolCalled, ToolNotCalled, ToolSequence
from gradestone.verdict import quote

OPTIONS: Final[dict[str, type[GraderOptions]]] = {
    cls.type: cls
    for cls in (
        ExactMatch,
        Contains,
        NotContains,
        Regex,
        NotRegex,
        Blocklist,
        JsonSchema,
        JsonPathAssertion,
        ToolCalled,
        ToolNotCalled,
        ToolSequence,
        ToolArgumentAssertion,
        HttpStatus,
        LatencyThreshold,
        CostThreshold,
        TokenThreshold,
        BleuScore,
        RougeScore,
        ContextF1,
        NoPii,
        LocalizationF1,
        CustomWebhook,
        LlmJudge,
        LlmScore,
        LlmCategory,
        LlmPairwise,
        LlmAnswerMatch,
        Semantic,
        Custom,
    )
}
"""The options class of every type, in the registry's order."""


def parse_grader(mapping: Mapping[str, Any], *, columns: Collection[str] = frozenset()) -> GraderOptions:
    """Return the options object of a grader that is written as ``{"type": …, option: …}``.

    A key with the value ``ABSENT`` counts as left out. ``columns`` names options that each row will give:
    required ones among them may be left out here and are then stored as ``ABSENT``; other names do not
    matter.

    Raises `GraderOptionError` when the type is missing or unknown, or an option is unknown, missing or not
    acceptable: all faults at once, with the nearest right name where there is one. Raises ``TypeError`` when
    ``mapping`` is no mapping or a key is no text.

    >>> from gradestone.options import parse_grader
    >>> parse_grader({"type": "bleu_score", "threshold": 1})
    BleuScore(reference=ABSENT, threshold=1.0)
    >>> parse_grader({"type": "contains", "fragment": ["Paris"]})
    Traceback (most recent call last):
    gradestone.options.faults.GraderOptionError: invalid options of contains: \
contains has no option `fragment`; did you mean `fragments`?; contains needs the option `fragments`
    """
    if not isinstance(mapping, Mapping):
        raise TypeError(f"a grader must be a mapping, not {type(mapping).__name__}")
    given = {key: value for key, value in mapping.items() if value is not ABSENT}
    for key in given:
        if not isinstance(key, str):
            raise TypeError(f"the names of options must be text, not {type(key).__name__}")
    cls = _class_of(given.pop("type", ABSENT))
    unknown = [key for key in given if key not in cls.names()]
    if cls is CustomWebhook and unknown:
        given = {EXTRA: {key: given.pop(key) for key in unknown}} | given
        unknown = []
    values, faults = cls.check(given, columns)
    faults = [_unknown_option(cls, key) for key in unknown] + faults
    if faults:
        raise GraderOptionError(cls.type, faults)
    return cls.of_checked(values)


def _class_of(given: object) -> type[GraderOptions]:
    if isinstance(given, str) and given in OPTIONS:
        return OPTIONS[given]
    if given is ABSENT:
        raise GraderOptionError("", [Fault("type", "missing_option", "a grader needs a `type`")])
    if not isinstance(given, str):
        fault = Fault("type", "unknown_type", f"`type` must be the name of a grader, not {kind_of(given)}")
        raise GraderOptionError("", [fault])
    message = f"no grader has the type {_shown(given)}{_suggestion(given, OPTIONS)}"
    raise GraderOptionError(given, [Fault("type", "unknown_type", message)])


def _unknown_option(cls: type[GraderOptions], name: str) -> Fault:
    hint = _suggestion(name, cls.names()) or _listing(cls.names())
    return Fault(name, "unknown_option", f"{cls.type} has no option {_shown(name)}{hint}")


def _suggestion(given: str, names: Iterable[str]) -> str:
    if len(given) > SHOWN:
        return ""
    near = get_close_matches(given.lower().replace("-", "_"), list(names), n=1)
    return f"; did you mean `{near[0]}`?" if near else ""


def _listing(names: Collection[str]) -> str:
    return f"; it has {', '.join(f'`{name}`' for name in names)}" if names else "; it has none"


def _shown(name: str) -> str:
    """Show a foreign name: as code if it is a plain one, else quoted, so that it cannot break the line."""
    return (
        f"`{name}`" if name.isascii() and name.isidentifier() and len(name) <= SHOWN else quote(name, SHOWN)
    )
