"""A table of forecasts read in plain Python: what `noregret experts` plays."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from .rounds import Refused, text_of

_EMPTY = ("", "na", "nan", "null", "none")


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
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(f"{path}: it is not UTF-8 text") from None
    header = io.StringIO(text, newline="").readline()
    separator = max(",;\t", key=header.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    names = [name.strip() for name in rows[0]] if rows else []
    for wanted in [target, *experts, *([series] if series else [])]:
        if wanted not in names:
            raise Refused(f"{path}: this is other data: it has no column '{wanted}'")
    place = {name: k for k, name in enumerate(names)}
    found = []
    for number, cells in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in cells):
            continue
        try:
            found.append(_forecast(cells, len(names), place, target, experts, series, loss))
        except ValueError as problem:
            if not skip:
                raise Refused(f"{path}:{number}: {problem}") from None
    return found


def _forecast(
    cells: list[str],
    width: int,
    place: dict[str, int],
    target: str,
    experts: Sequence[str],
    series: str | None,
    loss: str,
) -> Forecast:
    if len(cells) != width:
        raise ValueError(f"the row must have {width} cells as in the header, not {len(cells)}")
    truth = _cell(cells[place[target]])
    said = [_cell(cells[place[name]]) for name in experts]
    awake = [one for one in said if one is not None]
    if truth is None or not awake:
        raise ValueError("a row needs its truth, and an expert that is awake")
    if loss == "percentage" and truth == 0.0:
        raise ValueError("a percentage of 0 is not defined")
    if loss == "log" and (truth not in (0.0, 1.0) or min(awake) < 0.0 or max(awake) > 1.0):
        raise ValueError("with the loss log the truth is 0 or 1 and every expert says a probability")
    return Forecast(truth, said, cells[place[series]] if series else None)


def _cell(text: str) -> float | None:
    word = text.strip()
    if word.lower() in _EMPTY:
        return None
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"'{word}' is not a finite number")
    return number
