"""A table of forecasts read in plain Python: what `noregret experts` plays."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .data import ZSTD
from .rounds import Refused, text_of

_MISSING = ("", "?", "na", "n/a", "nan", "null", "none")
_TRUTHS = {"true": 1.0, "false": 0.0}
_SEPARATORS = (",", "\t", ";", "|")
_HEAD = 1 << 16  # bytes that tell what the separator is


class Forecast(NamedTuple):
    """One row: what was true, what the experts said (None: asleep), and its series."""

    truth: float
    said: list[float | None]
    series: str | None


def read_forecasts(
    path: Path, target: str, experts: Sequence[str], series: str | None, loss: str, skip: bool
) -> list[Forecast]:
    """Read a CSV file; a bad row ends it, or with `skip` is left out."""
    data = text_of(path)
    if data.startswith(b"PAR1"):
        raise Refused(f"{path}: the verifier reads CSV, and this is Parquet; write it as CSV with all digits")
    if data.startswith(ZSTD):
        raise Refused(f"{path}: the verifier reads plain text, gz, bz2 and xz; unpack it")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path}: it is not UTF-8 text") from None
    separator = _separator(path, data[:_HEAD].decode("utf-8", "replace"))
    reader = _cells(io.StringIO(text, newline=""), separator)
    rows = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    names = _names([cells for _, cells in rows])
    for wanted in [target, *experts, *([series] if series else [])]:
        if wanted not in names:
            raise Refused(f"{path}: this is other data: it has no column '{wanted}'")
    place = {name: k for k, name in enumerate(names)}
    found = []
    for number, cells in rows[1:]:
        try:
            row = _forecast(cells, len(names), place, target, experts, series, loss)
        except ValueError as problem:
            if not skip:
                raise Refused(f"{path}:{number}: {problem}") from None
            continue
        if row is not None:
            found.append(row)
    return found


def _separator(path: Path, start: str) -> str:
    """What cuts the most rows into as many cells as the first."""
    if any(ending.lower() in (".tsv", ".tab") for ending in path.suffixes):
        return "\t"
    lines = [line for line in start.splitlines()[:100] if line.strip()]

    def fit(separator: str) -> tuple[float, int]:
        try:
            widths = [len(row) for row in _cells(lines, separator)]
        except csv.Error:
            return 0.0, 0
        alike = sum(width == widths[0] for width in widths) / len(widths) if widths else 0.0
        return (alike, widths[0]) if widths and widths[0] > 1 else (0.0, 0)

    return max(_SEPARATORS, key=fit)


def _cells(lines: Iterable[str], separator: str) -> Any:
    """Between tabs there are no quotes."""
    if separator == "\t":
        return csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    return csv.reader(lines, delimiter=separator)


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """The header; a column without a name is called by its place, and none begins behind the last name."""
    header = [name.strip() for name in rows[0]] if rows else []
    if header and not header[-1] and rows[1:] and all(len(row) == len(header) - 1 for row in rows[1:]):
        header.pop()
    return [name or str(at) for at, name in enumerate(header, 1)]


def _forecast(
    cells: list[str],
    width: int,
    place: dict[str, int],
    target: str,
    experts: Sequence[str],
    series: str | None,
    loss: str,
) -> Forecast | None:
    """Read a row; None if nobody knows the truth."""
    if len(cells) != width:
        raise ValueError(f"the row must have {width} cells as in the header, not {len(cells)}")
    truth = _cell(cells[place[target]])
    said = [_cell(cells[place[name]]) for name in experts]
    awake = [one for one in said if one is not None]
    if not awake:
        raise ValueError("a row needs an expert that is awake")
    if loss == "percentage" and truth == 0.0:
        raise ValueError("a percentage of 0 is not defined")
    if loss == "log" and (truth not in (None, 0.0, 1.0) or min(awake) < 0.0 or max(awake) > 1.0):
        raise ValueError("with the loss log the truth is 0 or 1 and every expert says a probability")
    return None if truth is None else Forecast(truth, said, cells[place[series]] if series else None)


def _cell(text: str) -> float | None:
    word = text.strip()
    if word.lower() in _MISSING:
        return None
    if word.lower() in _TRUTHS:
        return _TRUTHS[word.lower()]
    number = float(word)
    if not math.isfinite(number) or "_" in word:
        raise ValueError(f"'{word}' is not a finite number")
    return number
