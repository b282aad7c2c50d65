"""Comparators found in hindsight: witnesses that make a theorem's bound small.

Nothing here has to be right for a certificate to be right: a theorem checks the witness itself.
A poor one only makes the bound larger, or the theorem silent. How far a search goes is counted in steps,
never in seconds: the same data give the same witness on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from noregret.hindsight.programs import FEATURES, TOO_LARGE, solved, too_large
from noregret.ledger import Replay
from noregret.rounds import Floats

SEARCH_VALUES = 3_000_000  # beyond this many numbers only the cheap candidates are tried
TUNING = 2  # times that the strength of a minimiser is adapted


def candidates(kind: str, replay: Replay, limits: list[str]) -> Iterator[Floats]:
    """Yield witnesses of a kind, by column of the replay. The final weights are always among them.

    Where a search met a limit, a sentence is added to `limits`.
    """
    yield replay.final
    if len(replay.labels) and kind in FINDERS:
        yield from FINDERS[kind](replay, limits)


def separators(replay: Replay, limits: list[str]) -> Iterator[Floats]:
    """Directions u with large y⟨u, x⟩: sums over the mistakes, and least squared hinge losses."""
    rows, labels = replay.rows, replay.labels
    yield np.asarray(rows.T @ (labels * replay.mistaken)).ravel()
    yield np.sign(np.asarray(rows.T @ labels).ravel())
    if rows.nnz > SEARCH_VALUES:
        limits.append(TOO_LARGE)
        return
    start = np.zeros(rows.shape[1])
    scale = float(rows.multiply(rows).sum()) / len(labels)
    for strength in (1.0, 1e-2):
        start = _squared_hinge(rows, labels, strength * scale, start)
        yield start
    yield from _tuned(replay, start)


def _tuned(replay: Replay, u: Floats) -> Iterator[Floats]:
    """Make R‖u‖ + D small, which Freund and Schapire's bound is the square of, at γ = 1.

    There the slope of R‖u‖ + √Σd² is that of ½Σd² + ½·strength·‖u‖² with strength = R·√Σd²/‖u‖.
    """
    rows, labels = replay.rows, replay.labels
    wrong = rows[replay.mistaken]
    radius = float(np.sqrt(np.max(wrong.multiply(wrong).sum(axis=1), initial=0.0)))
    for _ in range(TUNING):
        short, length = np.maximum(0.0, 1.0 - labels * (rows @ u)), float(np.linalg.norm(u))
        if not short.any() or length == 0.0 or radius == 0.0:
            return
        u = _squared_hinge(rows, labels, radius * float(np.linalg.norm(short)) / length, u)
        yield u


def _squared_hinge(rows: Any, labels: Floats, strength: float, start: Floats) -> Floats:
    """Minimise ½Σ max(0, 1 − y⟨u,x⟩)² + ½·strength·‖u‖²."""
    from scipy.optimize import minimize

    transposed = rows.T.tocsr()

    def objective(u: Floats) -> tuple[float, Floats]:
        short = np.maximum(0.0, 1.0 - labels * (rows @ u))
        value = 0.5 * float(short @ short) + 0.5 * strength * float(u @ u)
        return value, strength * u - transposed @ (labels * short)

    steps = 100 if len(start) <= FEATURES else 25
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    return np.asarray(found.x, dtype=np.float64)


def class_separators(replay: Replay, limits: list[str]) -> Iterator[Floats]:
    """Weights by class whose right class leads: least squared hinge losses of the lead."""
    rows, classes = replay.rows, len(replay.classes)
    if rows.nnz * classes > 10 * SEARCH_VALUES:
        limits.append(
            f"with more than {10 * SEARCH_VALUES:,} values × classes, only the final weights are tried"
        )
        return
    if classes < 2:
        return
    start = np.zeros((classes, rows.shape[1]))
    scale = float(rows.multiply(rows).sum()) / len(replay.labels)
    for strength in (1.0, 1e-2, 1e-5):
        start = _class_hinge(rows, replay.labels.astype(int), strength * scale, start)
        yield start


def _class_hinge(rows: Any, labels: Any, strength: float, start: Floats) -> Floats:
    """Minimise ½Σ max(0, 1 − lead)² + ½·strength·‖U‖², the lead that of the right class."""
    from scipy.optimize import minimize

    shape, every, transposed = start.shape, np.arange(len(labels)), rows.T.tocsr()

    def objective(flat: Floats) -> tuple[float, Floats]:
        u = flat.reshape(shape)
        scores = rows @ u.T
        own = scores[every, labels]
        scores[every, labels] = -np.inf
        rival = scores.argmax(axis=1)
        short = np.maximum(0.0, 1.0 - own + scores[every, rival])
        push = np.zeros_like(scores)
        push[every, labels] = -short
        push[every, rival] += short
        value = 0.5 * float(short @ short) + 0.5 * strength * float(flat @ flat)
        return value, (strength * u + (transposed @ push).T).ravel()

    steps = {"maxiter": 60, "maxcor": 10}
    found = minimize(objective, start.ravel(), jac=True, method="L-BFGS-B", options=steps)
    return np.asarray(found.x, dtype=np.float64).reshape(shape)


def least_squares(replay: Replay, limits: list[str]) -> Iterator[Floats]:
    """Nothing, and the u of least Σ(⟨u,x⟩ − y)² + strength·‖u‖², for a few strengths."""
    from scipy.sparse.linalg import lsqr

    yield np.zeros(replay.rows.shape[1])
    if replay.rows.nnz > SEARCH_VALUES:
        limits.append(f"with more than {SEARCH_VALUES:,} values, only the final weights and 0 are tried")
        return
    scale = float(replay.rows.multiply(replay.rows).sum()) / len(replay.labels)
    for strength in (10.0, 1.0, 1e-2, 1e-6):
        yield np.asarray(
            lsqr(replay.rows, replay.labels, damp=(strength * scale) ** 0.5)[0], dtype=np.float64
        )


def disjunctions(replay: Replay, _: list[str]) -> Iterator[Floats]:
    """The features that no negative has, and a small cover of the positives among them."""
    rows, positive = replay.rows, replay.labels > 0
    present = (rows != 0).astype(np.float64)
    allowed = np.asarray(present[~positive].sum(axis=0)).ravel() == 0
    yield allowed.astype(np.float64)
    yield _cover(present[positive].tocsc(), allowed)


def _cover(present: Any, allowed: Any) -> Floats:
    """Cover the rows with columns, each time the one that covers most (Johnson 1974)."""
    chosen = np.zeros(present.shape[1])
    open_rows = np.ones(present.shape[0])
    while open_rows.any():
        gains = np.where(allowed & (chosen == 0), present.T @ open_rows, 0.0)
        best = int(np.argmax(gains))
        if gains[best] == 0:
            break
        chosen[best] = 1.0
        open_rows[present.indices[present.indptr[best] : present.indptr[best + 1]]] = 0.0
    return chosen


def thresholds(replay: Replay, limits: list[str]) -> Iterator[Floats]:
    """Targets μ ≥ 0 with Σμx ≥ 1 on positives and ≤ 1 − δ on negatives, for a few δ."""
    from scipy.sparse import vstack

    yield from disjunctions(replay, limits)
    if too_large(replay):
        limits.append(TOO_LARGE)
        return
    positive = replay.labels > 0
    table = vstack([-replay.rows[positive], replay.rows[~positive]], format="csr")
    for keep in (0.0, 0.25, 0.5, 0.75, 0.9):  # 1 − δ
        limit = np.concatenate([np.full(int(positive.sum()), -1.0), np.full(int((~positive).sum()), keep)])
        found = solved(np.ones(table.shape[1]), table, limit)
        if found.stopped:
            limits.append(f"the search for a target with δ = {1.0 - keep:g} ended at its limit of steps")
        if found.x is not None:
            yield found.x


FINDERS: dict[str, Callable[[Replay, list[str]], Iterator[Floats]]] = {
    "separator": separators,
    "class-separator": class_separators,
    "least-squares": least_squares,
    "disjunction": disjunctions,
    "threshold": thresholds,
}
