"""FTRL-proximal: rates as in AdaGrad, and weights that are exactly 0 until there is reason for more.

McMahan et al. 2013, Ad click prediction: a view from the trenches.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.adaptive_theorems import McMahan
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.losses import LOSS_MEANING, LOSSES
from noregret.parameters import Parameter, flag, not_negative, one_of, positive


class FTRL(LinearLearner):
    """Follow the regularised leader: w = −(z shrunk by λ₁)/((β + √Σg²)/α + λ₂), feature by feature.

    z adds up g − (change of √Σg²)/α·w. The importance of a round multiplies its gradient. The weight of
    a feature is 0 while |z| ≤ λ₁. For any u, with D ≥ |w − u| and G = Σg², feature by feature, its losses
    are at most Σℓ(u) + Σ(λ₁|u| + (λ₂ + β/α)u²/2 + √G·D²/(2α) + α√G), and often less (McMahan 2017).

    >>> learner = FTRL(loss="hinge", alpha=1.0, l1=2.0)
    >>> learner.learn({"a": 1, "b": 3}, -1), learner.weights
    (True, {'b': -0.25})
    """

    name: ClassVar[str] = "ftrl"
    summary: ClassVar[str] = "FTRL-proximal: rates by feature, and sparse weights"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("loss", "logistic", LOSS_MEANING),
        Parameter("alpha", 0.1, "α: the size of a step"),
        Parameter("beta", 1.0, "β: added to √Σg², so that the first steps are not too long"),
        Parameter("l1", 0.0, "λ₁: weights are 0 while |z| is no more"),
        Parameter("l2", 0.0, "λ₂: holds all weights back"),
        BIAS,
        SCALE,
    )

    def __init__(
        self,
        loss: str = "logistic",
        alpha: float = 0.1,
        beta: float = 1.0,
        l1: float = 0.0,
        l2: float = 0.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0."""
        self.loss = one_of("loss", loss, LOSSES)
        self.alpha = positive("alpha", alpha)
        self.beta = positive("beta", beta)
        self.l1 = not_negative("l1", l1)
        self.l2 = not_negative("l2", l2)
        self.bias = flag("bias", bias)
        self.loss_name = self.loss
        super().__init__(
            loss=LOSSES.index(self.loss),
            alpha=self.alpha,
            beta=self.beta,
            l1=self.l1,
            l2=self.l2,
            bias=self.bias,
            scale=scale,
        )

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the losses."""
        return (McMahan(),)
