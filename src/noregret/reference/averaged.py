"""The twin of the averaged Perceptron."""

from __future__ import annotations

import math

from .linear import Example, Feature, Linear, checked, merged


class AveragedPerceptron(Linear):
    """The average of the Perceptron's w after each labelled round; `table` has w itself.

    Their sum is (T+1)·w less Σ t·step, which is `late`.

    >>> twin = AveragedPerceptron()
    >>> twin.learn([("a", 1.0)], -1), twin.learn([("a", -1.0)], 1), twin.learn([("a", -4.0)], -1)
    (True, False, True)
    >>> twin.weights
    {'a': 0.3333333333333333}
    """

    def __init__(self, rate: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """η, and whether a feature that is always 1 ends every row."""
        super().__init__(scale)
        self.rate = checked("rate", rate, 0.0)
        self.has_bias = bias
        self.late: dict[Feature | None, float] = {}

    def factor(self) -> float:
        """One over the labelled rounds."""
        return 1.0 / max(float(self.labelled), 1.0)

    def weight(self, feature: Feature | None) -> float:
        """The sum of w over the labelled rounds."""
        return (self.labelled + 1.0) * self.table.get(feature, 0.0) - self.late.get(feature, 0.0)

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Learn from what w, not the average, got wrong."""
        row = merged(self.row(x))
        own = 0.0
        for feature, value in row:
            own += self.table.get(feature, 0.0) * value
        if not math.isfinite(own):
            raise ValueError("the score of this row overflows")
        if (1.0 if own >= 0.0 else -1.0) == y:
            return False
        step = self.rate * weight * y
        late_step = self.labelled * step
        after = {feature: self.table.get(feature, 0.0) + step * value for feature, value in row}
        late = {feature: self.late.get(feature, 0.0) + late_step * value for feature, value in row}
        change = 0.0
        for feature, new in after.items():
            old = self.table.get(feature, 0.0)
            change += (new - old) * (new + old)
        if not math.isfinite(self.potential + change) or not all(map(math.isfinite, late.values())):
            raise ValueError("learning from this row would overflow the weights")
        self.potential += change
        self.table.update(after)
        self.late.update(late)
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """The labelled rounds, and ‖w‖²."""
        return {"rounds": float(self.labelled), "potential": self.potential}
