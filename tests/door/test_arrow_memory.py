"""Arrow memory that is not what it says: damaged, foreign, used up. No row passes on what was not there."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from gradestone import grade_batch

HAS_A = {"type": "contains", "fragments": ["a"]}


def codes(column: Any) -> list[str]:
    return grade_batch(HAS_A, column).code.tolist()


def of_buffers(kind: pa.DataType, count: int, *buffers: bytes | None) -> pa.Array:
    """An array that nobody has looked at."""
    return pa.Array.from_buffers(
        kind, count, [None if buffer is None else pa.py_buffer(buffer) for buffer in buffers]
    )


def offsets(form: str, *places: int) -> bytes:
    return struct.pack(f"<{len(places)}{form}", *places)


class Stream:
    """A column that hands over the capsule that it was given."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.capsule


class Array:
    """The same for an array, whose struct may be tampered with."""

    def __init__(self, array: pa.Array) -> None:
        self.capsules = array.__arrow_c_array__()

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.capsules

    def struct(self) -> ctypes.Array[ctypes.c_int64]:
        """Its first five fields: length, null_count, offset, n_buffers, n_children."""
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        return (ctypes.c_int64 * 5).from_address(pointer(self.capsules[1], b"arrow_array"))


class TestTexts:
    @pytest.mark.parametrize("kind", [pa.string(), pa.large_string()], ids=str)
    def test_bytes_that_are_no_utf8(self, kind: pa.DataType) -> None:
        """A file's text column may hold them, and pyarrow hands them on: they are bytes, and bytes are not graded."""
        places = offsets("i" if kind == pa.string() else "q", 0, 1, 3, 4)
        column = of_buffers(kind, 3, None, places, b"aa\xffa")
        batch = grade_batch(HAS_A, column)
        assert batch.code.tolist() == ["ok", "not_json_value", "ok"]
        assert batch[1].outcome == "invalid"
        exact = grade_batch({"type": "exact_match"}, ["a"] * 3, references=column)
        assert exact.code.tolist() == ["ok", "invalid_reference", "ok"]

    def test_views_that_are_no_utf8(self) -> None:
        """In the view, and in a buffer behind it."""
        short = struct.pack("<i12s", 2, b"a\xff")
        long = struct.pack("<i4sii", 13, b"aaaa", 0, 0)
        fine = struct.pack("<i4sii", 13, b"aaaa", 0, 13)
        column = of_buffers(pa.string_view(), 3, None, short + long + fine, b"a" * 12 + b"\xff" + b"a" * 13)
        assert codes(column) == ["not_json_value", "not_json_value", "ok"]

    @pytest.mark.parametrize("places", [(0, 1, 90, 4), (0, 1, -1, 4), (0, 3, 1, 4)], ids=str)
    def test_offsets_that_lead_nowhere(self, places: tuple[int, ...]) -> None:
        """Beyond the text, before it, backwards: never read, and never a pass."""
        found = codes(of_buffers(pa.string(), 3, None, offsets("i", *places), b"aaaa"))
        assert found.count("internal_error") >= 1
        assert set(found) == {"ok", "internal_error"}

    @pytest.mark.parametrize("where", [(1, 0), (0, 2), (0, -1), (-1, 0)], ids=str)
    def test_views_that_lead_nowhere(self, where: tuple[int, int]) -> None:
        """A buffer that is not there, an offset beyond its end."""
        view = struct.pack("<i4sii", 13, b"aaaa", *where)
        assert codes(of_buffers(pa.string_view(), 1, None, view, b"a" * 14)) == ["internal_error"]

    def test_long_and_short_views(self) -> None:
        """Twelve bytes lie in the view, thirteen elsewhere; in several buffers, and in a slice."""
        cells = [letter * size for size in (0, 1, 11, 12, 13, 14, 600) for letter in ("a", "b", "é")]
        parts = [pa.array(cells[start::2], pa.string_view()) for start in (0, 1)]
        column = pa.concat_arrays(parts)
        expected = codes([*cells[0::2], *cells[1::2]])
        assert codes(column) == expected
        assert codes(column.slice(5)) == expected[5:]


class TestDictionaries:
    @pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.uint8(), pa.uint64()], ids=str)
    @pytest.mark.parametrize("key", [2, 100, -1, -128])
    def test_a_key_that_leads_nowhere(self, kind: pa.DataType, key: int) -> None:
        """Not the last entry, and not the neighbours' trouble either."""
        raw = b"".join((number % 256**size).to_bytes(size, "little") for size in [kind.bit_width // 8] for number in
                       (0, key, 1))  # fmt: skip
        keys = of_buffers(kind, 3, None, raw)
        column = pa.DictionaryArray.from_arrays(keys, pa.array(["b", "a"]), safe=False)
        assert codes(column) == ["missing_fragment", "internal_error", "ok"]

    def test_no_entries(self) -> None:
        """Nulls need none, a key needs one."""
        none = pa.array([], pa.string())
        nulls = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), none)
        assert codes(nulls) == ["missing_candidate"] * 2
        broken = pa.DictionaryArray.from_arrays(pa.array([None, 0], pa.int8()), none, safe=False)
        assert codes(broken) == ["missing_candidate", "internal_error"]

    def test_entries_that_are_no_texts(self) -> None:
        """Numbers, booleans, nulls behind keys."""
        assert codes(pa.array([5, None, 6]).dictionary_encode()) == [
            "missing_fragment", "missing_candidate", "missing_fragment",
        ]  # fmt: skip
        booleans = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array([False, True, None]))
        assert codes(booleans) == ["ok", "missing_fragment", "missing_candidate"]
        with pytest.raises(TypeError, match="of type Binary cannot be graded"):
            codes(pa.array([b"a"]).dictionary_encode())


class TestLists:
    def test_nested_lists_are_json(self) -> None:
        """Lists of lists have no text of their own kernel, and are graded as JSON."""
        column = pa.array([[["a"], []], [[]], None, []])
        assert codes(column) == codes([[["a"], []], [[]], None, []])

    @pytest.mark.parametrize("places", [(0, 1, 9, 2), (0, 2, 1, 2), (0, -1, 2, 2)], ids=str)
    def test_offsets_that_lead_nowhere(self, places: tuple[int, ...]) -> None:
        """A list is not filled up with what lies beside it, nor is it an empty one."""
        members = pa.array(["a", "a"])
        kind = pa.list_(pa.string())
        buffers = [None, pa.py_buffer(offsets("i", *places))]
        column = pa.Array.from_buffers(kind, 3, buffers, children=[members])
        for grader in ({"type": "context_f1", "expected": ["a"]}, {"type": "json_schema", "schema": {}}):
            own = {"columns": {"retrieved": column}} if grader["type"] == "context_f1" else {}
            found = grade_batch(grader, [""] * 3 if own else column, **own).code.tolist()
            assert "internal_error" in found
            assert set(found) <= {"ok", "internal_error", "empty_retrieved"}


class TestTypes:
    @pytest.mark.parametrize(
        ("column", "name"),
        [
            (pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), pa.array(["a"])), "RunEndEncoded"),
            (pa.array([1.0], pa.float16()), "Float16"),
            (pa.array([["a"]], pa.list_view(pa.string())), "ListView"),
            (pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int8())), "Map"),
            (pa.array([[{"a": 1}]]), "Struct"),
            (pa.array([b"a"], pa.binary_view()), "BinaryView"),
            (pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1], pa.int8())), "arrow.bool8 in Int8"),
            (
                pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"a" * 16], pa.binary(16))),
                "FixedSizeBinary",
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_what_is_no_text_is_refused_by_name(self, column: Any, name: str) -> None:
        """Also without rows, and where a number stands for something else."""
        for one in (column, column.slice(0, 0)):
            with pytest.raises(
                TypeError, match=f"candidates: an Arrow column of type .*{name}.* cannot be graded"
            ):
                codes(one)

    def test_json_is_text(self) -> None:
        """An extension of text is the text."""
        column = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a": 1}', None]))
        assert codes(column) == ["ok", "missing_candidate"]

    @pytest.mark.parametrize("count", [0, 1, 5_000])
    def test_the_null_type(self, count: int) -> None:
        """Nothing but nulls, in a slice too."""
        assert codes(pa.nulls(count + 1).slice(1)) == ["missing_candidate"] * count


class TestCapsules:
    def test_a_stream_is_consumed_once(self) -> None:
        """The second time it is refused, not an empty column."""
        column = Stream(pa.chunked_array([["a"], ["b"]]).__arrow_c_stream__())
        assert codes(column) == ["ok", "missing_fragment"]
        with pytest.raises(TypeError, match="candidates: the Arrow stream was consumed already"):
            codes(column)

    def test_an_array_is_consumed_once(self) -> None:
        """The same for a single array."""
        column = Array(pa.array(["a"]))
        assert codes(column) == ["ok"]
        with pytest.raises(TypeError, match="candidates: the Arrow array was consumed already"):
            codes(column)

    @pytest.mark.parametrize(
        "capsule", [None, 5, pa.array(["a"]).__arrow_c_array__()[0]], ids=["None", "5", "schema"]
    )
    def test_what_is_no_stream(self, capsule: object) -> None:
        """No capsule, or one of something else."""
        with pytest.raises((TypeError, ValueError)):
            codes(Stream(capsule))

    def test_a_column_that_raises(self) -> None:
        """Its own error is what the caller sees."""

        class Broken:
            def __arrow_c_stream__(self, requested_schema: object = None) -> object:
                raise LookupError("the producer's own")

        with pytest.raises(LookupError, match="the producer's own"):
            codes(Broken())

    def test_a_table_is_refused_before_it_is_read(self) -> None:
        """A stream of rows is no column; whatever makes it is not asked for any."""
        asked = []

        def batches() -> Any:
            asked.append(1)
            yield pa.record_batch({"a": ["a"]})

        reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.string())]), batches())
        with pytest.raises(TypeError, match="Struct"):
            codes(reader)
        assert asked == []

    @pytest.mark.parametrize(
        ("field", "value"), [(0, -1), (0, -(2**63)), (0, 2**63 - 1), (3, 0), (3, 2)], ids=str
    )
    def test_a_struct_that_cannot_be(self, field: int, value: int) -> None:
        """Lengths and numbers of buffers that no array has are an error, and no crash."""
        column = Array(pa.array(["a", "b"]))
        column.struct()[field] = value
        with pytest.raises(TypeError, match=r"candidates: .+"):
            codes(column)


class _CStream(ctypes.Structure):
    """The C stream interface."""


_GET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_CStream), ctypes.c_void_p)
_TELL = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_CStream))
_END = ctypes.CFUNCTYPE(None, ctypes.POINTER(_CStream))
_CStream._fields_ = [
    ("get_schema", _GET), ("get_next", _GET), ("get_last_error", _TELL), ("release", _END), ("data", ctypes.c_void_p),
]  # fmt: skip


class Producer:
    """A stream of texts made by Python, which breaks off with a text of its own, or has no schema at all."""

    def __init__(self, message: bytes | None, *, has_schema: bool) -> None:
        self.released = 0
        message_buffer = None if message is None else ctypes.create_string_buffer(message)
        reader = pa.chunked_array([["a"]]).__arrow_c_stream__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        inner = _CStream.from_address(pointer(reader, b"arrow_array_stream"))

        def get_schema(_: Any, out: int) -> int:
            return inner.get_schema(ctypes.byref(inner), out) if has_schema else 5

        def get_last_error(_: Any) -> int | None:
            return None if message_buffer is None else ctypes.addressof(message_buffer)

        def release(stream: Any) -> None:
            self.released += 1
            ctypes.memset(ctypes.addressof(stream.contents) + _CStream.release.offset, 0, ctypes.sizeof(_END))

        callbacks = _GET(get_schema), _GET(lambda *_: 5), _TELL(get_last_error), _END(release)
        self._kept = reader, message_buffer, callbacks, _CStream(*callbacks, None)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self._name = b"arrow_array_stream"
        self._capsule = make(ctypes.addressof(self._kept[3]), self._name, None)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (b"row 900 could not be read", "row 900 could not be read"),
        (b"first line\nTraceback (most recent call last):\n  File ...", "first line"),
        (b"Invalid: no. Detail: Python exception: Traceback (most recent call last):\n ...", "Invalid: no"),
        (b"\xff is no text", "\ufffd is no text"),
        (None, "no reason is given"),
    ],
)
def test_a_stream_that_breaks_off(message: bytes | None, told: str) -> None:
    """The producer's own words, its traceback left out; what it made is given back to it."""
    cases: list[tuple[bool, Callable[[str], str]]] = [
        (True, lambda text: f"candidates: the Arrow stream broke off: {text}"),
        (False, lambda text: f"candidates: the Arrow stream has no schema: {text}"),
    ]
    for has_schema, sentence in cases:
        producer = Producer(message, has_schema=has_schema)
        with pytest.raises(TypeError) as caught:
            codes(producer)
        assert str(caught.value) == sentence(told)
        assert producer.released == 1
