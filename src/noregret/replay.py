"""Plays a run again and lays it out as a matrix, for theorems and hindsight to look at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret._core import Vocabulary
from noregret.errors import BadInput
from noregret.game.late_rounds import arrive
from noregret.game.play import first, play_batch
from noregret.game.said import Said
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
    late: list[tuple[Batch, Said]] = []  # of these a row may be refused when its label comes
    for batch in first(ledger.nature, ledger.limit):
        said = Said(len(batch))
        play_batch(batch, learner, again, said)
        if batch.lag:
            late.append((batch, said))
        else:
            kept.add(batch, said.predictions, said.scores)
    arrive(learner, again, 0)
    for batch, said in late:
        kept.add(batch, said.predictions, said.scores)
    if (again.rounds, again.mistakes) != (ledger.rounds, ledger.mistakes):
        raise BadInput(
            f"the data is not what it was: {again.mistakes:,} mistakes in {again.rounds:,} rounds when "
            f"played again, {ledger.mistakes:,} in {ledger.rounds:,} before"
        )
    return kept.close(ledger, learner)


class _Kept:
    """Gathers the labelled rows of a replay."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.size = 0

    def add(self, batch: Batch, predictions: Floats, scores: Floats) -> None:
        wanted = ~np.isnan(batch.labels) & ~np.isnan(predictions)
        self.parts.append(part_of(batch, predictions, scores, wanted))
        self.size += len(self.parts[-1].values)
        if self.size > REPLAY_VALUES:
            raise BadInput(f"the run has more than {REPLAY_VALUES:,} values, too many to lay out in memory")

    def close(self, ledger: Ledger, learner: Any) -> Replay:
        rows, features = laid_out(self.parts)
        bias = bool(getattr(learner, "has_bias", False))
        if bias:
            from scipy.sparse import hstack

            rows = hstack([rows, np.ones((rows.shape[0], 1))], format="csr")
        classes = getattr(learner, "classes", [])
        return Replay(
            ledger,
            rows,
            _joined([places(p.labels, p.classes, classes) for p in self.parts], np.float64),
            _joined([p.mistaken for p in self.parts], np.bool_),
            features,
            _final(learner, features, bias),
            dict(getattr(learner, "scalars", {})),
            dict(getattr(learner, "parameters", {})),
            bias,
            _joined([p.scores for p in self.parts], np.float64),
            classes,
            len(classes) - len(getattr(ledger.start, "classes", [])),
        )


def laid_out(parts: Sequence[Part]) -> tuple[Any, list[Feature]]:
    """The rows of all parts as one sparse matrix, and the features that its columns are."""
    from scipy.sparse import csr_array

    features: dict[Feature, int] = {}
    columns = []
    for part in parts:
        met, place = np.unique(part.columns, return_inverse=True)
        told = [part.names[i] for i in met.tolist()] if part.names is not None else met.tolist()
        columns.append(np.array([features.setdefault(f, len(features)) for f in told], dtype=np.int64)[place])
    lengths = _joined([p.lengths for p in parts], np.int64)
    values = _joined([p.values for p in parts], np.float64)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    shape = (len(lengths), max(len(features), 1))
    rows = csr_array((values, _joined(columns, np.int64), starts), shape=shape)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return rows, list(features)


def _final(learner: Any, features: list[Feature], bias: bool) -> Floats:
    """The weights by column; with several classes a row for each."""
    if hasattr(learner, "classes"):
        weights, bases = learner.weights, learner.intercept
        laid = [_columns(weights[one], features, 0.0, bases[one], bias) for one in learner.classes]
        return np.array(laid, dtype=np.float64).reshape(len(laid), max(len(features), 1) + bias)
    return _columns(
        learner.weights,
        features,
        getattr(learner, "initial_weight", 0.0),
        learner.intercept if bias else 0.0,
        bias,
    )


def _columns(weights: Any, features: list[Feature], initial: float, base: float, bias: bool) -> Floats:
    found = vector(weights, features, initial) if features else np.zeros(1)
    return np.append(found, base) if bias else found


def places(labels: Floats, meanings: Sequence[Any] | None, classes: Sequence[Any]) -> Floats:
    """Labels as they are, or as places in the list of the learner's classes."""
    if not classes:
        return labels
    known = {one: float(place) for place, one in enumerate(classes)}
    met, place = np.unique(labels, return_inverse=True)
    told = met.tolist() if meanings is None else [meanings[int(one)] for one in met]
    if unknown := [one for one in told if one not in known]:
        raise BadInput(f"the data is not what it was: there was no class {unknown[0]!r} in the run")
    return np.array([known[one] for one in told], dtype=np.float64)[place]


class Part(NamedTuple):
    """Rows taken out of a batch."""

    names: Sequence[str] | Vocabulary | None
    lengths: NDArray[Any]
    values: Floats
    columns: NDArray[Any]
    labels: Floats
    mistaken: NDArray[np.bool_]
    scores: Floats
    classes: Sequence[Any] | None


def part_of(batch: Batch, predictions: Floats, scores: Floats, wanted: NDArray[np.bool_]) -> Part:
    """Take the wanted rows out of a batch."""
    batch = batch.flat()
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
    mistaken = predictions[wanted] != labels
    return Part(batch.names, lengths, values, columns, labels, mistaken, scores[wanted], batch.classes)


def _joined(parts: list[Any], dtype: Any) -> Any:
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.empty(0, dtype=dtype)
