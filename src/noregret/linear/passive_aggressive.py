"""Passive-Aggressive: the least change that makes a round right, in three forms.

Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, Online passive-aggressive algorithms.
"""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Theorem
from noregret.linear.learner import BIAS, SCALE, TEMPER, LinearLearner
from noregret.linear.passive_aggressive_theorems import (
    CrammerOne,
    CrammerPA,
    CrammerTwo,
    DualOne,
    DualTwo,
)
from noregret.parameters import Parameter, flag, positive


class PassiveAggressive(LinearLearner):
    """When y⟨w, x⟩ < 1, w ← w + τ·y·x with τ = (1 − y⟨w, x⟩)/‖x‖². Predicts +1 when ⟨w, x⟩ ≥ 0.

    For any u, with ℓ* its hinge losses: Σℓ² ≤ R²(‖u‖ + 2√Σ(ℓ*/‖x‖)²)² (Crammer et al. 2006). Every
    round is made right by a margin of 1, however noisy, so importance changes nothing.

    >>> learner = PassiveAggressive()
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.weights
    (True, {'free': -0.2, 'money': -0.4})
    """

    name: ClassVar[str] = "pa"
    summary: ClassVar[str] = "passive-aggressive: the least step that makes a round right by a margin of 1"
    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (BIAS, SCALE)

    def __init__(self, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.bias = flag("bias", bias)
        super().__init__(bias=self.bias, scale=scale)

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the squared losses, and so on the mistakes."""
        return (CrammerPA(),)


class _Tempered(LinearLearner):
    """Passive-Aggressive with a parameter C."""

    loss_name: str = "hinge"
    accepts: ClassVar[tuple[Parameter, ...]] = (TEMPER, BIAS, SCALE)

    def __init__(self, C: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """Start with every weight at 0."""
        self.C = positive("C", C)
        self.bias = flag("bias", bias)
        super().__init__(C=self.C, bias=self.bias, scale=scale)


class PassiveAggressive1(_Tempered):
    """PA-I: when y⟨w, x⟩ < 1, w ← w + τ·y·x with τ = min(C, (1 − y⟨w, x⟩)/‖x‖²).

    For any u, with ℓ* its hinge losses: M ≤ max(R², 1/C)·(‖u‖² + 2C·Σℓ*) (Crammer et al. 2006). The
    importance of a round multiplies C.

    >>> learner = PassiveAggressive1(C=0.125)
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.weights
    (True, {'free': -0.125, 'money': -0.25})
    """

    name: ClassVar[str] = "pa1"
    summary: ClassVar[str] = "PA-I: as pa, and no step longer than C"

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the mistakes, and one on the value of the dual that the steps prove."""
        return (CrammerOne(), DualOne())


class PassiveAggressive2(_Tempered):
    """PA-II: when y⟨w, x⟩ < 1, w ← w + τ·y·x with τ = (1 − y⟨w, x⟩)/(‖x‖² + 1/(2C)).

    For any u, with ℓ* its hinge losses: Σℓ² ≤ (R² + 1/(2C))·(‖u‖² + 2C·Σℓ*²) (Crammer et al. 2006).
    The importance of a round multiplies C.

    >>> learner = PassiveAggressive2(C=0.1)
    >>> learner.learn({"free": 1, "money": 2}, -1), learner.weights
    (True, {'free': -0.1, 'money': -0.2})
    """

    name: ClassVar[str] = "pa2"
    summary: ClassVar[str] = "PA-II: as pa, and every step shortened: ‖x‖² + 1/(2C) in place of ‖x‖²"

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the squared losses, and so on the mistakes; and one on the value of the dual."""
        return (CrammerTwo(), DualTwo())
