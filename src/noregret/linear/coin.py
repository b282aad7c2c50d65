"""Coin betting: gradient descent without a rate to choose.

After Orabona & Pál 2016, Coin betting and parameter-free online learning, and Orabona & Tommasi 2017,
Training deep networks without learning rates through coin betting.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.adaptive_theorems import OrabonaPal
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.losses import LOSS_MEANING, LOSSES
from noregret.parameters import Parameter, flag, one_of, positive


class Coin(LinearLearner):
    """Every feature bets Σc/(2 + 2Σ|c|) of its wealth on its next pull c = −g; the bet is its weight.

    A pull beyond ±1 is cut off there, so values within ±1 suit it best. The importance of a round
    multiplies its pull. With S = Σ|c|, feature by feature, and ε the wealth to begin with, its losses are
    at most Σℓ(u) + Σ(ε + |u|·√(2(1 + S)·ln(1 + 2(1 + S)³u²/ε²))) for any u.

    >>> learner = Coin()
    >>> learner.learn({"a": 1}, -1), learner.weights
    (True, {'a': -0.25})
    """

    name: ClassVar[str] = "coin"
    summary: ClassVar[str] = "coin betting: every feature bets a part of its wealth; no rate to choose"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("loss", "hinge", LOSS_MEANING),
        Parameter("wealth", 1.0, "ε: what every feature has to bet with"),
        BIAS,
        SCALE,
    )

    def __init__(
        self, loss: str = "hinge", wealth: float = 1.0, bias: bool = False, scale: str = "none"
    ) -> None:
        """Start with every weight at 0."""
        self.loss = one_of("loss", loss, LOSSES)
        self.wealth = positive("wealth", wealth)
        self.bias = flag("bias", bias)
        self.loss_name = self.loss
        super().__init__(loss=LOSSES.index(self.loss), wealth=self.wealth, bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the losses."""
        return (OrabonaPal(),)
