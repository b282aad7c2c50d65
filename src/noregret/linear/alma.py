"""ALMA₂: a Perceptron that looks for the largest margin.

Gentile 2001, A new approximate maximal margin classification algorithm.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Theorem, conclude
from noregret.judged import Judged, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.perceptron_theorems import some_direction
from noregret.parameters import Parameter, flag, not_negative, positive, within
from noregret.rounding import ROUNDING, float_above, outward


class ALMA(LinearLearner):
    """When y⟨w, x⟩ ≤ (1 − α)·B/√k, the k-th correction: w ← w + C/√k·y·x, and back to the unit ball.

    Rows are divided by their length first, unless `normalize` is false. The importance of a round
    multiplies its step. If y⟨u, x⟩ ≥ γ for a unit u, it corrects itself at most
    ((2(1−α)B + 2/C + C·R²)/γ)² times.

    >>> learner = ALMA(C=1.0)
    >>> learner.learn({"a": 3, "b": 4}, -1), learner.weights
    (True, {'a': -0.6000000000000001, 'b': -0.8})
    """

    name: ClassVar[str] = "alma"
    summary: ClassVar[str] = "large margin: corrects while y⟨w, x⟩ ≤ (1 − α)·B/√k, inside the unit ball"
    loss_name: str = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("alpha", 0.9, "α in (0, 1]: it looks for 1 − α times the largest margin"),
        Parameter(
            "B",
            None,
            "the margin it begins with, over 1 − α; left out, √8/α as in the paper (others take 1/α)",
        ),
        Parameter("C", math.sqrt(2.0), "the size of the first step"),
        Parameter("normalize", True, "whether rows are divided by their length"),
        BIAS,
        SCALE,
    )

    def __init__(
        self,
        alpha: float = 0.9,
        B: float | None = None,
        C: float = math.sqrt(2.0),
        normalize: bool = True,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Start with every weight at 0."""
        self.alpha = within("alpha", alpha, 0.0, math.nextafter(1.0, 2.0))
        self.B = None if B is None else not_negative("B", B)
        self.C = positive("C", C)
        self.normalize = flag("normalize", normalize)
        self.bias = flag("bias", bias)
        super().__init__(
            alpha=self.alpha,
            B=self.start,
            C=self.C,
            normalize=float(self.normalize),
            bias=self.bias,
            scale=scale,
        )

    @property
    def start(self) -> float:
        """B, given or not."""
        return math.sqrt(8.0) / self.alpha if self.B is None else self.B

    def theorems(self) -> tuple[Theorem, ...]:
        """A bound on the corrections."""
        return (GentileZinkevich(),)


class GentileZinkevich(RunTheorem):
    """Any data: corrections m with mγ ≤ (2(1−α)B + 2/C + C·R²)·√m + Σd, d = max(0, γ − y⟨u,x⟩), ‖u‖ = 1.

    The corrections are gradient descent in the unit ball with steps C/√k, so by Zinkevich's theorem
    Σ y⟨u,x⟩ ≤ Σ y⟨w,x⟩ + (2/C + C·R²)√m over them, and there y⟨w,x⟩ ≤ (1−α)B/√k. For B = √8/α, C = √2
    and separable data Gentile's own analysis gives a quarter of this.
    """

    name = "Gentile–Zinkevich"
    statement = (
        "for any unit u and γ > 0, with D = Σ max(0, γ − y⟨u,x⟩), ‖x‖ ≤ R and A = 2(1−α)B + 2/C + C·R²: "
        "corrections ≤ ((A + √(A² + 4γD))/(2γ))²"
    )
    source = "Gentile 2001, A new approximate maximal margin classification algorithm; Zinkevich 2003, Thm 1"
    about = "corrections"
    views: ClassVar[tuple[str, ...]] = ("all", "unit rows")

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness made a unit, and the best γ for it."""
        observed = run.ledger.updates
        hypotheses = [*prompt_run(run), some_direction(run, witness, observed)]
        if not all(h.met for h in hypotheses) or observed == 0:
            return conclude(self, observed, None if observed else 0.0, hypotheses)
        normalized = bool(run.parameters["normalize"])
        length = math.sqrt(max(float_above(witness.square), 5e-324)) * (1.0 + ROUNDING)
        square = 1.0 if normalized else run.norms().largest
        alpha, step = float(run.parameters["alpha"]), float(run.parameters["C"])
        given = run.parameters["B"]
        start = math.sqrt(8.0) / alpha if given is None else float(given)
        ahead = outward(2.0 * (1.0 - alpha) * start + 2.0 / step + step * square)
        short = witness.margins("unit rows" if normalized else "all").shortfalls
        gammas = short.gammas / length
        lack = short.linear / length + ROUNDING * np.abs(gammas) * run.rounds * (short.linear > 0.0)
        with np.errstate(over="ignore"):
            values = ((ahead + np.sqrt(np.square(ahead) + 4.0 * gammas * lack)) / (2.0 * gammas)) ** 2
        place = int(np.argmin(values))
        value = outward(float(values[place]))
        shown = {"R": math.sqrt(square), "gamma": float(gammas[place]), "A": ahead}
        return conclude(self, observed, value, hypotheses, shown)
