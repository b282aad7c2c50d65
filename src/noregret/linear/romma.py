"""ROMMA: the shortest weights that a growing set of conditions allows, with all but the last merged into one.

Li & Long 2002, The relaxed online maximum margin algorithm.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.perceptron_theorems import Novikoff
from noregret.parameters import Parameter, flag


class ROMMA(LinearLearner):
    """On a mistake w becomes the shortest u with ⟨u, w⟩ ≥ ‖w‖² and y⟨u, x⟩ ≥ 1.

    The aggressive form does so whenever y⟨w, x⟩ < 1. If some u has y⟨u, x⟩ ≥ γ > 0 in every round and
    ‖x‖ ≤ R, it errs at most (R‖u‖/γ)² times (Li & Long 2002). A round that no u can satisfy together
    with w is passed over; importance changes nothing.

    >>> learner = ROMMA()
    >>> learner.learn({"a": 2}, -1), learner.learn({"b": 1}, -1), learner.weights
    (True, True, {'a': -0.5, 'b': -1.0})
    """

    name: ClassVar[str] = "romma"
    summary: ClassVar[str] = (
        "relaxed maximum margin: the shortest w that keeps to what it was and to the last mistake"
    )
    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("aggressive", False, "whether a round that is right with y⟨w, x⟩ below 1 teaches as well"),
        BIAS,
        SCALE,
    )

    def __init__(self, aggressive: bool = False, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.aggressive = flag("aggressive", aggressive)
        self.bias = flag("bias", bias)
        super().__init__(aggressive=float(self.aggressive), bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """The same bound as Novikoff's."""
        return (LiLong(),)


class LiLong(Novikoff):
    """Separable data: M ≤ (R‖u‖/γ)²: every mistake adds 1/R² to ‖w‖², which never passes ‖u‖²/γ²."""

    name = "Li–Long"
    source = "Li & Long 2002, The relaxed online maximum margin algorithm, Thms 3 and 5"
