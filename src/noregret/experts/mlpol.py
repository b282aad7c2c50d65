"""Polynomial weights with a rate for each expert (opera's default).

Gaillard, Stoltz & van Erven 2014, A second-order bound with excess losses.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from noregret.certificate import Certificate, Theorem
from noregret.experts.account import Account, prompt, worst
from noregret.experts.rule import ExpertRule
from noregret.rounding import ROUNDING

DUST = 1e-100  # regrets below this have squares that doubles cannot hold; the rule passes them over


class MLPol(ExpertRule):
    """p ∝ η·max(R, 0) with η = 1/(B + Σr²), B the largest r² so far; all alike where no regret is above 0."""

    name: ClassVar[str] = "mlpol"
    summary: ClassVar[str] = "polynomial weights: a rate for each expert, at any scale"

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound of the potential, read off the run."""
        return (PolynomialPotential(),)


class PolynomialPotential:
    """Any losses: R_i ≤ √(Γ·(B + Σr_i²)).

    The potential Ση·max(R, 0)² starts at 0. In a round it grows by 2Ση·max(R, 0)·r, which is 0 because p ∝
    η·max(R, 0) and Σp·r = 0, and by an excess of at most Ση·r²; Γ is the sum of the excesses, about N(1 +
    ln T).
    """

    name = "Polynomial potential"
    statement = "for any losses and every expert, Γ the excess of the potential: R_i ≤ √(Γ·(B + Σr_i²))"
    source = "after the proof in Gaillard, Stoltz & van Erven 2014, A second-order bound with excess losses"
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run, for the best expert, or for one that breaks it."""
        excess, largest = replay.scalars["excess"], replay.scalars["bound"]
        squares = replay.lanes["square"]
        bounds = np.sqrt(excess * (largest + squares))
        rounding = ROUNDING * bounds + replay.rounding + DUST * replay.rounds
        i = worst(replay, bounds + rounding)
        square, regret = float(squares[i]), float(replay.regrets[i])
        return replay.conclude(
            self, regret, bounds[i], [prompt(replay)], rounding[i], excess=excess, V=square
        )
