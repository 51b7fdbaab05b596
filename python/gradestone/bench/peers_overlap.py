"""Peers of BLEU, ROUGE and context_f1."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from gradestone import grade_batch
from gradestone.bench.asking import CLOSE, Asked, Run, first_difference
from gradestone.bench.texts import Texts
from gradestone.bench.works import Work


def bleuscore(work: Work, texts: Texts) -> Run:
    """Its `compute`; what it has for many rows is the BLEU of a corpus."""
    del work
    from bleuscore import compute

    return lambda: [compute([[reference]], [candidate])["bleu"] for candidate, reference in texts.pairs]


def sacrebleu(work: Work, texts: Texts) -> Run:
    """Sentence BLEU with its own tokens and smoothing."""
    del work
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU(effective_order=True)
    return lambda: [
        metric.sentence_score(candidate, [reference]).score / 100 for candidate, reference in texts.pairs
    ]


def nltk(work: Work, texts: Texts) -> Run:
    """Sentence BLEU on lowercased words."""
    del work
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    smoothing = SmoothingFunction().method1
    return lambda: [
        sentence_bleu([reference.lower().split()], candidate.lower().split(), smoothing_function=smoothing)
        for candidate, reference in texts.pairs
    ]


def rouge_score_rs(work: Work, texts: Texts) -> Run:
    """One score of all rows in a call."""
    from rouge_score_rs import rouge_scorer

    scorers: Any = rouge_scorer
    scorer = scorers.RougeScorer([work.family], use_stemmer=False)

    def run() -> list[Any]:
        scores = scorer.score_batch(texts.references, texts.candidates)
        return [score[work.family].fmeasure for score in scores]

    return run


def rouge_score(work: Work, texts: Texts) -> Run:
    """One score, a row a call."""
    from rouge_score import rouge_scorer

    scorer = rouge_scorer.RougeScorer([work.family], use_stemmer=False)
    return lambda: [
        scorer.score(reference, candidate)[work.family].fmeasure for candidate, reference in texts.pairs
    ]


def rouge_rust(work: Work, texts: Texts) -> Run:
    """Three scores of a row in a call: it has none for one alone."""
    del work
    import fast_rouge

    return lambda: [fast_rouge.score(candidate, reference) for candidate, reference in texts.pairs]


def longest_common_subsequence(work: Work, texts: Texts) -> Run:
    """The length alone, of tokens that are there already; the score is made of it."""
    del work
    from rapidfuzz.distance import LCSseq

    from gradestone.reference.tokenizer import tokens

    ready = [(list(tokens(candidate)), list(tokens(reference))) for candidate, reference in texts.pairs]
    return lambda: [
        2 * LCSseq.similarity(candidate, reference) / (len(candidate) + len(reference))
        for candidate, reference in ready
    ]


def _words_alone(texts: Texts) -> Texts:
    """The same rows as words of [a-z0-9] alone, which everybody cuts alike."""
    columns = (texts.candidates, texts.references or ())
    candidates, references = ([" ".join(_words(text)) or "x" for text in column] for column in columns)
    return Texts(candidates, references)


def _words(text: str) -> list[str]:
    return re.findall("[a-z0-9]+", text.lower())


def same_rouge(asked: Asked) -> str | None:
    """On words alone our scores are theirs."""
    return _same_on_words(asked, lambda _candidate, _reference: True)


def same_bleu(asked: Asked) -> str | None:
    """On words alone our scores are theirs where no order is without a match: each smooths that in its own way."""
    return _same_on_words(asked, _share_four_words)


def _share_four_words(candidate: str, reference: str) -> bool:
    return not _fours(candidate.split()).isdisjoint(_fours(reference.split()))


def _fours(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], words[3:], strict=False))


def _same_on_words(asked: Asked, is_alike: Callable[[str, str], bool]) -> str | None:
    words = _words_alone(asked.texts)
    theirs = asked.make(asked.work, words)()
    ours = grade_batch(asked.work.grader, words.candidates, references=words.references, threads=1)
    alike = [is_alike(candidate, reference) for candidate, reference in words.pairs]

    def differs(row: int) -> bool:
        return bool(alike[row] and abs(theirs[row] - ours.score[row]) > CLOSE)

    return first_difference(differs, len(words))


SIMILAR = 0.7
"""The default of ``similarity_threshold``."""


def _normal(text: str) -> str:
    return " ".join(text.lower().split())


def rapidfuzz_contexts(work: Work, texts: Texts) -> Run:
    """All similarities of a row in a call, with a cut-off."""
    del work
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    def f1(retrieved: list[str], expected: list[str]) -> float:
        similar = (
            cdist(
                [_normal(text) for text in retrieved],
                [_normal(text) for text in expected],
                scorer=Levenshtein.normalized_similarity,
                score_cutoff=SIMILAR,
                workers=1,
            )
            >= SIMILAR
        )
        return _f1(similar.any(axis=1).mean(), similar.any(axis=0).mean())

    return lambda: [f1(*row) for row in _lists(texts)]


def polyleven_contexts(work: Work, texts: Texts) -> Run:
    """One distance a call, with a cut-off."""
    del work
    from polyleven import levenshtein

    def are_similar(one: str, other: str) -> bool:
        longest = max(len(one), len(other))
        if not longest:
            return True
        most = int((1 - SIMILAR) * longest) + 1
        return bool(1 - levenshtein(one, other, most) / longest >= SIMILAR)

    def f1(retrieved: list[str], expected: list[str]) -> float:
        normal = [[_normal(text) for text in side] for side in (retrieved, expected)]
        similar = [[are_similar(one, other) for other in normal[1]] for one in normal[0]]
        right = sum(any(row) for row in similar) / len(retrieved)
        found = sum(any(column) for column in zip(*similar, strict=True)) / len(expected)
        return _f1(right, found)

    return lambda: [f1(*row) for row in _lists(texts)]


def _lists(texts: Texts) -> zip[tuple[list[str], list[str]]]:
    return zip(texts.columns["retrieved"], texts.columns["expected"], strict=True)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
