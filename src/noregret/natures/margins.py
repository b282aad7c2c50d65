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


def class_basis(rounds: int) -> ArrayStream:
    """The worst case of the multiclass Perceptron: the unit vectors one after the other, classes 1 and 2.

    Every label is 2, and every score 0, so that the smaller class is predicted: `rounds` mistakes,
    and the bound 2(R‖U‖/γ)² is exactly `rounds`.

    >>> import noregret as nr
    >>> [str(c) for c in nr.certify(nr.play(class_basis(100), nr.MulticlassPerceptron()))][0]
    'Crammer–Singer: HOLDS (100 ≤ 100)'
    """
    stream = standard_basis(rounds)
    stream.labels, stream.classes = np.ones(rounds), [1, 2]
    stream.witness = np.array([np.full(rounds, -0.5), np.full(rounds, 0.5)])
    return stream


def class_signs(n: int, classes: int, rounds: int, seed: int = 0) -> ArrayStream:
    """Rows of n signs, of which each class has one that tells it: +1 there, −1 at those of the other classes.

    The other signs are drawn by chance. Winnow's mistakes grow with log n.

    >>> class_signs(10, 3, 5).announced
    [0.0, 1.0, 2.0]
    """
    if not 2 <= classes <= n:
        raise BadParameter(
            f"there are {classes} classes and {n} signs; take at least 2 classes, and a sign for each"
        )
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(classes), rng.integers(0, classes, max(rounds - classes, 0))])[:rounds]
    rows = rng.choice([-1.0, 1.0], (rounds, n))
    rows[:, :classes] = np.where(np.arange(classes) == labels[:, None], 1.0, -1.0)
    return ArrayStream(rows, labels, witness=np.eye(classes, n))


def separable_classes(n: int, classes: int, margin: float, rounds: int, seed: int = 0) -> ArrayStream:
    """Points of the unit sphere in n dimensions, whose class leads every other by `margin` under a hidden U.

    The classes are 1, 2, …; ‖U‖ = 1.

    >>> separable_classes(5, 3, 0.1, 200).announced
    [1, 2, 3]
    """
    if not 0.0 < margin < 0.5:
        raise BadParameter(f"margin is {margin}; it must be between 0 and 0.5")
    if n < 2 or classes < 2:
        raise BadParameter("there must be at least 2 dimensions and 2 classes")
    rng = np.random.default_rng(seed)
    witness = rng.normal(size=(classes, n))
    witness -= witness.mean(axis=0)
    witness /= np.linalg.norm(witness)
    found: list[np.ndarray] = []
    for _ in range(10_000):
        points = rng.normal(size=(rounds, n))
        points /= np.linalg.norm(points, axis=1)[:, None]
        ordered = np.sort(points @ witness.T, axis=1)
        found += list(points[ordered[:, -1] - ordered[:, -2] >= margin])
        if len(found) >= rounds:
            break
    else:
        raise BadParameter(f"hardly any point leads by {margin} in {n} dimensions; ask for less")
    rows = np.array(found[:rounds])
    stream = ArrayStream(rows, np.argmax(rows @ witness.T, axis=1), witness=witness)
    stream.classes = list(range(1, classes + 1))
    return stream


def basis_numbers(rounds: int, value: float) -> ArrayStream:
    """The unit vectors one after the other, each with the same number: nothing learned helps later."""
    stream = standard_basis(rounds)
    stream.labels = stream.witness = np.full(rounds, value)
    return stream


def linear_numbers(n: int, rounds: int, noise: float = 0.0, seed: int = 0) -> ArrayStream:
    """Points of the unit sphere in n dimensions, and the number ⟨u, x⟩ of a hidden u, with normal noise."""
    rng = np.random.default_rng(seed)
    witness = rng.normal(size=n)
    rows = rng.normal(size=(rounds, n))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    return ArrayStream(rows, rows @ witness + noise * rng.normal(size=rounds), witness=witness)


def basis_ranks(rounds: int) -> ArrayStream:
    """The unit vectors one after the other, ranks 1 and 2 in turn: PRank of two ranks is always wrong."""
    stream = standard_basis(rounds)
    stream.labels, stream.witness = np.where(np.arange(rounds) % 2 == 0, 1.0, 2.0), None
    return stream


def separable_ranks(n: int, ranks: int, margin: float, rounds: int, seed: int = 0) -> ArrayStream:
    """Points of the unit sphere in n dimensions, ranked by ⟨u, x⟩ of a hidden u, `margin` from thresholds.

    >>> sorted(set(separable_ranks(4, 3, 0.05, 100).labels.tolist()))
    [1.0, 2.0, 3.0]
    """
    rng = np.random.default_rng(seed)
    direction = rng.normal(size=n)
    direction /= np.linalg.norm(direction)
    cuts = np.linspace(-0.5, 0.5, ranks + 1)[1:-1]
    points = rng.normal(size=(20 * rounds, n))
    points /= np.linalg.norm(points, axis=1)[:, None]
    gaps = (points @ direction)[:, None] - cuts
    kept = np.flatnonzero(np.abs(gaps).min(axis=1) >= margin)[:rounds]
    if len(kept) < rounds:
        raise BadParameter(f"hardly any point is {margin} from {ranks - 1} thresholds; ask for less")
    return ArrayStream(points[kept], 1.0 + (gaps[kept] > 0.0).sum(axis=1))
