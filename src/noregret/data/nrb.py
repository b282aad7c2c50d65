"""The binary format .nrb: rows that were parsed once, and are read again at the speed of the disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from noregret import _core
from noregret.data.ahead import in_order
from noregret.data.features import HASH_VERSION, MOST_NAMES
from noregret.data.labels import Labels
from noregret.data.nrb_file import (
    END,
    NAMES,
    ROWS,
    START,
    TAIL,
    TAIL_MARK,
    Part,
    Parts,
    read_json,
    write_json,
)
from noregret.data.reading import Memory, Reading
from noregret.data.stream import DataStream
from noregret.errors import BadCommand, BadFile, BadInput
from noregret.rounds import Batch

VALUES = 300_000  # of a block: enough to be fast, few enough to stay in the processor's cache


class NrbWriter:
    """Writes the rows of one stream to an open file."""

    def __init__(self, file: BinaryIO) -> None:
        """Begin the file."""
        self.file = file
        self.rows = 0
        self.width = -1
        self._columns: dict[str, int] | None = None  # by name
        self._waiting: list[Batch] = []  # rows that are not written yet
        self._waits = 0  # how much that is
        file.write(START)

    def add(self, batch: Batch) -> None:
        """Write the rows of a batch, with those of its neighbours where they are few."""
        batch = self._numbered(batch if batch.indices is not None else _sparse(batch))
        self.width = max(self.width, batch.width)
        self.rows += len(batch)
        if self._waiting and (not _alike(batch, self._waiting[0]) or self._waits + _size(batch) > VALUES):
            self._write()
        self._waiting.append(batch)
        self._waits += _size(batch)

    def _write(self) -> None:
        """Write the rows that wait for neighbours, in blocks."""
        batch = _joined(self._waiting)
        self._waiting, self._waits = [], 0
        begin = 0
        while begin < len(batch):
            end = _until(batch, begin)
            part = batch.part(begin, end)
            matrix = _core.Matrix(part.values, part.indices, part.starts)
            self.file.write(_core.encode_nrb(matrix, part.labels, part.weights, part.groups))
            begin = end

    def close(self, meaning: dict[str, Any]) -> None:
        """Write the end, which says what the rows mean."""
        if self._waiting:
            self._write()
        about = {"rows": self.rows, "width": self.width, "named": self._columns is not None}
        place = self.file.tell()
        write_json(self.file, END, {**meaning, **about, "hash": HASH_VERSION})
        self.file.write(TAIL.pack(place, TAIL_MARK))

    def _numbered(self, batch: Batch) -> Batch:
        """Number the columns of a batch as this file does; new names are written first."""
        if batch.names is None:
            return batch
        self._columns = {} if self._columns is None else self._columns
        known = len(self._columns)
        lasting = isinstance(batch.names, _core.Vocabulary)  # the names of the whole stream, in its order
        listed = [batch.names[k] for k in range(known if lasting else 0, len(batch.names))]
        columns = [self._columns.setdefault(name, len(self._columns)) for name in listed]
        if len(self._columns) > known:
            write_json(self.file, NAMES, list(self._columns)[known:])
        if lasting or batch.indices is None:
            return batch
        return replace(batch, indices=np.array(columns, dtype=np.int64)[batch.indices])


class NrbStream(DataStream):
    """The rows of an .nrb file. It knows its labels, and how its data was read."""

    format = "nrb"
    names: _core.Vocabulary | None = None
    remedy = "convert the data again"  # of a file that is damaged

    def __init__(
        self, paths: Sequence[Path], labels: Labels, reading: Reading | None = None, skip: bool = False
    ) -> None:
        """Look at the end of the file; one is read at a time."""
        super().__init__(paths, labels, reading, skip)
        if len(self.paths) != 1:
            raise BadCommand("one .nrb file is read at a time; convert several files into one")
        with closing(Parts(self.paths[0])) as parts:
            meaning = parts.meaning
        try:
            require_fresh(self.paths[0], meaning)
            kept = Labels.from_json(meaning["labels"])
            self.kept = Reading.from_json(meaning["reading"])
            memory = Memory(f"{self.paths[0]} was made", "the command or the model")
            self.reading = self.reading.after(self.kept, memory)
            self.rows, self.width, self.named = (
                int(meaning["rows"]),
                int(meaning["width"]),
                bool(meaning["named"]),
            )
            self.made_of = str(meaning["format"])
            self.passed_over = int(meaning["skipped"])  # bad rows, when it was made
            if self.reading.bits is not None and meaning["hash"] != HASH_VERSION:
                raise BadFile(
                    f"{self.paths[0]}: its names were hashed in another way; convert the data again"
                )
        except (KeyError, TypeError, ValueError) as problem:
            if isinstance(problem, BadInput | BadCommand):
                raise
            raise BadFile(f"{self.paths[0]}: its end is damaged; convert the data again") from None
        known = labels.classes
        _adopt(self.paths[0], labels, kept)
        labels.join(known)  # a model may know more classes than the file has

    def require_taken(self, said: Reading) -> None:
        """Refuse to read rows in another way than they were read when the file was made."""
        said.require_within(self.kept, Memory(f"{self.paths[0]} was made"))

    def describe(self) -> str:
        """Say what it is, and what it was made of."""
        return f"nrb, made of {self.made_of}"

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows."""
        if self.named and self.names is None:
            self.names = _core.Vocabulary(MOST_NAMES)
        row, names = 0, 0
        with (
            closing(Parts(path)) as parts,
            closing(in_order(partial(_take, parts), _work, lend=True)) as found,
        ):
            try:
                for part in found:
                    if isinstance(part, list):
                        names = self._add(part, names)
                        continue
                    batch = self._batch(path, row, part)
                    row += len(batch)
                    yield batch
            except BadFile as problem:
                raise BadFile(f"{path}: {problem}; {self.remedy}") from None
            if row != self.rows:
                raise BadFile(f"{path}: it has {row:,} rows and should have {self.rows:,}; {self.remedy}")

    def _add(self, fresh: list[str], count: int) -> int:
        """Give new names their columns; played again, they have them already."""
        if self.names is None or [self.names.add(name) for name in fresh] != list(
            range(count, count + len(fresh))
        ):
            raise BadFile("a part of it is damaged: its names are out of order")
        return count + len(fresh)

    def _batch(self, path: Path, row: int, parsed: Any) -> Batch:
        block, size = parsed
        labels, weights, groups = block.labels(), block.weights(), block.groups()
        values, indices, starts, _ = block.take()
        return Batch(
            values,
            labels,
            indices,
            starts,
            self.width,
            weights,
            self.names,
            partial(self.where, path, row),
            size,
            self.class_table,
            groups=groups,
        )

    def where(self, path: Path, first: int, row: int) -> str:
        """Say where a row is."""
        return f"{path}, row {first + row + 1}"


def require_fresh(path: Path, meaning: dict[str, Any]) -> None:
    """Refuse a file whose data has changed since it was made; data that is gone cannot have."""
    for told in meaning["sources"]:
        source = Path(told["path"])
        try:
            status = source.stat()
        except OSError:
            continue
        if (status.st_size, status.st_mtime_ns) != (told["size"], told["changed"]):
            raise BadFile(f"{path}: {source} has changed since this was made of it; convert it again")


def stamps_of(stream: DataStream) -> list[dict[str, Any]]:
    """Tell the files of a stream as they are now; asked before they are read, no change escapes it."""
    spooled = {spool.path for spool in stream.spools}
    files = [path for path in stream.paths if path.is_file() and path not in spooled]
    sources = [(path.resolve(), path.stat()) for path in files]
    return [
        {
            "path": str(path),
            "size": status.st_size,
            "changed": status.st_mtime_ns,
            "touched": status.st_ctime_ns,
        }
        for path, status in sources
    ]


def meaning_of(stream: DataStream, sources: list[dict[str, Any]]) -> dict[str, Any]:
    """Say what the rows of a stream mean, and which files they came from."""
    return {
        "format": stream.format,
        "labels": stream.labels.as_json(),
        "reading": stream.settled.as_json(),
        "skipped": stream.skipped,
        "sources": sources,
    }


def _take(parts: Parts, room: bytearray) -> Part | None:
    part = parts.next(room)
    return None if part.kind == END else part


def _work(part: Part) -> Any:
    return (_core.decode_nrb(part.text), len(part.text)) if part.kind == ROWS else read_json(part)


def _adopt(path: Path, labels: Labels, kept: Labels) -> None:
    """Take over how the file writes its labels; what was asked for must agree with it."""
    if labels.task != kept.task or (labels.positive is not None and labels.positive != kept.positive):
        raise BadCommand(f"{path} was made for other labels ({kept.describe()}); convert the data again")
    labels.__dict__.update(kept.__dict__ | {"asker": labels.asker})


def _sparse(batch: Batch) -> Batch:
    """Write a dense batch, or a table, as sparse rows, zeros and all."""
    if batch.features is not None:
        return batch.flat()
    values, indices, starts = batch.cells()
    return replace(batch, values=values, indices=indices, starts=starts)


def _size(batch: Batch) -> int:
    """Count the values, and the rows, which may have none."""
    return len(batch) + (0 if batch.starts is None else int(batch.starts[-1] - batch.starts[0]))


def _alike(one: Batch, other: Batch) -> bool:
    """Whether the rows of both fit into one block."""
    told = [(batch.values.dtype, batch.weights is None, batch.groups is None) for batch in (one, other)]
    return told[0] == told[1]


def _joined(batches: Sequence[Batch]) -> Batch:
    """Put sparse rows one behind the other; their names have gone before them."""
    if len(batches) == 1:
        return batches[0]
    cells = [batch.cells() for batch in batches]
    ends = np.cumsum([0, *(len(values) for values, _, _ in cells)])
    later = [starts[1:] + end for (_, _, starts), end in zip(cells, ends, strict=False)]
    first = batches[0]
    columns = np.concatenate([columns for _, columns, _ in cells])
    return Batch(
        np.concatenate([values for values, _, _ in cells]),
        np.concatenate([batch.labels for batch in batches]),
        columns,
        np.concatenate([[0], *later]).astype(columns.dtype),
        weights=None if first.weights is None else np.concatenate([batch.weights for batch in batches]),
        groups=None if first.groups is None else np.concatenate([batch.groups for batch in batches]),
    )


def _until(batch: Batch, begin: int) -> int:
    """Where a block that begins here ends: at least one row, and not too many values."""
    if batch.starts is None:
        return len(batch)
    full = np.searchsorted(batch.starts, batch.starts[begin] + VALUES, side="right") - 1
    return max(begin + 1, int(full))
