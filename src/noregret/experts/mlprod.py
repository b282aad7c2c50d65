"""Adapt-ML-Prod: a rate for each expert, products instead of exponentials.

Gaillard, Stoltz & van Erven 2014.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from noregret.certificate import Certificate, Theorem
from noregret.experts.account import Account, nobody_joined, prompt, unit_losses, worst
from noregret.experts.rule import ExpertRule
from noregret.rounds import Floats


class MLProd(ExpertRule):
    """w_i ← (w_i·(1 + η_i·r_i))^(η_i'/η_i), p ∝ η·w, η_i = min(½, √(ln N/(1 + Σr_i²)))."""

    name: ClassVar[str] = "mlprod"
    summary: ClassVar[str] = "a rate for each expert; products instead of exponentials"

    def theorems(self) -> tuple[Theorem, ...]:
        """The second-order bound with excess losses."""
        return (AdaptMLProd(),)


class AdaptMLProd:
    """Losses in [0, 1]: R_i ≤ (C/√ln N)·√(1 + Σr_i²) + 2C, with C = 3 ln N + ln(1 + (N/2e)(1 + ln(T+1))).

    The last term is quoted as C and as 2C; the weaker form is used here.
    """

    name = "Gaillard–Stoltz–van Erven"
    statement = (
        "for losses in [0,1] and every expert: R_i ≤ C/√(ln N)·√(1 + Σr_i²) + 2C, "
        "C = 3 ln N + ln(1 + N/(2e)·(1 + ln(T+1)))"
    )
    source = "Gaillard, Stoltz & van Erven 2014, A second-order bound with excess losses, Cor. 4"
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run, for the best expert, or for one that breaks it."""
        log_n = max(replay.log_n, math.log(2.0))
        c = 3.0 * log_n + math.log1p(replay.n / (2.0 * math.e) * (1.0 + math.log(replay.rounds + 1.0)))
        squares = replay.lanes["square"]

        def of(squares: Floats) -> Floats:
            return np.asarray(c / math.sqrt(log_n) * np.sqrt(1.0 + squares) + 2.0 * c)

        bounds, most = of(squares), of(replay.squares_above(squares))
        rounding = replay.tolerance(most) + most - bounds
        i = worst(replay, bounds + rounding)
        hypotheses = [unit_losses(replay), prompt(replay), nobody_joined(replay)]
        square, regret = float(squares[i]), float(replay.regrets[i])
        return replay.conclude(self, regret, bounds[i], hypotheses, rounding[i], C=c, V=square)
