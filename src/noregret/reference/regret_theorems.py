"""The theorems of rules that look at regrets and their squares, held against a run played again."""

from __future__ import annotations

import math
from collections.abc import Callable

from .claims import NEAR, Claim, Found
from .expert_account import ExpertsRun
from .expert_theorems import found_for, regret_of, slip, unit_losses

OUTWARD = 1e-9  # the share that is added to a bound which is read off a potential


def adahedge(run: ExpertsRun, claim: Claim) -> Found:
    """2√(V ln N) + S(4/3·ln N + 2)."""
    variance = sum(
        p * r * r for turn in run.turns for p, r in zip(turn.everybody, run.regrets(turn), strict=True)
    )
    widest = max(run.spreads, default=0.0)

    def of(squares: float) -> float:
        return 2.0 * math.sqrt(squares * run.log_n) + widest * (4.0 / 3.0 * run.log_n + 2.0)

    bound = of(variance)
    slack = _above(run, of, variance)
    return found_for(run, regret_of(run), bound, [True, True], 1e-8, slack, V=variance, S=widest)


def _above(run: ExpertsRun, of: Callable[[float], float], squares: float) -> float:
    """What is added to a bound of a sum of squares."""
    most = of(run.squares_above(squares))
    return run.tolerance(most) + most - of(squares)


def _worst(run: ExpertsRun, bounds: list[float], claim: Claim, name: str, shown: list[float]) -> int:
    """The best expert, unless the bound of another is exceeded.

    Of several that rounding cannot tell apart, the writer may have taken any: it is the one
    whose `shown` and whose bound were told. The theorem is about each of them.
    """
    over = [run.loss - lost - bound for lost, bound in zip(run.losses, bounds, strict=True)]
    worth = over if max(over) > 0.0 else [-lost for lost in run.losses]
    alike = [i for i in range(run.n) if worth[i] >= max(worth) - slip(run, NEAR)]
    told = claim.quantities.get(name)

    def away(i: int) -> float:
        aside = 0.0 if told is None else abs(shown[i] - told)
        return aside + (0.0 if claim.bound is None else abs(bounds[i] - claim.bound))

    return min(alike, key=away)


def squint(run: ExpertsRun, claim: Claim) -> Found:
    """Min over η = 2⁻ᵏ of (ln N + ln(k(k+1)))/η + η·V."""

    def of(v: float) -> float:
        return min((run.log_n + math.log(k * (k + 1.0))) * 2.0**k + 2.0**-k * v for k in range(1, 21))

    slack = [_above(run, of, v) for v in run.squares]
    i = _worst(run, [of(v) + s for v, s in zip(run.squares, slack, strict=True)], claim, "V", run.squares)
    met, v = [unit_losses(run), True], run.squares[i]
    return found_for(run, run.loss - run.losses[i], of(v), met, 1e-8, slack[i], V=v)


def mlprod(run: ExpertsRun, claim: Claim) -> Found:
    """C/√ln N·√(1 + V) + 2C."""
    log_n = max(run.log_n, math.log(2.0))
    c = 3.0 * log_n + math.log1p(run.n / (2.0 * math.e) * (1.0 + math.log(run.rounds + 1.0)))

    def of(v: float) -> float:
        return c / math.sqrt(log_n) * math.sqrt(1.0 + v) + 2.0 * c

    slack = [_above(run, of, v) for v in run.squares]
    i = _worst(run, [of(v) + s for v, s in zip(run.squares, slack, strict=True)], claim, "V", run.squares)
    met, v = [unit_losses(run), True, True], run.squares[i]
    return found_for(run, run.loss - run.losses[i], of(v), met, 1e-8, slack[i], C=c, V=v)


def polynomial(run: ExpertsRun, claim: Claim) -> Found:
    """√(Γ·(B + V)), Γ by how much Σ max(R, 0)²/(B + V) grew beyond its slope."""
    regret, square, largest, excess = [0.0] * run.n, [0.0] * run.n, 0.0, 0.0

    def part(i: int) -> float:
        return max(regret[i], 0.0) if largest + square[i] > 1e-200 else 0.0

    for turn in run.turns:
        moved = run.regrets(turn)
        before = [part(i) for i in range(run.n)]
        scale = [largest + s for s in square]
        allowed = [
            (b * b + 2.0 * b * r) / s if b > 0.0 else 0.0
            for b, r, s in zip(before, moved, scale, strict=True)
        ]
        largest = max([largest, *(r * r for r in moved)])
        for i, r in enumerate(moved):
            regret[i] += r
            square[i] += r * r
            after = part(i)
            excess += max(0.0, (after * after / (largest + square[i]) if after > 0.0 else 0.0) - allowed[i])
    bounds = [math.sqrt(excess * (largest + v)) for v in square]
    slack = [OUTWARD * bound + run.rounding + 1e-100 * run.rounds for bound in bounds]
    i = _worst(run, [b + s for b, s in zip(bounds, slack, strict=True)], claim, "V", square)
    over, v = run.loss - run.losses[i], square[i]
    return found_for(run, over, bounds[i], [True], 1e-7, slack[i], excess=excess, V=v)


def bernstein(run: ExpertsRun, claim: Claim) -> Found:
    """(2/η)·ln(N + Γ) + corrections, Γ by how much Σ exp(η·R) grew beyond its slope."""
    start = 2.0**-20
    rate, square, largest = [start] * run.n, [start] * run.n, [start] * run.n
    regret, correction, excess = [0.0] * run.n, [0.0] * run.n, 0.0
    for turn in run.turns:
        for i, loss in enumerate(turn.losses):
            if loss is None:
                continue
            r = turn.own - loss
            allowed = math.exp(min(rate[i] * regret[i], 700.0)) * (1.0 + 0.5 * rate[i] * r)
            largest[i] = max(largest[i], abs(r))
            fraction, exponent = math.frexp(largest[i])
            power = largest[i] if fraction == 0.5 else 2.0**exponent
            square[i] += r * r
            rate[i] = min(1.0 / power, math.sqrt(math.log(max(run.n, 2)) / square[i]))
            change = rate[i] * r * r - (power if rate[i] * r > 0.5 else 0.0)
            correction[i] += change
            regret[i] += 0.5 * (r - change)
            excess += max(0.0, math.exp(min(rate[i] * regret[i], 700.0)) - allowed)
    bounds = [2.0 / e * math.log(run.n + excess) + c for e, c in zip(rate, correction, strict=True)]
    slack = [OUTWARD * abs(bound) + run.rounding for bound in bounds]
    i = _worst(run, [b + s for b, s in zip(bounds, slack, strict=True)], claim, "eta", rate)
    over = run.loss - run.losses[i]
    return found_for(run, over, bounds[i], [True], 1e-7, slack[i], excess=excess, eta=rate[i])


THEOREMS: dict[str, Callable[[ExpertsRun, Claim], Found]] = {
    "de Rooij et al.": adahedge,
    "Koolen–van Erven": squint,
    "Gaillard–Stoltz–van Erven": mlprod,
    "Polynomial potential": polynomial,
    "Wintenberger": bernstein,
}
