"""Rounds that were written down one by one, as a stream that can be played again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from noregret.errors import BadInput
from noregret.rounds import Batch, Example, Feature, entries


class Recorded:
    """A stream of the rounds added to it. All of them name their features, or none does."""

    def __init__(self) -> None:
        """Start empty."""
        self._rows: list[list[tuple[Feature, float]]] = []
        self._labels: list[float] = []
        self._weights: list[float] = []
        self._widths: set[int] = set()

    def add(self, x: Example, y: float | None, weight: float = 1.0) -> None:
        """Write down a round."""
        self._weights.append(float(weight))
        self._rows.append(entries(x))
        self._labels.append(math.nan if y is None else float(y))
        self._widths.add(_width(x))

    def __len__(self) -> int:
        """Count the rounds."""
        return len(self._rows)

    def batches(self) -> Iterator[Batch]:
        """Yield all rounds as one batch."""
        if not self._rows:
            return
        columns: dict[Feature, int] = {}
        for row in self._rows:
            for feature, _ in row:
                columns.setdefault(feature, len(columns))
        named = any(isinstance(feature, str) for feature in columns)
        if named and not all(isinstance(feature, str) for feature in columns):
            raise BadInput("some rounds name their features and some number them; keep to one kind")
        place = columns if named else {feature: feature for feature in columns}
        yield Batch(
            values=np.array([value for row in self._rows for _, value in row], dtype=np.float64),
            labels=np.array(self._labels, dtype=np.float64),
            indices=np.array([place[feature] for row in self._rows for feature, _ in row], dtype=np.int64),
            starts=np.cumsum([0] + [len(row) for row in self._rows], dtype=np.int64),
            width=-1 if named or len(self._widths) != 1 else next(iter(self._widths)),
            weights=np.array(self._weights) if any(weight != 1.0 for weight in self._weights) else None,
            names=[str(feature) for feature in columns] if named else None,
        )


def from_rounds(
    rounds: Iterable[tuple[Example, float | None] | tuple[Example, float | None, float]],
) -> Recorded:
    """Make a stream of (x, y) or (x, y, weight): x a dict, an array or a sparse row, y −1/+1 or None.

    >>> import noregret as nr
    >>> mails = [({"free": 1.0, "from": "shop"}, 1), ({"from": "mother"}, -1)]
    >>> nr.play(nr.from_rounds(mails), nr.Perceptron()).mistakes
    1
    """
    record = Recorded()
    for x, y, *weight in rounds:
        record.add(x, y, *weight)
    return record


def _width(x: Example) -> int:
    shape = getattr(x, "shape", None)
    return int(shape[-1]) if shape else -1
