"""Least squares on the rounds that teach: SOP, AROW and NHERD.

Cesa-Bianchi, Conconi & Gentile 2005; Crammer, Kulesza & Dredze 2009; Crammer & Lee 2010.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.second_order import COVARIANCE, SecondOrder
from noregret.linear.second_order_theorems import CesaBianchiConconiGentile, CrammerKulesza
from noregret.parameters import Parameter, positive, within


class SOP(SecondOrder):
    """Second-order Perceptron: on a mistake w = (a·I + Σxxᵀ)⁻¹·Σyx over the mistakes, this one among them.

    The paper lets x itself into the matrix before it predicts, which divides the score by 1 + v
    and leaves its sign; here the score is ⟨w, x⟩. With λ the eigenvalues of Σxxᵀ over the mistakes,
    M ≤ √(a‖u‖² + Σ⟨u,x⟩²)·√Σln(1 + λ/a) + Σ max(0, 1 − y⟨u,x⟩) for any u.

    >>> learner = SOP(covariance="full")
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.predict({"money": 1})
    (True, -1.0)
    """

    name: ClassVar[str] = "sop"
    summary: ClassVar[str] = "second-order Perceptron: least squares over the mistakes"
    loss_name: str = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ridge", 1.0, "a: the larger, the longer it is like a Perceptron"),
        *COVARIANCE,
    )

    def __init__(
        self, ridge: float = 1.0, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """Start with every weight at 0 and every variance at 1/a."""
        self.ridge = within("ridge", ridge, 1e-100, 1e100)
        super().__init__(covariance, bias, scale, ridge=self.ridge)

    def theorems(self) -> tuple[Theorem, ...]:
        """Of the full form; of the diagonal it says nothing, and says so."""
        return (CesaBianchiConconiGentile(),)


class AROW(SecondOrder):
    """Adaptive regularisation: when y⟨w,x⟩ < 1, least squares over such rounds, with ridge r.

    The diagonal form lets Σ⁻¹ᵢᵢ grow by xᵢ²/r.

    >>> learner = AROW(ridge=0.5)
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.predict({"money": 1})
    (True, -1.0)
    """

    name: ClassVar[str] = "arow"
    summary: ClassVar[str] = "adaptive regularisation: least squares over margins below 1"
    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ridge", 1.0, "r: how slowly it grows sure; large where labels are noisy"),
        *COVARIANCE,
    )

    def __init__(
        self, ridge: float = 1.0, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """Start with every weight at 0 and every variance at 1."""
        self.ridge = positive("ridge", ridge)
        super().__init__(covariance, bias, scale, ridge=self.ridge)

    def theorems(self) -> tuple[Theorem, ...]:
        """Of the full form; of the diagonal it says nothing, and says so."""
        return (CrammerKulesza(),)


class NHERD(SecondOrder):
    """Normal herd: steps as AROW with r = 1/C does, and Σ⁻¹ grows by (2C + C²v)·xxᵀ.

    The diagonal form projects: Σ⁻¹ᵢᵢ grows by (2C + C²v)·xᵢ². It has no theorem here.

    >>> learner = NHERD(C=2.0)
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.predict({"money": 1})
    (True, -1.0)
    """

    name: ClassVar[str] = "nherd"
    summary: ClassVar[str] = "normal herd: a velocity that carries a whole normal distribution"
    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("C", 1.0, "C: small where labels are noisy"),
        *COVARIANCE,
    )

    def __init__(
        self, C: float = 1.0, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """Start with every weight at 0 and every variance at 1."""
        self.C = positive("C", C)
        super().__init__(covariance, bias, scale, C=self.C)
