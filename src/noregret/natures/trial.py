"""Rounds that try a learner hard, for the checks.

Ties, empty rows, rows of zeros, features that repeat, that come unsorted, that come late; rounds
without a label, and rounds that count more than once, less, or not at all.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from noregret.errors import UnknownName
from noregret.rounds import Batch, Floats

SHAPES = ("dense", "sparse", "named", "table")
WIDTH = 12
CLASSES = (10, "b", 2)  # not in their order
_NUMBERS = (-2.0, -1.0, -1.0, -0.5, 0.0, 0.1, 1.0, 1.0, 3.0)

Row = list[tuple[int, float]]


def trial(
    shape: str,
    *,
    bits: bool = False,
    rounds: int = 60,
    seed: int = 0,
    task: str = "binary",
    takes: Sequence[float] = (),
) -> Batch:
    """Make the rounds as a matrix of numbers, as sparse rows, as such rows with names, or as a table.

    Labels are −1 and +1, classes (a number, a word and another number) or numbers, as the task wants; or
    those that a learner `takes`.

    >>> len(trial("named", rounds=10)), trial("sparse", bits=True).values.max()
    (10, np.float64(1.0))
    """
    if shape not in SHAPES:
        raise UnknownName(f"there are no {shape} rows; choose from {', '.join(SHAPES)}")
    rng = random.Random(seed)
    rows = [_row(rng, t / max(rounds, 1), bits) for t in range(rounds)]
    for t in range(1, rounds, 7):  # a row and its opposite meet with equal scores
        rows[t] = [(feature, value if bits else -value) for feature, value in rows[t - 1]]
    if shape != "sparse":
        rows = [list(dict(row).items()) for row in rows]
    labels = np.array([_label(rng, task, takes) for _ in rows])
    classes = CLASSES if task == "multiclass" else None
    weights = np.array([rng.choice((1.0, 1.0, 1.0, 0.0, 0.5, 2.0)) for _ in rows])
    if shape == "dense":
        return Batch(_dense(rows), labels, width=WIDTH, weights=weights, classes=classes)
    names = None if shape == "sparse" else [f"feature {j}" for j in range(WIDTH)]
    made = _table(rng, rounds, bits) if shape == "table" else _sparse(rows)
    return replace(made, labels=labels, weights=weights, names=names, classes=classes)


def _label(rng: random.Random, task: str, takes: Sequence[float]) -> float:
    if takes:
        return rng.choice((*takes, np.nan))
    if task == "regression":
        return rng.choice((-2.0, 0.0, 0.5, 1.0, rng.gauss(0.0, 1.0), np.nan))
    if task == "multiclass":
        return rng.choice((0.0, 0.0, 1.0, 1.0, 2.0, np.nan))
    return rng.choice((-1.0, -1.0, 1.0, 1.0, np.nan))


def _row(rng: random.Random, late: float, bits: bool) -> Row:
    known = WIDTH // 2 if late < 0.5 else WIDTH
    features = rng.sample(range(known), rng.choice((0, 1, 2, 3, 4, 6)))
    if bits:
        return [(feature, rng.choice((0.0, 1.0, 1.0))) for feature in features]
    if features and rng.random() < 0.3:
        features.append(rng.choice(features))
    return [(feature, rng.choice((*_NUMBERS, rng.gauss(0.0, 1.0)))) for feature in features]


def _dense(rows: list[Row]) -> Floats:
    values = np.zeros((len(rows), 2 * WIDTH))[:, ::2]  # neither rows nor columns lie in one piece
    for r, row in enumerate(rows):
        for feature, value in row:
            values[r, feature] = value
    return values


def _sparse(rows: list[Row]) -> Batch:
    return Batch(
        np.array([value for row in rows for _, value in row], dtype=np.float64),
        np.zeros(len(rows)),
        np.array([feature for row in rows for feature, _ in row], dtype=np.int32),
        np.cumsum([0, *map(len, rows)], dtype=np.int32),
        WIDTH,
    )


def _table(rng: random.Random, rounds: int, bits: bool) -> Batch:
    """Make columns of numbers, and two of words, some of which are late."""
    features = np.array([-1, 0, -1, 1, 2, 3], dtype=np.int32)
    values = np.zeros((rounds, len(features)), order="F")
    for r in range(rounds):
        late = WIDTH if 2 * r >= rounds else WIDTH - 2
        words = rng.randrange(4, 8), rng.randrange(8, late)
        numbers = [rng.choice((0.0, 1.0) if bits else (*_NUMBERS, rng.gauss(0.0, 1.0))) for _ in range(4)]
        values[r] = [words[0], numbers[0], words[1], *numbers[1:]]
    return Batch(values, np.zeros(rounds), width=WIDTH, features=features)


def repeated(batch: Batch, times: int) -> Batch:
    """Give the rounds so many times over, as one batch."""
    weights = None if batch.weights is None else np.tile(batch.weights, times)
    whole = replace(batch, labels=np.tile(batch.labels, times), weights=weights)
    if batch.indices is None or batch.starts is None:
        return replace(whole, values=np.asfortranarray(np.tile(batch.values, (times, 1))))
    span = slice(int(batch.starts[0]), int(batch.starts[-1]))
    starts = np.append(0, np.cumsum(np.tile(np.diff(batch.starts), times)))
    return replace(
        whole,
        values=np.tile(batch.values[span], times),
        indices=np.tile(batch.indices[span], times),
        starts=starts.astype(batch.starts.dtype),
    )


def without_zeros(batch: Batch) -> Batch:
    """Leave out the entries of sparse rows that are 0."""
    if batch.indices is None or batch.starts is None:
        return batch
    kept = batch.values != 0
    starts = np.append(0, np.cumsum(kept))[batch.starts].astype(batch.starts.dtype)
    return replace(batch, values=batch.values[kept], indices=batch.indices[kept], starts=starts)
