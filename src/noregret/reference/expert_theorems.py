"""The theorems of rules over experts, held against a run played again: one small function each."""

from __future__ import annotations

import math
from collections.abc import Callable

from .claims import Claim, Found, Number
from .expert_account import ExpertsRun
from .expert_runs import beta_of, prior_price, rate_and_share, twin_of
from .experts import TINY, Hedge

SWITCHES = 32  # a tracking bound is tried with up to so many


def found_for(
    run: ExpertsRun,
    observed: float,
    bound: float,
    met: list[bool],
    near: float = 1e-9,
    rounding: float | None = None,
    **more: Number,
) -> Found:
    """What was found, with the numbers that every certificate of a rule shows.

    `rounding` is what is added to the bound; if it is left out, the tolerance of a bound on the regret.
    """
    best = run.losses[run.best]
    slack = run.tolerance(bound) if rounding is None else rounding
    quantities: dict[str, Number] = {"T": run.rounds, "N": run.n, "L*": best, "loss": run.loss}
    quantities |= {"rounding": slack}
    allowed: dict[str, Number] = dict.fromkeys(("observed", "L*", "loss", "L_m"), slip(run, near))
    allowed |= {"V": square_slip(run, float(more.get("V", 0.0)))}
    allowed |= dict.fromkeys(("bound", "rounding"), run.rounding)
    return Found(observed, bound + slack, met, quantities | more, allowed, max(near, 1e-9))


def slip(run: ExpertsRun, near: float) -> float:
    """What a sum of losses may be off by, where each is off by so many parts, and by the noise."""
    return (1 + run.rounds) * (near * max(abs(run.lowest), abs(run.highest), 1e-300) + run.noise)


def square_slip(run: ExpertsRun, squares: float) -> float:
    """What a sum of squared regrets may be off by: where experts are alike, nothing but rounding is in it."""
    off = run.noise + 2.0**-50 * run.n * max(abs(run.lowest), abs(run.highest))
    return off * (2.0 * math.sqrt(run.rounds * squares) + run.rounds * off)


def unit_losses(run: ExpertsRun) -> bool:
    """Losses in [0, 1]; linear ones, which have no zero, within an interval of length 1."""
    if run.linear:
        return max(run.spreads, default=0.0) <= 1.0
    return run.rounds == 0 or (run.lowest >= 0.0 and run.highest <= 1.0)


def regret_of(run: ExpertsRun) -> float:
    """Against the best expert."""
    return run.loss - run.losses[run.best]


def _rate(run: ExpertsRun) -> float:
    twin = twin_of(run.name, run.parameters, run.n)
    return twin.given or 0.0 if isinstance(twin, Hedge) else 0.0


def _tuned(run: ExpertsRun) -> list[bool]:
    """A rate made for the number of experts asks that nobody joins, and from a file nobody does."""
    return [True] if run.parameters.get("horizon") else []


def fixed_rate(run: ExpertsRun, claim: Claim) -> Found:
    """ln N/η + Tη/8."""
    rate = _rate(run)
    bound = (run.log_n / rate if rate > 0 else 0.0) + run.rounds * rate / 8.0
    return found_for(run, regret_of(run), bound, [unit_losses(run), *_tuned(run)], eta=rate)


def small_loss(run: ExpertsRun, claim: Claim) -> Found:
    """(η·L* + ln N)/(1 − e^−η)."""
    rate, best = _rate(run), run.losses[run.best]
    bound = best if rate == 0.0 else (rate * best + run.log_n) / -math.expm1(-rate)
    met = [unit_losses(run), not run.linear, True, *_tuned(run)]
    slack = run.tolerance(bound, 1.0 if rate == 0.0 else rate / -math.expm1(-rate))
    return found_for(run, run.loss, bound, met, rounding=slack, eta=rate)


def anytime(run: ExpertsRun, claim: Claim) -> Found:
    """√(T ln N)."""
    return found_for(run, regret_of(run), math.sqrt(run.rounds * run.log_n), [unit_losses(run), True, True])


def doubling(run: ExpertsRun, claim: Claim) -> Found:
    """√2/(√2 − 1)·√(T ln N/2)."""
    factor = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)
    return found_for(
        run, regret_of(run), factor * math.sqrt(run.rounds * run.log_n / 2.0), [unit_losses(run), True, True]
    )


def spreads(run: ExpertsRun, claim: Claim) -> Found:
    """ln N/η + Σ min(s, η·s²/8)."""
    given = run.parameters.get("rate")
    squares = price = 0.0
    for s in run.spreads:
        eta = given or (2.0 * math.sqrt(run.log_n / squares) if squares > TINY else 0.0)
        price += min(s, eta * s * s / 8.0) if eta > 0 else s
        squares += s * s
    rate = given or (2.0 * math.sqrt(run.log_n / squares) if squares > TINY else 0.0)
    hidden = run.log_n / rate if rate > 0 else 0.0
    return found_for(run, regret_of(run), hidden + price, [True] if given else [True, True], eta=rate)


def majority(run: ExpertsRun, claim: Claim) -> Found:
    """(ln N + m*·ln(1/β))/ln(2/(1+β))."""
    beta = float(run.parameters.get("beta", 0.5))
    bound = (run.log_n - run.losses[run.best] * math.log(beta)) / -math.log1p((beta - 1.0) / 2.0)
    return _without_rounding(run, found_for(run, run.loss, bound, [run.slept == 0, True, True], beta=beta))


def penalty_form(run: ExpertsRun, claim: Claim) -> Found:
    """2(1+η)m* + 2 ln N/η."""
    eta = 1.0 - float(run.parameters.get("beta", 0.5))
    bound = 2.0 * (1.0 + eta) * run.losses[run.best] + 2.0 * run.log_n / eta
    return _without_rounding(run, found_for(run, run.loss, bound, [run.slept == 0, True, True], eta=eta))


def faultless(run: ExpertsRun, claim: Claim) -> Found:
    """⌊log₂N⌋."""
    met = [min(run.losses) == 0.0, run.slept == 0, True, True]
    found = _without_rounding(run, found_for(run, run.loss, 0.0, met))
    found.bound = int(math.log2(run.n))
    return found


def _without_rounding(run: ExpertsRun, found: Found) -> Found:
    """Counts are exact."""
    assert found.bound is not None
    found.bound = float(found.bound) - float(found.quantities.pop("rounding"))
    found.allowed = {}
    return found


def randomised(run: ExpertsRun, claim: Claim) -> Found:
    """(2−β)L* + ln N/(1−β)."""
    beta = beta_of(run.parameters, run.n)
    bound = (2.0 - beta) * run.losses[run.best] + run.log_n / (1.0 - beta)
    met = [unit_losses(run), beta >= 0.5, True, *_tuned(run)]
    return found_for(run, run.loss, bound, met, rounding=run.tolerance(bound, 2.0 - beta), beta=beta)


def horizon(run: ExpertsRun, claim: Claim) -> Found:
    """2√(T ln N)."""
    known = float(run.parameters["horizon"])
    bound = 2.0 * math.sqrt(known * run.log_n)
    met = [unit_losses(run), run.rounds <= known, True, True]
    return found_for(run, regret_of(run), bound, met, horizon=known)


def leader(run: ExpertsRun, claim: Claim) -> Found:
    """Σ of the spreads of the rounds after which the leader changed."""
    totals, bound = [0.0] * run.n, 0.0
    for turn, spread in zip(run.turns, run.spreads, strict=True):
        before = totals.index(min(totals))
        totals = [
            t + (turn.own if loss is None else loss) for t, loss in zip(totals, turn.losses, strict=True)
        ]
        bound += spread if totals.index(min(totals)) != before else 0.0
    return found_for(run, regret_of(run), bound, [run.slept == 0, True, True])


def ridge(run: ExpertsRun, claim: Claim) -> Found:
    """Min over v of the penalised loss, and Y²·Σ xᵀA⁻¹x."""
    assert run.ridge is not None
    least, reach = run.ridge.least, run.ridge.reach
    off = 1e-21 * run.n**2 * run.ridge.size  # what predictions can be off by, squared
    bound = least + reach**2 * run.ridge.leverage
    slack = 1e-9 * bound + run.rounding + off
    found = found_for(run, run.loss, bound, [True, True], 1e-6, slack, least=least, Y=reach)
    found.allowed |= {name: max(off, found.allowed.get(name, 0)) for name in ("observed", "loss", "least")}
    return found


def tracking(run: ExpertsRun, claim: Claim) -> Found:
    """The price of m switches, and Tη/8; m is the certificate's choice."""
    return tracked(run, int(claim.told("m")))


def tracked(run: ExpertsRun, m: int) -> Found:
    """The same with m given."""
    rate, share = rate_and_share(run.parameters, run.n)
    least = [[0.0] * run.n for _ in range(min(SWITCHES, max(run.rounds - 1, 0)) + 1)]
    for turn in run.turns:
        charged = [turn.own if loss is None else loss for loss in turn.losses]
        moved = [min(level) for level in least]
        for k in range(len(least) - 1, 0, -1):
            least[k] = [min(total, moved[k - 1]) for total in least[k]]
        least = [[t + c for t, c in zip(level, charged, strict=True)] for level in least]
    lost = min(least[m]) if m < len(least) else math.nan
    dearest = max(prior_price(run.n, run.rounds, k, share) for k in (0, m))  # m or fewer
    bound = dearest / rate + run.rounds * rate / 8.0
    met = [unit_losses(run), True, True]
    return found_for(run, run.loss - lost, bound, met, m=m, eta=rate, alpha=share, L_m=lost)


THEOREMS: dict[str, Callable[[ExpertsRun, Claim], Found]] = {
    "Cesa-Bianchi–Lugosi": fixed_rate,
    "Freund–Schapire 1997": small_loss,
    "Anytime Hedge": anytime,
    "Doubling trick": doubling,
    "Hoeffding spreads": spreads,
    "Littlestone–Warmuth": majority,
    "Weighted Majority, penalty form": penalty_form,
    "Halving (experts)": faultless,
    "Randomised Majority": randomised,
    "Randomised Majority, known horizon": horizon,
    "Be the leader": leader,
    "Vovk–Azoury–Warmuth": ridge,
    "Herbster–Warmuth": tracking,
}
