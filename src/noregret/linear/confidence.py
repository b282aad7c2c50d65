"""Confidence-weighted learning: CW, SCW-I and SCW-II. No theorem about their mistakes is known to us.

Dredze, Crammer & Pereira 2008; Crammer, Dredze & Pereira 2008 (the exact convex form, which is used
here); Wang, Zhao & Hoi 2012.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import ClassVar

from noregret.linear.second_order import COVARIANCE, SecondOrder
from noregret.parameters import Parameter, positive, within


def _quantile(confidence: float) -> tuple[float, float]:
    """η, checked, and φ = Φ⁻¹(η)."""
    eta = within("confidence", confidence, 0.5, 1.0)
    return eta, NormalDist().inv_cdf(eta)


def _confidence(default: float) -> Parameter:
    return Parameter("confidence", default, "η: the chance with which a round is to be right, above 0.5")


_PRICE = Parameter("C", 1.0, "C: what a round may cost; small where labels are noisy")


class CW(SecondOrder):
    """The smallest change, as relative entropy of normal distributions, after which y⟨w,x⟩ ≥ φ√v.

    φ = Φ⁻¹(η). The scale at which the variances start changes no prediction. A round is obeyed
    whatever it costs: noisy labels hurt. Importance, unless 0, changes nothing.

    >>> learner = CW(confidence=0.9)
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.predict({"money": 1})
    (True, -1.0)
    """

    name: ClassVar[str] = "cw"
    summary: ClassVar[str] = "confidence-weighted: the smallest change that makes the round likely"
    loss_name: str = "zero-one"
    accepts: ClassVar[tuple[Parameter, ...]] = (_confidence(0.7), *COVARIANCE)

    def __init__(
        self, confidence: float = 0.7, covariance: str = "diagonal", bias: bool = False, scale: str = "none"
    ) -> None:
        """Start with every weight at 0 and every variance at 1."""
        self.confidence, phi = _quantile(confidence)
        super().__init__(covariance, bias, scale, phi=phi)


class SCW1(SecondOrder):
    """CW with a step of at most C, so that one noisy label cannot do too much.

    Importance multiplies C.

    >>> SCW1(confidence=0.9, C=0.5).learn({"free": 1}, -1)
    True
    """

    name: ClassVar[str] = "scw1"
    summary: ClassVar[str] = "soft confidence-weighted: a step of at most C"
    loss_name: str = "zero-one"
    accepts: ClassVar[tuple[Parameter, ...]] = (_confidence(0.75), _PRICE, *COVARIANCE)

    def __init__(
        self,
        confidence: float = 0.75,
        C: float = 1.0,
        covariance: str = "diagonal",
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0 and every variance at 1."""
        self.confidence, phi = _quantile(confidence)
        self.C = positive("C", C)
        super().__init__(covariance, bias, scale, phi=phi, C=self.C)


class SCW2(SCW1):
    """CW with a price of C on the square of what is missing in the margin.

    Importance multiplies C.

    >>> SCW2(confidence=0.9, C=0.5).learn({"free": 1}, -1)
    True
    """

    name: ClassVar[str] = "scw2"
    summary: ClassVar[str] = "soft confidence-weighted: a squared price on what is missing"
