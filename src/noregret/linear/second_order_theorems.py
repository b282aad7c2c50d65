"""What is proved about second-order learners with a full covariance.

SOP and AROW: with b = Σyx and X = Σxxᵀ over the rounds that taught, w = (a·I + X)⁻¹b. For any u,
Σy⟨u,x⟩ = ⟨u,b⟩ ≤ √(a‖u‖² + uᵀXu)·√(bᵀ(a·I + X)⁻¹b), and what stands under the second root grows in
a round by 1 − (1−m)²·a/(a+v'), m the margin: by at most ln(1 + v'/a) on a mistake; where 0 ≤ m < 1 by at
most that and m(2−m), or simply by 1.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import plain_run
from noregret.rounding import above, float_above, root_above
from noregret.rounds import Floats

WIDEST = 600  # beyond, eigenvalues take too long, and their mean has to do


def _hypotheses(replay: Replay) -> list[Hypothesis]:
    form = str(replay.parameters["covariance"])
    return [*plain_run(replay), Hypothesis("the covariance is full", form == "full", f"it is {form}")]


def log_determinant(rows: Any, ridge: float, widest: int = WIDEST) -> float:
    """Give ln det(I + Σxxᵀ/a) from above; where there are too many features, by their mean eigenvalue."""
    width = min(rows.shape)
    trace = above(float(np.sum(rows.data**2)) * (1.0 + rows.nnz * arithmetic.EPSILON))
    if width == 0 or trace == 0.0:
        return 0.0
    if width > widest:
        return above(width * math.log1p(trace / (width * ridge)))
    columns = rows.T if rows.shape[0] < rows.shape[1] else rows
    error = (max(rows.shape) + 16.0 * width) * arithmetic.EPSILON
    if trace > ridge:
        return _scaled_determinant(columns, ridge, error * width)
    eigenvalues = np.maximum(np.linalg.eigvalsh((columns.T @ columns).toarray()), 0.0) + error * trace
    return above(float(np.sum(np.log1p(eigenvalues / ridge))) * (1.0 + width * arithmetic.EPSILON))


def _scaled_determinant(columns: Any, ridge: float, error: float) -> float:
    """Give the same by columns over √(a + Σx²) each.

    Where columns differ much in size, a rounding error of the largest eigenvalue would hide the small ones.
    The scaled matrix has ones on its diagonal, so that the errors of its products and of its eigenvalues stay
    below `error`.
    """
    from scipy.sparse import csr_array, diags_array

    squares = ridge + np.asarray(columns.multiply(columns).sum(axis=0), dtype=np.float64).ravel()
    scaled = csr_array(columns @ diags_array(1.0 / np.sqrt(squares)))
    gram = (scaled.T @ scaled).toarray() + np.diag(ridge / squares)
    eigenvalues = np.maximum(np.linalg.eigvalsh(gram), 0.0) + error
    terms = np.concatenate([np.log(squares) - math.log(ridge), np.log(eigenvalues)])
    rounding = (2.0 * len(gram) + 8.0) * arithmetic.EPSILON * float(np.sum(np.abs(terms)) + len(gram))
    return above(max(0.0, float(np.sum(terms)) + rounding))


def _square_products(rows: Any, witness: Floats) -> Fraction:
    """Σ⟨u,x⟩², from above."""
    low, high = arithmetic.products(rows, witness)
    sizes = np.maximum(np.abs(low), np.abs(high))
    exact = bool(np.all(np.floor(sizes) == sizes))
    return arithmetic.sum_above(sizes * sizes if exact else sizes * sizes * (1.0 + arithmetic.EPSILON))


class _LeastSquares:
    """M ≤ √(a‖u‖² + uᵀXu)·√(ln det(I + X/a) + U) + Σ max(0, 1 − y⟨u,x⟩) − U."""

    name = ""
    statement = ""
    source = ""
    about = "mistakes"
    comparator = "separator"

    def taught(self, replay: Replay) -> NDArray[np.bool_]:
        """The rounds that taught something."""
        return replay.mistaken

    @staticmethod
    def grown(margins: Floats) -> Fraction:
        """What rounds with a margin between 0 and 1 add to bᵀ(a·I + X)⁻¹b beyond the logarithm: m(2 − m)."""
        inside = margins[(margins > 0.0) & (margins < 1.0)]
        return arithmetic.sum_above(inside * (2.0 - inside) * (1.0 + 4.0 * arithmetic.EPSILON))

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness at the scale that suits it best.

        The proof needs the hinges of the rounds that taught only, and less than U under the root; a
        run that breaks this is caught. But as a bound it says little: for small u it approaches M
        itself. So they are summed over all rounds, where they are the price of u alone.
        """
        hypotheses = _hypotheses(replay)
        some = bool(np.any(witness != 0)) or replay.mistakes == 0
        hypotheses.append(Hypothesis("some u is not zero", some, "there was nothing to learn from"))
        if not all(h.met for h in hypotheses):
            return conclude(self, replay.mistakes, None, hypotheses)
        ridge = float(replay.parameters["ridge"])
        taught = self.taught(replay)
        rows, spare = replay.rows[taught], int(np.sum(taught & ~replay.mistaken))
        logarithm = log_determinant(rows, ridge)
        square = Fraction(ridge) * arithmetic.square_norm(witness) + _square_products(rows, witness)
        margins = arithmetic.margins(replay.rows, replay.labels, witness)
        bound = _least(margins, root_above(square * (Fraction(logarithm) + spare))) - spare
        grown = self.grown(replay.labels * replay.scores)
        strong = _least(margins[taught], root_above(square * (Fraction(logarithm) + grown))) - spare
        told = bound if replay.mistakes <= strong else min(bound, strong)
        quantities = {
            "log_det": logarithm,
            "norm_u": float_above(root_above(arithmetic.square_norm(witness))),
            "U": float(spare),
        }
        return conclude(self, replay.mistakes, told, hypotheses, quantities)


class CesaBianchiConconiGentile(_LeastSquares):
    """The second-order Perceptron, where only mistakes teach: U = 0."""

    name = "Cesa-Bianchi–Conconi–Gentile"
    statement = (
        "for any u, with X = Σxxᵀ over the mistakes and λ its eigenvalues: "
        "M ≤ √(a‖u‖² + uᵀXu)·√Σln(1 + λ/a) + Σ max(0, 1 − y⟨u,x⟩)"
    )
    source = "Cesa-Bianchi, Conconi & Gentile 2005, A second-order perceptron algorithm, Thm 3.1"


class CrammerKulesza(_LeastSquares):
    """AROW, where margins below 1 teach as well: U of them."""

    name = "Crammer–Kulesza–Dredze"
    statement = (
        "for any u, with X = Σxxᵀ over the rounds with y⟨w,x⟩ < 1, U of them no mistakes: "
        "M ≤ √(r‖u‖² + uᵀXu)·√(ln det(I + X/r) + U) + Σ max(0, 1 − y⟨u,x⟩) − U"
    )
    source = "Crammer, Kulesza & Dredze 2009, Adaptive regularization of weight vectors, Thm 2"

    def taught(self, replay: Replay) -> NDArray[np.bool_]:
        """The rounds with a margin below 1."""
        return np.asarray(replay.labels * replay.scores < 1.0)


def _least(margins: Floats, reach: Fraction) -> Fraction:
    """The least (reach + Σ max(0, γ − m))/γ over the margins and more, from above."""
    ordered = np.sort(margins)
    scale = float(np.max(np.abs(ordered), initial=0.0)) or 1.0
    gammas = np.concatenate([ordered[ordered > 0], scale * np.array([1.0, 1e1, 1e2, 1e3])])
    count = np.searchsorted(ordered, gammas)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])[count]
    values = (float(reach) + np.maximum(0.0, gammas * count - sums)) / gammas
    gamma = float(gammas[int(np.argmax(values <= values.min() * (1.0 + 1e-9)))])
    short = np.maximum(0.0, gamma - margins)
    if not bool(np.all(np.floor(margins) == margins)):
        short = short * (1.0 + 2.0 * arithmetic.EPSILON)
    return (reach + arithmetic.sum_above(short)) / Fraction(gamma)


class HazanAgarwalKale:
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
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness at the best scale that keeps its scores within ±C."""
        hypotheses = _hypotheses(replay)
        observed = replay.ledger.loss
        if not all(h.met for h in hypotheses):
            return conclude(self, observed, None, hypotheses)
        ridge, limit = float(replay.parameters["ridge"]), float(replay.parameters["limit"])
        sigma = 1.0 / (2.0 * (1.0 + limit) * max(1.0 + limit, 2.0 * limit))
        missing = np.maximum(0.0, 1.0 - replay.labels * np.clip(replay.scores, -limit, limit))
        logarithm = _gradient_determinant(replay.rows, missing, sigma, ridge)
        low, high = arithmetic.products(replay.rows, witness)
        most = float(np.max(np.maximum(np.abs(low), np.abs(high)), initial=0.0))
        square = float_above(arithmetic.square_norm(witness))
        margins = np.where(replay.labels > 0, low, -high)
        rounding = 1.0 + (len(margins) + 8.0) * arithmetic.EPSILON
        price, scale = math.inf, 0.0
        for share in np.linspace(0.0, 1.0, 41):
            c = share * (limit / most if most > 1e-300 else 0.0) * (1.0 - 2.0 * arithmetic.EPSILON)
            losses = float(np.sum(np.maximum(0.0, 1.0 - c * margins) ** 2))
            here = above((losses + 0.5 * ridge * c * c * square) * rounding)
            price, scale = min((price, scale), (here, c))
        bound = above(price + logarithm / (2.0 * sigma)) * rounding
        length = float_above(root_above(arithmetic.square_norm(witness)))
        return conclude(
            self, observed, bound, hypotheses, {"log_det": logarithm, "norm_u": above(scale * length)}
        )


def _gradient_determinant(rows: Any, missing: Floats, sigma: float, ridge: float) -> float:
    """Give ln det(I + (σ/a)Σggᵀ) from above, where |g| = 2·missing·|x|."""
    from scipy.sparse import csr_array, diags_array

    steps = 2.0 * missing * math.sqrt(sigma) * (1.0 + 4.0 * arithmetic.EPSILON)
    return log_determinant(csr_array(diags_array(steps) @ rows), ridge)
