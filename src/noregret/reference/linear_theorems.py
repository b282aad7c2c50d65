"""The theorems of linear learners, held against a run in exact arithmetic: one small function each.

A function takes the run and the claim, and gives what it found. Of the claim it reads the witness and those
quantities that the theorem lets anybody choose (γ), after it has seen that they are allowed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .linear import Feature, Linear
from .rounds import Refused, Round

EPSILON = 2.0**-46  # times Σ|x·u|: what the writer may have moved a margin by


class LinearRun:
    """A linear learner played again by its twin, and the labelled rounds it was played on."""

    def __init__(self, twin: Linear, parameters: dict[str, Any], rounds: Sequence[Round], skip: bool) -> None:
        """Play; with `skip`, rounds that the twin refuses are passed over."""
        self.twin, self.parameters = twin, parameters
        self.rounds = self.mistakes = self.updates = 0
        self.rows: list[list[tuple[Any, float]]] = []
        self.labels: list[float] = []
        self.mistaken: list[bool] = []
        self.features: dict[Feature, None] = {}
        self.weighted = False
        for now in rounds:
            self._play(now, skip)

    def _play(self, now: Round, skip: bool) -> None:
        x = list(zip(now.features, now.values, strict=True))
        try:
            said = self.twin.predict(x)
            updated = self.twin.learn(x, now.label, now.weight)
        except ValueError:
            if skip:
                return
            raise
        self.rounds += 1
        if now.label is None:
            return
        self.weighted |= now.weight != 1.0
        self.updates += updated
        self.mistakes += said != now.label
        merged: dict[Any, float] = {}
        for feature, value in self.twin.row(x):
            merged[feature] = merged.get(feature, 0.0) + value
        self.features |= dict.fromkeys(now.features)
        self.rows.append([pair for pair in merged.items() if pair[1] != 0.0])
        self.labels.append(now.label)
        self.mistaken.append(said != now.label)

    @property
    def plain(self) -> list[bool]:
        """From the beginning, every round counting once, and every label before the next round."""
        return [True, not self.weighted, True]

    def margins(self, witness: dict[Any, float]) -> list[Fraction]:
        """y⟨u, x⟩ of every round."""
        return [m if y > 0 else -m for m, y in zip(exact.dots(self.rows, witness), self.labels, strict=True)]

    def fuzz(self, witness: dict[Any, float]) -> Fraction:
        """What a margin may be off by in doubles."""
        sizes = (sum(abs(v * witness.get(f, 0.0)) for f, v in row) for row in self.rows)
        longest = max(map(len, self.rows), default=0) + 2
        return Fraction(max(sizes, default=0.0) * EPSILON * longest)

    @cached_property
    def square_norms(self) -> list[Fraction]:
        """‖x‖² of every round."""
        return [exact.square(v for _, v in row) for row in self.rows]


def with_gap(
    run: LinearRun,
    claim: Claim,
    found: Found,
    margin: Number,
    norm: Callable[[dict[Any, Fraction]], Fraction],
) -> Found:
    """Add what the dual proves: for weights α of rounds that add up to 1, no margin is above ‖Σα·y·x‖."""
    if claim.dual is None:
        return found
    weights = [Fraction(float(weight)) for weight in claim.dual["weights"]]
    if len(weights) != len(claim.dual["rounds"]) or min(weights) < 0 or sum(weights) <= 0:
        raise Refused(f"{claim.theorem}: the dual is no set of weights over rounds")
    mixed: dict[Any, Fraction] = {}
    for r, weight in zip(claim.dual["rounds"], weights, strict=True):
        for feature, value in run.rows[r]:
            moved = weight * Fraction(value) * Fraction(run.labels[r])
            mixed[feature] = mixed.get(feature, Fraction(0)) + moved
    most = norm(mixed) / sum(weights)
    largest = max((abs(value) for row in run.rows for _, value in row), default=0.0)
    slip = 1e-9 * max(float(most), largest)
    found.quantities |= {"margin_at_most": most, "gap": max(Fraction(0), most - Fraction(margin))}
    found.allowed |= {"margin_at_most": 1e-3 * slip, "gap": slip}
    return found


def euclidean(vector: dict[Any, Fraction]) -> Fraction:
    """√Σz²."""
    return exact.root_above(sum((z * z for z in vector.values()), Fraction(0)))


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
    "Novikoff": novikoff,
    "Freund–Schapire": freund_schapire,
    "Littlestone (disjunctions)": disjunction,
    "Littlestone (thresholds)": threshold,
    "Littlestone (bookkeeping)": bookkeeping,
    "Kivinen–Warmuth (normalised)": kivinen_warmuth(balanced=False),
    "Kivinen–Warmuth (balanced)": kivinen_warmuth(balanced=True),
}
