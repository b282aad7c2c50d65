"""Tables in text: CSV, TSV and their relatives.

Numbers are features with the name of their column; any other cell is the feature ``column=value``;
a column of text becomes a feature ``column=word`` for every word. A missing cell is absent.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from noregret import _core
from noregret.data.columns import Columns, is_missing, number, plan
from noregret.data.features import hashed
from noregret.data.reading import Reading
from noregret.data.source import head
from noregret.data.text import Parse, TextStream
from noregret.errors import BadFile
from noregret.rounds import Batch

SAMPLE = 1000  # rows that are looked at to tell what the columns are
_LOOK = 1 << 20  # and bytes
_SEPARATORS = (",", "\t", ";", "|")


class CsvStream(TextStream):
    """The rows of tables in text; several files have the same columns."""

    format = "csv"
    takes = frozenset(("label", "kinds", "bits", "header", "encoding"))
    label_place = ""
    separator = ","
    headed: bool | None = None  # whether there is a header, once somebody has looked
    _names: tuple[str, ...] | None = None

    def cut(self, room: bytearray, end: int) -> int:
        """Find where the last whole row ends: a quoted cell may hold line ends."""
        return _core.csv_cut(room, end, self.separator)

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        tabs = any(ending.lower() in (".tsv", ".tab") for ending in path.suffixes)
        self.separator = "\t" if tabs else _separator(head(path).decode("utf-8", "replace"))
        return super().file(path)

    def parser(self, path: Path, start: memoryview) -> tuple[Parse, memoryview]:
        """Look at the first rows: is there a header, and what are the columns?"""
        rows, lines = _sample(path, start, self.separator)
        headed = _is_header(rows) if self.reading.header is None else self.reading.header
        names = rows[0] if headed else self._numbered(len(rows[0]))
        self.headed = headed
        self._require_same(path, names)
        cells = list(zip(*[row for row in rows[headed:] if len(row) == len(names)], strict=True))
        numeric = [_is_numeric(column) for column in cells] or [False] * len(names)
        if self.columns is None:
            self.columns = plan(
                str(path), names, numeric, self.reading, need_label=self.need_label, said=self.said
            )
            self.label_place = f", column '{self.columns.label}'"
        shape = _core.TableShape(self._features(self.columns), self.separator)
        known = self.vocabulary()
        parse = partial(_core.parse_csv, shape=shape, names=known, skip=self.skip, bits=self.bits)
        return parse, _without_lines(start, lines) if headed else start

    def rule(self, fault: _core.Fault) -> str:
        """What would be right. What a model has learned as numbers cannot be said to be words."""
        found = self.reading.kinds == self.said.kinds
        return fault.rule if found else fault.rule.partition("; if it holds categories")[0]

    def _numbered(self, count: int) -> list[str]:
        """Name columns by their places. Rows to be predicted may lack the column of the labels."""
        names = [str(k) for k in range(1, count + 2)]
        known = {*self.reading.kinds, self.reading.label}
        if not self.need_label and known == set(names) and self.reading.label is not None:
            return [name for name in names if name != self.reading.label]
        return names[:-1]

    @property
    def settled(self) -> Reading:
        """How the data was read: whether there is a header is known now."""
        return super().settled if self.headed is None else replace(super().settled, header=self.headed)

    def _require_same(self, path: Path, names: Sequence[str]) -> None:
        twice = [name for k, name in enumerate(names) if name in names[:k]]
        if twice:
            raise BadFile(f"{path}, line 1: '{twice[0]}': two columns have this name; give each its own")
        if self._names is not None and tuple(names) != self._names:
            raise BadFile(
                f"{path}, line 1: its columns are not those of {self.paths[0]}, {', '.join(self._names[:8])}"
            )
        self._names = tuple(names)

    def _features(self, columns: Columns) -> list[tuple[str, str, int]]:
        """Say for the parser what each column is; numbers have their feature at once."""
        found = []
        for name, kind in columns.kinds.items():
            feature = -1
            if kind == "numeric":
                names = self.vocabulary()
                feature = hashed(name, self.bits) if names is None else names.add(name)
            found.append((kind, name, feature))
        return found


def _separator(start: str) -> str:
    """Find what stands between cells: what cuts the most rows into as many cells as the first."""

    def fit(separator: str) -> tuple[float, int]:
        lines = [line for line in start.splitlines()[:100] if line.strip()]
        try:
            widths = [len(row) for row in _reader(lines, separator)]
        except csv.Error:
            return 0.0, 0
        alike = sum(width == widths[0] for width in widths) / len(widths) if widths else 0.0
        return (alike, widths[0]) if widths and widths[0] > 1 else (0.0, 0)

    return max(_SEPARATORS, key=fit)


def _sample(path: Path, start: memoryview, separator: str) -> tuple[list[list[str]], int]:
    """Give the first rows, and how many lines there are up to the end of the very first."""
    text = bytes(start[:_LOOK])
    if (zero := text.find(0)) >= 0:
        line, column = text.count(b"\n", 0, zero) + 1, zero - text.rfind(b"\n", 0, zero)
        raise BadFile(
            f"{path}, line {line}, column {column}: '\\x00': this is binary data and no table in text"
        )
    reader = _reader(io.StringIO(text.decode("utf-8", "replace"), newline=""), separator)
    rows: list[list[str]] = []
    lines = 0
    try:
        for row in islice(reader, SAMPLE + 1):
            if any(map(str.strip, row)):
                lines = lines or reader.line_num
                rows.append([cell.strip() for cell in row])
    except csv.Error as problem:
        raise BadFile(f"{path}: it cannot be read as a table ({problem})") from None
    if not rows:
        raise BadFile(f"{path}: there is not a single row in it")
    cut_off = len(start) > _LOOK and len(rows) > 1
    return rows[:-1] if cut_off else rows, lines


def _reader(lines: Iterable[str], separator: str) -> Any:
    """Read cells the way the native parser does: between tabs there are no quotes."""
    if separator == "\t":
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator)


def _without_lines(text: memoryview, count: int) -> memoryview:
    at, some = 0, bytes(text[:_LOOK])
    for _ in range(count):
        at = some.find(b"\n", at) + 1 or len(some)
    return text[at:]


def _is_header(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns: words, each there once and none below itself."""
    first, below = rows[0], rows[1:]
    if any(is_missing(cell) or number(cell) is not None for cell in first) or len(set(first)) < len(first):
        return False
    return not any(cell == name for row in below for cell, name in zip(row, first, strict=False))


def _is_numeric(cells: Sequence[str]) -> bool:
    told = [cell for cell in cells if not is_missing(cell)]
    return bool(told) and all(number(cell) is not None for cell in told)
