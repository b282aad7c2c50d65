"""Rules that do not learn: linear ones and hypotheses, and the best of them in hindsight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadInput
from noregret.game.play import first
from noregret.hindsight.losses import minimised, minimised_classes
from noregret.hypotheses.classes import FiniteClass
from noregret.judging.learner_judge import places
from noregret.linear.perceptron import Perceptron
from noregret.regret.sample import Rows
from noregret.rounds import Batch, Feature, Floats, Stream

VALUES = 300_000  # of longer data every second, third, … round is looked at
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

    def wrong(self, batch: Batch, scores: Floats) -> NDArray[np.bool_]:
        """Where the sign of the score is not the label."""
        return np.asarray(np.where(scores >= 0.0, 1.0, -1.0) != batch.labels)


class FixedClasses:
    """A fixed rule for each class; the one with the largest score is said, of several the first."""

    def __init__(self, classes: Sequence[Any], rules: list[FixedRule]) -> None:
        """Take the classes, in their order, and their rules."""
        self.classes, self.rules = classes, rules

    def scores(self, batch: Batch) -> Floats:
        """A row for each row, a column for each class."""
        return np.column_stack([rule.scores(batch) for rule in self.rules])

    def wrong(self, batch: Batch, scores: Floats) -> NDArray[np.bool_]:
        """Where another class than that of the label has the largest score."""
        told = ~np.isnan(batch.labels)
        found = np.zeros(len(batch), dtype=np.bool_)
        right = places(batch.labels[told], batch.classes, self.classes)
        found[told] = scores[told].argmax(axis=1) != right
        return found


class FixedHypothesis:
    """One hypothesis of a finite class."""

    def __init__(self, hypotheses: FiniteClass, number: int) -> None:
        """Take the class, and which of it."""
        self.hypotheses, self.number = hypotheses, number
        self.name = hypotheses.hypothesis_name(number)

    def scores(self, batch: Batch) -> Floats:
        """What it says, 0 or 1, of every point."""
        points = [self.hypotheses.point_of(batch.row(r)) for r in range(len(batch))]
        return np.array([self.hypotheses.says(self.number, point) for point in points], dtype=np.float64)

    def wrong(self, batch: Batch, scores: Floats) -> NDArray[np.bool_]:
        """Where that is not the label."""
        return np.asarray(scores != batch.labels)


def best_hypothesis(stream: Stream, limit: int | None, hypotheses: FiniteClass) -> FixedHypothesis:
    """The hypothesis with the fewest mistakes; of several, the first."""
    counts: Counter[tuple[int, bool]] = Counter()
    for batch in first(stream, limit):
        for r in np.flatnonzero(~np.isnan(batch.labels)).tolist():
            counts[hypotheses.point_of(batch.row(r)), bool(batch.labels[r] == 1.0)] += 1
    total = np.zeros(hypotheses.size, dtype=np.int64)
    for (point, label), count in counts.items():
        total += np.where(np.asarray(hypotheses.column(point)) != label, count, 0)
    return FixedHypothesis(hypotheses, int(np.argmin(total)))


class BestFixed(NamedTuple):
    """The rule, the loss that it makes least, and which rounds were looked at to find it."""

    rule: FixedRule | FixedClasses
    loss: str
    every: int  # 1: all of them
    at_least: float | None  # no rule with weights as small has less; None where that is not known


def best_fixed(sample: Rows, loss: str, bias: bool) -> BestFixed:
    """The rule of small weights that makes a loss least: hinge, squared-hinge, logistic or squared."""
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


def best_fixed_classes(sample: Rows, classes: Sequence[Any], bias: bool) -> BestFixed:
    """A rule of small weights for each class, which together make the logistic loss least."""
    sizes, width = _sizes(sample.rows), len(sample.features)
    rows = _scaled(sample.rows, sizes, bias)
    labels = sample.labels.astype(np.int64)
    found = minimised_classes(rows, labels, len(classes), PENALTY / sample.every, STEPS)
    rules = [
        FixedRule(sample.features, v[:width] / sizes[:width], float(v[-1]) if bias else 0.0) for v in found
    ]
    return BestFixed(FixedClasses(classes, rules), "logistic", sample.every, None)


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
