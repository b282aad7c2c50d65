"""The twins of the rankers: ordered labels, and elements ordered for a query."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import accumulate

from .linear import Example, Feature, Linear, merged, stepped


class PRank(Linear):
    """The rank of x is the first r with ⟨w, x⟩ < b_r; thresholds on the wrong side move, and w with them.

    >>> twin = PRank(3)
    >>> twin.predict([("bad", 1.0)]), twin.learn([("bad", 1.0)], 1), twin.predict([("bad", 1.0)])
    (3.0, True, 1.0)
    """

    def __init__(self, ranks: float = 5, scale: str = "none") -> None:
        """How many ranks there are; every threshold starts at 0."""
        super().__init__(scale)
        self.ranks = int(ranks)
        self.thresholds = (0.0,) * (self.ranks - 1)

    def truth(self, y: float) -> float:
        """A whole number from 1 to k."""
        if y not in range(1, self.ranks + 1):
            raise ValueError(f"the rank is {y}; it is a whole number from 1 to {self.ranks}")
        return float(y)

    def decide(self, score: float) -> float:
        """The first rank whose threshold is above the score."""
        return float(next((r for r, b in enumerate(self.thresholds, 1) if score < b), self.ranks))

    def loss_of(self, score: float, y: float) -> float:
        """How many ranks it is away."""
        return abs(self.decide(score) - y)

    def distance(self, prediction: float, y: float) -> float:
        """How many ranks a prediction is away."""
        return abs(prediction - y)

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Move every threshold on the wrong side of the score by the importance, and w by x as often."""
        if self.decide(score) == y:
            return False
        step, moved = 0.0, list(self.thresholds)
        for r, threshold in enumerate(self.thresholds, 1):
            side = 1.0 if y > r else -1.0
            if (score - threshold) * side <= 0.0:
                step += weight * side
                moved[r - 1] -= weight * side
        if not all(map(math.isfinite, [step, *moved])):
            raise ValueError("the importance of this row is too large to be learned from")
        after, self.potential = stepped(self.table, merged(self.row(x)), step, self.potential)
        self.table = self.table | after
        self.thresholds = (*_rising(moved[: int(y) - 1]), *_falling(moved[int(y) - 1 :]))
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """‖w‖² and the thresholds."""
        told = {f"threshold-{r}": b for r, b in enumerate(self.thresholds, 1)}
        return {"potential": self.potential} | told


def _rising(thresholds: list[float]) -> list[float]:
    """Stop each at the one before it."""
    return list(accumulate(thresholds, max))


def _falling(thresholds: list[float]) -> list[float]:
    """Stop each at the one after it."""
    return list(accumulate(reversed(thresholds), min))[::-1]


class PairwiseRanker:
    """Orders elements by the score of a binary twin, and teaches it "first wrong − right" with label −1."""

    def __init__(self, base: Linear) -> None:
        """The twin that scores."""
        self.base = base

    def rank(self, elements: Sequence[Example]) -> list[int]:
        """The places of the elements, the best first; a tie keeps the order given."""
        scores = [self.base.score(element) for element in elements]
        return sorted(range(len(scores)), key=lambda place: -scores[place])

    def learn(self, elements: Sequence[Example], right: Collection[int], weight: float = 1.0) -> int:
        """Learn which elements were right; gives the rank of the first of them."""
        order = self.rank(elements)
        rank = next(k for k, place in enumerate(order) if place in right)
        if rank > 0:
            sums: dict[Feature, float] = {}
            for sign, row in ((1.0, elements[order[0]]), (-1.0, elements[order[rank]])):
                for feature, value in row:
                    sums[feature] = sums.get(feature, 0.0) + sign * value
            self.base.learn(list(sums.items()), -1.0, weight)
        return rank
