"""An adversary over a finite class, for linear learners: labels −1 and +1, points as vectors."""

from __future__ import annotations

import numpy as np

from noregret.errors import BadParameter
from noregret.hypotheses.naming import finite_class
from noregret.natures.adversaries import CoverAdversary, TreeAdversary
from noregret.rounds import Floats

VIEWS = ("hypothesis", "constant")


class Committee:
    """Walks down a shattered tree (or, seen as a constant, asks one point for ever).

    By hypothesis, a point is what every hypothesis says there, −1 or +1 (a committee of experts); as
    a constant, it is one feature that is always 1.
    """

    def __init__(self, hypotheses: str, by: str, rounds: int = 0) -> None:
        """`rounds` counts for a constant only; a tree ends by itself."""
        if by not in VIEWS:
            raise BadParameter(f"by is '{by}'; it must be {' or '.join(VIEWS)}")
        self._class = finite_class(hypotheses)
        self._by = by
        self._inner = CoverAdversary(self._class, rounds) if by == "constant" else TreeAdversary(self._class)

    def pose(self) -> Floats | None:
        """The point as a vector."""
        point = self._inner.pose()
        if point is None:
            return None
        if self._by == "constant":
            return np.ones(1)
        return np.where(self._class.column(point) == 1, 1.0, -1.0)

    def reveal(self, prediction: float) -> float:
        """The other label."""
        return 2.0 * self._inner.reveal((prediction + 1.0) / 2.0) - 1.0
