"""The twin of Winnow, threshold form."""

from __future__ import annotations

import math
import sys

from .linear import Example, Linear, checked


class Winnow(Linear):
    """For x ∈ {0,1}ᴺ: says +1 when ⟨w, x⟩ > Θ, every weight starting at 1.

    On a missed positive the weights of the features present × α, on a false positive ÷ α.

    >>> twin = Winnow(threshold=4)
    >>> twin.learn([("a", 1.0), ("b", 0.0)], 1), twin.weights
    (True, {'a': 2.0})
    """

    initial_weight = 1.0

    def __init__(self, threshold: float = math.nan, promotion: float = 2.0) -> None:
        """Θ ≥ 1 and α > 1; a run in which no label was told may leave out Θ."""
        super().__init__()
        if threshold is None or threshold < 1.0 or threshold == math.inf:
            raise ValueError(f"threshold is {threshold}; it must be a finite number, at least 1")
        self.threshold = float(threshold)
        self.promotion = checked("promotion", promotion, 1.0)
        self.promotions = self.demotions = 0.0
        self.lead = 0.0  # the largest demotions − α·promotions at any moment
        self.highest = 1.0  # the largest weight at any moment
        self.potential = 0.0  # Σ(wᵢ − 1)

    def shift(self) -> float:
        """−Θ; while that is open nothing is learned, and what is said counts for nothing."""
        return 0.0 if math.isnan(self.threshold) else -self.threshold

    def truth(self, y: float) -> float:
        """The label; where Θ is open this is no bad row that may be passed over, but a spec that lacks it."""
        if math.isnan(self.threshold):
            raise TypeError("its threshold is left out, and a label was told")
        return super().truth(y)

    def decide(self, score: float) -> float:
        """+1 above the threshold only: a tie says −1."""
        return 1.0 if score > 0.0 else -1.0

    def check(self, x: Example) -> None:
        """Refuse what is not 0 or 1. A feature given twice adds up to 2."""
        super().check(x)
        present = [feature for feature, value in x if value != 0.0]
        if any(value not in (0.0, 1.0) for _, value in x) or len(set(present)) < len(present):
            raise ValueError("winnow takes only 0 and 1, and a feature once")

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Promote or demote on a mistake; a round of importance p counts as p updates."""
        if self.decide(score) == y:
            return False
        factor = self.step_factor(x, weight)
        for feature, value in x:
            if value == 1.0:
                before = self.table.get(feature, 1.0)
                # A weight must stay above 0, or it could never be promoted again.
                after = before * factor if y > 0 else max(before / factor, sys.float_info.min)
                self.table[feature] = after
                self.highest = max(self.highest, after)
                self.potential += after - before
        if y > 0:
            self.promotions += 1.0
        else:
            self.demotions += 1.0
        self.lead = max(self.lead, self.demotions - self.promotion * self.promotions)
        return True

    def step_factor(self, x: Example, weight: float) -> float:
        """α to the power of the importance, refused if a weight could overflow."""
        try:
            factor = self.promotion if weight == 1.0 else self.promotion**weight
        except OverflowError:
            factor = math.inf
        present = 0.0
        for feature, value in x:
            present += self.table.get(feature, 1.0) * value
        if not math.isfinite(self.potential + present * factor):
            raise ValueError("learning from this row would overflow a weight")
        return factor

    @property
    def scalars(self) -> dict[str, float]:
        """The accounts that Littlestone's proof keeps."""
        return {
            "threshold": self.threshold,
            "promotions": self.promotions,
            "demotions": self.demotions,
            "lead": self.lead,
            "highest": self.highest,
            "potential": self.potential,
        }
