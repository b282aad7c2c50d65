"""What second-order learners share: a covariance, whole or only its diagonal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.parameters import Parameter, flag, one_of
from noregret.rounds import Floats

FORMS = ("diagonal", "full")

COVARIANCE = (
    Parameter("covariance", "diagonal", "diagonal, for any number of features; full, for up to 22,300"),
    BIAS,
    SCALE,
)


class Covariance:
    """What can be asked of the covariance Σ of a learner, which starts as σ²·I."""

    if TYPE_CHECKING:  # the core has them

        @property
        def variances(self) -> Floats:
            """D of the factors U·D·Uᵀ of a full Σ."""

        @property
        def initial_variance(self) -> float:
            """σ²."""

        def state(self) -> dict[str, Any]:
            """Give everything there is to save."""

    @property
    def features_met(self) -> int:
        """The number of features in Σ: those learned from with a value other than 0, the bias among them.

        >>> from noregret import AROW
        >>> learner = AROW(covariance="full")
        >>> learner.learn({"free": 1, "money": 2}, -1), learner.features_met
        (True, 2)
        """
        spread = self._spread()
        return int(np.sum(spread != self.initial_variance)) if self._is_diagonal else len(spread)

    @property
    def log_determinant(self) -> float:
        """ln det(σ²·Σ⁻¹) = −Σ ln(D_i/σ²), with Σ = U·D·Uᵀ: how much has been learned; 0.0 at the start.

        For ridge it is the ln det(I + Σxxᵀ/a) of the theorem, for SOP and AROW the same over the rounds that
        taught, each round as often as its importance says. It has the rounding errors of the run in it.

        >>> from noregret import Ridge
        >>> learner = Ridge(ridge=2.0)
        >>> learner.learn({"size": 2.0}, 1.0), round(learner.log_determinant, 6)  # ln(1 + 4/2)
        (True, 1.098612)
        """
        return float(np.sum(math.log(self.initial_variance) - np.log(self._spread()))) + 0.0

    @property
    def _is_diagonal(self) -> bool:
        return getattr(self, "covariance", "full") == "diagonal"

    def _spread(self) -> Floats:
        return np.asarray(self.state()["lanes"]["variance"]) if self._is_diagonal else self.variances


class SecondOrder(Covariance, LinearLearner):
    """Keeps beside w a covariance Σ of the features; with v = xᵀΣx it steps by a·Σx and Σ⁻¹ grows by k·xxᵀ.

    A full Σ is kept as the factors U·D·Uᵀ, U a triangle and D a diagonal: n²/2 numbers and 2n² operations an
    update, n the features met. Columns of very different sizes do not cost it its digits. The diagonal costs
    one number a feature.
    """

    def __init__(self, covariance: str, bias: bool, scale: str, **parameters: float) -> None:
        """Choose the form in the core."""
        self.covariance = one_of("covariance", covariance, FORMS)
        self.bias = flag("bias", bias)
        rule = self.name if covariance == "diagonal" else f"{self.name}-full"
        super().__init__(rule=rule, bias=self.bias, scale=scale, **parameters)
