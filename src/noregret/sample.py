"""A repeatable uniform sample of the labelled rows of a stream, on which witnesses are searched for.

Row number k is in the sample if a hash of k is below a threshold; the threshold is halved whenever the
sample outgrows its limits. So the sample depends on nothing but the rows, and its memory does not grow with
the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret import _core
from noregret.rounds import Batch, Feature, Floats

ROWS = 1 << 17
VALUES = 1_000_000
Cells = tuple[Any, Any, Any]  # values, columns and starts, as `_core.FeatureColumns` lays rows out
_ALL = np.uint64(2**64 - 1)


class Sample:
    """Labelled rows that were drawn, laid out over the columns of a run."""

    def __init__(self, columns: _core.FeatureColumns, rows: int = ROWS, values: int = VALUES) -> None:
        """Start empty; `columns` may be those of a judging pass."""
        self.columns = columns
        self.rounds = 0  # labelled rows that went by
        self._most_rows, self._most_values = rows, values
        self._threshold = _ALL
        self._parts: list[tuple[Cells, Floats, NDArray[np.int64]]] = []
        self._rows = self._values = 0
        self._classes: dict[Any, int] = {}
        self._joined: tuple[Cells, Floats, NDArray[np.int64]] | None = None

    def add(self, batch: Batch) -> None:
        """Look at the rows of a batch."""
        labelled = ~np.isnan(batch.labels)
        numbers = self.rounds + np.cumsum(labelled) - 1
        self.rounds += int(np.count_nonzero(labelled))
        wanted = labelled
        if self._threshold != _ALL:
            wanted = labelled & (_hashed(numbers) < self._threshold)
        if not wanted.any():
            return
        cells = self.columns.lay(batch.matrix(), wanted.view(np.uint8))
        self._parts.append((cells, self._labels(batch, wanted), numbers[wanted]))
        self._rows += len(cells[2]) - 1
        self._values += len(cells[0])
        while self._rows > self._most_rows or self._values > self._most_values:
            self._thin()

    def _labels(self, batch: Batch, wanted: NDArray[np.bool_]) -> Floats:
        """Labels as numbers; of classes, places in the order in which these occur in the stream's list."""
        labels = batch.labels[wanted]
        if batch.classes is None:
            return labels
        place = [self._classes.setdefault(one, len(self._classes)) for one in batch.classes]
        return np.array(place, dtype=np.float64)[labels.astype(np.int64)]

    def _thin(self) -> None:
        self._threshold = np.uint64(int(self._threshold) // 2)
        thinner = []
        for cells, labels, numbers in self._parts:
            stays = _hashed(numbers) < self._threshold
            if stays.any():
                thinner.append((select(cells, stays), labels[stays], numbers[stays]))
        self._parts = thinner
        self._rows = sum(len(labels) for _, labels, _ in thinner)
        self._values = sum(len(cells[0]) for cells, _, _ in thinner)

    @property
    def _whole(self) -> tuple[Cells, Floats, NDArray[np.int64]]:
        if self._joined is None:
            self._joined = (
                joined([cells for cells, _, _ in self._parts]),
                np.concatenate([np.empty(0), *(labels for _, labels, _ in self._parts)]),
                np.concatenate([np.empty(0, np.int64), *(numbers for _, _, numbers in self._parts)]),
            )
            self._parts = [self._joined]
        return self._joined

    @property
    def cells(self) -> Cells:
        """The rows."""
        return self._whole[0]

    @property
    def labels(self) -> Floats:
        """Their labels; of classes, numbers that `places` translates."""
        return self._whole[1]

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Their numbers among the labelled rows, from 0."""
        return self._whole[2]

    @property
    def is_everything(self) -> bool:
        """Whether no labelled row is left out."""
        return len(self.labels) == self.rounds

    @property
    def share(self) -> float:
        """The share of the labelled rows that were drawn."""
        return len(self.labels) / max(self.rounds, 1)

    def places(self, classes: Sequence[Any]) -> NDArray[np.int64]:
        """Labels as places in a list of classes; −1 for a class that is not in it."""
        if not self._classes:  # numbers that stand for themselves
            known = {one: k for k, one in enumerate(classes)}
            return np.array([known.get(int(one), -1) for one in self.labels.tolist()], dtype=np.int64)
        place = {one: k for k, one in enumerate(classes)}
        table = np.array([place.get(one, -1) for one in self._classes], dtype=np.int64)
        return np.asarray(table[self.labels.astype(np.int64)])

    @property
    def features(self) -> list[Feature]:
        """The features of the columns."""
        return self.columns.features


def needs_sample(theorem: Any) -> bool:
    """Whether a theorem needs a sample of the rows: for a witness, or for a meter."""
    meters = getattr(theorem, "meters", ())
    return getattr(theorem, "comparator", None) is not None or any(one.samples for one in meters)


def select(cells: Cells, wanted: NDArray[np.bool_]) -> Cells:
    """Take some of the rows."""
    values, columns, starts = cells
    lengths = np.diff(starts)
    inside = np.repeat(wanted, lengths)
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[wanted])])
    return values[inside], columns[inside], ends


def joined(parts: Sequence[Cells]) -> Cells:
    """Put rows one below the other."""
    values = np.concatenate([np.empty(0), *(part[0] for part in parts)])
    columns = np.concatenate([np.empty(0, np.int32), *(part[1] for part in parts)])
    lengths = np.concatenate([np.empty(0, np.int64), *(np.diff(part[2]) for part in parts)])
    return values, columns, np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def _hashed(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Splitmix64 (Steele, Lea & Flood 2014) of row numbers."""
    word = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(word ^ (word >> np.uint64(31)))
