"""Weighted Majority, deterministic and randomised.

Littlestone & Warmuth 1994. A deterministic vote can be made to err in every round (Cover 1965), so that its
bound has a factor of two that the randomised form, in expectation, has not.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from noregret.certificate import Certificate, Hypothesis, Theorem, above, conclude
from noregret.errors import BadParameter
from noregret.experts.accepted import N
from noregret.experts.account import Account, nobody_slept, prompt, unit_losses
from noregret.experts.rule import ExpertRule
from noregret.parameters import Parameter, positive, within


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
        """The bound by β, and by the penalty η = 1 − β where it is at most ½."""
        if self.beta == 0.0:
            return ()
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
        if int(seed) != seed or not 0 <= seed < 2**53:
            raise BadParameter(f"seed is {seed}; it must be a whole number from 0 on")
        self.horizon = None if horizon is None else positive("horizon", horizon)
        self.beta = within("beta", beta, 0.0, 1.0)
        self.seed = float(seed)
        self._beta = self.beta
        if self.horizon is not None:
            self._beta = max(0.5, 1.0 - math.sqrt(math.log(max(n, 1)) / self.horizon))
            self._beta = min(self._beta, math.nextafter(1.0, 0.0))
        super().__init__(n, beta=self._beta, seed=self.seed)

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound by β, and with a horizon L* + 2√(T ln N)."""
        tuned = () if self.horizon is None else (RandomizedHorizon(self.horizon),)
        return (RandomizedBound(self._beta), *tuned)


class LittlestoneWarmuth:
    """M ≤ (ln N + m*·ln(1/β))/ln(2/(1+β)), m* the mistakes of the best expert."""

    name = "Littlestone–Warmuth"
    statement = "M ≤ (ln N + m*·ln(1/β))/ln(2/(1+β))"
    source = "Littlestone & Warmuth 1994, The weighted majority algorithm"
    about = "mistakes"
    comparator = None

    def __init__(self, beta: float) -> None:
        """Take the β in use."""
        self.beta = beta

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is M."""
        top = replay.log_n + replay.best_loss * math.log(1.0 / self.beta)
        bound = above(above(top) / math.log(2.0 / (1.0 + self.beta)))
        hypotheses = [nobody_slept(replay), prompt(replay)]
        return conclude(self, replay.loss, bound, hypotheses, replay.quantities(beta=self.beta))


class PenaltyForm:
    """With η = 1 − β ≤ ½: M ≤ 2(1+η)m* + 2 ln N/η."""

    name = "Weighted Majority, penalty form"
    statement = "with η = 1 − β ≤ ½: M ≤ 2(1+η)·m* + 2 ln N/η"
    source = "Littlestone & Warmuth 1994; Arora, Hazan & Kale 2012, The multiplicative weights update method"
    about = "mistakes"
    comparator = None

    def __init__(self, beta: float) -> None:
        """Take the β in use."""
        self.eta = 1.0 - beta

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is M."""
        bound = above(2.0 * (1.0 + self.eta) * replay.best_loss + 2.0 * replay.log_n / self.eta)
        hypotheses = [nobody_slept(replay), prompt(replay)]
        return conclude(self, replay.loss, bound, hypotheses, replay.quantities(eta=self.eta))


class RandomizedBound:
    """For β from ½: Σp·ℓ ≤ (2−β)L* + ln N/(1−β); the η-form is the same, with η = 1 − β."""

    name = "Randomised Majority"
    statement = "for losses in [0,1] and β in [½,1): Σp·ℓ ≤ (2−β)·L* + ln N/(1−β)"
    source = "Littlestone & Warmuth 1994; Blum & Mansour 2007, Learning, regret minimization, and equilibria"
    about = "expected mistakes"
    comparator = None

    def __init__(self, beta: float) -> None:
        """Take the β in use."""
        self.beta = beta

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is Σp·ℓ, the expected mistakes."""
        half = Hypothesis("β is at least ½", self.beta >= 0.5, f"it is {self.beta:g}")
        bound = (
            above((2.0 - self.beta) * replay.best_loss + replay.log_n / (1.0 - self.beta)) + replay.rounding
        )
        hypotheses = [unit_losses(replay), half, prompt(replay)]
        return conclude(self, replay.loss, bound, hypotheses, replay.quantities(beta=self.beta))


class RandomizedHorizon:
    """With β made for T rounds: Σp·ℓ ≤ L* + 2√(T ln N)."""

    name = "Randomised Majority, known horizon"
    statement = "for losses in [0,1], T rounds at most and β = max(½, 1 − √(ln N/T)): Σp·ℓ − L* ≤ 2√(T ln N)"
    source = "Blum & Mansour 2007, Learning, regret minimization, and equilibria"
    about = "regret"
    comparator = None

    def __init__(self, horizon: float) -> None:
        """Take the horizon."""
        self.horizon = horizon

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        inside = Hypothesis(
            "no more rounds than the horizon", replay.rounds <= self.horizon, f"{replay.rounds:,} were played"
        )
        bound = above(2.0 * math.sqrt(self.horizon * replay.log_n)) + replay.rounding
        hypotheses = [unit_losses(replay), inside, prompt(replay)]
        return conclude(self, replay.regret, bound, hypotheses, replay.quantities(horizon=self.horizon))
