"""Novikoff's theorem in the space of a kernel, held against a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .claims import Claim, Found, Number
from .linear_runs import LinearRun
from .rounds import Refused

ROUNDS = 3000  # as many as are compared
EPSILON = 2.0**-52
ROUNDING = 1e-8
MOST = 1e-3  # no more than that is put down to rounding


def novikoff(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (R‖f‖/γ)², f = Σ a·K(x, ·) with the coefficients that the certificate gives."""
    twin: Any = run.twin
    met = [*run.plain[:2], not 0 < twin.budget < run.mistakes, len(run.rows) <= ROUNDS]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    rows, coefficients = [dict(row) for row in run.rows], _coefficients(claim, len(run.rows))
    scores, sizes = [], []
    for x in rows:
        parts = [a * twin.between(rows[t], x) for t, a in coefficients.items()]
        scores.append(math.fsum(parts))
        sizes.append(math.fsum(map(abs, parts)))
    total, error = math.fsum(map(abs, coefficients.values())), _error(run)
    fuzz = total * error + len(rows) * EPSILON * max(sizes, default=0.0)
    margins = [y * score for y, score in zip(run.labels, scores, strict=True)]
    wrong, least = sum(margin <= 0.0 for margin in margins), min(margins, default=1.0)
    allowed: dict[str, Number] = {"wrong": sum(abs(margin) <= fuzz for margin in margins)}
    if wrong:
        return Found(run.mistakes, None, [*met, False], {"wrong": wrong}, allowed)
    square = math.fsum(a * scores[t] for t, a in coefficients.items())
    radius = max((twin.between(x, x) for x in rows), default=0.0)
    near = 4.0 * fuzz / least + 2.0 * total * fuzz / (square or 1.0) + error / (radius or 1.0)
    bound = radius * square / least**2
    return Found(
        run.mistakes, bound, [*met, True], {"wrong": 0}, allowed, near=min(ROUNDING + 2.0 * near, MOST)
    )


def _error(run: LinearRun) -> float:
    """By how much K(x, z) may be off in doubles, as the writer reckons."""
    twin: Any = run.twin
    longest = float(max(run.square_norms, default=Fraction(0)))
    off = (run.width + 16.0) * EPSILON * longest
    if twin.kernel == "linear":
        return off
    if twin.kernel == "gaussian":
        return math.expm1(min(4.0 * twin.gamma * off, 1.0)) + 8.0 * EPSILON
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


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {"Novikoff (kernel)": novikoff}
