"""The largest margin that a direction can have on a run, with a proof that no other has a larger one.

For any weights α ≥ 0, Σα = 1, over the rounds, no u of length 1 has a margin above the length of
Σα·y·x, in the norm dual to that of u: min y⟨u,x⟩ ≤ Σα·y⟨u,x⟩ ≤ ‖Σα·y·x‖. What lies between the margin found
and that length is the duality gap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from noregret.hindsight.corral import Corral
from noregret.hindsight.programs import solved
from noregret.rounds import Floats

WORK = 500_000_000  # products of one search
MOST_HELD = 600  # rounds that hold the nearest point
NOTHING = 1e-14  # a square this small, against those of the rows, is 0: nothing separates them


class Margin(NamedTuple):
    """A direction, weights of rounds that prove how good it is, and the margin that nothing exceeds."""

    witness: Floats
    dual: dict[int, float]  # α by round, from 0
    at_most: float  # for u of length 1 in its norm
    stopped: bool = False  # before the end, because the work had been done that is allowed


def euclidean_margin(rows: Any) -> Margin:
    """The u of length 1 with the largest margin: the point of the hull of the rows y·x that is nearest to 0.

    Wolfe 1976, Finding the nearest point in a polytope.
    """
    squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    corral, alpha = Corral(rows, int(np.argmin(squares))), np.ones(1)
    point = _mixed(rows, corral.held, alpha)
    stopped = True
    while len(corral.held) < MOST_HELD and corral.work < WORK:
        reached = rows @ point
        new, length = int(np.argmin(reached)), float(point @ point)
        ended = length - reached[new] <= 1e-13 * length or length <= NOTHING * float(squares.max())
        if new in corral.held or ended:
            stopped = False
            break
        corral.add(new)
        alpha = _nearest(corral, np.append(alpha, 0.0))
        point = _mixed(rows, corral.held, alpha)
    dual = dict(zip(corral.held, alpha.tolist(), strict=True))
    return _proved(rows, point, dual, lambda z: float(np.linalg.norm(z)))._replace(stopped=stopped)


def _nearest(corral: Corral, alpha: Floats) -> Floats:
    """Walk to the point nearest to 0 in the plane through the rounds held, dropping those in the way."""
    while True:
        beta = corral.affine()
        if (beta > 0.0).all():
            return beta
        falling = beta <= 0.0
        steps = alpha[falling] / np.maximum(alpha[falling] - beta[falling], 1e-300)
        alpha = alpha + min(1.0, float(steps.min())) * (beta - alpha)
        kept = alpha > 1e-14
        if kept.all() or not kept.any():  # rounding: it goes no further
            alpha = np.maximum(alpha, 0.0)
            return np.asarray(alpha / alpha.sum())
        corral.keep(kept)
        alpha = alpha[kept] / alpha[kept].sum()


def mixture_margin(rows: Any, signed: bool) -> Margin:
    """The v, ‖v‖₁ = 1 (v ≥ 0 unless signed), with the largest margin over rows y·x, by linear programming."""
    from scipy.sparse import hstack

    width = rows.shape[1]
    parts = [-rows, rows] if signed else [-rows]
    count = width * len(parts)
    table = hstack([*parts, np.ones((rows.shape[0], 1))], format="csr")  # ρ − y⟨v,x⟩ ≤ 0
    found = solved(
        np.append(np.zeros(count), -1.0),
        table,
        np.zeros(rows.shape[0]),
        (np.append(np.ones(count), 0.0)[None, :], [1.0]),
        [(0, None)] * count + [(None, None)],
    )
    if found.x is None:
        return Margin(np.zeros(width), {}, np.inf, found.stopped)
    v = found.x[:width] - found.x[width:count] if signed else found.x[:width]
    alpha = np.maximum(-found.prices, 0.0)
    dual = {int(r): float(alpha[r]) for r in np.flatnonzero(alpha)}
    return _proved(rows, np.asarray(v), dual, lambda z: float(np.max(np.abs(z) if signed else z)))


def _mixed(rows: Any, held: list[int], alpha: Floats) -> Floats:
    return np.asarray(rows[held].T @ alpha).ravel()


def _proved(rows: Any, witness: Floats, dual: dict[int, float], norm: Callable[[Floats], float]) -> Margin:
    """Put witness and proof together; weights that add up to 1 only nearly are made to."""
    total = sum(dual.values())
    if total <= 0.0:
        return Margin(witness, {}, np.inf)
    dual = {r: weight / total for r, weight in dual.items()}
    return Margin(witness, dual, norm(_mixed(rows, list(dual), np.array(list(dual.values())))))
