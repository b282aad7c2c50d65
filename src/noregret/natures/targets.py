"""Streams of bits whose label is a known function: the targets that Winnow was made for.

Each is the same for the same seed, and knows its target as `witness`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadParameter
from noregret.natures.arrays import ArrayStream
from noregret.parameters import whole
from noregret.rounds import Floats


def disjunction(n: int, k: int, rounds: int, seed: int = 0) -> ArrayStream:
    """Label +1 when one of k features is 1, k chosen among n; about half the rounds are positive.

    >>> disjunction(100, 3, 1000).witness.sum()
    np.float64(3.0)
    """
    rng = _rng(n=n, k=k, rounds=rounds, seed=seed)
    relevant = _choose(rng, n, k)
    bits = _bits(rng, rounds, n, 1.0 - 0.5 ** (1.0 / k))
    return _stream(bits, bits[:, relevant].any(axis=1), _indicator(n, relevant))


def k_of_n(k: int, n: int, features: int, rounds: int, seed: int = 0) -> ArrayStream:
    """Label +1 when at least k of n relevant features are 1, the n chosen among all features."""
    rng = _rng(k=k, n=n, features=features, rounds=rounds, seed=seed)
    if k > n:
        raise BadParameter(f"k is {k} and n is {n}; k of n needs k ≤ n")
    relevant = _choose(rng, features, n)
    bits = _bits(rng, rounds, features, min(0.5, k / n))
    return _stream(bits, bits[:, relevant].sum(axis=1) >= k, _indicator(features, relevant) / k)


def halfspace(n: int, relevant: int, largest: int, rounds: int, seed: int = 0) -> ArrayStream:
    """Label +1 when Σ wᵢxᵢ ≥ θ: whole weights from 1 to `largest` on so many relevant features."""
    rng = _rng(n=n, relevant=relevant, largest=largest, rounds=rounds, seed=seed)
    weights = np.zeros(n)
    weights[_choose(rng, n, relevant)] = rng.integers(1, largest + 1, relevant)
    threshold = max(1.0, np.floor(weights.sum() / 2))
    bits = _bits(rng, rounds, n, 0.5)
    return _stream(bits, bits @ weights >= threshold, weights / threshold)


def decision_list(n: int, k: int, rounds: int, seed: int = 0) -> ArrayStream:
    """Label by the first of k features that is 1: +1, −1, +1, … in turn, and −1 if none is.

    A decision list is a halfspace with weights 2ᵏ, −2ᵏ⁻¹, 2ᵏ⁻², …; Winnow's bound is then
    O(2²ᵏ log n), much worse than for a disjunction.
    """
    rng = _rng(n=n, k=k, rounds=rounds, seed=seed)
    relevant = _choose(rng, n, k)
    weights = np.zeros(n)
    weights[relevant] = [(-1.0) ** i * 2.0 ** (k - i) for i in range(k)]
    bits = _bits(rng, rounds, n, 0.5)
    return _stream(bits, bits @ weights > 0, weights)


def unknown_literal(n: int, rounds: int | None = None, seed: int = 0) -> ArrayStream:
    """Fair bits, and the label is one of them: easy for Winnow, hard for the Perceptron.

    Plays 40·n rounds unless told otherwise.
    """
    count = 40 * n if rounds is None else rounds
    rng = _rng(n=n, rounds=count, seed=seed)
    relevant = _choose(rng, n, 1)
    bits = _bits(rng, count, n, 0.5)
    return _stream(bits, bits[:, relevant[0]] == 1, _indicator(n, relevant))


def complemented(X: Any) -> Floats:
    """Put 1 − x beside x: the threshold form of Winnow then has negated features, and 2N of them."""
    bits = np.asarray(X.todense() if hasattr(X, "todense") else X, dtype=np.float64)
    return np.hstack([bits, 1.0 - bits])


def _rng(seed: int, **counts: int) -> np.random.Generator:
    for name, value in counts.items():
        whole(name, value, 0 if name == "rounds" else 1)
    return np.random.default_rng(seed)


def _choose(rng: np.random.Generator, n: int, k: int) -> NDArray[np.int64]:
    if k > n:
        raise BadParameter(f"{k} relevant features were asked for, of {n}")
    return rng.choice(n, size=k, replace=False)


def _bits(rng: np.random.Generator, rounds: int, n: int, share: float) -> NDArray[np.float32]:
    return (rng.random((rounds, n), dtype=np.float32) < share).astype(np.float32)


def _indicator(n: int, relevant: NDArray[np.int64]) -> Floats:
    target = np.zeros(n)
    target[relevant] = 1.0
    return target


def _stream(bits: NDArray[np.float32], positive: Any, witness: Floats) -> ArrayStream:
    return ArrayStream(bits, np.where(positive, 1.0, -1.0), witness=witness)
