"""Squint: second-order bounds for every expert at once.

Koolen & van Erven 2015. Chosen over NormalHedge because its guarantee can be read off a run exactly, rate
by rate, and uses the variance of each expert's own regret. Not because it loses less: what each of them
loses, and where, is printed by benchmarks/quantile_rules.py.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from noregret.certificate import Certificate, Theorem
from noregret.experts.account import Account, prompt, unit_losses, worst
from noregret.experts.rule import ExpertRule
from noregret.rounds import Floats

RATES = 20


class Squint(ExpertRule):
    """p_i ∝ Σ γ(η)·η·exp(η·R_i − η²·V_i) over the rates η = 2⁻ᵏ, k = 1 … 20, with prior γ = 1/(k(k+1))."""

    name: ClassVar[str] = "squint"
    summary: ClassVar[str] = "second-order: learns the rate for each expert from its own regrets"

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound for the best rate of the grid."""
        return (KoolenVanErven(),)


class KoolenVanErven:
    """Losses in [0, 1]: for every expert, R_i ≤ min over the rates of (ln N + ln(1/γ))/η + η·V_i.

    V_i = Σr_i². The potential Σγ·exp(ηR − η²V) never grows, because ln(1+x) ≥ x − x² for x ≥ −½.
    """

    name = "Koolen–van Erven"
    statement = (
        "for losses in [0,1] and every expert, V_i = Σ r_i²: R_i ≤ min over η = 2⁻ᵏ of (ln N + "
        "ln(k(k+1)))/η + η·V_i"
    )
    source = (
        "after the proof in Koolen & van Erven 2015, Second-order quantile methods for experts and "
        "combinatorial games"
    )
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run, for the best expert, or for one that breaks it."""
        k = np.arange(1.0, RATES + 1.0)[:, None]
        squares = replay.lanes["square"]

        def of(squares: Floats) -> Floats:
            first = (replay.log_n + np.log(k * (k + 1.0))) * 2.0**k
            return np.asarray(np.min(first + 2.0**-k * squares[None, :], axis=0))

        bounds, most = of(squares), of(replay.squares_above(squares))
        rounding = replay.tolerance(most) + most - bounds
        i = worst(replay, bounds + rounding)
        hypotheses = [unit_losses(replay), prompt(replay)]
        square, regret = float(squares[i]), float(replay.regrets[i])
        return replay.conclude(self, regret, bounds[i], hypotheses, rounding[i], V=square)
