"""Online gradient descent: any loss, any step, with or without a reason to keep the weights small.

Zinkevich 2003, Online convex programming and generalized infinitesimal gradient ascent; the
truncated gradient is Langford, Li & Zhang 2009, Sparse online learning via truncated gradient.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.errors import BadParameter
from noregret.linear.gradient_theorems import Zinkevich
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.losses import LOSS_MEANING, LOSSES, STEPS
from noregret.parameters import Parameter, flag, not_negative, one_of, positive


class OGD(LinearLearner):
    """w ← (1 − η_t·λ₂)·w − η_t·∇ℓ, then every weight moves η_t·λ₁ towards 0. Predicts +1 when ⟨w, x⟩ ≥ 0.

    η_t is η, η/√t or η/t, where t counts the labelled rounds. The importance of a round multiplies
    its ∇ℓ. Without λ₁ and λ₂ its losses are at most Σℓ(u) + ‖u‖²/(2η₁) + ½D²(1/η_T − 1/η₁) +
    ½Σ η_t‖∇ℓ‖² for any u, where D bounds ‖w − u‖ (Zinkevich 2003).

    >>> learner = OGD(loss="hinge", step="constant", rate=0.5)
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.weights
    (True, {'free': -0.5, 'money': -1.0})
    """

    name: ClassVar[str] = "ogd"
    summary: ClassVar[str] = "gradient descent on any loss: w ← w − η_t·∇ℓ"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("loss", "hinge", LOSS_MEANING),
        Parameter(
            "step", "sqrt", "η_t: constant η, sqrt η/√t, inverse η/t, where t counts the labelled rounds"
        ),
        Parameter("rate", 1.0, "η: the size of the first step"),
        Parameter("l1", 0.0, "λ₁: every weight moves η_t·λ₁ towards 0 in every round, and stops there"),
        Parameter("l2", 0.0, "λ₂: every weight is multiplied by 1 − η_t·λ₂ in every round"),
        BIAS,
        SCALE,
    )

    def __init__(
        self,
        loss: str = "hinge",
        step: str = "sqrt",
        rate: float = 1.0,
        l1: float = 0.0,
        l2: float = 0.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0."""
        self.loss = one_of("loss", loss, LOSSES)
        self.step = one_of("step", step, STEPS)
        self.rate = positive("rate", rate)
        self.l1 = not_negative("l1", l1)
        self.l2 = not_negative("l2", l2)
        self.bias = flag("bias", bias)
        if self.rate * self.l2 >= 1.0:
            raise BadParameter(f"l2 is {l2} and rate is {rate}; their product must be below 1")
        self.loss_name = self.loss
        loss_number, step_number = LOSSES.index(self.loss), STEPS.index(self.step)
        if self.l1 or self.l2:
            super().__init__(
                rule="regularized-ogd",
                bias=self.bias,
                scale=scale,
                loss=loss_number,
                step=step_number,
                rate=self.rate,
                l1=self.l1,
                l2=self.l2,
            )
        else:
            super().__init__(bias=self.bias, scale=scale, loss=loss_number, step=step_number, rate=self.rate)

    def theorems(self) -> tuple[Theorem, ...]:
        """Zinkevich's, which speaks of the loss alone."""
        return () if self.l1 or self.l2 else (Zinkevich(),)
