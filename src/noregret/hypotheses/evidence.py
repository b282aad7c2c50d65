"""A run over a finite class, played again: what its theorems look at."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret import _core
from noregret.certificate import Hypothesis
from noregret.hypotheses.classes import FiniteClass
from noregret.ledger import Ledger
from noregret.linear.assumptions import prompt_run
from noregret.rounds import Batch, Floats


@dataclass(frozen=True)
class FiniteReplay:
    """The labelled rounds of a run: points, labels, and the probability that the prediction was 1."""

    ledger: Ledger
    hypotheses: FiniteClass
    points: NDArray[np.int64]
    labels: Floats
    chances: Floats
    parameters: dict[str, Any]

    @property
    def mistakes(self) -> int:
        """How many mistakes the run had."""
        return self.ledger.mistakes

    @property
    def expected_loss(self) -> float:
        """Σ|p − y|, not above the true value: a probability is off by no more than half a unit."""
        losses = np.abs(self.chances - self.labels)
        return max(0.0, math.fsum(losses) - float(np.count_nonzero(losses)) * 2.0**-52)

    @cached_property
    def best(self) -> int:
        """The mistakes of the best hypothesis in hindsight."""
        total = np.zeros(self.hypotheses.size, dtype=np.int64)
        for point in np.unique(self.points).tolist():
            here = self.labels[self.points == point]
            positives = int(np.sum(here == 1.0))
            total += np.where(self.hypotheses.column(point), len(here) - positives, positives)
        return int(total.min())

    def first_unexplained(self) -> int | None:
        """The first round, from 1, whose label no hypothesis explains with all before it; None if all are."""
        space = _core.VersionSpace(self.hypotheses.core)
        for t, (point, label) in enumerate(zip(self.points.tolist(), self.labels.tolist(), strict=True), 1):
            space.restrict(point, label == 1.0)
            if space.size == 0:
                return t
        return None


class Evidence:
    """Gathers the labelled rounds of a replay."""

    def __init__(self, hypotheses: FiniteClass) -> None:
        """Start with no rounds."""
        self.hypotheses = hypotheses
        self.points: list[int] = []
        self.labels: list[float] = []
        self.chances: list[float] = []

    def add(self, batch: Batch, predictions: Floats, scores: Floats) -> None:
        """Take the rounds that were played and had a label."""
        for r in np.flatnonzero(~np.isnan(batch.labels) & ~np.isnan(predictions)).tolist():
            self.points.append(self.hypotheses.point_of(batch.row(r)))
            self.labels.append(float(batch.labels[r]))
            self.chances.append(float(scores[r]))

    def close(self, ledger: Ledger, learner: Any) -> FiniteReplay:
        """Lay out what was gathered."""
        return FiniteReplay(
            ledger,
            self.hypotheses,
            np.array(self.points, dtype=np.int64),
            np.array(self.labels),
            np.array(self.chances),
            dict(learner.parameters),
        )


def realizable_run(replay: FiniteReplay) -> list[Hypothesis]:
    """Ask for a run from the beginning whose labels some hypothesis explains."""
    round_ = replay.first_unexplained()
    explained = Hypothesis(
        "some hypothesis of the class explains every label",
        round_ is None,
        f"none does from round {round_:,} on" if round_ is not None else "",
    )
    return [*prompt_run(replay), explained]
