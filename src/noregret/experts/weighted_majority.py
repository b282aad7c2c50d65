"""Weighted Majority, deterministic and randomised.

Littlestone & Warmuth 1994. A deterministic vote can be made to err in every round (Cover 1965), so that its
bound has a factor of two that the randomised form, in expectation, has not.
"""

from __future__ import annotations

import math
from typing import ClassVar

from noregret.certificate import Theorem
from noregret.errors import BadParameter
from noregret.experts.accepted import N
from noregret.experts.majority_theorems import (
    FaultlessExpert,
    LittlestoneWarmuth,
    PenaltyForm,
    RandomizedBound,
    RandomizedHorizon,
)
from noregret.experts.rule import ExpertRule
from noregret.parameters import EXACT, Parameter, positive, whole, within


class WeightedMajority(ExpertRule):
    """The vote by weight; on its own mistakes, the experts that erred × β. A tied vote says 1.

    >>> rule = WeightedMajority(3)
    >>> rule.predict([1, 1, 0])
    1.0
    >>> rule.learn([1, 1, 0], 0)
    1.0
    >>> rule.weights.round(2).tolist()
    [0.25, 0.25, 0.5]
    """

    name: ClassVar[str] = "wm"
    summary: ClassVar[str] = "the vote by weight; on its mistakes, experts that erred × β"
    only_loss: ClassVar[str | None] = "zero-one"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        N,
        Parameter(
            "beta",
            0.5,
            "β: what the weight of an expert that erred is multiplied by; 0 leaves only the faultless",
        ),
    )

    def __init__(self, n: int, beta: float = 0.5) -> None:
        """Start with equal weights."""
        self.beta = 0.0 if beta == 0 else within("beta", beta, 0.0, 1.0)
        super().__init__(n, beta=self.beta)

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound by β, and by the penalty η = 1 − β where it is at most ½; with β = 0 that of Halving."""
        if self.beta == 0.0:
            return (FaultlessExpert(),)
        return (LittlestoneWarmuth(self.beta), *((PenaltyForm(self.beta),) if self.beta >= 0.5 else ()))


class RandomizedMajority(ExpertRule):
    """Follows expert k with probability p_k; every expert × β^ℓ, in every round.

    The coin of a round depends on the seed and the round only, so that predict changes nothing. What is
    certified is the expectation Σ p·ℓ; the mistakes of the coin are `scalars["suffered"]`.
    """

    name: ClassVar[str] = "rwm"
    summary: ClassVar[str] = "follows expert k with probability p_k; every expert × β^ℓ"
    only_loss: ClassVar[str | None] = "zero-one"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        N,
        Parameter("beta", 0.5, "β, from ½ to below 1"),
        Parameter("horizon", None, "the number of rounds, when known: β = max(½, 1 − √(ln N/T))"),
        Parameter("seed", 0.0, "of the coin, a whole number"),
    )

    def __init__(self, n: int, beta: float = 0.5, horizon: float | None = None, seed: float = 0.0) -> None:
        """Start with equal weights."""
        if horizon is not None and beta != 0.5:
            raise BadParameter("give beta or horizon, not both")
        self.horizon = None if horizon is None else positive("horizon", horizon)
        self.beta = within("beta", beta, 0.0, 1.0)
        self.seed = float(whole("seed", seed, 0, EXACT))
        self._beta = self.beta
        if self.horizon is not None:
            self._beta = max(0.5, 1.0 - math.sqrt(math.log(max(n, 1)) / self.horizon))
            self._beta = min(self._beta, math.nextafter(1.0, 0.0))
        super().__init__(n, beta=self._beta, seed=self.seed)

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound by β, and with a horizon L* + 2√(T ln N)."""
        if self.horizon is None:
            return (RandomizedBound(self._beta),)
        return (RandomizedBound(self._beta, tuned=True), RandomizedHorizon(self.horizon))
