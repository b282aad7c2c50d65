"""The table of forecasts behind `noregret experts`: which columns are what, and which rows are good."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from noregret.cli.data_options import listed
from noregret.data.table import Table, read_table
from noregret.errors import BadCommand, BadFile, BadParameter
from noregret.experts.losses import Loss
from noregret.rounds import Floats

_TIMES = ("time", "date", "datetime", "timestamp")


@dataclass(frozen=True)
class Forecasts:
    """What the experts said, and what was true: NaN where nobody knows that yet."""

    names: list[str]
    advice: Floats
    truth: Floats
    axis: list[str]  # what to write beside a round
    series: list[str] | None
    left_out: list[str]  # columns that are no expert's
    skipped: int

    @property
    def told(self) -> NDArray[np.bool_]:
        """Which rows have their truth."""
        return ~np.isnan(self.truth)

    def where(self, rows: NDArray[np.bool_]) -> Forecasts:
        """These rows alone."""
        keys = None if self.series is None else list(compress(self.series, rows))
        axis, advice = list(compress(self.axis, rows)), np.ascontiguousarray(self.advice[rows])
        return replace(self, advice=advice, truth=self.truth[rows], axis=axis, series=keys)


def read_forecasts(
    path: Path,
    target: str,
    experts: str | None,
    time: str | None,
    series: str | None,
    loss: Loss,
    on_bad_row: str,
) -> Forecasts:
    """Read a file; every fault is one sentence that names its place."""
    if on_bad_row not in ("stop", "skip"):
        raise BadParameter(f"--on-bad-row is '{on_bad_row}'; it must be stop or skip")
    table = read_table(path, skip=on_bad_row == "skip")
    truth = table.numbers(target)
    time = time or next((name for name in table.names if name.lower() in _TIMES and name != target), None)
    names, left_out = _experts(table, experts, {target, time, series})
    advice = np.column_stack([table.numbers(name) for name in names])
    for r in range(len(advice)):
        _check_row(table, r, advice[r], float(truth[r]), target, loss)
    axis = table.text(time) if time else [str(r + 1) for r in range(len(table.rows))]
    keys = table.text(series) if series else None
    whole = Forecasts(names, advice, truth, axis, keys, left_out, len(table.skipped))
    kept = np.array([r not in table.skipped for r in range(len(table.rows))])
    if not kept.any():
        raise BadFile(f"{path}: no row is left")
    return whole.where(kept)


def _experts(table: Table, given: str | None, taken: set[str | None]) -> tuple[list[str], list[str]]:
    """Choose the experts' columns; also those that are nobody's."""
    if given is not None:
        names = listed("experts", [given])
        if twice := [name for name in names if name in taken or names.count(name) > 1]:
            raise BadCommand(f"--experts names '{twice[0]}', which is used already")
    else:
        names = [name for name in table.names if name not in taken and table.is_numeric(name)]
    for name in names:
        table.column(name)
    if not names:
        raise BadCommand(f"{table.path} has no expert: besides the target there must be a numeric column")
    return names, [name for name in table.names if name not in taken and name not in names]


def _check_row(table: Table, row: int, said: Floats, truth: float, target: str, loss: Loss) -> None:
    if row in table.skipped:
        return
    awake = said[~np.isnan(said)]
    if len(awake) == 0:
        table.refuse(row, "every expert is asleep; at least one must say something")
    elif loss.name == "percentage" and truth == 0.0:
        table.refuse(
            row, f"column '{target}' is 0, and a percentage of 0 is not defined; use --loss absolute"
        )
    elif loss.name == "log" and truth == truth and truth not in (0.0, 1.0):
        table.refuse(row, f"column '{target}' has {truth:g}; with --loss log the truth is 0 or 1")
    elif loss.name == "log" and (awake.min() < 0.0 or awake.max() > 1.0):
        table.refuse(row, "with --loss log every expert says a probability, from 0 to 1")
