"""The twin of the Vovk–Azoury–Warmuth forecaster."""

from __future__ import annotations

from .linear import Example, checked, merged
from .regression import finite
from .second_order import SecondOrder


class Ridge(SecondOrder):
    """Least squares over all rounds, x itself among them with the number 0: predicts ⟨w, x⟩/(1 + v).

    >>> twin = Ridge()
    >>> twin.learn([("size", 1.0)], 6.0), twin.predict([("size", 1.0)])
    (True, 2.0)
    """

    def __init__(self, ridge: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """`ridge` is a: the matrix starts as a·I."""
        self.ridge = checked("ridge", ridge, 0.0)
        super().__init__("full", bias, scale, variance=1.0 / self.ridge)

    def truth(self, y: float) -> float:
        """A finite number."""
        return finite(y)

    def decide(self, score: float) -> float:
        """The score."""
        return score

    def loss_of(self, score: float, y: float) -> float:
        """The squared error."""
        return (score - y) * (score - y)

    def total(self, x: Example) -> float:
        """⟨w, x⟩/(1 + xᵀA⁻¹x)."""
        return super().total(x) / (1.0 + self.reach(x)) + 0.0

    def reach(self, x: Example) -> float:
        """v = xᵀA⁻¹x; a feature never met has the variance it starts with."""
        row = merged(self.row(x))
        v = self.turned(self.laid(row))[1][-1]
        for feature, value in row:
            if value != 0.0 and feature not in self.met:
                v += self.variance * value * value
        return v

    def moves(self, y: float, score: float) -> bool:
        """Even a number that was right makes it surer."""
        return True

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Least squares, the round counting `weight` times."""
        return weight * (y - score * (1.0 + measured)) / (1.0 + weight * measured), weight
