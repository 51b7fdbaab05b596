"""Real answers: the figures that the TypeScript package gave them, all 5 232 of them."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.ts_fixtures import shared

from gradestone import grade_many

TERMS = ["as an ai", "sorry", "cannot", "kill", "bomb", "c++", "password", "stupid", "hell", "drug"]
ROUGE_1 = {
    f"rouge_1_{measure}": {"type": "rouge_score", "measure": measure}
    for measure in ("precision", "recall", "fmeasure")
}
GRADERS: dict[str, dict[str, Any]] = {
    "bleu": {"type": "bleu_score"},
    **ROUGE_1,
    "rouge_l_fmeasure": {"type": "rouge_score", "rouge_type": "rouge_l"},
    "pii": {"type": "no_pii"},
    "blocklist": {"type": "blocklist", "terms": TERMS},
}
EXACT = 1e-12
CONTEXT = {"type": "context_f1", "similarity_threshold": 0.4, "threshold": 0.3}
"""The recording does not name its options; these give all of its figures."""
KINDS = {"pii": "entities", "blocklist": "hits", "reference_pii": "entities"}


def answers() -> list[dict[str, Any]]:
    with gzip.open(shared() / "corpus" / "pairs.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def verdicts() -> dict[str, dict[str, Any]]:
    lines = (shared() / "corpus" / "ts_verdicts.jsonl").read_text("utf-8").splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def differences(rows: Sequence[dict[str, Any]], backend: str) -> list[str]:
    """Figures of ours that are not the recorded ones."""
    recorded = verdicts()
    references = [row["reference"] for row in rows]
    batches = grade_many(GRADERS, [row["candidate"] for row in rows], references=references, backend=backend)
    batches["reference_pii"] = grade_many({"pii": GRADERS["pii"]}, references, backend=backend)["pii"]
    wrong = []
    for index, row in enumerate(rows):
        expected = recorded[row["id"]]
        for name, batch in batches.items():
            if name not in expected:
                continue
            result = batch[index]
            if name in KINDS:
                same = result.metadata.get(KINDS[name], []) == expected[name]
            elif expected[name] is None:
                same = result.code in ("over_cap", "empty_candidate")
            else:
                same = abs(result.score - expected[name]) <= EXACT
            if not same:
                wrong.append(f"{row['id']} {name}: {expected[name]!r} but {result!r}")
    return wrong


def test_the_kernels_on_every_recorded_answer() -> None:
    """BLEU, ROUGE, personal data and blocked terms of 5 232 answers, and the personal data of their references."""
    recorded = verdicts()
    rows = [row for row in answers() if row["id"] in recorded]
    assert len(rows) == len(recorded) == 5232
    assert differences(rows, "rust") == []


@pytest.mark.parametrize("backend", ["rust", "python"])
def test_context_f1_on_recorded_sentences(backend: str) -> None:
    """context_f1 over the sentences of real answers, where one was recorded."""
    rows = [row["context_f1"] for row in verdicts().values() if "context_f1" in row]
    if backend == "python":
        rows = rows[::20]
    columns = {name: [row[name] for row in rows] for name in ("retrieved", "expected")}
    batch = grade_many({"context": CONTEXT}, [None] * len(rows), columns=columns, backend=backend)
    got = batch["context"]
    assert len(rows) > 5
    assert max(abs(row["score"] - score) for row, score in zip(rows, got.score, strict=True)) <= EXACT
    assert [row["passed"] for row in rows] == got.passed.tolist()


@pytest.mark.slow
def test_the_reference_on_every_tenth_recorded_answer() -> None:
    """The plain reference gives the same; it takes minutes for all."""
    recorded = verdicts()
    assert differences([row for row in answers() if row["id"] in recorded][::10], "python") == []


def test_what_the_command_writes(tmp_path: Path) -> None:
    """`gradestone score` on the whole corpus: every row kept, every figure the recorded one."""
    corpus = shared() / "corpus" / "pairs.jsonl.gz"
    terms, out = tmp_path / "terms.txt", tmp_path / "graded.jsonl"
    terms.write_text("\n".join(TERMS), "utf-8")
    specs = [
        "bleu_score",
        "rouge_score",
        "rouge_l=rouge_score:rouge_type=rouge_l",
        "no_pii",
        f"blocklist:terms=@{terms}",
    ]
    flags = [word for spec in specs for word in ("-g", spec)]
    command = [sys.executable, "-m", "gradestone", "score", str(corpus), *flags, "--out", str(out), "--quiet"]
    assert subprocess.run(command, check=False).returncode == 0
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [{key: row[key] for key in ("id", "candidate", "reference")} for row in rows] == [
        {key: row[key] for key in ("id", "candidate", "reference")} for row in answers()
    ]
    verdicts_by_id = verdicts()
    wrong: list[tuple[str, str]] = []
    for row, expected in ((row, one) for row in rows if (one := verdicts_by_id.get(row["id"]))):
        figures = {
            "bleu": row["bleu_score"]["score"],
            "rouge_1_fmeasure": row["rouge_score"]["score"],
            "rouge_l_fmeasure": row["rouge_l"]["score"],
        }
        wrong += [
            (row["id"], name)
            for name, score in figures.items()
            if expected.get(name) is not None and abs(expected[name] - score) > EXACT
        ]
        wrong += [(row["id"], "pii")] if row["no_pii"]["passed"] != (not expected["pii"]) else []
        wrong += (
            [(row["id"], "blocklist")] if row["blocklist"]["passed"] != (not expected["blocklist"]) else []
        )
    assert wrong == []
