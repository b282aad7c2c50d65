"""The averaged Perceptron: one learns, the average of all that it was predicts.

Freund & Schapire 1999, Large margin classification using the perceptron algorithm, §3; Collins 2002.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.margin_theorems import Updates, UpdatesByHinges
from noregret.parameters import Parameter, flag, positive


class AveragedPerceptron(LinearLearner):
    """Predicts by the average of the Perceptron's weights after each labelled round.

    The Perceptron inside learns from its own mistakes, whatever the average says: `updates` counts
    them, and they are at most ((R‖u‖ + D)/γ)². `mistakes` are those of the average, and `weights` are
    the average. For the mistakes of the average of a single run nothing of the kind is proved.

    >>> learner = AveragedPerceptron()
    >>> learner.learn({"a": 1}, -1), learner.learn({"a": -1}, 1), learner.learn({"a": -4}, -1)
    (True, False, True)
    >>> learner.weights
    {'a': 0.3333333333333333}
    """

    name: ClassVar[str] = "averaged-perceptron"
    summary: ClassVar[str] = "the average of the Perceptron's weights, round by round, predicts"
    loss_name: str = "perceptron"
    steady: ClassVar[bool] = False  # the average moves in every round
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rate", 1.0, "η: the size of a step; changes no prediction, only the scale of the weights"),
        BIAS,
        SCALE,
    )

    def __init__(self, rate: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.rate = positive("rate", rate)
        self.bias = flag("bias", bias)
        super().__init__(rate=self.rate, bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """Two bounds on the updates of the Perceptron inside."""
        return (Updates(), UpdatesByHinges())
