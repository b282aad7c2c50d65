"""Cells between separators, and the row that names the columns: what all readers of CSV agree on."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from noregret.data.columns import is_missing, number

_SEPARATORS = (",", "\t", ";", "|")


def separator_of(path: Path, start: str) -> str:
    """Find what stands between the cells of a file that begins so."""
    if any(ending.lower() in (".tsv", ".tab") for ending in path.suffixes):
        return "\t"
    lines = [line for line in start.splitlines()[:100] if line.strip()]

    def fit(separator: str) -> tuple[float, int]:
        """How many rows it cuts into as many cells as the first, and how many these are."""
        try:
            widths = [len(row) for row in reader(lines, separator)]
        except csv.Error:
            return 0.0, 0
        alike = sum(width == widths[0] for width in widths) / len(widths) if widths else 0.0
        return (alike, widths[0]) if widths and widths[0] > 1 else (0.0, 0)

    return max(_SEPARATORS, key=fit)


def reader(lines: Iterable[str], separator: str) -> Any:
    """Read cells the way the native parser does: between tabs there are no quotes."""
    if separator == "\t":
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator)


def odd_byte(text: bytes) -> str | None:
    """Find the first byte that is not UTF-8, and tell its line, its column and what it is."""
    try:
        text.decode()
    except UnicodeDecodeError as problem:
        at = problem.start
        line, column = text.count(b"\n", 0, at) + 1, at - text.rfind(b"\n", 0, at)
        return f"line {line}, column {column}: '\\x{text[at]:02x}'"
    return None


def is_header(rows: Sequence[Sequence[str]], label: str | None) -> bool:
    """Whether the first row names the columns: words, none of them below itself; or the label is there.

    A cell may be empty: pandas gives the column of row numbers no name.
    """
    named = {at: cell for at, cell in enumerate(rows[0]) if cell}
    if label is not None and number(label) is None and label in named.values():
        return True
    if any(is_missing(cell) or number(cell) is not None for cell in named.values()):
        return False
    return not any(at < len(row) and row[at] == name for row in rows[1:] for at, name in named.items())


def names_of(header: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """Name a column without a name by its place; a separator that only ends the header begins no column."""
    ends = not header[-1] and bool(below) and all(len(row) == len(header) - 1 for row in below)
    return [name or str(at) for at, name in enumerate(header[:-1] if ends else header, 1)]


def nothing_in(header: Sequence[str], below: Sequence[Sequence[str]]) -> dict[str, str]:
    """Find the columns without a name that say nothing: a first that numbers the rows, an empty last one."""
    found = {}
    if len(header) > 1 and not header[0] and _numbers_rows([row[0] for row in below]):
        found["1"] = "column 1 has no name and numbers the rows: it is left out"
    last = len(header)
    if last > 1 and not header[-1] and all(is_missing(row[-1]) for row in below if len(row) == last):
        found[str(last)] = f"column {last} has no name and no cell: it is left out"
    return found


def _numbers_rows(cells: Sequence[str]) -> bool:
    """Whether these are whole numbers, each there once: a shuffled or filtered table keeps those it had."""
    whole = all(cell.isascii() and cell.isdigit() for cell in cells)
    return whole and bool(cells) and len(set(cells)) == len(cells)
