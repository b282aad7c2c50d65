"""Parquet, Arrow IPC, Feather, and anything that speaks the Arrow C stream, by record batches.

Numbers are taken out of Arrow's memory as they lie; words are encoded by Arrow, and Python sees each
different word of a batch once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from noregret.data.columns import Columns, plan
from noregret.data.labels import Labels, Value
from noregret.data.naming import NamedStream
from noregret.data.reading import Reading, kinds_of
from noregret.data.words import words
from noregret.errors import BadFile, BadType, MissingExtra
from noregret.rounds import Batch

ROWS = 1 << 13  # rows a batch: few enough to stay in the processor's cache


class ArrowStream(NamedStream):
    """The rows of Parquet or Arrow files, or of a table in memory."""

    def __init__(
        self,
        paths: Sequence[Path],
        labels: Labels,
        reading: Reading | None = None,
        skip: bool = False,
        *,
        format: str = "arrow",
        table: Any = None,
    ) -> None:
        """Files, or a table: an object with `__arrow_c_stream__`."""
        super().__init__(paths if table is None else [Path("the table")], labels, reading, skip)
        self.format = format
        self.table = table
        if table is not None:
            self.replayable = not hasattr(table, "read_next_batch")  # a reader is used up

    @property
    def size(self) -> int:
        """Bytes on disk, for progress."""
        return super().size if self.table is None else 0

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        size = self.size // max(len(self.paths), 1)
        done = 0
        for batch, rows in self._record_batches(path):
            self._plan(path, batch.schema)
            made, codes, told = self._batch(path, batch, done, size * batch.num_rows // max(rows, 1))
            yield from self.labelled(made, codes, told)
            done += batch.num_rows

    def _record_batches(self, path: Path) -> Iterator[tuple[Any, int]]:
        """Yield record batches, and how many rows there are in all (0 when nobody knows)."""
        arrow = pyarrow()
        with _refused(path, self.format):
            if self.table is not None:
                reader = arrow.RecordBatchReader.from_stream(self.table)
                source, rows = iter(reader), 0
            elif self.format == "parquet":
                from pyarrow.parquet import ParquetFile

                file = ParquetFile(path)
                source, rows = file.iter_batches(ROWS), file.metadata.num_rows
            else:
                source, rows = _ipc(arrow, path), 0
        while True:
            with _refused(path, self.format):
                batch = next(source, None)
            if batch is None:
                return
            for begin in range(0, batch.num_rows, ROWS):
                yield batch.slice(begin, ROWS), rows

    def _plan(self, path: Path, schema: Any) -> None:
        if self.columns is not None and list(self.columns.kinds) == schema.names:
            return
        types = pyarrow().types
        numeric, dropped = [], []
        for column in schema:
            kind = column.type.value_type if types.is_dictionary(column.type) else column.type
            numeric.append(_is_number(types, kind))
            if not numeric[-1] and not _is_word(types, kind):
                dropped.append(column.name)
        said = [name for name in dropped if self.reading.kinds.get(name) != "drop"]
        if said:
            kind = schema.field(said[0]).type
            raise BadFile(
                f"{path}: column '{said[0]}' holds {kind}, which is neither a number nor a word; --drop it"
            )
        if len(set(schema.names)) < len(schema.names):
            raise BadFile(f"{path}: two columns have the same name")
        self.columns = plan(str(path), schema.names, numeric, self.reading, need_label=self.need_label)

    def _batch(self, path: Path, batch: Any, done: int, consumed: int) -> tuple[Batch, Any, list[Any]]:
        columns = self.columns or Columns({})
        place = partial(_where, path, done)
        numbers = columns.of("numeric")
        codes: Any = np.full(batch.num_rows, -1)
        told: list[Any] = []
        if columns.label is not None:
            codes, told = _encoded(batch.column(columns.label))
        dense = not columns.of("categorical") and not columns.of("text") and self.names is not None
        if dense and all(_missing(batch.column(name)) is None for name in numbers):
            made = Batch(_dense(batch, numbers), np.empty(batch.num_rows), names=numbers)
        else:
            made = self.sparse(*_laid_out(batch, columns))
        return replace(made, where=place, consumed=consumed), codes, told


def _dense(batch: Any, names: list[str]) -> Any:
    values = np.empty((batch.num_rows, len(names)))
    for j, name in enumerate(names):
        values[:, j] = _numbers(batch.column(name))
    return values


def _laid_out(batch: Any, columns: Columns) -> tuple[Any, Any, Any, list[str]]:
    """Lay the columns side by side, with the missing cells left out: values, features, starts, names."""
    rows = batch.num_rows
    names: dict[str, int] = {}
    parts: list[_Part] = []
    for name, kind in columns.kinds.items():
        if kind == "numeric":
            parts.append(_number_part(batch.column(name), names.setdefault(name, len(names))))
        elif kind == "categorical":
            parts.append(_word_part(batch.column(name), name, names))
        elif kind == "text":
            parts.append(_text_part(batch.column(name), name, names))
    whole = all(part.rows is None and part.counts is None for part in parts)
    features, values, starts = (_whole if whole else _ragged)(parts, rows)
    return values, features, starts, list(names)


def _whole(parts: list[_Part], rows: int) -> tuple[Any, Any, Any]:
    """Every column has one feature in every row."""
    features, values = np.empty((rows, len(parts)), dtype=np.int32), np.empty((rows, len(parts)))
    for j, part in enumerate(parts):
        features[:, j], values[:, j] = part.features, part.values
    return features.ravel(), values.ravel(), np.arange(rows + 1, dtype=np.int32) * np.int32(len(parts))


def _ragged(parts: list[_Part], rows: int) -> tuple[Any, Any, Any]:
    """Rows have as many features as they have."""
    lengths = np.zeros(rows, dtype=np.int32)
    for part in parts:
        lengths += 1 if part.counts is None and part.rows is None else part.per_row
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    features, values = np.empty(starts[-1], dtype=np.int32), np.empty(starts[-1])
    free = starts[:-1].copy()  # where the next cell of each row goes
    for part in parts:
        if part.counts is not None:
            within = np.arange(len(part.features)) - np.repeat(
                np.cumsum(part.counts) - part.counts, part.counts
            )
            to = np.repeat(free, part.counts) + within
        else:
            to = free if part.rows is None else free[part.rows]
        features[to], values[to] = part.features, part.values
        free += 1 if part.counts is None and part.rows is None else part.per_row
    return features, values, starts


@dataclass(frozen=True)
class _Part:
    """The features that one column gives: one to each row, one to some rows, or any number to each."""

    features: Any
    values: Any
    rows: Any = None  # True where a row has one, if some have none
    counts: Any = None  # how many each row has, if it may be several

    @property
    def per_row(self) -> Any:
        """How many features each row has."""
        return self.rows if self.counts is None else self.counts


def _number_part(column: Any, feature: int) -> _Part:
    values, missing = _numbers(column), _missing(column)
    if missing is None:
        return _Part(feature, values)
    return _Part(feature, values[~missing], ~missing)


def _word_part(column: Any, name: str, names: dict[str, int]) -> _Part:
    codes, told = _encoded(column)
    places = np.array(
        [names.setdefault(f"{name}={_written(word)}", len(names)) for word in told], dtype=np.int32
    )
    there = codes >= 0
    return _Part(places[codes], 1.0) if there.all() else _Part(places[codes[there]], 1.0, there)


def _text_part(column: Any, name: str, names: dict[str, int]) -> _Part:
    found = [words(name, cell or "") for cell in column.to_pylist()]
    flat = [names.setdefault(word, len(names)) for row in found for word, _ in row]
    counts = np.array([len(row) for row in found], dtype=np.int32)
    return _Part(np.array(flat, dtype=np.int32), 1.0, counts=counts)


def _numbers(column: Any) -> Any:
    """Give a column as numbers; what stands in place of a missing one does not matter."""
    arrow = pyarrow()
    if arrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if arrow.types.is_boolean(column.type) or arrow.types.is_decimal(column.type):
        column = column.cast(arrow.float64())
    if column.null_count:
        column = column.fill_null(0)
    return column.to_numpy(zero_copy_only=False)


def _missing(column: Any) -> Any:
    """Where a cell is missing, null or NaN; None when none is."""
    if not column.null_count and not pyarrow().types.is_floating(column.type):
        return None
    missing = column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
    return missing if missing.any() else None


def _encoded(column: Any) -> tuple[Any, list[Any]]:
    """Give the place of each cell in the list of different cells, −1 for a missing one; and the list."""
    arrow = pyarrow()
    coded = column if arrow.types.is_dictionary(column.type) else column.dictionary_encode()
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    told = [int(word) if isinstance(word, bool) else word for word in coded.dictionary.to_pylist()]
    missing = [place for place, word in enumerate(told) if word is None or word != word]
    if missing:
        codes = np.where(np.isin(codes, missing), -1, codes)
        told = [0 if word is None or word != word else word for word in told]
    return codes, told


def _written(word: Any) -> str:
    return word if isinstance(word, str) else f"{word:g}" if isinstance(word, float) else str(word)


def _is_number(types: Any, kind: Any) -> bool:
    return any(
        test(kind) for test in (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    )


def _is_word(types: Any, kind: Any) -> bool:
    tests = [types.is_string, types.is_large_string, getattr(types, "is_string_view", types.is_string)]
    return any(test(kind) for test in tests)


def _ipc(arrow: Any, path: Path) -> Iterator[Any]:
    """Read Arrow's own format, as a file (Feather is that too) or as a stream."""
    with arrow.OSFile(str(path)) as file:
        if file.read(6) == b"ARROW1":
            file.seek(0)
            reader = arrow.ipc.open_file(file)
            for k in range(reader.num_record_batches):
                yield reader.get_batch(k)
        else:
            file.seek(0)
            yield from arrow.ipc.open_stream(file)


def from_table(
    table: Any,
    *,
    label: str | None = None,
    positive: Value | None = None,
    task: str = "binary",
    drop: Sequence[str] = (),
    numeric: Sequence[str] = (),
    categorical: Sequence[str] = (),
    text: Sequence[str] = (),
    bits: int | None = None,
) -> ArrowStream:
    """Make a stream of a table in memory: pandas, polars, pyarrow, or any object that is an Arrow stream.

    The columns are what they would be in a file, see `noregret.read`.
    """
    if not hasattr(table, "__arrow_c_stream__"):
        raise BadType(
            f"a {type(table).__name__} is not a table; one has __arrow_c_stream__, as pandas and polars do"
        )
    kinds = kinds_of(numeric=numeric, categorical=categorical, text=text, drop=drop)
    return ArrowStream([], Labels(positive, task=task), Reading(label, kinds, bits), table=table)


@contextmanager
def _refused(path: Path, format: str) -> Iterator[None]:
    """Say in a sentence what pyarrow says in several."""
    arrow = pyarrow()
    try:
        yield
    except PermissionError:
        raise BadFile(f"{path}: permission denied") from None
    except (arrow.ArrowException, OSError, ValueError, TypeError) as problem:
        first = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise BadFile(f"{path}: it cannot be read as {format} ({first})") from None


def pyarrow() -> Any:
    """Import pyarrow, or say how to get it."""
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError:
        raise MissingExtra("Parquet and Arrow need pyarrow: pip install 'noregret[parquet]'") from None
    return pyarrow


def _where(path: Path, done: int, row: int) -> str:
    return f"{path}, row {done + row + 1}"
