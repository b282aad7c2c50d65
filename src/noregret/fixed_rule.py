"""One linear rule that does not learn, and the best one in hindsight for a convex loss."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noregret.errors import BadInput
from noregret.hindsight_losses import minimised
from noregret.linear.perceptron import Perceptron
from noregret.rounds import Batch, Feature, Floats, Stream
from noregret.sample import sampled

VALUES = 1_000_000  # of longer data every so many rounds are looked at
STEPS = 100  # of a search; it is a picture that waits for it
PENALTY = 1.0  # on weights, each in units of its feature


class FixedRule:
    """Scores rows by weights that stay what they are."""

    def __init__(self, features: list[Feature], weights: Floats, bias: float = 0.0) -> None:
        """Take a weight for each feature."""
        self.weights = {f: float(w) for f, w in zip(features, weights.tolist(), strict=True) if w != 0.0}
        self.bias = bias
        self._core = Perceptron()
        if self.weights:  # at zero it says +1: told that −u is −1, it adds u, to the bit
            self._core.learn(_row({f: -w for f, w in self.weights.items()}), -1)

    def scores(self, batch: Batch) -> Floats:
        """⟨u, x⟩ and the bias, for every row."""
        found = np.zeros(len(batch))
        if self.weights:
            self._core.score_matrix(batch.matrix(), None, found)
        return found + self.bias


class BestFixed(NamedTuple):
    """The rule, the loss that it makes least, and which rounds were looked at to find it."""

    rule: FixedRule
    loss: str
    every: int  # 1: all of them
    at_least: float | None  # no rule with weights as small has less; None where that is not known


def best_fixed(stream: Stream, limit: int | None, loss: str, bias: bool) -> BestFixed:
    """The rule that makes a loss of small weights least: hinge, squared-hinge, logistic or squared."""
    sample = sampled(stream, limit, VALUES)
    if len(sample.labels) == 0:
        raise BadInput("no round had a label")
    sizes = _sizes(sample.rows)
    rows = _scaled(sample.rows, sizes, bias)
    at_least = None
    if loss == "squared":
        from scipy.sparse.linalg import lsqr

        v = np.asarray(lsqr(rows, sample.labels, damp=PENALTY**0.5)[0])
    else:
        v, _, least = minimised(rows, sample.labels, loss, PENALTY / sample.every, STEPS)
        at_least = max(0.0, least - 0.5 * PENALTY * float(v @ v)) if sample.every == 1 else None
    width = len(sample.features)
    rule = FixedRule(sample.features, v[:width] / sizes[:width], float(v[-1]) if bias else 0.0)
    return BestFixed(rule, loss, sample.every, at_least)


def _row(weights: dict[Feature, float]) -> Any:
    """A row that has them: a dict of names, or a sparse row."""
    from scipy.sparse import csr_array

    if any(isinstance(feature, str) for feature in weights):
        return weights
    columns = np.array(list(weights), dtype=np.int64)
    values = np.array(list(weights.values()))
    return csr_array((values, columns, np.array([0, len(values)])), shape=(1, int(columns.max()) + 1))


def _sizes(rows: Any) -> Floats:
    """Of each feature the root mean square where it occurs: what its weight is measured in."""
    peaks = np.asarray(abs(rows).max(axis=0).todense()).ravel()
    peaks = np.where(peaks > 0.0, peaks, 1.0)
    parts = rows.data / peaks[rows.indices]  # at most 1, so that no square leaves the doubles
    squares = np.bincount(rows.indices, parts * parts, minlength=rows.shape[1])
    counts = np.bincount(rows.indices, minlength=rows.shape[1])
    return np.asarray(peaks * np.sqrt(np.where(counts > 0, squares / np.maximum(counts, 1), 1.0)))


def _scaled(rows: Any, sizes: Floats, bias: bool) -> Any:
    from scipy.sparse import diags_array, hstack

    scaled = (rows @ diags_array(1.0 / sizes)).tocsr()
    return hstack([scaled, np.ones((rows.shape[0], 1))], format="csr") if bias else scaled
