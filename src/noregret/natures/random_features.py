"""Random Fourier features: a gaussian kernel for linear learners.

Rahimi & Recht 2007, Random features for large-scale kernel machines: with frequencies from a normal
distribution of variance 2·gamma and uniform shifts, E⟨z(x), z(x')⟩ = exp(−gamma·‖x − x'‖²).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from noregret.errors import BadInput
from noregret.natures.wrapper import ABOUT_ROUNDS, Wrapper
from noregret.parameters import ReadOnlyParameters, count, positive
from noregret.rounds import Batch, Floats, Stream


class RandomFeatures(ReadOnlyParameters):
    """Maps rows of `dimension` features to √(2/width)·cos(⟨ω, x⟩ + b), `width` of them.

    The seed is explicit, and the same seed gives the same map: keep the three numbers and the seed
    beside the model. Inner products of what it gives are those of a gaussian kernel, up to about
    1/√width, so that any linear learner behind it is nearly a kernel learner, at a fixed cost.

    >>> import noregret as nr
    >>> stream = nr.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]] * 50, [-1, 1, 1, -1] * 50)
    >>> features = RandomFeatures(dimension=2, width=200, seed=7)
    >>> nr.play(features.of(stream), nr.Perceptron()).mistakes < 10
    True
    >>> features(np.zeros((1, 2))).shape
    (1, 200)
    """

    read_only: ClassVar[tuple[str, ...]] = ("dimension", "width", "seed", "gamma")

    def __init__(self, dimension: int, width: int, seed: int, gamma: float = 1.0) -> None:
        """Draw the frequencies and the shifts."""
        self.dimension, self.width = count("dimension", dimension, 1), count("width", width, 1)
        self.seed = count("seed", seed)
        self.gamma = positive("gamma", gamma)
        rng = np.random.default_rng(seed)
        self._frequencies = rng.normal(0.0, np.sqrt(2.0 * self.gamma), (dimension, width))
        self._shifts = rng.uniform(0.0, 2.0 * np.pi, width)

    def __call__(self, rows: Any) -> Floats:
        """Map rows, dense or sparse; one row given alone comes back alone."""
        matrix = rows if hasattr(rows, "tocsr") else np.asarray(rows, dtype=np.float64)
        if matrix.shape[-1] != self.dimension:
            raise BadInput(f"a row has {matrix.shape[-1]} features; this map takes {self.dimension}")
        mapped: Floats = np.sqrt(2.0 / self.width) * np.cos(matrix @ self._frequencies + self._shifts)
        return mapped

    def of(self, stream: Stream) -> MappedStream:
        """Put the map in front of a stream of numbered features."""
        return MappedStream(stream, self)

    def __repr__(self) -> str:
        """Say what it maps."""
        return f"<RandomFeatures {self.dimension:,} → {self.width:,}, seed {self.seed}>"


class MappedStream(Wrapper):
    """A stream whose rows go through a map on their way to the learner."""

    offered: ClassVar[tuple[str, ...]] = ABOUT_ROUNDS

    def __init__(self, source: Stream, features: RandomFeatures) -> None:
        """Wrap a stream."""
        super().__init__(source)
        self.features = features
        self.width = features.width

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds of the source, mapped."""
        for batch in self.source.batches():
            mapped = self.features(self._rows(batch.flat()))
            yield replace(
                batch.flat(), values=mapped, indices=None, starts=None, names=None, width=self.features.width
            )

    def _rows(self, batch: Batch) -> Any:
        if batch.names is not None and len(batch.names) != self.features.dimension:
            raise BadInput(f"there are {len(batch.names)} columns; this map takes {self.features.dimension}")
        if batch.indices is None or batch.starts is None:
            return batch.values
        from scipy.sparse import csr_array

        span = slice(int(batch.starts[0]), int(batch.starts[-1]))
        largest = int(batch.indices[span].max(initial=-1))
        if largest >= self.features.dimension:
            raise BadInput(f"feature {largest} occurs; this map takes 0 to {self.features.dimension - 1}")
        parts = (batch.values[span], batch.indices[span], batch.starts - batch.starts[0])
        return csr_array(parts, shape=(len(batch), self.features.dimension))
