"""Adversaries: natures that look at the prediction before they pick the label.

`reveal` is told the prediction, 0 or 1; of a randomised learner the probability of 1, never the coin.
"""

from __future__ import annotations

from typing import Any

from noregret import _core
from noregret.errors import BadParameter
from noregret.hypotheses.classes import FiniteClass
from noregret.hypotheses.naming import finite_class
from noregret.hypotheses.tree import ShatteredTree, shattered_tree


class TreeAdversary:
    """Walks down a shattered tree, answering what was not predicted.

    Every deterministic learner errs in each of the Ldim(H) rounds, a randomised one in half of them
    on average, and some hypothesis explains all labels.

    >>> import noregret as nr
    >>> nr.play(TreeAdversary("thresholds:1023"), nr.SOA("thresholds:1023")).mistakes
    10
    """

    def __init__(self, hypotheses: Any, tree: ShatteredTree | None = None) -> None:
        """Find a tree, unless one is given."""
        self.tree = shattered_tree(hypotheses) if tree is None else tree
        self._node = 1

    def pose(self) -> int | None:
        """The point of the node, until the leaves are reached."""
        return self.tree.point(self._node)

    def reveal(self, prediction: float) -> float:
        """Say the other label and go where it leads."""
        label = opposite(prediction)
        self._node = 2 * self._node + label
        return float(label)


class CoverAdversary:
    """Asks the same point again and again and answers what was not predicted (Cover 1965).

    Every deterministic learner errs in every round, while one of two hypotheses that differ at the point
    is right in at least half of them.
    """

    def __init__(self, hypotheses: Any = "all:1", rounds: int = 1000, point: Any = None) -> None:
        """Play so many rounds at one point; where none is given, where the class is divided most evenly."""
        if rounds < 0:
            raise BadParameter(f"rounds is {rounds}; it must be 0 or more")
        made = finite_class(hypotheses)
        self._point = _most_divided(made) if point is None else made.point(point)
        self._left = rounds

    def pose(self) -> int | None:
        """The point."""
        return self._point if self._left > 0 else None

    def reveal(self, prediction: float) -> float:
        """Say the other label."""
        self._left -= 1
        return float(opposite(prediction))


class WorstCase:
    """As few hypotheses as possible go in each round: the worst case of Consistent and of RandConsistent.

    Consistent errs when the `first` that is left goes; RandConsistent does not care which of them go. On
    singletons the one errs |H| − 1 times and the other 1/2 + … + 1/|H| times on average. The labels do not
    depend on the predictions.
    """

    def __init__(self, hypotheses: Any, first: bool = True) -> None:
        """Begin with all hypotheses; `first`: the first that is left is always among those that go."""
        self._class = finite_class(hypotheses)
        self._space = _core.VersionSpace(self._class.core)
        self._first = first
        self._point = self._label = 0

    def pose(self) -> int | None:
        """The point where the fewest go; None when all that are left agree."""
        choices = [choice for x in range(self._class.points) for choice in self._choices(x)]
        if not choices:
            return None
        _, self._point, self._label = min(choices)
        return self._point

    def reveal(self, prediction: float) -> float:
        """Say what those few do not."""
        self._space.restrict(self._point, bool(self._label))
        return float(self._label)

    def _choices(self, point: int) -> list[tuple[int, int, int]]:
        """How many go at a point with a label, for the labels that leave somebody and send somebody away."""
        size, ones = self._space.size, self._space.ones(point)
        going = [(ones, point, 0), (size - ones, point, 1)]
        if self._first:
            going = [going[1 - self._class.says(self._space.member(0), point)]]
        return [choice for choice in going if 0 < choice[0] < size]


def _most_divided(made: FiniteClass) -> int:
    """The first point where the smaller side of the class is largest."""
    space = _core.VersionSpace(made.core)
    smaller = [min(ones, made.size - ones) for ones in map(space.ones, range(made.points))]
    if max(smaller) == 0:
        raise BadParameter(
            f"the hypotheses of {made.name} agree at every point; Cover's adversary needs two that differ"
        )
    return smaller.index(max(smaller))


def opposite(prediction: float) -> int:
    """The label that was not predicted, or is the less likely prediction; 0 when both are alike."""
    return 0 if prediction >= 0.5 else 1
