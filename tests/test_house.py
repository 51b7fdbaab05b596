"""One grader, one name everywhere: a walk over the registry that fails on whatever is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.option_specimens import mapping_of

import gradestone
from gradestone import _core, load_registry
from gradestone.bench.works import WORKS
from gradestone.codes import CODE_NAMES
from gradestone.graders import OUTSIDE, WITH_KERNEL, WITHOUT_KERNEL, outside_grader
from gradestone.options import OPTIONS, parse_grader
from gradestone.reference import batch as reference
from gradestone.signatures import UNICODE_VERSION, signature_of

ROOT = Path(__file__).parents[1]
REGISTRY = load_registry()
DETERMINISTIC = [entry for entry in REGISTRY.values() if entry.deterministic]
KERNELS = {
    "exact_match": "ExactMatch", "contains": "Contains", "not_contains": "Contains", "regex": "Pattern",
    "not_regex": "Pattern", "blocklist": "Blocklist", "no_pii": "Pii", "bleu_score": "Bleu", "rouge_score": "Rouge",
    "semantic": "Jaccard", "context_f1": "ContextF1",
}  # fmt: skip
NOT_BENCHED = {"not_regex": "regex", "not_contains": "contains"}
"""Kernels that run as the named one does, the verdict turned round, and have no row of their own in the bench."""


def test_the_tables_know_the_same_types() -> None:
    """29 types: registry, options, functions; each has exactly one home."""
    homes = [*WITH_KERNEL, *WITHOUT_KERNEL, *OUTSIDE]
    assert len(REGISTRY) == 29
    assert sorted(homes) == sorted(REGISTRY) == sorted(OPTIONS)
    assert len(DETERMINISTIC) == 23
    assert {entry.type for entry in DETERMINISTIC} == REGISTRY.keys() - OUTSIDE


@pytest.mark.parametrize("name", REGISTRY)
def test_a_type_has_its_options_its_page_and_its_function(name: str) -> None:
    """The public class is named like the type; its manual page names every option; the function is documented."""
    cls = OPTIONS[name]
    assert getattr(gradestone, cls.__name__) is cls
    assert re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower() == name
    assert set(cls.names()) == set(REGISTRY[name].options["properties"])
    page = "".join(one.__doc__ or "" for one in cls.__mro__)
    assert ">>>" in (cls.__doc__ or "")
    assert [option for option in cls.names() if f"{option}:" not in page] == []
    made = type(outside_grader(parse_grader(mapping_of(name)))) if name in OUTSIDE else None
    function = made or {**WITH_KERNEL, **WITHOUT_KERNEL}[name]
    assert function.__name__ == name
    assert function.__doc__


@pytest.mark.parametrize("name", [entry.type for entry in DETERMINISTIC])
def test_a_deterministic_type_has_its_vectors(name: str) -> None:
    """Twenty cases at least, passes and fails among them, in a file of that name that the page explains."""
    tests = json.loads((ROOT / "vectors" / f"{name}.json").read_text("utf-8"))["tests"]
    passed = [test["expected"]["passed"] for test in tests]
    assert len(tests) >= 20
    assert {True, False} == set(passed)
    assert f"`{name}`" in (ROOT / "vectors" / "SPEC.md").read_text("utf-8")


def test_a_kernel_has_its_twin_its_stub_and_its_bench() -> None:
    """What the registry calls a kernel is in both backends, in the stub, and in the bench."""
    assert {entry.type for entry in REGISTRY.values() if entry.kernel} == KERNELS.keys()
    stub = (ROOT / "python" / "gradestone" / "_core.pyi").read_text("utf-8")
    benched = {work.grader["type"] for work in WORKS}
    assert benched.isdisjoint(NOT_BENCHED)
    for name, kernel in KERNELS.items():
        assert hasattr(_core, kernel)
        assert hasattr(reference, kernel)
        assert f"def {kernel}(" in stub
        assert NOT_BENCHED.get(name, name) in benched


def test_every_code_of_a_kernel_is_in_the_table() -> None:
    """But for the two requests to the caller, which are no verdicts."""
    assert set(_core.CODES) - set(CODE_NAMES) == {"not_text", "needs_engine"}
    assert set(reference.CODES) - set(CODE_NAMES) == {"not_text", "needs_engine"}


def test_the_unicode_version_is_the_compilers() -> None:
    """A compiler with other tables changes verdicts: signatures must then name the new version."""
    assert _core.UNICODE_VERSION[0] == UNICODE_VERSION


def test_versions_agree() -> None:
    """One version in the manifests, in the package and in the extension."""
    manifest = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'version = "{gradestone.__version__}"' in manifest
    assert f'version = "{gradestone.__version__}"' in (ROOT / "Cargo.toml").read_text("utf-8")
    assert gradestone.__version__ == _core.VERSION


def test_signatures_name_what_changes_the_figure() -> None:
    """Two scores are comparable when their signatures are equal: thresholds do not count, measures do."""
    rouge = gradestone.RougeScore
    assert signature_of(rouge(threshold=0.1)) == signature_of(rouge(threshold=0.9))
    assert signature_of(rouge(measure="recall")) != signature_of(rouge(measure="precision"))
    assert signature_of(gradestone.BleuScore()) == "bleu|tok:pinned1|n:4|smooth:half|u:17|c:1"
    assert signature_of(gradestone.NoPii(entities=["email", "iban"])) == "no_pii|kinds:email+iban|c:1"
