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
from .loss_theorems import OUTWARD
from .shortfalls import Bound, Form, Short, hinge_form, lack, positive, shortfalls, squared_form


def updates(run: LinearRun, claim: Claim) -> Found:
    """Updates ≤ ((‖u‖√(R² + 2μ/η) + D)/γ)² for any γ."""
    met = [*run.plain, any(claim.direction().values()) or run.updates == 0]
    if not all(met):
        return Found(run.updates, None, met, {})
    bound, quantities, _ = _most_updates(run, claim, squared_form)
    return Found(run.updates, bound.value, met, quantities, near=OUTWARD, over=bound.over)


def updates_by_hinges(run: LinearRun, claim: Claim) -> Found:
    """Updates ≤ (a/2 + √(a²/4 + L))² for any γ, a = ‖u‖√(R² + 2μ/η)/γ."""
    met = [*run.plain, any(claim.direction().values()) or run.updates == 0]
    if not all(met):
        return Found(run.updates, None, met, {})
    bound, quantities, short = _most_updates(run, claim, hinge_form)
    quantities["norm_u"] = exact.root_above(exact.square(claim.direction().values()))
    quantities["L"], more = lack(short)
    return Found(run.updates, bound.value, met, quantities, {"L": more}, near=OUTWARD, over=bound.over)


def _most_updates(run: LinearRun, claim: Claim, form: Form) -> tuple[Bound, dict[str, Number], Short]:
    u, twin = claim.direction(), _twin(run)
    short = shortfalls(run.margins(u), positive(claim, "gamma"), run.fuzz(u))
    margin = Fraction(getattr(twin, "margin", 0.0)) / Fraction(getattr(twin, "rate", 1.0))
    radius = max(run.square_norms, default=Fraction(0)) + 2 * margin
    found: dict[str, Number] = {"R": exact.root_above(radius), "gamma": short.gamma}
    return form(short, radius * exact.square(u.values())), found, short


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
    most, quantities, _ = _most_updates(run, claim, squared_form)
    # Where few rounds are left over, what is rounded of the bound on the updates counts for more.
    over = factor * (most.over + most.value * Fraction(OUTWARD))
    return Found(observed, factor * (most.value - negative), met, quantities | {"T": rounds}, over=over)


def gentile_zinkevich(run: LinearRun, claim: Claim) -> Found:
    """Corrections ≤ ((A + √(A² + 4γD))/(2γ))² for the unit u and any γ."""
    u, twin = claim.direction(), _twin(run)
    met = [*run.plain, any(u.values()) or run.updates == 0]
    if not all(met) or run.updates == 0:
        return Found(run.updates, None if run.updates else 0, met, {})
    gamma, length = float(positive(claim, "gamma")), math.sqrt(float(exact.square(u.values())))
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

    return _passive(run, claim, _squared_hinges(run), bound, [all(run.rows)], squared=True)


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

    return _passive(run, claim, _squared_hinges(run), bound, [], squared=True)


def dual_value(run: LinearRun, claim: Claim) -> Found:
    """PA-I: Σ(τℓ − ½τ²‖x‖²) ≤ ½‖u‖² + C·Σℓ*, τ = min(C, ℓ/‖x‖²)."""
    limit, value = float(_twin(run).C), []
    for loss, square in zip(_hinges(run), map(float, run.square_norms), strict=True):
        step = min(limit, loss / square) if square else limit * (loss > 0.0)
        value.append(step * loss - 0.5 * step * step * square)
    return _dual(run, claim, math.fsum(value), squared=False)


def squared_dual_value(run: LinearRun, claim: Claim) -> Found:
    """PA-II: ½Στℓ ≤ ½‖u‖² + C·Σℓ*², τ = ℓ/(‖x‖² + 1/(2C))."""
    room = 1.0 / (2.0 * float(_twin(run).C))
    value = [
        0.5 * h * h / (x + room) for h, x in zip(_hinges(run), map(float, run.square_norms), strict=True)
    ]
    return _dual(run, claim, math.fsum(value), squared=True)


def _dual(run: LinearRun, claim: Claim, observed: float, squared: bool) -> Found:
    limit = float(_twin(run).C)
    if not any(claim.direction().values()) and all(run.plain):
        return Found(observed, limit * len(run.labels), run.plain, {}, near=OUTWARD)

    def bound(hinges: list[float], length: float, radius: float) -> float:
        return 0.5 * length + limit * math.fsum(h * h if squared else h for h in hinges)

    return _passive(run, claim, observed, bound, [], squared)


def _passive(
    run: LinearRun,
    claim: Claim,
    observed: float,
    bound: Callable[[list[float], float, float], float],
    more: list[bool],
    squared: bool = False,
) -> Found:
    """`bound` is of the hinges of u, perhaps squared, ‖u‖² and R²."""
    met = [*run.plain, *more]
    if not all(met):
        return Found(observed, None, met, {}, near=OUTWARD)
    u = claim.direction()
    margins = [float(margin) for margin in run.margins(u)]
    hinges = [max(0.0, 1.0 - margin) for margin in margins]
    length, radius = float(exact.square(u.values())), float(max(run.square_norms, default=Fraction(0)))
    quantities: dict[str, Number] = {
        "R": math.sqrt(radius),
        "norm_u": math.sqrt(length),
        "loss_u": math.fsum(hinges),
    }
    value = bound(hinges, length, radius)
    fuzz = float(run.fuzz(u))
    over = bound(largest_hinges(margins, fuzz, squared), length, radius) - value
    more_loss = math.fsum(largest_hinges(margins, fuzz, False)) - math.fsum(hinges)
    allowed: dict[str, Number] = {"loss_u": more_loss}
    return Found(observed, value, met, quantities, allowed, near=OUTWARD, over=over)


def largest_hinges(margins: list[float], fuzz: float, squared: bool) -> list[float]:
    """The hinges if the writer rounded every margin down and its sums of them, or of their squares, up."""
    drift, found = 2.0**-52 * (len(margins) + 16.0), []
    for margin in margins:
        short, size = 1.0 - margin + fuzz + 1e-15, 1.0 + abs(margin)
        if short > -drift * size:
            short = max(short, 0.0)
            found.append(math.sqrt(short**2 + drift * size**2) if squared else short + drift * size)
        else:
            found.append(0.0)
    return found


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


def _hinges(run: LinearRun) -> list[float]:
    """ℓ of the learner, round by round."""
    return [max(0.0, 1.0 - y * s) for s, y in zip(run.scores, run.labels, strict=True)]


def _squared_hinges(run: LinearRun) -> float:
    """Σℓ² of the learner."""
    return math.fsum(loss**2 for loss in _hinges(run))


def _twin(run: LinearRun) -> Any:
    """The twin, with the parameters that its rule has."""
    return run.twin


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Novikoff (updates)": updates,
    "Mohri–Rostamizadeh (updates)": updates_by_hinges,
    "Freund–Schapire (leave one out)": leave_one_out,
    "Gentile–Zinkevich": gentile_zinkevich,
    "Crammer (PA)": crammer,
    "Crammer (PA-I)": crammer_one,
    "Crammer (PA-II)": crammer_two,
    "Shalev-Shwartz–Singer (PA-I)": dual_value,
    "Shalev-Shwartz–Singer (PA-II)": squared_dual_value,
    "Cesa-Bianchi–Gentile–Zaniboni": selective,
}
