"""The least penalised loss of a fixed u on a run, with a proof of how far from the least it is.

For any slopes −α that the loss can have, Σ −ℓ*(−α) − ‖Σα·y·x‖²/(2·penalty) is below the penalised loss of
every u (Fenchel duality); with the slopes at the u found, the two nearly meet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from noregret.rounds import Floats

STEPS = 500
SMOOTHING = (1.0, 0.1, 0.01, 0.001)  # hinge: its corner is rounded, less and less


class Loss(NamedTuple):
    """A convex loss of the margin m, and −ℓ*(−α): how much of it the slope −α accounts for."""

    value: Callable[[Floats], Floats]
    slope: Callable[[Floats, float], Floats]  # α at m, with the corner rounded
    smooth: Callable[[Floats, float], Floats]  # the loss so rounded
    conjugate: Callable[[Floats], Floats]
    smoothings: tuple[float, ...] = (0.0,)


class Minimum(NamedTuple):
    """The u found, its penalised loss, and a number below that of every u."""

    witness: Floats
    value: float
    at_least: float


def minimised(rows: Any, labels: Floats, loss: str, penalty: float, steps: int = STEPS) -> Minimum:
    """Minimise by L-BFGS; of the points tried the one with the least penalised loss is kept."""
    from scipy.optimize import minimize

    priced = LOSSES[loss]
    transposed = rows.T.tocsr()
    u, bounds = np.zeros(rows.shape[1]), []
    for rounded in priced.smoothings:

        def objective(u: Floats, rounded: float = rounded) -> tuple[float, Floats]:
            margins = labels * (rows @ u)
            value = float(priced.smooth(margins, rounded).sum()) + 0.5 * penalty * float(u @ u)
            return value, penalty * u - transposed @ (labels * priced.slope(margins, rounded))

        options = {"maxiter": steps, "ftol": 1e-15, "gtol": 1e-9}
        u = np.asarray(minimize(objective, u, jac=True, method="L-BFGS-B", options=options).x)
        margins = labels * (rows @ u)
        alpha = priced.slope(margins, rounded)
        reached = transposed @ (labels * alpha)
        below = float(priced.conjugate(alpha).sum()) - float(reached @ reached) / (2.0 * penalty)
        bounds.append((float(priced.value(margins).sum()) + 0.5 * penalty * float(u @ u), below, u))
    value, _, best = min(bounds, key=lambda one: one[0])
    below = max(below for _, below, _ in bounds)
    return Minimum(best, value, below - 1e-12 * abs(below))  # further than sums can have been rounded


def minimised_classes(rows: Any, labels: Any, classes: int, penalty: float, steps: int) -> Floats:
    """Minimise Σ −ln(share of the right class) + ½·penalty·‖U‖², where shares go as e^score; a row each."""
    from scipy.optimize import minimize
    from scipy.special import logsumexp

    transposed, every, shape = rows.T.tocsr(), np.arange(len(labels)), (classes, rows.shape[1])

    def objective(flat: Floats) -> tuple[float, Floats]:
        u = flat.reshape(shape)
        scores = rows @ u.T
        whole = logsumexp(scores, axis=1)
        shares = np.exp(scores - whole[:, None])
        value = float((whole - scores[every, labels]).sum()) + 0.5 * penalty * float(flat @ flat)
        shares[every, labels] -= 1.0
        return value, ((transposed @ shares).T + penalty * u).ravel()

    start = np.zeros(shape[0] * shape[1])
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    return np.asarray(found.x, dtype=np.float64).reshape(shape)


def _entropy(alpha: Floats) -> Floats:
    inside = np.clip(alpha, 1e-300, 1.0)
    other = np.clip(1.0 - alpha, 1e-300, 1.0)
    return -(alpha * np.log(inside) + (1.0 - alpha) * np.log(other))


def _sigmoid(m: Floats) -> Floats:
    """1/(1 + eᵐ), where neither side overflows."""
    small = np.exp(-np.abs(m))
    return np.where(m > 0, small, 1.0) / (1.0 + small)


def _rounded_hinge(m: Floats, rounded: float) -> Floats:
    short = np.maximum(0.0, 1.0 - m)
    return np.where(short < rounded, short * short / (2.0 * rounded), short - rounded / 2.0)


LOSSES: dict[str, Loss] = {
    "hinge": Loss(
        value=lambda m: np.maximum(0.0, 1.0 - m),
        slope=lambda m, rounded: np.clip((1.0 - m) / rounded, 0.0, 1.0),
        smooth=_rounded_hinge,
        conjugate=lambda alpha: alpha,
        smoothings=SMOOTHING,
    ),
    "squared-hinge": Loss(
        value=lambda m: 0.5 * np.maximum(0.0, 1.0 - m) ** 2,
        slope=lambda m, _: np.maximum(0.0, 1.0 - m),
        smooth=lambda m, _: 0.5 * np.maximum(0.0, 1.0 - m) ** 2,
        conjugate=lambda alpha: alpha - 0.5 * alpha * alpha,
    ),
    "logistic": Loss(
        value=lambda m: np.logaddexp(0.0, -m),
        slope=lambda m, _: _sigmoid(m),
        smooth=lambda m, _: np.logaddexp(0.0, -m),
        conjugate=_entropy,
    ),
}
