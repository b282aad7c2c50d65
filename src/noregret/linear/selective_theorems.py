"""What is proved about a Perceptron that asks for few labels."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate
from noregret.chance import coin
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.margin_bounds import radius
from noregret.linear.passive_aggressive_theorems import in_best_length
from noregret.rounding import at_least, float_above


class AskedMistakes(Meter):
    """Σ(b + |score|)/b over the mistakes whose label was asked for: the coins are thrown again."""

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        self.rounds = self.asked = 0
        self.weighed = 0.0

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        parameters = self.run.parameters
        smoothing, seed, budget = (
            float(parameters["smoothing"]),
            int(parameters["seed"]),
            parameters["budget"],
        )
        sizes = np.abs(block.scores)
        coins = [coin(seed, t, score) for t, score in enumerate(block.scores.tolist(), start=self.rounds + 1)]
        wanted = np.array(coins) * (smoothing + sizes) < smoothing
        if budget is not None:
            wanted &= self.asked + np.cumsum(wanted) <= budget
        self.rounds += len(sizes)
        self.asked += int(np.count_nonzero(wanted))
        self.weighed += float(np.sum((smoothing + sizes[wanted & block.mistaken]) / smoothing))


class CesaBianchiGentileZaniboni(RunTheorem):
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
    meters: ClassVar[tuple[type[Meter], ...]] = (AskedMistakes,)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        b = Fraction(float(run.parameters["smoothing"]))
        twice = 2 * b + radius(run)
        for_length, for_losses = twice * twice / (8 * b), twice / (2 * b)
        scale, price = float_above(for_length), float_above(for_losses)
        return in_best_length(
            self,
            run,
            witness,
            at_least(run.meter(AskedMistakes).weighed),
            lambda lost, _, length: scale * length + price * lost,
            lambda lost, _, length: for_length * length + for_losses * lost,
            [],
        )
