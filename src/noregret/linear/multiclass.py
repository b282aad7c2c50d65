"""Learners of several classes: the right one against the best wrong one."""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import BIAS, SCALE
from noregret.linear.multiclass_learner import MulticlassLearner
from noregret.linear.multiclass_theorems import (
    ClassHinges,
    ClassWinnow,
    CrammerSinger,
    CrammerSingerAny,
)
from noregret.parameters import Parameter, flag, positive


class MulticlassPerceptron(MulticlassLearner):
    """On a mistake, w_y ← w_y + η·x for the right class y and w_r ← w_r − η·x for the best wrong one.

    If some U has ⟨U_y − U_c, x⟩ ≥ γ > 0 for every wrong class c in every round and ‖x‖ ≤ R, it errs at
    most 2(R‖U‖/γ)² times (Crammer & Singer 2003; Kesler's construction is in Duda & Hart 1973).

    >>> learner = MulticlassPerceptron()
    >>> learner.announce(["cat", "cow", "dog"])
    >>> learner.learn({"bark": 1}, "dog"), learner.predict({"bark": 1})
    (True, 'dog')
    >>> learner.score({"bark": 1})
    {'cat': -1.0, 'cow': 0.0, 'dog': 1.0}
    """

    name: ClassVar[str] = "multiclass-perceptron"
    summary: ClassVar[str] = "on a mistake, the right class + η·x, the best wrong one − η·x"
    loss_name: str = "perceptron"
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
        """Crammer–Singer, for separable data and for any."""
        return (CrammerSinger(), CrammerSingerAny(), ClassHinges())


class MulticlassWinnow(MulticlassLearner):
    """On a mistake, exponents g_y ← g_y + η·x for the right class y, g_r ← g_r − η·x for the best wrong one.

    The weight of an exponent g is eᵍ − e⁻ᵍ (the balanced form, Littlestone 1989), by Kesler's construction.
    Exponents stop at ±300. If the right class leads by ρ‖V‖₁ under some V, |xᵢ| ≤ r and η < 2ρ/r², it errs
    at most ln 2NC/(ηρ − η²r²/2) times, N features, C classes, and once for a class that was not announced.

    >>> learner = MulticlassWinnow(rate=1.0)
    >>> learner.announce(["cat", "dog"])
    >>> learner.learn({"bark": 1}, "dog"), learner.predict({"bark": 1})
    (True, 'dog')
    """

    name: ClassVar[str] = "multiclass-winnow"
    summary: ClassVar[str] = "multiplicative: on a mistake, the right class × exp(η·x), the best wrong one ÷"
    loss_name: str = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (Parameter("rate", 0.1, "η: the size of a step"), BIAS, SCALE)

    def __init__(self, rate: float = 0.1, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.rate = positive("rate", rate)
        self.bias = flag("bias", bias)
        super().__init__(rate=self.rate, bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """Few mistakes where few features tell the classes apart."""
        return (ClassWinnow(),)


class MulticlassMajority(MulticlassLearner):
    """Predicts the class seen most often so far, counting importance.

    >>> learner = MulticlassMajority()
    >>> learner.learn({}, "cat"), learner.predict({})
    (True, 'cat')
    """

    name: ClassVar[str] = "multiclass-majority"
    summary: ClassVar[str] = "baseline: the class seen most often so far"
    loss_name: str = "zero-one"

    def __init__(self) -> None:
        """Start with nothing seen."""
        super().__init__()


class MulticlassLastLabel(MulticlassLearner):
    """Predicts the class of the round before.

    >>> learner = MulticlassLastLabel()
    >>> learner.learn({}, 7), learner.predict({})
    (True, 7)
    """

    name: ClassVar[str] = "multiclass-last-label"
    summary: ClassVar[str] = "baseline: the class of the round before"
    loss_name: str = "zero-one"

    def __init__(self) -> None:
        """Start with nothing seen."""
        super().__init__()
