"""A class in a CSV file: a line for each hypothesis, a column for each point, every cell 0 or 1.

A first line with words in it names the points, a first column with words in it the hypotheses.
"""

from __future__ import annotations

import csv
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadFile, reason

Table = tuple[NDArray[np.uint8], list[str] | None, list[str] | None]


def read_table(path: str | PathLike[str]) -> Table:
    """Read the cells, the names of the hypotheses and the names of the points."""
    lines = read_lines(path)
    if not lines:
        raise BadFile(f"{path}: the file is empty; a class needs a line for each hypothesis")
    points = lines.pop(0)[1] if _names(lines[0][1]) else None
    named = _names([cells[0] for _, cells in lines])
    width = len(points if points is not None else lines[0][1])
    hypotheses: list[str] = []
    rows = []
    for number, cells in lines:
        if len(cells) != width:
            raise BadFile(f"{path}, line {number}: {len(cells)} cells, and the first line has {width}")
        hypotheses.append(cells[0])
        rows.append(
            [
                _bit(path, number, column, cell)
                for column, cell in enumerate(cells, 1)
                if not (named and column == 1)
            ]
        )
    table = np.array(rows, dtype=np.uint8).reshape(len(rows), width - named)
    return table, hypotheses if named else None, points[named:] if points is not None else None


def read_lines(path: str | PathLike[str]) -> list[tuple[int, list[str]]]:
    """Read the lines that are not empty, with their numbers, as stripped cells."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadFile(f"{path}: byte {problem.start} is not UTF-8 text") from None
    except OSError as problem:
        raise BadFile(f"{path}: {reason(problem)}") from None
    reader = csv.reader(text.splitlines())
    try:
        found = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as problem:
        raise BadFile(f"{path}, line {reader.line_num}: {problem}") from None
    lines = [(number, cells) for number, cells in found if any(cells)]
    if lines and len(lines[0][1]) == 1:
        _require_commas(path, *lines[0])
    return lines


def _require_commas(path: str | PathLike[str], number: int, cells: list[str]) -> None:
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if separator in cells[0]:
            raise BadFile(f"{path}, line {number}: the cells stand between {name}; write commas")


def is_number(cell: str) -> bool:
    """Whether a cell can be read as a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _names(cells: list[str]) -> bool:
    """Whether cells are names: there is a word among them, and no bit. Words among bits are bad cells."""
    return not all(map(is_number, cells)) and not any(cell in ("0", "1") for cell in cells)


def _bit(path: str | PathLike[str], line: int, column: int, cell: str) -> int:
    if cell not in ("0", "1"):
        raise BadFile(f"{path}, line {line}, column {column}: '{cell}' is not a label; a cell is 0 or 1")
    return int(cell)
