"""What is proved about Winnow.

The notation is Littlestone's: u promotions, v demotions, K the size of a disjunction, μ ≥ 0 a
general target. N counts the features that occur.
"""

from __future__ import annotations

import math

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude, shown
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.rounding import above
from noregret.rounds import Floats

_SOURCE = "Littlestone 1988, Learning quickly when irrelevant attributes abound"


def _head(replay: Replay) -> tuple[float, float, float]:
    """α, Θ and B = α/(α−1)·N/Θ."""
    alpha, theta = float(replay.parameters["promotion"]), float(replay.scalars["threshold"])
    return alpha, theta, above(alpha / (alpha - 1.0) * len(replay.features) / theta)


class LittlestoneDisjunction:
    """A disjunction of K features: M ≤ α/(α−1)·N/Θ + (1+α)·K·(1 + log_α Θ)."""

    name = "Littlestone (disjunctions)"
    statement = "if y = x₁ ∨ … ∨ x_K in every round, then M ≤ α/(α−1)·N/Θ + (1+α)·K·(1 + log_α Θ)"
    source = f"{_SOURCE}, Thm 7"
    about = "mistakes"
    comparator = "disjunction"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run; the disjunction is of the features where the witness is not 0."""
        alpha, theta, head = _head(replay)
        chosen = (witness != 0).astype(float)
        says = (replay.rows @ chosen > 0).astype(float) * 2 - 1
        wrong = int(np.sum(says != replay.labels))
        size = int(chosen.sum())
        hypotheses = [
            *prompt_run(replay),
            Hypothesis(
                "some disjunction of features is the label",
                wrong == 0,
                f"the best one tried is wrong in {wrong:,} of {len(says):,} rounds",
            ),
        ]
        bound = above(head + (1 + alpha) * size * (1 + math.log2(theta) / math.log2(alpha)))
        return conclude(
            self, replay.mistakes, bound, hypotheses, {"K": size, "N": len(replay.features), "wrong": wrong}
        )


class LittlestoneThreshold:
    """A general target μ ≥ 0 with separation δ."""

    name = "Littlestone (thresholds)"
    statement = (
        "if Σμx ≥ 1 on positives, Σμx ≤ 1−δ on negatives and (1−δ)α < 1, then with A = Σμ·(1 + log_α Θ) and "
        "B = αN/((α−1)Θ): M ≤ (1+α)·(A + (1−δ)B)/(1 − (1−δ)α) + B"
    )
    source = f"{_SOURCE}, Thm 9 (constants re-derived)"
    about = "mistakes"
    comparator = "threshold"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with μ the witness scaled to reach 1 on every positive."""
        alpha, theta, head = _head(replay)
        low, high = arithmetic.products(replay.rows, np.maximum(witness, 0.0))
        positive = replay.labels > 0
        least = float(np.min(low[positive], initial=math.inf))
        most = float(np.max(high[~positive], initial=0.0))
        if math.isinf(least):  # no positive: μ may be as small as it likes
            least = max(2.0 * most, 1.0)
        keep = above(max(most, 0.0) / least) if least > 0 else 1.0  # 1 − δ
        mass = above(float(np.sum(np.maximum(witness, 0.0))) / least) if least > 0 else math.inf
        hypotheses = [
            *prompt_run(replay),
            Hypothesis(
                "some μ ≥ 0 parts positives from negatives by δ with (1−δ)α < 1",
                least > 0 and keep * alpha < 1,
                f"the best μ tried has (1−δ)α = {shown(keep * alpha)}"
                if keep < 1
                else "no μ tried parts them",
            ),
        ]
        bound = None
        if hypotheses[-1].met:
            first = above(mass * (1 + math.log2(theta) / math.log2(alpha)) + keep * head)
            bound = above((1 + alpha) * first / (1 - above(keep * alpha)) + head)
        quantities = {"delta": 1 - keep, "sum_mu": mass, "N": float(len(replay.features))}
        return conclude(self, replay.mistakes, bound, hypotheses, quantities)


class LittlestoneBookkeeping:
    """Any data: demotions are paid for by promotions, and no weight passes α·Θ."""

    name = "Littlestone (bookkeeping)"
    statement = "for any x ∈ {0,1}ᴺ, at every moment: v ≤ α/(α−1)·N/Θ + α·u, and every w ≤ α·Θ (or 1)"
    source = f"{_SOURCE}, Lemmas 2–4"
    about = "demotions − α·promotions"
    comparator = None

    def certify(self, replay: Replay, witness: None = None) -> Certificate:
        """Hold it against a run: the largest v − α·u that occurred against N·α/((α−1)Θ)."""
        alpha, theta, head = _head(replay)
        scalars = replay.scalars
        counted = scalars["promotions"] + scalars["demotions"]
        ceiling = max(above(alpha * theta), 1.0)
        sound = counted == replay.ledger.updates and scalars["highest"] <= ceiling
        observed = scalars["lead"] if sound else head * 2 + 1  # accounts that do not add up break it
        quantities = {k: scalars[k] for k in ("promotions", "demotions", "highest")} | {"ceiling": ceiling}
        return conclude(self, observed, head, prompt_run(replay), quantities)


class KivinenWarmuth:
    """The exponential forms: M ≤ ln N/(ηρ − η²r²/2)."""

    about = "mistakes"
    source = "Kivinen & Warmuth 1997, Exponentiated gradient versus gradient descent; Littlestone 1989"

    def __init__(self, balanced: bool) -> None:
        """Balanced: N features count twice and v may be negative."""
        self.name = f"Kivinen–Warmuth ({'balanced' if balanced else 'normalised'})"
        count, sign = ("2N", "") if balanced else ("N", ", v ≥ 0")
        self.statement = (
            f"if y⟨v,x⟩ ≥ ρ‖v‖₁{sign} and |xᵢ| ≤ r in every round and η < 2ρ/r², "
            f"then M ≤ ln {count}/(ηρ − η²r²/2)"
        )
        self.comparator = "signed-mixture" if balanced else "mixture"
        self.balanced = balanced

    def margin(self, quantities: dict[str, float]) -> float:
        """The margin of the witness at length 1."""
        return quantities["rho"]

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with v = witness."""
        rate = float(replay.parameters["rate"])
        v = witness if self.balanced else np.maximum(witness, 0.0)
        length = above(float(np.sum(np.abs(v))) * (1 + len(v) * arithmetic.EPSILON))
        margins = arithmetic.margins(replay.rows, replay.labels, v)
        least = float(np.min(margins, initial=length if len(margins) == 0 else math.inf))
        rho = least / length * (1 - 1e-14) if length > 0 else 0.0
        radius = float(np.max(np.abs(replay.rows.data), initial=0.0))
        count = len(replay.features) * (2 if self.balanced else 1)
        gain = rate * rho - rate * rate * radius * radius / 2
        wrong = int(np.sum(margins <= 0))
        hypotheses = [
            *prompt_run(replay),
            Hypothesis(
                f"some v{'' if self.balanced else ' ≥ 0'} separates the rounds",
                rho > 0,
                f"the best v tried is wrong in {wrong:,} of {len(margins):,} rounds",
            ),
            Hypothesis(
                "the rate is below 2ρ/r²",
                gain > 0,
                f"η = {shown(rate)}, 2ρ/r² = {shown(2 * rho / radius**2 if radius else math.inf)}"
                if rho > 0
                else "ρ is not positive",
            ),
        ]
        bound = above(math.log(max(count, 1)) / (gain * (1 - 1e-13))) if gain > 0 and rho > 0 else None
        return conclude(
            self,
            replay.mistakes,
            bound,
            hypotheses,
            {"rho": rho, "r": radius, "N": float(count), "wrong": wrong},
        )
