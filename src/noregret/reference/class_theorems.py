"""The theorems about the lead of the right class, held against a run in exact arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .class_runs import ClassRun, Witness
from .loss_theorems import BIN, OUTWARD, doubt
from .losses import loss, pace
from .margin_theorems import largest_hinges
from .shortfalls import Form, Price, deficit, hinge_form, lack, positive, shortfalls, squared_form
from .shortfalls import any_data as shared_any_data


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
    return _any_data(run, claim, "D", squared_form, deficit)


def hinges(run: ClassRun, claim: Claim) -> Found:
    """M ≤ (a/2 + √(a²/4 + L))² + K for any γ, a = √2·R‖U‖/γ, R over the mistakes."""
    return _any_data(run, claim, "L", hinge_form, lack)


def _any_data(run: ClassRun, claim: Claim, name: str, form: Form, price: Price) -> Found:
    u = claim.by_class()
    some = any(any(part.values()) for part in u.values()) or run.mistakes <= run.unannounced
    if not all(met := [*run.plain, some]):
        return Found(run.mistakes, None, met, {})
    short = shortfalls(run.leads(u), positive(claim, "gamma"), run.lead_fuzz(u))
    found = shared_any_data(run, met, _square(u), short, 2, (name, form, price))
    found.quantities["K"] = run.unannounced
    return found


def aggressive(run: ClassRun, claim: Claim) -> Found:
    """PA: M ≤ 2R²(‖U‖ + 2√Σ(ℓ*²/(2‖x‖²)))² + K."""

    def bound(hinges: list[float], length: float, reach: float) -> float:
        parts = [h * h / (2.0 * float(x)) for h, x in zip(hinges, run.square_norms, strict=True) if h]
        return reach * (math.sqrt(length) + 2.0 * math.sqrt(math.fsum(parts))) ** 2

    return _passive(run, claim, bound, [all(run.rows)], squared=True)


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

    return _passive(run, claim, bound, [], squared=True)


def _passive(
    run: ClassRun,
    claim: Claim,
    bound: Callable[[list[float], float, float], float],
    more: list[bool],
    squared: bool = False,
) -> Found:
    """`bound` is of the hinges of U, perhaps squared, ‖U‖² and 2R²."""
    met = [*run.plain, *more]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    u = claim.by_class()
    leads = [float(lead) for lead in run.leads(u)]
    values = [max(0.0, 1.0 - lead) for lead in leads]
    length, radius = _square(u), max(run.square_norms, default=Fraction(0))
    found = _quantities(run, radius, length) | {"loss_u": math.fsum(values)}
    value = bound(values, float(length), 2.0 * float(radius))
    fuzz = float(run.lead_fuzz(u))
    over = bound(largest_hinges(leads, fuzz, squared), float(length), 2.0 * float(radius)) - value
    more_loss = math.fsum(largest_hinges(leads, fuzz, False)) - math.fsum(values)
    allowed: dict[str, Number] = {"loss_u": more_loss}
    return Found(run.mistakes, value + run.unannounced, met, found, allowed, near=OUTWARD, over=over)


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
    u = claim.by_class()
    leads, length = [float(lead) for lead in run.leads(u)], float(_square(u))
    lost = [loss(rule.loss, lead, 1.0) for lead in leads]
    apart = length + 2.0 * math.fsum(eta * one for eta, one in zip(paces, lost, strict=True)) + spread
    drift = 0.5 * apart * (1.0 / told[-1] - 1.0 / told[0])
    bound = math.fsum(lost) + length / (2.0 * told[0]) + drift + noise
    # The writer takes the largest by bins, of which it cuts one; and the chord of a loss over a bin.
    later = 1.0 / told[-1] - 1.0 / told[0]
    over = BIN * (noise + 0.5 * spread * later)
    over += doubt(rule.loss, leads, float(run.lead_fuzz(u))) * (1.0 + later * max(told[0], told[-1]))
    return Found(observed, bound, run.plain, {"norm_u": math.sqrt(length)}, near=OUTWARD, over=over)


def winnow(run: ClassRun, claim: Claim) -> Found:
    """M ≤ ln 2NC/(ηρ − η²r²/2) + K."""
    v, rate = claim.by_class(), float(_rule(run).rate)
    length = sum((abs(Fraction(x)) for part in v.values() for x in part.values()), Fraction(0))
    leads, fuzz = run.leads(v), run.lead_fuzz(v)
    least, allowed = min(leads, default=Fraction(0)), fuzz / length if length else Fraction(0)
    rho = float(claim.at_most("rho", least / length if length else 0, allowed))
    radius = max((abs(x) for row in run.rows for _, x in row), default=0.0)
    count = (
        2 * (max(len(run.occurring), 1 - run.twin.has_bias) + run.twin.has_bias) * max(len(run.classes), 1)
    )
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
    "Mohri–Rostamizadeh (classes)": hinges,
    "Crammer et al. (multiclass PA)": aggressive,
    "Crammer et al. (multiclass PA-I)": aggressive_one,
    "Crammer et al. (multiclass PA-II)": aggressive_two,
    "Zinkevich (multiclass)": zinkevich,
    "Kivinen–Warmuth (classes)": winnow,
}
