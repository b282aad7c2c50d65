"""AdaHedge: exponential weights that find their own rate, at any scale.

de Rooij, van Erven, Grünwald & Koolen 2014.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from noregret.certificate import Certificate, Theorem
from noregret.experts.account import Account, nobody_joined, prompt
from noregret.experts.rule import ExpertRule


class AdaHedge(ExpertRule):
    """p ∝ exp(−η·L) with η = ln N/Δ, Δ the sum of the mixability gaps so far; with Δ = 0, the leaders alike.

    >>> rule = AdaHedge(2)
    >>> rule.learn([1e6, 0.0])
    500000.0
    >>> rule.weights.round(3).tolist()
    [0.2, 0.8]
    """

    name: ClassVar[str] = "adahedge"
    summary: ClassVar[str] = "exponential weights that find their own rate, at any scale"

    def theorems(self) -> tuple[Theorem, ...]:
        """The second-order bound."""
        return (DeRooij(),)


class DeRooij:
    """Any losses: regret ≤ 2√(V ln N) + S(4/3·ln N + 2), V = Σ Var_p(ℓ), S the largest spread of a round."""

    name = "de Rooij et al."
    statement = (
        "for any losses, V = Σ Var_p(ℓ), S = max spread of a round: Σp·ℓ − L* ≤ 2√(V ln N) + S·(4/3·ln N + 2)"
    )
    source = "de Rooij, van Erven, Grünwald & Koolen 2014, Follow the leader if you can, hedge if you must"
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        variance, widest = replay.scalars["variance"], replay.scalars["widest"]

        def of(squares: float) -> float:
            return 2.0 * math.sqrt(squares * replay.log_n) + widest * (4.0 / 3.0 * replay.log_n + 2.0)

        hypotheses = [prompt(replay), nobody_joined(replay)]
        bound, most = of(variance), of(replay.squares_above(variance))
        rounding = replay.tolerance(most) + most - bound
        return replay.conclude(self, replay.regret, bound, hypotheses, rounding, V=variance, S=widest)
