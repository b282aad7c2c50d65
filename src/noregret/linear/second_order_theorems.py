"""What is proved about second-order learners with a full covariance.

SOP and AROW: with b = Σyx and X = Σxxᵀ over the rounds that taught, w = (a·I + X)⁻¹b. For any u,
Σy⟨u,x⟩ = ⟨u,b⟩ ≤ √(a‖u‖² + uᵀXu)·√(bᵀ(a·I + X)⁻¹b), and what stands under the second root grows in
a round by 1 − (1−m)²·a/(a+v'), m the margin: by at most ln(1 + v'/a) on a mistake; where 0 ≤ m < 1 by at
most that and m(2−m), or simply by 1. The logarithm of the determinant is that of the learner's own factors.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import plain_run
from noregret.linear.margin_bounds import best_gamma
from noregret.linear.perceptron_theorems import some_direction
from noregret.margin_sums import EPSILON, Shortfalls
from noregret.rounding import above, float_above, outward, root_above
from noregret.rounds import Floats


def _hypotheses(run: Judged) -> list[Hypothesis]:
    form = str(run.parameters["covariance"])
    return [*plain_run(run), Hypothesis("the covariance is full", form == "full", f"it is {form}")]


def log_determinant(run: Judged, trace: Fraction | None = None) -> float:
    """ln det(I + X/a), from above: how much the learner's own matrix has grown; at most the trace of X/a.

    Each round may have rounded each factor by a few units in its last place. Next to a determinant of nearly
    1 that is much, and the trace says more.
    """
    doubt = 8.0 * EPSILON * run.width * (run.rounds + 8.0)
    own = outward(max(float(run.learner.log_determinant), 0.0)) + doubt
    return own if trace is None else min(own, float_above(trace))


class Grown(Meter):
    """Σ m(2 − m) over the rounds with a margin m between 0 and 1: what they may add beyond the logarithm."""

    def __init__(self, run: Judged) -> None:
        """Nothing yet."""
        super().__init__(run)
        self.value = 0.0

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        margins = block.labels * block.scores
        inside = margins[(margins > 0.0) & (margins < 1.0)]
        self.value += float(np.sum(inside * (2.0 - inside)))


class _LeastSquares(RunTheorem):
    """M ≤ √(a‖u‖² + uᵀXu)·√(ln det(I + X/a) + U) + Σ max(0, 1 − y⟨u,x⟩) − U."""

    taught: ClassVar[str] = "mistakes"
    meters: ClassVar[tuple[type[Meter], ...]] = (Grown,)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness at the length that suits it best.

        The proof needs the hinges of the rounds that taught only, and less than U under the root; a
        run that breaks this is caught. But as a bound it says little: for small u it approaches M
        itself. So they are summed over all rounds, where they are the price of u alone.
        """
        hypotheses = [*_hypotheses(run), some_direction(run, witness, run.mistakes)]
        if not all(h.met for h in hypotheses):
            return conclude(self, run.mistakes, None, hypotheses)
        ridge = Fraction(float(run.parameters["ridge"]))
        taught = witness.margins(self.taught)
        spare = run.norms(self.taught).rounds - run.mistakes
        logarithm = log_determinant(run, run.norms(self.taught).total.above() / ridge)
        square = ridge * witness.square + taught.sum_of_squares(witness.doubt)
        reach = root_above(square * (Fraction(logarithm) + spare))
        least, gamma = _least(witness.margins().shortfalls, reach)
        bound = least - spare
        grown = Fraction(outward(run.meter(Grown).value))
        strong = _least(taught.shortfalls, root_above(square * (Fraction(logarithm) + grown)))[0] - spare
        told = bound if run.mistakes <= strong else min(bound, strong)
        quantities = {
            "log_det": logarithm,
            "norm_u": float_above(root_above(witness.square)),
            "U": float(spare),
            "gamma": float(gamma),
        }
        return conclude(self, run.mistakes, told, hypotheses, quantities)


class CesaBianchiConconiGentile(_LeastSquares):
    """The second-order Perceptron, where only mistakes teach: U = 0."""

    name = "Cesa-Bianchi–Conconi–Gentile"
    statement = (
        "for any u, with X = Σxxᵀ over the mistakes and λ its eigenvalues: "
        "M ≤ √(a‖u‖² + uᵀXu)·√Σln(1 + λ/a) + Σ max(0, 1 − y⟨u,x⟩)"
    )
    source = "Cesa-Bianchi, Conconi & Gentile 2005, A second-order perceptron algorithm, Thm 3.1"
    views: ClassVar[tuple[str, ...]] = ("all", "mistakes")


class CrammerKulesza(_LeastSquares):
    """AROW, where margins below 1 teach as well: U of them."""

    name = "Crammer–Kulesza–Dredze"
    statement = (
        "for any u, with X = Σxxᵀ over the rounds with y⟨w,x⟩ < 1, U of them no mistakes: "
        "M ≤ √(r‖u‖² + uᵀXu)·√(ln det(I + X/r) + U) + Σ max(0, 1 − y⟨u,x⟩) − U"
    )
    source = "Crammer, Kulesza & Dredze 2009, Adaptive regularization of weight vectors, Thm 2"
    views: ClassVar[tuple[str, ...]] = ("all", "below one")
    taught: ClassVar[str] = "below one"


def _least(short: Shortfalls, reach: Fraction) -> tuple[Fraction, Fraction]:
    """The least (reach + Σ max(0, γ − m))/γ, from above; and its γ: u/γ is as long as suits the bound."""
    size = float_above(reach)
    place = best_gamma(short, lambda gamma, linear, _: (size + linear) / gamma)
    gamma = Fraction(float(short.gammas[place]))
    return (reach + Fraction(float(short.linear[place]))) / gamma, gamma


class HazanAgarwalKale(RunTheorem):
    """The online Newton step: regret ≤ (a/2)‖u‖² + (1/2σ)·ln det(I + (σ/a)Σggᵀ).

    In a round 2g(w − u) ≤ ‖w − u‖²_A − ‖w' − u‖²_A + gᵀA⁻¹g, as the projection only brings w nearer
    to every u whose score is within ±C; the curvature σ pays for what A grows by. Summed up, the
    last terms are ln det at most: d·ln T at worst.
    """

    name = "Hazan–Agarwal–Kale"
    statement = (
        "for any u with |⟨u,x⟩| ≤ C in every round, L the sum of squared hinges and "
        "σ = 1/(2(1+C)·max(1+C, 2C)): L ≤ L(u) + (a/2)‖u‖² + (1/2σ)·ln det(I + (σ/a)Σggᵀ)"
    )
    source = (
        "Hazan, Agarwal & Kale 2007, Logarithmic regret algorithms, Thm 2; for kept scores "
        "Luo, Agarwal, Cesa-Bianchi & Langford 2016, Efficient second order online learning by "
        "sketching, Thm 1"
    )
    about = "squared hinge loss"

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness at the best length that keeps its scores within ±C."""
        hypotheses = _hypotheses(run)
        observed = run.ledger.loss
        if not all(h.met for h in hypotheses):
            return conclude(self, observed, None, hypotheses)
        ridge, limit = float(run.parameters["ridge"]), float(run.parameters["limit"])
        sigma = 1.0 / (2.0 * (1.0 + limit) * max(1.0 + limit, 2.0 * limit))
        logarithm = log_determinant(run)
        margins, square = witness.margins(), float_above(witness.square)
        most = margins.largest_size + witness.doubt
        price, length = self._price(margins.shortfalls, ridge, square, most / limit, float(run.rounds))
        bound = outward(above(price + logarithm / (2.0 * sigma)))
        witness.length = length
        norm = float_above(root_above(witness.square))
        return conclude(
            self, observed, bound, hypotheses, {"log_det": logarithm, "norm_u": above(length * norm)}
        )

    @staticmethod
    def _price(
        short: Shortfalls, ridge: float, square: float, least: float, nothing: float
    ) -> tuple[float, float]:
        """The least L(u) + (a/2)‖u‖² over the lengths 1/γ with γ ≥ least, and u = 0; and the length."""
        gammas = short.gammas
        values: Floats = (short.squares + 0.5 * ridge * square) / gammas**2
        allowed = (gammas >= least * (1.0 + 1e-12)) & np.isfinite(values)
        if not allowed.any():
            return nothing, 0.0
        place = int(np.argmin(np.where(allowed, values, np.inf)))
        if values[place] >= nothing:
            return nothing, 0.0
        return above(float(values[place])), 1.0 / float(gammas[place])
