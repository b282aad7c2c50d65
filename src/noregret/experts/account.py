"""What a theorem about experts looks at: the quantities of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noregret.certificate import Hypothesis
from noregret.rounding import above
from noregret.rounds import Floats


@dataclass(frozen=True)
class Account:
    """A run in numbers. An expert that slept was charged what the rule itself suffered."""

    rule: str
    n: int
    rounds: int
    loss: float  # Σ p·ℓ
    expert_losses: Floats
    scalars: dict[str, float]
    lanes: dict[str, Floats]
    parameters: dict[str, Any]
    linear: bool  # the losses are those of the gradient trick
    losses: Floats | None = field(default=None, repr=False)  # rounds × experts, sleepers filled in, when kept

    @property
    def regrets(self) -> Floats:
        """Against each expert."""
        return self.loss - self.expert_losses

    @property
    def best(self) -> int:
        """The expert with the least loss."""
        return int(np.argmin(self.expert_losses))

    @property
    def best_loss(self) -> float:
        """What the best expert lost."""
        return float(self.expert_losses[self.best])

    @property
    def regret(self) -> float:
        """Against the best expert."""
        return self.loss - self.best_loss

    @property
    def log_n(self) -> float:
        """ln N, rounded up."""
        return above(float(np.log(self.n))) if self.n > 1 else 0.0

    @property
    def rounding(self) -> float:
        """More than the sums can have lost to rounding."""
        largest = max(abs(self.scalars["lowest"]), abs(self.scalars["highest"]))
        return 2.0**-52 * (self.rounds + self.n) * self.rounds * largest + 1e-300

    def quantities(self, **more: float) -> dict[str, float]:
        """The numbers that every certificate shows, and these."""
        return {"T": float(self.rounds), "N": float(self.n), "L*": self.best_loss, "loss": self.loss} | more


def unit_losses(account: Account) -> Hypothesis:
    """Losses lie in [0, 1]; linearised ones, which have no zero, within an interval of length 1."""
    low, high = account.scalars["lowest"], account.scalars["highest"]
    if account.linear:
        wide = account.scalars["widest"]
        return Hypothesis(
            "the linearised losses of a round differ by at most 1",
            wide <= 1.0,
            f"in one they differ by {wide:g}; scale the data, or use boa, mlpol, adahedge or eg",
        )
    return Hypothesis(
        "every loss lies in [0, 1]",
        account.rounds == 0 or (low >= 0.0 and high <= 1.0),
        f"they go from {low:g} to {high:g}; scale them, or use boa, mlpol, adahedge or eg",
    )


def prompt(account: Account) -> Hypothesis:
    """No truth came late."""
    waited = int(account.scalars["waited"])
    return Hypothesis(
        "no truth came late", waited == 0, f"predictions were made with {waited:,} truths outstanding"
    )


def nobody_joined(account: Account) -> Hypothesis:
    """The number of experts, which the rates depend on, was known from the start."""
    joined = int(account.scalars["joined"])
    return Hypothesis("nobody joined after the first round", joined == 0, f"{joined:,} experts joined later")


def nobody_slept(account: Account) -> Hypothesis:
    """Every expert spoke in every round."""
    slept = int(account.scalars["slept"])
    return Hypothesis("nobody slept", slept == 0, f"experts slept {slept:,} times")


def worst(account: Account, bounds: Floats) -> int:
    """The best expert, unless the bound of another is exceeded."""
    over = account.regrets - bounds
    return int(np.argmax(over)) if float(np.max(over)) > 0.0 else account.best
