"""Answers are held against each other before anything is timed, and turns are taken in order."""

from __future__ import annotations

from itertools import count
from statistics import mean
from typing import Any

import pytest

from gradestone.bench import contest, peers
from gradestone.bench.asking import Asked, same_length, same_verdict
from gradestone.bench.contest import Contest, DisagreementError, Side, measure, prepare
from gradestone.bench.peers import PEERS, Peer
from gradestone.bench.sample import Pair, sample
from gradestone.bench.texts import Texts
from gradestone.bench.works import TERMS, WORKS, Work, terms
from gradestone.reference.tokenizer import tokens

PAIRS = sample(12)
CHEAP = [work for work in WORKS if work.family not in {"rougeL", "context_f1"}]


def named(name: str) -> Work:
    return next(work for work in WORKS if work.name == name)


@pytest.mark.parametrize("work", CHEAP, ids=lambda work: work.name)
def test_every_work_can_be_timed(work: Work) -> None:
    """Ours, the reference and whoever is installed answer the sample alike; ours comes first."""
    sides = prepare(work, PAIRS).sides
    assert [side.role for side in sides[:2]] == ["ours", "reference"]
    assert {side.role for side in sides[2:]} <= {"peer"}
    assert all(side.rows and side.version for side in sides)


def test_lists_are_compared_with_rapidfuzz() -> None:
    """The one peer that every test environment has gives our scores on lists of sentences."""
    sides = prepare(named("context_f1, 5x5 sentences"), PAIRS[:3]).sides
    assert "rapidfuzz" in [side.name for side in sides]


def test_too_few_sentences_are_no_rows() -> None:
    """Where no list can be filled there is nobody, and not a division by zero."""
    assert prepare(named("context_f1, 64x64 sentences"), [Pair("One.", "Two.")]).sides == ()


def lying(_work: Work, texts: Texts) -> Any:
    return lambda: [False] * len(texts)


def test_a_peer_that_answers_otherwise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names work, side and row, and holds nothing of the texts."""
    liar = Peer("liar", None, "re", lying, same_verdict)
    monkeypatch.setitem(PEERS, "contains", (liar,))
    secret = Pair("the and zebra, secretly", "x")
    with pytest.raises(DisagreementError) as caught:
        prepare(named("contains"), [Pair("nothing", "x"), secret])
    assert str(caught.value) == "contains: liar disagrees, first in row 2"


def test_a_reference_that_answers_otherwise_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours against the reference is the first thing that is held together."""
    graded = contest._graded

    def broken(compiled: Any, texts: Texts, backend: Any) -> Any:
        return (
            graded(compiled, texts, backend) if backend == "rust" else graded(compiled, texts, backend)[::-1]
        )

    monkeypatch.setattr(contest, "_graded", broken)
    with pytest.raises(DisagreementError, match="exact_match: the reference disagrees, first in row 1"):
        prepare(named("exact_match"), [Pair("a", "a"), Pair("b", "c")])


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that cannot be imported is left out, and told under the name that installs it."""
    absent = Peer("absent", "absent-library", "no_such_module_anywhere", lying, same_length)
    monkeypatch.setitem(PEERS, "contains", (absent,))
    found = prepare(named("contains"), PAIRS)
    assert [side.role for side in found.sides] == ["ours", "reference"]
    assert found.missing == ["absent-library"]


def test_an_answer_short_is_a_fault() -> None:
    """Who answers fewer rows than there are is not compared on the rest."""
    texts = Texts(["a", "b"])
    asked = Asked(named("contains"), texts, None, lying, [True])  # type: ignore[arg-type]
    assert same_length(asked) == "1 answers for 2 rows"


def recorder(log: list[str], name: str, role: Any) -> Side:
    return Side(name, "1", role, 2, lambda: log.append(name), lambda: log.append(f"fresh {name}"))


def test_sides_take_turns() -> None:
    """Ours, reference, peer, ours, …: fresh texts before each run, and a warm run before each timed one."""
    log: list[str] = []
    sides = [
        recorder(log, "ours", "ours"),
        recorder(log, "plain", "reference"),
        recorder(log, "peer", "peer"),
    ]
    ticks = count()
    figures = measure(Contest(named("contains"), sides, ()), 2, clock=lambda: float(next(ticks)))
    turn = ["fresh ours", "ours"] * 2 + ["fresh plain", "plain"] + ["fresh peer", "peer"] * 2
    assert log == turn * 2
    assert figures == {"ours": [5e5, 5e5], "plain": [5e5, 5e5], "peer": [5e5, 5e5]}


def test_a_slow_side_sits_out() -> None:
    """Once its budget is spent a side has no further turn, and the others go on."""
    log: list[str] = []
    sides = [recorder(log, "ours", "ours"), recorder(log, "plain", "reference")]
    instants = iter([0.0, 0.1, 1.0, 10.0, 11.0, 11.1, 12.0, 12.1])
    figures = measure(Contest(named("contains"), sides, ()), 3, budget=1.0, clock=lambda: next(instants))
    assert [len(figures[name]) for name in ("ours", "plain")] == [3, 1]


def test_the_sample_has_the_shape_of_real_answers() -> None:
    """Lengths, share of other scripts, variety; the same at every call."""
    pairs = sample(300)
    assert pairs == sample(300)
    assert len(set(pairs)) == 300
    for side, size, length in ((0, 1200, 246), (1, 1800, 384)):
        assert mean(len(pair[side].encode()) for pair in pairs) == pytest.approx(size, rel=0.1)
        assert mean(len(tokens(pair[side])) for pair in pairs) == pytest.approx(length, rel=0.15)
    assert mean(not "".join(pair).isascii() for pair in pairs) == pytest.approx(0.44, abs=0.08)


def test_terms_are_the_same_at_every_call() -> None:
    """Ten are those that people block, and more begin with them."""
    assert terms(10) == list(TERMS)
    assert terms(1000)[:10] == list(TERMS)
    assert len(terms(1000)) == 1000
    assert terms(50) == terms(1000)[:50]


def test_every_peer_is_of_some_work() -> None:
    """No family of peers that no work asks for, and no work of an unknown family but those without peers."""
    families = {work.family for work in WORKS}
    assert set(peers.PEERS) <= families
    assert families - set(peers.PEERS) == {"semantic"}
