"""The order of rounds: several passes, and random draws from a fixed sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from noregret.natures.arrays import ArrayStream, shuffled
from noregret.rounds import Batch, Stream


class Passes:
    """A stream played several times over; with a seed, in a new random order each time."""

    def __init__(self, stream: Stream, passes: int, seed: int | None = None) -> None:
        """Shuffling needs the whole stream in memory; without a seed it is only read again."""
        self.source = stream
        self.passes = passes
        self.seed = seed
        self.replayable = getattr(stream, "replayable", True)
        self._kept: ArrayStream | None = None

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds, pass after pass."""
        for turn in range(self.passes):
            yield from self._turn(turn).batches()

    def _turn(self, turn: int) -> Stream:
        if self.seed is None:
            return self.source
        if self._kept is None:
            self._kept = in_memory(self.source)
        return shuffled(self._kept, self.seed + turn)


def in_memory(stream: Stream) -> ArrayStream:
    """Read a stream to its end and keep it."""
    from scipy.sparse import csr_array

    if isinstance(stream, ArrayStream):
        return stream
    parts = list(stream.batches())
    if not parts:
        return ArrayStream(np.empty((0, 0)), [])
    spans = [slice(int(p.starts[0]), int(p.starts[-1])) for p in parts if p.starts is not None]
    values = np.concatenate([p.values[s] for p, s in zip(parts, spans, strict=True)])
    indices = np.concatenate([_indices(p)[s] for p, s in zip(parts, spans, strict=True)])
    lengths = np.concatenate([np.diff(p.starts) for p in parts if p.starts is not None])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    width = max((p.width for p in parts), default=-1)
    columns = max(width, int(indices.max(initial=-1)) + 1)
    matrix = csr_array((values, indices, starts), shape=(len(lengths), columns))
    kept = ArrayStream(matrix, np.concatenate([p.labels for p in parts]))
    kept.width = width
    return kept


def _indices(batch: Batch) -> Any:
    return batch.indices
