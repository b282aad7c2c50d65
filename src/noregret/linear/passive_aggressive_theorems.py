"""What is proved about Passive-Aggressive: for any u, with ℓ* its hinge losses.

All of it comes from one inequality, Σ τ(2ℓ − τ‖x‖² − 2ℓ*) ≤ ‖u‖² (Lemma 1 of the paper). With several classes
it is the same over differences (Kesler's construction): the margin is the lead of the right class, and a
row x counts as one of length √2·‖x‖.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.gradient_theorems import scaled
from noregret.linear.margin_bounds import news, reach
from noregret.rounding import at_least, float_above, root_above
from noregret.rounds import Floats

_SOURCE = "Crammer et al. 2006, Online passive-aggressive algorithms"


def _losses(replay: Replay, u: Floats) -> Floats:
    """The hinge losses of u, from above."""
    short = 1.0 - arithmetic.margins_of(replay, u)
    return np.maximum(0.0, short) * (1.0 + 2.0 * arithmetic.EPSILON)


def _squared_losses(replay: Replay) -> float:
    """Σℓ² of the learner, less what it can have rounded up; of classes the mistakes, which are no more."""
    if replay.classes:
        return replay.mistakes
    short = np.maximum(0.0, 1.0 - replay.labels * replay.scores)
    return at_least(float(np.sum(short * short)))


def _lengths(replay: Replay, witness: Floats) -> list[Floats]:
    """The witness u in a few lengths, the one that just reaches a margin of 1 among them."""
    margins = arithmetic.margins_of(replay, witness)
    least = float(np.min(margins, initial=np.inf))
    exact = [witness / least] if 0.0 < least < np.inf else []
    return [*exact, *scaled(witness)]


def in_best_length(
    theorem: Theorem,
    replay: Replay,
    witness: Floats,
    observed: float,
    bound: Callable[[Floats, Fraction, Fraction], Fraction],
    more: list[Hypothesis],
) -> Certificate:
    """Conclude with u in its best length; `bound` is of the hinge losses of u, ‖u‖² and R²."""
    hypotheses = [*prompt_run(replay), *more]
    if not all(h.met for h in hypotheses):
        return conclude(theorem, observed, None, hypotheses)
    radius = Fraction(float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)))
    found = [
        (bound(_losses(replay, u), arithmetic.square_norm(u.ravel()), reach(replay, radius)), u)
        for u in _lengths(replay, witness)
    ]
    value, u = min(found, key=lambda pair: pair[0])
    quantities = {
        "R": float_above(root_above(radius)),
        "norm_u": float_above(root_above(arithmetic.square_norm(u.ravel()))),
        "loss_u": float(np.sum(_losses(replay, u))),
    }
    return conclude(theorem, observed, value + replay.unannounced, hypotheses, quantities | news(replay))


class CrammerPA:
    """PA: Σℓ² ≤ R²(‖u‖ + 2√Σ(ℓ*/‖x‖)²)²."""

    name = "Crammer (PA)"
    statement = "for any u, with ℓ* its hinge losses and 0 < ‖x‖ ≤ R: M ≤ Σℓ² ≤ R²·(‖u‖ + 2√Σ(ℓ*/‖x‖)²)²"
    source = f"{_SOURCE}, Thms 2 and 4 (for rows of any length)"
    about = "squared hinge losses"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        squares = np.asarray(replay.rows.multiply(replay.rows).sum(axis=1), dtype=np.float64).ravel()
        squares *= (2.0 if replay.classes else 1.0) * (1.0 - 1e-12)
        empty = int(np.sum(squares == 0))

        def bound(losses: Floats, length: Fraction, radius: Fraction) -> Fraction:
            if not losses.any():
                return radius * length  # exact: no root is taken
            price = arithmetic.sum_above(losses * losses / squares * (1.0 + 1e-12))
            return radius * (root_above(length) + 2 * root_above(price)) ** 2

        full = Hypothesis("no row is all 0", empty == 0, f"{empty:,} are")
        return in_best_length(self, replay, witness, _squared_losses(replay), bound, [full])


class CrammerOne:
    """PA-I: M ≤ max(R², 1/C)·(‖u‖² + 2C·Σℓ*)."""

    name = "Crammer (PA-I)"
    statement = "for any u, with ℓ* its hinge losses and ‖x‖ ≤ R: M ≤ max(R², 1/C)·(‖u‖² + 2C·Σℓ*)"
    source = f"{_SOURCE}, Thm 5"
    about = "mistakes"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        limit = Fraction(float(replay.parameters["C"]))

        def bound(losses: Floats, length: Fraction, radius: Fraction) -> Fraction:
            return max(radius, 1 / limit) * (length + 2 * limit * arithmetic.sum_above(losses))

        return in_best_length(self, replay, witness, replay.mistakes, bound, [])


class CrammerTwo:
    """PA-II: Σℓ² ≤ (R² + 1/(2C))·(‖u‖² + 2C·Σℓ*²)."""

    name = "Crammer (PA-II)"
    statement = "for any u, with ℓ* its hinge losses and ‖x‖ ≤ R: M ≤ Σℓ² ≤ (R² + 1/(2C))·(‖u‖² + 2C·Σℓ*²)"
    source = f"{_SOURCE}, Thm 6"
    about = "squared hinge losses"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        limit = Fraction(float(replay.parameters["C"]))

        def bound(losses: Floats, length: Fraction, radius: Fraction) -> Fraction:
            price = arithmetic.sum_above(losses * losses * (1.0 + arithmetic.EPSILON))
            return (radius + 1 / (2 * limit)) * (length + 2 * limit * price)

        return in_best_length(self, replay, witness, _squared_losses(replay), bound, [])
