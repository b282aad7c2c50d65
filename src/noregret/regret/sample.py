"""Rounds of a stream laid out as a matrix: all of them, or of a long stream every second, fourth, eighth …

The rounds are evenly spread over the stream, and what they take in memory does not depend on its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret import _core
from noregret.game.play import first
from noregret.judging.learner_judge import places
from noregret.ledger import Ledger
from noregret.rounds import Batch, Feature, Floats, Stream
from noregret.sample import Cells, joined, select


class Rows(NamedTuple):
    """Labelled rounds: a sparse row each, the features of its columns, and which share of all they are."""

    rows: Any  # scipy csr_array, float64
    labels: Floats
    features: list[Feature]
    every: int  # 1: all of them


def sampled(stream: Stream, limit: int | None, values: int, classes: Sequence[Any] = ()) -> Rows:
    """Take the labelled rounds, or every so many of them that they have no more than so many values.

    With classes, a label is a place among them.

    >>> import numpy as np, noregret as nr
    >>> stream = nr.from_arrays(np.ones((100, 3)), [1] * 100)
    >>> few = sampled(stream, None, values=60)
    >>> few.rows.shape, few.every
    ((13, 3), 8)
    """
    from scipy.sparse import csr_array

    columns, kept = _core.FeatureColumns(), list[_Kept]()
    every, count = 1, 0
    for batch in first(stream, limit):
        labelled = ~np.isnan(batch.labels)
        numbers = count + np.cumsum(labelled) - 1
        wanted = labelled & (numbers % every == 0)
        kept.append(_taken(batch, wanted, numbers, columns, classes))
        count += int(labelled.sum())
        while _size(kept) > values and sum(len(one.numbers) for one in kept) > 1:
            every *= 2
            kept = [_thinned(one, every) for one in kept]
        kept = [one for one in kept if len(one.numbers)]
    cells = joined([one.cells for one in kept])
    rows = csr_array(cells, shape=(len(cells[2]) - 1, max(len(columns), 1)))
    return Rows(rows, np.concatenate([np.empty(0), *(one.labels for one in kept)]), columns.features, every)


def rows_of(ledger: Ledger, values: int, classes: Sequence[Any] = ()) -> Rows:
    """The sample that was drawn while a run was played; without one, the rows are read again."""
    sample = ledger.sample
    if sample is None:
        return sampled(ledger.nature, ledger.limit, values, classes)
    from scipy.sparse import csr_array

    cells, numbers = sample.cells, sample.labels
    labels = sample.places(classes).astype(np.float64) if classes else numbers
    every = 1 if sample.is_everything else max(2, round(1.0 / sample.share))
    thinner = -(-len(cells[0]) // values)
    if thinner > 1:
        chosen = np.arange(len(labels)) % thinner == 0
        cells, labels, every = select(cells, chosen), labels[chosen], every * thinner
    rows = csr_array(cells, shape=(len(cells[2]) - 1, max(len(sample.columns), 1)))
    return Rows(rows, labels, sample.features, every)


class _Kept(NamedTuple):
    numbers: NDArray[np.int64]  # among the labelled rounds, from 0
    cells: Cells
    labels: Floats


def _taken(
    batch: Batch,
    wanted: NDArray[np.bool_],
    numbers: NDArray[np.int64],
    columns: _core.FeatureColumns,
    classes: Sequence[Any],
) -> _Kept:
    cells = columns.lay(batch.matrix(), wanted.view(np.uint8))
    return _Kept(numbers[wanted], cells, places(batch.labels[wanted], batch.classes, classes))


def _size(kept: list[_Kept]) -> int:
    """The values, and the rows themselves."""
    return sum(len(one.cells[0]) + len(one.numbers) for one in kept)


def _thinned(one: _Kept, every: int) -> _Kept:
    """Keep the rows whose number is a multiple of `every`."""
    stays = one.numbers % every == 0
    return _Kept(one.numbers[stays], select(one.cells, stays), one.labels[stays])
