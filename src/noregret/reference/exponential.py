"""The twins of the two exponential forms of Winnow."""

from __future__ import annotations

import math

from .linear import Example, Feature, Linear, checked, stepped

HIGHEST = 300.0  # weights are scaled down when one passes e³⁰⁰,
LOWEST = -700.0  # and none goes below e⁻⁷⁰⁰, which is still a normal number
DIRECT = 2**20  # features from here on are added up in the order they were met


class NormalizedWinnow(Linear):
    """On a mistake, wᵢ ← wᵢ·exp(η·y·xᵢ): wᵢ = exp(gᵢ) with gᵢ = Σ η·y·xᵢ over the mistakes.

    Scaling every weight by the same factor changes no prediction, so what is kept is
    exp(gᵢ − center), and the center moves up when a weight becomes large.

    >>> twin = NormalizedWinnow(rate=1.0)
    >>> twin.learn([("a", 1.0), ("b", -1.0)], -1), twin.predict([("a", 1.0), ("b", -1.0)])
    (True, -1.0)
    """

    def __init__(self, rate: float = 0.1, scale: str = "none") -> None:
        """η, and how rows are scaled."""
        super().__init__(scale)
        self.rate = checked("rate", rate, 0.0)
        self.exponents: dict[Feature | None, float] = {}
        self.center = 0.0
        self.square = 0.0  # ‖g‖²
        self.gain = 0.0  # Σ(|wᵢ| − |its start|), as scaled
        self.potential = 0.0  # the same, as if it were not
        self.initial_weight = self.weight_for(0.0)

    def weight_for(self, g: float) -> float:
        """The weight that goes with an exponent."""
        return self.power(g)

    def reach(self, g: float) -> float:
        """The exponent of the largest power in the weight."""
        return g

    def power(self, exponent: float) -> float:
        """Raise e to the exponent, less the center; infinity where doubles end."""
        try:
            return math.exp(max(exponent - self.center, LOWEST))
        except OverflowError:
            return math.inf

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Move the exponents on a mistake, and the weights after them."""
        if self.decide(score) == y:
            return False
        moved, self.square = stepped(self.exponents, x, self.rate * weight * y, self.square)
        self.exponents.update(moved)
        for feature, _ in x:
            self.gain -= abs(self.table.get(feature, self.initial_weight))
            self.table[feature] = self.weight_for(self.exponents[feature])
            self.gain += abs(self.table[feature])
        highest = max([0.0] + [self.reach(g) for g in moved.values()])
        if highest - self.center > HIGHEST:
            self.recenter(highest)
        self.potential = max(-1e300, min(self.gain * math.exp(min(self.center, 600.0)), 1e300))
        return True

    def recenter(self, center: float) -> None:
        """Scale every weight anew, and add up the gain again."""
        self.center = center
        self.initial_weight = self.weight_for(0.0)
        self.gain = 0.0
        for feature in sorted(self.table, key=lambda f: min(f, DIRECT) if isinstance(f, int) else 0):
            self.table[feature] = self.weight_for(self.exponents.get(feature, 0.0))
            self.gain += abs(self.table[feature]) - abs(self.initial_weight)

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers."""
        return {"center": self.center, "square": self.square, "gain": self.gain, "potential": self.potential}


class BalancedWinnow(NormalizedWinnow):
    """The normalised form over (x, −x): the weight of a feature is exp(g) − exp(−g).

    >>> twin = BalancedWinnow()
    >>> twin.learn([("sunny", 1.0)], -1), twin.predict([("sunny", 1.0)])
    (True, -1.0)
    """

    def weight_for(self, g: float) -> float:
        """The weight that x meets less the one that −x meets."""
        return self.power(g) - self.power(-g)

    def reach(self, g: float) -> float:
        """The larger of g and −g."""
        return abs(g)
