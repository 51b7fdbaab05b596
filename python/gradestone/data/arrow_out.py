"""Parquet and Arrow out: the user's columns with the types that they have, and the verdicts as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Final

from gradestone.backends import export_reasoned
from gradestone.codes import CODE_INDEX, CODE_NAMES, CODES, Outcome
from gradestone.data.arrow_blocks import ArrowBlock, first_line
from gradestone.data.arrow_json import cells_of, unfit
from gradestone.data.arrow_sinks import Sink
from gradestone.data.blocks import Block, in_order
from gradestone.data.errors import OutputError
from gradestone.data.kept import (
    ColumnNames,
    Keep,
    as_texts,
    check_count,
    columns_may_change,
    kept_names,
    kept_texts,
    replace_surrogates,
)
from gradestone.data.output import WholeFile
from gradestone.data.splice import Place, Wordings
from gradestone.data.spool import Spool
from gradestone.data.strict_json import whole_text
from gradestone.data.verdict_columns import LONE_SURROGATES, VerdictLists, verdict_columns, verdict_lists
from gradestone.verdict import GradeBatch

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    from gradestone.backends import Graded


class ArrowWriter:
    """Writes rows as Parquet, an Arrow IPC file, or an Arrow IPC stream: the user's columns, then five a grader.

    Columns of Parquet and Arrow inputs keep their types. Columns of all others are text: a text as it is, a null as
    null, any other value as its JSON text; lone surrogates in it are written as U+FFFD, and the column
    ``lone_surrogates`` says where. Every column may hold nulls, since an unreadable row has no values. Scores are
    float64, ``passed`` is boolean, outcomes and codes are dictionaries. Metadata of the schema is not
    kept: it describes another table.

    Rows of JSON formats may show new columns up to the last one, and several files may differ: such rows are set aside
    on disk and written at the end, with nulls in the columns that they lack. A column whose type is not the same
    everywhere becomes text. Memory is constant, dictionaries aside.
    """

    def __init__(
        self, file: WholeFile, sink: Sink, keep: Keep, graders: Sequence[str], several: bool
    ) -> None:
        self._file = file
        self._sink = sink
        self._keep = keep
        self._graders = graders
        self._several = several
        self._added = [column for name in graders for column in verdict_columns(name)]
        self._wordings = Wordings(plain=True)
        self._names = ColumnNames()
        self._types: dict[str, pa.DataType] = {}
        self._flagged = False
        self._spool: Spool | None = None
        self._begun = False

    def write(self, block: Block, verdicts: Mapping[str, GradeBatch]) -> None:
        """Write a block's rows with their verdicts, or set them aside."""
        import pyarrow as pa

        with self._explained():
            kept, flags = self._kept(block)
            self._learn(block, kept, flags)
            columns = kept | ({LONE_SURROGATES: flags} if flags is not None else {})
            place = Place(block.unit, block.source if self._several else None)
            columns |= self._verdicts(block, verdicts, place)
            self._put(pa.RecordBatch.from_pydict(columns), block)

    def finish(self) -> None:
        """Write what was set aside, and the end of the file."""
        with self._explained():
            if not self._begun:
                self._begin()
            for message in self._spool or ():
                self._sink.write(self._conformed(_batch(message)))
            self._sink.close()
        if self._spool is not None:
            self._spool.close()

    def abandon(self) -> None:
        """Drop what was set aside, and what the file would end with."""
        if self._spool is not None:
            self._spool.close()
        self._sink.abandon()

    def _kept(self, block: Block) -> tuple[dict[str, pa.Array], pa.Array | None]:
        import pyarrow as pa

        names = kept_names(block, self._keep, self._added if block.fixed else [*self._added, LONE_SURROGATES])
        if isinstance(block, ArrowBlock):
            table = block.table.select(list(names))
            rows = table if not block.bad else table.take(_places(block))
            return dict(zip(names, rows.columns, strict=True)), None
        texts = kept_texts(block, names)
        flags = replace_surrogates(texts, len(block) + len(block.bad))
        arrays = {self._names.of(name): pa.array(column, pa.string()) for name, column in texts.items()}
        return arrays, None if block.fixed else pa.array(flags, pa.bool_())

    def _verdicts(
        self, block: Block, verdicts: Mapping[str, GradeBatch], place: Place
    ) -> dict[str, pa.Array]:
        """Return the columns of all graders, always with the same dictionaries: a file may have but one each."""
        if block.bad:
            lists = verdict_lists(block, verdicts, self._graders, place)
            arrays = {name: _verdict_arrays(told) for name, told in lists.items()}
        else:
            exported = {name: self._wordings.verdicts(name, verdicts[name]) for name in self._graders}
            arrays = {name: _exported(graded) for name, graded in exported.items()}
        named = (zip(verdict_columns(name), columns, strict=True) for name, columns in arrays.items())
        return dict(chain.from_iterable(named))

    def _learn(self, block: Block, kept: Mapping[str, pa.Array], flags: pa.Array | None) -> None:
        """Widen the columns so far by those of a block."""
        import pyarrow as pa

        self._flagged = self._flagged or flags is not None
        for name, array in kept.items():
            known = self._types.setdefault(name, array.type)
            if known == array.type or pa.types.is_null(array.type):
                continue
            for kind in (known, array.type):
                if unfit(kind) is not None:
                    raise OutputError(
                        f"{block.source}: column {name} is of the type {kind} in some files only"
                    )
            self._types[name] = array.type if pa.types.is_null(known) else pa.string()
        check_count(self._types)

    def _put(self, batch: pa.RecordBatch, block: Block) -> None:
        if not self._begun and self._spool is None:
            if columns_may_change(block, self._keep, self._several):
                self._spool = Spool(self._file)
            else:
                self._begin()
        if self._spool is None:
            self._sink.write(self._conformed(batch))
        else:
            self._spool.put(_message(batch))

    def _begin(self) -> None:
        import pyarrow as pa

        flag = {LONE_SURROGATES: pa.bool_()} if self._flagged else {}
        types = self._types | flag | _verdict_types(self._graders)
        self._schema = pa.schema(list(types.items()))
        self._begun = True
        self._sink.begin(self._schema)

    def _conformed(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return a batch with the columns of the file, in their order and types."""
        import pyarrow as pa

        if not set(batch.schema.names) <= set(self._schema.names):
            raise OutputError(f"cannot write {self._file.name}: the columns changed while the run went on")
        columns = [_column(batch, field) for field in self._schema]
        return pa.RecordBatch.from_arrays(columns, schema=self._schema)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn Arrow's refusals, such as of a type that Parquet lacks, into ours, which name the file."""
        import pyarrow as pa

        try:
            yield
        except pa.ArrowException as error:
            raise OutputError(f"cannot write {self._file.name}: {first_line(error)}") from None


def _places(block: ArrowBlock) -> pa.Array:
    """Return where each row of the output stands in the block's table; null for an unreadable one."""
    import pyarrow as pa

    rows: Iterable[int | None] = range(len(block))
    return pa.array(in_order(rows, block.bad, lambda _: None), pa.int64())


def _column(batch: pa.RecordBatch, field: pa.Field) -> pa.Array:
    import pyarrow as pa

    if field.name not in batch.schema.names:
        # Only rows of a table have no flags, and their text is whole.
        return (
            pa.array([False] * batch.num_rows)
            if field.name == LONE_SURROGATES
            else pa.nulls(batch.num_rows, field.type)
        )
    array = batch.column(field.name)
    if array.type == field.type:
        return array
    if pa.types.is_null(array.type):
        return pa.nulls(batch.num_rows, field.type)
    return pa.array(as_texts(cells_of(array, f"column {field.name}", finite=True)), pa.string())


_OUTCOMES: Final = [outcome.value for outcome in Outcome]
_OUTCOME_INDEX: Final = {slug: _OUTCOMES.index(code.outcome.value) for slug, code in CODES.items()}


def _verdict_types(graders: Sequence[str]) -> dict[str, pa.DataType]:
    import pyarrow as pa

    names = pa.dictionary(pa.int8(), pa.string())
    kinds = (pa.bool_(), pa.float64(), names, names, pa.string())
    return {
        column: kind for name in graders for column, kind in zip(verdict_columns(name), kinds, strict=True)
    }


class _Stream:
    """A capsule as pyarrow takes it."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._capsule


def _exported(graded: Graded) -> list[pa.Array]:
    """Return the five columns of a grader, put together by the extension."""
    import pyarrow as pa

    return [column.combine_chunks() for column in pa.table(_Stream(export_reasoned(graded))).columns]


def _verdict_arrays(verdicts: VerdictLists) -> list[pa.Array]:
    """Return the five columns of a grader from lists."""
    import pyarrow as pa

    outcomes = pa.array([_OUTCOME_INDEX[code] for code in verdicts.codes], pa.int8())
    codes = pa.array([CODE_INDEX[code] for code in verdicts.codes], pa.int8())
    return [
        pa.array(verdicts.passed, pa.bool_()),
        pa.array(verdicts.scores, pa.float64()),
        pa.DictionaryArray.from_arrays(outcomes, pa.array(_OUTCOMES)),
        pa.DictionaryArray.from_arrays(codes, pa.array(CODE_NAMES)),
        pa.array([whole_text(reason) for reason in verdicts.reasons], pa.string()),
    ]


def _message(batch: pa.RecordBatch) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _batch(message: bytes) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.ipc.open_stream(message).read_next_batch()
