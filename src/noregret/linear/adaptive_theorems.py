"""What is proved about learners with a rate, or a bet, for every feature.

As for gradient descent the bounds are on the learner's own loss, hold for any u, and are computed
from the rounds and from what the learner said in them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import diags_array

from noregret import _core
from noregret.certificate import Certificate, Hypothesis, Theorem, conclude, shown
from noregret.ledger import Replay
from noregret.linear.assumptions import prompt_run
from noregret.linear.gradient_theorems import comparator_loss, least, length
from noregret.linear.losses import losses, slopes
from noregret.rounding import outward
from noregret.rounds import Floats

_DUCHI = "Duchi, Hazan & Singer 2011, Adaptive subgradient methods, Thm 5, feature by feature"


def _pulls(replay: Replay) -> Any:
    """−g of every round and feature, by column, in the order of the rounds."""
    slope = slopes(str(replay.parameters["loss"]), replay.scores, replay.labels)
    return (diags_array(replay.labels * slope) @ replay.rows).tocsc()


def _roots(pulls: Any) -> Floats:
    """√Σg² of every feature."""
    return np.sqrt(np.asarray(pulls.multiply(pulls).sum(axis=0), dtype=np.float64).ravel())


def _loss_bound(
    theorem: Theorem,
    replay: Replay,
    witness: Floats,
    price: Callable[[Floats], float],
    more: list[Hypothesis],
) -> Certificate:
    """Σℓ(w) ≤ Σℓ(u) + price(u), with u in its best length."""
    kind = str(replay.parameters["loss"])
    observed = math.fsum(losses(kind, replay.labels * replay.scores))
    hypotheses = [*prompt_run(replay), *more]
    if not all(h.met for h in hypotheses):
        return conclude(theorem, observed, None, hypotheses)

    def bound(u: Floats) -> float:
        return outward(comparator_loss(kind, replay, u) + outward(price(u)))

    value, u = least(bound, witness)
    quantities = {"norm_u": math.sqrt(length(u)), "loss_u": comparator_loss(kind, replay, u)}
    return conclude(theorem, observed, value, hypotheses, quantities)


class DuchiDescent:
    """Any data, any u: Σℓ(w) ≤ Σℓ(u) + Σ(D²/(2η)·(δ + √G) + η√G), the last sum over the features."""

    name = "Duchi (descent)"
    statement = (
        "for any u, with G = Σg² and D ≥ |w − u| in every round, feature by feature: "
        "Σℓ(w) ≤ Σℓ(u) + Σ(D²/(2η)·(δ + √G) + η√G)"
    )
    source = _DUCHI
    about = "loss"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        rate, delta = float(replay.parameters["rate"]), float(replay.parameters["delta"])
        roots, low, high = _paths(_pulls(replay), rate, delta)

        def price(u: Floats) -> float:
            apart = np.maximum(high - u, u - low)
            return float(np.sum(apart**2 / (2.0 * rate) * (delta + roots) + rate * roots))

        return _loss_bound(self, replay, witness, price, [])


def _paths(pulls: Any, rate: float, delta: float) -> tuple[Floats, Floats, Floats]:
    """√G, and the least and the largest weight on the way, of every feature."""
    width = pulls.shape[1]
    roots, low, high = np.zeros(width), np.zeros(width), np.zeros(width)
    for column in np.flatnonzero(np.diff(pulls.indptr)):
        pull = pulls.data[pulls.indptr[column] : pulls.indptr[column + 1]]
        root = np.sqrt(np.cumsum(pull * pull))
        weights = rate * np.cumsum(pull / (delta + root))
        roots[column] = root[-1]
        low[column], high[column] = min(0.0, float(weights.min())), max(0.0, float(weights.max()))
    return roots, low, high


class DuchiAveraging:
    """If no |g| passes δ, any u: Σℓ(w) ≤ Σℓ(u) + Σ(u²/(2η)·(δ + √G) + η√G), feature by feature."""

    name = "Duchi (averaging)"
    statement = (
        "for any u, if |g| ≤ δ always, with G = Σg², feature by feature: "
        "Σℓ(w) ≤ Σℓ(u) + Σ(u²/(2η)·(δ + √G) + η√G)"
    )
    source = _DUCHI
    about = "loss"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        rate, delta = float(replay.parameters["rate"]), float(replay.parameters["delta"])
        pulls = _pulls(replay)
        roots = _roots(pulls)
        largest = float(np.max(np.abs(pulls.data), initial=0.0))

        def price(u: Floats) -> float:
            return float(np.sum(u**2 / (2.0 * rate) * (delta + roots) + rate * roots))

        small = Hypothesis("no |g| passes δ", largest <= delta, f"the largest is {shown(largest)}")
        return _loss_bound(self, replay, witness, price, [small])


class McMahan:
    """Any data, any u: Σℓ(w) ≤ Σℓ(u) + Σ(ψ(u) + Σσ(u − w)²/2 + Σg²/(2h)), feature by feature.

    The weight of a feature is where Σgw + ψ(w) + Σσ(w − w_t)²/2 is least, ψ(w) = λ₁|w| + (λ₂ + β/α)w²/2. Who
    knows each gradient one round before, and follows this leader, loses at most ψ(u) + Σσ(u − w_t)²/2 more
    than u. The gradient of round t moves the leader from w_t, where the sum without it is least, also with
    the round's own σ; that sum bends by h = λ₂ + (β + √n)/α at least, and so to know the gradient is worth
    g²/(2h) at most.
    """

    name = "McMahan"
    statement = (
        "for any u, feature by feature, with n = Σg² up to each round, σ what it adds to √n/α and "
        "h = λ₂ + (β + √n)/α: "
        "Σℓ(w) ≤ Σℓ(u) + Σ(λ₁|u| + (λ₂ + β/α)u²/2 + Σσ(u − w)²/2 + Σg²/(2h))"
    )
    source = (
        "McMahan 2017, A survey of algorithms and analysis for adaptive online learning: "
        "FTRL-proximal, feature by feature"
    )
    about = "loss"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        alpha, beta, l1, l2 = (float(replay.parameters[name]) for name in ("alpha", "beta", "l1", "l2"))
        pulls = _pulls(replay)
        sigmas = _roots(pulls) / alpha
        first, second, ahead = (np.zeros(len(sigmas)) for _ in range(3))
        starts = pulls.indptr.astype(np.int64)
        _core.ftrl_sums(starts, pulls.data, alpha, beta, l1, l2, first, second, ahead)

        def price(u: Floats) -> float:
            start = l1 * np.abs(u) + (l2 + beta / alpha) * u**2 / 2.0
            apart = np.maximum(sigmas * u**2 - 2.0 * first * u + second, 0.0)
            return float(np.sum(start + apart / 2.0 + ahead))

        return _loss_bound(self, replay, witness, price, [])


class OrabonaPal:
    """If no |g| passes 1, any u: Σℓ(w) ≤ Σℓ(u) + Σ(ε + |u|·√(2(1 + S)·ln(1 + 2(1 + S)³u²/ε²))), S = Σ|g|.

    Let θ = Σc, a = 1 + S, z = θ/a, so that |z| < 1. The wealth of a feature is at least ε·exp(θ²/(4a))/a:
    a pull c multiplies it by 1 + zc/2, and ln(1 + zc/2) ≥ zc/2 − z²c²/4; the logarithm of the claim grows
    by (2zca + c² − z²a|c|)/(4(a + |c|)) − ln(1 + |c|/a). The first is not less than the second, because
    ln(1 + |c|/a) ≥ |c|/(a + |c|), and 4 − |c| − 2|zc| − z²c² ≥ 0. So the losses on the linear parts are at
    most ε + max over θ of uθ − ε·exp(θ²/(4a))/a, which is the bound (Orabona & Pál 2016, Lemma 18).
    """

    name = "Orabona–Pál"
    statement = (
        "for any u, if |g| ≤ 1 always, with S = Σ|g|, feature by feature (those with S > 0): "
        "Σℓ(w) ≤ Σℓ(u) + Σ(ε + |u|·√(2(1 + S)·ln(1 + 2(1 + S)³u²/ε²)))"
    )
    source = (
        "after Orabona & Pál 2016, Coin betting and parameter-free online learning (for this bet, re-derived)"
    )
    about = "loss"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        wealth = float(replay.parameters["wealth"])
        pulls = abs(_pulls(replay))
        sums = np.asarray(pulls.sum(axis=0), dtype=np.float64).ravel()
        largest = float(np.max(pulls.data, initial=0.0))
        played, room = sums > 0, 1.0 + sums

        def price(u: Floats) -> float:
            bets = np.abs(u) * np.sqrt(2.0 * room * np.log1p(2.0 * room * (room * u / wealth) ** 2))
            return float(np.sum((wealth + bets)[played]))

        small = Hypothesis("no |g| passes 1", largest <= 1.0, f"the largest is {shown(largest)}")
        return _loss_bound(self, replay, witness, price, [small])
