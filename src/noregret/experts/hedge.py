"""Exponential weights (Hedge), and EG: the same on linearised losses, at the pace of their spreads.

Littlestone & Warmuth 1994; Freund & Schapire 1997; Kivinen & Warmuth 1997 for EG.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from noregret.certificate import Certificate, Hypothesis, Theorem, above, conclude
from noregret.errors import BadParameter
from noregret.experts.account import Account, nobody_joined, prompt, unit_losses
from noregret.experts.losses import LossFunction
from noregret.experts.rule import GRADIENT, LOSS, ExpertRule, N
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
        return (CesaBianchiLugosi(self._fixed), FreundSchapire1997(self._fixed))


class EG(ExpertRule):
    """Exponentiated gradient: p ∝ exp(−η·Σ slopes), the gradient trick always on; no range has to be known.

    The rate is given, or follows the spreads s of the linearised losses seen so far, 2√(ln N/Σs²).
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


class CesaBianchiLugosi:
    """A fixed rate: regret ≤ ln N/η + Tη/8; with late truths, + η/4 for each one outstanding at a prediction.

    A loss in [0, 1] that has not been told moves p·ℓ by at most η/4: the derivative of p·ℓ along it is −η
    times a covariance of two quantities in [0, 1].
    """

    name = "Cesa-Bianchi–Lugosi"
    statement = (
        "for losses in [0,1], any η and T, P truths outstanding in all: Σp·ℓ − L* ≤ ln N/η + Tη/8 + Pη/4"
    )
    source = "Cesa-Bianchi & Lugosi 2006, Prediction, Learning, and Games, Thm 2.2"
    about = "regret"
    comparator = None

    def __init__(self, rate: float) -> None:
        """Take the rate in use."""
        self.rate = rate

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        cost = replay.rounds * self.rate / 8.0 + replay.scalars["waited"] * self.rate / 4.0
        price = replay.log_n / self.rate if self.rate > 0 else 0.0
        bound = above(price + cost) + replay.rounding
        return conclude(self, replay.regret, bound, [unit_losses(replay)], replay.quantities(eta=self.rate))


class FreundSchapire1997:
    """A fixed rate, and a bound that is small when L* is: Σp·ℓ ≤ (η·L* + ln N)/(1 − e^−η)."""

    name = "Freund–Schapire 1997"
    statement = "for losses in [0,1] and any η: Σp·ℓ ≤ (η·L* + ln N)/(1 − exp(−η))"
    source = "Freund & Schapire 1997, A decision-theoretic generalization of on-line learning, Thm 2"
    about = "loss"
    comparator = None

    def __init__(self, rate: float) -> None:
        """Take the rate in use."""
        self.rate = rate

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is Σp·ℓ itself."""
        given = Hypothesis(
            "the losses have a zero", not replay.linear, "they were made linear by the gradient trick"
        )
        hypotheses = [unit_losses(replay), given, prompt(replay)]
        if self.rate == 0.0:  # one expert, whom nothing can be gained by leaving
            return conclude(self, replay.loss, above(replay.best_loss) + replay.rounding, hypotheses)
        bound = (
            above((self.rate * replay.best_loss + replay.log_n) / -math.expm1(-self.rate)) + replay.rounding
        )
        return conclude(self, replay.loss, bound, hypotheses, replay.quantities(eta=self.rate))


class AnytimeHedge:
    """η_t = 2√(ln N/t): regret ≤ √(T ln N), for every T at once."""

    name = "Anytime Hedge"
    statement = "for losses in [0,1] and η_t = 2√(ln N/t): Σp·ℓ − L* ≤ √(T ln N)"
    source = (
        "Cesa-Bianchi & Lugosi 2006, Thm 2.3; this constant: Bubeck 2011, Introduction to online "
        "optimization, Thm 2.4"
    )
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        bound = above(math.sqrt(replay.rounds * replay.log_n)) + replay.rounding
        hypotheses = [unit_losses(replay), prompt(replay), nobody_joined(replay)]
        return conclude(self, replay.regret, bound, hypotheses, replay.quantities())


class DoublingTrick:
    """Epochs of 1, 2, 4, … rounds, each with its own rate: √2/(√2 − 1) times the bound of a known horizon."""

    name = "Doubling trick"
    statement = "for losses in [0,1]: Σp·ℓ − L* ≤ √2/(√2 − 1)·√(T ln N/2)"
    source = "Cesa-Bianchi & Lugosi 2006, §2.3"
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        factor = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)
        bound = above(factor * math.sqrt(replay.rounds * replay.log_n / 2.0)) + replay.rounding
        hypotheses = [unit_losses(replay), prompt(replay), nobody_joined(replay)]
        return conclude(self, replay.regret, bound, hypotheses, replay.quantities())


class HoeffdingSpreads:
    """Any losses, rates that never rise: regret ≤ ln N/η + Σ min(s, η_t·s²/8), s the spread of a round.

    The left term is what the weights can hide, the right one what Hoeffding's lemma allows in each round.
    """

    name = "Hoeffding spreads"
    statement = (
        "for any losses and rates that never rise, s_t = max ℓ − min ℓ: Σp·ℓ − L* ≤ ln N/η_T + Σ "
        "min(s_t, η_t·s_t²/8)"
    )
    source = "Cesa-Bianchi & Lugosi 2006, Lemma 2.2 and Thm 2.3; de Rooij et al. 2014, Lemma 1"
    about = "regret"
    comparator = None

    def __init__(self, rate: float | None) -> None:
        """Take the fixed rate, if it is fixed."""
        self.rate = rate

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        squares = replay.scalars["squares"]
        rate = self.rate or (2.0 * math.sqrt(replay.log_n / squares) if squares > 0 else 0.0)
        hidden = replay.log_n / rate if rate > 0 else 0.0
        bound = above(hidden + replay.scalars["price"]) + replay.rounding
        joined = [] if self.rate else [nobody_joined(replay)]
        return conclude(self, replay.regret, bound, [prompt(replay), *joined], replay.quantities(eta=rate))
