"""Bernstein online aggregation, as opera has it: every expert with its own rate, at any scale.

Wintenberger 2017, Optimal learning with Bernstein online aggregation.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from noregret.certificate import Certificate, Theorem
from noregret.experts.account import Account, prompt, worst
from noregret.experts.rule import ExpertRule
from noregret.rounding import ROUNDING


class BOA(ExpertRule):
    """p ∝ η·exp(η·R), R the regrets less a second-order term, η = min(1/B, √(ln N/V)) for each expert."""

    name: ClassVar[str] = "boa"
    summary: ClassVar[str] = "Bernstein aggregation: a rate for each expert, second order, at any scale"

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound of the potential, read off the run."""
        return (Wintenberger(),)


class Wintenberger:
    """Any losses: R_i ≤ (2/η_i)·ln(N + Γ) + Σ(η·r_i² − B·1[η·r_i > ½]).

    The potential Σexp(η·R) starts at N. In a round it grows by Σ½η·exp(η·R)·r, which is 0 because p ∝
    η·exp(η·R) and Σp·r = 0, and by an excess, from rates that fall and regrets beyond what was known; Γ is
    the sum of the excesses.
    """

    name = "Wintenberger"
    statement = (
        "for any losses and every expert, Γ the excess of the potential: R_i ≤ (2/η_i)·ln(N + Γ) + "
        "Σ(η·r_i² − B·1[η·r_i > ½])"
    )
    source = "after the proof in Wintenberger 2017, Optimal learning with Bernstein online aggregation"
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run, for the best expert, or for one that breaks it."""
        excess = replay.scalars["excess"]
        bounds = 2.0 / replay.lanes["rate"] * np.log(replay.n + excess) + replay.lanes["correction"]
        rounding = ROUNDING * np.abs(bounds) + replay.rounding
        i = worst(replay, bounds + rounding)
        rate, regret = float(replay.lanes["rate"][i]), float(replay.regrets[i])
        return replay.conclude(
            self, regret, bounds[i], [prompt(replay)], rounding[i], excess=excess, eta=rate
        )
