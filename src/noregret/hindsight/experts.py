"""What could have been had.

The best expert, mixture, linear combination or sequence, known only afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noregret.errors import BadInput, BadParameter
from noregret.experts.arrays import table_of, truths_of
from noregret.experts.losses import SUREST, Loss, LossFunction, parse_loss
from noregret.rounds import Floats

_PATIENCE = 20.0  # seconds for a linear program


@dataclass(frozen=True)
class Hindsight:
    """A comparator: its name, its loss in every round, and its weights where it has fixed ones.

    The loss of a round in which it slept is NaN: it is none, and not 0.
    """

    name: str
    losses: Floats
    predictions: Floats | None = None
    weights: Floats | None = None

    @property
    def loss(self) -> float:
        """Its loss over the rounds in which it was awake."""
        return float(np.nansum(self.losses))

    @property
    def told_name(self) -> str:
        """Its name, and how often it was awake if that was not always."""
        slept = self.awake < len(self.losses)
        return f"{self.name} (awake in {self.awake:,} of {len(self.losses):,})" if slept else self.name

    @property
    def awake(self) -> int:
        """In how many rounds it was awake."""
        return int(np.count_nonzero(~np.isnan(self.losses)))

    @property
    def mean(self) -> float:
        """Its loss in a round in which it was awake, on average."""
        return self.loss / self.awake


def in_hindsight(
    advice: Any, truth: Any, loss: str | LossFunction = "square", switches: int = 0
) -> list[Hindsight]:
    """Every comparator that the loss allows: uniform, best expert, best convex, best linear, best sequence.

    >>> [h.name for h in in_hindsight([[1, 2], [3, 5]], [1, 5], switches=1)]
    ['uniform', 'best expert', 'best convex', 'best linear', 'best sequence (1 switch)']
    """
    priced = parse_loss(loss)
    x, y = _arrays(advice, truth)
    table = priced.of(x, y[:, None])
    found = [uniform(x, y, priced), best_expert(table, x)]
    if priced.name != "zero-one" and not np.isnan(x).any() and priced.function is None:
        found += [best_convex(x, y, priced), best_linear(x, y, priced)]
    sequence = best_sequence(table, switches, x) if switches else None
    if sequence is not None and np.isfinite(sequence.loss):  # it is not where every sequence sleeps at times
        found.append(sequence)
    return found


def regret_curve(own: Floats, comparator: Hindsight) -> Floats:
    """The regret against a comparator after each round; those in which it slept do not count."""
    return np.asarray(np.cumsum(np.where(np.isnan(comparator.losses), 0.0, own - comparator.losses)))


def uniform(x: Floats, y: Floats, loss: Loss) -> Hindsight:
    """Everybody alike; with labels, the plain vote."""
    awake = ~np.isnan(x)
    if loss.name == "zero-one":
        said = np.array([_vote(row[ok]) for row, ok in zip(x, awake, strict=True)])
    else:
        said = np.nansum(x, axis=1) / np.maximum(awake.sum(axis=1), 1)
    return Hindsight("uniform", loss.of(said, y), said, np.full(x.shape[1], 1.0 / x.shape[1]))


def _vote(labels: Floats) -> float:
    values, counts = np.unique(labels, return_counts=True)
    tied = values[counts == counts.max()]
    return 1.0 if 1.0 in tied else float(tied[0])


def best_expert(table: Floats, x: Floats | None = None) -> Hindsight:
    """The expert with the least loss among those that were always awake (if none was: the least mean)."""
    awake = np.count_nonzero(~np.isnan(table), axis=0)
    asked = awake == len(table)
    if not asked.any():
        asked = awake > 0
    best = int(np.argmin(np.where(asked, np.nansum(table, axis=0) / np.maximum(awake, 1), np.inf)))
    weights = np.zeros(table.shape[1])
    weights[best] = 1.0
    said = None if x is None else x[:, best]
    return Hindsight("best expert", table[:, best], said, weights)


def best_convex(x: Floats, y: Floats, loss: Loss) -> Hindsight:
    """The best fixed mixture, by scipy's SLSQP."""
    from scipy.optimize import minimize

    n = x.shape[1]
    starts = [np.full(n, 1.0 / n), np.eye(n)[int(np.argmin(loss.of(x, y[:, None]).sum(axis=0)))]]
    scale = max(float(loss.of(x @ starts[0], y).sum()), 1e-300)

    def objective(w: Floats) -> tuple[float, Floats]:
        return float(loss.of(x @ w, y).sum()) / scale, x.T @ _slope(loss, x @ w, y) / scale

    simplex = {"type": "eq", "fun": lambda w: w.sum() - 1.0, "jac": lambda w: np.ones(n)}
    found = list(starts)
    for start in starts:
        options = {"maxiter": 1000, "ftol": 1e-14}
        got = minimize(
            objective,
            start,
            jac=True,
            bounds=[(0, 1)] * n,
            constraints=simplex,
            method="SLSQP",
            options=options,
        )
        w = np.clip(got.x, 0.0, None)
        found.append(w / w.sum())
    best = min(found, key=lambda w: float(loss.of(x @ w, y).sum()))
    return Hindsight("best convex", loss.of(x @ best, y), x @ best, best)


def best_linear(x: Floats, y: Floats, loss: Loss) -> Hindsight:
    """The best fixed linear combination.

    Least squares for the square loss, scipy's L-BFGS from there for the log loss, a linear program for
    losses that are straight on both sides of the truth.
    """
    from scipy.linalg import lstsq

    w = np.asarray(lstsq(x, y)[0], dtype=np.float64)
    if loss.name != "square":
        got = _smoothest(x, y, loss, w) if loss.name == "log" else _straightest(x, y, loss)
        candidates = [got, w, best_convex(x, y, loss).weights]
        w = min((c for c in candidates if c is not None), key=lambda c: float(loss.of(x @ c, y).sum()))
    return Hindsight("best linear", loss.of(x @ w, y), x @ w, w)


def _smoothest(x: Floats, y: Floats, loss: Loss, start: Floats) -> Floats:
    """Where the derivative of a smooth loss is 0."""
    from scipy.optimize import minimize

    size = float(np.abs(x).max()) or 1.0

    def objective(v: Floats) -> tuple[float, Floats]:
        said = x @ (v / size)
        return float(loss.of(said, y).sum()), x.T @ _slope(loss, said, y) / size

    got = minimize(objective, start * size, jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    return np.asarray(got.x / size)


def _straightest(x: Floats, y: Floats, loss: Loss) -> Floats | None:
    """The w of least Σ max(−a(ŷ − y), b(ŷ − y)), ŷ = ⟨w, x⟩; None when that took too long.

    Of the linear program it is the dual that has few conditions, one an expert: max Σ d·y over −b ≤ d ≤ a
    with Σ d·x = 0; w is what they cost.
    """
    from scipy.optimize import linprog

    size, height = float(np.abs(x).max()) or 1.0, float(np.abs(y).max()) or 1.0
    below, above = _slope(loss, np.full_like(y, -np.inf), y), _slope(loss, np.full_like(y, np.inf), y)
    bounds = -np.column_stack([above, below]) / np.abs([above, below]).max()
    got = linprog(
        -y / height,
        A_eq=x.T / size,
        b_eq=np.zeros(x.shape[1]),
        bounds=bounds,
        method="highs-ipm",  # three times as fast as the simplex on 100,000 rounds
        options={"time_limit": _PATIENCE},
    )
    return -np.asarray(got.eqlin.marginals) * (height / size) if got.status == 0 else None


def _slope(loss: Loss, said: Floats, y: Floats) -> Floats:
    """The derivative of each round's loss by what was said."""
    if loss.name == "square":
        return 2.0 * (said - y)
    if loss.name == "log":
        p = np.clip(said, SUREST, 1.0 - SUREST)
        return np.asarray((1.0 - y) / (1.0 - p) - y / p)
    if loss.name == "pinball":
        return np.where(said > y, 1.0 - loss.quantile, np.where(said < y, -loss.quantile, 0.0))
    sign = np.sign(said - y)
    return np.asarray(sign / np.abs(y) if loss.name == "percentage" else sign)


def least_sequences(table: Floats, switches: int) -> Floats:
    """The least loss of a sequence of experts with at most 0, 1, …, m switches, exactly."""
    table = np.where(np.isnan(table), np.inf, table)
    least = np.zeros((switches + 1, table.shape[1]))  # by switches so far and present expert
    for row in table:
        moved = least.min(axis=1)[:-1]
        np.minimum(least[1:], moved[:, None], out=least[1:])
        least += row
    return np.asarray(least.min(axis=1))


def best_sequence(table: Floats, switches: int, x: Floats | None = None) -> Hindsight:
    """The best sequence of experts with at most m switches: dynamic programming over (switches, expert)."""
    if switches < 0:
        raise BadParameter(f"switches is {switches}; it must be 0 or more")
    filled = np.where(np.isnan(table), np.inf, table)
    rounds, n = filled.shape
    switches = min(switches, max(rounds - 1, 0))
    least = np.zeros((switches + 1, n))
    came_from = np.empty((rounds, switches + 1, n), dtype=np.int32)  # the expert before, itself if it stayed
    for t, row in enumerate(filled):
        came_from[t] = np.arange(n)
        if t and switches:
            best = least.argmin(axis=1)[:-1]
            moved = np.take_along_axis(least[:-1], best[:, None], axis=1)
            better = moved < least[1:]
            came_from[t, 1:] = np.where(better, best[:, None], came_from[t, 1:])
            least[1:] = np.where(better, moved, least[1:])
        least = least + row
    level, expert = np.unravel_index(int(least.argmin()), least.shape)
    path = np.empty(rounds, dtype=np.int64)
    for t in range(rounds - 1, -1, -1):
        path[t] = expert
        before = came_from[t, level, expert]
        level, expert = level - int(before != expert), before
    name = f"best sequence ({switches} switch{'es' if switches != 1 else ''})"
    at = np.arange(rounds)
    return Hindsight(name, filled[at, path], None if x is None else x[at, path])


def _arrays(advice: Any, truth: Any) -> tuple[Floats, Floats]:
    x = table_of(advice)
    if x.size == 0:
        raise BadInput("hindsight needs a round and an expert at least")
    return x, truths_of(truth, len(x))
