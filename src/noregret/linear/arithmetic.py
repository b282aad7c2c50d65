"""Margins and norms of a replayed run, rounded outward.

Whole numbers are added up exactly by doubles below 2⁵³, so a game of whole numbers is judged
exactly. Otherwise a sum of n products is off by at most n·ε·Σ|products|, and is moved that far
towards the weaker statement.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from noregret.rounds import Floats

EPSILON = 2.0**-52
EXACT = 2.0**53
_ROWS = 1 << 13  # at a time, where there is a number for every class


def _error(terms: Floats, sizes: Floats, exact: bool) -> Floats:
    if exact and (sizes.size == 0 or float(sizes.max()) < EXACT):
        return np.zeros_like(sizes)
    return (terms + 2.0) * EPSILON * sizes + 5e-324


def _whole(*arrays: Floats) -> bool:
    return all(bool(np.all(np.floor(a) == a)) for a in arrays)


def products(rows: Any, witness: Floats) -> tuple[Floats, Floats]:
    """Bound ⟨u, x⟩ from below and from above, for every row."""
    middle = rows @ witness
    sizes = abs(rows) @ np.abs(witness)
    exact = not np.any(witness) or _whole(rows.data, witness)  # a u of zero has products of zero
    error = _error(np.diff(rows.indptr).astype(float), sizes, exact)
    return middle - error, middle + error


def margins(rows: Any, labels: Floats, witness: Floats) -> Floats:
    """Bound y⟨u, x⟩ from below, for every row."""
    low, high = products(rows, witness)
    return np.where(labels > 0, low, -high)


def margins_of(replay: Any, witness: Floats) -> Floats:
    """Bound the margin of every round from below: y⟨u, x⟩, or the lead of the right class."""
    found = class_margins if replay.classes else margins
    return found(replay.rows, replay.labels, witness)


def class_margins(rows: Any, labels: Floats, witness: Floats) -> Floats:
    """Bound the lead of the right class over the best wrong one from below, for every row.

    `witness` has a row for each class and labels are places in it. With one class there is no wrong
    one, and the lead counts as 1.
    """
    found = np.ones(len(labels))
    if len(witness) < 2:
        return found
    terms, exact = np.diff(rows.indptr).astype(float)[:, None], _whole(rows.data, witness)
    for begin in range(0, len(labels), _ROWS):
        part = slice(begin, begin + _ROWS)
        middle = rows[part] @ witness.T
        sizes = abs(rows[part]) @ np.abs(witness).T
        error = _error(terms[part], sizes, exact)
        right = (np.arange(len(middle)), labels[part].astype(int))
        own = (middle - error)[right]
        others = middle + error
        others[right] = -np.inf
        best = others.max(axis=1)
        found[part] = own - best - (0.0 if exact else EPSILON * (np.abs(own) + np.abs(best)))
    return found


def square_norms(rows: Any) -> Floats:
    """Bound ‖x‖² from above, for every row."""
    squares = rows.multiply(rows).tocsr()
    total = np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()
    return total + _error(np.diff(rows.indptr).astype(float), total, _whole(rows.data))


def sum_above(numbers: Floats) -> Fraction:
    """A sum of numbers that are not negative, from above; exact for whole ones."""
    total = np.array([np.sum(numbers)])
    error = _error(np.array([float(len(numbers))]), total, _whole(numbers))
    return Fraction(float(total[0])) + Fraction(float(error[0]))


def square_norm(vector: Floats) -> Fraction:
    """‖u‖² from above; exact for whole numbers."""
    return sum_above(vector * vector) if _whole(vector) else sum_above(vector * vector * (1.0 + EPSILON))
