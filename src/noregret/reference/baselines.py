"""The twins of the baselines. They look at no feature, and refuse bad ones all the same."""

from __future__ import annotations

import math

from .linear import Example, Linear


class Majority(Linear):
    """Says the label seen most often so far, by importance; a tie says +1.

    >>> twin = Majority()
    >>> twin.learn([], -1), twin.predict([])
    (True, -1.0)
    """

    def __init__(self) -> None:
        """Start undecided."""
        super().__init__()
        self.balance = 0.0  # Σ weight·y

    def shift(self) -> float:
        """The balance of what was seen."""
        return self.balance

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Count."""
        balance = self.balance + weight * y
        if not math.isfinite(balance):
            raise ValueError("the importance of this row is too large to be counted")
        self.balance = balance
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """The balance."""
        return {"balance": self.balance}


class LastLabel(Linear):
    """Says the label of the round before; +1 in the first.

    >>> twin = LastLabel()
    >>> twin.learn([], -1), twin.predict([])
    (True, -1.0)
    """

    def __init__(self) -> None:
        """Start with no label seen."""
        super().__init__()
        self.last = 0.0

    def shift(self) -> float:
        """The last label."""
        return self.last

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Remember; something changed if the label did."""
        changed = self.last != y
        self.last = y
        return changed

    @property
    def scalars(self) -> dict[str, float]:
        """The last label."""
        return {"last": self.last}
