"""Theorems about the lead of the right class over the best wrong one.

All of them come from the binary ones by Kesler's construction: with φ(x, c) the example x in the place of
class c, an update of the right class y against a rival r is the binary update of φ(x, y) − φ(x, r) with
label +1, whose square norm is 2‖x‖². A class that nobody announced can be missed once before it is known.
"""

from __future__ import annotations

import math

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude, shown
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.gradient_theorems import least
from noregret.linear.losses import losses, paces
from noregret.linear.margin_bounds import news
from noregret.linear.passive_aggressive_theorems import CrammerOne, CrammerPA, CrammerTwo
from noregret.linear.perceptron import FreundSchapire, Novikoff
from noregret.rounding import above, outward
from noregret.rounds import Floats

_AGGRESSIVE = "Crammer et al. 2006, Online passive-aggressive algorithms"
_SOURCE = "Crammer & Singer 2003, Ultraconservative online algorithms for multiclass problems"


class CrammerSinger(Novikoff):
    """Separable data: M ≤ 2(R‖U‖/γ)², and one for each class that was not announced."""

    name = "Crammer–Singer"
    statement = (
        "if the right class leads every other by γ > 0 under U and ‖x‖ ≤ R in every round, "
        "then M ≤ 2(R‖U‖/γ)² + K, K classes not announced"
    )
    source = _SOURCE
    comparator = "class-separator"


class CrammerSingerAny(FreundSchapire):
    """Any data: M ≤ ((√2·R‖U‖ + D)/γ)² + K, D² = Σ max(0, γ − lead)²."""

    name = "Crammer–Singer (any data)"
    statement = (
        "for any U and γ > 0, with D² = Σ max(0, γ − lead)², the lead of the right class, and ‖x‖ ≤ R: "
        "M ≤ ((√2·R‖U‖ + D)/γ)² + K, K classes not announced"
    )
    source = _SOURCE
    comparator = "class-separator"


class ClassPA(CrammerPA):
    """M ≤ Σℓ² + K ≤ 2R²(‖U‖ + √2·√Σ(ℓ*/‖x‖)²)² + K."""

    name = "Crammer et al. (multiclass PA)"
    statement = (
        "for any U, with ℓ* = max(0, 1 − lead) of the right class and 0 < ‖x‖ ≤ R: "
        "M ≤ 2R²·(‖U‖ + √2·√Σ(ℓ*/‖x‖)²)² + K, K classes not announced"
    )
    source = f"{_AGGRESSIVE}, Thms 2 and 4 on differences of classes"
    about = "mistakes"
    comparator = "class-separator"


class ClassPAOne(CrammerOne):
    """M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ*) + K."""

    name = "Crammer et al. (multiclass PA-I)"
    statement = (
        "for any U, with ℓ* = max(0, 1 − lead) of the right class and ‖x‖ ≤ R: "
        "M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ*) + K, K classes not announced"
    )
    source = f"{_AGGRESSIVE}, Thm 5 on differences of classes"
    comparator = "class-separator"


class ClassPATwo(CrammerTwo):
    """M ≤ Σℓ² + K ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ*²) + K."""

    name = "Crammer et al. (multiclass PA-II)"
    statement = (
        "for any U, with ℓ* = max(0, 1 − lead) of the right class and ‖x‖ ≤ R: "
        "M ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ*²) + K, K classes not announced"
    )
    source = f"{_AGGRESSIVE}, Thm 6 on differences of classes"
    about = "mistakes"
    comparator = "class-separator"


class ClassWinnow:
    """Separable data: M ≤ ln 2NC/(ηρ − η²r²/2) + K, for N features and C classes.

    The sum of eᵍ + e⁻ᵍ over all features and classes begins with 2NC. A mistake multiplies it by exp(η²r²/2)
    at most, for the right class did not lead (Hoeffding); and it is at least exp(ηρM).
    """

    name = "Kivinen–Warmuth (classes)"
    statement = (
        "if the right class leads every other by ρ‖V‖₁ under V and |xᵢ| ≤ r in every round and η < 2ρ/r², "
        "then M ≤ ln 2NC/(ηρ − η²r²/2) + K, C classes, K of them not announced, "
        "if so few mistakes leave every exponent below 300"
    )
    source = (
        "Kivinen & Warmuth 1997, Exponentiated gradient versus gradient descent, on differences of classes; "
        "Littlestone 1989"
    )
    about = "mistakes"
    comparator = "class-separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with V = witness."""
        rate, classes = float(replay.parameters["rate"]), max(len(replay.classes), 1)
        length = above(float(np.sum(np.abs(witness))) * (1 + witness.size * arithmetic.EPSILON))
        leads = arithmetic.class_margins(replay.rows, replay.labels, witness)
        least_lead = float(np.min(leads, initial=math.inf if len(leads) else 0.0))
        rho = least_lead / length * (1 - 1e-14) if length > 0 else 0.0
        radius = float(np.max(np.abs(replay.rows.data), initial=0.0))
        count = 2 * replay.rows.shape[1] * classes
        gain = rate * rho - rate * rate * radius * radius / 2
        most = above(math.log(count) / (gain * (1 - 1e-13))) if gain > 0 and rho > 0 else None
        farthest = math.inf if most is None else rate * radius * most
        wrong = int(np.sum(leads <= 0))
        hypotheses = [
            *prompt_run(replay),
            Hypothesis(
                "under some V the right class leads in every round",
                rho > 0,
                f"under the best V tried it does not in {wrong:,} of {len(leads):,} rounds",
            ),
            Hypothesis("the rate is below 2ρ/r²", gain > 0, f"η = {shown(rate)}"),
            Hypothesis("so few mistakes leave every exponent below 300", farthest < 300.0, "they do not"),
        ]
        quantities = {"rho": rho, "r": radius, "N": float(count), "wrong": float(wrong)} | news(replay)
        bound = None if most is None else most + replay.unannounced
        return conclude(self, replay.mistakes, bound, hypotheses, quantities)


class ClassZinkevich:
    """Σℓ(W) ≤ Σℓ(U) + ‖U‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + Σ η_t‖x_t‖², for every U.

    The lead of the right class is a least of linear functions of W, so that a convex loss that falls with it
    is convex in W; its slope is at most 1 in the lead, and so √2·‖x‖ long. From round to round ‖W − U‖²
    grows by no more than 2η·ℓ(U) + 2η²‖x‖²: that is where D comes from. Only a round that changes W adds
    η‖x‖², so the largest of them are counted, as many as there were updates.
    """

    name = "Zinkevich (multiclass)"
    statement = (
        "for any U, with ℓ the perceptron, hinge or logistic loss of the lead of the right class and D² = "
        "‖U‖² + Σ(2η_t·ℓ_t(U) + 2η_t²‖x_t‖²): Σℓ_t(W_t) ≤ Σℓ_t(U) + ‖U‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + "
        "Σ η_t‖x_t‖², the sums of ‖x‖² over as many rounds as changed W, the largest"
    )
    source = "Zinkevich 2003, Online convex programming and generalized infinitesimal gradient ascent, Thm 1"
    about = "loss"
    comparator = "class-separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with U = witness in its best length."""
        observed, hypotheses = replay.ledger.loss, prompt_run(replay)
        rounds = len(replay.labels) - _alone(replay)
        if not all(h.met for h in hypotheses) or rounds == 0:
            return conclude(self, observed, 0.0, hypotheses)
        parameters = replay.parameters
        told = paces(str(parameters["step"]), float(parameters["rate"]), rounds)
        pace = np.concatenate([np.full(len(replay.labels) - rounds, told[0]), told])
        squares, later = arithmetic.square_norms(replay.rows), 1.0 / told[-1] - 1.0 / told[0]
        noise = _largest(pace * squares, replay.ledger.updates)
        spread = _largest(2.0 * pace * pace * squares, replay.ledger.updates)

        def bound(u: Floats) -> float:
            leads = arithmetic.class_margins(replay.rows, replay.labels, u)
            lost, length = losses(str(parameters["loss"]), leads), outward(float(np.sum(u * u)))
            apart = length + outward(2.0 * math.fsum(pace * lost)) + spread
            return outward(
                outward(math.fsum(lost)) + length / (2.0 * told[0]) + 0.5 * outward(apart) * later + noise
            )

        value, u = least(bound, witness)
        return conclude(self, observed, value, hypotheses, {"norm_u": outward(float(np.linalg.norm(u)))})


def _alone(replay: Replay) -> int:
    """How many rounds at the beginning knew of one class only: they have no loss and teach nothing."""
    before = len(replay.classes) - replay.unannounced
    known = {replay.classes.index(one) for one in replay.ledger.start.classes} if before else set()
    for r, label in enumerate(replay.labels.tolist()):
        known.add(int(label))
        if len(known) > 1:
            return r
    return len(replay.labels)


def _largest(numbers: Floats, count: int) -> float:
    """The sum of so many numbers, the largest, from above."""
    return outward(math.fsum(np.sort(numbers)[::-1][:count]))
