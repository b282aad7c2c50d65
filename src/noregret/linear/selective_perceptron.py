"""A Perceptron that asks for few labels.

Cesa-Bianchi, Gentile & Zaniboni 2006, Worst-case analysis of selective sampling for linear classification.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from noregret.certificate import Theorem
from noregret.chance import coin
from noregret.linear.learner import BIAS, LinearLearner
from noregret.linear.selective_theorems import CesaBianchiGentileZaniboni
from noregret.parameters import EXACT, Parameter, positive, whole


class SelectivePerceptron(LinearLearner):
    """Asks for the label with probability b/(b + |⟨w, x⟩|); on a mistake that it asked about, w ← w + y·x.

    `asks(x)` tells beforehand whether it wants the label of the next round: ask a person then, and
    call `learn`. In a run over labelled data it looks only at the labels that it asks for. With b = R²/2 it
    is expected to make no more mistakes than the Perceptron's bound allows, however few labels that takes.

    >>> learner = SelectivePerceptron(budget=1)
    >>> learner.asks({"size": 1.0}), learner.learn({"size": 1.0}, -1), learner.asked
    (True, True, 1)
    >>> learner.asks({"size": 1.0})
    False
    """

    name: ClassVar[str] = "selective-perceptron"
    summary: ClassVar[str] = "asks for a label when it is unsure: with probability b/(b + |score|)"
    loss_name: str = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("smoothing", 1.0, "b: the larger, the more labels it asks for; in the units of the score"),
        Parameter("budget", None, "how many labels it may ask for; none: as many as it likes"),
        Parameter("seed", 0.0, "which coins it throws"),
        BIAS,
    )

    def __init__(
        self, smoothing: float = 1.0, budget: int | None = None, seed: int = 0, bias: bool = False
    ) -> None:
        """Start with every weight at 0 and nothing asked."""
        self.smoothing = positive("smoothing", smoothing)
        self.budget = None if budget is None else whole("budget", budget, 0, EXACT)
        self.seed = whole("seed", seed, 0, EXACT)
        self.bias = bool(bias)
        super().__init__(
            smoothing=self.smoothing,
            budget=math.inf if self.budget is None else float(self.budget),
            seed=float(self.seed),
            bias=self.bias,
        )

    @property
    def asked(self) -> int:
        """How many labels it has asked for."""
        return int(self.scalars["asked"])

    def asks(self, x: Any) -> bool:
        """Tell whether it wants the label of x in the next round. Changes nothing."""
        if self.budget is not None and self.asked >= self.budget:
            return False
        score = self.score(x)
        thrown = coin(self.seed, int(self.scalars["rounds"]) + 1, score)
        return thrown * (self.smoothing + abs(score)) < self.smoothing

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on its mistakes, as told by those that it asked about."""
        return (CesaBianchiGentileZaniboni(),)
