"""Adversaries: natures that look at the prediction before they pick the label.

`reveal` is told the prediction, 0 or 1; of a randomised learner the probability of 1, never the coin.
"""

from __future__ import annotations

from typing import Any

from noregret import _core
from noregret.errors import BadParameter
from noregret.hypotheses.classes import finite_class
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

    Every deterministic learner errs in every round, while one of the two constants is right in at
    least half of them.
    """

    def __init__(self, hypotheses: Any = "all:1", rounds: int = 1000, point: int = 0) -> None:
        """Play so many rounds at one point of the class."""
        if rounds < 0:
            raise BadParameter(f"rounds is {rounds}; it must be 0 or more")
        self._point = finite_class(hypotheses).point(point)
        self._left = rounds

    def pose(self) -> int | None:
        """The point."""
        return self._point if self._left > 0 else None

    def reveal(self, prediction: float) -> float:
        """Say the other label."""
        self._left -= 1
        return float(opposite(prediction))


class WorstCase:
    """The worst case of Consistent: as few hypotheses as possible go, the first that is left among them.

    On singletons Consistent errs |H| − 1 times and RandConsistent 1/2 + … + 1/|H| times on average.
    The labels do not depend on the predictions.
    """

    def __init__(self, hypotheses: Any) -> None:
        """Begin with all hypotheses."""
        self._class = finite_class(hypotheses)
        self._space = _core.VersionSpace(self._class.core)
        self._point = 0

    def pose(self) -> int | None:
        """The point where the fewest agree with the first hypothesis; None when all that are left agree."""
        first, size = self._space.member(0), self._space.size
        agreeing = [self._agreeing(first, x) for x in range(self._class.points)]
        self._point = min(range(self._class.points), key=agreeing.__getitem__)
        return self._point if agreeing[self._point] < size else None

    def reveal(self, prediction: float) -> float:
        """Say what the first hypothesis does not."""
        label = 1 - self._class.says(self._space.member(0), self._point)
        self._space.restrict(self._point, bool(label))
        return float(label)

    def _agreeing(self, first: int, point: int) -> int:
        ones = self._space.ones(point)
        return ones if self._class.says(first, point) else self._space.size - ones


def opposite(prediction: float) -> int:
    """The label that was not predicted, or is the less likely prediction; 0 when both are alike."""
    return 0 if prediction >= 0.5 else 1
