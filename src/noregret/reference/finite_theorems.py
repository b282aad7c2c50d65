"""The theorems of learners over a finite class, held against a run played again: one small function each."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from .claims import Claim, Found, Number
from .finite_runs import FiniteRun, expert_count


def _realizable(run: FiniteRun) -> list[bool]:
    return [True, True, True, run.unexplained is None]


def consistent(run: FiniteRun, claim: Claim) -> Found:
    """M ≤ |H| − 1."""
    return Found(run.mistakes, run.table.size - 1, _realizable(run), {"H": run.table.size})


def halving(run: FiniteRun, claim: Claim) -> Found:
    """M ≤ ⌊log₂|H|⌋."""
    return Found(run.mistakes, run.table.size.bit_length() - 1, _realizable(run), {"H": run.table.size})


def soa(run: FiniteRun, claim: Claim) -> Found:
    """M ≤ Ldim(H)."""
    depth = run.dimensions.of(run.table.everybody)
    return Found(run.mistakes, depth, _realizable(run), {"Ldim": depth})


def logarithm(run: FiniteRun, claim: Claim) -> Found:
    """E[M] ≤ ln|H|."""
    size = run.table.size
    return Found(run.expected, math.log(size), _realizable(run), {"H": size}, {"observed": _slip(run)})


def harmonic(run: FiniteRun, claim: Claim) -> Found:
    """E[M] ≤ 1/2 + … + 1/|H|."""
    size = run.table.size
    bound = sum((Fraction(1, k) for k in range(2, size + 1)), Fraction(0))
    return Found(run.expected, bound, _realizable(run), {"H": size}, {"observed": _slip(run)})


def agnostic(run: FiniteRun, claim: Claim) -> Found:
    """Σ|p−y| − best ≤ ln E/η + Tη/8."""
    horizon, played = int(run.parameters.get("rounds", 1000)), len(run.labels)
    depth = run.dimensions.of(run.table.everybody)
    experts = expert_count(horizon, depth)
    rate = run.parameters.get("rate") or math.sqrt(8.0 * math.log(experts) / horizon)
    slip = played * 1e-12  # what the probabilities may be off by
    cost = math.log(experts) / rate + slip if experts > 1 else 0.0
    quantities: dict[str, Number] = {"Ldim": depth, "ln_E": math.log(experts), "best": run.best}
    allowed: dict[str, Number] = {"observed": 1e-9 * (1 + played)}
    regret = run.expected - run.best
    met = [True, True, True, played <= horizon]
    return Found(regret, cost + played * rate / 8.0, met, quantities, allowed)


def _slip(run: FiniteRun) -> float:
    return 1e-12 * (1 + len(run.labels))


THEOREMS: dict[str, Callable[[FiniteRun, Claim], Found]] = {
    "Consistent": consistent,
    "Halving": halving,
    "Littlestone (SOA)": soa,
    "RandConsistent": logarithm,
    "RandConsistent (exact)": harmonic,
    "Ben-David–Pál–Shalev-Shwartz": agnostic,
}
