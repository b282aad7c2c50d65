"""Tables in text: CSV, TSV and their relatives.

Numbers are features with the name of their column, and so are true and false, which are 1 and 0; any
other cell is the feature ``column=value``; a column of text becomes a feature ``column=word`` for every
word. A missing cell is absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from noregret import _core
from noregret.data.columns import (
    Columns,
    is_infinite,
    is_missing,
    plan,
    remarks,
    repeated,
    truths,
    value,
)
from noregret.data.delimited import is_header, names_of, nothing_in, odd_byte, separator_of
from noregret.data.features import hashed
from noregret.data.reading import Reading, few
from noregret.data.sample import LONGEST_QUOTE, has_rows, sample, with_limit
from noregret.data.source import last_line_end
from noregret.data.text import Parse, TextStream
from noregret.errors import BadFile
from noregret.rounds import Batch

_HEAD = 1 << 16  # bytes that tell what the separator is


class CsvStream(TextStream):
    """The rows of tables in text; several files have the same columns, with headers in any order.

    A row has its features in the order of its own file.
    """

    format = "csv"
    takes = frozenset(("label", "kinds", "bits", "header", "encoding"))
    label_place = ""
    separator = ","
    headed: bool | None = None  # whether there is a header, once somebody has looked
    _names: tuple[str, ...] | None = None
    _path = Path()  # the file that is being read
    _began = False  # whether the first rows of this file have been looked at

    def cut(self, room: bytearray, end: int) -> int:
        """Find where the last whole row ends: a quoted cell may hold line ends.

        A file begins with two rows at least, unless it has no header: that alone does not tell its columns.
        Its separator is guessed here, where the text is decoded and has no mark any more.
        """
        if not self._began:
            start = room[: min(end, _HEAD)].decode("utf-8", "replace")
            self.separator = separator_of(self._path, start)
        cut = _core.csv_cut(room, end, self.separator)
        if cut and (self._began or self._tells_columns(room[:cut])):
            return cut
        lines = last_line_end(room, end)
        return lines if lines > cut and end - cut > LONGEST_QUOTE else 0

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        self._path, self._began = path, False
        return super().file(path)

    def parser(self, path: Path, start: memoryview) -> tuple[Parse, memoryview]:
        """Look at the first rows: is there a header, and what are the columns?"""
        rows, lines = sample(path, start, self.separator)
        self._began = True
        said = self.reading.header
        headed = is_header(rows, self.reading.label) if said is None else said
        text = _without_lines(start, lines) if headed else start
        _require_utf8(path, start[: len(start) - len(text)])
        below = rows[headed:]
        names = names_of(rows[0], below) if headed else self._numbered(len(rows[0]))
        self.headed = headed
        self._require_same(path, names)
        columns = self.columns
        if columns is None:
            below = [row for row in below if len(row) == len(names)]
            columns = self._planned(path, names, below, nothing_in(rows[0], below) if headed else {})
            self.label_place = f", column '{columns.label}'"
            self.columns = columns if below else None  # a later file may have rows
        first = dict(zip(names, below[0], strict=True)) if below and len(below[0]) == len(names) else {}
        shape = _core.TableShape(self._features(columns, names, first), self.separator)
        known = self.vocabulary()
        parse = partial(_core.parse_csv, shape=shape, names=known, skip=self.skip, bits=self.bits)
        return parse, text

    def _tells_columns(self, text: bytearray) -> bool:
        """Whether a file that begins so has a row behind the one that may be its header."""
        count = 1 if self.reading.header is False else 2
        return has_rows(count, self._path, text, self.separator)

    def _planned(self, path: Path, names: list[str], below: list[list[str]], idle: dict[str, str]) -> Columns:
        """Tell what the columns are, and what may surprise about that; `idle` ones say nothing."""
        cells = dict(zip(names, zip(*below, strict=True), strict=True)) if below else {}
        numeric = [_is_numeric(cells.get(name, ())) for name in names]
        found = plan(
            str(path), names, numeric, self.reading, need_label=self.need_label, said=self.said, idle=idle
        )
        guessed = {name: kind for name, kind in found.kinds.items() if name not in self.reading.kinds}
        notes = [told for name, told in idle.items() if guessed.get(name) == "drop"]
        notes += remarks(_of_kind("categorical", guessed, cells))
        notes += truths(_of_kind("numeric", guessed, cells))
        return replace(found, notes=tuple(notes))

    def rule(self, fault: _core.Fault) -> str:
        """Say what would be right, and not that a column may hold categories where that is decided."""
        columns = () if self.columns is None else self.columns.of("numeric")
        name = next((name for name in columns if fault.rule == f"column '{name}' holds finite numbers"), None)
        if name is None:
            return with_limit(fault.rule)
        if name in self.said.kinds:
            return f"{fault.rule}, written 1234.5"
        guessed = name not in self.reading.kinds
        return fault.rule + (f"; if it holds categories, say --categorical {name}" if guessed else "")

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
        twice = repeated(names)
        if twice is not None:
            raise BadFile(
                f"{path}, line 1: '{twice}': two columns have this name; give each its own, or say "
                "--no-header if there are no names"
            )
        if self._names is not None and set(names) != set(self._names):
            raise BadFile(
                f"{path}, line 1: its columns are not those of {self.paths[0]}: "
                f"{_difference(self._names, names)}"
            )
        self._names = tuple(names)

    def _features(
        self, columns: Columns, order: Sequence[str], first: dict[str, str]
    ) -> list[tuple[str, str, int]]:
        """Say for the parser what each column is, in this order; numbers have their feature at once.

        Names are entered in the order in which the first row has them. That is the order in which a learner
        meets them, who then need not translate them.
        """
        names = self.vocabulary()
        found = []
        for name in order:
            kind, feature = columns.kinds[name], -1
            if kind == "numeric":
                feature = hashed(name, self.bits) if names is None else names.add(name)
            elif kind == "categorical" and names is not None and not is_missing(first.get(name, "")):
                names.add(f"{name}={first[name]}")
            found.append((kind, name, feature))
        return found


def _difference(known: Sequence[str], names: Sequence[str]) -> str:
    """What a file lacks of the columns that are known, and what it has besides."""
    before, here = frozenset(known), frozenset(names)
    lacks = [name for name in known if name not in here]
    besides = [name for name in names if name not in before]
    told = [f"it has no {few(lacks)}"] if lacks else []
    return "; ".join([*told, *([f"it has {few(besides)} besides"] if besides else [])])


def _without_lines(text: memoryview, count: int) -> memoryview:
    at, whole = 0, bytes(text)
    for _ in range(count):
        at = whole.find(b"\n", at) + 1 or len(whole)
    return text[at:]


def _require_utf8(path: Path, header: memoryview) -> None:
    """Refuse names in another encoding; of the rows the native parser says the same."""
    if (place := odd_byte(bytes(header))) is not None:
        raise BadFile(
            f"{path}, {place}: text must be UTF-8; if the file is Latin-1, say --encoding latin-1, in Python "
            "encoding='latin-1'"
        )


def _of_kind(
    kind: str, guessed: Mapping[str, str], cells: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """The cells of the columns that were taken as this kind."""
    return {name: cells.get(name, ()) for name, found in guessed.items() if found == kind}


def _is_numeric(cells: Sequence[str]) -> bool:
    """Whether a column holds numbers: a truth is one, wherever it stands among them."""
    told = [cell for cell in cells if not is_missing(cell) and not is_infinite(cell)]
    return bool(told) and all(value(cell) is not None for cell in told)
