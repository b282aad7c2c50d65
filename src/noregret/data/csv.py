"""Tables in text: CSV, TSV and their relatives.

Numbers are features with the name of their column; any other cell is the feature ``column=value``;
a column of text becomes a feature ``column=word`` for every word. A missing cell is absent.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from noregret import _core
from noregret.data.columns import Columns, is_missing, number, plan
from noregret.data.features import hashed
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
    label_place = ""
    separator = ","
    _names: tuple[str, ...] | None = None

    def cut(self, room: bytearray, end: int) -> int:
        """Find where the last whole row ends: a quoted cell may hold line ends."""
        return _core.csv_cut(room, end, self.separator)

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        start = head(path).decode("utf-8", "replace")
        first = next((line for line in start.splitlines() if line.strip()), "")
        self.separator = max(_SEPARATORS, key=first.count)
        return super().file(path)

    def parser(self, path: Path, start: memoryview) -> tuple[Parse, memoryview]:
        """Look at the first rows: is there a header, and what are the columns?"""
        rows, lines = _sample(path, start, self.separator)
        headed = _is_header(rows) if self.reading.header is None else self.reading.header
        names = rows[0] if headed else [str(k) for k in range(1, len(rows[0]) + 1)]
        self._require_same(path, names)
        cells = list(zip(*[row for row in rows[headed:] if len(row) == len(names)], strict=True))
        numeric = [_is_numeric(column) for column in cells] or [False] * len(names)
        if self.columns is None:
            self.columns = plan(str(path), names, numeric, self.reading, need_label=self.need_label)
        shape = _core.TableShape(self._features(self.columns), self.separator)
        known = self.vocabulary()
        parse = partial(_core.parse_csv, shape=shape, names=known, skip=self.skip, bits=self.bits)
        return parse, _without_lines(start, lines) if headed else start

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


def _sample(path: Path, start: memoryview, separator: str) -> tuple[list[list[str]], int]:
    """Give the first rows, and how many lines there are up to the end of the very first."""
    reader = csv.reader(
        io.StringIO(bytes(start[:_LOOK]).decode("utf-8", "replace"), newline=""), delimiter=separator
    )
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


def _without_lines(text: memoryview, count: int) -> memoryview:
    at, some = 0, bytes(text[:_LOOK])
    for _ in range(count):
        at = some.find(b"\n", at) + 1 or len(some)
    return text[at:]


def _is_header(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns: nothing in it is a number, or missing, or there twice."""
    first = rows[0]
    return not any(is_missing(cell) or number(cell) is not None for cell in first) and len(set(first)) == len(
        first
    )


def _is_numeric(cells: Sequence[str]) -> bool:
    told = [cell for cell in cells if not is_missing(cell)]
    return bool(told) and all(number(cell) is not None for cell in told)
