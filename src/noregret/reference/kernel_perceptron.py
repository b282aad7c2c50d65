"""The twin of the kernel Perceptron."""

from __future__ import annotations

import math

from .linear import Example, Feature, Linear, checked, merged

Kept = dict[Feature | None, float]


class KernelPerceptron(Linear):
    """On a mistake x is kept, with the coefficient y; beyond the budget the oldest goes.

    >>> twin = KernelPerceptron(kernel="linear")
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.score([("money", 1.0)])
    (True, -2.0)
    """

    def __init__(
        self,
        kernel: str = "gaussian",
        gamma: float = 1.0,
        degree: float = 2.0,
        offset: float = 1.0,
        budget: float | None = 1000,
    ) -> None:
        """A budget of None or 0 is none."""
        super().__init__()
        self.kernel = kernel
        self.gamma = checked("gamma", gamma, 0.0)
        self.degree = checked("degree", degree, 0.0)
        self.offset = offset
        self.budget = int(budget or 0)
        self.kept: list[tuple[float, Kept]] = []
        self.potential = 0.0  # ‖w‖² over the features of the kernel

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def between(self, z: Kept, x: Kept) -> float:
        """K(z, x), their product taken in the order of z."""
        product = 0.0
        for feature, value in z.items():
            product += value * x.get(feature, 0.0)
        if self.kernel == "linear":
            return product
        if self.kernel == "gaussian":
            apart = square(x) + square(z) - 2.0 * product
            return math.exp(-self.gamma * (apart if apart > 0.0 else 0.0))
        power = 1.0
        for _ in range(int(self.degree)):
            power *= product + self.offset
        return power

    def function(self, x: Kept) -> float:
        """Σ c·K(z, x) over what is kept, the oldest first."""
        total = 0.0
        for coefficient, z in self.kept:
            total += coefficient * self.between(z, x)
        return total + 0.0

    def score(self, x: Example) -> float:
        """The function at x, its repeated features added up."""
        self.check(x)
        row = dict(merged(x))
        total = self.function(row)
        if not math.isfinite(total) or not math.isfinite(square(row)):
            raise ValueError("the score of this row overflows")
        return total

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Keep a mistake; a round that counts more has a larger coefficient."""
        if self.decide(score) == y:
            return False
        row, step = dict(merged(x)), y * weight
        change = 2.0 * step * score + step * step * self.between(row, row)
        full = 0 < self.budget <= len(self.kept)
        if full:
            coefficient, oldest = self.kept[0]
            there = self.function(oldest) + step * self.between(oldest, row)
            change += coefficient * coefficient * self.between(oldest, oldest) - 2.0 * coefficient * there
        if not math.isfinite(self.potential + change):
            raise ValueError("learning from this row would overflow the weights")
        self.potential += change
        self.kept = [*self.kept[1 if full else 0 :], (step, row)]
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """How many are kept, and ‖w‖²."""
        return {"supports": float(len(self.kept)), "potential": self.potential}


def square(x: Kept) -> float:
    """‖x‖²."""
    total = 0.0
    for value in x.values():
        total += value * value
    return total
