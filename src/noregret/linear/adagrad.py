"""AdaGrad: every feature has a rate of its own, which falls with the gradients it has seen.

Duchi, Hazan & Singer 2011, Adaptive subgradient methods for online learning and stochastic optimization.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.adaptive_theorems import DuchiAveraging, DuchiDescent
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.losses import LOSS_MEANING, LOSSES
from noregret.parameters import Parameter, flag, one_of, positive

FORMS = ("descent", "averaging")


class AdaGrad(LinearLearner):
    """w ← w − η·g/(δ + √Σg²), feature by feature; the averaging form has w = −η·Σg/(δ + √Σg²).

    The importance of a round multiplies its gradient. With G = Σg² and D ≥ |w − u|, feature by feature,
    its losses are at most Σℓ(u) + Σ(D²/(2η)·(δ + √G) + η√G) for any u; the averaging form, if no |g|
    passes δ, has |u| in place of D (Duchi et al. 2011).

    >>> learner = AdaGrad(rate=0.5)
    >>> learner.learn({"a": 1, "b": 3}, -1), learner.weights
    (True, {'a': -0.25, 'b': -0.375})
    """

    name: ClassVar[str] = "adagrad"
    summary: ClassVar[str] = "gradient descent with a rate for every feature: η/(δ + √Σg²)"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("loss", "hinge", LOSS_MEANING),
        Parameter("form", "descent", "descent (w moves by each gradient) or averaging (w follows their sum)"),
        Parameter("rate", 1.0, "η: the size of a step"),
        Parameter("delta", 1.0, "δ: added to √Σg², so that the first steps are not too long"),
        BIAS,
        SCALE,
    )

    def __init__(
        self,
        loss: str = "hinge",
        form: str = "descent",
        rate: float = 1.0,
        delta: float = 1.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0."""
        self.loss = one_of("loss", loss, LOSSES)
        self.form = one_of("form", form, FORMS)
        self.rate = positive("rate", rate)
        self.delta = positive("delta", delta)
        self.bias = flag("bias", bias)
        self.loss_name = self.loss
        rule = "adagrad" if self.form == "descent" else "averaging-adagrad"
        super().__init__(
            rule=rule,
            loss=LOSSES.index(self.loss),
            rate=self.rate,
            delta=self.delta,
            bias=self.bias,
            scale=scale,
        )

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the losses."""
        return (DuchiDescent(),) if self.form == "descent" else (DuchiAveraging(),)
