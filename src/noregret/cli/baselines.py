"""Baselines of a run, counted from its labels: always the same label, and the last label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.rounds import Batch


class Baselines:
    """Counts what two learners that look at no feature would have done."""

    def __init__(self, task: str = "binary") -> None:
        """Begin with nothing seen; the last label before the first counts as +1."""
        self.task = task
        self.counts: dict[str, int] = {}  # of classes, by how they are written
        self.repeats = 0  # how often a class came twice in a row
        self.before: str | None = None
        self.positives = self.negatives = 0
        self.last = 1.0
        self.true_positives = self.false_positives = self.false_negatives = 0

    def batch(self, batch: Batch, played: NDArray[np.bool_]) -> None:
        """Count the rounds of a batch that were played."""
        labels = batch.labels[~np.isnan(batch.labels) & played]
        if len(labels) == 0 or self.task == "regression":
            return
        if self.task == "multiclass":
            self._classes([str(batch.meaning(label)) for label in labels.tolist()])
            return
        said = np.concatenate([[self.last], labels[:-1]])
        self.last = float(labels[-1])
        self.positives += int(np.sum(labels > 0))
        self.negatives += int(np.sum(labels < 0))
        self.true_positives += int(np.sum((said > 0) & (labels > 0)))
        self.false_positives += int(np.sum((said > 0) & (labels < 0)))
        self.false_negatives += int(np.sum((said < 0) & (labels > 0)))

    def rows(self) -> list[tuple[str, int, float | None, float | None]]:
        """Give name, mistakes, precision and recall of each; nothing where labels are numbers."""
        if self.task != "binary":
            return self._of_classes()
        total = self.positives + self.negatives
        always: tuple[str, int, float | None, float | None]
        if self.positives > self.negatives:
            always = ("always +1", self.negatives, self.positives / total, 1.0)
        else:
            always = ("always -1", self.positives, None, 0.0 if self.positives else None)
        said = self.true_positives + self.false_positives
        precision = self.true_positives / said if said else None
        recall = self.true_positives / self.positives if self.positives else None
        return [always, ("last-label", self.false_positives + self.false_negatives, precision, recall)]

    def _classes(self, labels: list[str]) -> None:
        for label in labels:
            self.counts[label] = self.counts.get(label, 0) + 1
            self.repeats += label == self.before
            self.before = label

    def _of_classes(self) -> list[tuple[str, int, float | None, float | None]]:
        if not self.counts:
            return []
        total = sum(self.counts.values())
        often = max(self.counts, key=lambda label: self.counts[label])
        rows = [(f"always {often}", total - self.counts[often]), ("last-label", total - self.repeats)]
        return [(name, mistakes, None, None) for name, mistakes in rows]

    def as_json(self) -> list[dict[str, Any]]:
        """Give them as plain data."""
        total = max(self.positives + self.negatives + sum(self.counts.values()), 1)
        return [
            {
                "baseline": name,
                "mistakes": mistakes,
                "mistake_rate": mistakes / total,
                "precision": p,
                "recall": r,
            }
            for name, mistakes, p, r in self.rows()
        ]
