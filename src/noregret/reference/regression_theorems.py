"""The theorems of learners that predict a number: what they lose, against what any u loses.

The writer raises its bounds by one part in 10⁹, because the run itself is floating point.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .linear_runs import EPSILON, LinearRun
from .rounds import Refused
from .second_order_theorems import log_determinant, up_to_trace

RAISED = 1e-8  # by how much more than what is proved a bound may be told


def widrow_hoff(run: LinearRun, claim: Claim) -> Found:
    """Σ(ŷ − y)² ≤ (‖u‖²/η + L(u)/a)/(c − a), c = 2 − ηX²; a is the certificate's choice."""
    observed, rate = _squares(run), Fraction(_twin(run).rate)
    radius = max(run.square_norms, default=Fraction(0))
    room = 2 - rate * radius
    met = [*run.plain, room > 0]
    if room <= 0:
        return Found(observed, None, met, {}, near=RAISED)
    u = claim.direction()
    length, share = exact.square(u.values()), claim.told("a")
    lost = _from_above(run, claim, u, sum((error * error for error in run.errors(u)), Fraction(0)))
    if not (0 < share < room or share == lost == 0):
        raise Refused(f"{claim.theorem}: a is {float(share)!r} in the certificate; it lies between 0 and c")
    bound = (length / rate + (lost / share if lost else 0)) / (room - share)
    found: dict[str, Number] = {
        "X": exact.root_above(radius),
        "norm_u": exact.root_above(length),
        "loss_u": lost,
        "a": share,
    }
    return Found(observed, bound, met, found, {"loss_u": _slip(run, u)}, near=RAISED)


def passive_aggressive(run: LinearRun, claim: Claim) -> Found:
    """Form 1: Σ min(Cℓ, ℓ²/‖x‖²) ≤ ‖u‖² + 2C·Σℓ(u); form 2: Σℓ² ≤ (R² + 1/(2C))(‖u‖² + 2C·Σℓ(u)²)."""
    twin, u = _twin(run), claim.direction()
    limit, radius = Fraction(float(twin.C)), max(run.square_norms, default=Fraction(0))
    losses = [twin.loss_of(s, y) for s, y in zip(run.scores, run.labels, strict=True)]
    beyond = [max(Fraction(0), abs(error) - Fraction(twin.epsilon)) for error in run.errors(u)]
    if twin.form == 1:
        parts = [
            (loss, float(square)) for loss, square in zip(losses, run.square_norms, strict=True) if square
        ]
        observed = math.fsum(min(float(limit) * loss, loss * loss / square) for loss, square in parts)
        lost, factor = sum(beyond, Fraction(0)), Fraction(1)
    else:
        observed = math.fsum(loss * loss for loss in losses)
        lost, factor = sum((b * b for b in beyond), Fraction(0)), radius + 1 / (2 * limit)
    lost, length = _from_above(run, claim, u, lost), exact.square(u.values())
    found: dict[str, Number] = {
        "R": exact.root_above(radius),
        "norm_u": exact.root_above(length),
        "loss_u": lost,
    }
    bound = factor * (length + 2 * limit * lost)
    return Found(observed, bound, run.plain, found, {"loss_u": _slip(run, u)}, near=RAISED)


def quantile(run: LinearRun, claim: Claim) -> Found:
    """Σℓ ≤ Σℓ(u) + ‖u‖²/(2η) + (η/2)·Σg²‖x‖²."""
    twin, u = _twin(run), claim.direction()
    level, rate = Fraction(float(twin.quantile)), Fraction(float(twin.rate))
    observed = math.fsum(twin.loss_of(s, y) for s, y in zip(run.scores, run.labels, strict=True))
    lost = sum((max(-level * error, (1 - level) * error) for error in run.errors(u)), Fraction(0))
    lost, steps = _from_above(run, claim, u, lost), Fraction(0)
    for score, y, square in zip(run.scores, run.labels, run.square_norms, strict=True):
        slope = level if y > score else 1 - level if y < score else Fraction(0)
        steps += slope * slope * square
    length = exact.square(u.values())
    bound = lost + length / (2 * rate) + rate / 2 * steps
    found: dict[str, Number] = {"norm_u": exact.root_above(length), "loss_u": lost}
    return Found(observed, bound, run.plain, found, {"loss_u": _slip(run, u)}, near=RAISED)


def ridge(run: LinearRun, claim: Claim) -> Found:
    """Σ(ŷ − y)² ≤ a‖u‖² + Σ(⟨u,x⟩ − y)² + Y²·ln det(I + Σxxᵀ/a)."""
    observed, a = _squares(run), float(_twin(run).ridge)
    u = claim.direction()
    lost = _from_above(run, claim, u, sum((error * error for error in run.errors(u)), Fraction(0)))
    length, largest = exact.square(u.values()), max(map(abs, run.labels), default=0.0)
    logarithm, slack = up_to_trace(run.rows, a, log_determinant(run.rows, run.width, a, len(run.rows)))
    growth = largest**2 * logarithm
    found: dict[str, Number] = {
        "Y": largest,
        "norm_u": exact.root_above(length),
        "loss_u": lost,
        "growth": growth,
    }
    wide = largest**2 * slack
    bound = a * float(length) + float(lost) + max(growth - wide, 0.0)
    allowed: dict[str, Number] = {"loss_u": _slip(run, u), "growth": wide}
    return Found(
        observed, bound * (1.0 - RAISED), run.plain, found, allowed, near=2.0 * RAISED, over=2.0 * wide
    )


def _squares(run: LinearRun) -> float:
    """Σ(ŷ − y)²."""
    return math.fsum((s - y) * (s - y) for s, y in zip(run.scores, run.labels, strict=True))


def _slip(run: LinearRun, u: dict[Any, float]) -> Fraction:
    """What Σℓ(u) may be off by where u fits nearly, so that all of it is rounding."""
    fuzz = run.fuzz(u) + Fraction(max(map(abs, run.labels), default=0.0)) * Fraction(1, 2**46)
    return len(run.rows) * fuzz * (1 + fuzz)


def _from_above(run: LinearRun, claim: Claim, u: dict[Any, float], lost: Fraction) -> Fraction:
    """Σℓ(u) as it was told, if that is not below the truth and above it by no more than rounding explains.

    The bound was made of it, and where u fits nearly and numbers are large, it counts there.
    """
    told = claim.quantities.get("loss_u", 0.0)
    most = lost + _slip(run, u)
    return max(lost, min(Fraction(told), most)) if math.isfinite(told) else lost


def _twin(run: LinearRun) -> Any:
    """The twin, with the parameters that its rule has."""
    return run.twin


def ranks(run: LinearRun, claim: Claim) -> Found:
    """Σ|ŷ − y| ≤ (k − 1)(R² + 1)(‖u‖² + ‖c‖²)/γ²; the thresholds c are the certificate's choice."""
    u, between = claim.direction(), _twin(run).ranks - 1
    observed = run.by_importance(abs(said - y) for said, y in zip(run.said, run.labels, strict=True))
    cuts = [claim.told(f"c{r}") for r in range(1, between + 1)]
    gaps = [
        min((dot - cut if y > r else cut - dot) for r, cut in enumerate(cuts, 1))
        for dot, y in zip(exact.dots(run.rows, u), run.labels, strict=True)
    ]
    fuzz = run.fuzz(u) + Fraction(EPSILON) * max(map(abs, cuts))
    gamma = claim.at_most("gamma", min(gaps, default=Fraction(1)), fuzz)
    radius = max(run.square_norms, default=Fraction(0))
    length = exact.square(u.values()) + sum((cut * cut for cut in cuts), Fraction(0))
    found: dict[str, Number] = {
        "R": exact.root_above(radius),
        "norm": exact.root_above(length),
        "gamma": gamma,
        "wrong": sum(gap <= 0 for gap in gaps),
    }
    found |= {f"c{r}": cut for r, cut in enumerate(cuts, 1)}
    allowed: dict[str, Number] = {"wrong": sum(abs(gap) <= fuzz for gap in gaps)}
    bound = between * (radius + 1) * length / gamma**2 if gamma > 0 else None
    return Found(observed, bound, [*run.plain, gamma > 0], found, allowed)


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Cesa-Bianchi–Long–Warmuth": widrow_hoff,
    "Crammer et al. (regression)": passive_aggressive,
    "Zinkevich (quantile)": quantile,
    "Vovk–Azoury–Warmuth": ridge,
    "Crammer–Singer (ranks)": ranks,
}
