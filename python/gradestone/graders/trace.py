"""Reading which tools a candidate called, whatever shape its trace has.

An object may have several shapes, which are read in this order: a list of calls under ``tool_calls``,
``tools_called`` or ``tools``; OpenAI's ``function_call``; Anthropic's ``content`` blocks; ``choices`` of a
chat completion; ``output`` of a response; ``messages``; MCP's ``params``; the object itself as one call. A
list holds calls, messages, or any such objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from gradestone.jsontext import JsonValue
from gradestone.options import ABSENT


class Call(NamedTuple):
    """One call of a tool."""

    name: str
    """Never empty."""
    arguments: JsonValue
    """As they were recorded, text unparsed; ``ABSENT`` if the call shows none."""


@dataclass(slots=True)
class Trace:
    """What was called, in order, and whether anything in the trace could not be read."""

    calls: list[Call] = field(default_factory=list)
    unreadable: bool = False
    """An entry is neither a call, nor a message, nor the definition of a tool: it may be any call."""
    unclear: list[str] = field(default_factory=list)
    """Bare names beside calls under ``tools``: each was called or only offered."""


def read_trace(candidate: JsonValue) -> Trace | None:
    """Read a candidate's trace, None if it shows none. Text is never parsed.

    >>> read_trace({"tool_calls": [{"function": {"name": "search", "arguments": "{}"}}, "book"]}).calls
    [Call(name='search', arguments='{}'), Call(name='book', arguments=ABSENT)]
    >>> read_trace({"role": "assistant", "content": "done"})
    Trace(calls=[], unreadable=False, unclear=[])
    >>> read_trace("search"), read_trace({}), read_trace({"tools": ["search"]})
    (None, None, None)
    """
    trace = Trace()
    if isinstance(candidate, list):
        for member in candidate:
            _read_member(trace, member)
        return trace
    if isinstance(candidate, dict) and _read_object(trace, candidate, whole=True):
        return trace
    return None


def _read_member(trace: Trace, member: JsonValue) -> None:
    if isinstance(member, dict) and _read_object(trace, member, whole=True):
        return
    _read_entry(trace, member)


def _read_object(trace: Trace, value: dict[str, JsonValue], *, whole: bool) -> bool:
    """Read every shape that an object shows; return whether it shows any, or is a message.

    A ``whole`` may hold messages, a message holds none.
    """
    shown = _read_lists(trace, value)
    shown |= _read_function_call(trace, value.get("function_call"))
    shown |= _read_content(trace, value.get("content"))
    if whole:
        shown |= _read_choices(trace, value.get("choices"))
        shown |= _read_output(trace, value.get("output"))
        shown |= _read_messages(trace, value.get("messages"))
        shown |= _read_mcp(trace, value)
    shown |= _read_bare_call(trace, value)
    return shown or value.get("role") is not None


def _read_lists(trace: Trace, value: dict[str, JsonValue]) -> bool:
    key = next((key for key in ("tool_calls", "tools_called", "tools") if value.get(key) is not None), None)
    if key is None:
        return False
    entries = value[key]
    if not isinstance(entries, list):
        trace.unreadable = True
        return False
    if key != "tools":
        for entry in entries:
            _read_entry(trace, entry)
        return True
    return _read_offers(trace, entries)


def _read_offers(trace: Trace, entries: list[JsonValue]) -> bool:
    """Read ``tools``, where an entry without arguments is what was offered: offers alone are no trace."""
    bare: list[str] = []
    before = len(trace.calls)
    for entry in entries:
        name = _name_of(entry)
        if name and _arguments_of(entry) is ABSENT:
            bare += [] if _is_definition(entry) else [name]
        else:
            _read_entry(trace, entry)
    if len(trace.calls) == before:
        return False
    trace.unclear += bare
    return True


def _read_function_call(trace: Trace, entry: JsonValue) -> bool:
    if entry is None:
        return False
    if isinstance(entry, dict):
        _read_entry(trace, entry)
        return True
    trace.unreadable = True
    return False


def _read_content(trace: Trace, blocks: JsonValue) -> bool:
    return _read_typed(trace, _objects(blocks), "tool_use")


def _read_typed(trace: Trace, members: list[dict[str, JsonValue]], kind: str) -> bool:
    """Read the members of one type. One of another type that looks like a call may be one of a provider's tools."""
    calls = [member for member in members if member.get("type") == kind]
    for call in calls:
        _read_entry(trace, call)
    trace.unreadable |= any(_is_bare_call(member) for member in members if member.get("type") != kind)
    return bool(calls)


def _read_choices(trace: Trace, choices: JsonValue) -> bool:
    if not isinstance(choices, list):
        return False
    for choice in choices:
        message = choice.get("message") if isinstance(choice, dict) else choice
        if isinstance(message, dict):
            _read_object(trace, message, whole=False)
        elif not isinstance(choice, dict) or message is not None or choice.get("delta") is not None:
            # A delta is a piece of a streamed message: there may be a call in it, and none can be read.
            trace.unreadable = True
    return bool(choices)


def _read_output(trace: Trace, items: JsonValue) -> bool:
    shown = False
    for item in _objects(items):
        if item.get("role") is not None and item.get("type") != "function_call":
            shown |= _read_object(trace, item, whole=False)
        else:
            shown |= _read_typed(trace, [item], "function_call")
    return shown


def _read_messages(trace: Trace, messages: JsonValue) -> bool:
    if not isinstance(messages, list):
        return False
    for message in messages:
        if isinstance(message, dict):
            _read_object(trace, message, whole=False)
        else:
            trace.unreadable = True
    return bool(messages)


def _read_mcp(trace: Trace, request: dict[str, JsonValue]) -> bool:
    params = request.get("params")
    if not isinstance(params, dict):
        return False
    entry = {"name": params.get("name"), "arguments": params.get("arguments")}
    if not _is_bare_call(entry) and request.get("method") != "tools/call":
        return False
    _read_entry(trace, entry)
    return True


def _read_bare_call(trace: Trace, value: dict[str, JsonValue]) -> bool:
    if not _is_bare_call(value):
        return False
    _read_entry(trace, value)
    return True


def _is_bare_call(value: dict[str, JsonValue]) -> bool:
    return bool(_name_of(value)) and _arguments_of(value) is not ABSENT


def _read_entry(trace: Trace, entry: JsonValue) -> None:
    name, arguments = _name_of(entry), _arguments_of(entry)
    if arguments is ABSENT and _is_definition(entry):
        return
    if name:
        trace.calls.append(Call(name, arguments))
    else:
        trace.unreadable = True


def _name_of(entry: JsonValue) -> str:
    """Return the name of the tool, empty if the entry has none."""
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        return ""
    names = (entry.get("name"), entry.get("tool"), _function_of(entry).get("name"))
    return next((name for name in names if isinstance(name, str) and name), "")


def _arguments_of(entry: JsonValue) -> JsonValue:
    if not isinstance(entry, dict):
        return ABSENT
    function = _function_of(entry)
    places = (entry.get("arguments"), entry.get("args"), function.get("arguments"), entry.get("input"))
    return next((arguments for arguments in places if arguments is not None), ABSENT)


def _is_definition(entry: JsonValue) -> bool:
    if not isinstance(entry, dict):
        return False
    return any(place.get(key) is not None for place in (entry, _function_of(entry)) for key in _DEFINING)


_DEFINING: Final = ("parameters", "input_schema", "inputSchema")


def _function_of(entry: dict[str, JsonValue]) -> dict[str, JsonValue]:
    function = entry.get("function")
    return function if isinstance(function, dict) else {}


def _objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [member for member in value if isinstance(member, dict)] if isinstance(value, list) else []
