"""The voted Perceptron: one learns, and all that it ever was vote.

Freund & Schapire 1999, Large margin classification using the perceptron algorithm, §2.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import LinearLearner
from noregret.linear.margin_theorems import Updates
from noregret.parameters import Parameter, flag, whole


class VotedPerceptron(LinearLearner):
    """Predicts by the vote Σ c·sign⟨w, x⟩ over every w the Perceptron was, for c labelled rounds each.

    The Perceptron inside learns from its own mistakes, whatever the vote says: `updates` counts them, and
    they are at most ((R‖u‖ + D)/γ)². `mistakes` are those of the vote, of which a single run proves
    nothing: Freund and Schapire bound the chance of one on a random next example, not the count. The score is
    the mean vote, between −1 and 1; `weights` are those of the last w. The importance of a round
    multiplies its step.

    It keeps the examples that taught it, and a prediction goes over all of them. Beyond `budget` the
    oldest w gives up its votes and its example is let go: the Perceptron inside, and every later w, are
    what they would have been without a budget. A budget of 0 is none.

    >>> learner = VotedPerceptron()
    >>> learner.learn({"a": 1}, -1), learner.learn({"a": -1}, 1), learner.learn({"a": -4}, -1)
    (True, False, True)
    >>> learner.score({"a": 1}), learner.weights  # two rounds of −1 against one of +3
    (-0.3333333333333333, {'a': 3.0})
    """

    name: ClassVar[str] = "voted-perceptron"
    summary: ClassVar[str] = "every w that the Perceptron was has a vote for each round it lived"
    loss_name: ClassVar[str] = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("budget", 1000.0, "how many mistakes are kept; 0: all"),
        Parameter("bias", False, "whether a feature that is always 1 is added to every row"),
    )

    def __init__(self, budget: float = 1000.0, bias: bool = False) -> None:
        """Start with nothing kept."""
        self.budget = whole("budget", budget, 0)
        self.bias = flag("bias", bias)
        super().__init__(budget=self.budget, bias=self.bias)

    def theorems(self) -> tuple[Theorem, ...]:
        """Novikoff's, about the Perceptron inside."""
        return (Updates(),)


__all__ = ["VotedPerceptron"]
