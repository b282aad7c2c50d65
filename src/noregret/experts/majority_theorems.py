"""The theorems of Weighted Majority, deterministic and randomised."""

from __future__ import annotations

import math
from typing import Any

from noregret.certificate import Certificate, Hypothesis, conclude, counted
from noregret.experts.account import Account, nobody_joined, nobody_slept, prompt, unit_losses
from noregret.rounding import above


class LittlestoneWarmuth:
    """M ≤ (ln N + m*·ln(1/β))/ln(2/(1+β)), m* the mistakes of the best expert."""

    name = "Littlestone–Warmuth"
    statement = "M ≤ (ln N + m*·ln(1/β))/ln(2/(1+β))"
    source = "Littlestone & Warmuth 1994, The weighted majority algorithm"
    about = "mistakes"
    comparator = None

    def __init__(self, beta: float) -> None:
        """Take the β in use."""
        self.beta = beta

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is M."""
        top = replay.log_n - replay.best_loss * math.log(self.beta)
        bound = above(above(top) / -math.log1p((self.beta - 1.0) / 2.0))  # ln(2/(1+β)), near β = 1 too
        hypotheses = [nobody_slept(replay), prompt(replay), nobody_joined(replay)]
        return conclude(self, replay.loss, bound, hypotheses, replay.quantities(beta=self.beta))


class PenaltyForm:
    """With η = 1 − β ≤ ½: M ≤ 2(1+η)m* + 2 ln N/η."""

    name = "Weighted Majority, penalty form"
    statement = "with η = 1 − β ≤ ½: M ≤ 2(1+η)·m* + 2 ln N/η"
    source = "Littlestone & Warmuth 1994; Arora, Hazan & Kale 2012, The multiplicative weights update method"
    about = "mistakes"
    comparator = None

    def __init__(self, beta: float) -> None:
        """Take the β in use."""
        self.eta = 1.0 - beta

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is M."""
        bound = above(2.0 * (1.0 + self.eta) * replay.best_loss + 2.0 * replay.log_n / self.eta)
        hypotheses = [nobody_slept(replay), prompt(replay), nobody_joined(replay)]
        return conclude(self, replay.loss, bound, hypotheses, replay.quantities(eta=self.eta))


class FaultlessExpert:
    """β = 0 and an expert that never errs: M ≤ ⌊log₂N⌋, because a mistake silences half of those left."""

    name = "Halving (experts)"
    statement = "with β = 0, if some expert never errs: M ≤ ⌊log₂N⌋"
    source = "Littlestone & Warmuth 1994, The weighted majority algorithm, §2"
    about = "mistakes"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is M."""
        erred = f"each of them errs, the best in {counted(replay.best_loss, 'round')}"
        faultless = Hypothesis("some expert never errs", replay.best_loss == 0.0, erred)
        hypotheses = [faultless, nobody_slept(replay), prompt(replay), nobody_joined(replay)]
        return conclude(self, replay.loss, replay.n.bit_length() - 1, hypotheses, replay.quantities())


class RandomizedBound:
    """For β from ½: Σp·ℓ ≤ (2−β)L* + ln N/(1−β); the η-form is the same, with η = 1 − β."""

    name = "Randomised Majority"
    statement = "for losses in [0,1] and β in [½,1): Σp·ℓ ≤ (2−β)·L* + ln N/(1−β)"
    source = "Littlestone & Warmuth 1994; Blum & Mansour 2007, Learning, regret minimization, and equilibria"
    about = "expected mistakes"
    comparator = None

    def __init__(self, beta: float, tuned: bool = False) -> None:
        """Take the β in use, and whether it was made for the number of experts."""
        self.beta, self.tuned = beta, tuned

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is Σp·ℓ, the expected mistakes."""
        half = Hypothesis("β is at least ½", self.beta >= 0.5, f"it is {self.beta:g}")
        bound = (2.0 - self.beta) * replay.best_loss + replay.log_n / (1.0 - self.beta)
        joined = [nobody_joined(replay)] if self.tuned else []
        hypotheses = [unit_losses(replay), half, prompt(replay), *joined]
        rounding = replay.tolerance(bound, sums=2.0 - self.beta)
        return replay.conclude(self, replay.loss, bound, hypotheses, rounding, beta=self.beta)


class RandomizedHorizon:
    """With β made for T rounds: Σp·ℓ ≤ L* + 2√(T ln N)."""

    name = "Randomised Majority, known horizon"
    statement = "for losses in [0,1], T rounds at most and β = max(½, 1 − √(ln N/T)): Σp·ℓ − L* ≤ 2√(T ln N)"
    source = "Blum & Mansour 2007, Learning, regret minimization, and equilibria"
    about = "regret"
    comparator = None

    def __init__(self, horizon: float) -> None:
        """Take the horizon."""
        self.horizon = horizon

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        inside = Hypothesis(
            "no more rounds than the horizon", replay.rounds <= self.horizon, f"{replay.rounds:,} were played"
        )
        bound = 2.0 * math.sqrt(self.horizon * replay.log_n)
        hypotheses = [unit_losses(replay), inside, prompt(replay), nobody_joined(replay)]
        return replay.conclude(self, replay.regret, bound, hypotheses, horizon=self.horizon)
