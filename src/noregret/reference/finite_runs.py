"""Runs over a finite class, played again in plain Python with version spaces as bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .classes import Dimensions, Table
from .finite import coin
from .rounds import Refused


class FiniteRun:
    """What came of a learner over a class: its mistakes, and the expected ones where it tosses a coin."""

    def __init__(
        self,
        name: str,
        parameters: dict[str, Any],
        table: Table,
        points: Sequence[int],
        labels: Sequence[int],
    ) -> None:
        """Play."""
        self.table, self.points, self.labels, self.parameters = table, points, labels, parameters
        self.dimensions = Dimensions(table)
        self.seed = int(parameters.get("seed", 0))
        self.space, self.mistakes = table.everybody, 0
        self.unexplained: int | None = None  # the first round whose label nothing explains, from 1
        self.expected = Fraction(0)  # Σ|p − y|
        self.experts = StandardExperts(self) if name == "agnostic" else None
        for t, (point, label) in enumerate(zip(points, labels, strict=True), 1):
            said = self._say(name, t, table.columns[point], label)
            self.mistakes += said != label
            left = self.space & (table.columns[point] if label else ~table.columns[point])
            if not left:
                self.unexplained = self.unexplained or t
                if self.experts is None:
                    raise Refused(f"round {t:,}: no hypothesis of the class explains the labels")
            else:
                self.space = left

    def _say(self, name: str, t: int, column: int, label: int) -> int:
        """The prediction of round t; adds the chance of a mistake to what is expected."""
        ones, size = (self.space & column).bit_count(), self.space.bit_count()
        if name == "halving":
            return int(2 * ones >= size)
        if name == "soa":
            return self.dimensions.optimal(self.space, column)
        if name == "consistent":
            return column >> _member(self.space, 0) & 1
        if name == "randconsistent":
            self.expected += abs(Fraction(ones, size) - label)
            return column >> _member(self.space, int(coin(self.seed, t) * size)) & 1
        if self.experts is None:
            raise Refused(f"the verifier does not know the learner '{name}'")
        chance = self.experts.chance(column)
        self.expected += abs(Fraction(chance) - label)
        self.experts.learn(column, label)
        return int(coin(self.seed, t) < chance)

    @property
    def best(self) -> int:
        """The mistakes of the best hypothesis."""
        rounds = list(zip(self.points, self.labels, strict=True))
        return min(
            sum(self.table.says(h, point) != label for point, label in rounds) for h in range(self.table.size)
        )


def _member(space: int, rank: int) -> int:
    """The hypothesis of this rank in a version space."""
    for _ in range(rank):
        space &= space - 1
    return (space & -space).bit_length() - 1


def expert_count(rounds: int, depth: int) -> int:
    """How many sets of at most `depth` rounds there are."""
    return sum(math.comb(rounds, i) for i in range(depth + 1))


class StandardExperts:
    """The experts of the agnostic learner, counted by version space and contradictions so far.

    A past that leads there has a weight; it goes on as every set of later contradictions that is left.
    """

    def __init__(self, run: FiniteRun) -> None:
        """All experts begin with the whole class."""
        self.dimensions = run.dimensions
        self.depth = self.dimensions.of(run.table.everybody)
        self.left = int(run.parameters.get("rounds", 1000))
        experts = expert_count(self.left, self.depth)
        self.rate = run.parameters.get("rate") or math.sqrt(8.0 * math.log(experts) / self.left)
        self.weights = {(run.table.everybody, 0): 0.0}  # logarithms
        self.votes: dict[tuple[int, int], int] = {}

    def _moves(self, column: int) -> list[tuple[int, int, int, float]]:
        """For every past and either behaviour: version space, contradictions, what is said, log weight."""
        found = []
        for (space, used), weight in self.weights.items():
            if (space, column) not in self.votes:
                self.votes[space, column] = self.dimensions.optimal(space, column)
            vote = self.votes[space, column]
            for said, count in ((vote, used), (1 - vote, used + 1)):
                if count <= self.depth:
                    found.append((space & (column if said else ~column), count, said, weight))
        return found

    def chance(self, column: int) -> float:
        """The share of the weight that says 1."""
        futures = [math.log(expert_count(self.left - 1, self.depth - k)) for k in range(self.depth + 1)]
        masses = [(said, weight + futures[count]) for _, count, said, weight in self._moves(column)]
        top = max(mass for _, mass in masses)
        sums = [math.fsum(math.exp(mass - top) for said, mass in masses if said == label) for label in (0, 1)]
        return sums[1] / (sums[0] + sums[1])

    def learn(self, column: int, label: int) -> None:
        """Take weight from those that erred; equal pasts join."""
        parts: dict[tuple[int, int], list[float]] = {}
        for space, count, said, weight in self._moves(column):
            parts.setdefault((space, count), []).append(weight - (self.rate if said != label else 0.0))
        top = max(max(part) for part in parts.values())
        self.weights = {
            past: math.log(sum(math.exp(w - max(part)) for w in part)) + max(part) - top
            for past, part in parts.items()
        }
        self.left -= 1
