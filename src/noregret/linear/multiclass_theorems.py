"""Theorems about the lead of the right class over the best wrong one.

All of them come from the binary ones by Kesler's construction: with φ(x, c) the example x in the place of
class c, an update of the right class y against a rival r is the binary update of φ(x, y) − φ(x, r) with
label +1, whose square norm is 2‖x‖². A class that nobody announced can be missed once before it is known.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude, float_above, root_above
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.margin_bounds import best_gamma, linear_bound, quantities, square_bound
from noregret.rounds import Floats

_AGGRESSIVE = "Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, Online passive-aggressive algorithms"
_SOURCE = "Crammer & Singer 2003, Ultraconservative online algorithms for multiclass problems"


class CrammerSinger:
    """Separable data: M ≤ 2(R‖U‖/γ)², and one for each class that was not announced."""

    name = "Crammer–Singer"
    statement = (
        "if the right class leads every other by γ > 0 under U and ‖x‖ ≤ R in every round, "
        "then M ≤ 2(R‖U‖/γ)² + K, K classes not announced"
    )
    source = _SOURCE
    about = "mistakes"
    comparator = "class-separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with U = witness."""
        margins = arithmetic.class_margins(replay.rows, replay.labels, witness)
        gamma = Fraction(float(margins.min())) if len(margins) else Fraction(1)
        radius = Fraction(float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)))
        length = arithmetic.square_norm(witness.ravel())
        wrong = int(np.sum(margins <= 0))
        told = f"the best U tried is wrong in {wrong:,} of {len(margins):,} rounds"
        hypotheses = [*prompt_run(replay), Hypothesis("some U separates the classes", gamma > 0, told)]
        bound = 2 * radius * length / gamma**2 + replay.unannounced if gamma > 0 else None
        shown = quantities(radius, length, gamma) | {"wrong": float(wrong), "K": float(replay.unannounced)}
        return conclude(self, replay.mistakes, bound, hypotheses, shown)


class CrammerSingerAny:
    """Any data: M ≤ ((√2·R‖U‖ + D)/γ)² + K, D² = Σ max(0, γ − lead)²."""

    name = "Crammer–Singer (any data)"
    statement = (
        "for any U and γ > 0, with D² = Σ max(0, γ − lead)², the lead of the right class, and ‖x‖ ≤ R: "
        "M ≤ ((√2·R‖U‖ + D)/γ)² + K, K classes not announced"
    )
    source = _SOURCE
    about = "mistakes"
    comparator = "class-separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with U = witness and the best γ for it."""
        some = bool(np.any(witness != 0)) or replay.mistakes <= replay.unannounced
        hypotheses = [
            *prompt_run(replay),
            Hypothesis("some U is not zero", some, "there was nothing to learn from"),
        ]
        if not all(h.met for h in hypotheses):
            return conclude(self, replay.mistakes, None, hypotheses)
        margins = arithmetic.class_margins(replay.rows, replay.labels, witness)
        norms = arithmetic.square_norms(replay.rows[replay.mistaken])
        radius = Fraction(float(np.max(norms, initial=0.0)))
        length = arithmetic.square_norm(witness.ravel())
        reach = 2 * radius * length
        gamma = best_gamma(margins, float_above(root_above(reach)))
        bound = square_bound(margins, reach, gamma) + replay.unannounced
        square_reach = 2 * length * arithmetic.sum_above(norms)
        strong = linear_bound(margins[replay.mistaken], square_reach, gamma) + replay.unannounced
        told = bound if replay.mistakes <= strong else min(bound, strong)
        shown = quantities(radius, length, Fraction(gamma)) | {"K": float(replay.unannounced)}
        return conclude(self, replay.mistakes, told, hypotheses, shown)


class ClassPA(CrammerSinger):
    """Separable data: M ≤ Σℓ² + K ≤ 2(R‖U‖/γ)² + K: Theorem 2 of the paper on differences of classes."""

    name = "Crammer et al. (multiclass PA)"
    source = _AGGRESSIVE


class ClassPAOne:
    """Any data: M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ(U)) + K."""

    name = "Crammer et al. (multiclass PA-I)"
    statement = (
        "for any U, ℓ(U) = max(0, 1 − lead) of the right class, ‖x‖ ≤ R: "
        "M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ(U)) + K, K classes not announced"
    )
    source = _AGGRESSIVE
    about = "mistakes"
    comparator = "class-separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with U = witness."""
        limit = Fraction(replay.parameters["C"])
        short, radius, length = _aggressive(replay, witness)
        lost = arithmetic.sum_above(short)
        bound = max(2 * radius, 1 / limit) * (length + 2 * limit * lost) + replay.unannounced
        return _told(self, replay, bound, radius, length, lost)


class ClassPATwo:
    """Any data: M ≤ Σℓ² + K ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ(U)²) + K."""

    name = "Crammer et al. (multiclass PA-II)"
    statement = (
        "for any U, ℓ(U) = max(0, 1 − lead) of the right class, ‖x‖ ≤ R: "
        "M ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ(U)²) + K, K classes not announced"
    )
    source = _AGGRESSIVE
    about = "mistakes"
    comparator = "class-separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with U = witness."""
        limit = Fraction(replay.parameters["C"])
        short, radius, length = _aggressive(replay, witness)
        lost = arithmetic.sum_above(short * short * (1.0 + arithmetic.EPSILON))
        bound = (2 * radius + 1 / (2 * limit)) * (length + 2 * limit * lost) + replay.unannounced
        return _told(self, replay, bound, radius, length, lost)


def _aggressive(replay: Replay, witness: Floats) -> tuple[Floats, Fraction, Fraction]:
    """What the lead under U falls short of 1 in each round, the largest ‖x‖², and ‖U‖²; all from above."""
    margins = arithmetic.class_margins(replay.rows, replay.labels, witness)
    short = np.maximum(0.0, 1.0 - margins) * (1.0 + 2.0 * arithmetic.EPSILON)
    radius = Fraction(float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)))
    return short, radius, arithmetic.square_norm(witness.ravel())


def _told(
    theorem: Theorem, replay: Replay, bound: Fraction, radius: Fraction, length: Fraction, lost: Fraction
) -> Certificate:
    shown = {"R": float_above(root_above(radius)), "norm_u": float_above(root_above(length))}
    shown |= {"loss_u": float(lost), "K": float(replay.unannounced)}
    return conclude(theorem, replay.mistakes, bound, prompt_run(replay), shown)


__all__ = ["ClassPA", "ClassPAOne", "ClassPATwo", "CrammerSinger", "CrammerSingerAny"]
