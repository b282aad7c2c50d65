"""The twins of what multiclass learners have of their own: Winnow, and two baselines."""

from __future__ import annotations

import math
from typing import Any

from .linear import Example, Feature, LaneWise, checked
from .multiclass import Class, Classes, Shown


class ExponentRule(LaneWise):
    """On a mistake, exponents move by η·x; the weight of an exponent g is eᵍ − e⁻ᵍ, and g stops at ±300."""

    initial = (0.0, 0.0)

    def __init__(self, rate: float = 0.1, bias: bool = False) -> None:
        """η, and whether a feature that is always 1 ends every row."""
        super().__init__()
        self.rate = checked("rate", rate, 0.0)
        self.has_bias = bias

    def loss_of(self, score: float, y: float) -> float:
        """How far the score is on the wrong side."""
        return max(0.0, -y * score)

    def moves(self, y: float, score: float) -> bool:
        """Only a mistake teaches."""
        return self.decide(score) != y

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Step further when the round counts more."""
        return self.rate * weight * y, 0.0

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """Move the exponent, then the weight."""
        exponent = min(max(at[1] + step[0] * value, -300.0), 300.0)
        return math.exp(exponent) - math.exp(-exponent), exponent

    @property
    def scalars(self) -> dict[str, float]:
        """‖w‖²."""
        return {"potential": self.potential}


class Counted(Classes):
    """Looks at no feature: every class has one number."""

    featureless = True
    has_bias = True

    def __init__(self) -> None:
        """Start with nothing counted."""
        super().__init__()
        self.counts: dict[Class, float] = {}

    def class_weight(self, one: Class, feature: Feature | None) -> float:
        """Its number."""
        return self.counts.get(one, 0.0)

    def margin_loss(self, margin: float, mistaken: bool, alone: bool) -> float:
        """1 for a mistake."""
        return 1.0 if mistaken else 0.0

    @property
    def weights(self) -> Any:
        """No feature has one."""
        return {one: {} for one in self.classes}

    @property
    def intercept(self) -> Any:
        """The numbers, by class."""
        return {one: self.class_weight(one, None) for one in self.classes}


class MulticlassMajority(Counted):
    """The class seen most often so far, by importance."""

    def reveal(self, x: Example, shown: Shown, weight: float) -> bool:
        """Count it."""
        total = self.counts.get(shown.right, 0.0) + weight
        if not math.isfinite(total):
            raise ValueError("the importance of this row is too large to be counted")
        self.counts[shown.right] = total
        return True


class MulticlassLastLabel(Counted):
    """The class of the round before."""

    def reveal(self, x: Example, shown: Shown, weight: float) -> bool:
        """Remember it."""
        changed = self.counts != {shown.right: 1.0}
        self.counts = {shown.right: 1.0}
        return changed
