"""Comparators found in hindsight: witnesses that make a theorem's bound small.

Nothing here has to be right for a certificate to be right: a theorem checks the witness itself.
A poor one only makes the bound larger, or the theorem silent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from noregret.ledger import Replay
from noregret.rounds import Floats

SEARCH_VALUES = 3_000_000  # beyond this many numbers only the cheap candidates are tried
PROGRAM_VALUES = 1_000_000  # the same for linear programs,
PROGRAM_FEATURES = 20_000  # which mind the number of features more
SECONDS = 3.0  # for one linear program
TUNING = 2  # times that the strength of a minimiser is adapted


def candidates(kind: str, replay: Replay) -> Iterator[Floats]:
    """Yield witnesses of a kind, by column of the replay. The final weights are always among them."""
    yield replay.final
    if len(replay.labels) and kind in FINDERS:
        yield from FINDERS[kind](replay)


def separators(replay: Replay) -> Iterator[Floats]:
    """Directions u with large y⟨u, x⟩: sums over the mistakes, and least squared hinge losses."""
    rows, labels = replay.rows, replay.labels
    yield np.asarray(rows.T @ (labels * replay.mistaken)).ravel()
    yield np.sign(np.asarray(rows.T @ labels).ravel())
    if rows.nnz > SEARCH_VALUES:
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

    steps = 100 if len(start) <= PROGRAM_FEATURES else 25
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    return np.asarray(found.x, dtype=np.float64)


def disjunctions(replay: Replay) -> Iterator[Floats]:
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


def thresholds(replay: Replay) -> Iterator[Floats]:
    """Targets μ ≥ 0 with Σμx ≥ 1 on positives and ≤ 1 − δ on negatives, for a few δ."""
    yield from disjunctions(replay)
    if _too_large(replay):
        return
    positive = replay.labels > 0
    ones = np.ones(replay.rows.shape[1])
    for keep in (0.0, 0.25, 0.5, 0.75, 0.9):  # 1 − δ
        reach = (-replay.rows[positive], -np.ones(int(positive.sum())))
        stay = (replay.rows[~positive], np.full(int((~positive).sum()), keep))
        yield from _program(ones, [reach, stay])


def _too_large(replay: Replay) -> bool:
    return bool(replay.rows.nnz > PROGRAM_VALUES or replay.rows.shape[1] > PROGRAM_FEATURES)


def _program(
    goal: Floats, below: list[tuple[Any, Floats]], equal: Any = (None, None), bounds: Any = (0, None)
) -> Iterator[Floats]:
    """Solve a linear program; yield its solution if it has one in time."""
    from scipy.optimize import linprog
    from scipy.sparse import vstack

    table = vstack([part for part, _ in below], format="csr")
    limit = np.concatenate([side for _, side in below])
    found = linprog(
        goal, table, limit, *equal, bounds=bounds, method="highs", options={"time_limit": SECONDS}
    )
    if found.x is not None:
        yield np.asarray(found.x, dtype=np.float64)


FINDERS: dict[str, Callable[[Replay], Iterator[Floats]]] = {
    "separator": separators,
    "disjunction": disjunctions,
    "threshold": thresholds,
}
