"""The twin of the Perceptron."""

from __future__ import annotations

from .linear import LaneWise, checked
from .losses import not_negative


class Perceptron(LaneWise):
    """On a mistake, and when y⟨w, x⟩ < margin, w ← w + η·y·x, every weight starting at 0.

    >>> twin = Perceptron()
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.weights
    (True, {'free': -1.0, 'money': -2.0})
    """

    def __init__(
        self, rate: float = 1.0, bias: bool = False, margin: float = 0.0, scale: str = "none"
    ) -> None:
        """η, the margin, whether a feature that is always 1 ends every row, and how rows are scaled."""
        super().__init__(scale)
        self.rate = checked("rate", rate, 0.0)
        self.margin = not_negative("margin", margin)
        self.has_bias = bias
        self.potential = 0.0  # ‖w‖²

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def moves(self, y: float, score: float) -> bool:
        """A mistake teaches, and a margin that is too small."""
        return self.decide(score) != y or y * score < self.margin

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Step further when the round counts more."""
        return self.rate * weight * y, 0.0

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """w + step·x."""
        return (at[0] + step[0] * value,)

    @property
    def scalars(self) -> dict[str, float]:
        """‖w‖²."""
        return {"potential": self.potential}
