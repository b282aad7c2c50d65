"""The largest margin that a direction can have on a run, with a proof that no other has a larger one.

For any weights α ≥ 0, Σα = 1, over the rounds, no u of length 1 has a margin above the length of
Σα·y·x, in the norm dual to that of u: min y⟨u,x⟩ ≤ Σα·y⟨u,x⟩ ≤ ‖Σα·y·x‖. What lies between the margin found
and that length is the duality gap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from noregret.hindsight.corral import Corral
from noregret.hindsight.programs import VALUES, solved, too_large
from noregret.ledger import Replay
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


def euclidean(replay: Replay) -> Margin:
    """The u of length 1 with the largest margin: the point of the hull of y·x that is nearest to 0.

    Wolfe 1976, Finding the nearest point in a polytope.
    """
    rows = _signed(replay)
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


def between_ranks(replay: Replay) -> Margin | None:
    """The (u, c) of length 1 that keeps ranks from the thresholds c between them by the largest margin.

    A round of rank y is k − 1 rounds: (x, −e_r), with label +1 where y > r.
    """
    from scipy.sparse import csr_array, hstack

    rounds, between = len(replay.labels), int(replay.parameters["ranks"]) - 1
    if replay.rows.nnz * between > VALUES:
        return None
    cuts = np.tile(np.arange(between), rounds)
    beside = csr_array((-np.ones(len(cuts)), cuts, np.arange(len(cuts) + 1)), shape=(len(cuts), between))
    rows = hstack([replay.rows[np.repeat(np.arange(rounds), between)], beside], format="csr")
    labels = np.where(np.repeat(replay.labels, between) > cuts + 1, 1.0, -1.0)
    return euclidean(replace(replay, rows=rows, labels=labels))


def nonnegative(replay: Replay) -> Margin:
    """The v ≥ 0, ‖v‖₁ = 1, with the largest margin, by linear programming."""
    return _by_program(replay, signed=False)


def signed(replay: Replay) -> Margin:
    """The v, ‖v‖₁ = 1, with the largest margin, by linear programming."""
    return _by_program(replay, signed=True)


def _by_program(replay: Replay, signed: bool) -> Margin:
    from scipy.sparse import hstack

    rows = _signed(replay)
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


def _signed(replay: Replay) -> Any:
    from scipy.sparse import diags_array

    return (diags_array(replay.labels) @ replay.rows).tocsr()


def _mixed(rows: Any, held: list[int], alpha: Floats) -> Floats:
    return np.asarray(rows[held].T @ alpha).ravel()


def _proved(rows: Any, witness: Floats, dual: dict[int, float], norm: Callable[[Floats], float]) -> Margin:
    """Put witness and proof together; weights that add up to 1 only nearly are made to."""
    total = sum(dual.values())
    if total <= 0.0:
        return Margin(witness, {}, np.inf)
    dual = {r: weight / total for r, weight in dual.items()}
    return Margin(witness, dual, norm(_mixed(rows, list(dual), np.array(list(dual.values())))))


MARGINS: dict[str, Callable[[Replay], Margin | None]] = {
    "separator": euclidean,
    "mixture": nonnegative,
    "signed-mixture": signed,
    "ranks": between_ranks,
}


def largest_margin(kind: str, replay: Replay) -> Margin | None:
    """The largest margin for a kind of witness; None where nobody looks for it, or the data are too large."""
    if kind not in MARGINS or len(replay.labels) == 0 or too_large(replay):
        return None
    return MARGINS[kind](replay)
