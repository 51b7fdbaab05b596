"""Arrow columns as JSON values: which types can be, and what becomes of them.

Timestamps, dates and times become ISO 8601 text, in UTC with a ``Z`` where they have a zone; decimals text with
all their digits; dictionaries their values; lists lists and structs objects; maps objects, or lists of pairs
where a key is no text or is repeated. Binary data, durations, intervals, unions and extension types have no
form in JSON that people agree on.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, Any

from gradestone.data.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


def cells_of(array: pa.Array, place: str, *, finite: bool) -> list[Any]:
    """Return an Arrow array's cells as plain values; where ``finite``, NaN and the infinities are null.

    Raises `InputError`, which begins with ``place``, when the type has no JSON form.
    """
    fault = unfit(array.type)
    if fault is not None:
        raise InputError(f"{place} is of the type {fault}, which JSON cannot hold; choose others with --keep")
    return _values(array, finite)


def unfit(kind: pa.DataType) -> str | None:
    """Return the part of a type that JSON cannot hold; None if there is none."""
    import pyarrow.types as are

    if are.is_dictionary(kind):
        return unfit(kind.value_type)
    if _is_listed(kind) or are.is_struct(kind):
        fields = [kind.field(at) for at in range(kind.num_fields)]
        if len({field.name for field in fields}) < len(fields):
            return "struct with a repeated name"
        return next((part for field in fields if (part := unfit(field.type)) is not None), None)
    plain = are.is_null(kind) or are.is_boolean(kind) or are.is_integer(kind) or are.is_floating(kind)
    text = are.is_string(kind) or are.is_large_string(kind) or are.is_string_view(kind)
    return None if plain or text or _is_written(kind) else str(kind)


def _is_listed(kind: pa.DataType) -> bool:
    import pyarrow.types as are

    return bool(
        are.is_list(kind)
        or are.is_large_list(kind)
        or are.is_fixed_size_list(kind)
        or are.is_list_view(kind)
        or are.is_large_list_view(kind)
        or are.is_map(kind)
    )


def _is_written(kind: pa.DataType) -> bool:
    """Tell whether a type is written as text."""
    import pyarrow.types as are

    return bool(are.is_decimal(kind) or are.is_date(kind) or are.is_time(kind) or are.is_timestamp(kind))


def _values(array: pa.Array, finite: bool) -> list[Any]:
    import pyarrow.types as are

    kind = array.type
    if are.is_dictionary(kind):
        return _values(array.dictionary_decode(), finite)
    if are.is_struct(kind):
        return _structs(array, finite)
    if _is_listed(kind):
        return _lists(array, finite)
    if _is_written(kind):
        return _texts(array)
    cells: list[Any] = array.to_pylist()
    if finite and are.is_floating(kind):
        return [cell if cell is None or math.isfinite(cell) else None for cell in cells]
    return cells


def _structs(array: pa.Array, finite: bool) -> list[Any]:
    names = [field.name for field in array.type]
    columns = [_values(column, finite) for column in array.flatten()]
    rows = zip(*columns, strict=True) if columns else iter([()] * len(array))
    return [
        dict(zip(names, row, strict=True)) if valid else None
        for row, valid in zip(rows, array.is_valid().to_pylist(), strict=True)
    ]


def _lists(array: pa.Array, finite: bool) -> list[Any]:
    import pyarrow.compute as pc
    import pyarrow.types as are

    if are.is_map(array.type):
        return [None if cell is None else _mapping(cell) for cell in _pairs(array, finite)]
    # Members of lists that are null themselves are not among the flattened.
    members = iter(_values(array.flatten(), finite))
    return [
        None if length is None else list(islice(members, length))
        for length in pc.list_value_length(array).to_pylist()
    ]


def _pairs(array: pa.Array, finite: bool) -> list[list[tuple[Any, Any]] | None]:
    import numpy as np

    keys, items = _values(array.keys, finite), _values(array.items, finite)
    offsets = np.asarray(array.offsets).tolist()
    valid = array.is_valid().to_pylist()
    return [
        list(zip(keys[start:end], items[start:end], strict=True)) if there else None
        for start, end, there in zip(offsets[:-1], offsets[1:], valid, strict=True)
    ]


def _mapping(pairs: list[tuple[Any, Any]]) -> dict[str, Any] | list[list[Any]]:
    if all(isinstance(key, str) for key, _ in pairs) and len({key for key, _ in pairs}) == len(pairs):
        return dict(pairs)
    return [list(pair) for pair in pairs]


def _texts(array: pa.Array) -> list[str | None]:
    import pyarrow as pa
    import pyarrow.types as are

    kind = array.type
    if not are.is_timestamp(kind):
        texts: list[str | None] = array.cast(pa.string()).to_pylist()
        return texts
    if kind.tz is not None:
        array = array.cast(pa.timestamp(kind.unit, "UTC"))
    written = array.cast(pa.string()).to_pylist()
    return [None if text is None else text.replace(" ", "T", 1) for text in written]
