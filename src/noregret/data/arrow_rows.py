"""The columns of an Arrow record batch as rows of features.

Numbers are taken out of Arrow's memory as they lie; words are encoded by Arrow, and Python sees each
different word of a batch once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from noregret import _core
from noregret.data.arrow_cells import encoded, in_words, is_word, missing_in, numbers_of, pyarrow
from noregret.data.arrow_lists import Listed, features_of
from noregret.data.columns import Columns, is_missing, number
from noregret.data.parquet import PagedCells, PagedRows, Wanted
from noregret.data.stream import printable
from noregret.data.words import words


class OddCell(NamedTuple):
    """A word in a column of numbers, in this row of a batch."""

    at: int
    name: str
    cell: str

    def __str__(self) -> str:
        """Say what it is and what would be right."""
        return f"'{printable(self.cell)}': column '{self.name}' holds finite numbers, written 1234.5"


class Laid(NamedTuple):
    """Rows without their columns yet: features are places in `names`, labels in `words`.

    They are a table, perhaps with `holes`, as in `Batch`, or compressed sparse rows, which have `starts`.
    Rows with an odd cell are not among them; `places` are those of the others in the batch.
    """

    codes: Any
    words: list[Any]
    values: Any
    features: Any
    names: Sequence[str]
    starts: Any = None
    odd: Sequence[OddCell] = ()
    places: Any = None  # None: all are there
    holes: bool = False


def lay_out(batch: Any, listed: Listed) -> Laid:
    """Turn the columns of a record batch into rows: a table, unless cells are missing or texts."""
    laid = _as_it_lies(batch, listed)
    return _looked_at(batch, listed.columns) if laid is None else laid


def lay_out_pages(pages: PagedRows, listed: Listed, wanted: Wanted) -> Laid | None:
    """Take numbers right out of the pages of a Parquet file; None where lay_out is to look at the cells."""
    found = pages.take(wanted) if wanted.plain else None
    laid = None
    if found is not None:
        numbers, others = found
        laid = _with_words(*numbers, others, listed)
    wanted.plain = laid is not None  # what is odd once will be again
    return laid


def wanted_of_pages(columns: Columns) -> Wanted | None:
    """Say what lay_out_pages takes out of pages; None if that is nothing."""
    asked = _asked(columns)
    return None if asked is None else Wanted(asked, columns.of("categorical"), columns.label)


def _as_it_lies(batch: Any, listed: Listed) -> Laid | None:
    """Take numbers and lists of words out of Arrow's memory; None when there is anything else."""
    asked = _asked(listed.columns)
    schema, array = batch.__arrow_c_array__()
    found = None if asked is None else _core.arrow_numbers(schema, array, asked)
    return None if found is None else _with_words(*found, _ArrowCells(batch), listed)


def _asked(columns: Columns) -> list[str | None] | None:
    """List the columns of numbers, with None for words between them; None if there are none, or texts."""
    if columns.of("text"):
        return None
    told = {"numeric": True, "categorical": False}
    found = [name if told[kind] else None for name, kind in columns.kinds.items() if kind in told]
    return found or None


class _ArrowCells:
    """The columns of a record batch, asked for what `PagedCells` says of pages."""

    def __init__(self, batch: Any) -> None:
        """Take a record batch of pyarrow's."""
        self.batch = batch
        self.schema, self.array = batch.__arrow_c_array__()

    def words(self, name: str) -> Any:
        column = self.batch.column(name)
        if not pyarrow().types.is_dictionary(column.type) or len(column.dictionary) > len(column):
            return None
        return column.dictionary

    def put(self, name: str, features: Any, to: Any) -> bool | None:
        return _core.arrow_words(self.schema, self.array, name, features, to)

    def places(self, name: str) -> tuple[Any, Any] | None:
        return _core.arrow_places(self.schema, self.array, name)

    def column(self, name: str) -> Any:
        return self.batch.column(name)


def _with_words(rows: Any, whole: bool, cells: _ArrowCells | PagedCells, listed: Listed) -> Laid | None:
    """Put the words of a batch where a table has room for them; None when they are no places in a list.

    A number may be missing from a table, if it is not whole; where a word is, what is there is laid out as
    sparse rows.
    """
    told = listed.features([cells.words(name) for name in listed.columns.of("categorical")])
    if told is None:
        return None
    filled = True
    for name, at, table in told.tables:
        found = cells.put(name, table, rows[:, at])
        if found is None:
            return None
        filled = filled and found
    codes, words = _labels_in(cells, len(rows), listed.columns.label)
    if filled:
        return Laid(codes, words, rows, told.features, told.names, holes=not whole)
    values, places, starts = _core.present(rows, told.features)
    return Laid(codes, words, values, places, told.names, starts)


def _labels_in(cells: _ArrowCells | PagedCells, rows: int, label: str | None) -> tuple[Any, list[Any]]:
    """Say where the label of each row is in a list of those there are, −1 where it is missing."""
    if label is None:
        return np.full(rows, -1), []
    found = cells.places(label)
    if found is None:
        return encoded(cells.column(label))
    codes, words = found
    return codes, words if isinstance(words, list) else words.to_pylist()


def _labels(batch: Any, columns: Columns) -> tuple[Any, list[Any]]:
    if columns.label is None:
        return np.full(batch.num_rows, -1), []
    return encoded(batch.column(columns.label))


def _looked_at(batch: Any, columns: Columns) -> Laid:
    """Look at every column, and turn it into numbers where it is to hold some."""
    batch, odd = _with_numbers(batch, columns.of("numeric"))
    if odd:
        good = np.ones(batch.num_rows, dtype=bool)
        good[[one.at for one in odd]] = False
        laid = _looked_at(batch.filter(pyarrow().array(good)), columns)
        return laid._replace(odd=odd, places=np.flatnonzero(good))
    return Laid(*_labels(batch, columns), *_laid_out(batch, columns))


def _with_numbers(batch: Any, names: list[str]) -> tuple[Any, list[OddCell]]:
    """Turn words into the numbers they spell, and places in a list into what is there; one odd cell a row."""
    arrow = pyarrow()
    odd: dict[int, OddCell] = {}
    for name in names:
        column = batch.column(name)
        kind = column.type.value_type if arrow.types.is_dictionary(column.type) else column.type
        if is_word(arrow.types, kind) or arrow.types.is_null(kind):
            place = batch.schema.get_field_index(name)
            cells, found = _spelt(column, name)
            batch = batch.set_column(place, name, arrow.array(cells))
            odd = {one.at: one for one in found} | odd
        elif arrow.types.is_dictionary(column.type):
            place = batch.schema.get_field_index(name)
            batch = batch.set_column(place, name, column.dictionary_decode())
    return batch, [odd[at] for at in sorted(odd)]


def _spelt(column: Any, name: str) -> tuple[Any, list[OddCell]]:
    """Read words as numbers, NaN for a missing or an odd one."""
    codes, told = encoded(column)
    numbers = np.array(
        [np.nan if is_missing(str(word)) else number(str(word)) for word in told], dtype=object
    )
    odd = [place for place, found in enumerate(numbers) if found is None]
    bad = np.flatnonzero(np.isin(codes, odd)).tolist()
    cells = np.append(numbers, np.nan).astype(np.float64)[codes]  # −1, missing, is the last
    return cells, [OddCell(at, name, str(told[codes[at]])) for at in bad]


def _laid_out(batch: Any, columns: Columns) -> tuple[Any, Any, list[str], Any]:
    """Lay the columns side by side, with the missing cells left out: values, features, names, starts."""
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
    values, features, starts = (_whole if whole else _ragged)(parts, rows)
    return values, features, list(names), starts


def _whole(parts: list[_Part], rows: int) -> tuple[Any, Any, Any]:
    """Every column has one feature in every row: a table."""
    table = np.empty((len(parts), rows)).T
    for k, part in enumerate(parts):
        table[:, k] = part.values if isinstance(part.features, int) else part.features
    features = [part.features if isinstance(part.features, int) else -1 for part in parts]
    return table, np.array(features, dtype=np.int32), None


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
    return values, features, starts


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
    values, missing = numbers_of(column), missing_in(column)
    if missing is None:
        return _Part(feature, values)
    return _Part(feature, values[~missing], ~missing)


def _word_part(column: Any, name: str, names: dict[str, int]) -> _Part:
    codes, told = encoded(column)
    places = features_of(name, told, names)
    there = codes >= 0
    return _Part(places[codes], 1.0) if there.all() else _Part(places[codes[there]], 1.0, there)


def _text_part(column: Any, name: str, names: dict[str, int]) -> _Part:
    found = [words(name, in_words(cell)) for cell in column.to_pylist()]
    flat = [names.setdefault(word, len(names)) for row in found for word, _ in row]
    counts = np.array([len(row) for row in found], dtype=np.int32)
    return _Part(np.array(flat, dtype=np.int32), 1.0, counts=counts)
