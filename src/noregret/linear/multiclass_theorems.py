"""Theorems about the lead of the right class over the best wrong one.

All of them come from the binary ones by Kesler's construction: with φ(x, c) the example x in the place of
class c, an update of the right class y against a rival r is the binary update of φ(x, y) − φ(x, r) with
label +1, whose square norm is 2‖x‖². A class that nobody announced can be missed once before it is known.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude, float_above, root_above
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.margin_bounds import best_gamma, linear_bound, quantities, square_bound
from noregret.rounds import Floats

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


__all__ = ["CrammerSinger", "CrammerSingerAny"]
