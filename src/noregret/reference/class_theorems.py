"""The theorems about the lead of the right class, held against a run in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .class_runs import ClassRun, Witness


def separated(run: ClassRun, claim: Claim) -> Found:
    """M ≤ 2(R‖U‖/γ)² + K."""
    u = claim.by_class()
    leads, fuzz = run.leads(u), run.lead_fuzz(u)
    gamma = claim.at_most("gamma", min(leads, default=Fraction(1)), fuzz)
    radius, length = max(run.square_norms, default=Fraction(0)), _square(u)
    found = _quantities(run, radius, length) | {"gamma": gamma, "wrong": sum(lead <= 0 for lead in leads)}
    allowed: dict[str, Number] = {"wrong": sum(abs(lead) <= fuzz for lead in leads)}
    bound = 2 * radius * length / gamma**2 + run.unannounced if gamma > 0 else None
    return Found(run.mistakes, bound, [*run.plain, gamma > 0], found, allowed)


def any_data(run: ClassRun, claim: Claim) -> Found:
    """M ≤ ((√2·R‖U‖ + D)/γ)² + K for any γ, R over the mistakes."""
    u, extra = claim.by_class(), run.unannounced
    some = any(any(part.values()) for part in u.values()) or run.mistakes <= extra
    met = [*run.plain, some]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    leads, gamma = run.leads(u), claim.told("gamma")
    norms = [norm for norm, wrong in zip(run.square_norms, run.mistaken, strict=True) if wrong]
    radius, length = max(norms, default=Fraction(0)), _square(u)
    quantities = _quantities(run, radius, length) | {"gamma": gamma}
    if gamma <= 0:
        return Found(run.mistakes, None, [*run.plain, False], quantities)
    short = [max(Fraction(0), gamma - lead) for lead in leads]
    deficit = exact.root_above(sum((d * d for d in short), Fraction(0)))
    reach = 2 * radius * length
    bound = reach / gamma**2 if deficit == 0 else ((exact.root_above(reach) + deficit) / gamma) ** 2
    paid = sum((d for d, wrong in zip(short, run.mistaken, strict=True) if wrong), Fraction(0))
    strong = (exact.root_above(2 * length * sum(norms, Fraction(0))) + paid) / gamma + extra
    told = bound + extra if run.mistakes <= strong else min(bound + extra, strong)
    return Found(run.mistakes, told, met, quantities)


def aggressive_one(run: ClassRun, claim: Claim) -> Found:
    """PA-I: M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ(U)) + K."""
    limit = _limit(run)
    return _aggressive(run, claim, 1, lambda radius: max(2 * radius, 1 / limit))


def aggressive_two(run: ClassRun, claim: Claim) -> Found:
    """PA-II: M ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ(U)²) + K."""
    limit = _limit(run)
    return _aggressive(run, claim, 2, lambda radius: 2 * radius + 1 / (2 * limit))


def _aggressive(run: ClassRun, claim: Claim, power: int, factor: Callable[[Fraction], Fraction]) -> Found:
    u = claim.by_class()
    short = [max(Fraction(0), 1 - lead) for lead in run.leads(u)]
    lost = sum((d**power for d in short), Fraction(0))
    radius, length = max(run.square_norms, default=Fraction(0)), _square(u)
    bound = factor(radius) * (length + 2 * _limit(run) * lost) + run.unannounced
    found = _quantities(run, radius, length) | {"loss_u": lost}
    slip = run.lead_fuzz(u) * len(short)  # where U just reaches the lead of 1, all of it is rounding
    return Found(run.mistakes, bound, run.plain, found, {"loss_u": slip})


def _limit(run: ClassRun) -> Fraction:
    rule: Any = getattr(run.twin, "rule", None)
    return Fraction(float(rule.C))


def _square(witness: Witness) -> Fraction:
    return sum((exact.square(part.values()) for part in witness.values()), Fraction(0))


def _quantities(run: ClassRun, radius: Fraction, length: Fraction) -> dict[str, Number]:
    return {"R": exact.root_above(radius), "norm_u": exact.root_above(length), "K": run.unannounced}


THEOREMS: dict[str, Callable[[ClassRun, Claim], Found]] = {
    "Crammer–Singer": separated,
    "Crammer–Singer (any data)": any_data,
    "Crammer et al. (multiclass PA)": separated,
    "Crammer et al. (multiclass PA-I)": aggressive_one,
    "Crammer et al. (multiclass PA-II)": aggressive_two,
}
