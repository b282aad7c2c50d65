"""Streams with a known margin, and those on which the bounds of Perceptron and Winnow are reached."""

from __future__ import annotations

import numpy as np

from noregret.errors import BadParameter
from noregret.natures.arrays import ArrayStream


def separable(n: int, margin: float, rounds: int, seed: int = 0) -> ArrayStream:
    """Points of the unit ball in n dimensions, each at least `margin` from a hidden hyperplane.

    >>> stream = separable(10, 0.1, 500)
    >>> bool(np.min(stream.labels * (stream.matrix @ stream.witness)) > 0.0999999)
    True
    """
    if not 0.0 < margin < 1.0:
        raise BadParameter(f"margin is {margin}; it must be between 0 and 1")
    if n < 2:
        raise BadParameter(f"n is {n}; it must be at least 2")
    rng = np.random.default_rng(seed)
    witness = rng.normal(size=n)
    witness /= np.linalg.norm(witness)
    along = rng.uniform(margin, 1.0, rounds) * rng.choice([-1.0, 1.0], rounds)
    across = rng.normal(size=(rounds, n))
    across -= np.outer(across @ witness, witness)
    room = np.sqrt(np.maximum(0.0, 1.0 - along**2)) * rng.random(rounds)
    across *= (room / np.linalg.norm(across, axis=1))[:, None]
    return ArrayStream(across + np.outer(along, witness), np.sign(along), witness=witness)


def standard_basis(rounds: int) -> ArrayStream:
    """The worst case of the Perceptron: the unit vectors one after the other, every label −1.

    Each is orthogonal to all before it, so the score is 0 and the prediction +1: `rounds`
    mistakes, and Novikoff's bound is exactly `rounds`.
    """
    from scipy.sparse import eye_array

    if rounds < 1:
        raise BadParameter(f"rounds is {rounds}; it must be at least 1")
    return ArrayStream(eye_array(rounds, format="csr"), np.full(rounds, -1.0), witness=np.full(rounds, -1.0))


def doubling_groups(levels: int) -> ArrayStream:
    """The worst case of Winnow with Θ just below 2: all pairs of 2ᴺ features, then all fours, all eights …

    Every label is −1, and every group weighs 2 when its turn comes: 2ᴺ − 1 mistakes, where the bound
    for the empty disjunction is 2/Θ·2ᴺ.

    >>> import noregret as nr
    >>> nr.play(doubling_groups(6), nr.Winnow(threshold=1.99)).mistakes
    63
    """
    if not 1 <= levels <= 12:
        raise BadParameter(f"levels is {levels}; it must be between 1 and 12")
    width = 1 << levels
    groups = [
        np.arange(width) // size == k
        for size in (1 << np.arange(1, levels + 1))
        for k in range(width // size)
    ]
    return ArrayStream(np.array(groups, dtype=np.float64), np.full(width - 1, -1.0), witness=np.zeros(width))
