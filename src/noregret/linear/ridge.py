"""Online ridge regression: the forecaster of Vovk, Azoury and Warmuth, and its bound.

Vovk 2001, Competitive on-line statistics; Azoury & Warmuth 2001, Relative loss bounds for on-line density
estimation with the exponential family of distributions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from noregret.certificate import Certificate, Theorem, conclude
from noregret.judged import Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.regression_theorems import Errors
from noregret.linear.second_order import Covariance
from noregret.linear.second_order_theorems import log_determinant
from noregret.parameters import Parameter, flag, within
from noregret.rounding import ROUNDING


class Ridge(Covariance, LinearLearner):
    """Least squares over all rounds so far, x itself among them with the number 0.

    With A = a·I + Σxxᵀ and w = A⁻¹·Σyx it predicts ⟨w, x⟩/(1 + xᵀA⁻¹x). For any data with |y| ≤ Y:
    Σ(ŷ − y)² ≤ min_u (a‖u‖² + Σ(⟨u,x⟩ − y)²) + Y²·ln det(I + Σxxᵀ/a), which grows as d·ln T. It keeps
    A⁻¹ as factors: n²/2 numbers and 2n² operations a round, n the features met.

    >>> learner = Ridge()
    >>> learner.learn({"size": 1.0}, 6.0), learner.predict({"size": 1.0})
    (True, 2.0)
    """

    name: ClassVar[str] = "ridge"
    summary: ClassVar[str] = "regression: least squares over all rounds (Vovk–Azoury–Warmuth)"
    loss_name: str = "squared"
    task: ClassVar[str] = "regression"
    divides: ClassVar[bool] = True
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ridge", 1.0, "a: what a long u costs; in the units of Σx²"),
        BIAS,
        SCALE,
    )

    def __init__(self, ridge: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.ridge = within("ridge", ridge, 1e-100, 1e100)
        self.bias = flag("bias", bias)
        super().__init__(ridge=self.ridge, bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """The logarithmic bound."""
        return (AzouryWarmuth(),)


class AzouryWarmuth(RunTheorem):
    """Σ(ŷ − y)² ≤ a‖u‖² + Σ(⟨u,x⟩ − y)² + Y²·ln det(I + Σxxᵀ/a), for every u.

    The run is floating point, so the bound is raised by one part in 10⁹ before it is compared.
    """

    name = "Vovk–Azoury–Warmuth"
    statement = "for every u, |y| ≤ Y: Σ(ŷ − y)² ≤ a‖u‖² + Σ(⟨u,x⟩ − y)² + Y²·ln det(I + Σxxᵀ/a)"
    source = "Vovk 2001, Competitive on-line statistics; Azoury & Warmuth 2001, Relative loss bounds"
    about = "squared loss"
    comparator = "least-squares"
    meters: ClassVar[tuple[type[Meter], ...]] = (Errors,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return run.norms().labels

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness."""
        a, errors, hypotheses = float(run.parameters["ridge"]), run.meter(Errors), prompt_run(run)
        if not all(h.met for h in hypotheses):
            return conclude(self, errors.own.value, None, hypotheses)
        lost, length = float(errors.lost(witness)), float(witness.square)
        largest = run.norms().label
        growth = largest**2 * log_determinant(run, run.norms().total.above() / Fraction(a))
        bound = (a * length + lost + growth) * (1.0 + ROUNDING)
        shown = {"Y": largest, "norm_u": length**0.5, "loss_u": lost, "growth": growth}
        return conclude(self, errors.own.value, bound, hypotheses, shown)
