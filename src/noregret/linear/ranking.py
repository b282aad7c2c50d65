"""Ranking: elements ordered for a query, and ordered labels.

`PairwiseRanker` orders the elements of a query by ⟨w, x⟩ and learns which of them was right; any binary
linear learner can be its base. `PRank` predicts a rank from 1 to k for each example.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from noregret.errors import BadInput, BadLabel, BadParameter
from noregret.linear.learner import LinearLearner
from noregret.linear.perceptron import Perceptron
from noregret.rounds import Example, Feature, entries


class PairwiseRanker:
    """Orders elements by their score; when the right one is not first, it is taught against the first.

    The difference "first wrong − right" is a binary round with label −1 for the base learner. With a
    Perceptron it errs at most (R‖u‖/γ)² times, R the largest distance between two elements of a query
    and γ the least lead of the right one under u (Novikoff, on differences; Collins 2002 for this use).
    The loss of a round is the rank of the right element: 0 when it is first.

    >>> ranker = PairwiseRanker()
    >>> answers = [{"title": 1.0}, {"body": 1.0}]
    >>> ranker.rank(answers), ranker.learn(answers, right=1), ranker.rank(answers)
    ([0, 1], 1, [1, 0])
    """

    def __init__(self, base: LinearLearner | None = None) -> None:
        """A base learner without a bias: a bias would be the same for every element."""
        self.base = Perceptron() if base is None else base
        if self.base.has_bias or self.base.task != "binary":
            raise BadParameter(f"{self.base.spec} cannot order elements: take a binary learner without bias")
        self.rounds = self.mistakes = self.loss = 0

    def score(self, elements: Sequence[Example]) -> list[float]:
        """Score every element."""
        return [self.base.score(_named(element)) for element in elements]

    def rank(self, elements: Sequence[Example]) -> list[int]:
        """List the places of the elements, the best first; a tie keeps the order given."""
        scores = self.score(elements)
        return sorted(range(len(scores)), key=lambda place: -scores[place])

    def learn(self, elements: Sequence[Example], right: int, weight: float = 1.0) -> int:
        """Learn which element was right; gives the rank that it had, 0 when it was first."""
        if not isinstance(right, int) or not 0 <= right < len(elements):
            raise BadLabel(f"the right element is {right!r}; it is a place from 0 to {len(elements) - 1}")
        rank = self.rank(elements).index(right)
        scores = self.score(elements)
        rivals = [place for place in range(len(elements)) if place != right]
        if rank > 0:
            rival = max(rivals, key=lambda place: (scores[place], -place))
            self.base.learn(_difference(elements[rival], elements[right]), -1.0, weight=weight)
        self.rounds += 1
        self.mistakes += rank > 0
        self.loss += rank
        return rank


class PRank:
    """Predicts the least rank r with ⟨w, x⟩ < b_r; b_1 ≤ … ≤ b_{k−1}, b_k = ∞.

    When the rank is wrong, every threshold on the wrong side of the score moves by 1 towards it, and w by
    x times their number. If some (u, c) of length 1 keeps y on the right side of every c_r by γ and
    ‖x‖ ≤ R, then Σ|ŷ − y| ≤ (k − 1)(R² + 1)/γ² (Crammer & Singer 2001, Pranking with ranking).

    >>> stars = PRank(5)
    >>> stars.predict({"bad": 1.0}), stars.learn({"bad": 1.0}, 1), stars.predict({"bad": 1.0})
    (5, 4, 1)
    """

    def __init__(self, ranks: int) -> None:
        """How many ranks there are; every weight and threshold starts at 0."""
        if not isinstance(ranks, int) or ranks < 2:
            raise BadParameter(f"ranks is {ranks!r}; it must be a whole number, 2 or more")
        self.ranks = ranks
        self.weights: dict[Feature, float] = {}
        self.thresholds = [0.0] * (ranks - 1)
        self.rounds = self.mistakes = self.loss = 0

    def score(self, x: Example) -> float:
        """⟨w, x⟩, added up in the order given."""
        total = 0.0
        for feature, value in entries(x):
            total += self.weights.get(feature, 0.0) * value
        if not math.isfinite(total) or not all(math.isfinite(value) for _, value in entries(x)):
            raise BadInput("a value is not finite, or the score of this row overflows")
        return total

    def predict(self, x: Example) -> int:
        """A rank from 1 to k. Changes nothing."""
        return self._rank(self.score(x))

    def _rank(self, score: float) -> int:
        return next((r for r, b in enumerate(self.thresholds, 1) if score < b), self.ranks)

    def learn(self, x: Example, y: int) -> int:
        """Learn the rank of x; gives how far the prediction was from it."""
        if not isinstance(y, int) or not 1 <= y <= self.ranks:
            raise BadLabel(f"the rank is {y!r}; it is a whole number from 1 to {self.ranks}")
        score = self.score(x)
        miss = abs(self._rank(score) - y)
        if miss:
            self._move(x, y, score)
        self.rounds += 1
        self.mistakes += miss > 0
        self.loss += miss
        return miss

    def _move(self, x: Example, y: int, score: float) -> None:
        sides = [1.0 if y > r else -1.0 for r in range(1, self.ranks)]
        wrong = [
            side if (score - threshold) * side <= 0.0 else 0.0
            for side, threshold in zip(sides, self.thresholds, strict=True)
        ]
        step = sum(wrong)
        moved: dict[Feature, float] = {}
        for feature, value in entries(x):  # a feature that stands twice in a row adds up
            moved[feature] = moved.get(feature, self.weights.get(feature, 0.0)) + step * value
        if not all(map(math.isfinite, moved.values())):
            raise BadInput("learning from this row would overflow the weights; scale the values down")
        self.weights.update(moved)
        self.thresholds = [b - w for b, w in zip(self.thresholds, wrong, strict=True)]


def _named(x: Example) -> Example:
    """Give an element in a form that differences have too: features by name where it has names."""
    return x if isinstance(x, Mapping) else _by_number(entries(x))


def _by_number(row: Sequence[tuple[Feature, float]]) -> Any:
    """A sparse row of numbered features."""
    from scipy.sparse import csr_array

    values, columns = [value for _, value in row], [int(feature) for feature, _ in row]
    return csr_array((values, ([0] * len(row), columns)), shape=(1, 2**31 - 1))


def _difference(x: Example, other: Example) -> Example:
    sums: dict[Feature, float] = {}
    for sign, row in ((1.0, entries(x)), (-1.0, entries(other))):
        for feature, value in row:
            sums[feature] = sums.get(feature, 0.0) + sign * value
    if any(isinstance(feature, str) for feature in sums):
        return {str(feature): value for feature, value in sums.items()}
    return _by_number(list(sums.items()))
