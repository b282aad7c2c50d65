"""The twin of the selective sampling Perceptron."""

from __future__ import annotations

import math

from .finite import coin
from .linear import Example, Linear, checked, stepped


class SelectivePerceptron(Linear):
    """Asks with probability b/(b + |⟨w, x⟩|) while its budget lasts; learns from mistakes it asked about."""

    def __init__(
        self, smoothing: float = 1.0, budget: int | None = None, seed: int = 0, bias: bool = False
    ) -> None:
        """b, how many labels it may ask for, which coins it throws, and the bias."""
        super().__init__()
        self.smoothing = checked("smoothing", smoothing, 0.0)
        self.budget = math.inf if budget is None else budget
        self.seed = int(seed)
        self.has_bias = bias
        self.rounds = 0
        self.asked = 0
        self.potential = 0.0  # ‖w‖²

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def asks(self, score: float) -> bool:
        """Whether it wants the label of the next round."""
        thrown = coin(self.seed, self.rounds + 1, score)
        return self.asked < self.budget and thrown * (self.smoothing + abs(score)) < self.smoothing

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Throw the coin; step on a mistake that was asked about."""
        wanted = self.asks(score)
        wrong = wanted and self.decide(score) != y
        if wrong:
            moved, self.potential = stepped(self.table, self.row(x), weight * y, self.potential)
            self.table.update(moved)
        self.rounds += 1
        self.asked += wanted
        return wrong

    @property
    def scalars(self) -> dict[str, float]:
        """Rounds, labels asked for, ‖w‖²."""
        return {"asked": float(self.asked), "potential": self.potential, "rounds": float(self.rounds)}
