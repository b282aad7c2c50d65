"""Plays a run again and lays it out as a matrix, for theorems and hindsight to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret._core import Vocabulary
from noregret.errors import BadInput
from noregret.game import Said, first, play_batch
from noregret.late_rounds import arrive
from noregret.ledger import Ledger, Replay
from noregret.linear.learner import vector
from noregret.rounds import Batch, Feature, Floats

REPLAY_VALUES = 100_000_000  # 1.2 GB


def replay(ledger: Ledger) -> Any:
    """Play a run again, from the learner it began with; None when that cannot be done.

    A learner that does not see features gathers its own `evidence`; else the result is a Replay.
    """
    if ledger.nature is None or ledger.start is None:
        return None
    learner = ledger.start.clone()
    again = Ledger(ledger.learner, skipping=ledger.skipping)
    kept = learner.evidence() if hasattr(learner, "evidence") else _Kept()
    for batch in first(ledger.nature, ledger.limit):
        said = Said(len(batch))
        play_batch(batch, learner, again, said)
        kept.add(batch, said.predictions, said.scores)
    arrive(learner, again, 0)
    if (again.rounds, again.mistakes) != (ledger.rounds, ledger.mistakes):
        raise BadInput(
            f"the data is not what it was: {again.mistakes:,} mistakes in {again.rounds:,} rounds when "
            f"played again, {ledger.mistakes:,} in {ledger.rounds:,} before"
        )
    return kept.close(ledger, learner)


class _Kept:
    """Gathers the labelled rows of a replay."""

    def __init__(self) -> None:
        self.parts: list[_Part] = []
        self.size = 0

    def add(self, batch: Batch, predictions: Floats, scores: Floats) -> None:
        self.parts.append(_part(batch, predictions, scores, ~np.isnan(batch.labels) & ~np.isnan(predictions)))
        self.size += len(self.parts[-1].values)
        if self.size > REPLAY_VALUES:
            raise BadInput(f"the run has more than {REPLAY_VALUES:,} values, too many to lay out in memory")

    def close(self, ledger: Ledger, learner: Any) -> Replay:
        from scipy.sparse import csr_array

        features: dict[Feature, int] = {}
        columns = []
        for part in self.parts:
            met, place = np.unique(part.columns, return_inverse=True)
            told = [part.names[i] for i in met.tolist()] if part.names is not None else met.tolist()
            columns.append(
                np.array([features.setdefault(f, len(features)) for f in told], dtype=np.int64)[place]
            )
        bias = bool(getattr(learner, "has_bias", False))
        lengths = _joined([p.lengths for p in self.parts], np.int64)
        values = _joined([p.values for p in self.parts], np.float64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        rows = csr_array(
            (values, _joined(columns, np.int64), starts), shape=(len(lengths), max(len(features), 1))
        )
        rows.sum_duplicates()
        rows.eliminate_zeros()
        final = vector(learner.weights, list(features), getattr(learner, "initial_weight", 0.0))
        if len(features) == 0:
            final = np.zeros(1)
        if bias:
            from scipy.sparse import hstack

            rows = hstack([rows, np.ones((len(lengths), 1))], format="csr")
            final = np.append(final, learner.intercept)
        return Replay(
            ledger,
            rows,
            _joined([p.labels for p in self.parts], np.float64),
            _joined([p.mistaken for p in self.parts], np.bool_),
            list(features),
            final,
            dict(getattr(learner, "scalars", {})),
            dict(getattr(learner, "parameters", {})),
            bias,
            _joined([p.scores for p in self.parts], np.float64),
        )


class _Part(NamedTuple):
    names: Sequence[str] | Vocabulary | None
    lengths: NDArray[Any]
    values: Floats
    columns: NDArray[Any]
    labels: Floats
    mistaken: NDArray[np.bool_]
    scores: Floats


def _part(batch: Batch, predictions: Floats, scores: Floats, wanted: NDArray[np.bool_]) -> _Part:
    """Take the wanted rows out of a batch."""
    if batch.indices is None or batch.starts is None:
        rows = batch.values[wanted].astype(np.float64)
        width = batch.values.shape[1]
        lengths, values, columns = (
            np.full(len(rows), width),
            rows.ravel(),
            np.tile(np.arange(width), len(rows)),
        )
    else:
        span = slice(int(batch.starts[0]), int(batch.starts[-1]))
        all_lengths = np.diff(batch.starts)
        inside = np.repeat(wanted, all_lengths)
        lengths = all_lengths[wanted]
        values = batch.values[span][inside].astype(np.float64)
        columns = batch.indices[span][inside]
    labels = batch.labels[wanted]
    return _Part(batch.names, lengths, values, columns, labels, predictions[wanted] != labels, scores[wanted])


def _joined(parts: list[Any], dtype: Any) -> Any:
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.empty(0, dtype=dtype)
