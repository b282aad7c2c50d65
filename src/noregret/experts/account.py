"""What a theorem about experts looks at: the quantities of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.rounding import EPSILON, UNDERFLOW, above, sum_error
from noregret.rounds import Floats

EXPONENTIALS = 1024  # units in the last place: the exponential of an argument up to 745, rounded


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
    def largest(self) -> float:
        """The largest absolute loss of an expert in a round."""
        return max(abs(self.scalars["lowest"]), abs(self.scalars["highest"]))

    @property
    def rounding(self) -> float:
        """More than rounding can have moved Σp·ℓ and the loss of one expert, together.

        Both are sums of T numbers of at most the largest loss, added one by one; a Σp·ℓ of one round is a sum
        of n products over a sum of n weights, each of which is an exponential.
        """
        return sum_error(self.rounds + self.n + EXPONENTIALS, self.rounds * self.largest)

    def squares_above(self, squares: Any) -> Any:
        """No less than Σr² without rounding, of one expert or of each; Σ Var_p(ℓ) is such a sum, too.

        By the triangle inequality: each r is off by what its Σp·ℓ is off, and the sum by a share of itself.
        """
        off = sum_error(self.n + 4, self.largest)
        share = 1.0 + EPSILON * (self.rounds + self.n + 8)
        return (share * np.sqrt(squares) + math.sqrt(self.rounds) * off) ** 2 + UNDERFLOW

    def tolerance(self, bound: Any, sums: float = 1.0) -> Any:
        """What has to be added to a bound in which losses count `sums` times, and other sums once."""
        return sums * self.rounding + EPSILON * (4.0 * self.rounds + 64.0) * np.abs(bound)

    def quantities(self, **more: float) -> dict[str, float]:
        """The numbers that every certificate shows, and these."""
        return {"T": float(self.rounds), "N": float(self.n), "L*": self.best_loss, "loss": self.loss} | more

    def conclude(
        self,
        theorem: Theorem,
        observed: float,
        bound: float,
        hypotheses: list[Hypothesis],
        rounding: float | None = None,
        **more: float,
    ) -> Certificate:
        """Make the certificate: the bound of the theorem and the tolerance, which is shown as `rounding`."""
        slack = float(self.tolerance(bound)) if rounding is None else float(rounding)
        quantities = self.quantities(**more, rounding=slack)
        return conclude(theorem, observed, float(bound) + slack, hypotheses, quantities)


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
