"""The theorems of the Winnows, held against a run played again: one small function each."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .linear_runs import LinearRun, with_gap
from .loss_theorems import OUTWARD
from .rounds import Refused
from .shortfalls import positive, shortfalls


def _head(run: LinearRun) -> tuple[float, float, float]:
    """α, Θ and B = α/(α−1)·N/Θ."""
    alpha, theta = float(run.parameters.get("promotion", 2.0)), float(run.twin.scalars["threshold"])
    return alpha, theta, alpha / (alpha - 1.0) * len(run.occurring) / theta


def disjunction(run: LinearRun, claim: Claim) -> Found:
    """M ≤ α/(α−1)·N/Θ + (1+α)·K·(1 + log_α Θ)."""
    alpha, theta, head = _head(run)
    u = run.restricted(claim.direction())
    reached = exact.dots(run.rows, u)
    wrong = sum((dot > 0) != (label > 0) for dot, label in zip(reached, run.labels, strict=True))
    size = sum(value != 0.0 for value in u.values())
    bound = head + (1 + alpha) * size * (1 + math.log2(theta) / math.log2(alpha))
    quantities: dict[str, Number] = {"K": size, "N": len(run.occurring), "wrong": wrong}
    met = [*run.plain, wrong == 0 and min(u.values(), default=0.0) >= 0.0]
    return Found(run.mistakes, bound, met, quantities)


def threshold(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (1+α)·(A + (1−δ)B)/(1 − (1−δ)α) + B for a target μ ≥ 0."""
    alpha, theta, head = _head(run)
    mu = run.restricted(claim.direction())
    reached = exact.dots(run.rows, mu)
    least = min((r for r, y in zip(reached, run.labels, strict=True) if y > 0), default=None)
    most = max((r for r, y in zip(reached, run.labels, strict=True) if y < 0), default=Fraction(0))
    most = max(most, Fraction(0))
    if least is None:  # no positive: μ may be as small as it likes
        least = max(2 * most, Fraction(1))
    keep = float(most / least) if least > 0 else 1.0
    mass = float(sum(map(Fraction, mu.values()), Fraction(0)) / least) if least > 0 else math.inf
    quantities: dict[str, Number] = {"delta": 1 - keep, "sum_mu": mass, "N": len(run.occurring)}
    allowed: dict[str, Number] = {"delta": 1e-9 * max(1.0, keep)}
    met = [*run.plain, least > 0 and keep * alpha < 1 and min(mu.values(), default=0.0) >= 0.0]
    if not all(met):
        return Found(run.mistakes, None, met, quantities, allowed)
    told = 1 - float(claim.told("delta"))
    first = mass * (1 + math.log2(theta) / math.log2(alpha)) + told * head
    bound = (1 + alpha) * first / (1 - told * alpha) + head
    return Found(run.mistakes, bound, met, quantities, allowed, near=1e-8)


def any_data(run: LinearRun, claim: Claim) -> Found:
    """M ≤ (1+α)·(A + (1−δ)B + D)/(1 − (1−δ)α) + B for any target μ ≥ 0 and any δ, D the shortfalls."""
    alpha, theta, head = _head(run)
    mu = run.restricted(claim.direction())
    met = [*run.plain, all(value >= 0.0 for value in mu.values())]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    delta = claim.told("delta")
    keep = 1 - delta
    if not (0 < delta <= 1 and keep * Fraction(alpha) < 1):
        raise Refused(
            f"{claim.theorem}: delta is {float(delta)!r} in the certificate; (1−δ)α must be below 1"
        )
    reached = exact.dots(run.rows, mu)
    short = [
        max(Fraction(0), 1 - dot if y > 0 else dot - keep) for dot, y in zip(reached, run.labels, strict=True)
    ]
    lack, mass = sum(short, Fraction(0)), sum(map(Fraction, mu.values()), Fraction(0))
    # A weight of μ was rounded, and every sum; where nothing falls short that is all there is.
    room = 2.0**-52 * (len(short) + 16.0)
    more = math.fsum(float(run.fuzz(mu)) + room * (1.0 + float(dot)) for dot in reached)
    height = 1 + math.log2(theta) / math.log2(alpha)

    def bound(lack: float) -> float:
        first = float(mass) * height + float(keep) * head + lack
        return (1 + alpha) * first / float(1 - keep * Fraction(alpha)) + head

    found: dict[str, Number] = {"delta": delta, "sum_mu": mass, "D": lack, "N": len(run.occurring)}
    value = bound(float(lack))
    over = bound(float(lack) + more) - value
    return Found(run.mistakes, value, met, found, {"D": more}, near=OUTWARD, over=over)


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
        v = run.restricted(claim.direction())
        length = sum((abs(Fraction(x)) for x in v.values()), Fraction(0))
        margins, fuzz = run.margins(v), run.fuzz(v)
        least = min(margins, default=length)
        allowed = fuzz / length if length else Fraction(0)
        usable = length > 0 and (balanced or min(v.values()) >= 0.0)
        rho = float(claim.at_most("rho", least / length if usable else 0, allowed))
        radius = max((abs(x) for row in run.rows for _, x in row), default=0.0)
        count = len(run.occurring) * (2 if balanced else 1)
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


def kivinen_warmuth_any_data(balanced: bool) -> Callable[[LinearRun, Claim], Found]:
    """M ≤ (ln N − H(v) + ηD)/(ηρ) + η/(8ρ)·Σs² over the mistakes, for any mixture v and any ρ."""

    def hold(run: LinearRun, claim: Claim) -> Found:
        rate = float(run.parameters.get("rate", 0.1))
        v = run.restricted(claim.direction())
        length = sum((abs(Fraction(x)) for x in v.values()), Fraction(0))
        usable = length > 0 and (balanced or min(v.values()) >= 0.0)
        met = [*run.plain, usable or not run.labels]
        if not all(met) or not run.labels:
            return Found(run.mistakes, 0, met, {})
        rho, count = positive(claim, "rho"), len(run.occurring) * (2 if balanced else 1)
        short = shortfalls([m / length for m in run.margins(v)], rho, run.fuzz(v) / length)
        shares = [float(abs(Fraction(x)) / length) for x in v.values() if x]
        divergence = math.log(count) + math.fsum(share * math.log(share) for share in shares)
        spreads = sum(
            (spread(row) for row, wrong in zip(run.rows, run.mistaken, strict=True) if wrong), Fraction(0)
        )

        def bound(lack: Fraction) -> float:
            paid = (divergence + rate * float(lack)) / (rate * float(rho))
            return paid + rate / (8.0 * float(rho)) * float(spreads)

        found: dict[str, Number] = {
            "rho": rho,
            "KL": divergence,
            "D": short.linear,
            "S": spreads,
            "N": count,
        }
        value = bound(short.linear)
        over = bound(short.linear + short.more_linear) - value + 1e-11 / (rate * float(rho))
        near: dict[str, Number] = {"KL": 1e-11, "D": short.more_linear}
        return Found(run.mistakes, value, met, found, near, near=OUTWARD, over=over)

    def spread(row: list[tuple[Any, float]]) -> Fraction:
        """(max x − min x)², absent features 0; or (2·max |x|)²."""
        values = [Fraction(value) for _, value in row] + [Fraction(0)]
        return (2 * max(map(abs, values)) if balanced else max(values) - min(values)) ** 2

    return hold


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Littlestone (disjunctions)": disjunction,
    "Littlestone (thresholds)": threshold,
    "Littlestone (any data)": any_data,
    "Littlestone (bookkeeping)": bookkeeping,
    "Kivinen–Warmuth (normalised)": kivinen_warmuth(balanced=False),
    "Kivinen–Warmuth (balanced)": kivinen_warmuth(balanced=True),
    "Kivinen–Warmuth (normalised, any data)": kivinen_warmuth_any_data(balanced=False),
    "Kivinen–Warmuth (balanced, any data)": kivinen_warmuth_any_data(balanced=True),
}
