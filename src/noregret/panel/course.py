"""How weights went, in a size that does not depend on the length of the run."""

from __future__ import annotations

from noregret.rounds import Floats

POINTS = 512


class Course:
    """Weights at rounds that are a stride apart; the stride doubles when there are too many."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.points: list[tuple[int, list[float]]] = []
        self.rounds = 0
        self._stride = 1

    def add(self, ladder: Floats) -> None:
        """Take the weights before each of so many rounds, a row each."""
        first = -self.rounds % self._stride
        for k in range(first, len(ladder), self._stride):
            self.points.append((self.rounds + k + 1, ladder[k].tolist()))
        self.rounds += len(ladder)
        while len(self.points) > POINTS:
            self._stride *= 2
            self.points = [point for point in self.points if (point[0] - 1) % self._stride == 0]
