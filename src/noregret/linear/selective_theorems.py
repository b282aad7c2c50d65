"""What is proved about a Perceptron that asks for few labels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from noregret.certificate import Certificate
from noregret.chance import coin
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.passive_aggressive_theorems import in_best_length
from noregret.rounding import at_least
from noregret.rounds import Floats


class CesaBianchiGentileZaniboni:
    """For any u: Σ(b + |s|)/b ≤ (2b + R²)²‖u‖²/(8b) + (2b + R²)/(2b)·Σℓ*, over the mistakes it asked about.

    A mistake with the score s that is asked about with probability b/(b + |s|) and then counted (b + |s|)/b
    times counts once in the mean: so the left side is, in the mean over the coins, the number of all
    mistakes, as long as the budget lasts. But it is bounded whatever the coins are. A step adds
    ‖x‖² − 2|s| − 2c·y⟨u,x⟩ to ‖w − c·u‖², which begins with c²‖u‖² and is never negative; y⟨u,x⟩ ≥ 1 − ℓ*,
    and with 2c = 2b + R² the sum over the steps says it.
    """

    name = "Cesa-Bianchi–Gentile–Zaniboni"
    statement = (
        "for any u, with ℓ* its hinge losses and ‖x‖ ≤ R: Σ(b + |score|)/b over the mistakes it asked about, "
        "which without a budget is in the mean the number of its mistakes, "
        "≤ (2b + R²)²‖u‖²/(8b) + (2b + R²)/(2b)·Σℓ*"
    )
    source = (
        "Cesa-Bianchi, Gentile & Zaniboni 2006, Worst-case analysis of selective sampling for linear "
        "classification (the step before the mean is taken)"
    )
    about = "weighed mistakes"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        smoothing = float(replay.parameters["smoothing"])
        b = Fraction(smoothing)
        sizes = np.abs(replay.scores[_asked(replay) & replay.mistaken])
        weighed = float(np.sum((smoothing + sizes) / smoothing))

        def bound(losses: Floats, length: Fraction, radius: Fraction) -> Fraction:
            twice = 2 * b + radius
            return twice * twice * length / (8 * b) + twice / (2 * b) * arithmetic.sum_above(losses)

        return in_best_length(self, replay, witness, at_least(weighed), bound, [])


def _asked(replay: Replay) -> NDArray[np.bool_]:
    """The rounds whose label it asked for: the coins are thrown again."""
    smoothing, seed = float(replay.parameters["smoothing"]), int(replay.parameters["seed"])
    coins = [coin(seed, t, score) for t, score in enumerate(replay.scores.tolist(), start=1)]
    wanted = np.array(coins) * (smoothing + np.abs(replay.scores)) < smoothing
    budget = replay.parameters["budget"]
    return wanted if budget is None else wanted & (np.cumsum(wanted) <= budget)
