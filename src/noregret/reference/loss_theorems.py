"""Bounds on the losses of a run, Σℓ(w) ≤ Σℓ(u) + a price, held against it: one small function each.

They hold for any u. The certificate has a direction, and takes it in the length that suits it best: which one
that is, its ‖u‖ tells. The writer rounds outward by 1e-9 a few times over, so as much may lie between.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .claims import Claim, Found, Number
from .linear_runs import LinearRun
from .losses import loss, pace, slope

OUTWARD = 1e-8
BIN = 1.0 / 30.0  # how wide the bins of the writer are at most, times a margin
Vector = dict[Any, float]


def _held(
    run: LinearRun, claim: Claim, price: Callable[[Vector], float], more: list[bool] | None = None
) -> Found:
    twin: Any = run.twin
    kind = twin.loss
    observed = run.by_importance(loss(kind, s, y) for s, y in zip(run.scores, run.labels, strict=True))
    met = [*run.plain, *(more or [])]
    if not all(met):
        return Found(observed, None, met, {}, near=OUTWARD)
    u = claim.direction()
    margins = [float(margin) for margin in run.margins(u)]
    quantities: dict[str, Number] = {
        "norm_u": math.sqrt(math.fsum(value * value for value in u.values())),
        "loss_u": math.fsum(loss(kind, margin, 1.0) for margin in margins),
    }
    bound, over = float(quantities["loss_u"]) + price(u), doubt(kind, margins, float(run.fuzz(u)))
    return Found(observed, bound, met, quantities, {"loss_u": over}, near=OUTWARD, over=over)


def doubt(kind: str, margins: list[float], fuzz: float) -> float:
    """By how much more than Σℓ the writer may have told.

    It rounds margins down and sums up; of a loss that bends it takes the chord over a bin.
    """
    drift = 2.0**-52 * (len(margins) + 16.0)
    total = math.fsum((fuzz + 1e-15 + drift * (1.0 + abs(m))) * (2.0 + 2.0 * abs(m)) for m in margins)
    if kind == "squared":
        return total + math.fsum((BIN * m) ** 2 / 8.0 for m in margins)
    if kind == "logistic":
        return total + math.fsum((BIN * m) ** 2 / 8.0 * math.exp(-(1.0 - BIN) * abs(m)) for m in margins)
    return total


def zinkevich(run: LinearRun, claim: Claim) -> Found:
    """‖u‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + ½Σ η_t‖∇ℓ_t‖², D the largest ‖w_t − u‖."""
    if not run.labels:
        return Found(0.0, 0.0, run.plain, {})
    twin: Any = run.twin
    paces = [pace(twin.step, twin.rate, t + 1.0) for t in range(len(run.labels))]
    pulls = [float(square) * g * g for square, g in zip(run.square_norms, _slopes(run), strict=True)]

    def price(u: Vector) -> float:
        apart = farthest = math.fsum(value * value for value in u.values())
        first = apart / (2.0 * paces[0])
        margins = map(float, run.margins(u))
        rounds = zip(run.scores, run.labels, margins, paces, _slopes(run), pulls, strict=True)
        for score, y, margin, eta, g, pull in rounds:
            farthest = max(farthest, apart)
            apart += 2.0 * eta * g * (y * score - margin) + eta * eta * pull
        drift = 0.5 * farthest * (1.0 / paces[-1] - 1.0 / paces[0])
        return first + drift + 0.5 * math.fsum(eta * pull for eta, pull in zip(paces, pulls, strict=True))

    return _held(run, claim, price)


def _slopes(run: LinearRun) -> list[float]:
    """−dℓ/dm of every round."""
    twin: Any = run.twin
    return [slope(twin.loss, s, y) for s, y in zip(run.scores, run.labels, strict=True)]


def _pulls(run: LinearRun) -> dict[Any, list[float]]:
    """−g of every feature, round by round."""
    pulls: dict[Any, list[float]] = {}
    for row, y, g in zip(run.rows, run.labels, _slopes(run), strict=True):
        for feature, value in row:
            pulls.setdefault(feature, []).append(y * g * value)
    return pulls


def duchi_descent(run: LinearRun, claim: Claim) -> Found:
    """Σ(D²/(2η)·(δ + √G) + η√G), feature by feature, D the largest |w − u|."""
    twin: Any = run.twin
    pulls = _pulls(run)

    def price(u: Vector) -> float:
        terms = []
        for feature in pulls | u:
            total = weight = low = high = 0.0
            for pull in pulls.get(feature, []):
                total += pull * pull
                weight += twin.rate * pull / (twin.delta + math.sqrt(total))
                low, high = min(low, weight), max(high, weight)
            apart, root = max(high - u.get(feature, 0.0), u.get(feature, 0.0) - low), math.sqrt(total)
            terms.append(apart * apart / (2.0 * twin.rate) * (twin.delta + root) + twin.rate * root)
        return math.fsum(terms)

    return _held(run, claim, price)


def duchi_averaging(run: LinearRun, claim: Claim) -> Found:
    """Σ(u²/(2η)·(δ + √G) + η√G), feature by feature, if no |g| passes δ."""
    twin: Any = run.twin
    pulls = _pulls(run)
    largest = max((abs(pull) for one in pulls.values() for pull in one), default=0.0)

    def price(u: Vector) -> float:
        terms = []
        for feature in pulls | u:
            root = math.sqrt(math.fsum(pull * pull for pull in pulls.get(feature, [])))
            terms.append(
                u.get(feature, 0.0) ** 2 / (2.0 * twin.rate) * (twin.delta + root) + twin.rate * root
            )
        return math.fsum(terms)

    return _held(run, claim, price, [largest <= twin.delta])


def mcmahan(run: LinearRun, claim: Claim) -> Found:
    """Σ(λ₁|u| + (λ₂ + β/α)u²/2 + Σσ(u − w)²/2 + Σg²/(2h)), feature by feature, σ the growth of √n/α."""
    twin: Any = run.twin
    pulls = _pulls(run)

    def price(u: Vector) -> float:
        terms = []
        for feature in pulls | u:
            at, here = (0.0, 0.0, 0.0), u.get(feature, 0.0)
            terms.append(twin.l1 * abs(here) + (twin.l2 + twin.beta / twin.alpha) * here * here / 2.0)
            for pull in pulls.get(feature, []):
                weight, before = at[0], math.sqrt(at[2])
                at = twin.apply(at, 1.0, (pull, 0.0))
                after = math.sqrt(at[2])
                terms.append((after - before) / twin.alpha * (here - weight) ** 2 / 2.0)
                terms.append(pull * pull / (2.0 * (twin.l2 + (twin.beta + after) / twin.alpha)))
        return math.fsum(terms)

    return _held(run, claim, price)


def orabona_pal(run: LinearRun, claim: Claim) -> Found:
    """Σ(ε + |u|·√(2(1 + S)·ln(1 + 2(1 + S)³u²/ε²))), S = Σ|g|, feature by feature, if no |g| passes 1."""
    twin: Any = run.twin
    pulls = _pulls(run)
    largest = max((abs(pull) for one in pulls.values() for pull in one), default=0.0)

    def price(u: Vector) -> float:
        terms = []
        for feature, one in pulls.items():
            room, size = 1.0 + math.fsum(map(abs, one)), abs(u.get(feature, 0.0))
            if room > 1.0:
                inside = 2.0 * room * (room * size / twin.wealth) ** 2
                terms.append(twin.wealth + size * math.sqrt(2.0 * room * math.log1p(inside)))
        return math.fsum(terms)

    return _held(run, claim, price, [largest <= 1.0])


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Zinkevich": zinkevich,
    "Duchi (descent)": duchi_descent,
    "Duchi (averaging)": duchi_averaging,
    "McMahan": mcmahan,
    "Orabona–Pál": orabona_pal,
}
