"""Relative loss bounds: what a learner of numbers loses, against what any u loses.

The runs are floating point, so a bound is raised by one part in 10⁹ before it is compared.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.rounding import float_above, root_above
from noregret.rounds import Floats

_RAISED = Fraction(1_000_000_001, 1_000_000_000)


class CesaBianchiLongWarmuth:
    """Σ(ŷ − y)² ≤ (‖u‖²/η + L(u)/a)/(2 − a − ηX²), for every u and every a.

    With e the error of the learner and d that of u, a step brings w nearer to u by
    2ηe(e − d) − η²e²‖x‖², and 2ed ≤ ae² + d²/a.
    """

    name = "Cesa-Bianchi–Long–Warmuth"
    statement = (
        "if ‖x‖ ≤ X and c = 2 − ηX² > 0, then for every u and 0 < a < c: "
        "Σ(ŷ − y)² ≤ (‖u‖²/η + Σ(⟨u,x⟩ − y)²/a)/(c − a)"
    )
    source = (
        "Cesa-Bianchi, Long & Warmuth 1996, Worst-case quadratic loss bounds for prediction (there a = 1)"
    )
    about = "squared loss"
    comparator = "least-squares"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness and the best a for it."""
        rate = Fraction(replay.parameters["rate"])
        radius = _radius(replay)
        room = 2 - rate * radius
        told = (
            f"η·X² is {float(rate * radius):.4g}; a rate below {2 / max(float(radius), 1e-300):.3g} would do"
        )
        hypotheses = [*prompt_run(replay), Hypothesis("η‖x‖² < 2 in every round", room > 0, told)]
        observed = float(np.sum((replay.scores - replay.labels) ** 2))
        if room <= 0:
            return conclude(self, observed, None, hypotheses)
        length = arithmetic.square_norm(witness)
        lost = arithmetic.sum_above(errors_above(replay, witness) ** 2 * (1.0 + arithmetic.EPSILON))
        share = _best_share(length / rate, lost, room)
        bound = (length / rate + (lost / share if lost else 0)) / (room - share) * _RAISED
        shown = {"X": _root(radius), "norm_u": _root(length), "loss_u": float(lost), "a": float(share)}
        return conclude(self, observed, bound, hypotheses, shown)


def _best_share(length: Fraction, lost: Fraction, room: Fraction) -> Fraction:
    """The a for which (length + lost/a)/(room − a) is about least."""
    if lost == 0:
        return Fraction(0)
    p, q, c = float(length), float(lost), float(room)
    best = 0.5 * c if p == 0.0 else c * q / (q + math.sqrt(q * q + p * q * c))
    return Fraction(min(max(best, 1e-9 * c), (1.0 - 1e-9) * c))


class PassiveAggressive:
    """What passive-aggressive regression loses, against any u; a bound for each of its two forms.

    Both rest on the lemma Σ τ(2ℓ − τ‖x‖² − 2ℓ(u)) ≤ ‖u‖². In form 1, τ ≤ C and τ‖x‖² ≤ ℓ.
    """

    name = "Crammer et al. (regression)"
    statement = (
        "for every u, ℓ the ε-insensitive loss: form 1: Σ min(Cℓ, ℓ²/‖x‖²) ≤ ‖u‖² + 2C·Σℓ(u); "
        "form 2, ‖x‖ ≤ R: Σℓ² ≤ (R² + 1/(2C))(‖u‖² + 2C·Σℓ(u)²)"
    )
    source = "Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, Online passive-aggressive algorithms"
    about = "loss beyond ε"
    comparator = "least-squares"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness."""
        epsilon, limit = float(replay.parameters["epsilon"]), Fraction(replay.parameters["C"])
        losses = np.maximum(0.0, np.abs(replay.scores - replay.labels) - epsilon)
        beyond = np.maximum(0.0, errors_above(replay, witness) - epsilon) * (1.0 + arithmetic.EPSILON)
        length = arithmetic.square_norm(witness)
        if replay.parameters["form"] == 1.0:
            squares = arithmetic.square_norms(replay.rows)
            met = squares > 0.0
            observed = np.minimum(float(limit) * losses[met], losses[met] ** 2 / squares[met]).sum()
            lost, factor = arithmetic.sum_above(beyond), Fraction(1)
        else:
            observed = np.sum(losses**2)
            lost = arithmetic.sum_above(beyond * beyond * (1.0 + arithmetic.EPSILON))
            factor = _radius(replay) + 1 / (2 * limit)
        bound = factor * (length + 2 * limit * lost) * _RAISED
        shown = {"R": _root(_radius(replay)), "norm_u": _root(length), "loss_u": float(lost)}
        return conclude(self, float(observed), bound, prompt_run(replay), shown)


class Zinkevich:
    """Σℓ ≤ Σℓ(u) + ‖u‖²/(2η) + (η/2)·Σg²‖x‖², for every u."""

    name = "Zinkevich (quantile)"
    statement = "for every u, g the slope of the loss: Σℓ ≤ Σℓ(u) + ‖u‖²/(2η) + (η/2)·Σg²‖x‖²"
    source = "Zinkevich 2003, Online convex programming and generalized infinitesimal gradient ascent"
    about = "quantile loss"
    comparator = "least-squares"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness."""
        quantile, rate = float(replay.parameters["quantile"]), Fraction(replay.parameters["rate"])
        short = replay.labels - replay.scores
        slopes = np.where(short > 0, quantile, np.where(short < 0, 1.0 - quantile, 0.0))
        low, high = arithmetic.products(replay.rows, witness)
        worst = np.maximum(_pinball(replay.labels - low, quantile), _pinball(replay.labels - high, quantile))
        lost = arithmetic.sum_above(worst * (1.0 + 4 * arithmetic.EPSILON))
        steps = arithmetic.sum_above(slopes**2 * arithmetic.square_norms(replay.rows) * (1.0 + 1e-12))
        length = arithmetic.square_norm(witness)
        bound = (lost + length / (2 * rate) + rate / 2 * steps) * _RAISED
        shown = {"norm_u": _root(length), "loss_u": float(lost)}
        observed = float(np.sum(_pinball(short, quantile)))
        return conclude(self, observed, bound, prompt_run(replay), shown)


def _pinball(short: Floats, quantile: float) -> Floats:
    return np.maximum(quantile * short, (quantile - 1.0) * short)


def errors_above(replay: Replay, witness: Floats) -> Floats:
    """Bound |⟨u, x⟩ − y| from above, for every row."""
    low, high = arithmetic.products(replay.rows, witness)
    worst = np.maximum(np.abs(low - replay.labels), np.abs(high - replay.labels))
    return worst * (1.0 + arithmetic.EPSILON)


def _radius(replay: Replay) -> Fraction:
    return Fraction(float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)))


def _root(number: Fraction) -> float:
    return float_above(root_above(number))
