"""Baselines of a run, counted from its labels: what somebody gets who looks at no feature."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret.data.labels import Labels
from noregret.game.play import play_batch
from noregret.ledger import Ledger
from noregret.linear.regression import LastValue, Mean
from noregret.rounds import Batch


class Counted(NamedTuple):
    """What a baseline that says a label would have done."""

    name: str
    mistakes: int
    mistake_rate: float
    precision: float | None = None
    recall: float | None = None


class Baselines:
    """Counts what two learners that look at no feature would have done."""

    def __init__(self, labels: Labels) -> None:
        """Begin with nothing seen; the last label before the first counts as +1."""
        self.labels = labels
        self.task = labels.task
        self.counts: dict[str, int] = {}  # of classes, by how they are written
        self.repeats = 0  # how often a class came twice in a row
        self.before: str | None = None
        self.positives = self.negatives = 0
        self.last = 1.0
        self.true_positives = self.false_positives = self.false_negatives = 0
        self.numbers = [(one, Ledger(one.spec, task=one.task)) for one in (Mean(), LastValue())]

    def batch(self, batch: Batch, played: NDArray[np.bool_]) -> None:
        """Count the rounds of a batch that were played."""
        kept = ~np.isnan(batch.labels) & played
        labels = batch.labels[kept]
        if len(labels) == 0:
            return
        if self.task == "regression":
            weights = None if batch.weights is None else batch.weights[kept]
            for learner, ledger in self.numbers:
                play_batch(Batch(np.empty((len(labels), 0)), labels, weights=weights), learner, ledger, None)
        elif self.task == "multiclass":
            self._classes([str(batch.meaning(label)) for label in labels.tolist()])
        else:
            self._pair(labels)

    def rows(self) -> list[Counted]:
        """How often each would have been wrong; nothing where labels are numbers."""
        if self.task != "binary":
            return self._of_classes()
        total = max(self.positives + self.negatives, 1)
        negative, positive = self.labels.sides or ("-1", "+1")
        if self.positives > self.negatives:
            name, wrong = f"always {positive}", self.negatives
            always = Counted(name, wrong, wrong / total, self.positives / total, 1.0)
        else:
            name, wrong = f"always {negative}", self.positives
            always = Counted(name, wrong, wrong / total, None, 0.0 if self.positives else None)
        said = self.true_positives + self.false_positives
        precision = self.true_positives / said if said else None
        recall = self.true_positives / self.positives if self.positives else None
        wrong = self.false_positives + self.false_negatives
        return [always, Counted("last-label", wrong, wrong / total, precision, recall)]

    def ledgers(self) -> list[Ledger]:
        """The runs of the mean and of the last value, where labels are numbers."""
        return [ledger for _, ledger in self.numbers] if self.task == "regression" else []

    def _pair(self, labels: NDArray[np.float64]) -> None:
        said = np.concatenate([[self.last], labels[:-1]])
        self.last = float(labels[-1])
        self.positives += int(np.sum(labels > 0))
        self.negatives += int(np.sum(labels < 0))
        self.true_positives += int(np.sum((said > 0) & (labels > 0)))
        self.false_positives += int(np.sum((said > 0) & (labels < 0)))
        self.false_negatives += int(np.sum((said < 0) & (labels > 0)))

    def _classes(self, labels: list[str]) -> None:
        for label in labels:
            self.counts[label] = self.counts.get(label, 0) + 1
            self.repeats += label == self.before
            self.before = label

    def _of_classes(self) -> list[Counted]:
        if not self.counts:
            return []
        total = sum(self.counts.values())
        often = max(self.counts, key=lambda label: self.counts[label])
        rows = [(f"always {often}", total - self.counts[often]), ("last-label", total - self.repeats)]
        return [Counted(name, wrong, wrong / total) for name, wrong in rows]

    def as_json(self) -> list[dict[str, Any]]:
        """Give them as plain data."""
        if self.task == "regression":
            return [
                {"baseline": one.learner, "rmse": one.rmse, "mae": one.mae, "loss": one.loss}
                for one in self.ledgers()
            ]
        return [
            {
                "baseline": one.name,
                "mistakes": one.mistakes,
                "mistake_rate": one.mistake_rate,
                "precision": one.precision,
                "recall": one.recall,
            }
            for one in self.rows()
        ]
