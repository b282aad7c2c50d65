"""The CSV files that `noregret experts` writes; each appears whole or not at all."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from noregret.cli.forecasts import Forecasts
from noregret.experts.played import Played
from noregret.model_file import write_whole


def write_predictions(path: Path, data: Forecasts, target: str, played: Sequence[Played]) -> None:
    """Write the row, the truth if it is known, and what every rule said."""
    columns = [one.predictions.tolist() for one in played]
    truth = ["" if math.isnan(y) else y for y in data.truth.tolist()]
    rows = zip(data.axis, truth, *columns, strict=True)
    _write(path, ["row", target, *[one.name for one in played]], rows)


def write_weights(path: Path, data: Forecasts, played: Sequence[Played]) -> None:
    """Write the row, the rule, and the weight of every expert behind its prediction."""
    rows = (
        [axis, one.name, *weights]
        for one in played
        if one.weights is not None
        for axis, weights in zip(data.axis, one.weights.tolist(), strict=True)
    )
    _write(path, ["row", "rule", *data.names], rows)


def _write(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write_whole(path, text.getvalue().encode())
