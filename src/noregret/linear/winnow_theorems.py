"""What is proved about Winnow.

The notation is Littlestone's: u promotions, v demotions, K the size of a disjunction, μ ≥ 0 a
general target. N counts the features that occur.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude, shown
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.margin_sums import EPSILON, Margins
from noregret.rounding import above, outward
from noregret.rounds import Floats

_SOURCE = "Littlestone 1988, Learning quickly when irrelevant attributes abound"


class Occurring(Meter):
    """Which features occur in the rounds of the run."""

    def __init__(self, run: Judged) -> None:
        """None yet."""
        super().__init__(run)
        self._occurs = np.zeros(0, dtype=bool)

    def add(self, block: Block) -> None:
        """Mark the features of a block."""
        if len(self._occurs) < block.columns:
            more = np.zeros(max(block.columns, 2 * len(self._occurs)) - len(self._occurs), dtype=bool)
            self._occurs = np.concatenate([self._occurs, more])
        self._occurs[block.cells[1]] = True

    @property
    def count(self) -> int:
        """N."""
        return int(np.count_nonzero(self._occurs))

    def restrict(self, u: Floats) -> Floats:
        """A direction without the features that do not occur."""
        occurs = np.zeros(len(u), dtype=bool)
        size = min(len(u), len(self._occurs))
        occurs[:size] = self._occurs[:size]
        return np.where(occurs, u, 0.0)


def _head(run: Judged) -> tuple[float, float, float]:
    """α, Θ and B = α/(α−1)·N/Θ."""
    alpha, theta = float(run.parameters["promotion"]), float(run.scalars["threshold"])
    return alpha, theta, above(alpha / (alpha - 1.0) * run.meter(Occurring).count / theta)


class _Threshold(RunTheorem):
    """A theorem about the threshold form."""

    family = "winnow"
    views: ClassVar[tuple[str, ...]] = ("all", "positives", "negatives")
    meters: ClassVar[tuple[type[Meter], ...]] = (Occurring,)


class LittlestoneDisjunction(_Threshold):
    """A disjunction of K features: M ≤ α/(α−1)·N/Θ + (1+α)·K·(1 + log_α Θ)."""

    name = "Littlestone (disjunctions)"
    statement = "if y = x₁ ∨ … ∨ x_K in every round, then M ≤ α/(α−1)·N/Θ + (1+α)·K·(1 + log_α Θ)"
    source = f"{_SOURCE}, Thm 7"
    comparator = "disjunction"

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run; the disjunction is of the features where the witness is not 0."""
        alpha, theta, head = _head(run)
        u = run.meter(Occurring).restrict(witness.u)
        size = int(np.count_nonzero(u))
        # Bits and weights of 0 or more: the disjunction is true where ⟨u, x⟩ > 0.
        wrong = witness.margins("positives").wrong
        negatives = witness.margins("negatives")
        wrong += negatives.rounds - negatives.not_below(0.0)
        hypotheses = [
            *prompt_run(run),
            Hypothesis(
                "some disjunction of features is the label",
                wrong == 0 and not np.any(u < 0.0),
                f"the best one tried is wrong in {wrong:,} of {run.rounds:,} rounds",
            ),
        ]
        bound = above(head + (1 + alpha) * size * (1 + math.log2(theta) / math.log2(alpha)))
        quantities = {"K": float(size), "N": float(run.meter(Occurring).count), "wrong": float(wrong)}
        return conclude(self, run.mistakes, bound, hypotheses, quantities)


class LittlestoneThreshold(_Threshold):
    """A general target μ ≥ 0 with separation δ."""

    name = "Littlestone (thresholds)"
    statement = (
        "if Σμx ≥ 1 on positives, Σμx ≤ 1−δ on negatives and (1−δ)α < 1, then with A = Σμ·(1 + log_α Θ) and "
        "B = αN/((α−1)Θ): M ≤ (1+α)·(A + (1−δ)B)/(1 − (1−δ)α) + B"
    )
    source = f"{_SOURCE}, Thm 9 (constants re-derived)"
    comparator = "threshold"

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with μ the witness scaled to reach 1 on every positive."""
        alpha, theta, head = _head(run)
        mu = run.meter(Occurring).restrict(witness.u)
        least = float(witness.margins("positives").least)
        most = max(-float(witness.margins("negatives").least), 0.0)
        if math.isinf(least):  # no positive: μ may be as small as it likes
            least = max(2.0 * most, 1.0)
        keep = above(most / least) if least > 0 else 1.0  # 1 − δ
        mass = above(float(np.sum(mu)) / least) if least > 0 else math.inf
        hypotheses = [
            *prompt_run(run),
            Hypothesis(
                "some μ ≥ 0 parts positives from negatives by δ with (1−δ)α < 1",
                least > 0 and keep * alpha < 1 and not np.any(mu < 0.0),
                f"the best μ tried has (1−δ)α = {shown(keep * alpha)}"
                if keep < 1
                else "no μ tried parts them",
            ),
        ]
        bound = None
        if hypotheses[-1].met:
            first = above(mass * (1 + math.log2(theta) / math.log2(alpha)) + keep * head)
            bound = above((1 + alpha) * first / (1 - above(keep * alpha)) + head)
        quantities = {"delta": 1 - keep, "sum_mu": mass, "N": float(run.meter(Occurring).count)}
        return conclude(self, run.mistakes, bound, hypotheses, quantities)


class LittlestoneAnyData(_Threshold):
    """Any data: a target μ ≥ 0, and D, what is missing to 1 on positives and beyond 1 − δ on negatives.

    The potential argument of the separable case holds with the shortfalls added: a promotion adds 1 − d to
    Σμ·log w, a demotion takes at most 1 − δ + d of it.
    """

    name = "Littlestone (any data)"
    statement = (
        "for any μ ≥ 0 and δ with (1−δ)α < 1, D = Σ max(0, 1 − Σμx) over positives and "
        "Σ max(0, Σμx − (1−δ)) over negatives, A = Σμ·(1 + log_α Θ) and B = αN/((α−1)Θ): "
        "M ≤ (1+α)·(A + (1−δ)B + D)/(1 − (1−δ)α) + B"
    )
    source = f"{_SOURCE}, Thm 9, with shortfalls; after Littlestone 1991, Redundant noisy attributes"
    comparator = "threshold"

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with μ = witness in its best length and the best δ for it."""
        alpha, theta, head = _head(run)
        mu = run.meter(Occurring).restrict(witness.u)
        count = float(run.meter(Occurring).count)
        hypotheses = [
            *prompt_run(run),
            Hypothesis("μ is not negative", not np.any(mu < 0.0), "a weight of the target is below 0"),
        ]
        if not all(h.met for h in hypotheses):
            return conclude(self, run.mistakes, None, hypotheses)
        mass, log_theta = above(float(np.sum(mu))), 1 + math.log2(theta) / math.log2(alpha)
        positives, negatives = witness.margins("positives"), witness.margins("negatives")
        heights, over = _overruns(negatives)  # limits 1 − δ in units of the witness
        short = positives.shortfalls
        gammas, lacks = short.gammas, short.linear
        if not positives.rounds:  # then 1 may be as far above the negatives as it likes
            gammas = np.ldexp(max(float(heights[-1]), 1.0), np.arange(5))
            lacks = np.zeros(len(gammas))
        keep = heights[None, :] / gammas[:, None]
        lack = (lacks[:, None] + over[None, :]) / gammas[:, None]
        room = 1.0 - keep * alpha * (1.0 + 1e-14)
        with np.errstate(divide="ignore", invalid="ignore"):
            first = mass / gammas[:, None] * log_theta + keep * head + lack
            values = np.where((room > 0.0) & (keep < 1.0), (1.0 + alpha) * first / room + head, np.inf)
        place = np.unravel_index(int(np.argmin(values)), values.shape)
        value = float(values[place])
        gamma = float(gammas[place[0]])
        witness.length = 1.0 / gamma
        quantities = {
            "delta": 1.0 - float(keep[place]),
            "sum_mu": mass / gamma,
            "D": outward(float(lack[place])),
            "N": count,
        }
        return conclude(self, run.mistakes, outward(value), hypotheses, quantities)


def _overruns(negatives: Margins) -> tuple[Floats, Floats]:
    """For candidates h ≥ 0, ascending: Σ max(0, ⟨u, x⟩ − h) over negatives, whose margins are −⟨u, x⟩."""
    heights = -negatives.edges()
    most = max(-negatives.least, 0.0)
    heights = np.unique(np.concatenate([[0.0], heights[(heights > 1e-100) & (heights < most)], [most]]))
    return heights, np.where(heights < most, negatives.linear(-heights), 0.0)


class LittlestoneBookkeeping(RunTheorem):
    """Any data: demotions are paid for by promotions, and no weight passes α·Θ."""

    name = "Littlestone (bookkeeping)"
    statement = "for any x ∈ {0,1}ᴺ, at every moment: v ≤ α/(α−1)·N/Θ + α·u, and every w ≤ α·Θ (or 1)"
    source = f"{_SOURCE}, Lemmas 2–4"
    about = "demotions − α·promotions"
    comparator = None
    meters: ClassVar[tuple[type[Meter], ...]] = (Occurring,)

    def trivial(self, run: Judged) -> float | None:
        """It bounds no mistakes."""
        return None

    def certify(self, run: Judged, witness: Witness | None = None) -> Certificate:
        """Hold it against a run: the largest v − α·u that occurred against N·α/((α−1)Θ)."""
        alpha, theta, head = _head(run)
        scalars = run.scalars
        counted = scalars["promotions"] + scalars["demotions"]
        ceiling = max(above(alpha * theta), 1.0)
        sound = counted == run.ledger.updates and scalars["highest"] <= ceiling
        observed = scalars["lead"] if sound else head * 2 + 1  # accounts that do not add up break it
        quantities = {k: scalars[k] for k in ("promotions", "demotions", "highest")} | {"ceiling": ceiling}
        return conclude(self, observed, head, prompt_run(run), quantities)


class _Exponential(RunTheorem):
    """A theorem about the exponential forms; balanced: N features count twice and v may be negative."""

    meters: ClassVar[tuple[type[Meter], ...]] = (Occurring,)
    family = "exponential"

    def __init__(self, balanced: bool) -> None:
        """Say which form."""
        self.balanced = balanced
        self.comparator = "signed-mixture" if balanced else "mixture"

    def mixture(self, run: Judged, witness: Witness) -> tuple[Floats, float]:
        """v over the features that occur, and ‖v‖₁ from above."""
        v = run.meter(Occurring).restrict(witness.u)
        return v, above(float(np.sum(np.abs(v))) * (1 + len(v) * EPSILON))

    def count(self, run: Judged) -> int:
        """N, or 2N."""
        return int(run.meter(Occurring).count) * (2 if self.balanced else 1)

    def allowed(self, v: Floats) -> bool:
        """Whether v may be a mixture of this form."""
        return self.balanced or not bool(np.any(v < 0.0))


class KivinenWarmuth(_Exponential):
    """The exponential forms: M ≤ ln N/(ηρ − η²r²/2)."""

    source = "Kivinen & Warmuth 1997, Exponentiated gradient versus gradient descent; Littlestone 1989"

    def __init__(self, balanced: bool) -> None:
        """Balanced: N features count twice and v may be negative."""
        super().__init__(balanced)
        self.name = f"Kivinen–Warmuth ({'balanced' if balanced else 'normalised'})"
        count, sign = ("2N", "") if balanced else ("N", ", v ≥ 0")
        self.statement = (
            f"if y⟨v,x⟩ ≥ ρ‖v‖₁{sign} and |xᵢ| ≤ r in every round and η < 2ρ/r², "
            f"then M ≤ ln {count}/(ηρ − η²r²/2)"
        )

    def margin(self, quantities: dict[str, float]) -> float:
        """The margin of the witness at length 1."""
        return quantities["rho"]

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with v = witness."""
        rate = float(run.parameters["rate"])
        v, length = self.mixture(run, witness)
        margins, count = witness.margins(), self.count(run)
        least = margins.least if run.rounds else length
        rho = least / length * (1 - 1e-14) if length > 0 and self.allowed(v) else 0.0
        peak = run.norms().peak
        gain = rate * rho - rate * rate * peak * peak / 2
        hypotheses = [
            *prompt_run(run),
            Hypothesis(
                f"some v{'' if self.balanced else ' ≥ 0'} separates the rounds",
                rho > 0,
                f"the best v tried is wrong in {margins.wrong:,} of {run.rounds:,} rounds",
            ),
            Hypothesis(
                "the rate is below 2ρ/r²",
                gain > 0,
                f"η = {shown(rate)}, 2ρ/r² = {shown(2 * rho / peak**2 if peak else math.inf)}"
                if rho > 0
                else "ρ is not positive",
            ),
        ]
        bound = above(math.log(max(count, 1)) / (gain * (1 - 1e-13))) if gain > 0 and rho > 0 else None
        quantities = {"rho": rho, "r": peak, "N": float(count), "wrong": float(margins.wrong)}
        return conclude(self, run.mistakes, bound, hypotheses, quantities)


class KivinenWarmuthAnyData(_Exponential):
    """The exponential forms on any data: M ≤ (KL(v‖uniform) + η·D)/(ηρ) + η/(8ρ)·Σs² over the mistakes.

    On a mistake Σv·ln w grows by η(ρ − d) at least, and the logarithm of the normaliser by η²s²/8 at most, s
    the spread of the row (Hoeffding's lemma; absent features count as 0).
    """

    source = "Kivinen & Warmuth 1997, Exponentiated gradient versus gradient descent, with hinge losses"
    views: ClassVar[tuple[str, ...]] = ("all", "mistakes")

    def __init__(self, balanced: bool) -> None:
        """Balanced: N features count twice and v may be negative."""
        super().__init__(balanced)
        self.name = f"Kivinen–Warmuth ({'balanced' if balanced else 'normalised'}, any data)"
        count, spread = ("2N", "2·max|xᵢ|") if balanced else ("N", "max xᵢ − min xᵢ")
        self.statement = (
            f"for any mixture v over {count} features and ρ > 0, with D = Σ max(0, ρ − y⟨v,x⟩) and "
            f"s = {spread}: M ≤ (ln {count} − H(v) + ηD)/(ηρ) + η/(8ρ)·Σs² over the mistakes"
        )

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with v = witness and the best ρ for it."""
        rate = float(run.parameters["rate"])
        v, length = self.mixture(run, witness)
        some = (length > 0 and self.allowed(v)) or run.rounds == 0
        hypotheses = [
            *prompt_run(run),
            Hypothesis(
                f"some v{'' if self.balanced else ' ≥ 0'} is not zero",
                some,
                "there was nothing to learn from",
            ),
        ]
        if not all(h.met for h in hypotheses) or run.rounds == 0:
            return conclude(self, run.mistakes, 0.0, hypotheses)
        divergence = self._divergence(v, length, self.count(run))
        norms = run.norms("mistakes")
        spreads = outward(4.0 * norms.peaks if self.balanced else float(norms.spans.above()))
        short = witness.margins().shortfalls
        rho, lack = short.gammas / length, short.linear / length
        with np.errstate(over="ignore"):
            values = (divergence + rate * lack) / (rate * rho) + rate / (8.0 * rho) * spreads
        place = int(np.argmin(values))
        quantities = {
            "rho": float(rho[place]),
            "KL": divergence,
            "D": outward(float(lack[place])),
            "S": spreads,
            "N": float(self.count(run)),
        }
        return conclude(self, run.mistakes, outward(float(values[place])), hypotheses, quantities)

    @staticmethod
    def _divergence(v: Floats, length: float, count: int) -> float:
        """KL(v‖uniform) = ln N − H(v), from above."""
        shares = np.abs(v[v != 0.0]) / float(np.sum(np.abs(v)))
        return outward(math.log(max(count, 1)) + float(np.sum(shares * np.log(shares)))) + 1e-12
