"""A predictor that no longer learns: one vector of weights, or many that vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.conversion.iterates import Iterate
from noregret.examples import entries
from noregret.natures.arrays import from_arrays
from noregret.rounds import Batch, Feature, Floats

CELLS = 10_000_000  # scores worked out at a time


@dataclass(frozen=True)
class BatchPredictor:
    """Hypotheses × features, the last column for any feature that was never met.

    One hypothesis scores ⟨w, x⟩ + offset; of several the score is the mean of their votes −1 and +1, each
    counted for the rounds it lasted. A score of 0 says +1, unless the single hypothesis is strict.
    """

    columns: dict[Feature, int]
    matrix: Floats
    offsets: Floats
    counts: Floats
    strict: bool

    @property
    def hypotheses(self) -> int:
        """How many there are."""
        return len(self.matrix)

    @property
    def weights(self) -> dict[Feature, float]:
        """The weights by feature, of a single hypothesis."""
        return (
            dict(zip(self.columns, self.matrix[0, :-1].tolist(), strict=True))
            if len(self.matrix) == 1
            else {}
        )

    def score(self, x: Any) -> Any:
        """The score of one example, or of every row of a matrix."""
        if _is_matrix(x):
            return self._of_matrix(x, self._scores)
        return float(self._scores(self._row(x))[0])

    def predict(self, x: Any) -> Any:
        """−1 or +1 for one example, or for every row of a matrix."""
        if _is_matrix(x):
            return self._of_matrix(x, lambda rows: self._said(self._scores(rows)))
        return float(self._said(self._scores(self._row(x)))[0])

    def predict_batch(self, batch: Batch) -> tuple[Floats, Floats]:
        """−1 or +1 for every row of a batch, and its score."""
        scores = self._scores(self._rows(batch))
        return self._said(scores), scores

    def opinions(self, batch: Batch, rows: NDArray[np.int64]) -> Floats:
        """What every hypothesis says of some rows of a batch: rows × hypotheses."""
        return self._opinions(self._rows(batch)[rows])

    def _opinions(self, rows: Any) -> Floats:
        scores = rows @ self.matrix.T + self.offsets
        return np.where(scores > 0 if self.strict else scores >= 0, 1.0, -1.0)

    def _scores(self, rows: Any) -> Floats:
        if len(self.matrix) == 1:
            return np.asarray(rows @ self.matrix[0] + self.offsets[0])
        step = max(1, CELLS // len(self.matrix))
        parts = [self._opinions(rows[at : at + step]) @ self.counts for at in range(0, rows.shape[0], step)]
        return np.concatenate(parts) / self.counts.sum() if parts else np.empty(0)

    def _said(self, scores: Floats) -> Floats:
        strict = self.strict and len(self.matrix) == 1
        return np.where(scores > 0 if strict else scores >= 0, 1.0, -1.0)

    def _of_matrix(self, x: Any, what: Any) -> Floats:
        shape = x.shape[0]
        parts = [what(self._rows(batch)) for batch in from_arrays(x, np.full(shape, np.nan)).batches()]
        return np.concatenate(parts) if parts else np.empty(0)

    def _row(self, x: Any) -> Any:
        row = np.zeros((1, len(self.columns) + 1))
        for feature, value in entries(x):
            row[0, self.columns.get(feature, -1)] += value
        return row

    def _rows(self, batch: Batch) -> Any:
        """The rows by our columns; what was never met is added up in the last."""
        from scipy.sparse import csr_array

        values, met, starts = batch.cells()
        kinds, place = np.unique(met, return_inverse=True)
        names: Sequence[Feature] = (
            kinds.tolist() if batch.names is None else [batch.names[k] for k in kinds.tolist()]
        )
        other = len(self.columns)
        ours = np.array([self.columns.get(name, other) for name in names], dtype=np.int64)
        return csr_array((values.astype(np.float64), ours[place], starts), shape=(len(batch), other + 1))


def stacked(chosen: Sequence[Iterate], strict: bool) -> BatchPredictor:
    """A predictor of one hypothesis, or of several by vote."""
    columns: dict[Feature, int] = {}
    for one in chosen:
        for feature in one.weights:
            columns.setdefault(feature, len(columns))
    matrix = np.empty((len(chosen), len(columns) + 1))
    for row, one in zip(matrix, chosen, strict=True):
        row[:] = one.initial
        row[[columns[feature] for feature in one.weights]] = list(one.weights.values())
    offsets = np.array([one.offset for one in chosen])
    return BatchPredictor(columns, matrix, offsets, np.array([float(one.rounds) for one in chosen]), strict)


def _is_matrix(x: Any) -> bool:
    shape: tuple[int, ...] = getattr(x, "shape", ())
    return len(shape) == 2 and not (hasattr(x, "tocsr") and shape[0] == 1)
