"""Binary rules over several classes, by Kesler's construction: passive-aggressive, AROW, gradient descent."""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import BIAS, SCALE, TEMPER
from noregret.linear.losses import LOSS_MEANING, LOSSES, STEPS
from noregret.linear.multiclass_learner import MulticlassLearner
from noregret.linear.multiclass_theorems import ClassPA, ClassPAOne, ClassPATwo, ClassZinkevich
from noregret.parameters import Parameter, flag, one_of, positive


class MulticlassPA(MulticlassLearner):
    """When the right class leads the best wrong one by less than 1, the least step that makes it so.

    w_y ← w_y + τ·x and w_r ← w_r − τ·x with τ = (1 − lead)/(2‖x‖²) (Crammer et al. 2006).

    >>> learner = MulticlassPA()
    >>> learner.announce(["cat", "dog"])
    >>> learner.learn({"bark": 1}, "dog"), learner.score({"bark": 1})
    (True, {'cat': -0.5, 'dog': 0.5})
    """

    name: ClassVar[str] = "multiclass-pa"
    summary: ClassVar[str] = "the least step that makes the right class lead by 1"
    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (BIAS, SCALE)

    def __init__(self, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.bias = flag("bias", bias)
        super().__init__(bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the mistakes, for any data."""
        return (ClassPA(),)


class _Tempered(MulticlassLearner):
    """Passive-aggressive with a parameter C."""

    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (TEMPER, BIAS, SCALE)

    def __init__(self, C: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.C = positive("C", C)
        self.bias = flag("bias", bias)
        super().__init__(C=self.C, bias=self.bias, scale=scale)


class MulticlassPA1(_Tempered):
    """As multiclass-pa, and no step longer than C (Crammer et al. 2006).

    >>> learner = MulticlassPA1(C=0.25)
    >>> learner.announce(["cat", "dog"])
    >>> learner.learn({"bark": 1}, "dog"), learner.score({"bark": 1})
    (True, {'cat': -0.25, 'dog': 0.25})
    """

    name: ClassVar[str] = "multiclass-pa1"
    summary: ClassVar[str] = "as multiclass-pa, and no step longer than C"

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the mistakes, for any data."""
        return (ClassPAOne(),)


class MulticlassPA2(_Tempered):
    """As multiclass-pa, and every step shortened: τ = (1 − lead)/(2‖x‖² + 1/(2C)) (Crammer et al. 2006).

    >>> learner = MulticlassPA2(C=0.25)
    >>> learner.announce(["cat", "dog"])
    >>> learner.learn({"bark": 1}, "dog"), learner.score({"bark": 1})
    (True, {'cat': -0.25, 'dog': 0.25})
    """

    name: ClassVar[str] = "multiclass-pa2"
    summary: ClassVar[str] = "as multiclass-pa, and every step shortened by 1/(2C)"

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the mistakes, for any data."""
        return (ClassPATwo(),)


class MulticlassAROW(MulticlassLearner):
    """AROW with a variance for each class and feature: the right class against the best wrong one.

    The diagonal form over the joint features, with the top-1 update, of Crammer, Dredze & Kulesza 2009,
    Multi-class confidence weighted algorithms. No theorem is stated for it here.

    >>> learner = MulticlassAROW()
    >>> learner.announce(["cat", "dog"])
    >>> learner.learn({"bark": 1}, "dog"), learner.predict({"bark": 1})
    (True, 'dog')
    """

    name: ClassVar[str] = "multiclass-arow"
    summary: ClassVar[str] = "adaptive regularisation: least squares over leads below 1"
    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ridge", 1.0, "r: how slowly it grows sure; large where labels are noisy"),
        BIAS,
        SCALE,
    )

    def __init__(self, ridge: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0 and every variance at 1."""
        self.ridge = positive("ridge", ridge)
        self.bias = flag("bias", bias)
        super().__init__(ridge=self.ridge, bias=self.bias, scale=scale)


class MulticlassOGD(MulticlassLearner):
    """Gradient descent on a loss of the lead of the right class over the best wrong one.

    η_t is η, η/√t or η/t, where t counts the labelled rounds. The perceptron, hinge and logistic losses are
    convex in the weights of all classes, and Zinkevich's bound holds (2003); for the squared ones none is
    stated here.

    >>> learner = MulticlassOGD(loss="hinge", step="constant", rate=0.5)
    >>> learner.announce(["cat", "dog"])
    >>> learner.learn({"bark": 1}, "dog"), learner.score({"bark": 1})
    (True, {'cat': -0.5, 'dog': 0.5})
    """

    name: ClassVar[str] = "multiclass-ogd"
    summary: ClassVar[str] = "gradient descent on any loss of the lead of the right class"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("loss", "hinge", LOSS_MEANING),
        Parameter("step", "sqrt", "η_t: constant η, sqrt η/√t, inverse η/t"),
        Parameter("rate", 1.0, "η: the size of the first step"),
        BIAS,
        SCALE,
    )

    def __init__(
        self,
        loss: str = "hinge",
        step: str = "sqrt",
        rate: float = 1.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0."""
        self.loss = one_of("loss", loss, LOSSES)
        self.step = one_of("step", step, STEPS)
        self.rate = positive("rate", rate)
        self.bias = flag("bias", bias)
        self.loss_name = self.loss
        numbers = {"loss": float(LOSSES.index(self.loss)), "step": float(STEPS.index(self.step))}
        super().__init__(bias=self.bias, scale=scale, rate=self.rate, **numbers)

    def theorems(self) -> tuple[Theorem, ...]:
        """The regret of gradient descent, for the losses whose slope is at most 1."""
        return (ClassZinkevich(),) if self.loss in ("perceptron", "hinge", "logistic") else ()
