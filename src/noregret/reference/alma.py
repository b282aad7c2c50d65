"""The twin of ALMA₂."""

from __future__ import annotations

import math

from .linear import Example, Linear, checked, merged, stepped
from .losses import not_negative, square_length

SMALLEST = 2.0**-100  # below this the scale is worked into the weights


class Alma(Linear):
    """When y⟨w, x⟩ ≤ (1 − α)·B/√k, the k-th correction: w ← w + C/√k·y·x, and back to the unit ball.

    What is kept is v, with w = scale·v.

    >>> twin = Alma(C=1.0)
    >>> twin.learn([("a", 3.0), ("b", 4.0)], -1), twin.weights
    (True, {'a': -0.6000000000000001, 'b': -0.8})
    """

    def __init__(
        self,
        alpha: float = 0.9,
        B: float | None = None,
        C: float = math.sqrt(2.0),
        normalize: bool = True,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """α, B (√8/α unless given), C, and whether rows are divided by their length."""
        super().__init__(scale)
        self.alpha = checked("alpha", alpha, 0.0)
        self.B = math.sqrt(8.0) / self.alpha if B is None else not_negative("B", B)
        self.C = checked("C", C, 0.0)
        self.normalize = normalize
        self.has_bias = bias
        self.corrections, self.stretch, self.square = 0.0, 1.0, 0.0

    def factor(self) -> float:
        """w = scale·v."""
        return self.stretch

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Correct what has too small a margin."""
        row = merged(self.row(x))
        length = math.sqrt(square_length(row)) if self.normalize else 1.0
        if length == 0.0:
            return False
        root = math.sqrt(self.corrections + 1.0)
        if y * score / length > (1.0 - self.alpha) * self.B / root:
            return False
        step = self.C / root * weight * y / length / self.stretch
        after, square = stepped(self.table, row, step, self.square)
        self.table.update(after)
        self.square = square
        self.corrections += 1.0
        if self.stretch * math.sqrt(self.square) > 1.0:
            self.stretch = 1.0 / math.sqrt(self.square)
        if self.stretch < SMALLEST:
            self.table = {feature: v * self.stretch for feature, v in self.table.items()}
            self.square *= self.stretch * self.stretch
            self.stretch = 1.0
        self.potential = self.stretch * self.stretch * self.square
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers."""
        return {
            "corrections": self.corrections,
            "scale": self.stretch,
            "square": self.square,
            "potential": self.potential,
        }
