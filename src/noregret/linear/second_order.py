"""What second-order learners share: a covariance, whole or only its diagonal."""

from __future__ import annotations

from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.parameters import Parameter, flag, one_of

FORMS = ("diagonal", "full")

COVARIANCE = (
    Parameter("covariance", "diagonal", "diagonal, for any number of features; full, for up to 15,811"),
    BIAS,
    SCALE,
)


class SecondOrder(LinearLearner):
    """Keeps beside w a covariance Σ of the features; with v = xᵀΣx it steps by a·Σx and Σ⁻¹ grows by k·xxᵀ.

    A full Σ costs n² numbers and n² operations an update, n the features met; the diagonal costs
    one number a feature.
    """

    def __init__(self, covariance: str, bias: bool, scale: str, **parameters: float) -> None:
        """Choose the form in the core."""
        self.covariance = one_of("covariance", covariance, FORMS)
        self.bias = flag("bias", bias)
        rule = self.name if covariance == "diagonal" else f"{self.name}-full"
        super().__init__(rule=rule, bias=self.bias, scale=scale, **parameters)
