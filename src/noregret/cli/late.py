"""Rounds whose labels are still to come, when a learner may yet refuse them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from noregret.game.said import Said
from noregret.rounds import Batch

Told = tuple[Batch, Sequence[Said]]


class Late:
    """Keeps batches back until their labels have come: what was said of a row is settled then.

    With `--on-bad-row skip` a row that is refused when its label comes is as if it had not been played. The
    rounds that wait are in memory anyway.
    """

    def __init__(self, lag: int) -> None:
        """Labels come after so many other rounds."""
        self.lag = lag
        self.kept: deque[tuple[Told, int]] = deque()  # with the rounds that everybody played
        self.rounds = 0  # of all that are kept

    def add(self, batch: Batch, said: Sequence[Said]) -> Iterator[Told]:
        """Take a batch in, and give those that are settled by it."""
        if not self.lag:
            yield batch, said
            return
        played = int((~np.isnan([one.predictions for one in said])).all(axis=0).sum())
        self.kept.append(((batch, said), played))
        self.rounds += played
        while self.kept and self.rounds - self.kept[0][1] >= self.lag:
            told, played = self.kept.popleft()
            self.rounds -= played
            yield told

    def rest(self) -> Iterator[Told]:
        """Give what is left when the run is over, and with it every label that will come."""
        while self.kept:
            yield self.kept.popleft()[0]
