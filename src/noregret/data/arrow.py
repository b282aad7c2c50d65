"""Parquet, Arrow IPC, Feather, and anything that speaks the Arrow C stream, by record batches."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from noregret.data import parquet
from noregret.data.ahead import in_order, require_own_process
from noregret.data.arrow_cells import pyarrow
from noregret.data.arrow_columns import columns_of
from noregret.data.arrow_lists import Listed
from noregret.data.arrow_rows import Laid, lay_out, lay_out_pages, wanted_of_pages
from noregret.data.columns import Columns
from noregret.data.labels import Labels, Value
from noregret.data.naming import NamedStream
from noregret.data.reading import Reading, kinds_of
from noregret.errors import BadFile, BadInput, BadType
from noregret.rounds import Batch

CELLS = 1 << 21  # in a batch, about
LEAST_ROWS, MOST_ROWS = 1 << 8, 1 << 16


class ArrowStream(NamedStream):
    """The rows of Parquet or Arrow files, or of a table in memory."""

    takes = frozenset(("label", "kinds", "bits"))
    _schema: Any = None  # of the file that is read
    _present = Columns({})  # what columns it has
    _listed = Listed(_present)
    _used_up = False
    _wanted: parquet.Wanted | None = None  # of the pages of a Parquet file

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
        """Yield the rows of one file; they are laid out by threads ahead of whoever learns from them."""
        size = self.size // max(len(self.paths), 1)
        done = 0
        with closing(self._laid_out(path)) as found:
            for laid, rows in found:
                count = len(laid.codes)
                consumed = size * count // rows if rows else 0
                where = partial(_where, path, done, laid.places)
                made = replace(self._made(laid, count), where=where, consumed=consumed)
                yield from self._good(made, laid)
                for odd in laid.odd:
                    self.fault(BadFile(f"{_where(path, done, None, odd.at)}: {odd}"))
                done += count + len(laid.odd)

    def _laid_out(self, path: Path) -> Generator[tuple[Laid, int], None, None]:
        """Lay the rows of a file out, and say how many there are in all."""
        source = self._parquet(path) if self.format == "parquet" else self._record_batches(path)
        process = os.getpid()
        for item in source:
            if not self._is_read(item[0]):
                yield from self._by_threads(path, chain([item], source))
                return
            yield self._lay_out(path, item)
            require_own_process(process)

    def _is_read(self, piece: Any) -> bool:
        """Say whether nothing is left to do for it that would be worth a thread."""
        read = isinstance(piece, parquet.PagedRows) and piece.ahead is not None
        return read and self._wanted is not None and self._wanted.plain

    def _by_threads(
        self, path: Path, source: Iterator[tuple[Any, int]]
    ) -> Generator[tuple[Laid, int], None, None]:
        def take(_: bytearray) -> tuple[Any, int] | None:
            return next(source, None)

        return in_order(take, partial(self._lay_out, path), lend=self.replayable)

    def _good(self, made: Batch, laid: Laid) -> Iterator[Batch]:
        """Yield the rows that are good, unless an odd cell stops at its row: then those before it."""
        if not laid.odd:
            return self.labelled(made, laid.codes, laid.words)
        before = [int(np.searchsorted(laid.places, odd.at)) for odd in laid.odd]
        self.gaps += [self.done + at for at in before] if self.find_gaps else []
        stop = len(laid.codes) if self.skip else before[0]
        return self.labelled(made.part(0, stop), laid.codes[:stop], laid.words)

    def _parquet(self, path: Path) -> Iterator[tuple[Any, int]]:
        """Yield record batches, or what makes some, and how many rows there are in all."""
        with _refused(path, self.format):
            file = parquet.opened(path)
            rows = file.metadata.num_rows
        if rows == 0:
            return  # it tells nothing of any column
        self._plan(path, file.schema_arrow)
        names = [name for name, kind in self._present.kinds.items() if kind != "drop"]
        size, texts = _batch_size(len(names)), self._present.of("text")
        self._wanted = wanted_of_pages(self._present)
        with _refused(path, self.format):
            for piece in parquet.pieces(path, file, names, size, texts, self._wanted):
                yield piece, rows

    def _record_batches(self, path: Path) -> Iterator[tuple[Any, int]]:
        """Yield record batches; nobody knows how many rows there are, which is told as 0."""
        arrow = pyarrow()
        with _refused(path, self.format):
            if self._used_up:
                raise BadInput(
                    "a reader gives its rows once, and it has; a stream of a table can be read again"
                )
            if self.table is None:
                source = _ipc(arrow, path)
            else:
                self._used_up = not self.replayable
                source = iter(arrow.RecordBatchReader.from_stream(self.table))
        while True:
            with _refused(path, self.format):
                batch = next(source, None)
            if batch is None:
                return
            self._plan(path, batch.schema)
            size = _batch_size(batch.num_columns)
            for begin in range(0, batch.num_rows, size):
                yield batch.slice(begin, size), 0

    def _plan(self, path: Path, schema: Any) -> None:
        """Tell what the columns of a file are; those that an earlier file had are what they were."""
        if self._schema is not None and self._schema.equals(schema):
            return
        found = columns_of(path, schema, self.columns, self.reading, self.need_label, self.said)
        before = {} if self.columns is None else self.columns.kinds
        self.columns = Columns({**before, **found.kinds})
        self._present = Columns(
            {name: kind for name, kind in self.columns.kinds.items() if name in found.kinds}
        )
        self._listed = Listed(self._present)
        self._schema = schema

    def _lay_out(self, path: Path, item: tuple[Any, int]) -> tuple[Laid, int]:
        batch, rows = item
        with _refused(path, self.format):
            if isinstance(batch, parquet.PagedRows):
                laid = None if self._wanted is None else lay_out_pages(batch, self._listed, self._wanted)
                if laid is not None:
                    return laid, rows
                batch = pyarrow().record_batch(batch)
            return lay_out(batch, self._listed), rows

    def _made(self, laid: Laid, rows: int) -> Batch:
        if laid.starts is not None:
            return self.sparse(laid.values, laid.features, laid.starts, laid.names)
        if self.names is not None and not laid.holes and (laid.features >= 0).all():
            return Batch(laid.values, np.empty(rows), names=laid.names)  # whose width is known
        return self.tabled(laid.values, laid.features, laid.names, laid.holes)


def _batch_size(columns: int) -> int:
    """How many rows to take at once, so that a wide table needs no more memory than a narrow one."""
    return max(LEAST_ROWS, min(CELLS // max(columns, 1), MOST_ROWS))


def _ipc(arrow: Any, path: Path) -> Iterator[Any]:
    """Read Arrow's own format, as a file (Feather is that too) or as a stream.

    Arrow takes the places that are written there on trust: in a damaged file they point anywhere.
    """
    with arrow.OSFile(str(path)) as file:
        if file.read(6) == b"ARROW1":
            file.seek(0)
            reader = arrow.ipc.open_file(file)
            batches = (reader.get_batch(k) for k in range(reader.num_record_batches))
        else:
            file.seek(0)
            batches = iter(arrow.ipc.open_stream(file))
        for batch in batches:
            batch.validate(full=True)
            yield batch


def from_table(
    table: Any,
    *,
    label: str | int | None = None,
    positive: Value | None = None,
    task: str = "binary",
    drop: Sequence[str | int] = (),
    numeric: Sequence[str | int] = (),
    categorical: Sequence[str | int] = (),
    text: Sequence[str | int] = (),
    bits: int | None = None,
) -> ArrowStream:
    """Make a stream of a table in memory: pandas, polars, pyarrow, or any object that is an Arrow stream.

    The columns are what they would be in a file, see `noregret.read`; so are `label`, `positive` and `task`,
    which is "multiclass" or "regression" where labels are more than two classes or numbers to be predicted.
    The index of a pandas frame is left out, unless its name is the label or in one of the lists. Columns that
    pandas calls by numbers may be named by these.
    """
    if not hasattr(table, "__arrow_c_stream__"):
        raise BadType(
            f"a {type(table).__name__} is not a table; one has __arrow_c_stream__, as pandas and polars do"
        )
    kinds = kinds_of(numeric=numeric, categorical=categorical, text=text, drop=drop)
    reading = Reading(None if label is None else str(label), kinds, bits)
    stream = ArrowStream([], Labels(positive, task=task), reading, table=table)
    stream.said = stream.reading
    return stream


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


def _where(path: Path, done: int, places: Any, row: int) -> str:
    return f"{path}, row {done + (row if places is None else int(places[row])) + 1}"
