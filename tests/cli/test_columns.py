"""Which columns are graded."""

from __future__ import annotations

import pytest

from gradestone import compile_grader
from gradestone.cli.columns import choose_columns, reads_reference, split_option_columns
from gradestone.cli.exits import CommandError
from gradestone.cli.specs import compile_specs
from gradestone.registry import load_registry

NO_PII = {"no_pii": compile_grader({"type": "no_pii"})}
BLEU = {"bleu": compile_grader({"type": "bleu_score"})}
CONTEXT = {"c": compile_grader({"type": "context_f1", "retrieved": ["a"], "expected": ["a"]})}


@pytest.mark.parametrize("name", ["candidate", "output", "response"])
def test_usual_candidates(name: str) -> None:
    """Any one of the three."""
    assert choose_columns(["id", name], NO_PII)[:2] == (name, None)


@pytest.mark.parametrize("name", ["reference", "expected"])
def test_usual_references(name: str) -> None:
    """Either, whether it is needed or not."""
    assert choose_columns(["output", name], BLEU)[:2] == ("output", name)
    assert choose_columns(["output", name], NO_PII)[:2] == ("output", name)


def test_named_columns() -> None:
    """They beat the usual ones."""
    fields = ["output", "response", "expected", "reference", "gold", "text"]
    assert choose_columns(fields, BLEU, candidate="text", reference="gold")[:2] == ("text", "gold")


@pytest.mark.parametrize(
    ("fields", "graders", "named", "message"),
    [
        (
            ["id", "text"],
            NO_PII,
            {},
            "no candidate column: neither candidate, output nor response; choose with --candidate; "
            'the first row has "id", "text"',
        ),
        (
            ["output", "response"],
            NO_PII,
            {},
            "output and response could all be the candidate: choose with --candidate",
        ),
        (["output"], NO_PII, {"candidate": "text"}, 'there is no column "text"'),
        (["output"], NO_PII, {"reference": "gold"}, 'there is no column "gold"'),
        (["output"], BLEU, {}, "no reference column, which bleu must have: neither reference nor expected"),
        (["output", "expected", "reference"], BLEU, {}, "reference and expected could all be the reference"),
        ([], NO_PII, {}, "the first row has no columns"),
        ([f"c{n}" for n in range(99)], NO_PII, {}, '"c29" and 69 more'),
        (["a\x1b\n"], NO_PII, {}, '"a\\u001b\\n"'),
    ],
)
def test_refused(fields: list[str], graders: dict[str, object], named: dict[str, str], message: str) -> None:
    """The message says what was looked for, and lists what is there."""
    with pytest.raises(CommandError) as caught:
        choose_columns(fields, graders, **named)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_what_nobody_needs_may_be_absent() -> None:
    """A reference that no grader reads, even if two would do; a candidate that only context_f1 would get."""
    assert choose_columns(["output", "expected", "reference"], NO_PII)[:2] == ("output", None)
    assert choose_columns(["id"], CONTEXT)[:2] == (None, None)
    assert choose_columns(["output"], CONTEXT)[:2] == ("output", None)
    with pytest.raises(CommandError):
        choose_columns(["id"], CONTEXT | NO_PII)


@pytest.mark.parametrize(
    ("grader", "reads"),
    [
        ({"type": "exact_match"}, True),
        ({"type": "exact_match", "expected": None}, False),
        ({"type": "bleu_score", "reference": "a"}, False),
        ({"type": "rouge_score"}, True),
        ({"type": "localization_f1"}, True),
        ({"type": "localization_f1", "reference": "a.py"}, False),
        ({"type": "semantic"}, True),
        ({"type": "custom"}, True),
        ({"type": "no_pii"}, False),
        ({"type": "contains", "fragments": ["a"]}, False),
    ],
)
def test_who_reads_the_reference(grader: dict[str, object], reads: bool) -> None:
    """Those for which it stands in, where their own option is absent, and those that always read it."""
    assert reads_reference(compile_grader(grader)) is reads


def test_every_type_is_accounted_for() -> None:
    """Types whose option `reference` or `expected` may be absent read the case reference, but for judges."""
    for entry in load_registry().values():
        optional = entry.options["properties"].keys() - set(entry.options.get("required", ()))
        if optional & {"reference", "expected"} and entry.category != "judge":
            assert reads_reference(compile_grader({"type": entry.type}))


def test_columns_of_options() -> None:
    """They are read too, each once, and must be there; an option with a column needs no case reference."""
    columns = choose_columns(["output", "gold"], BLEU, options={"reference": "gold"})
    assert columns.names == ("output", "gold")
    assert (columns.reference, columns.options) == (None, {"reference": "gold"})
    assert choose_columns(["output", "x"], NO_PII, options={"entities": "x", "y": "x"}).names == (
        "output",
        "x",
    )
    with pytest.raises(CommandError, match='there is no column "gold"'):
        choose_columns(["output"], BLEU, options={"reference": "gold"})


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["retrieved"], "is no OPTION=COL"),
        (["=a"], "is no OPTION=COL"),
        (["a="], "is no OPTION=COL"),
        (["referense=a"], 'no grader has the option "referense"; did you mean reference?'),
        (["reference=a", "reference=b"], "two columns for the option"),
    ],
)
def test_option_columns_that_are_refused(texts: list[str], message: str) -> None:
    """A misspelt option would otherwise do nothing."""
    with pytest.raises(CommandError) as caught:
        compile_specs(["bleu_score"], columns=split_option_columns(texts))
    assert message in str(caught.value)


def test_a_column_may_hold_an_equals_sign() -> None:
    """The first one separates."""
    assert split_option_columns(["reference=a=b"]) == {"reference": "a=b"}
