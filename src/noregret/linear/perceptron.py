"""The Perceptron and its two theorems.

Rosenblatt 1958; the mistake bound is Novikoff's (1962); for data that nothing separates, Freund
and Schapire (1999).
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import plain_run, prompt_run
from noregret.linear.learner import BIAS, SCALE, LinearLearner
from noregret.linear.margin_bounds import (
    best_gamma,
    deficit,
    linear_bound,
    news,
    quantities,
    reach,
    square_bound,
)
from noregret.linear.margin_theorems import Updates
from noregret.parameters import Parameter, flag, not_negative, positive
from noregret.rounding import float_above, root_above
from noregret.rounds import Floats


class Perceptron(LinearLearner):
    """On a mistake, and when y⟨w, x⟩ < margin, w ← w + η·y·x. Predicts +1 when ⟨w, x⟩ ≥ 0.

    If some u has y⟨u, x⟩ ≥ γ > 0 in every round and ‖x‖ ≤ R, it errs at most (R‖u‖/γ)² times
    (Novikoff 1962), whatever the order of the rounds. With a bias, x has one more feature, which
    is always 1. With a margin it is the updates that are few (`Updates`).

    >>> learner = Perceptron()
    >>> learner.learn({"free": 1, "money": 2}, -1)
    True
    >>> learner.predict({"money": 1}), learner.weights
    (-1.0, {'free': -1.0, 'money': -2.0})
    """

    name: ClassVar[str] = "perceptron"
    summary: ClassVar[str] = "additive: on a mistake, w ← w + η·y·x"
    loss_name: str = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "rate", 1.0, "η: the size of a step; without a margin it changes only the scale of the weights"
        ),
        BIAS,
        Parameter("margin", 0.0, "a round that is right with y⟨w, x⟩ below this teaches as well"),
        SCALE,
    )

    def __init__(
        self, rate: float = 1.0, bias: bool = False, margin: float = 0.0, scale: str = "none"
    ) -> None:
        """Start with every weight at 0."""
        self.rate = positive("rate", rate)
        self.bias = flag("bias", bias)
        self.margin = not_negative("margin", margin)
        super().__init__(rate=self.rate, bias=self.bias, scale=scale, margin=self.margin)

    def theorems(self) -> tuple[Theorem, ...]:
        """Novikoff for separable data, Freund–Schapire for any; with a margin, a bound on the updates."""
        if self.margin > 0.0:
            return (Updates(),)
        return (Novikoff(), FreundSchapire())

    def late_theorems(self) -> tuple[Theorem, ...]:
        """Novikoff's argument with the cross terms of the mistakes that were overtaken."""
        return (LateLabels(),) if self.margin == 0.0 else ()


class Novikoff:
    """Separable data: M ≤ (R‖u‖/γ)²."""

    name = "Novikoff"
    statement = "if y⟨u,x⟩ ≥ γ > 0 and ‖x‖ ≤ R in every round, then M ≤ (R‖u‖/γ)²"
    source = "Novikoff 1962, On convergence proofs on perceptrons"
    about = "mistakes"
    comparator = "separator"

    def margin(self, quantities: dict[str, float]) -> float:
        """The margin of the witness at length 1."""
        return quantities["gamma"] / quantities["norm_u"]

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness."""
        margins = arithmetic.margins_of(replay, witness)
        gamma = Fraction(float(margins.min())) if len(margins) else Fraction(1)
        radius = Fraction(float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)))
        length = arithmetic.square_norm(witness.ravel())
        hypotheses = [*prompt_run(replay), _separates(margins)]
        bound = reach(replay, radius) * length / gamma**2 + replay.unannounced if gamma > 0 else None
        told = quantities(radius, length, gamma) | {"wrong": float(np.sum(margins <= 0))} | news(replay)
        return conclude(self, replay.mistakes, bound, hypotheses, told)


class LateLabels:
    """Separable data, labels at most D rounds late: M ≤ (1 + 2D)(R‖u‖/γ)².

    When a mistake is learned at last, the weights have moved by the mistakes that were waiting when it
    was made; each of them adds at most 2R² to ‖w‖². So (Mγ)² ≤ ‖u‖²R²(M + 2P), P the number of
    such pairs, and P ≤ M·D. The sharper form is checked too, and breaks the certificate if it fails.
    """

    name = "Late labels"
    statement = (
        "if y⟨u,x⟩ ≥ γ > 0 and ‖x‖ ≤ R in every round and labels come in order, at most D rounds late: "
        "M ≤ (1 + 2D)(R‖u‖/γ)²"
    )
    source = "Novikoff's argument with late updates; compare Joulani, György & Szepesvári 2013"
    about = "mistakes"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness."""
        margins = arithmetic.margins(replay.rows, replay.labels, witness)
        gamma = Fraction(float(margins.min())) if len(margins) else Fraction(1)
        radius = Fraction(float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)))
        length = arithmetic.square_norm(witness)
        hypotheses = [*plain_run(replay), _separates(margins)]
        shown = quantities(radius, length, gamma) | {
            "D": float(replay.ledger.lag),
            "P": float(replay.ledger.overtaken),
            "wrong": float(np.sum(margins <= 0)),
        }
        if gamma <= 0:
            return conclude(self, replay.mistakes, None, hypotheses, shown)
        novikoff = radius * length / gamma**2
        bound = (1 + 2 * replay.ledger.lag) * novikoff
        sharp = novikoff * (replay.mistakes + 2 * replay.ledger.overtaken)
        told = bound if Fraction(replay.mistakes) ** 2 <= sharp else min(bound, root_above(sharp))
        return conclude(self, replay.mistakes, told, hypotheses, shown)


def _separates(margins: Floats) -> Hypothesis:
    wrong = int(np.sum(margins <= 0))
    why = f"the best u tried is wrong in {wrong:,} of {len(margins):,} rounds"
    return Hypothesis("some u separates the rounds", wrong == 0, why)


class FreundSchapire:
    """Any data: M ≤ ((R‖u‖ + D)/γ)², D² = Σ max(0, γ − y⟨u,x⟩)².

    The proof needs R and D over the mistakes only, and shows more: M·γ ≤ ‖u‖√Σ‖x‖² + Σd there.
    A run that breaks this is caught; but as a bound it says little, because for large γ it
    approaches M itself. So D is taken over all rounds, where it is the price of u alone.
    """

    name = "Freund–Schapire"
    statement = "for any u and γ > 0, with D² = Σ max(0, γ − y⟨u,x⟩)² and ‖x‖ ≤ R: M ≤ ((R‖u‖ + D)/γ)²"
    source = "Freund & Schapire 1999, Large margin classification using the perceptron algorithm, Thm 2"
    about = "mistakes"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness and the best γ for it."""
        some = bool(np.any(witness != 0)) or replay.mistakes <= replay.unannounced
        hypotheses = [
            *prompt_run(replay),
            Hypothesis("some u is not zero", some, "there was nothing to learn from"),
        ]
        if not all(h.met for h in hypotheses):
            return conclude(self, replay.mistakes, None, hypotheses)
        margins = arithmetic.margins_of(replay, witness)
        norms = arithmetic.square_norms(replay.rows[replay.mistaken])
        radius = Fraction(float(np.max(norms, initial=0.0)))
        length = arithmetic.square_norm(witness.ravel())
        far = reach(replay, radius) * length
        gamma = best_gamma(margins, float_above(root_above(far)))
        bound = square_bound(margins, far, gamma) + replay.unannounced
        walked = reach(replay, arithmetic.sum_above(norms)) * length
        strong = linear_bound(margins[replay.mistaken], walked, gamma) + replay.unannounced
        told = bound if replay.mistakes <= strong else min(bound, strong)
        shown = quantities(radius, length, Fraction(gamma)) | {"D": float_above(deficit(margins, gamma))}
        return conclude(self, replay.mistakes, told, hypotheses, shown | news(replay))
