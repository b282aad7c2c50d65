"""Bounds by margins and hinges of a witness, held against a run: one small function each.

As in `loss_theorems`, the writer rounds outward by 1e-9 a few times over.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .finite import coin
from .linear_runs import LinearRun
from .loss_theorems import OUTWARD, at_length, scales, slip
from .rounds import Refused


def updates(run: LinearRun, claim: Claim) -> Found:
    """Updates ≤ ((‖u‖√(R² + 2μ/η) + D)/γ)² for any γ."""
    met = [*run.plain, any(claim.direction().values()) or run.updates == 0]
    if not all(met):
        return Found(run.updates, None, met, {})
    bound, quantities = _most_updates(run, claim)
    return Found(run.updates, bound, met, quantities, near=OUTWARD)


def _most_updates(run: LinearRun, claim: Claim) -> tuple[float, dict[str, Number]]:
    u, gamma, twin = claim.direction(), _gamma(claim), _twin(run)
    margin = getattr(twin, "margin", 0.0) / getattr(twin, "rate", 1.0)
    radius = float(max(run.square_norms, default=Fraction(0))) + 2.0 * margin
    deficit = exact.root_above(sum((max(Fraction(0), gamma - m) ** 2 for m in run.margins(u)), Fraction(0)))
    reach = math.sqrt(radius * float(exact.square(u.values())))
    return ((reach + float(deficit)) / float(gamma)) ** 2, {"R": math.sqrt(radius), "gamma": gamma}


def leave_one_out(run: LinearRun, claim: Claim) -> Found:
    """In a random order of T rounds: 2/(T − 1)·(updates − n₋/T) ≤ 2/(T − 1)·(((R‖u‖ + D)/γ)² − n₋/T)."""
    rounds = len(run.labels)
    negative = Fraction(sum(y < 0 for y in run.labels), max(rounds, 1))
    factor = Fraction(2, max(rounds - 1, 1))
    observed = min(Fraction(1), factor * (run.updates - negative))
    some = any(claim.direction().values()) or run.updates == 0
    met = [*run.plain, some, run.drawn, len(_twin(run).kept) == run.updates, rounds > 1]
    if not all(met):
        return Found(observed, None, met, {})
    most, quantities = _most_updates(run, claim)
    bound = float(factor) * (most - float(negative))
    # Where few rounds are left over, what is rounded of the bound on the updates counts for more.
    near = OUTWARD * max(1.0, most / max(most - float(negative), 1e-300))
    return Found(observed, bound, met, quantities | {"T": rounds}, near=near)


def gentile_zinkevich(run: LinearRun, claim: Claim) -> Found:
    """Corrections ≤ ((A + √(A² + 4γD))/(2γ))² for the unit u and any γ."""
    u, twin = claim.direction(), _twin(run)
    met = [*run.plain, any(u.values()) or run.updates == 0]
    if not all(met) or run.updates == 0:
        return Found(run.updates, None if run.updates else 0, met, {})
    gamma, length = float(_gamma(claim)), math.sqrt(float(exact.square(u.values())))
    lengths = [math.sqrt(float(square)) if twin.normalize else 1.0 for square in run.square_norms]
    radius = 1.0 if twin.normalize else float(max(run.square_norms))
    margins = [float(m) / length / (x or 1.0) for m, x in zip(run.margins(u), lengths, strict=True)]
    ahead = 2.0 * (1.0 - twin.alpha) * twin.B + 2.0 / twin.C + twin.C * radius
    short = math.fsum(max(0.0, gamma - margin) for margin in margins)
    bound = ((ahead + math.sqrt(ahead * ahead + 4.0 * gamma * short)) / (2.0 * gamma)) ** 2
    # A margin that is rounded by 1e-9 of itself falls short of γ by as much.
    more = 4.0 * len(margins) * 1e-9 * gamma / max(short, ahead * ahead / gamma)
    quantities: dict[str, Number] = {"R": math.sqrt(radius), "gamma": gamma, "A": ahead}
    return Found(run.updates, bound, met, quantities, near=OUTWARD + more)


def crammer(run: LinearRun, claim: Claim) -> Found:
    """PA: Σℓ² ≤ R²(‖u‖ + 2√Σ(ℓ*/‖x‖)²)²."""

    def bound(hinges: list[float], length: float, radius: float) -> float:
        parts = [h * h / float(x) for h, x in zip(hinges, run.square_norms, strict=True) if h]
        return radius * (math.sqrt(length) + 2.0 * math.sqrt(math.fsum(parts))) ** 2

    return _passive(run, claim, _squared_hinges(run), bound, [all(run.rows)])


def crammer_one(run: LinearRun, claim: Claim) -> Found:
    """PA-I: M ≤ max(R², 1/C)·(‖u‖² + 2C·Σℓ*)."""
    limit = _twin(run).C

    def bound(hinges: list[float], length: float, radius: float) -> float:
        return float(max(radius, 1.0 / limit) * (length + 2.0 * limit * math.fsum(hinges)))

    return _passive(run, claim, run.mistakes, bound, [])


def crammer_two(run: LinearRun, claim: Claim) -> Found:
    """PA-II: Σℓ² ≤ (R² + 1/(2C))·(‖u‖² + 2C·Σℓ*²)."""
    limit = _twin(run).C

    def bound(hinges: list[float], length: float, radius: float) -> float:
        price = 2.0 * limit * math.fsum(h * h for h in hinges)
        return float((radius + 1.0 / (2.0 * limit)) * (length + price))

    return _passive(run, claim, _squared_hinges(run), bound, [])


def _passive(
    run: LinearRun,
    claim: Claim,
    observed: float,
    bound: Callable[[list[float], float, float], float],
    more: list[bool],
) -> Found:
    """`bound` is of the hinges of u, ‖u‖² and R²; u may also be as long as just gives a margin of 1."""
    met = [*run.plain, *more]
    if not all(met):
        return Found(observed, None, met, {}, near=OUTWARD)
    least = float(min(run.margins(claim.direction()), default=Fraction(0)))
    u = at_length(claim, [*([1.0 / least] if least > 0.0 else []), *scales()])
    hinges = [max(0.0, 1.0 - float(margin)) for margin in run.margins(u)]
    length, radius = float(exact.square(u.values())), float(max(run.square_norms, default=Fraction(0)))
    quantities: dict[str, Number] = {
        "R": math.sqrt(radius),
        "norm_u": math.sqrt(length),
        "loss_u": math.fsum(hinges),
    }
    allowed: dict[str, Number] = {"loss_u": slip(run, u)}
    return Found(observed, bound(hinges, length, radius), met, quantities, allowed, near=OUTWARD)


def selective(run: LinearRun, claim: Claim) -> Found:
    """Σ(b + |s|)/b over the mistakes that were asked about ≤ (2b + R²)²‖u‖²/(8b) + (2b + R²)/(2b)·Σℓ*."""
    twin, asked, weighed = _twin(run), 0, []
    b = twin.smoothing
    for t, (score, mistaken) in enumerate(zip(run.scores, run.mistaken, strict=True), start=1):
        wanted = asked < twin.budget and coin(twin.seed, t, score) * (b + abs(score)) < b
        asked += wanted
        weighed += [(b + abs(score)) / b] if wanted and mistaken else []

    def bound(hinges: list[float], length: float, radius: float) -> float:
        twice = 2.0 * b + radius
        return float(twice * twice * length / (8.0 * b) + twice / (2.0 * b) * math.fsum(hinges))

    return _passive(run, claim, math.fsum(weighed), bound, [])


def _squared_hinges(run: LinearRun) -> float:
    """Σℓ² of the learner."""
    return math.fsum(max(0.0, 1.0 - y * s) ** 2 for s, y in zip(run.scores, run.labels, strict=True))


def _gamma(claim: Claim) -> Fraction:
    gamma = claim.told("gamma")
    if gamma <= 0:
        raise Refused(f"{claim.theorem}: gamma is {float(gamma)!r} in the certificate; it must be above 0")
    return gamma


def _twin(run: LinearRun) -> Any:
    """The twin, with the parameters that its rule has."""
    return run.twin


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Novikoff (updates)": updates,
    "Freund–Schapire (leave one out)": leave_one_out,
    "Gentile–Zinkevich": gentile_zinkevich,
    "Crammer (PA)": crammer,
    "Crammer (PA-I)": crammer_one,
    "Crammer (PA-II)": crammer_two,
    "Cesa-Bianchi–Gentile–Zaniboni": selective,
}
