"""The theorems about the lead of the right class, held against a run in exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .class_runs import ClassRun, Witness
from .loss_theorems import OUTWARD, scales
from .losses import loss, pace


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
    short = [max(Fraction(0), gamma - lead) for lead in leads]
    deficit = exact.root_above(sum((d * d for d in short), Fraction(0)))
    quantities = _quantities(run, radius, length) | {"gamma": gamma, "D": deficit}
    if gamma <= 0:
        return Found(run.mistakes, None, [*run.plain, False], quantities)
    reach = 2 * radius * length
    bound = reach / gamma**2 if deficit == 0 else ((exact.root_above(reach) + deficit) / gamma) ** 2
    paid = sum((d for d, wrong in zip(short, run.mistaken, strict=True) if wrong), Fraction(0))
    strong = (exact.root_above(2 * length * sum(norms, Fraction(0))) + paid) / gamma + extra
    told = bound + extra if run.mistakes <= strong else min(bound + extra, strong)
    return Found(run.mistakes, told, met, quantities, {"D": run.lead_fuzz(u) * len(leads)})


def aggressive(run: ClassRun, claim: Claim) -> Found:
    """PA: M ≤ 2R²(‖U‖ + 2√Σ(ℓ*²/(2‖x‖²)))² + K."""

    def bound(hinges: list[float], length: float, reach: float) -> float:
        parts = [h * h / (2.0 * float(x)) for h, x in zip(hinges, run.square_norms, strict=True) if h]
        return reach * (math.sqrt(length) + 2.0 * math.sqrt(math.fsum(parts))) ** 2

    return _passive(run, claim, bound, [all(run.rows)])


def aggressive_one(run: ClassRun, claim: Claim) -> Found:
    """PA-I: M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ*) + K."""
    limit = float(_rule(run).C)

    def bound(hinges: list[float], length: float, reach: float) -> float:
        return max(reach, 1.0 / limit) * (length + 2.0 * limit * math.fsum(hinges))

    return _passive(run, claim, bound, [])


def aggressive_two(run: ClassRun, claim: Claim) -> Found:
    """PA-II: M ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ*²) + K."""
    limit = float(_rule(run).C)

    def bound(hinges: list[float], length: float, reach: float) -> float:
        return (reach + 1.0 / (2.0 * limit)) * (length + 2.0 * limit * math.fsum(h * h for h in hinges))

    return _passive(run, claim, bound, [])


def _passive(
    run: ClassRun, claim: Claim, bound: Callable[[list[float], float, float], float], more: list[bool]
) -> Found:
    """`bound` is of the hinges of U, ‖U‖² and 2R²; U may also be as long as just gives a lead of 1."""
    met = [*run.plain, *more]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    least = float(min(run.leads(claim.by_class()), default=Fraction(0)))
    u = _at_length(claim, [*([1.0 / least] if least > 0.0 else []), *scales()])
    hinges = [max(0.0, 1.0 - float(lead)) for lead in run.leads(u)]
    length, radius = _square(u), max(run.square_norms, default=Fraction(0))
    found = _quantities(run, radius, length) | {"loss_u": math.fsum(hinges)}
    value = bound(hinges, float(length), 2.0 * float(radius)) + run.unannounced
    # Where U just reaches the lead of 1, hinges are nothing but what rounding left.
    slip = run.lead_fuzz(u) * len(hinges) + Fraction(1e-15) * len(hinges)
    return Found(run.mistakes, value, met, found, {"loss_u": slip}, near=OUTWARD)


def zinkevich(run: ClassRun, claim: Claim) -> Found:
    """Σℓ(W) ≤ Σℓ(U) + ‖U‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + Ση‖x‖², over as many rounds as changed W."""
    rule, alone = _rule(run), _alone(run)
    observed = run.by_importance(map(run.twin.loss_of, run.scores, run.labels))
    rounds = len(run.labels) - alone
    if not all(run.plain) or rounds == 0:
        return Found(observed, 0, run.plain, {}, near=OUTWARD)
    told = [pace(rule.step, rule.rate, t + 1.0) for t in range(rounds)]
    paces = [*[told[0]] * alone, *told]
    squares = [float(square) for square in run.square_norms]
    noise = _largest([eta * x for eta, x in zip(paces, squares, strict=True)], run.updates)
    spread = _largest([2.0 * eta * eta * x for eta, x in zip(paces, squares, strict=True)], run.updates)
    u = _at_length(claim, scales())
    lost, length = [loss(rule.loss, float(lead), 1.0) for lead in run.leads(u)], float(_square(u))
    apart = length + 2.0 * math.fsum(eta * one for eta, one in zip(paces, lost, strict=True)) + spread
    drift = 0.5 * apart * (1.0 / told[-1] - 1.0 / told[0])
    bound = math.fsum(lost) + length / (2.0 * told[0]) + drift + noise
    return Found(observed, bound, run.plain, {"norm_u": math.sqrt(length)}, near=OUTWARD)


def winnow(run: ClassRun, claim: Claim) -> Found:
    """M ≤ ln 2NC/(ηρ − η²r²/2) + K."""
    v, rate = claim.by_class(), float(_rule(run).rate)
    length = sum((abs(Fraction(x)) for part in v.values() for x in part.values()), Fraction(0))
    leads, fuzz = run.leads(v), run.lead_fuzz(v)
    least, allowed = min(leads, default=Fraction(0)), fuzz / length if length else Fraction(0)
    rho = float(claim.at_most("rho", least / length if length else 0, allowed))
    radius = max((abs(x) for row in run.rows for _, x in row), default=0.0)
    count = 2 * run.width * max(len(run.classes), 1)
    gain = rate * rho - rate * rate * radius * radius / 2.0
    most = math.log(count) / gain if gain > 0 and rho > 0 else math.inf
    found: dict[str, Number] = {"rho": rho, "r": radius, "N": count, "K": run.unannounced}
    found["wrong"] = sum(lead <= 0 for lead in leads)
    near: dict[str, Number] = {"wrong": sum(abs(lead) <= fuzz for lead in leads)}
    met = [*run.plain, rho > 0, gain > 0, rate * radius * most < 300.0]
    return Found(run.mistakes, most + run.unannounced if all(met) else None, met, found, near)


def _alone(run: ClassRun) -> int:
    """How many rounds at the beginning knew of one class only: they have no loss and teach nothing."""
    known = set(run.announced)
    for t, label in enumerate(run.labels):
        known.add(label)
        if len(known) > 1:
            return t
    return len(run.labels)


def _largest(numbers: list[float], count: int) -> float:
    """The sum of so many numbers, the largest."""
    return math.fsum(sorted(numbers, reverse=True)[:count])


def _at_length(claim: Claim, scales: list[float]) -> Witness:
    """The witness times that one of the scales which gives it the length that is told."""
    u, told = claim.by_class(), float(claim.told("norm_u"))
    length = math.sqrt(float(_square(u)))
    scale = min(scales, key=lambda one: abs(one * length - told))
    return {one: {f: value * scale for f, value in part.items()} for one, part in u.items()}


def _rule(run: ClassRun) -> Any:
    """The binary rule that is taught differences of classes, with its parameters."""
    return getattr(run.twin, "rule", None)


def _square(witness: Witness) -> Fraction:
    return sum((exact.square(part.values()) for part in witness.values()), Fraction(0))


def _quantities(run: ClassRun, radius: Fraction, length: Fraction) -> dict[str, Number]:
    return {"R": exact.root_above(radius), "norm_u": exact.root_above(length), "K": run.unannounced}


THEOREMS: dict[str, Callable[[ClassRun, Claim], Found]] = {
    "Crammer–Singer": separated,
    "Crammer–Singer (any data)": any_data,
    "Crammer et al. (multiclass PA)": aggressive,
    "Crammer et al. (multiclass PA-I)": aggressive_one,
    "Crammer et al. (multiclass PA-II)": aggressive_two,
    "Zinkevich (multiclass)": zinkevich,
    "Kivinen–Warmuth (classes)": winnow,
}
