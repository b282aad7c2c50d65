"""ALMA₂: a Perceptron that looks for the largest margin.

Gentile 2001, A new approximate maximal margin classification algorithm.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Theorem, conclude
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.margin_bounds import shortfalls
from noregret.linear.margin_theorems import best_gamma, some_direction
from noregret.parameters import Parameter, flag, not_negative, positive, within
from noregret.rounding import ROUNDING, outward
from noregret.rounds import Floats


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


class GentileZinkevich:
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
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness made a unit, and the best γ for it."""
        observed = replay.ledger.updates
        hypotheses = [*prompt_run(replay), some_direction(replay, witness)]
        if not all(h.met for h in hypotheses) or observed == 0:
            return conclude(self, observed, None if observed else 0.0, hypotheses)
        margins, radius = _unit_margins(replay, witness)
        alpha, step = float(replay.parameters["alpha"]), float(replay.parameters["C"])
        given = replay.parameters["B"]
        start = math.sqrt(8.0) / alpha if given is None else float(given)
        ahead = outward(2.0 * (1.0 - alpha) * start + 2.0 / step + step * radius)

        def bound(gamma: float) -> float:
            short = outward(float(np.sum(shortfalls(margins, gamma))))
            try:
                return outward(((ahead + math.sqrt(ahead**2 + 4.0 * gamma * short)) / (2.0 * gamma)) ** 2)
            except OverflowError:
                return math.inf

        gamma, value = best_gamma(margins, bound)
        return conclude(
            self, observed, value, hypotheses, {"R": math.sqrt(radius), "gamma": gamma, "A": ahead}
        )


def _unit_margins(replay: Replay, witness: Floats) -> tuple[Floats, float]:
    """y⟨u,x⟩ for the unit u and the rows as they are learned, from below; and the largest ‖x‖²."""
    squares = arithmetic.square_norms(replay.rows)
    margins = arithmetic.margins(replay.rows, replay.labels, witness)
    margins = margins / math.sqrt(max(float(witness @ witness), 5e-324))
    if replay.parameters["normalize"]:
        margins = margins / np.sqrt(np.maximum(squares, 5e-324))
    radius = 1.0 if replay.parameters["normalize"] else float(np.max(squares, initial=0.0))
    return margins - ROUNDING * np.abs(margins), radius
