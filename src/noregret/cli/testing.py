"""Predict a stream and learn nothing from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noregret.certificate import shown
from noregret.cli.output import share
from noregret.conversion.converted import Conversion
from noregret.data.stream import DataStream
from noregret.errors import BadCommand, BadInput
from noregret.linear.ranking import PairwiseRanker
from noregret.parameters import name_of
from noregret.registry import EXPERTS
from noregret.rounds import Batch, Floats


@dataclass(frozen=True)
class Tested:
    """How often the predictions for a test file were wrong."""

    rows: int
    mistakes: int
    squared: float | None = None  # Σ(ŷ − y)², where predictions are numbers

    @property
    def rate(self) -> float:
        """Mistakes per row."""
        return self.mistakes / max(self.rows, 1)

    @property
    def rmse(self) -> float | None:
        """The root of the mean squared error, where predictions are numbers."""
        return None if self.squared is None else (self.squared / max(self.rows, 1)) ** 0.5

    @property
    def shown(self) -> str:
        """For the table."""
        return share(self.rate) if self.rmse is None else shown(self.rmse)

    def as_json(self) -> dict[str, Any]:
        """Give it as plain data."""
        if self.rmse is not None:
            return {"rows": self.rows, "rmse": self.rmse}
        return {"rows": self.rows, "mistakes": self.mistakes, "error_rate": self.rate}


def require_linear(learner: Any, model: Path | None = None) -> Any:
    """Refuse a rule over experts, a ranker, or what learns no more, where a learner of examples is wanted.

    `model` is the file that it comes from.
    """
    if isinstance(learner, Conversion):
        raise BadCommand(f"{learner.spec} learns no more; use it with `noregret predict`")
    if isinstance(learner, PairwiseRanker):
        raise BadCommand(
            f"{learner.spec} orders the elements of queries: from Python, with nr.load and nr.queries"
        )
    if not hasattr(learner, "score_matrix"):
        require_no_rule(learner.spec, model)
        raise BadCommand(f"{learner.spec} learns no examples with features")
    return learner


def require_no_rule(spec: str, model: Path | None = None) -> None:
    """Refuse a rule over experts, before anybody is asked how many there are."""
    name = name_of(spec)
    if name in EXPERTS:
        option = f"--rule {name}" if model is None else f"--model {model}"
        raise BadCommand(f"{name} weighs experts; use `noregret experts FILE --target COL {option}`")


def predicted(learner: Any, stream: DataStream) -> Iterator[tuple[Batch, Floats, Floats]]:
    """Yield every batch with its predictions and scores; NaN for a row that was refused and passed over."""
    for batch in stream.batches():
        if isinstance(learner, Conversion):
            yield batch, *learner.predict_batch(batch)
            continue
        yield batch, *_scored(learner, batch, stream)


def _scored(learner: Any, batch: Batch, stream: DataStream) -> tuple[Floats, Floats]:
    """Score every row; one that is refused stops the stream there, or has no score."""
    predictions, scores = np.full(len(batch), np.nan), np.full(len(batch), np.nan)
    begin, end, problem = 0, len(batch), None
    while begin < len(batch):
        try:
            learner.score_matrix(batch.part(begin, end).matrix(), predictions[begin:end], scores[begin:end])
        except BadInput as bad:
            if bad.row is None:
                raise
            end, problem = begin + bad.row, bad  # of a panel, another member may refuse an earlier one
            bad.where = batch.located(end)
            continue
        if problem is not None:
            stream.fault(problem)
        begin, end, problem = end + 1, len(batch), None
    return predictions, scores


def count_errors(learner: Any, stream: DataStream) -> Tested:
    """Count the wrong predictions of a learner on a stream."""
    rows = mistakes = 0
    squared = 0.0
    for batch, predictions, _ in predicted(learner, stream):
        labelled = ~np.isnan(batch.labels) & ~np.isnan(predictions)
        rows += int(labelled.sum())
        mistakes += int(np.sum(predictions[labelled] != batch.labels[labelled]))
        squared += float(np.sum((predictions[labelled] - batch.labels[labelled]) ** 2))
    return Tested(rows, 0, squared) if learner.task == "regression" else Tested(rows, mistakes)
