"""Witnesses that need scipy: linear programs, many classes, ranks. Imported only where they are asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from noregret.hindsight.margins import Margin, euclidean_margin, mixture_margin
from noregret.hindsight.programs import TOO_LARGE, is_too_large, solved
from noregret.rounds import Floats
from noregret.sample import Sample

CLASS_VALUES = 30_000_000  # values × classes
RANK_VALUES = 1_000_000  # values × thresholds


def matrix(sample: Sample, bias: bool = False) -> Any:
    """The rows of a sample as a sparse matrix, the bias in the last column."""
    from scipy.sparse import csr_array, hstack

    values, columns, starts = sample.cells
    width = len(sample.columns) if bias else max(len(sample.columns), 1)
    rows = csr_array((values, columns, starts), shape=(len(starts) - 1, width))
    return hstack([rows, np.ones((rows.shape[0], 1))], format="csr") if bias else rows


def exact_margin(
    sample: Sample, bias: bool, notes: list[str]
) -> tuple[Floats | None, dict[int, float] | None, float]:
    """The direction with the largest margin, to the last digits; and the weights of rounds that prove it."""
    from scipy.sparse import diags_array

    rows = matrix(sample, bias)
    if is_too_large(rows):
        notes.append(TOO_LARGE)
        return None, None, math.inf
    found = euclidean_margin((diags_array(sample.labels) @ rows).tocsr())
    return _by_column(found, rows.shape[1], sample, bias, notes)


def exact_mixture(
    sample: Sample, is_signed: bool, notes: list[str]
) -> tuple[Floats, dict[int, float] | None, float] | None:
    """The mixture with the largest margin, by a linear program; and the weights of rounds that prove it."""
    from scipy.sparse import diags_array

    rows = matrix(sample)
    if is_too_large(rows):
        notes.append(TOO_LARGE)
        return None
    found = mixture_margin((diags_array(sample.labels) @ rows).tocsr(), is_signed)
    return _by_column(found, rows.shape[1], sample, False, notes)


def _by_column(
    found: Margin, width: int, sample: Sample, bias: bool, notes: list[str]
) -> tuple[Floats, dict[int, float] | None, float]:
    if found.stopped:
        notes.append("the search for the largest margin ended at its limit of steps")
    direction = found.witness[: len(sample.columns)]
    if bias:
        direction = np.append(direction, found.witness[width - 1])
    if not found.dual or not np.isfinite(found.at_most):
        return direction, None, math.inf
    numbers = sample.numbers
    return direction, {int(numbers[r]): weight for r, weight in found.dual.items()}, found.at_most


def threshold_targets(sample: Sample, notes: list[str]) -> list[Floats]:
    """Targets μ ≥ 0 with Σμx ≥ 1 on positives and ≤ 1 − δ on negatives, for a few δ, by linear programs."""
    from scipy.sparse import vstack

    rows = matrix(sample)
    if is_too_large(rows):
        notes.append(TOO_LARGE)
        return []
    positive = sample.labels > 0
    table = vstack([-rows[positive], rows[~positive]], format="csr")
    found = []
    for keep in (0.0, 0.25, 0.5, 0.75, 0.9):  # 1 − δ
        limit = np.concatenate([np.full(int(positive.sum()), -1.0), np.full(int((~positive).sum()), keep)])
        solution = solved(np.ones(table.shape[1]), table, limit)
        if solution.stopped:
            notes.append(f"the search for a target with δ = {1.0 - keep:g} ended at its limit of steps")
        if solution.x is not None:
            found.append(solution.x[: len(sample.columns)])
    return found


def class_separators(sample: Sample, classes: Sequence[Any], bias: bool, notes: list[str]) -> list[Floats]:
    """Weights by class whose right class leads: least squared hinge losses of the lead."""
    rows, labels = matrix(sample, bias), sample.places(classes)
    if rows.nnz * len(classes) > CLASS_VALUES:
        notes.append(f"with more than {CLASS_VALUES:,} values × classes, only the final weights are tried")
        return []
    if len(classes) < 2 or not len(labels) or np.any(labels < 0):
        return []
    start = np.zeros((len(classes), rows.shape[1]))
    scale = float(rows.multiply(rows).sum()) / len(labels)
    found = []
    for strength in (1.0, 1e-2, 1e-5):
        start = _class_hinge(rows, labels, strength * scale, start)
        found.append(start[:, : len(sample.columns)] if not bias else start)
    return found


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


def between_ranks(
    sample: Sample, ranks: int, notes: list[str]
) -> tuple[Floats, Floats, dict[int, float], float] | None:
    """The (u, c) of length 1 that keeps ranks from the thresholds c between them by the largest margin.

    A round of rank y is k − 1 rounds: (x, −e_r), with label +1 where y > r. Gives u, c, and the proof.
    """
    from scipy.sparse import csr_array, diags_array, hstack

    rounds, between = len(sample.labels), ranks - 1
    rows = matrix(sample)
    if rows.nnz * between > RANK_VALUES:
        notes.append(f"with more than {RANK_VALUES:,} values × thresholds, only the final weights are tried")
        return None
    cuts = np.tile(np.arange(between), rounds)
    beside = csr_array((-np.ones(len(cuts)), cuts, np.arange(len(cuts) + 1)), shape=(len(cuts), between))
    wide = hstack([rows[np.repeat(np.arange(rounds), between)], beside], format="csr")
    labels = np.where(np.repeat(sample.labels, between) > cuts + 1, 1.0, -1.0)
    found = euclidean_margin((diags_array(labels) @ wide).tocsr())
    return found.witness[: len(sample.columns)], found.witness[rows.shape[1] :], found.dual, found.at_most
