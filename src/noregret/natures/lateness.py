"""Labels that come late, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from noregret.errors import BadParameter
from noregret.natures.arrays import ArrayStream
from noregret.natures.wrapper import Wrapper
from noregret.parameters import count
from noregret.rounds import Batch, Stream


class Delayed(Wrapper):
    """A stream whose labels come `lag` rounds late: that of round t after the prediction of round t + lag.

    When the stream ends the labels still on their way arrive, in order. A lag of 0 changes nothing.

    >>> import noregret as nr
    >>> nr.play(nr.Delayed(nr.standard_basis(100), lag=10), nr.Perceptron()).mistakes
    100
    """

    def __init__(self, stream: Stream, lag: int) -> None:
        """Put a stream behind a delay."""
        super().__init__(stream)
        self.lag += count("lag", lag)

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds; they know how late their labels are."""
        return (replace(batch, lag=self.lag) for batch in self.source.batches())


class PartlyLabelled(Wrapper):
    """A stream of which only a share of the labels is told, chosen by chance; the seed makes it repeat.

    >>> import noregret as nr
    >>> some = nr.PartlyLabelled(nr.standard_basis(100), share=0.25)
    >>> nr.play(some, nr.Perceptron()).labelled
    22
    """

    def __init__(self, stream: Stream, share: float, seed: int = 0) -> None:
        """Hide all labels but a share of them."""
        if not 0.0 <= share <= 1.0:
            raise BadParameter(f"share is {share}; it must be between 0 and 1")
        super().__init__(stream)
        self.share = share
        self.seed = count("seed", seed)

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds, most of their labels NaN."""
        rng = np.random.default_rng(self.seed)
        for batch in self.source.batches():
            told = rng.random(len(batch)) < self.share
            yield replace(batch, labels=np.where(told, batch.labels, np.nan))


def late_basis(size: int, lag: int) -> Delayed:
    """The worst case of late labels: each unit vector comes until its first label does, and is −1 every time.

    Then rounds without a label let the others arrive. A Perceptron errs size·(lag + 1) times, and the
    inequality behind its bound is an equality.
    """
    size, lag = count("size", size), count("lag", lag)
    block = np.repeat(np.arange(size), 2 * lag + 1)
    asked = np.arange(len(block)) % (2 * lag + 1) <= lag
    rows = np.eye(max(size, 1))[block]
    stream = ArrayStream(rows, np.where(asked, -1.0, np.nan), witness=-np.ones(max(size, 1)))
    return Delayed(stream, lag)
