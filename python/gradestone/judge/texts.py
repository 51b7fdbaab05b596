"""The text of a judge's reply, in the shapes that gateways and model servers answer with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gradestone.data.strict_json import JsonError, read_json


class Answer:
    """A body that was read: the text in it, and what it cost."""

    __slots__ = ("text", "usage")

    def __init__(self, text: str | None, usage: Mapping[str, int]) -> None:
        self.text = text
        self.usage = usage


def read_answer(body: bytes) -> Answer:
    """The text of a reply's body and its usage; no text where the body is no JSON, or of no known shape."""
    try:
        document = read_json(body)
    except JsonError:
        return Answer(None, {})
    return Answer(_text_of(document), _usage_of(document))


def _text_of(document: Any) -> str | None:
    if isinstance(document, str):
        return document
    if not isinstance(document, dict):
        return None
    for read in (_output_text, _output_items, _first_choice, _content, _text):
        text = read(document)
        if text is not None:
            return text
    return None


def _output_text(document: dict[str, Any]) -> str | None:
    return _string(document.get("output_text"))


def _text(document: dict[str, Any]) -> str | None:
    return _string(document.get("text"))


def _content(document: dict[str, Any]) -> str | None:
    return _parts(document.get("content"))


def _output_items(document: dict[str, Any]) -> str | None:
    """The texts of the messages of OpenAI's Responses; items of another type, such as reasoning, are passed over."""
    items = document.get("output")
    if not isinstance(items, list):
        return None
    messages = [item for item in items if isinstance(item, dict) and item.get("type", "message") == "message"]
    texts = [text for item in messages if (text := _parts(item.get("content"))) is not None]
    return "".join(texts) if texts else None


def _first_choice(document: dict[str, Any]) -> str | None:
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    message = choices[0].get("message")
    said = _parts(message.get("content")) if isinstance(message, dict) else None
    return said if said is not None else _string(choices[0].get("text"))


_TEXT_PARTS: Final = ("output_text", "text")


def _parts(content: object) -> str | None:
    """A content that is text, or a list of parts of which some are."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return None
    texts = [
        part["text"]
        for part in content
        if isinstance(part, dict)
        and part.get("type", "text") in _TEXT_PARTS
        and isinstance(part.get("text"), str)
    ]
    return "".join(texts) if texts else None


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


_FIGURES: Final = ("input_tokens", "output_tokens", "total_tokens", "prompt_tokens", "completion_tokens")


def _usage_of(document: Any) -> dict[str, int]:
    usage = document.get("usage") if isinstance(document, dict) else None
    if not isinstance(usage, dict):
        return {}
    return {
        name: usage[name]
        for name in _FIGURES
        if isinstance(usage.get(name), int) and not isinstance(usage[name], bool)
    }
