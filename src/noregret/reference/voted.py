"""The twin of the voted Perceptron."""

from __future__ import annotations

import math

from .kernel_perceptron import Kept, square
from .linear import Example, Linear, merged, stepped


class VotedPerceptron(Linear):
    """Every w that the Perceptron ever was has a vote for each labelled round it lived; `table` has w itself.

    `kept` has the steps, each with the round it was made in; beyond the budget the oldest goes into
    `base`, the w of the first round that still has votes.

    >>> twin = VotedPerceptron()
    >>> twin.learn([("a", 1.0)], -1), twin.learn([("a", -1.0)], 1), twin.learn([("a", -4.0)], -1)
    (True, False, True)
    >>> twin.score([("a", 1.0)])  # two rounds of −1 against one of +3
    -0.3333333333333333
    """

    def __init__(self, budget: float | None = 1000, bias: bool = False) -> None:
        """A budget of None or 0 is none."""
        super().__init__()
        self.budget = int(budget or 0)
        self.has_bias = bias
        self.base: Kept = {}
        self.since = 1  # the first round whose votes are counted
        self.kept: list[tuple[int, Kept]] = []

    def loss_of(self, score: float, y: float) -> float:
        """How much of the vote was wrong, less how much was right."""
        return max(0.0, -y * score)

    def score(self, x: Example) -> float:
        """The mean vote."""
        self.check(x)
        row, total = dict(merged(self.row(x))), 0.0
        for feature, value in self.row(x):
            total += self.base.get(feature, 0.0) * value
        vote, born = 0.0, self.since
        for made, step in self.kept:
            vote += (made - born) * self.decide(total)
            product = 0.0
            for feature, value in step.items():
                product += value * row.get(feature, 0.0)
            total, born = total + product, made
        vote += (self.labelled + 1 - born) * self.decide(total)
        if not math.isfinite(total) or not math.isfinite(square(row)):
            raise ValueError("the score of this row overflows")
        return vote / max(self.labelled + 1 - self.since, 1) + 0.0

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Learn from what w, not the vote, got wrong."""
        row = merged(self.row(x))
        own = 0.0
        for feature, value in row:
            own += self.table.get(feature, 0.0) * value
        if not math.isfinite(own):
            raise ValueError("the score of this row overflows")
        if self.decide(own) == y:
            return False
        step = weight * y
        after, self.potential = stepped(self.table, row, step, self.potential)
        self.table.update(after)
        self.kept = [*self.kept, (self.labelled, {feature: step * value for feature, value in row})]
        if 0 < self.budget < len(self.kept):
            self.since, oldest = self.kept[0]
            self.base = self.base | {f: self.base.get(f, 0.0) + value for f, value in oldest.items()}
            self.kept = self.kept[1:]
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """The labelled rounds, the first with votes, how many steps are kept, and ‖w‖²."""
        return {
            "rounds": float(self.labelled),
            "since": float(self.since),
            "supports": float(len(self.kept)),
            "potential": self.potential,
        }
