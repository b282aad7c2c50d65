"""Rows like those of text: a few features occur all the time, most of them hardly ever."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

FEATURES = 47_236
PER_ROW = 76
_DRAWN = 6_000_000  # at a time
_TELLING = 300


def zipf_rows(rows: int, per_row: int = PER_ROW, *, scattered: bool = True, seed: int = 0) -> csr_matrix:
    """Make sparse rows of so many different features, sorted; the k-th most frequent has weight 1/k.

    With `scattered` a feature's number says nothing about its frequency, as where features are
    numbered by the alphabet; without it the frequent ones come first and share cache lines.
    """
    rng = np.random.default_rng(seed)
    weights = 1.0 / np.arange(1, FEATURES + 1)
    ladder = np.cumsum(weights) / weights.sum()
    names = rng.permutation(FEATURES) if scattered else np.arange(FEATURES)
    size = _DRAWN // (4 * per_row)
    chunks = [_chunk(rng, ladder, min(size, rows - begin), per_row) for begin in range(0, rows, size)]
    indices = np.sort(names.astype(np.int32)[np.concatenate(chunks)], axis=1).ravel()
    starts = np.arange(0, rows * per_row + 1, per_row, dtype=np.int32)
    return csr_matrix((rng.random(rows * per_row), indices, starts), shape=(rows, FEATURES))


def _chunk(
    rng: np.random.Generator, ladder: NDArray[np.float64], rows: int, per_row: int
) -> NDArray[np.int64]:
    """Draw with replacement, and keep of each row the first ones that differ."""
    drawn = np.searchsorted(ladder, rng.random((rows, 4 * per_row)))
    order = np.argsort(drawn, axis=1, kind="stable")
    ordered = np.take_along_axis(drawn, order, axis=1)
    first = np.ones(drawn.shape, dtype=bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    new = np.empty_like(first)
    np.put_along_axis(new, order, first, axis=1)
    kept = new & (np.cumsum(new, axis=1) <= per_row)
    return drawn[kept].reshape(rows, per_row)


def labels(X: Any, noise: float, seed: int = 1) -> NDArray[np.float64]:
    """Label rows by a vote of the 300 most frequent features, each for or against; flip a share."""
    rng = np.random.default_rng(seed)
    votes = np.zeros(X.shape[1])
    frequent = np.argsort(-np.bincount(X.indices, minlength=X.shape[1]), kind="stable")[:_TELLING]
    votes[frequent] = rng.choice([-1.0, 1.0], _TELLING)
    y = np.where(X @ votes >= 0, 1.0, -1.0)
    y[rng.random(len(y)) < noise] *= -1
    return y
