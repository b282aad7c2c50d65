"""The order of rounds: several passes, and random draws from a fixed sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from noregret.natures.arrays import ArrayStream, permuted
from noregret.natures.wrapper import Wrapper
from noregret.rounds import Batch, Stream


class Passes(Wrapper):
    """A stream played several times over; with a seed, in a new random order each time."""

    def __init__(self, stream: Stream, passes: int, seed: int | None = None) -> None:
        """Shuffling needs the whole stream in memory; without a seed it is only read again."""
        super().__init__(stream)
        self.turns = passes
        self.passes = passes * int(getattr(stream, "passes", 1))  # how often a row comes, at most
        self.seed = seed
        self.drawn = seed is not None and passes == 1
        if seed is not None:
            self.lag = 0  # what is kept is rows and labels, not when they came
        self._kept: ArrayStream | None = None

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds, pass after pass."""
        for turn in range(self.turns):
            yield from self._turn(turn).batches()

    def _turn(self, turn: int) -> Stream:
        if self.seed is None:
            return self.source
        if self._kept is None:
            self._kept = in_memory(self.source)
        return permuted(self._kept, self.seed + turn)


def in_memory(stream: Stream) -> ArrayStream:
    """Read a stream to its end and keep it."""
    from scipy.sparse import csr_array

    if isinstance(stream, ArrayStream):
        return stream
    parts = list(stream.batches())
    if not parts:
        return ArrayStream(np.empty((0, 0)), [])
    columns: dict[str, int] = {}
    cells = [part.cells() for part in parts]
    indices = np.concatenate(
        [_counted(met, part.names, columns) for part, (_, met, _) in zip(parts, cells, strict=True)]
    )
    starts = np.concatenate([[0], np.cumsum(np.concatenate([np.diff(begins) for _, _, begins in cells]))])
    named = any(part.names is not None for part in parts)
    width = -1 if named else max(part.width for part in parts)
    shape = (len(starts) - 1, max(width, len(columns), int(indices.max(initial=-1)) + 1))
    values = np.concatenate([some for some, _, _ in cells])
    matrix = csr_array((values, indices, starts), shape=shape)
    weights = None
    if any(part.weights is not None for part in parts):
        weights = np.concatenate([np.ones(len(p)) if p.weights is None else p.weights for p in parts])
    labels = np.concatenate([part.labels for part in parts])
    kept = ArrayStream(matrix, labels, weights, list(columns) if named else None)
    kept.place = partial(_place, np.cumsum([0, *map(len, parts)]), [part.where for part in parts])
    kept.width = width
    kept.classes = None if parts[-1].classes is None else list(parts[-1].classes)
    return kept


def _place(begins: Any, places: Sequence[Callable[[int], str] | None], row: int) -> str:
    """Where a row came from, as its own batch says it."""
    k = int(np.searchsorted(begins, row, "right")) - 1
    where = places[k]
    return f"row {row}" if where is None else where(row - int(begins[k]))


def _counted(met: Any, names: Any, columns: dict[str, int]) -> Any:
    """The columns of a batch, counted over the whole stream where they have names."""
    if names is None:
        return met
    places = np.full(len(names), -1, dtype=np.int64)
    for j in np.unique(met).tolist():
        places[j] = columns.setdefault(names[j], len(columns))
    return places[met]
