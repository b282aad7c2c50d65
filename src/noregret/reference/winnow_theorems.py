"""The theorems of the Winnows, held against a run played again: one small function each."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .linear_runs import LinearRun, with_gap


def _head(run: LinearRun) -> tuple[float, float, float]:
    """α, Θ and B = α/(α−1)·N/Θ."""
    alpha, theta = float(run.parameters.get("promotion", 2.0)), float(run.twin.scalars["threshold"])
    return alpha, theta, alpha / (alpha - 1.0) * len(run.features) / theta


def disjunction(run: LinearRun, claim: Claim) -> Found:
    """M ≤ α/(α−1)·N/Θ + (1+α)·K·(1 + log_α Θ)."""
    alpha, theta, head = _head(run)
    chosen = {f for f, value in claim.direction().items() if value != 0.0}
    says = [1.0 if any(f in chosen for f, _ in row) else -1.0 for row in run.rows]
    wrong = sum(said != label for said, label in zip(says, run.labels, strict=True))
    bound = head + (1 + alpha) * len(chosen) * (1 + math.log2(theta) / math.log2(alpha))
    quantities: dict[str, Number] = {"K": len(chosen), "N": len(run.features), "wrong": wrong}
    return Found(run.mistakes, bound, [*run.plain, wrong == 0], quantities)


def threshold(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (1+α)·(A + (1−δ)B)/(1 − (1−δ)α) + B for a target μ ≥ 0."""
    alpha, theta, head = _head(run)
    mu = {f: max(value, 0.0) for f, value in claim.direction().items()}
    reached = exact.dots(run.rows, mu)
    least = min((r for r, y in zip(reached, run.labels, strict=True) if y > 0), default=None)
    most = max((r for r, y in zip(reached, run.labels, strict=True) if y < 0), default=Fraction(0))
    most = max(most, Fraction(0))
    if least is None:  # no positive: μ may be as small as it likes
        least = max(2 * most, Fraction(1))
    keep = float(most / least) if least > 0 else 1.0
    mass = float(sum(map(Fraction, mu.values()), Fraction(0)) / least) if least > 0 else math.inf
    quantities: dict[str, Number] = {"delta": 1 - keep, "sum_mu": mass, "N": len(run.features)}
    allowed: dict[str, Number] = {"delta": 1e-9 * max(1.0, keep)}
    met = [*run.plain, least > 0 and keep * alpha < 1]
    if not all(met):
        return Found(run.mistakes, None, met, quantities, allowed)
    told = 1 - float(claim.told("delta"))
    first = mass * (1 + math.log2(theta) / math.log2(alpha)) + told * head
    bound = (1 + alpha) * first / (1 - told * alpha) + head
    return Found(run.mistakes, bound, met, quantities, allowed, near=1e-8)


def bookkeeping(run: LinearRun, claim: Claim) -> Found:
    """v ≤ α/(α−1)·N/Θ + α·u at every moment, and no weight beyond α·Θ."""
    alpha, theta, head = _head(run)
    scalars = run.twin.scalars
    ceiling = max(alpha * theta, 1.0)
    counted = scalars["promotions"] + scalars["demotions"] == run.updates
    sound = counted and scalars["highest"] <= ceiling * (1 + 1e-12)
    quantities: dict[str, Number] = {k: scalars[k] for k in ("promotions", "demotions", "highest")}
    observed = scalars["lead"] if sound else head * 2 + 1
    return Found(observed, head, run.plain, quantities | {"ceiling": ceiling})


def kivinen_warmuth(balanced: bool) -> Callable[[LinearRun, Claim], Found]:
    """M ≤ ln N/(ηρ − η²r²/2), N counting features twice when balanced."""

    def hold(run: LinearRun, claim: Claim) -> Found:
        rate = float(run.parameters.get("rate", 0.1))
        v = {f: x if balanced else max(x, 0.0) for f, x in claim.direction().items()}
        length = sum((abs(Fraction(x)) for x in v.values()), Fraction(0))
        margins, fuzz = run.margins(v), run.fuzz(v)
        least = min(margins, default=length)
        allowed = fuzz / length if length else Fraction(0)
        rho = float(claim.at_most("rho", least / length if length else 0, allowed))
        radius = max((abs(x) for row in run.rows for _, x in row), default=0.0)
        count = len(run.features) * (2 if balanced else 1)
        gain = rate * rho - rate * rate * radius * radius / 2
        bound = math.log(max(count, 1)) / gain if gain > 0 and rho > 0 else None
        quantities: dict[str, Number] = {
            "rho": rho,
            "r": radius,
            "N": count,
            "wrong": sum(m <= 0 for m in margins),
        }
        near: dict[str, Number] = {"wrong": sum(abs(m) <= fuzz for m in margins)}
        held = Found(run.mistakes, bound, [*run.plain, rho > 0, gain > 0], quantities, near)
        return with_gap(run, claim, held, rho, largest)

    def largest(vector: dict[Any, Fraction]) -> Fraction:
        """Max |z|, or max z where v ≥ 0."""
        return max((abs(z) if balanced else z for z in vector.values()), default=Fraction(0))

    return hold


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Littlestone (disjunctions)": disjunction,
    "Littlestone (thresholds)": threshold,
    "Littlestone (bookkeeping)": bookkeeping,
    "Kivinen–Warmuth (normalised)": kivinen_warmuth(balanced=False),
    "Kivinen–Warmuth (balanced)": kivinen_warmuth(balanced=True),
}
