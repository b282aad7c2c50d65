"""Tables with named columns, read as a whole: CSV, compressed or not, and Parquet."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from noregret.data.columns import is_infinite, is_missing, repeated, value
from noregret.data.delimited import names_of, nothing_in, odd_byte, reader, separator_of
from noregret.data.reading import nearest
from noregret.data.recognise import require_no_archive
from noregret.data.source import head, opened
from noregret.data.spool import seekable
from noregret.data.stream import printable
from noregret.errors import BadCommand, BadFile, MissingExtra
from noregret.rounds import Floats


@dataclass
class Table:
    """Rows of text cells under names; a cell that is empty, NA, NaN or ? is missing."""

    path: Path
    names: list[str]
    rows: list[list[str]]
    lines: list[int]  # where each row stands in the file, from 1
    idle: frozenset[str] = frozenset()  # columns without a name that say nothing
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
        """Whether the first cell of a column that tells anything is a number."""
        at = self.column(name)
        cells = (row[at] for row in self.rows)
        first = next((cell for cell in cells if not is_missing(cell) and not is_infinite(cell)), None)
        return first is not None and name not in self.idle and value(first) is not None

    def numbers(self, name: str) -> Floats:
        """Give a column as numbers, NaN where one is missing."""
        at = self.column(name)
        found = np.full(len(self.rows), np.nan)
        for r, row in enumerate(self.rows):
            if is_missing(row[at]):
                continue
            told = value(row[at])
            if told is None:
                self._bad(r, "it must be a finite number", at, row[at].strip())
                continue
            found[r] = told
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


def read_table(path: Path, *, skip: bool = False) -> Table:
    """Read a CSV file with a header, or a Parquet file; "-" is standard input."""
    if path.is_dir():
        raise BadFile(f"{path}: this is a folder; give a file")
    with seekable(path) as file:
        return replace(_read(file, skip), path=path)


def _read(path: Path, skip: bool) -> Table:
    start = head(path)
    require_no_archive(path, start)
    if start.startswith(b"PAR1"):
        return _read_parquet(path, skip)
    return _read_csv(path, separator_of(path, start.decode("utf-8-sig", "replace")), skip)


def _read_csv(path: Path, separator: str, skip: bool) -> Table:
    rows: list[list[str]] = []
    lines: list[int] = []
    cells = reader(io.StringIO(_text(path), newline=""), separator)
    try:
        for row in cells:
            if any(cell.strip() for cell in row):
                rows.append(row)
                lines.append(cells.line_num)
    except csv.Error as problem:
        told = f"it cannot be read as CSV text ({problem}); is a quote not closed?"
        raise BadFile(f"{path}, line {cells.line_num}: {told}") from None
    header, below = [name.strip() for name in rows[0]] if rows else [], rows[1:]
    names = names_of(header, below) if header else []
    idle = nothing_in(header, [row for row in below if len(row) == len(names)]) if header else {}
    whole = [[*row, *[""] * len(names)][: len(names)] for row in below]
    table = Table(path, names, whole, lines[1:], frozenset(idle), skip)
    _check(table)
    for r, row in enumerate(below):
        if len(row) != len(names):
            table.refuse(r, f"the row must have {len(names)} cells as in the header, not {len(row)}")
    return table


def _text(path: Path) -> str:
    """The whole of a file of text."""
    with opened(path) as file:
        text: bytes = file.read()
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadFile(f"{path}: it is UTF-16; save it as UTF-8")
    text = text.removeprefix(codecs.BOM_UTF8)
    if (place := odd_byte(text)) is not None:
        raise BadFile(f"{path}, {place}: text must be UTF-8; save it so")
    return text.decode()


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
    table = Table(path, list(read.column_names), rows, list(range(1, len(rows) + 1)), skip=skip)
    _check(table)
    return table


def _check(table: Table) -> None:
    if not table.rows:
        raise BadFile(f"{table.path}: it is empty; there must be a line of names and at least one row")
    twice = repeated(table.names)
    if twice is not None:
        raise BadFile(f"{table.path}, line 1: column '{twice}' stands there twice")


def _written(cell: Any) -> str:
    if isinstance(cell, bool):
        return str(int(cell))
    return repr(cell) if isinstance(cell, float) else str(cell)
