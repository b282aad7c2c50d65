"""Theorems about the lead of the right class over the best wrong one.

All of them come from the binary ones by Kesler's construction: with φ(x, c) the example x in the place of
class c, an update of the right class y against a rival r is the binary update of φ(x, y) − φ(x, r) with
label +1, whose square norm is 2‖x‖². A class that nobody announced can be missed once before it is known.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from noregret import _core
from noregret.certificate import Certificate, Hypothesis, conclude, shown
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.losses import losses, paces
from noregret.linear.losses_of_witness import LENGTHS, losses_at, nothing
from noregret.linear.margin_bounds import unannounced
from noregret.linear.passive_aggressive_theorems import CrammerOne, CrammerPA, CrammerTwo
from noregret.linear.perceptron_theorems import FreundSchapire, HingeForm, Novikoff
from noregret.linear.winnow_theorems import Occurring
from noregret.margin_sums import EPSILON
from noregret.rounding import above, float_above, outward
from noregret.rounds import Floats

_AGGRESSIVE = "Crammer et al. 2006, Online passive-aggressive algorithms"
_SOURCE = "Crammer & Singer 2003, Ultraconservative online algorithms for multiclass problems"


class CrammerSinger(Novikoff):
    """Separable data: M ≤ 2(R‖U‖/γ)², and one for each class that was not announced."""

    name = "Crammer–Singer"
    statement = (
        "if the right class leads every other by γ > 0 under U and ‖x‖ ≤ R in every round, "
        "then M ≤ 2(R‖U‖/γ)² + K, K classes not announced"
    )
    source = _SOURCE
    comparator = "class-separator"


class CrammerSingerAny(FreundSchapire):
    """Any data: M ≤ ((√2·R‖U‖ + D)/γ)² + K, D² = Σ max(0, γ − lead)²."""

    name = "Crammer–Singer (any data)"
    statement = (
        "for any U and γ > 0, with D² = Σ max(0, γ − lead)², the lead of the right class, and ‖x‖ ≤ R: "
        "M ≤ ((√2·R‖U‖ + D)/γ)² + K, K classes not announced"
    )
    source = _SOURCE
    comparator = "class-separator"


class ClassHinges(HingeForm):
    """Any data: M ≤ (a/2 + √(a²/4 + L))² + K, a = √2·R‖U‖/γ and L = Σ max(0, γ − lead)/γ."""

    name = "Mohri–Rostamizadeh (classes)"
    statement = (
        "for any U and γ > 0, with L = Σ max(0, γ − lead)/γ, the lead of the right class, ‖x‖ ≤ R and "
        "a = √2·R‖U‖/γ: M ≤ (a/2 + √(a²/4 + L))² + K, K classes not announced"
    )
    source = "Mohri & Rostamizadeh 2013, Perceptron mistake bounds, Thm 2, on differences of classes"
    comparator = "class-separator"


class ClassPA(CrammerPA):
    """M ≤ Σℓ² + K ≤ 2R²(‖U‖ + √2·√Σ(ℓ*/‖x‖)²)² + K."""

    name = "Crammer et al. (multiclass PA)"
    statement = (
        "for any U, with ℓ* = max(0, 1 − lead) of the right class and 0 < ‖x‖ ≤ R: "
        "M ≤ 2R²·(‖U‖ + √2·√Σ(ℓ*/‖x‖)²)² + K, K classes not announced"
    )
    source = f"{_AGGRESSIVE}, Thms 2 and 4 on differences of classes"
    about = "mistakes"
    comparator = "class-separator"


class ClassPAOne(CrammerOne):
    """M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ*) + K."""

    name = "Crammer et al. (multiclass PA-I)"
    statement = (
        "for any U, with ℓ* = max(0, 1 − lead) of the right class and ‖x‖ ≤ R: "
        "M ≤ max(2R², 1/C)·(‖U‖² + 2C·Σℓ*) + K, K classes not announced"
    )
    source = f"{_AGGRESSIVE}, Thm 5 on differences of classes"
    comparator = "class-separator"


class ClassPATwo(CrammerTwo):
    """M ≤ Σℓ² + K ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ*²) + K."""

    name = "Crammer et al. (multiclass PA-II)"
    statement = (
        "for any U, with ℓ* = max(0, 1 − lead) of the right class and ‖x‖ ≤ R: "
        "M ≤ (2R² + 1/(2C))·(‖U‖² + 2C·Σℓ*²) + K, K classes not announced"
    )
    source = f"{_AGGRESSIVE}, Thm 6 on differences of classes"
    about = "mistakes"
    comparator = "class-separator"


class ClassWinnow(RunTheorem):
    """Separable data: M ≤ ln 2NC/(ηρ − η²r²/2) + K, for N features and C classes.

    The sum of eᵍ + e⁻ᵍ over all features and classes begins with 2NC. A mistake multiplies it by exp(η²r²/2)
    at most, for the right class did not lead (Hoeffding); and it is at least exp(ηρM).
    """

    name = "Kivinen–Warmuth (classes)"
    statement = (
        "if the right class leads every other by ρ‖V‖₁ under V and |xᵢ| ≤ r in every round and η < 2ρ/r², "
        "then M ≤ ln 2NC/(ηρ − η²r²/2) + K, C classes, K of them not announced, "
        "if so few mistakes leave every exponent below 300"
    )
    source = (
        "Kivinen & Warmuth 1997, Exponentiated gradient versus gradient descent, on differences of classes; "
        "Littlestone 1989"
    )
    comparator = "class-separator"
    meters: ClassVar[tuple[type[Meter], ...]] = (Occurring,)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with V = witness."""
        rate, classes = float(run.parameters["rate"]), max(len(run.classes), 1)
        length = above(float(np.sum(np.abs(witness.u))) * (1 + witness.u.size * EPSILON))
        margins = witness.margins()
        least_lead = margins.least if run.rounds else 0.0
        rho = least_lead / length * (1 - 1e-14) if length > 0 else 0.0
        peak = run.norms().peak
        count = 2 * (max(run.meter(Occurring).count, 1 - run.bias) + run.bias) * classes
        gain = rate * rho - rate * rate * peak * peak / 2
        most = above(math.log(count) / (gain * (1 - 1e-13))) if gain > 0 and rho > 0 else None
        farthest = math.inf if most is None else rate * peak * most
        hypotheses = [
            *prompt_run(run),
            Hypothesis(
                "under some V the right class leads in every round",
                rho > 0,
                f"under the best V tried it does not in {margins.wrong:,} of {run.rounds:,} rounds",
            ),
            Hypothesis("the rate is below 2ρ/r²", gain > 0, f"η = {shown(rate)}"),
            Hypothesis("so few mistakes leave every exponent below 300", farthest < 300.0, "they do not"),
        ]
        quantities = {"rho": rho, "r": peak, "N": float(count), "wrong": float(margins.wrong)}
        bound = None if most is None else most + run.unannounced
        return conclude(self, run.mistakes, bound, hypotheses, quantities | unannounced(run))


class ClassSteps(Meter):
    """Σ over the largest η‖x‖² and 2η²‖x‖² of the run, and Ση·ℓ of every witness at several lengths."""

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        announced = getattr(run.ledger.start, "classes", [])
        self.known = {run.classes.index(one) for one in announced}
        self.alone = len(self.known) < 2
        self.rounds = 0  # with more than one class known
        self.paced = 0.0  # Ση
        self.noise, self.spread = _core.Bins(), _core.Bins()
        self.lost: dict[int, Floats] = {}

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        skipped = self._alone(block.labels)
        count = len(block.labels) - skipped
        step, rate = str(self.run.parameters["step"]), float(self.run.parameters["rate"])
        later = paces(step, rate, count, self.rounds)
        first = paces(step, rate, 1)
        pace = np.concatenate([np.repeat(first, skipped), later])
        self.rounds += count
        self.paced += float(np.sum(pace))
        self.noise.add(pace * block.squares)
        self.spread.add(2.0 * pace * pace * block.squares)
        kind = str(self.run.parameters["loss"])
        for k in range(len(block.low)):
            found = np.array([float(np.sum(pace * losses(kind, c * block.low[k]))) for c in LENGTHS.tolist()])
            self.lost[k] = self.lost.get(k, np.zeros(len(LENGTHS))) + found

    def _alone(self, labels: Floats) -> int:
        """How many rounds at the beginning knew of one class only: they have no loss and teach nothing."""
        if not self.alone:
            return 0
        for r, label in enumerate(labels.tolist()):
            self.known.add(int(label))
            if len(self.known) > 1:
                self.alone = False
                return r
        return len(labels)


class ClassZinkevich(RunTheorem):
    """Σℓ(W) ≤ Σℓ(U) + ‖U‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + Σ η_t‖x_t‖², for every U.

    The lead of the right class is a least of linear functions of W, so that a convex loss that falls with it
    is convex in W; its slope is at most 1 in the lead, and so √2·‖x‖ long. From round to round ‖W − U‖²
    grows by no more than 2η·ℓ(U) + 2η²‖x‖²: that is where D comes from. Only a round that changes W adds
    η‖x‖², so the largest of them are counted, as many as there were updates.
    """

    name = "Zinkevich (multiclass)"
    statement = (
        "for any U, with ℓ the perceptron, hinge or logistic loss of the lead of the right class and D² = "
        "‖U‖² + Σ(2η_t·ℓ_t(U) + 2η_t²‖x_t‖²): Σℓ_t(W_t) ≤ Σℓ_t(U) + ‖U‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + "
        "Σ η_t‖x_t‖², the sums of ‖x‖² over as many rounds as changed W, the largest"
    )
    source = "Zinkevich 2003, Online convex programming and generalized infinitesimal gradient ascent, Thm 1"
    about = "loss"
    comparator = "class-separator"
    meters: ClassVar[tuple[type[Meter], ...]] = (ClassSteps,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return nothing(run)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with U = witness in its best length."""
        observed, hypotheses, steps = run.ledger.loss, prompt_run(run), run.meter(ClassSteps)
        if not all(h.met for h in hypotheses) or steps.rounds == 0:
            return conclude(self, observed, 0.0, hypotheses)
        step, rate = str(run.parameters["step"]), float(run.parameters["rate"])
        first = float(paces(step, rate, 1)[0])
        last = {"constant": rate, "sqrt": rate / math.sqrt(steps.rounds), "inverse": rate / steps.rounds}[
            step
        ]
        later = 1.0 / last - 1.0 / first if last != first else 0.0
        noise, spread = _largest(steps.noise, run.ledger.updates), _largest(steps.spread, run.ledger.updates)
        lost = losses_at(str(run.parameters["loss"]), witness, LENGTHS)
        square = float_above(witness.square)
        best = (math.inf, 0.0)
        for place, c in enumerate(LENGTHS.tolist() if not witness.is_zero else []):
            length = outward(c * c * square)
            apart = length + outward(2.0 * float(steps.lost[witness.place][place])) + spread
            value = outward(
                float(lost[place]) + length / (2.0 * first) + 0.5 * outward(apart) * later + noise
            )
            best = min(best, (value, c))
        zero = nothing(run)
        paid = outward(2.0 * zero * steps.paced / run.rounds)
        best = min(best, (outward(zero + 0.5 * outward(paid + spread) * later + noise), 0.0))
        value, witness.length = best
        norm = outward(witness.length * math.sqrt(square))
        return conclude(self, observed, value, hypotheses, {"norm_u": norm})


def _largest(bins: _core.Bins, count: int) -> float:
    """The sum of the `count` largest numbers, from above; of a bin that is cut, by its upper limit."""
    _, following, counts, sums, _ = bins.table()
    total, left = 0.0, float(count)
    for limit, size, part in zip(
        following[::-1].tolist(), counts[::-1].tolist(), sums[::-1].tolist(), strict=True
    ):
        if left <= 0.0:
            break
        total += part if size <= left else min(left * limit, part)
        left -= size
    return outward(total)
