"""The twin of the Perceptron."""

from __future__ import annotations

from .linear import Example, Linear, checked, stepped


class Perceptron(Linear):
    """On a mistake, w ← w + η·y·x, every weight starting at 0.

    >>> twin = Perceptron()
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.weights
    (True, {'free': -1.0, 'money': -2.0})
    """

    def __init__(self, rate: float = 1.0, bias: bool = False) -> None:
        """η, and whether a feature that is always 1 ends every row."""
        super().__init__()
        self.rate = checked("rate", rate, 0.0)
        self.has_bias = bias
        self.potential = 0.0  # ‖w‖²

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Step on a mistake, further when the round counts more."""
        if self.decide(score) == y:
            return False
        moved, self.potential = stepped(self.table, self.row(x), self.rate * weight * y, self.potential)
        self.table.update(moved)
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """‖w‖²."""
        return {"potential": self.potential}
