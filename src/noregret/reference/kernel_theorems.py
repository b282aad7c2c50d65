"""The theorems of the Perceptron in the space of a kernel, held against a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from . import exact
from .claims import Claim, Found, Number
from .linear_runs import LinearRun
from .rounds import Refused
from .shortfalls import Form, hinge_form, lack, positive, shortfalls, squared_form

EPSILON = 2.0**-52
ROUNDING = 1e-8
TINY = 1e-100


class Function(NamedTuple):
    """f = Σ a·K(x, ·) with the coefficients of the certificate, over a run."""

    margins: list[float]  # y·f(x)
    square: float  # ‖f‖²
    lengths: list[float]  # K(x, x)
    fuzz: float  # what a margin may be off by
    square_fuzz: float
    error: float  # what K(x, z) may be off by


def novikoff(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (R‖f‖/γ)²."""
    if not all(met := _met(run)):
        return Found(run.mistakes, None, met, {})
    f = _function(run, claim)
    if f is None:
        return Found(run.mistakes, 0, [*met, not run.rows], {})
    wrong, least = sum(margin <= 0.0 for margin in f.margins), min(f.margins, default=1.0)
    nearly = sum(abs(margin) <= 2.0 * f.fuzz for margin in f.margins)
    allowed: dict[str, Number] = {"wrong": nearly}
    if wrong or 0.0 < claim.quantities.get("wrong", 0.0) <= nearly:  # a margin that the writer rounded to 0
        return Found(run.mistakes, None, [*met, False], {"wrong": wrong}, allowed)
    radius = max(f.lengths, default=0.0)
    bound = radius * f.square / least**2
    most = (radius + 2.0 * f.error) * (f.square + 2.0 * f.square_fuzz) / max(least - 2.0 * f.fuzz, TINY) ** 2
    return Found(run.mistakes, bound, [*met, True], {"wrong": 0}, allowed, near=ROUNDING, over=most - bound)


def freund_schapire(run: LinearRun, claim: Claim) -> Found:
    """M ≤ ((R‖f‖ + D)/γ)² for any γ, R² the largest K(x, x) of the mistakes."""
    return _any_data(run, claim, squared_form)


def hinges(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (a/2 + √(a²/4 + L))² for any γ, a = R‖f‖/γ."""
    return _any_data(run, claim, hinge_form)


def _any_data(run: LinearRun, claim: Claim, form: Form) -> Found:
    if not all(met := _met(run)):
        return Found(run.mistakes, None, met, {})
    f = _function(run, claim)
    if f is None:  # f = 0 allows a mistake in every round
        return Found(run.mistakes, len(run.rows), met, {})
    if not f.square > 0.0:
        return Found(run.mistakes, None, [*met, False], {})
    short = shortfalls([Fraction(m) for m in f.margins], positive(claim, "gamma"), Fraction(2.0 * f.fuzz))
    radius = max((x for x, wrong in zip(f.lengths, run.mistaken, strict=True) if wrong), default=0.0)
    bound = form(short, Fraction(radius) * Fraction(f.square))
    wide, long = radius + 2.0 * f.error, f.square + 2.0 * f.square_fuzz
    more_linear, more_squares = short.linear + short.more_linear, short.squares + short.more_squares
    looser = short._replace(linear=more_linear, squares=more_squares)
    over = form(looser, Fraction(wide) * Fraction(long)).value - bound.value
    found: dict[str, Number] = {
        "R": math.sqrt(radius),
        "norm_f": math.sqrt(f.square),
        "gamma": short.gamma,
    }
    found["L"], more = lack(short)
    allowed: dict[str, Number] = {
        "L": more,
        "R": math.sqrt(wide) - math.sqrt(radius),
        "norm_f": math.sqrt(long) - math.sqrt(f.square),
    }
    if not _proved(run, f, short.each, short.gamma):
        return Found(run.mistakes, 0, met, found)  # what the proof says of the mistakes themselves is broken
    return Found(run.mistakes, float(bound.value), met, found, allowed, near=ROUNDING, over=over)


def _proved(run: LinearRun, f: Function, short: list[Fraction], gamma: Fraction) -> bool:
    """Mγ ≤ ‖f‖·√ΣK(x, x) + Σ max(0, γ − m), over the mistakes."""
    walked = math.fsum(x for x, wrong in zip(f.lengths, run.mistaken, strict=True) if wrong)
    paid = sum((d for d, wrong in zip(short, run.mistaken, strict=True) if wrong), Fraction(0))
    reach = exact.root_above(Fraction(walked) * Fraction(f.square + f.square_fuzz)) + run.mistakes * Fraction(
        f.fuzz
    )
    return run.mistakes * gamma <= (reach + paid) * (1 + Fraction(1, 10**8))


def _met(run: LinearRun) -> list[bool]:
    twin: Any = run.twin
    return [*run.plain[:2], not 0 < twin.budget < run.mistakes]


def _function(run: LinearRun, claim: Claim) -> Function | None:
    """The function of the certificate; None where it has no coefficient."""
    coefficients = _coefficients(claim, len(run.rows))
    if not coefficients:
        return None
    twin: Any = run.twin
    rows = [dict(row) for row in run.rows]
    scores, sizes = [], []
    for x in rows:
        parts = [a * twin.between(rows[t], x) for t, a in coefficients.items()]
        scores.append(math.fsum(parts))
        sizes.append(math.fsum(map(abs, parts)))
    total, error = math.fsum(map(abs, coefficients.values())), _error(run)
    # The writer adds over all rows of a short run, most of them with the coefficient 0.
    terms = len(rows) + len(coefficients) + 8
    fuzz = total * error + terms * EPSILON * max(sizes, default=0.0)
    margins = [y * score for y, score in zip(run.labels, scores, strict=True)]
    square = math.fsum(a * scores[t] for t, a in coefficients.items())
    return Function(margins, square, [twin.between(x, x) for x in rows], fuzz, 2.0 * total * fuzz, error)


def _error(run: LinearRun) -> float:
    """By how much K(x, z) may be off in doubles, as the writer reckons."""
    twin: Any = run.twin
    longest = float(max(run.square_norms, default=Fraction(0)))
    off = (run.width + 16.0) * EPSILON * longest
    if twin.kernel == "linear":
        return off
    if twin.kernel == "gaussian":
        return min(math.expm1(min(8.0 * twin.gamma * off, 1.0)) + 8.0 * EPSILON, 1.0)
    base = longest + off + twin.offset
    return float(twin.degree * (2.0 * off + 4.0 * EPSILON * base) * base ** (twin.degree - 1.0))


def _coefficients(claim: Claim, rounds: int) -> dict[int, float]:
    """The coefficient of every round that has one."""
    told = claim.dual or {"rounds": [], "weights": []}
    try:
        found = {int(t): float(a) for t, a in zip(told["rounds"], told["weights"], strict=True)}
    except (KeyError, TypeError, ValueError, OverflowError):
        found = {-1: 0.0}
    if not all(0 <= t < rounds and math.isfinite(a) for t, a in found.items()):
        raise Refused(f"{claim.theorem}: the dual is no set of coefficients of rounds")
    return found


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Novikoff (kernel)": novikoff,
    "Freund–Schapire (kernel)": freund_schapire,
    "Mohri–Rostamizadeh (kernel)": hinges,
}
