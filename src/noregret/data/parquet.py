"""Parquet files, a page at a time.

pyarrow tells what is in a file; the core takes the cells out of the pages. That holds what is wanted in
memory and little else, and threads work on several pieces side by side. Row groups with columns, encodings or
compressions of rarer kinds are left to pyarrow, and files of many small ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from noregret import _core
from noregret.data.arrow_cells import is_word, pyarrow

FEW = 1 << 13  # rows; pyarrow puts groups of fewer together, and there is little to read of each
MOST_THREADS = 8  # which read as fast as anybody learns; each has two pieces in memory
# Read a piece at a time: pyarrow would have all of a row group in memory before the first row of it.
PIECES = {"pre_buffer": False, "buffer_size": 1 << 16}


def _streamed(codec: str) -> Callable[[memoryview, memoryview], int]:
    def decompress(packed: memoryview, to: memoryview) -> int:
        arrow = pyarrow()
        with arrow.CompressedInputStream(arrow.BufferReader(arrow.py_buffer(packed)), codec) as stream:
            count: int = stream.readinto(to)
        return count

    return decompress


def _codecs(zstd: bool) -> dict[int, Any]:
    """List compressions by Parquet's numbers: the core knows snappy, and mostly zstd; pyarrow the rest."""
    known = {0: None, 1: "snappy", 2: _streamed("gzip"), 4: _streamed("brotli")}
    return known | {6: "zstd" if zstd else _streamed("zstd")}


CODECS = _codecs(_core.has_zstd())


def opened(path: Path) -> Any:
    """Open a file with pyarrow."""
    from pyarrow.parquet import ParquetFile

    return ParquetFile(path, **PIECES)


@dataclass
class Wanted:
    """What is to be read of every row: numbers, with None where room is to be left, words, and the label.

    As long as it is plain, that is, that numbers are numbers and words places in a list.
    """

    numbers: Sequence[str | None]
    words: Sequence[str]
    label: str | None
    plain: bool = True

    @property
    def others(self) -> list[str]:
        """List the columns that are not numbers."""
        return [*self.words, *([] if self.label is None else [self.label])]


def pieces(
    path: Path,
    file: Any,
    names: Sequence[str],
    most: int,
    texts: Collection[str] = (),
    wanted: Wanted | None = None,
) -> Iterator[Any]:
    """Yield the rows of these columns, at most so many at once, as record batches or what makes some.

    What is `wanted` of them is read ahead, by threads of the core, while that is plain.
    """
    columns = _columns(file, names, texts) or []
    told = {column.name: Told(k, column.type) for k, column in enumerate(columns)}
    asked = [(column.place, column.kind, column.optional) for column in columns]
    pages = _core.Pages(str(path), CODECS)
    small = file.metadata.num_rows < FEW * len(pages) and len(pages) > 1
    groups = [pages.group(k, asked, most) if asked and not small else None for k in range(len(pages))]
    for left, run in groupby(range(len(pages)), lambda k: groups[k] is None):
        if left:
            yield from file.iter_batches(most, row_groups=list(run), columns=names)
        else:
            yield from _paged(told, [group for k in run if (group := groups[k]) is not None], wanted)


def _paged(
    told: Mapping[str, Told], groups: Sequence[_core.PageGroup], wanted: Wanted | None
) -> Iterator[PagedRows]:
    if wanted is None or any(group.asks_python for group in groups):
        for group in groups:
            while (piece := group.next()) is not None:
                yield PagedRows(told, piece)
        return
    numbers, others = _numbers(told, wanted), _others(told, wanted)
    threads = min(os.cpu_count() or 1, MOST_THREADS)
    ahead = _core.PagesAhead(groups, numbers, others, threads)
    while (found := ahead.next(wanted.plain)) is not None:
        piece, matrix, cells = found
        yield PagedRows(told, piece, None if matrix is None else (matrix, cells))


class Told:
    """What Arrow is to call a column, the letter of its numbers, and its place among the others."""

    def __init__(self, place: int, type: Any) -> None:
        """Find the letter."""
        self.type = type
        self.number = (place, _LETTERS.get(str(type), "?"))


class PagedRows:
    """Some rows of a row group. Their pages are read when the rows are, by whichever thread wants them.

    `ahead` is what was read of them before: the numbers that were wanted, as `take` gives them, and the other
    columns.
    """

    def __init__(self, columns: Mapping[str, Told], piece: _core.PagePiece, ahead: Any = None) -> None:
        """Take what the columns are, in their order, and where the cells."""
        self.columns, self.piece, self.ahead = columns, piece, ahead

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.piece)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """Read the cells into Arrow's memory."""
        return PagedCells(self.columns, list(self.columns), self.piece.read()).__arrow_c_array__()

    def take(self, wanted: Wanted) -> tuple[tuple[Any, bool], PagedCells] | None:
        """Read numbers into a matrix, NaN where one is missing, and whether none is; and the other columns.

        None when not all are numbers.
        """
        matrix, others = self._read(wanted) if self.ahead is None else self.ahead
        return None if matrix is None else (matrix, PagedCells(self.columns, wanted.others, others))

    def _read(self, wanted: Wanted) -> tuple[Any, Any]:
        matrix = self.piece.numbers(_numbers(self.columns, wanted))
        return matrix, None if matrix is None else self.piece.only(_others(self.columns, wanted)).read()


@dataclass(frozen=True)
class PagedCells:
    """Cells of some columns, as they were read."""

    told: Mapping[str, Told]
    names: Sequence[str]
    cells: _core.PageColumns

    def words(self, name: str) -> _core.PageWords | None:
        """Give the list that the words of a column are places in; None when it is no short one."""
        found = self.cells.words(self.names.index(name))
        return None if found is None or len(found) > len(self.cells) else found

    def put(self, name: str, features: Any, to: Any) -> bool:
        """Write down the feature of each word, NaN where it is missing; say whether none is."""
        return self.cells.put_words(self.names.index(name), features, to)

    def places(self, name: str) -> tuple[Any, Any] | None:
        """Find where each cell stands in a list of words, or of few numbers; None when these are many."""
        return self.cells.places(self.names.index(name), self.told[name].number[1])

    def column(self, name: str) -> Any:
        """Give the cells of a column as Arrow has them, the last that is asked for."""
        return pyarrow().record_batch(self).column(name)

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """Give them away, with what Arrow is to call the columns."""
        schema = pyarrow().schema([(name, self.told[name].type) for name in self.names])
        return schema.__arrow_c_schema__(), self.cells.in_arrow()


# Arrow's letters for the numbers that the core turns into doubles.
_LETTERS = {"double": "g", "float": "f", "int64": "l", "int32": "i", "uint8": "C"}
_FREE = (0, " ")


def _numbers(columns: Mapping[str, Told], wanted: Wanted) -> list[tuple[int, str]]:
    """Say of which columns numbers are wanted as the core is told."""
    return [_FREE if name is None else columns[name].number for name in wanted.numbers]


def _others(columns: Mapping[str, Told], wanted: Wanted) -> list[int]:
    return [columns[name].number[0] for name in wanted.others]


class _Column(NamedTuple):
    """A column that the core can read: what its cells are in the file, and in Arrow's memory."""

    name: str
    place: int
    kind: _core.CellKind
    type: Any
    optional: bool


def _columns(file: Any, names: Sequence[str], texts: Collection[str]) -> list[_Column] | None:
    """Find the columns that are wanted; None when the core cannot read one of them."""
    stored, schema = file.schema, file.schema_arrow
    if len(stored) != len(schema):
        return None  # some hold several: a place in the schema is not one in the file
    found = [_column(stored, schema, name, text=name in texts) for name in names]
    known = [column for column in found if column is not None]
    return known if len(known) == len(found) else None


def _column(stored: Any, schema: Any, name: str, *, text: bool) -> _Column | None:
    place = schema.get_field_index(name)
    told = stored.column(place)
    flat = told.path == name and told.max_repetition_level == 0 and told.max_definition_level <= 1
    known = _known(schema.field(place).type, told.physical_type)
    # Truths become 0 and 1, which are other words; Arrow's memory knows no name with a NUL.
    if known is None or not flat or (text and told.physical_type == "BOOLEAN") or "\0" in name:
        return None
    return _Column(name, place, *known, told.max_definition_level > 0)


def _known(type: Any, stored: str) -> tuple[_core.CellKind, Any] | None:
    """Tell what cells of a type are to the core, and what Arrow is to call them; None for rarer types."""
    arrow, kinds = pyarrow(), _core.CellKind
    types = arrow.types
    if stored == "BYTE_ARRAY":
        held = type.value_type if types.is_dictionary(type) else type
        words = arrow.dictionary(arrow.int32(), arrow.string())
        return (kinds.word, words) if is_word(types, held) else None
    if stored == "BOOLEAN":
        return kinds.truth, arrow.uint8()
    if stored == "INT32" and types.is_integer(type):
        return kinds.four, type if types.is_uint32(type) else arrow.int32()
    if (stored == "INT64" and types.is_integer(type)) or (stored == "DOUBLE" and types.is_float64(type)):
        return kinds.eight, type
    return (kinds.four, type) if stored == "FLOAT" and types.is_float32(type) else None
