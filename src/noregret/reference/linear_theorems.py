"""The theorems of linear learners, held against a run in exact arithmetic: one small function each.

A function takes the run and the claim, and gives what it found. Of the claim it reads the witness and those
quantities that the theorem lets anybody choose (γ), after it has seen that they are allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from . import (
    exact,
    kernel_theorems,
    loss_theorems,
    margin_theorems,
    regression_theorems,
    second_order_theorems,
    winnow_theorems,
)
from .claims import Claim, Found, Number
from .linear_runs import LinearRun, Played, euclidean, with_gap
from .multiclass import Classes

SMALLEST, LARGEST = 1e-50, 1e50  # beyond, squares and their sums would leave the doubles


def novikoff(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (R‖u‖/γ)²."""
    u = claim.direction()
    margins, fuzz = run.margins(u), run.fuzz(u)
    least = min(margins, default=Fraction(1))
    gamma = claim.at_most("gamma", least, fuzz)
    radius, length = max(run.square_norms, default=Fraction(0)), exact.square(u.values())
    found: dict[str, Number] = {
        "R": exact.root_above(radius),
        "norm_u": exact.root_above(length),
        "gamma": gamma,
        "wrong": sum(m <= 0 for m in margins),
    }
    allowed: dict[str, Number] = {"wrong": sum(abs(m) <= fuzz for m in margins)}
    bound = radius * length / gamma**2 if gamma > 0 else None
    held = Found(run.mistakes, bound, [*run.plain, gamma > 0], found, allowed)
    return with_gap(run, claim, held, gamma / exact.root_above(length) if length else 0, euclidean)


def freund_schapire(run: LinearRun, claim: Claim) -> Found:
    """M ≤ ((R‖u‖ + D)/γ)² for any γ, R over the mistakes."""
    u = claim.direction()
    met = [*run.plain, any(u.values()) or run.mistakes == 0]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    margins, gamma = run.margins(u), claim.told("gamma")
    norms = [norm for norm, wrong in zip(run.square_norms, run.mistaken, strict=True) if wrong]
    radius, length = max(norms, default=Fraction(0)), exact.square(u.values())
    short = [max(Fraction(0), gamma - m) for m in margins]
    deficit = exact.root_above(sum((d * d for d in short), Fraction(0)))
    quantities: dict[str, Number] = {
        "R": exact.root_above(radius),
        "norm_u": exact.root_above(length),
        "gamma": gamma,
        "D": deficit,
    }
    if gamma <= 0:
        return Found(run.mistakes, None, [*run.plain, False], quantities)
    if deficit == 0:
        bound = radius * length / gamma**2
    else:
        bound = ((exact.root_above(radius * length) + deficit) / gamma) ** 2
    paid = sum((d for d, wrong in zip(short, run.mistaken, strict=True) if wrong), Fraction(0))
    strong = (exact.root_above(length * sum(norms, Fraction(0))) + paid) / gamma
    fuzz = run.fuzz(u) * len(margins)
    told = bound if run.mistakes <= strong else min(bound, strong)
    return Found(run.mistakes, told, met, quantities, {"D": fuzz})


def late_labels(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (1 + 2D)(R‖u‖/γ)²; behind it stands M² ≤ (R‖u‖/γ)²·(M + 2P), P mistakes overtaken."""
    u = claim.direction()
    margins, fuzz = run.margins(u), run.fuzz(u)
    gamma = claim.at_most("gamma", min(margins, default=Fraction(1)), fuzz)
    radius, length = max(run.square_norms, default=Fraction(0)), exact.square(u.values())
    found: dict[str, Number] = {
        "R": exact.root_above(radius),
        "norm_u": exact.root_above(length),
        "gamma": gamma,
        "D": run.lag,
        "P": run.overtaken,
        "wrong": sum(m <= 0 for m in margins),
    }
    allowed: dict[str, Number] = {"wrong": sum(abs(m) <= fuzz for m in margins)}
    met = [*run.plain[:2], gamma > 0]
    if gamma <= 0:
        return Found(run.mistakes, None, met, found, allowed)
    once = radius * length / gamma**2
    bound, sharp = (1 + 2 * run.lag) * once, once * (run.mistakes + 2 * run.overtaken)
    told = bound if run.mistakes**2 <= sharp else min(bound, exact.root_above(sharp))
    return Found(run.mistakes, told, met, found, allowed)


def silent(run: Played, _: Claim) -> Found:
    """No theorem says anything."""
    return Found(run.counted, None, [False], {})


def speaking(theorems: Mapping[str, Any], run: Played) -> Mapping[str, Any]:
    """What can be derived of a run, by name: nothing where its rows were scaled, or cannot be measured."""
    of_classes = isinstance(run.twin, Classes)
    numbers = [value for row in run.rows for _, value in row]
    sizes = [max(map(abs, numbers), default=0.0)]
    if run.numeric and not of_classes:
        sizes.append(max(map(abs, run.labels), default=0.0))
    beyond = any(size and not SMALLEST <= size <= LARGEST for size in sizes)
    undecided = of_classes or any(map(math.isnan, run.twin.scalars.values()))
    if run.twin.scaling is not None or beyond or (undecided and not run.labels):
        return dict.fromkeys(theorems, silent)
    return theorems


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Novikoff": novikoff,
    "Freund–Schapire": freund_schapire,
    "Li–Long": novikoff,
    "Late labels": late_labels,
    **margin_theorems.THEOREMS,
    **loss_theorems.THEOREMS,
    **second_order_theorems.THEOREMS,
    **kernel_theorems.THEOREMS,
    **winnow_theorems.THEOREMS,
    **regression_theorems.THEOREMS,
}
