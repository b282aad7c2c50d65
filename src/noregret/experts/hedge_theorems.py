"""The theorems of exponential weights."""

from __future__ import annotations

import math
from typing import Any

from noregret.certificate import Certificate, Hypothesis
from noregret.experts.account import Account, nobody_joined, prompt, unit_losses

_TINY = 1e-300  # the core takes a smaller Σs² for 0


class CesaBianchiLugosi:
    """A fixed rate: regret ≤ ln N/η + Tη/8; with late truths, + η/4 for each one outstanding at a prediction.

    The term for late truths is our own: a loss in [0, 1] that has not been told moves p·ℓ by at most η/4,
    because the derivative of p·ℓ along it is −η times a covariance of two quantities in [0, 1].
    """

    name = "Cesa-Bianchi–Lugosi"
    statement = (
        "for losses in [0,1], any η and T, P truths outstanding in all: Σp·ℓ − L* ≤ ln N/η + Tη/8 + Pη/4"
    )
    source = "Cesa-Bianchi & Lugosi 2006, Prediction, Learning, and Games, Thm 2.2"
    about = "regret"
    comparator = None

    def __init__(self, rate: float, tuned: bool = False) -> None:
        """Take the rate in use, and whether it was made for the number of experts."""
        self.rate, self.tuned = rate, tuned

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        cost = replay.rounds * self.rate / 8.0 + replay.scalars["waited"] * self.rate / 4.0
        price = replay.log_n / self.rate if self.rate > 0 else 0.0
        hypotheses = [unit_losses(replay), *([nobody_joined(replay)] if self.tuned else [])]
        return replay.conclude(self, replay.regret, price + cost, hypotheses, eta=self.rate)


class FreundSchapire1997:
    """A fixed rate, and a bound that is small when L* is: Σp·ℓ ≤ (η·L* + ln N)/(1 − e^−η)."""

    name = "Freund–Schapire 1997"
    statement = "for losses in [0,1] and any η: Σp·ℓ ≤ (η·L* + ln N)/(1 − exp(−η))"
    source = "Freund & Schapire 1997, A decision-theoretic generalization of on-line learning, Thm 2"
    about = "loss"
    comparator = None

    def __init__(self, rate: float, tuned: bool = False) -> None:
        """Take the rate in use, and whether it was made for the number of experts."""
        self.rate, self.tuned = rate, tuned

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run: observed is Σp·ℓ itself."""
        given = Hypothesis(
            "the losses have a zero", not replay.linear, "they were made linear by the gradient trick"
        )
        joined = [nobody_joined(replay)] if self.tuned else []
        hypotheses = [unit_losses(replay), given, prompt(replay), *joined]
        # With one expert, whom nothing can be gained by leaving, the rate is 0.
        factor = self.rate / -math.expm1(-self.rate) if self.rate > 0.0 else 1.0
        more = replay.log_n / -math.expm1(-self.rate) if self.rate > 0.0 else 0.0
        bound = factor * replay.best_loss + more
        rounding = replay.tolerance(bound, sums=factor)
        return replay.conclude(self, replay.loss, bound, hypotheses, rounding, eta=self.rate)


class AnytimeHedge:
    """η_t = 2√(ln N/t): regret ≤ √(T ln N), for every T at once."""

    name = "Anytime Hedge"
    statement = "for losses in [0,1] and η_t = 2√(ln N/t): Σp·ℓ − L* ≤ √(T ln N)"
    source = (
        "Cesa-Bianchi & Lugosi 2006, ch. 2; this constant: Bubeck 2011, Introduction to online optimization"
    )
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        bound = math.sqrt(replay.rounds * replay.log_n)
        hypotheses = [unit_losses(replay), prompt(replay), nobody_joined(replay)]
        return replay.conclude(self, replay.regret, bound, hypotheses)


class DoublingTrick:
    """Epochs of 1, 2, 4, … rounds, each with its own rate: √2/(√2 − 1) times the bound of a known horizon."""

    name = "Doubling trick"
    statement = "for losses in [0,1]: Σp·ℓ − L* ≤ √2/(√2 − 1)·√(T ln N/2)"
    source = "Cesa-Bianchi & Lugosi 2006, Prediction, Learning, and Games, ch. 2"
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        factor = math.sqrt(2.0) / (math.sqrt(2.0) - 1.0)
        bound = factor * math.sqrt(replay.rounds * replay.log_n / 2.0)
        hypotheses = [unit_losses(replay), prompt(replay), nobody_joined(replay)]
        return replay.conclude(self, replay.regret, bound, hypotheses)


class HoeffdingSpreads:
    """Any losses, rates that never rise: regret ≤ ln N/η + Σ min(s, η_t·s²/8), s the spread of a round.

    The left term is what the weights can hide, the right one what Hoeffding's lemma allows in each round.
    """

    name = "Hoeffding spreads"
    statement = (
        "for any losses and rates that never rise, s_t = max ℓ − min ℓ: Σp·ℓ − L* ≤ ln N/η_T + Σ "
        "min(s_t, η_t·s_t²/8)"
    )
    source = "after the proofs in Cesa-Bianchi & Lugosi 2006, ch. 2, and de Rooij et al. 2014"
    about = "regret"
    comparator = None

    def __init__(self, rate: float | None) -> None:
        """Take the fixed rate, if it is fixed."""
        self.rate = rate

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        squares = replay.scalars["squares"]
        rate = self.rate or (2.0 * math.sqrt(replay.log_n / squares) if squares > _TINY else 0.0)
        hidden = replay.log_n / rate if rate > 0 else 0.0
        bound = hidden + replay.scalars["price"]
        joined = [] if self.rate else [nobody_joined(replay)]
        return replay.conclude(self, replay.regret, bound, [prompt(replay), *joined], eta=rate)
