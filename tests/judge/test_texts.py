"""The text of an answer, in every shape that gateways and model servers use, and no text in any other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradestone.judge.texts import read_answer

TEXT = "SCORE: 0.9"


def message(*parts: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": list(parts), **more}


def part(text: Any = TEXT, kind: str = "output_text") -> dict[str, Any]:
    return {"type": kind, "text": text, "annotations": []}


REASONING = {
    "type": "reasoning",
    "summary": [{"type": "summary_text", "text": "SCORE: 0.1"}],
    "content": [part("x")],
}
REFUSAL = {"type": "refusal", "refusal": "I cannot."}

SHAPES: dict[str, tuple[Any, str | None]] = {
    # Text by itself.
    "a JSON string": (TEXT, TEXT),
    "an empty string": ("", ""),
    "output_text": ({"output_text": TEXT}, TEXT),
    "empty output_text": ({"output_text": "", "text": "x"}, ""),
    "text": ({"text": TEXT}, TEXT),
    # Responses.
    "responses": ({"output": [message(part())]}, TEXT),
    "reasoning before": ({"output": [REASONING, message(part())]}, TEXT),
    "reasoning behind": ({"output": [message(part()), REASONING]}, TEXT),
    "only reasoning": ({"output": [REASONING]}, None),
    "tool call before": ({"output": [{"type": "function_call", "name": "f"}, message(part())]}, TEXT),
    "two parts": ({"output": [message(part("SCORE"), part(": 0.9"))]}, TEXT),
    "two messages": ({"output": [message(part("SCORE")), message(part(": 0.9"))]}, TEXT),
    "item without a type": ({"output": [{"content": [part()]}]}, TEXT),
    "content is text": ({"output": [{"type": "message", "content": TEXT}]}, TEXT),
    "part without a type": ({"output": [message({"text": TEXT})]}, TEXT),
    "part of type text": ({"output": [message(part(kind="text"))]}, TEXT),
    "refusal": ({"output": [message(REFUSAL)]}, None),
    "refusal with a text": ({"output": [message({**REFUSAL, "text": TEXT})]}, None),
    "refusal beside text": ({"output": [message(REFUSAL, part())]}, TEXT),
    "reasoning part": ({"output": [message(part("x", "reasoning_text"), part())]}, TEXT),
    "no items": ({"output": []}, None),
    "no parts": ({"output": [message()]}, None),
    "no items, but text": ({"output": [], "text": TEXT}, TEXT),
    # Chat completions.
    "chat": ({"choices": [{"message": {"role": "assistant", "content": TEXT}}]}, TEXT),
    "chat, parts": ({"choices": [{"message": {"content": [part("SCORE", "text"), part(": 0.9", "text")]}}]}, TEXT),
    "chat, reasoning beside": ({"choices": [{"message": {"reasoning_content": "x", "content": TEXT}}]}, TEXT),
    "chat, only reasoning": ({"choices": [{"message": {"reasoning_content": TEXT, "content": None}}]}, None),
    "chat, refusal": ({"choices": [{"message": {"refusal": TEXT, "content": None}}]}, None),
    "chat, the first choice": ({"choices": [{"message": {"content": TEXT}}, {"message": {"content": "x"}}]}, TEXT),
    "chat, not the second": ({"choices": [{"message": {}}, {"message": {"content": TEXT}}]}, None),
    "completion": ({"choices": [{"text": TEXT}]}, TEXT),
    "chat before completion": ({"choices": [{"message": {"content": TEXT}, "text": "x"}]}, TEXT),
    "no choices": ({"choices": []}, None),
    # Messages.
    "content": ({"content": TEXT}, TEXT),
    "content, parts": ({"content": [{"type": "text", "text": TEXT}]}, TEXT),
    "content, thinking": ({"content": [{"type": "thinking", "thinking": "x"}, {"type": "text", "text": TEXT}]}, TEXT),
    "content, tool use": ({"content": [{"type": "tool_use", "name": "f", "input": {"text": TEXT}}]}, None),
    # Which one, of several.
    "output_text before output": ({"output_text": TEXT, "output": [message(part("x"))]}, TEXT),
    "output before choices": ({"output": [message(part())], "choices": [{"text": "x"}]}, TEXT),
    "choices before content": ({"choices": [{"text": TEXT}], "content": "x"}, TEXT),
    "content before text": ({"content": TEXT, "text": "x"}, TEXT),
    # Errors and others.
    "error": ({"error": {"message": TEXT}}, None),
    "other key": ({"reply": TEXT}, None),
    "case of the key": ({"Text": TEXT}, None),
    "empty object": ({}, None),
    "null": (None, None),
    "number": (0.9, None),
    "boolean": (True, None),
    "list": ([TEXT], None),
    "list of the right object": ([{"output_text": TEXT}], None),
}  # fmt: skip


@pytest.mark.parametrize(("document", "text"), SHAPES.values(), ids=SHAPES)
def test_shapes(document: Any, text: str | None) -> None:
    """Where an answer holds its text; reasoning, refusals and calls of tools are none."""
    assert read_answer(json.dumps(document).encode()).text == text


WRONG: list[Any] = [
    None,
    True,
    7,
    0.5,
    [],
    {},
    [[]],
    [None],
    [7],
    [{}],
    {"text": 7},
    [{"text": None}],
    [{"type": []}],
]
PLACES: dict[str, Any] = {
    "output_text": lambda wrong: {"output_text": wrong},
    "text": lambda wrong: {"text": wrong},
    "output": lambda wrong: {"output": wrong},
    "an item": lambda wrong: {"output": [wrong]},
    "an item's type": lambda wrong: {"output": [{"type": wrong, "content": [{"type": wrong, "text": TEXT}]}]},
    "an item's content": lambda wrong: {"output": [{"type": "message", "content": wrong}]},
    "a part": lambda wrong: {"output": [message(wrong)]},
    "a part's type": lambda wrong: {"output": [message({"type": wrong, "text": TEXT})]},
    "a part's text": lambda wrong: {"output": [message(part(wrong))]},
    "choices": lambda wrong: {"choices": wrong},
    "a choice": lambda wrong: {"choices": [wrong]},
    "a message": lambda wrong: {"choices": [{"message": wrong}]},
    "a message's content": lambda wrong: {"choices": [{"message": {"content": wrong}}]},
    "a choice's text": lambda wrong: {"choices": [{"text": wrong}]},
    "content": lambda wrong: {"content": wrong},
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_wrong_type_at_any_level_is_no_text(place: Any) -> None:
    """Nothing raises, and nothing that is no text becomes one."""
    for wrong in WRONG:
        assert read_answer(json.dumps(place(wrong)).encode()).text is None


BODIES: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n",
    "text": b"SCORE: 0.9",
    "page": b"<html>SCORE: 0.9</html>",
    "event stream": b'data: {"output_text": "SCORE: 0.9"}\n\n',
    "two documents": b'{"output_text": "SCORE: 0.9"}{"output_text": "SCORE: 0.9"}',
    "cut off": b'{"output_text": "SCORE: 0.9"',
    "trailing comma": b'{"output_text": "SCORE: 0.9",}',
    "single quotes": b"{'output_text': 'SCORE: 0.9'}",
    "comment": b'{"output_text": "SCORE: 0.9"} // fine',
    "NaN beside": b'{"output_text": "SCORE: 0.9", "x": NaN}',
    "a number beyond the doubles": b'{"output_text": "SCORE: 0.9", "x": 1e999}',
    "raw line end in text": b'{"output_text": "SCORE: 0.9\n"}',
    "repeated key": b'{"output_text": "SCORE: 0.1", "output_text": "SCORE: 0.9"}',
    "repeated key, the same": b'{"output_text": "SCORE: 0.9", "output_text": "SCORE: 0.9"}',
    "repeated key by an escape": b'{"output_text": "SCORE: 0.1", "output_\\u0074ext": "SCORE: 0.9"}',
    "repeated key far inside": b'{"output_text": "SCORE: 0.9", "x": [{"a": 1, "a": 2}]}',
    "BOM": b'\xef\xbb\xbf{"output_text": "SCORE: 0.9"}',
    "UTF-16": '{"output_text": "SCORE: 0.9"}'.encode("utf-16"),
    "Latin-1": '{"output_text": "SCORE: 0.9", "x": "é"}'.encode("latin-1"),
    "overlong": b'{"output_text": "SCORE: 0.9", "x": "\xc0\x80"}',
    "surrogate in UTF-8": b'{"output_text": "SCORE: 0.9", "x": "\xed\xa0\x80"}',
    "open brackets": b"[" * 100_000,
    "deep": b'{"output_text": "SCORE: 0.9", "x": ' + b"[" * 600 + b"]" * 600 + b"}",
    "very deep": b'{"output_text": "SCORE: 0.9", "x": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "deep objects": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "many digits": b'{"output_text": "SCORE: 0.9", "x": ' + b"9" * 5_000 + b"}",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_is_no_strict_json_has_no_text(body: bytes) -> None:
    """An answer that two readers may read differently is read as nothing."""
    answer = read_answer(body)
    assert (answer.text, answer.usage) == (None, {})


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (rb"\ud800", "\ud800"),
        (rb"\udc00\ud800", "\udc00\ud800"),
        (rb"\ud83d\ude00", "\U0001f600"),
        (rb"\u0000", "\0"),
    ],
)
def test_escapes_of_awkward_characters(escaped: bytes, text: str) -> None:
    """Lone surrogates and NUL are characters of a text like any other."""
    assert read_answer(b'{"output_text": "PASS ' + escaped + b'"}').text == f"PASS {text}"


USAGES: dict[str, tuple[Any, dict[str, int]]] = {
    "responses": ({"input_tokens": 3, "output_tokens": 2, "total_tokens": 5},) * 2,
    "chat": ({"prompt_tokens": 3, "completion_tokens": 2},) * 2,
    "zero": ({"input_tokens": 0}, {"input_tokens": 0}),
    "details stay away": ({"input_tokens": 3, "output_tokens_details": {"reasoning_tokens": 1}}, {"input_tokens": 3}),
    "cost stays away": ({"cost": 1, "input_tokens": 3}, {"input_tokens": 3}),
    "float": ({"input_tokens": 3.0, "output_tokens": 2}, {"output_tokens": 2}),
    "boolean": ({"input_tokens": True}, {}),
    "text": ({"input_tokens": "3"}, {}),
    "null": ({"input_tokens": None}, {}),
    "list": ({"input_tokens": [3]}, {}),
    "usage is null": (None, {}),
    "usage is a list": ([{"input_tokens": 3}], {}),
    "usage is a number": (3, {}),
}  # fmt: skip


@pytest.mark.parametrize(("usage", "figures"), USAGES.values(), ids=USAGES)
def test_usage_is_integers_only(usage: Any, figures: dict[str, int]) -> None:
    """Counts of tokens under their known names; anything else is left out, and takes no text away."""
    answer = read_answer(json.dumps({"output_text": TEXT, "usage": usage}).encode())
    assert (answer.text, answer.usage) == (TEXT, figures)


def test_usage_without_text() -> None:
    """What a refusal cost is told as well."""
    answer = read_answer(b'{"output": [], "usage": {"input_tokens": 3}}')
    assert (answer.text, answer.usage) == (None, {"input_tokens": 3})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.sampled_from(["message", "output_text", "text"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["output_text", "output", "content", "type", "text", "choices", "message", "usage"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(document=JSON)
def test_any_document_is_read(document: Any) -> None:
    """Text or nothing, integers or nothing; nothing raises."""
    answer = read_answer(json.dumps(document).encode())
    assert answer.text is None or type(answer.text) is str
    assert all(type(figure) is int for figure in answer.usage.values())


@given(body=st.binary())
def test_any_bytes_are_read(body: bytes) -> None:
    """Bytes of any kind are an answer without text, or with one."""
    answer = read_answer(body)
    assert answer.text is None or type(answer.text) is str
