"""Names of features to columns, for the formats that Python reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from noregret import _core
from noregret.data import features
from noregret.data.labels import Labels
from noregret.data.reading import Reading
from noregret.data.stream import DataStream
from noregret.rounds import Batch


class NamedStream(DataStream):
    """A stream whose features have names: kept up to a number of them, or hashed into 2^bits numbers.

    `left_out` counts the features whose names came when there were too many already.
    """

    def __init__(
        self, paths: Sequence[Path], labels: Labels, reading: Reading | None = None, skip: bool = False
    ) -> None:
        """Begin with no names."""
        super().__init__(paths, labels, reading, skip)
        bits = self.reading.bits
        self.names = _core.Vocabulary(features.MOST_NAMES) if bits is None else None
        self.width = -1 if bits is None else 1 << bits
        self.left_out = 0
        self._asked: Sequence[str] | None = None
        self._answered: tuple[Any, bool] = (None, False)

    def batches(self) -> Iterator[Batch]:
        """Yield the rows. A bad row ends the stream with an error, after the rows before it."""
        self.left_out = 0
        return super().batches()

    def tabled(self, values: Any, features: Any, names: Sequence[str], holes: bool) -> Batch:
        """Make a batch of a table whose features are places in a list of names; its labels are to come."""
        columns, usual = self._columns(names)
        labels, width = np.empty(len(values)), self.width
        whole = Batch(values, labels, width=width, names=self.names, features=features, holes=holes)
        if usual:
            return whole
        if (columns < 0).any():
            flat = whole.flat()
            return self.sparse(flat.values, flat.indices, flat.starts, names)
        words = features < 0
        values[:, words] = columns[values[:, words].astype(np.int64)]
        return replace(whole, features=np.where(words, features, columns[features]))

    def sparse(self, values: Any, places: Any, starts: Any, names: Sequence[str]) -> Batch:
        """Make a batch of features that are places in a list of names. Its labels are still to come."""
        table, usual = self._columns(names)
        if usual or (table >= 0).all():
            columns = places.astype(np.int32, copy=False) if usual else table[places]
        else:
            columns = table[places]
            kept = columns >= 0
            self.left_out += int(len(kept) - kept.sum())
            before = np.concatenate([[0], np.cumsum(kept)])
            values, columns, starts = values[kept], columns[kept], before[starts]
        rows = len(starts) - 1
        return Batch(values, np.empty(rows), columns, starts.astype(np.int32), self.width, names=self.names)

    def _columns(self, names: Sequence[str]) -> tuple[Any, bool]:
        """Give the column of each name, −1 when there is none left for it; and whether each is its place."""
        if names is not self._asked:  # of most batches the names are those of the batch before
            if self.names is not None:
                found = [self.names.add(name) for name in names]
            else:
                found = [features.hashed(name, self.reading.bits or 0) for name in names]
            columns = np.array(found, dtype=np.int32)
            self._asked, self._answered = names, (columns, bool((columns == np.arange(len(columns))).all()))
        return self._answered
