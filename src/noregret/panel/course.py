"""How weights went, in a size that does not depend on the length of the run."""

from __future__ import annotations

import numpy as np

from noregret.rounds import Floats

POINTS = 128


class Course:
    """Weights at rounds that are a stride apart; the stride doubles when there are too many."""

    def __init__(self, members: int) -> None:
        """Make room for all there will ever be."""
        self.rounds = 0
        self._table = np.zeros((POINTS, members), dtype=np.float32)
        self._size = 0
        self._stride = 1

    @property
    def points(self) -> list[tuple[int, list[float]]]:
        """Rounds, and the weights before them."""
        return [(k * self._stride + 1, self._table[k].tolist()) for k in range(self._size)]

    def add(self, ladder: Floats) -> None:
        """Take the weights before each of so many rounds, a row each."""
        for k in range(-self.rounds % self._stride, len(ladder)):
            if (self.rounds + k) % self._stride:
                continue
            if self._size == POINTS:
                self._thin()
                if (self.rounds + k) % self._stride:
                    continue
            self._table[self._size] = ladder[k]
            self._size += 1
        self.rounds += len(ladder)

    def _thin(self) -> None:
        self._table[: POINTS // 2] = self._table[::2].copy()
        self._size, self._stride = POINTS // 2, 2 * self._stride
