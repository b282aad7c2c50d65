"""Rows that hold nothing but finite numbers, for whoever writes them down: text has no others, arrays may."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from noregret.data.stream import DataStream
from noregret.errors import BadInput
from noregret.rounds import Batch


def finite_rows(stream: DataStream) -> Iterator[Batch]:
    """Yield the rows of a stream; one that every learner would refuse stops it, or is passed over."""
    for batch in stream.batches():
        begin = 0
        for row in [] if np.isfinite(batch.values).all() else _odd_rows(batch):
            if row > begin:
                yield batch.part(begin, row)
            name, value = next((name, value) for name, value in batch.row(row) if not np.isfinite(value))
            problem = BadInput(f"feature {name!r} is {value}; a value must be a finite number")
            problem.where = batch.located(row)
            stream.fault(problem)
            begin = row + 1
        if len(batch) > begin:
            yield batch.part(begin, len(batch))


def _odd_rows(batch: Batch) -> list[int]:
    values, _, starts = batch.cells()
    odd = np.flatnonzero(~np.isfinite(values))
    rows: list[int] = np.unique(np.searchsorted(starts, odd, side="right") - 1).tolist()
    return rows
