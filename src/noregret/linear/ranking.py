"""Ranking: the elements of a query in order, learned from which of them was right."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import index
from typing import Any, ClassVar, Self

from noregret.errors import BadLabel, BadParameter
from noregret.examples import entries
from noregret.labelling import counts
from noregret.linear.learner import LinearLearner
from noregret.linear.perceptron import Perceptron
from noregret.parameters import ReadOnlyParameters
from noregret.rounds import Example, Feature


class PairwiseRanker(ReadOnlyParameters):
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

    read_only: ClassVar[tuple[str, ...]] = ("base", "spec")
    name: ClassVar[str] = "pairwise-ranker"
    has_bias: ClassVar[bool] = False
    intercept: ClassVar[float] = 0.0

    def __init__(self, base: LinearLearner | None = None) -> None:
        """A base learner without a bias: a bias would be the same for every element."""
        self.base = Perceptron() if base is None else base
        binary = isinstance(self.base, LinearLearner) and self.base.task == "binary"
        if not binary or self.base.has_bias or self.base.scale != "none":
            told = getattr(self.base, "spec", type(self.base).__name__)
            raise BadParameter(f"{told} cannot order elements: take a binary learner without bias and scale")
        self.initial_weight = self.base.initial_weight
        self.rounds = self.mistakes = self.loss = 0

    @property
    def spec(self) -> str:
        """The one-line name: ``pairwise-ranker:perceptron``."""
        return f"{self.name}:{self.base.spec}"

    @property
    def scalars(self) -> dict[str, float]:
        """What happened so far: rounds, mistakes, and the ranks added up."""
        return {"rounds": self.rounds, "mistakes": self.mistakes, "loss": self.loss}

    @property
    def weights(self) -> dict[Feature, float]:
        """Those of its base."""
        return self.base.weights

    @classmethod
    def of_parts(cls, base: LinearLearner, scalars: Mapping[str, float]) -> Self:
        """Put a ranker together from what it was made of."""
        made = cls(base)
        made.rounds, made.mistakes, made.loss = (int(scalars[key]) for key in made.scalars)
        return made

    def clone(self) -> Self:
        """Make a copy that shares nothing."""
        return self.of_parts(self.base.clone(), self.scalars)

    def score(self, elements: Sequence[Example]) -> list[float]:
        """Score every element."""
        return [self.base.score(_named(element)) for element in elements]

    def rank(self, elements: Sequence[Example]) -> list[int]:
        """List the places of the elements, the best first; a tie keeps the order given."""
        scores = self.score(elements)
        return sorted(range(len(scores)), key=lambda place: -scores[place])

    def learn(self, elements: Sequence[Example], right: int | Collection[int], weight: float = 1.0) -> int:
        """Learn which element was right, or which ones; gives the rank of the first that was, 0 at best."""
        places = _places(right)
        if not places or not all(0 <= place < len(elements) for place in places):
            raise BadLabel(f"the right element is {right!r}; it is a place from 0 to {len(elements) - 1}")
        counts(weight)  # the base sees it only when there was a mistake
        order = self.rank(elements)
        rank = next(k for k, place in enumerate(order) if place in places)
        if rank > 0:
            self.base.learn(_difference(elements[order[0]], elements[order[rank]]), -1.0, weight=weight)
        self.rounds += 1
        self.mistakes += rank > 0
        self.loss += rank
        return rank

    def __repr__(self) -> str:
        """Name and what happened."""
        return f"<{self.spec}: {self.mistakes:,} mistakes in {self.rounds:,} rounds>"


def _places(right: Any) -> list[int]:
    """One place or several as a list, which is empty for anything else."""
    try:
        return [index(right)]
    except TypeError:
        pass
    try:
        return [index(place) for place in right]
    except TypeError:
        return []


def _named(x: Example) -> Example:
    """Give an element in a form that differences have too: features by name where it has names."""
    return x if isinstance(x, Mapping) else _by_number(entries(x))


def _by_number(row: Sequence[tuple[Feature, float]]) -> Any:
    """A sparse row of numbered features."""
    from scipy.sparse import csr_array

    values, columns = [value for _, value in row], [int(feature) for feature, _ in row]
    return csr_array((values, columns, [0, len(row)]), shape=(1, 2**31 - 1))


def _difference(x: Example, other: Example) -> Example:
    sums: dict[Feature, float] = {}
    for sign, row in ((1.0, entries(x)), (-1.0, entries(other))):
        for feature, value in row:
            sums[feature] = sums.get(feature, 0.0) + sign * value
    if any(isinstance(feature, str) for feature in sums):
        return {str(feature): value for feature, value in sums.items()}
    return _by_number(list(sums.items()))
