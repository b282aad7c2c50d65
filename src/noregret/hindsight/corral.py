"""The rounds that hold the point of a hull that is nearest to 0, in Wolfe's search for it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.rounds import Floats

RIDGE = 1e-14  # what is added to the squares of the rows, so that rows in one plane do not divide by 0


class Corral:
    """Rows, their products with each other, and the triangle whose square these are.

    A row that is added costs the square of their number, one that is dropped its cube. `work` adds it up.
    """

    def __init__(self, rows: Any, first: int) -> None:
        """Begin with one row."""
        self.rows = rows
        self.held = [first]
        self.gram: Floats = self._products(first)[None, :]
        self.triangle = _triangle(self.gram)
        self.work = 0

    def add(self, new: int) -> None:
        """Take in another row."""
        self.held.append(new)
        column = self._products(new)
        size = len(self.held)
        gram, triangle = np.empty((size, size)), np.zeros((size, size))
        gram[:-1, :-1], gram[-1, :], gram[:, -1] = self.gram, column, column
        edge = _solved(self.triangle, column[:-1])
        left = float(column[-1]) - float(edge @ edge)
        triangle[:-1, :-1], triangle[-1, :-1] = self.triangle, edge
        triangle[-1, -1] = np.sqrt(max(left, 0.0) + RIDGE * float(column[-1]) + 1e-300)
        self.gram, self.triangle = gram, triangle
        self.work += self.rows.nnz + size * size

    def keep(self, kept: NDArray[np.bool_]) -> None:
        """Drop the other rows."""
        self.held = [row for row, stays in zip(self.held, kept.tolist(), strict=True) if stays]
        self.gram = self.gram[np.ix_(kept, kept)]
        self.triangle = _triangle(self.gram)
        self.work += len(self.held) ** 3 // 6

    def affine(self) -> Floats:
        """The weights, adding up to 1, that make βᵀGβ least: G⁻¹1, scaled."""
        beta = _solved(self.triangle, _solved(self.triangle, np.ones(len(self.held))), turned=True)
        return np.asarray(beta / beta.sum())

    def _products(self, new: int) -> Floats:
        return np.asarray((self.rows[self.held] @ self.rows[[new]].T).toarray()).ravel()


def _triangle(gram: Floats) -> Floats:
    """Cholesky's triangle; where rounding leaves none, that of a matrix a little larger."""
    size, ridge = float(np.max(np.diag(gram))), RIDGE
    if not np.isfinite(gram).all():
        return np.eye(len(gram))  # rows too long for their squares: whatever is found proves nothing
    while True:
        try:
            return np.asarray(np.linalg.cholesky(gram + np.eye(len(gram)) * (ridge * size + 1e-300)))
        except np.linalg.LinAlgError:
            ridge *= 10.0


def _solved(triangle: Floats, right: Floats, turned: bool = False) -> Floats:
    from scipy.linalg import solve_triangular

    return np.asarray(solve_triangular(triangle, right, lower=True, trans=int(turned), check_finite=False))
