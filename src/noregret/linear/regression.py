"""Learners that predict a number: the score itself."""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.errors import BadParameter
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.regression_theorems import (
    CesaBianchiLongWarmuth,
    PassiveAggressive,
    Zinkevich,
)
from noregret.parameters import Parameter, flag, not_negative, positive, within


class WidrowHoff(LinearLearner):
    """w ← w + η·(y − ⟨w, x⟩)·x: gradient descent on the squared loss.

    If η‖x‖² < 2 in every round, then for every u its squared loss is at most
    (‖u‖²/η + L(u)/a)/(2 − a − ηX²), for any a (Cesa-Bianchi, Long & Warmuth 1996 have a = 1).

    >>> learner = WidrowHoff(rate=0.5)
    >>> learner.learn({"size": 1.0}, 10.0), learner.predict({"size": 1.0})
    (True, 5.0)
    """

    name: ClassVar[str] = "widrow-hoff"
    summary: ClassVar[str] = "regression: w ← w + η·(y − ⟨w,x⟩)·x"
    loss_name: str = "squared"
    task: ClassVar[str] = "regression"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rate", 0.01, "η: the size of a step; below 2/‖x‖² the error cannot explode"),
        BIAS,
        SCALE,
    )

    def __init__(self, rate: float = 0.01, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.rate = positive("rate", rate)
        self.bias = flag("bias", bias)
        super().__init__(rate=self.rate, bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """The relative bound on the squared loss."""
        return (CesaBianchiLongWarmuth(),)


class PARegression(LinearLearner):
    """When |y − ⟨w, x⟩| > ε, the least step that brings it to ε, tempered by C.

    Form 1 steps by min(C, ℓ/‖x‖²), form 2 by ℓ/(‖x‖² + 1/(2C)), ℓ = |y − ⟨w, x⟩| − ε (Crammer et al. 2006).

    >>> learner = PARegression(epsilon=1.0, C=100.0)
    >>> learner.learn({"size": 2.0}, 10.0), learner.predict({"size": 2.0})
    (True, 9.0)
    """

    name: ClassVar[str] = "pa-regression"
    summary: ClassVar[str] = "regression: the least step that brings the error down to ε"
    loss_name: str = "epsilon-insensitive"
    task: ClassVar[str] = "regression"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("epsilon", 0.1, "ε: errors up to here do not count"),
        Parameter("C", 1.0, "how far a step may go"),
        Parameter("form", 1.0, "1 (steps of at most C) or 2 (steps shrunk by C)"),
        BIAS,
        SCALE,
    )

    def __init__(
        self,
        epsilon: float = 0.1,
        C: float = 1.0,
        form: float = 1.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0."""
        self.epsilon = not_negative("epsilon", epsilon)
        self.C = positive("C", C)
        if form not in (1, 2):
            raise BadParameter(f"form is {form}; it must be 1 or 2")
        self.form = float(form)
        self.bias = flag("bias", bias)
        super().__init__(epsilon=self.epsilon, C=self.C, form=self.form, bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound of its form."""
        return (PassiveAggressive(),)


class QuantileRegression(LinearLearner):
    """Steps of η·τ up when the number was too small, of η·(1 − τ) down when it was too large, along x.

    Gradient descent on the loss of the quantile τ (Koenker & Bassett 1978). For every u its loss is at
    most L(u) + ‖u‖²/(2η) + (η/2)·Σg²‖x‖², g the slope (Zinkevich 2003).

    >>> learner = QuantileRegression(quantile=0.9, rate=1.0, bias=True)
    >>> learner.learn({}, 5.0), learner.predict({})
    (True, 0.9)
    """

    name: ClassVar[str] = "quantile-regression"
    summary: ClassVar[str] = "regression: the quantile τ, by steps of fixed size"
    loss_name: str = "quantile"
    task: ClassVar[str] = "regression"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("quantile", 0.5, "τ: the share of numbers that is to lie below; 0.5 is the median"),
        Parameter("rate", 0.1, "η: the size of a step"),
        BIAS,
        SCALE,
    )

    def __init__(
        self, quantile: float = 0.5, rate: float = 0.1, bias: bool = False, scale: str = "none"
    ) -> None:
        """Start with every weight at 0."""
        self.quantile = within("quantile", quantile, 0.0, 1.0)
        self.rate = positive("rate", rate)
        self.bias = flag("bias", bias)
        super().__init__(quantile=self.quantile, rate=self.rate, bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """The regret of gradient descent."""
        return (Zinkevich(),)


class Mean(LinearLearner):
    """Predicts the mean of the numbers so far, by importance; 0 before the first.

    >>> learner = Mean()
    >>> learner.learn({}, 4.0), learner.learn({}, 6.0), learner.predict({})
    (True, True, 5.0)
    """

    name: ClassVar[str] = "mean"
    summary: ClassVar[str] = "baseline for regression: the mean so far"
    loss_name: str = "squared"
    task: ClassVar[str] = "regression"

    def __init__(self) -> None:
        """Start at 0."""
        super().__init__()


class LastValue(LinearLearner):
    """Predicts the number of the round before; 0 in the first.

    >>> learner = LastValue()
    >>> learner.learn({}, 4.0), learner.predict({})
    (True, 4.0)
    """

    name: ClassVar[str] = "last-value"
    summary: ClassVar[str] = "baseline for regression: the number of the round before"
    loss_name: str = "squared"
    task: ClassVar[str] = "regression"

    def __init__(self) -> None:
        """Start at 0."""
        super().__init__()
