"""Tables with named columns: CSV (also gzip, bz2, xz) and Parquet."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from noregret.data.reading import nearest
from noregret.data.spool import seekable
from noregret.data.stream import printable
from noregret.errors import BadCommand, BadFile, MissingExtra, reason
from noregret.rounds import Floats

_EMPTY = ("", "na", "nan", "null", "none")
_OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}


@dataclass
class Table:
    """Rows of text cells under names; a cell that is empty, NA or NaN is missing."""

    path: Path
    names: list[str]
    rows: list[list[str]]
    lines: list[int]  # where each row stands in the file, from 1
    skip: bool = False  # leave bad rows out instead of stopping
    skipped: set[int] = field(default_factory=set)  # rows, from 0

    def column(self, name: str) -> int:
        """Find a column."""
        if name not in self.names:
            raise BadCommand(f"{self.path} has no column '{name}'; {nearest(name, self.names)}")
        return self.names.index(name)

    def text(self, name: str) -> list[str]:
        """Give a column as it is written."""
        at = self.column(name)
        return [row[at] for row in self.rows]

    def is_numeric(self, name: str) -> bool:
        """Whether the first cell of a column that is not missing is a number."""
        at = self.column(name)
        first = next((row[at] for row in self.rows if row[at].strip().lower() not in _EMPTY), None)
        return first is not None and _number(first) is not None

    def numbers(self, name: str, *, required: bool = False) -> Floats:
        """Give a column as numbers, NaN where one is missing; `required` refuses those."""
        at = self.column(name)
        found = np.full(len(self.rows), np.nan)
        for r, row in enumerate(self.rows):
            cell = row[at].strip()
            if cell.lower() in _EMPTY:
                if required:
                    self._bad(r, "every row needs its truth", at, cell)
                continue
            number = _number(cell)
            if number is None or not math.isfinite(number):
                self._bad(r, "it must be a finite number", at, cell)
                continue
            found[r] = number
        return found

    def _bad(self, row: int, sentence: str, column: int | None = None, cell: str = "") -> None:
        if not self.skip:
            place = f"{self.path}, line {self.lines[row]}"
            token = "" if column is None else f", column '{self.names[column]}': '{printable(cell)}'"
            raise BadFile(f"{place}{token}: {sentence}")
        self.skipped.add(row)

    def refuse(self, row: int, sentence: str) -> None:
        """Stop at a row, or leave it out, for a reason that only the caller knows."""
        self._bad(row, sentence)

    @property
    def kept(self) -> list[int]:
        """The rows that were not left out."""
        return [r for r in range(len(self.rows)) if r not in self.skipped]


def read_table(path: Path, *, skip: bool = False) -> Table:
    """Read a CSV file with a header, or a Parquet file; "-" is standard input."""
    if path.is_dir():
        raise BadFile(f"{path}: this is a folder; give a file")
    with seekable(path) as file:
        return replace(_read(file, skip), path=path)


def _read(path: Path, skip: bool) -> Table:
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as problem:
        raise BadFile(f"{path}: {reason(problem)}") from None
    if start == b"PAR1":
        return _read_parquet(path, skip)
    return _read_csv(path, _OPENERS.get(start[:2], open), skip)


def _read_csv(path: Path, opener: Any, skip: bool) -> Table:
    names: list[str] = []
    rows: list[list[str]] = []
    lines: list[int] = []
    table = Table(path, names, rows, lines, skip)
    try:
        with opener(path, "rt", encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            separator = max(",;\t", key=header.count)
            names += [name.strip() for name in next(csv.reader([header], delimiter=separator), [])]
            reader = csv.reader(file, delimiter=separator)
            for cells in reader:
                if not any(cell.strip() for cell in cells):
                    continue
                rows.append(cells)
                lines.append(reader.line_num + 1)
                if len(cells) != len(names):
                    rows[-1] = [*cells, *[""] * len(names)][: len(names)]
                    expected = f"{len(names)} cells as in the header, not {len(cells)}"
                    table.refuse(len(rows) - 1, f"the row must have {expected}")
    except (UnicodeDecodeError, csv.Error, EOFError, OSError, lzma.LZMAError) as problem:
        raise BadFile(f"{path}: it cannot be read as CSV text ({problem})") from None
    _check(table)
    return table


def _read_parquet(path: Path, skip: bool) -> Table:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtra("Parquet files need pyarrow: pip install 'noregret[parquet]'") from None
    try:
        read = parquet.read_table(path)
    except Exception as problem:
        raise BadFile(f"{path}: it cannot be read as Parquet ({problem})") from None
    columns: Sequence[list[Any]] = [column.to_pylist() for column in read.columns]
    rows = [["" if cell is None else _written(cell) for cell in row] for row in zip(*columns, strict=True)]
    table = Table(path, list(read.column_names), rows, list(range(1, len(rows) + 1)), skip)
    _check(table)
    return table


def _check(table: Table) -> None:
    if not table.rows:
        raise BadFile(f"{table.path}: it is empty; there must be a line of names and at least one row")
    twice = {name for name in table.names if table.names.count(name) > 1}
    if twice:
        raise BadFile(f"{table.path}, line 1: column '{sorted(twice)[0]}' stands there twice")


def _written(cell: Any) -> str:
    if isinstance(cell, bool):
        return str(int(cell))
    return repr(cell) if isinstance(cell, float) else str(cell)


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
