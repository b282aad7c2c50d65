"""The voted Perceptron: one learns, all that it was vote.

Freund & Schapire 1999, Large margin classification using the perceptron algorithm.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import LinearLearner
from noregret.linear.margin_theorems import Updates
from noregret.parameters import Parameter, flag


class VotedPerceptron(LinearLearner):
    """Predicts by a vote of all that the Perceptron's w has been, each counted by the rounds that it lasted.

    The Perceptron inside learns from its own mistakes, whatever the vote says: `updates` counts them, and
    they are at most ((R‖u‖ + D)/γ)². `mistakes` are those of the vote; `weights` are of the Perceptron
    inside; the score is the votes for +1 less those for −1, over all. Sixteen voters are kept: when there
    is no room, of two neighbours the later one stays, with the votes of both. The importance of a round
    multiplies its step.

    Freund and Schapire bound the chance that the vote errs on one more example, drawn as the others were,
    by 2/(m+1) times the expected number of updates on m+1: that is about draws, not about a run, so no
    certificate can be made of it.

    >>> learner = VotedPerceptron()
    >>> learner.learn({"a": 1}, -1), learner.learn({"a": 2}, -1), learner.score({"a": 1})
    (True, False, -1.0)
    """

    name: ClassVar[str] = "voted-perceptron"
    summary: ClassVar[str] = "all that the Perceptron's weights have been vote, by how long they lasted"
    loss_name: ClassVar[str] = "zero-one"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("bias", False, "whether a feature that is always 1 is added to every row"),
    )

    def __init__(self, bias: bool = False) -> None:
        """Start with one voter, every weight at 0."""
        self.bias = flag("bias", bias)
        super().__init__(bias=self.bias)

    def theorems(self) -> tuple[Theorem, ...]:
        """Novikoff's, about the Perceptron inside."""
        return (Updates(),)


__all__ = ["VotedPerceptron"]
