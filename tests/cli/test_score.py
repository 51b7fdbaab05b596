"""``gradestone score``: figures, columns, gates, formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import ROWS, Invoke, read_rows, write_rows


def test_table(invoke: Invoke, answers: Path) -> None:
    """One line a grader on standard output, one line on the run on standard error."""
    result = invoke("score", answers, "-g", "no_pii", "-g", "rouge=rouge_score:threshold=0.9")
    assert result.exit_code == 0
    header, *rows = result.stdout.splitlines()
    assert header.split() == [
        "grader",
        "rows",
        "passed",
        "95",
        "%",
        "interval",
        "mean",
        "p10",
        "p50",
        "p90",
        "invalid",
    ]
    assert " ".join(rows[0].split()) == "no_pii 3 66.67 % 20.77 .. 93.85 % 0.6667 0.0000 1.0000 1.0000 0"
    assert rows[1].startswith("rouge")
    assert len(rows) == 2
    assert result.stderr.startswith("3 rows in ")
    assert "\x1b" not in result.output


def test_json(invoke: Invoke, answers: Path) -> None:
    """One document, with the figures of every grader under its name."""
    result = invoke("score", answers, "-g", "no_pii", "-g", "bleu_score", "--format", "json")
    document = json.loads(result.stdout)
    assert list(document) == ["input", "rows", "bad_rows", "stopped", "seconds", "graders"]
    assert (document["input"], document["rows"], document["bad_rows"]) == (str(answers), 3, 0)
    figures = document["graders"]["no_pii"]
    assert list(figures) == [
        *("type", "signature", "rows", "passed", "pass_rate", "ci_lower", "ci_upper"),
        *("mean", "p10", "p50", "p90", "outcomes", "codes"),
    ]
    assert (figures["type"], figures["rows"], figures["passed"], figures["pass_rate"]) == (
        "no_pii",
        3,
        2,
        2 / 3,
    )
    assert figures["codes"] == {"ok": 2, "pii_found": 1}
    assert figures["outcomes"] == {"pass": 2, "fail": 1, "invalid": 0, "error": 0, "not_run": 0}
    assert document["graders"]["bleu_score"]["signature"].startswith("bleu|")


@pytest.mark.parametrize("name", ["answers.jsonl", "answers.jsonl.gz", "-"])
def test_sources(invoke: Invoke, tmp_path: Path, name: str) -> None:
    """A plain file, a compressed one, and standard input give the same."""
    path = write_rows(tmp_path / (name if name != "-" else "stdin.jsonl"), ROWS)
    if name == "-":
        result = invoke("score", "-", "-g", "no_pii", "--format", "json", input=path.read_bytes())
    else:
        result = invoke("score", path, "-g", "no_pii", "--format", "json")
    assert json.loads(result.stdout)["graders"]["no_pii"]["passed"] == 2


def test_quiet(invoke: Invoke, answers: Path) -> None:
    """Nothing at all where nothing is wrong; JSON that was asked for still comes."""
    assert invoke("score", answers, "-g", "no_pii", "--quiet").output == ""
    assert json.loads(invoke("score", answers, "-g", "no_pii", "-q", "--format", "json").stdout)["rows"] == 3


def test_limit(invoke: Invoke, tmp_path: Path, answers: Path) -> None:
    """Only the first rows are read and written; what comes behind is not looked at."""
    answers.write_bytes(answers.read_bytes() + b"\xff not a row\n")
    out = tmp_path / "out.jsonl"
    result = invoke("score", answers, "-g", "no_pii", "--limit", 2, "--out", out, "--format", "json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["rows"] == 2
    assert [row["id"] for row in read_rows(out)] == [1, 2]


def test_columns_are_named(invoke: Invoke, tmp_path: Path) -> None:
    """``--candidate`` and ``--reference`` choose; an absent one lists the columns."""
    path = write_rows(
        tmp_path / "rows.jsonl", [{"text": "a b", "gold": "a b", "output": "x", "expected": "y"}]
    )
    result = invoke(
        "score", path, "-g", "exact_match", "--candidate", "text", "--reference", "gold", "--format", "json"
    )
    assert json.loads(result.stdout)["graders"]["exact_match"]["passed"] == 1
    for option in ("--candidate", "--reference"):
        result = invoke("score", path, "-g", "no_pii", option, "nowhere")
        assert result.exit_code == 2
        assert 'no column "nowhere"; the first row has "text", "gold", "output", "expected"' in result.stderr


def test_a_needed_reference_is_missed_before_grading(invoke: Invoke, tmp_path: Path) -> None:
    """Exit 2, and the graders that need it are named."""
    path = write_rows(tmp_path / "rows.jsonl", [{"output": "a"}])
    for grader in ("bleu_score", "rouge_score", "exact_match", "localization_f1", "semantic", "custom"):
        result = invoke("score", path, "-g", f"mine={grader}", "-g", "no_pii")
        assert result.exit_code == 2
        assert "no reference column, which mine must have" in result.stderr
        assert result.stdout == ""
    assert invoke("score", path, "-g", "exact_match:expected=a").exit_code == 0


def test_missing_and_null_candidates(invoke: Invoke, tmp_path: Path) -> None:
    """A row without a candidate, or with null, is invalid and counts; it is no unreadable row."""
    rows = [{"output": "a"}, {"id": 2}, {"output": None}, {"output": ""}, {"output": 0}]
    result = invoke("score", write_rows(tmp_path / "r.jsonl", rows), "-g", "no_pii", "--format", "json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["bad_rows"] == 0
    assert document["graders"]["no_pii"]["codes"] == {"ok": 3, "missing_candidate": 2}


def test_missing_references(invoke: Invoke, tmp_path: Path) -> None:
    """A row without a reference, or with null, is invalid for those who read it."""
    rows = [{"output": "a", "expected": "a"}, {"output": "a"}, {"output": "a", "expected": None}]
    result = invoke("score", write_rows(tmp_path / "r.jsonl", rows), "-g", "bleu_score", "--format", "json")
    assert json.loads(result.stdout)["graders"]["bleu_score"]["codes"] == {"ok": 1, "missing_reference": 2}


def test_structured_candidates(invoke: Invoke, tmp_path: Path) -> None:
    """Objects and lists are graded as values, integers exactly."""
    rows = [{"output": {"status": 200, "n": 9007199254740993}}, {"output": {"status": 500}}]
    path = write_rows(tmp_path / "r.jsonl", rows)
    result = invoke(
        "score",
        path,
        "-g",
        "http_status:status=200",
        "-g",
        "json_path_assertion:path=n,equals=9007199254740993",
        "--format",
        "json",
    )
    figures = json.loads(result.stdout)["graders"]
    assert [figures[name]["passed"] for name in figures] == [1, 1]


def test_context_needs_no_candidate(invoke: Invoke, tmp_path: Path) -> None:
    """context_f1 alone runs on rows that have none."""
    path = write_rows(tmp_path / "r.jsonl", [{"id": 1}])
    spec = 'context_f1:retrieved=["a"],expected=["a"]'
    assert invoke("score", path, "-g", spec).exit_code == 0
    assert invoke("score", path, "-g", spec, "-g", "no_pii").exit_code == 2


@pytest.mark.parametrize(
    ("floors", "code", "told"),
    [
        (["0.3"], 0, []),
        (["0.7"], 1, ["no_pii: 2 of 3 rows passed (66.67 %), under 0.7", "exact_match: 1 of 3"]),
        (["no_pii=0.7"], 1, ["no_pii: 2 of 3"]),
        (["no_pii=0.6666"], 0, []),
        (["no_pii=0.6667"], 1, ["no_pii: 2 of 3"]),
        (["0.7", "no_pii=0.5"], 1, ["exact_match: 1 of 3"]),
        (["exact_match=0", "1"], 1, ["no_pii: 2 of 3"]),
        (["0"], 0, []),
    ],
)
def test_fail_under(invoke: Invoke, answers: Path, floors: list[str], code: int, told: list[str]) -> None:
    """A rate for all, and rates by name which beat it; of all rows, without tolerance."""
    arguments = ["-g", "no_pii", "-g", "exact_match"]
    for floor in floors:
        arguments += ["--fail-under", floor]
    result = invoke("score", answers, "-q", *arguments)
    assert result.exit_code == code
    lines = result.stderr.splitlines()
    assert len(lines) == len(told)
    assert all(message in line for message, line in zip(told, lines, strict=True))


def test_fail_under_counts_invalid_rows(invoke: Invoke, tmp_path: Path) -> None:
    """A row without a candidate has not passed."""
    path = write_rows(tmp_path / "r.jsonl", [{"output": "a"}, {"id": 2}])
    assert invoke("score", path, "-g", "no_pii", "--fail-under", "0.51").exit_code == 1
    assert invoke("score", path, "-g", "no_pii", "--fail-under", "0.5").exit_code == 0


@pytest.mark.parametrize(
    ("floor", "message"),
    [
        ("1.5", "'1.5' is no number from 0 to 1"),
        ("-0.1", "'-0.1' is no number from 0 to 1"),
        ("nan", "'nan' is no number from 0 to 1"),
        ("90%", "'90%' is no number from 0 to 1"),
        ("no_pi=0.5", "no grader is called 'no_pi'; did you mean no_pii?"),
        ("=0.5", "no grader is called ''"),
    ],
)
def test_bad_floors(invoke: Invoke, floor: str, message: str) -> None:
    """Exit 2 before anything is read."""
    result = invoke("score", "/nowhere.jsonl", "-g", "no_pii", "--fail-under", floor)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "nowhere" not in result.stderr


def test_two_floors_for_one_grader(invoke: Invoke, answers: Path) -> None:
    """Which is meant is not guessed."""
    for floors in (["0.5", "0.6"], ["no_pii=0.5", "no_pii=0.5"]):
        arguments = [one for floor in floors for one in ("--fail-under", floor)]
        assert invoke("score", answers, "-g", "no_pii", *arguments).exit_code == 2


def test_graders_are_checked_before_a_row_is_read(invoke: Invoke) -> None:
    """Every fault of every grader, and not a word about the file that is not there."""
    result = invoke("score", "/nowhere.jsonl", "-g", "no_pi", "-g", "bleu_score:treshold=1,threshold=5")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "gradestone: grader no_pi: no grader has the type `no_pi`; did you mean `no_pii`?",
        "gradestone: grader bleu_score: bleu_score has no option `treshold`; did you mean `threshold`?",
        "gradestone: grader bleu_score: `threshold` must be a number from 0 to 1, not 5",
    ]


def test_many_chunks_are_one_run(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures and file depend neither on where pieces end nor on what goes on at the same time."""
    rows = [{"id": n, "output": "x" * (n % 50), "expected": "x" * (n % 49)} for n in range(500)]
    path = write_rows(tmp_path / "r.jsonl", rows)
    told = []
    for piece, threads in ((1 << 30, "1"), (700, "1"), (1, "1"), (700, "2"), (1, "3")):
        monkeypatch.setattr("gradestone.data.jsonl._PIECE", piece)
        out = tmp_path / "out.jsonl"
        result = invoke(
            "score",
            path,
            "-g",
            "exact_match",
            "-g",
            "bleu_score",
            "--out",
            out,
            "--format",
            "json",
            "--threads",
            threads,
        )
        document = json.loads(result.stdout)
        del document["seconds"]
        told.append((document, out.read_bytes()))
    assert all(one == told[0] for one in told)


def test_settings(invoke: Invoke, answers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong setting is exit 2 with its name; ``--threads`` and ``--backend`` beat the environment."""
    monkeypatch.setenv("GRADESTONE_BACKEND", "fortran")
    result = invoke("score", answers, "-g", "no_pii")
    assert (result.exit_code, "GRADESTONE_BACKEND" in result.stderr) == (2, True)
    assert invoke("score", answers, "-g", "no_pii", "--backend", "python").exit_code == 0
    assert invoke("score", answers, "-g", "no_pii", "--backend", "fortran").exit_code == 2
    monkeypatch.setenv("GRADESTONE_THREADS", "many")
    result = invoke("score", answers, "-g", "no_pii", "--backend", "python")
    assert (result.exit_code, "GRADESTONE_THREADS" in result.stderr) == (2, True)
    assert invoke("score", answers, "-g", "no_pii", "--backend", "python", "--threads", 2).exit_code == 0


def test_a_missing_extension_is_told(invoke: Invoke, answers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 2 with what to install, and no quiet fallback."""

    def missing(_name: str) -> None:
        raise ImportError("the compiled kernels could not be loaded: install the wheel")

    monkeypatch.setattr("gradestone.cli.scoring.load_backend", missing)
    result = invoke("score", answers, "-g", "no_pii", "--backend", "rust")
    assert (result.exit_code, result.stderr) == (
        2,
        "gradestone: the compiled kernels could not be loaded: install the wheel\n",
    )
