"""The online Newton step.

Hazan, Agarwal & Kale 2007, Logarithmic regret algorithms for online convex optimization. Instead of
w the score is kept within bounds, as by Luo, Agarwal, Cesa-Bianchi & Langford 2016: that projection
is a formula, and it does not depend on the scale of the features.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.second_order import COVARIANCE, SecondOrder
from noregret.linear.second_order_theorems import HazanAgarwalKale
from noregret.parameters import Parameter, within


class OnlineNewton(SecondOrder):
    """A ← A + σ·ggᵀ, w ← w − A⁻¹g, with g the gradient of the squared hinge max(0, 1 − y·z)².

    z = ⟨w, x⟩ is kept within ±C: before the step w goes to the nearest place, as A measures, where
    it is. σ = 1/(2(1+C)·max(1+C, 2C)). The full form has logarithmic regret against every u with
    |⟨u, x⟩| ≤ C; the diagonal one keeps the diagonal of A only, and has no theorem.

    >>> learner = OnlineNewton(covariance="full")
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.predict({"money": 1})
    (True, -1.0)
    """

    name: ClassVar[str] = "ons"
    summary: ClassVar[str] = "online Newton step on the squared hinge, scores kept within ±C"
    loss_name: str = "squared hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ridge", 1.0, "a: A starts as a·I"),
        Parameter("limit", 1.0, "C: scores are kept within ±C"),
        *COVARIANCE,
    )

    def __init__(
        self,
        ridge: float = 1.0,
        limit: float = 1.0,
        covariance: str = "diagonal",
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0."""
        self.ridge = within("ridge", ridge, 1e-100, 1e100)
        self.limit = within("limit", limit, 0.0, 1e100)
        super().__init__(covariance, bias, scale, ridge=self.ridge, limit=self.limit)

    def theorems(self) -> tuple[Theorem, ...]:
        """Of the full form; of the diagonal it says nothing, and says so."""
        return (HazanAgarwalKale(),)
