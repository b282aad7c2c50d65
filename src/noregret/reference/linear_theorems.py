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
from .shortfalls import (
    Form,
    Price,
    any_data,
    at_a_mistake,
    deficit,
    hinge_form,
    lack,
    positive,
    shortfalls,
    squared_form,
)

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
    return _any_data(run, claim, "D", squared_form, deficit)


def hinges(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (a/2 + √(a²/4 + L))² for any γ, a = R‖u‖/γ, R over the mistakes."""
    return _any_data(run, claim, "L", hinge_form, lack)


def _any_data(run: LinearRun, claim: Claim, name: str, form: Form, price: Price) -> Found:
    u = claim.direction()
    if not all(met := [*run.plain, any(u.values()) or run.mistakes == 0]):
        return Found(run.mistakes, None, met, {})
    short = shortfalls(run.margins(u), positive(claim, "gamma"), run.fuzz(u))
    return any_data(run, met, exact.square(u.values()), short, 1, (name, form, price))


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


def late_hinges(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (a/2 + √(a²/4 + L))², a = R‖u‖√(1 + 2D)/γ; behind it stands Mγ ≤ R‖u‖√(M + 2P) + Lγ."""
    u = claim.direction()
    if not all(met := [*run.plain[:2], any(u.values()) or run.mistakes == 0]):
        return Found(run.mistakes, None, met, {})
    short = shortfalls(run.margins(u), positive(claim, "gamma"), run.fuzz(u))
    radius, length = max(run.square_norms, default=Fraction(0)), exact.square(u.values())
    bound, (price, more) = hinge_form(short, radius * length * (1 + 2 * run.lag)), lack(short)
    walked = exact.root_above(radius * length * (run.mistakes + 2 * run.overtaken))
    found: dict[str, Number] = {
        "R": exact.root_above(radius),
        "norm_u": exact.root_above(length),
        "gamma": short.gamma,
        "L": price,
        "D": run.lag,
        "P": run.overtaken,
    }
    told = at_a_mistake(run.mistakes, bound.value, (walked + short.linear) / short.gamma)
    return Found(run.mistakes, told, met, found, {"L": more}, over=bound.over)


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
    "Mohri–Rostamizadeh": hinges,
    "Li–Long": novikoff,
    "Late labels": late_labels,
    "Late labels (any data)": late_hinges,
    **margin_theorems.THEOREMS,
    **loss_theorems.THEOREMS,
    **second_order_theorems.THEOREMS,
    **kernel_theorems.THEOREMS,
    **winnow_theorems.THEOREMS,
    **regression_theorems.THEOREMS,
}
