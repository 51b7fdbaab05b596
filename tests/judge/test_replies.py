"""What is read out of a judge's reply, and what is not: a reply without a plain verdict has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gradestone.judge.replies import (
    Found,
    read_category,
    read_match,
    read_score,
    read_verdict,
    read_winner,
    without_reasoning,
)

READERS: dict[str, tuple[Callable[[str], Found | None], str, str, Any]] = {
    "score": (read_score, "SCORE", "0.5", 0.5),
    "category": (read_category, "CATEGORY", "safe", "safe"),
    "winner": (read_winner, "WINNER", "A", "A"),
    "match": (read_match, "MATCH", "YES", True),
}
"""Each reader with its keyword, a token and the value of it."""

LINE_ENDS = {"LF": "\n", "CRLF": "\r\n", "CR": "\r", "U+2028": "\u2028", "U+2029": "\u2029"}

LAYOUTS: dict[str, tuple[str, bool]] = {
    "bare": ("KEY: TOKEN", True),
    "no space": ("KEY:TOKEN", True),
    "spaces all round": ("  KEY:   TOKEN  ", True),
    "tab, FF and VT": ("\t\f\vKEY:\t\f\vTOKEN\t\f\v", True),
    "blank lines round it": ("\n\nKEY: TOKEN\n\n", True),
    "behind prose": ("It is good.\nKEY: TOKEN", True),
    "before prose": ("KEY: TOKEN\nIt is good.", True),
    "in a fence": ("```\nKEY: TOKEN\n```", True),
    "prose on its line": ("Final KEY: TOKEN", False),
    "bold": ("**KEY: TOKEN**", False),
    "bold keyword": ("**KEY**: TOKEN", False),
    "heading": ("# KEY: TOKEN", False),
    "bullet": ("- KEY: TOKEN", False),
    "star bullet": ("* KEY: TOKEN", False),
    "numbered": ("1. KEY: TOKEN", False),
    "quotation": ("> KEY: TOKEN", False),
    "quoted": ('"KEY: TOKEN"', False),
    "code": ("`KEY: TOKEN`", False),
    "space before the colon": ("KEY : TOKEN", False),
    "no colon": ("KEY TOKEN", False),
    "equals sign": ("KEY= TOKEN", False),
    "full-width colon": ("KEY：TOKEN", False),
    "no token": ("KEY:", False),
    "token on the next line": ("KEY:\nTOKEN", False),
    "longer keyword": ("REKEY: TOKEN", False),
    "plural keyword": ("KEYS: TOKEN", False),
    "BOM": ("\ufeffKEY: TOKEN", False),
    "NBSP before": ("\u00a0KEY: TOKEN", False),
    "zero-width before": ("\u200bKEY: TOKEN", False),
    "NUL before": ("\x00KEY: TOKEN", False),
    "NEL is no line end": ("good\x85KEY: TOKEN", False),
    "U+001C is no line end": ("good\x1cKEY: TOKEN", False),
    "only in reasoning": ("<think>KEY: TOKEN</think>", False),
    "behind reasoning": ("<think>hm</think>KEY: TOKEN", True),
    "reasoning cut off": ("<think>KEY: TOKEN", False),
    "behind reasoning that was opened in the prompt": ("hm</think>\nKEY: TOKEN", True),
    "empty": ("", False),
}


def test_labels_that_are_one() -> None:
    """A label that is repeated in another case contradicts nothing."""
    assert read_category("CATEGORY: safe\nCATEGORY: SAFE ") == Found("safe")
    assert read_category("CATEGORY: safe\nCATEGORY: unsafe") == Found("safe", conflicting=True)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(("layout", "is_found"), LAYOUTS.values(), ids=LAYOUTS)
def test_where_a_keyword_line_may_stand(layout: str, is_found: bool, name: str) -> None:
    """A line is the keyword and the token, with pinned whitespace round them, and nothing else."""
    read, keyword, token, value = READERS[name]
    reply = layout.replace("KEY", keyword).replace("TOKEN", token)
    assert read(reply) == (Found(value) if is_found else None)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("end", LINE_ENDS.values(), ids=LINE_ENDS)
def test_line_ends_of_every_kind(end: str, name: str) -> None:
    """CRLF, CR, U+2028 and U+2029 end a line as LF does."""
    read, keyword, token, value = READERS[name]
    assert read(end.join(["Because.", f"{keyword}: {token}", "Thanks."])) == Found(value)


@pytest.mark.parametrize("name", READERS)
def test_the_keyword_is_in_capitals(name: str) -> None:
    """``score:`` in small letters is no verdict."""
    read, keyword, token, _ = READERS[name]
    for spelling in (keyword.lower(), keyword.title(), keyword[:-1] + keyword[-1].lower()):
        assert read(f"{spelling}: {token}") is None


@pytest.mark.parametrize("name", READERS)
def test_a_look_alike_in_the_keyword_is_none(name: str) -> None:
    """Letters are the ASCII ones."""
    read, keyword, token, _ = READERS[name]
    full_width = "".join(chr(ord(char) + 0xFEE0) for char in keyword)
    for wrong in (full_width, full_width[0] + keyword[1:], keyword.replace("E", "\u0415") + "\u200b"):
        assert read(f"{wrong}: {token}") is None


SCORES: dict[str, tuple[str, float | None]] = {
    "zero": ("0", 0.0),
    "one": ("1", 1.0),
    "padded": ("0.900000", 0.9),
    "leading zeros": ("000.5", 0.5),
    "all digits count": ("0.69999999999999996", 0.7),
    "just below": ("0.6999", 0.6999),
    "out of range is the caller's": ("1.5", 1.5),
    "no digit before the point": (".5", None),
    "no digit behind the point": ("1.", None),
    "full stop": ("0.9.", None),
    "two points": ("0.9.1", None),
    "sign": ("+0.9", None),
    "minus": ("-0.1", None),
    "comma": ("0,9", None),
    "per cent": ("85%", None),
    "fraction": ("7/10", None),
    "exponent": ("1e-1", None),
    "underscore": ("1_0", None),
    "hexadecimal": ("0x1", None),
    "trailing words": ("0.85 out of 1", None),
    "two numbers": ("0.9 0.1", None),
    "infinity": ("Infinity", None),
    "NaN": ("NaN", None),
    "Arabic digits": ("٠.٩", None),
    "full-width digits": ("０.９", None),
    "superscript": ("0.9²", None),
    "Arabic point": ("0٫9", None),
    "zero-width before": ("\u200b0.9", None),
    "zero-width inside": ("0.\u200b9", None),
    "zero-width behind": ("0.9\u200b", None),
    "NUL behind": ("0.9\x00", None),
    "NBSP behind": ("0.9\u00a0", None),
    "lone surrogate behind": ("0.9\ud800", None),
    "quoted": ('"0.9"', None),
    "bold": ("**0.9**", None),
    "words": ("high", None),
}


@pytest.mark.parametrize(("token", "value"), SCORES.values(), ids=SCORES)
def test_read_score(token: str, value: float | None) -> None:
    """ASCII digits, optionally a point and digits; nothing that people or programs write beside these."""
    assert read_score(f"SCORE: {token}") == (None if value is None else Found(value))


def test_ten_thousand_digits_are_a_number() -> None:
    """A score of any length is read; one beyond the doubles is an infinity, which no range admits."""
    assert read_score("SCORE: " + "9" * 10_000) == Found(float("inf"))
    assert read_score("SCORE: 0." + "3" * 10_000) == Found(1 / 3)


CATEGORIES: dict[str, tuple[str, str | None]] = {
    "words": ("CATEGORY: not sure", "not sure"),
    "case stays": ("CATEGORY: SAFE", "SAFE"),
    "outer whitespace": ("CATEGORY: \t safe \v\f ", "safe"),
    "inner whitespace": ("CATEGORY: a \t b", "a \t b"),
    "one letter": ("CATEGORY: x", "x"),
    "full stop is of the label": ("CATEGORY: safe.", "safe."),
    "quotes are of the label": ('CATEGORY: "safe"', '"safe"'),
    "markdown is of the label": ("CATEGORY: **safe**", "**safe**"),
    "NBSP is of the label": ("CATEGORY: safe\u00a0", "safe\u00a0"),
    "zero-width is of the label": ("CATEGORY: sa\u200bfe", "sa\u200bfe"),
    "NUL is of the label": ("CATEGORY: safe\x00", "safe\x00"),
    "keyword in the label": ("CATEGORY: CATEGORY: safe", "CATEGORY: safe"),
    "accents": ("CATEGORY: À REVOIR", "À REVOIR"),
    "blank": ("CATEGORY: \t ", None),
}


@pytest.mark.parametrize(("reply", "label"), CATEGORIES.values(), ids=CATEGORIES)
def test_read_category(reply: str, label: str | None) -> None:
    """A label is the rest of the line but for outer pinned whitespace."""
    assert read_category(reply) == (None if label is None else Found(label))


TOKENS: dict[str, tuple[Callable[[str], Found | None], str, Any]] = {
    "winner lowercase": (read_winner, "WINNER: a", "A"),
    "winner B": (read_winner, "WINNER: b", "B"),
    "winner tie": (read_winner, "WINNER: tIe", "TIE"),
    "winner full stop": (read_winner, "WINNER: A.", None),
    "winner brackets": (read_winner, "WINNER: [[A]]", None),
    "winner in words": (read_winner, "WINNER: Response A", None),
    "winner both": (read_winner, "WINNER: A B", None),
    "winner draw": (read_winner, "WINNER: DRAW", None),
    "winner C": (read_winner, "WINNER: C", None),
    "winner Cyrillic": (read_winner, "WINNER: \u0410", None),
    "winner dotted capital i": (read_winner, "WINNER: T\u0130E", None),
    "winner dotless i": (read_winner, "WINNER: t\u0131e", None),
    "match lowercase": (read_match, "MATCH: yes", True),
    "match mixed": (read_match, "MATCH: yEs", True),
    "match no": (read_match, "MATCH: no", False),
    "match long s": (read_match, "MATCH: YE\u017f", None),
    "match full stop": (read_match, "MATCH: YES.", None),
    "match initial": (read_match, "MATCH: Y", None),
    "match hedge": (read_match, "MATCH: YES please", None),
    "match both": (read_match, "MATCH: YES NO", None),
    "match slash": (read_match, "MATCH: YES/NO", None),
    "match other word": (read_match, "MATCH: TRUE", None),
    "match zero-width": (read_match, "MATCH: Y\u200bES", None),
    "match NUL": (read_match, "MATCH: YES\x00", None),
    "match quoted": (read_match, 'MATCH: "YES"', None),
    "match negated": (read_match, "MATCH: NOT YES", None),
}


@pytest.mark.parametrize(("read", "reply", "value"), TOKENS.values(), ids=TOKENS)
def test_tokens(read: Callable[[str], Found | None], reply: str, value: Any) -> None:
    """A token's case does not count, and nothing but the token counts."""
    assert read(reply) == (None if value is None else Found(value))


FIRST: dict[str, tuple[Callable[[str], Found | None], str, Found]] = {
    "score, same": (read_score, "SCORE: 0.9\nSCORE: 0.90", Found(0.9)),
    "score, other": (read_score, "SCORE: 0.9\nSCORE: 0.1", Found(0.9, conflicting=True)),
    "score, third differs": (read_score, "SCORE: 1\nSCORE: 1\nSCORE: 0", Found(1.0, conflicting=True)),
    "score, a line that is none": (read_score, "SCORE: high\nSCORE: 0.1", Found(0.1)),
    "category": (read_category, "CATEGORY: a\nCATEGORY: b", Found("a", conflicting=True)),
    "winner, case": (read_winner, "WINNER: a\nWINNER: A", Found("A")),
    "winner": (read_winner, "WINNER: TIE\nWINNER: A", Found("TIE", conflicting=True)),
    "match": (read_match, "MATCH: NO\nMATCH: YES", Found(False, conflicting=True)),
    "match, same": (read_match, "MATCH: no\nMATCH: NO", Found(False)),
    "match, other in reasoning": (read_match, "<think>MATCH: YES</think>MATCH: NO", Found(False)),
}


@pytest.mark.parametrize(("read", "reply", "found"), FIRST.values(), ids=FIRST)
def test_the_first_line_wins_and_others_are_noticed(
    read: Callable[[str], Found | None], reply: str, found: Found
) -> None:
    """Lines that say something else do not change the value; they are told of."""
    assert read(reply) == found


REASONING: dict[str, tuple[str, str | None]] = {
    "none": ("PASS", "PASS"),
    "one": ("<think>a</think>b", "b"),
    "two": ("<think>a</think>b<think>c</think>d", "bd"),
    "empty": ("<think></think>", ""),
    "nested": ("<think>a<think>b</think>c</think>d", "d"),
    "nested, not all closed": ("<think>a<think>b</think>c", None),
    "not closed": ("a<think>b", None),
    "not closed at the end": ("a<think>", None),
    "closed only": ("a</think>b", "b"),
    "closed twice": ("a</think>b</think>c", "c"),
    "closed only, then one": ("a</think>b<think>c</think>d", "bd"),
    "other spelling": ("<thinking>a</thinking>b", "b"),
    "mixed spellings": ("<think>a</thinking>b", "b"),
    "capitals": ("<THINK>a</Think>b", "b"),
    "over lines": ("<think>\na\n</think>\nb", "\nb"),
    "other tags stay": ("<b>a</b><thinker>c</thinker>", "<b>a</b><thinker>c</thinker>"),
    "the sign for kelvin is no k": ("a<thin\u212a>b", "a<thin\u212a>b"),
}


@pytest.mark.parametrize(("reply", "left"), REASONING.values(), ids=REASONING)
def test_without_reasoning(reply: str, left: str | None) -> None:
    """Blocks go, nested ones as one; an unclosed one leaves nothing that could be trusted."""
    assert without_reasoning(reply) == left


VERDICTS: dict[str, tuple[str, bool | None]] = {
    "pass": ("PASS", True),
    "fail": ("FAIL", False),
    "lowercase alone": ("pass", True),
    "title case alone": ("Fail", False),
    "full stop": ("PASS.", True),
    "exclamation": ("PASS!", True),
    "bold": ("**PASS**", True),
    "bold with stop": ("**PASS.**", True),
    "emphasis": ("_PASS_", True),
    "code": ("`PASS`", True),
    "fence": ("```\nPASS\n```", True),
    "heading": ("## PASS", True),
    "quotation": ("> PASS", True),
    "bullet": ("- PASS", True),
    "quoted": ('"PASS"', True),
    "label": ("Verdict: PASS", True),
    "label, capitals": ("VERDICT: FAIL", False),
    "label, final": ("Final verdict: pass.", True),
    "label, bold": ("**Verdict:** PASS", True),
    "label, bold word": ("Verdict: **PASS**", True),
    "label, space": ("verdict : PASS", True),
    "label behind prose": ("The facts hold.\nVerdict: PASS", True),
    "last line": ("The facts hold.\n\nPASS", True),
    "first line goes on": ("PASS - every fact holds.", True),
    "first line, colon": ("PASS: every fact holds.", True),
    "first line, comma": ("PASS, since every fact holds.", True),
    "first line, bold word": ("**PASS** every fact holds.", True),
    "first line, fail": ("FAIL: the date is wrong.", False),
    "reason below": ("PASS\nThe date may be off, but it is not asked for.", True),
    "same twice": ("PASS\nVerdict: PASS", True),
    "fail twice": ("FAIL\n...\nFAIL", False),
    "behind reasoning": ("<think>FAIL?</think>\nPASS", True),
    "negation in a later clause": ("PASS: nothing is wrong here.", True),
    "CRLF": ("fine\r\nPASS\r\n", True),
    "CR": ("fine\rPASS", True),
    "U+2028": ("fine\u2028PASS", True),
    "U+2029": ("PASS\u2029fine", True),
    # Not the word.
    "empty": ("", None),
    "blank": (" \n\t\n", None),
    "nothing but markdown": ("**\n---\n```", None),
    "compass": ("The compass heading is wrong.", None),
    "compass in capitals": ("COMPASS", None),
    "passed": ("PASSED", None),
    "passes": ("PASSES every check", None),
    "passing": ("Passing.", None),
    "passport": ("PASSPORT", None),
    "underscore": ("PASS_RATE is 0.1", None),
    "digit": ("PASS1", None),
    "spaced": ("P A S S", None),
    "cut": ("PAS", None),
    "long s": ("PA\u017f\u017f", None),
    "long s, small": ("pa\u017fs", None),
    "Cyrillic": ("P\u0410SS", None),
    "full-width": ("ＰＡＳＳ", None),
    "zero-width inside": ("PA\u200bSS", None),
    "NUL inside": ("PA\x00SS", None),
    "accented, composed": ("PASS\u00c9", None),
    "accented, combining": ("PASSE\u0301 composé", None),
    "accent on the word": ("PASS\u0301", None),
    "Greek letter behind": ("PASS\u03b1", None),
    "BOM before": ("\ufeffPASS", None),
    "NBSP before": ("\u00a0PASS", None),
    "zero-width before": ("\u200bPASS", None),
    "NEL is no line end": ("fine\x85PASS", None),
    # Not plainly the verdict.
    "in a sentence": ("I would say PASS here.", None),
    "sentence ends with it": ("My verdict is PASS", None),
    "lowercase and more": ("pass, since it holds", None),
    "second line goes on": ("The facts hold.\nPASS - all of them.", None),
    "numbered": ("1. PASS", None),
    "struck out": ("~~PASS~~", None),
    "brackets": ("[PASS]", None),
    "other label": ("Result: PASS", None),
    "label and more": ("Verdict: PASS with remarks", None),
    "label of a label": ("Verdict: Verdict: PASS", None),
    "echo of the instruction": ("Respond with exactly PASS or FAIL.", None),
    "only reasoning": ("<think>PASS</think>", None),
    "reasoning cut off": ("PASS\n<think>but", None),
    # Taken back.
    "negated before": ("I cannot PASS this.", None),
    "not": ("PASS not", None),
    "is not": ("PASS is not right", None),
    "is not, emphasis": ("PASS is _not_ right", None),
    "is wrong": ("PASS is wrong", None),
    "taken back in a later line that goes on": ("PASS\nFAIL: the date is wrong", None),
    "a later line that only begins with the word": ("PASS\nPASS: the date is right", True),
    "a later line that goes on makes no verdict": ("Let me see.\nPASS: the date is right", None),
    "is not, bold": ("PASS is **not** right", None),
    "isn't": ("PASS isn't right", None),
    "isn't, curly": ("PASS isn\u2019t right", None),
    "comma not": ("PASS, not!", None),
    "dash no": ("PASS - no.", None),
    "no": ("PASS: no", None),
    "just kidding": ("PASS... just kidding.", None),
    "would": ("PASS would be wrong", None),
    "if": ("PASS if you ignore the date", None),
    "unless": ("PASS unless dates matter", None),
    "without": ("PASS without conviction", None),
    "question": ("PASS?", None),
    "question, full-width": ("PASS\uff1f", None),
    "both words": ("PASS or FAIL? FAIL", None),
    "slash": ("PASS/FAIL", None),
    "slash, emphasis": ("PASS / __FAIL__", None),
    "slash, bold": ("PASS / **FAIL**", None),
    "arrow": ("PASS -> FAIL", None),
    "fails": ("PASS although it fails in part", None),
    "fail says pass": ("FAIL, it does not pass", None),
    # Contradicted.
    "pass then fail": ("PASS\nFAIL", None),
    "fail then pass": ("FAIL\nPASS", None),
    "label contradicts": ("PASS\nVerdict: FAIL", None),
    "markdown contradicts": ("PASS, all holds.\n\n**FAIL**", None),
    "small contradicts": ("PASS\nfail", None),
    "taken back and said": ("PASS? I doubt it\nPASS", None),
}


@pytest.mark.parametrize(("reply", "passed"), VERDICTS.values(), ids=VERDICTS)
def test_read_verdict(reply: str, passed: bool | None) -> None:
    """PASS and FAIL count as a whole word that is plainly the verdict, and neither negated nor contradicted."""
    assert read_verdict(reply) == (None if passed is None else Found(passed))


ALL_READERS = [read_score, read_category, read_winner, read_match, read_verdict]

WORDS = ["PASS", "FAIL", "pass", "SCORE:", "0.9", "MATCH:", "YES", "WINNER:", "A", "CATEGORY:", "safe"]
MARKS = [
    "**",
    "_",
    "`",
    "~",
    ">",
    "-",
    "#",
    '"',
    " ",
    "\t",
    "?",
    ".",
    ",",
    ":",
    "not",
    "or",
    "no",
    "Verdict:",
]
AWKWARD = ["\x00", "\u200b", "\ufeff", "\ud800", "\u0660", "é", "\u017f", *LINE_ENDS.values()]
PIECES = st.sampled_from([*WORDS, *MARKS, *AWKWARD]) | st.characters()
TAGS = st.sampled_from(["<think>", "</think>", "<thinking>", "</thinking>", "<THINK>", "</Think>"])
PLAIN = st.lists(PIECES.filter(lambda piece: piece != "<"), max_size=20).map("".join)
REPLIES = st.lists(PIECES | TAGS, max_size=20).map("".join) | st.text()


@given(reply=REPLIES)
def test_whatever_is_replied_nothing_raises(reply: str) -> None:
    """A reader returns what it found, or None."""
    for read in ALL_READERS:
        found = read(reply)
        assert found is None or isinstance(found, Found)


@given(reply=REPLIES)
@example(reply="PA\u017f\u017f")
@example(reply="PAS\nS")
def test_a_reply_without_the_word_never_passes(reply: str) -> None:
    """Where the four letters do not follow each other, in either case and markdown aside, nobody said PASS."""
    letters = "".join(char for char in reply if char not in "*_`")
    folded = "".join(char.lower() if char.isascii() else char for char in letters)
    found = read_verdict(reply if "pass" not in folded else "")
    assert found is None or found.value is False


@given(reply=PLAIN, inner=PLAIN)
def test_a_reply_that_is_all_reasoning_has_no_verdict(reply: str, inner: str) -> None:
    """Whatever was drafted in a block, closed or not, nested or not."""
    for wrapped in (
        f"<think>{reply}</think>",
        f"<think>{reply}",
        f"{reply}</think>",
        f"<think>{reply}<think>{inner}</think>{reply}</think>",
        f"<think>{reply}</think><think>{inner}</think>",
        f"{reply}<think>{inner}",
    ):
        assert [read(wrapped) for read in ALL_READERS] == [None] * len(ALL_READERS)


@given(reply=PLAIN, block=PLAIN)
def test_reasoning_before_a_reply_changes_nothing(reply: str, block: str) -> None:
    """What is read behind a block is what is read without it."""
    for read in ALL_READERS:
        assert read(f"<think>{block}</think>{reply}") == read(reply)


@given(
    reply=REPLIES | st.sampled_from(["PASS", "**PASS**", "PASS: all holds", "fine\nVerdict: PASS"]),
    end=st.sampled_from(list(LINE_ENDS.values())),
    word=st.sampled_from(["FAIL", "fail.", "**FAIL**", "Verdict: FAIL", "> Final verdict: fail!"]),
)
def test_a_contradictory_line_takes_a_pass_away(reply: str, end: str, word: str) -> None:
    """No reply still passes when a line behind it plainly says FAIL."""
    found = read_verdict(reply + end + word)
    assert found is None or found.value is False


@given(reply=PLAIN, end=st.sampled_from(list(LINE_ENDS.values())), name=st.sampled_from(sorted(READERS)))
def test_a_line_in_front_wins(reply: str, end: str, name: str) -> None:
    """The first line that matches is the value, whatever follows it."""
    read, keyword, token, value = READERS[name]
    found = read(f"{keyword}: {token}{end}{reply}")
    assert found is not None
    assert found.value == value


MEGABYTE = 1 << 20
HUGE = {
    "spaces inside a label": "CATEGORY: x" + " " * MEGABYTE + "y",
    "spaces behind a label": "CATEGORY: x" + " " * MEGABYTE,
    "words of a label": "CATEGORY: " + "x " * (MEGABYTE // 2),
    "spaces before a keyword": " " * MEGABYTE + "SCORE: x",
    "spaces behind a keyword": "SCORE:" + " " * MEGABYTE + "x",
    "spaces behind a token": "WINNER: A" + " " * MEGABYTE + "x",
    "digits": "SCORE: " + "1" * MEGABYTE + "x",
    "digits behind the point": "SCORE: 0." + "1" * MEGABYTE,
    "digits and points": "SCORE: " + "1." * (MEGABYTE // 2),
    "lines": "SCORE: 0.1\n" * (MEGABYTE // 11),
    "verdict lines": "PASS\n" * (MEGABYTE // 5),
    "carriage returns": "\r" * MEGABYTE,
    "opening tags": "<think>" * (MEGABYTE // 7),
    "closing tags": "</think>" * (MEGABYTE // 8),
    "blocks": "<think></think>" * (MEGABYTE // 15),
    "angle brackets": "<" * MEGABYTE,
    "markdown": "*" * MEGABYTE + "PASS" + "*" * MEGABYTE,
    "decoration behind the word": "PASS" + "- " * (MEGABYTE // 2),
    "words that are no negations": "PASS" + " noo" * (MEGABYTE // 4),
    "marks before no": "PASS." + "!" * MEGABYTE + "no" + "-" * MEGABYTE + "x",
    "underscores": "PASS" + " _" * (MEGABYTE // 2),
    "labels": "verdict: " * (MEGABYTE // 9) + "PASS",
}


@pytest.mark.parametrize("reply", HUGE.values(), ids=HUGE)
def test_huge_replies_end(reply: str) -> None:
    """A megabyte that invites a pattern to try again from every character: the readers come back."""
    for read in ALL_READERS:
        read(reply)
