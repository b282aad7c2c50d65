"""Winnow in its three forms, and their theorems.

Littlestone 1988, Learning quickly when irrelevant attributes abound; for the normalised form
Littlestone 1989 and Kivinen & Warmuth 1997.
"""

from __future__ import annotations

import math
from typing import ClassVar

from noregret.certificate import Theorem
from noregret.errors import BadParameter
from noregret.linear.learner import SCALE, LinearLearner
from noregret.linear.winnow_theorems import (
    KivinenWarmuth,
    KivinenWarmuthAnyData,
    LittlestoneAnyData,
    LittlestoneBookkeeping,
    LittlestoneDisjunction,
    LittlestoneThreshold,
)
from noregret.parameters import Parameter, positive, within


class Winnow(LinearLearner):
    """Threshold form, for x ∈ {0,1}ᴺ: predicts +1 when ⟨w, x⟩ > Θ, every weight starting at 1.

    On a missed positive the weights of the features present are multiplied by α, on a false
    positive divided by it. A disjunction of K features is learned with at most
    α/(α−1)·N/Θ + (1+α)·K·(1 + log_α Θ) mistakes (Littlestone 1988): N enters by its logarithm.

    Θ defaults to the number of features of the array; dicts and sparse text do not tell it, so
    there it must be given.

    >>> import numpy as np
    >>> learner = Winnow()
    >>> learner.learn(np.array([1.0, 0.0, 0.0, 1.0]), 1)
    True
    >>> learner.weights, learner.threshold
    ({0: 2.0, 3: 2.0}, 4.0)
    """

    name: ClassVar[str] = "winnow"
    summary: ClassVar[str] = "multiplicative, x ∈ {0,1}: × α or ÷ α where x is 1"
    loss_name: str = "zero-one"
    zero_one: ClassVar[bool] = True
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("promotion", 2.0, "α: the factor, above 1"),
        Parameter("threshold", None, "Θ, at least 1; the number of features if left out"),
    )

    def __init__(self, promotion: float = 2.0, threshold: float | None = None) -> None:
        """Start with every weight at 1."""
        self.promotion = within("promotion", promotion, 1.0, math.inf)
        if threshold is not None and positive("threshold", threshold) < 1.0:
            raise BadParameter(f"threshold is {threshold}; it must be at least 1")
        super().__init__(
            promotion=self.promotion, threshold=math.nan if threshold is None else float(threshold)
        )

    @property
    def threshold(self) -> float | None:
        """Θ, or None while it waits for the first array."""
        threshold = self.scalars["threshold"]
        return None if math.isnan(threshold) else threshold

    def theorems(self) -> tuple[Theorem, ...]:
        """Littlestone's statements: for disjunctions, thresholds, any data; and the bookkeeping."""
        return (
            LittlestoneDisjunction(),
            LittlestoneThreshold(),
            LittlestoneAnyData(),
            LittlestoneBookkeeping(),
        )


class _ExponentialWinnow(LinearLearner):
    loss_name: str = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rate", 0.1, "η: best at ρ/r², margin over the square of the largest value"),
        SCALE,
    )

    def __init__(self, rate: float = 0.1, scale: str = "none") -> None:
        self.rate = positive("rate", rate)
        super().__init__(rate=self.rate, scale=scale)


class NormalizedWinnow(_ExponentialWinnow):
    """Normalised form, for real x: on a mistake, wᵢ ← wᵢ·exp(η·y·xᵢ)/Z; weights stay positive.

    If some v ≥ 0 has y⟨v, x⟩ ≥ ρ‖v‖₁ and |xᵢ| ≤ r in every round, then for η < 2ρ/r² it errs at
    most ln N/(ηρ − η²r²/2) times. Z changes no prediction and is left out; a feature that has not
    been met weighs 1.

    >>> NormalizedWinnow(rate=0.5).spec
    'normalized-winnow:rate=0.5'
    """

    name: ClassVar[str] = "normalized-winnow"
    summary: ClassVar[str] = "exponential, positive weights: w ← w·exp(η·y·x)"

    def theorems(self) -> tuple[Theorem, ...]:
        """The margin bound, and its form for any data."""
        return (KivinenWarmuth(balanced=False), KivinenWarmuthAnyData(balanced=False))


class BalancedWinnow(_ExponentialWinnow):
    """Balanced form: the normalised form over (x, −x), so that weights may be negative.

    The bound is that of the normalised form with ln 2N in place of ln N and any v.

    >>> learner = BalancedWinnow()
    >>> learner.learn({"sunny": 1.0}, -1)
    True
    >>> learner.predict({"sunny": 1.0})
    -1.0
    """

    name: ClassVar[str] = "balanced-winnow"
    summary: ClassVar[str] = "exponential, weights of both signs: features (x, −x)"

    def theorems(self) -> tuple[Theorem, ...]:
        """The margin bound, and its form for any data."""
        return (KivinenWarmuth(balanced=True), KivinenWarmuthAnyData(balanced=True))
