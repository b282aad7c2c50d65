"""Exponential weights (Hedge), and EG: the same on linearised losses, at the pace of their spreads.

Littlestone & Warmuth 1994; Freund & Schapire 1997; Kivinen & Warmuth 1997 for EG.
"""

from __future__ import annotations

import math
from typing import ClassVar

from noregret.certificate import Theorem
from noregret.errors import BadParameter
from noregret.experts.accepted import GRADIENT, LOSS, N
from noregret.experts.hedge_theorems import (
    AnytimeHedge,
    CesaBianchiLugosi,
    DoublingTrick,
    FreundSchapire1997,
    HoeffdingSpreads,
)
from noregret.experts.losses import LossFunction
from noregret.experts.rule import ExpertRule
from noregret.parameters import Parameter, flag, positive

_FIXED, _ANYTIME, _DOUBLING, _SPREADS = 0.0, 1.0, 2.0, 3.0


class Hedge(ExpertRule):
    """p ∝ exp(−η·L), L the losses of each expert so far.

    The rate η is given, or that of a known horizon, √(8 ln N/T), or the same started anew after 1, 2, 4, …
    rounds (doubling), or by default 2√(ln N/t), which needs to know nothing. With losses in [0, 1] the last
    has Σ p·ℓ ≤ L* + √(T ln N), whatever happens.

    >>> rule = Hedge(3)
    >>> rule.predict([10, 10, 10])
    10.0
    >>> rule.learn([0.0, 1.0, 1.0])
    0.6666666666666666
    >>> bool(rule.weights[0] > rule.weights[1])
    True
    """

    name: ClassVar[str] = "hedge"
    summary: ClassVar[str] = "exponential weights: p ∝ exp(−η·L)"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        N,
        Parameter("rate", None, "η; by default 2√(ln N/t), for any number of rounds"),
        Parameter("horizon", None, "the number of rounds, when known: η = √(8 ln N/T)"),
        Parameter("doubling", False, "whether to guess the horizon 1, 2, 4, … and start anew"),
        LOSS,
        GRADIENT,
    )

    def __init__(
        self,
        n: int,
        rate: float | None = None,
        horizon: float | None = None,
        doubling: bool = False,
        loss: str | LossFunction = "square",
        gradient: bool | str = "auto",
    ) -> None:
        """Start with equal weights."""
        if sum([rate is not None, horizon is not None, flag("doubling", doubling)]) > 1:
            raise BadParameter("give one of rate, horizon and doubling, or none")
        self.rate = None if rate is None else positive("rate", rate)
        self.horizon = None if horizon is None else positive("horizon", horizon)
        self.doubling = doubling
        fixed = self.rate if self.horizon is None else math.sqrt(8.0 * math.log(max(n, 1)) / self.horizon)
        schedule = _DOUBLING if doubling else _ANYTIME if fixed is None else _FIXED
        super().__init__(n, loss, gradient, rate=fixed or 0.0, schedule=schedule)
        self._fixed = fixed

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound of the rate in use; for a fixed one also the bound that is small when L* is."""
        if self.doubling:
            return (DoublingTrick(),)
        if self._fixed is None:
            return (AnytimeHedge(),)
        tuned = self.horizon is not None
        return (CesaBianchiLugosi(self._fixed, tuned), FreundSchapire1997(self._fixed, tuned))


class EG(ExpertRule):
    """Exponentiated gradient: p ∝ exp(−η·Σ slopes); no range has to be known.

    The rate is given, or follows the spreads s of the linearised losses seen so far, 2√(ln N/Σs²). Where a
    loss has no slope, or with gradient=false, the losses themselves take the place of the slopes.
    """

    name: ClassVar[str] = "eg"
    summary: ClassVar[str] = "exponentiated gradient on the simplex, at the pace of the spreads seen"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        N,
        Parameter("rate", None, "η; by default 2√(ln N/Σs²), s the spreads so far"),
        LOSS,
        GRADIENT,
    )

    def __init__(
        self,
        n: int,
        rate: float | None = None,
        loss: str | LossFunction = "square",
        gradient: bool | str = "auto",
    ) -> None:
        """Start with equal weights."""
        self.rate = None if rate is None else positive("rate", rate)
        super().__init__(
            n, loss, gradient, rate=self.rate or 0.0, schedule=_SPREADS if rate is None else _FIXED
        )

    def theorems(self) -> tuple[Theorem, ...]:
        """Hoeffding's lemma, round by round."""
        return (HoeffdingSpreads(self.rate),)
