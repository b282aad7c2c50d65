"""The Perceptron.

Rosenblatt 1958; the mistake bound is Novikoff's (1962); for data that nothing separates, Freund
and Schapire (1999), and Mohri and Rostamizadeh (2013).
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.margin_theorems import Updates, UpdatesByHinges
from noregret.linear.perceptron_theorems import (
    FreundSchapire,
    HingeForm,
    LateLabels,
    LateLabelsAnyData,
    Novikoff,
)
from noregret.parameters import Parameter, flag, not_negative, positive


class Perceptron(LinearLearner):
    """On a mistake, and when y⟨w, x⟩ < margin, w ← w + η·y·x. Predicts +1 when ⟨w, x⟩ ≥ 0.

    If some u has y⟨u, x⟩ ≥ γ > 0 in every round and ‖x‖ ≤ R, it errs at most (R‖u‖/γ)² times
    (Novikoff 1962), whatever the order of the rounds. With a bias, x has one more feature, which
    is always 1. With a margin it is the updates that are few (`Updates`).

    >>> learner = Perceptron()
    >>> learner.learn({"free": 1, "money": 2}, -1)
    True
    >>> learner.predict({"money": 1}), learner.weights
    (-1.0, {'free': -1.0, 'money': -2.0})
    """

    name: ClassVar[str] = "perceptron"
    summary: ClassVar[str] = "additive: on a mistake, w ← w + η·y·x"
    loss_name: str = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "rate", 1.0, "η: the size of a step; without a margin it changes only the scale of the weights"
        ),
        BIAS,
        Parameter("margin", 0.0, "a round that is right with y⟨w, x⟩ below this teaches as well"),
        SCALE,
    )

    def __init__(
        self, rate: float = 1.0, bias: bool = False, margin: float = 0.0, scale: str = "none"
    ) -> None:
        """Start with every weight at 0."""
        self.rate = positive("rate", rate)
        self.bias = flag("bias", bias)
        self.margin = not_negative("margin", margin)
        super().__init__(rate=self.rate, bias=self.bias, scale=scale, margin=self.margin)

    def theorems(self) -> tuple[Theorem, ...]:
        """Novikoff for separable data, two forms for any; with a margin, bounds on the updates."""
        if self.margin > 0.0:
            return (Updates(), UpdatesByHinges())
        return (Novikoff(), FreundSchapire(), HingeForm())

    def late_theorems(self) -> tuple[Theorem, ...]:
        """Novikoff's argument with the cross terms of the mistakes that were overtaken; for any data too."""
        return (LateLabels(), LateLabelsAnyData()) if self.margin == 0.0 else ()
