"""What the searches for witnesses share: the sample, what was found, and the final weights of a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noregret import _core
from noregret.judged import Judged, Witness
from noregret.rounds import Floats
from noregret.sample import Cells, Sample


@dataclass
class Found:
    """Witnesses of one kind, and what is known of the best possible one."""

    directions: list[Floats] = field(default_factory=list)  # by column of the layout, the bias last
    rest: float = 0.0
    dual: dict[int, float] | None = None  # weights of rounds that prove how large a margin can be
    at_most: float = math.inf  # no direction of length 1 has a larger margin
    notes: list[str] = field(default_factory=list)
    cuts: dict[int, Floats] = field(default_factory=dict)  # thresholds between ranks, by direction


class Finder:
    """Finds witnesses for the learners of one game; what two learners share is searched for once."""

    def __init__(self, sample: Sample, effort: str = "normal") -> None:
        """Take the sample, and how hard to search."""
        self.sample = sample
        self.effort = effort
        self._found: dict[Any, Any] = {}

    def shared(self, key: Any, make: Callable[[], Any]) -> Any:
        """Compute something once for all learners that ask for it."""
        if key not in self._found:
            self._found[key] = make()
        return self._found[key]

    def rows(self, bias: bool) -> tuple[Cells, Floats, Floats]:
        """The cells, labels and square lengths of the sample."""
        squares = self.shared("squares", lambda: _core.measure_rows(self.sample.cells)[0])
        return self.sample.cells, self.sample.labels, squares + 1.0 if bias else squares


def rest_of(kind: str, run: Judged) -> float:
    """The weight of a feature that the learner has not met."""
    return float(getattr(run.learner, "initial_weight", 0.0)) if kind in ("mixture", "threshold") else 0.0


def final_weights(run: Judged, columns: _core.FeatureColumns, rest: float) -> Floats:
    """The weights after the last round, by column; a row for each class. Their features get columns."""
    learner = run.ledger.final
    if run.classes:
        weights, bases = learner.weights, learner.intercept
        place = {feature: columns.add(feature) for part in weights.values() for feature in part}
        rows = [_laid(weights[one], place, len(columns), 0.0, run.bias, bases[one]) for one in run.classes]
        return np.array(rows).reshape(len(rows), len(columns) + run.bias)
    base = learner.intercept if run.bias and run.ledger.task != "multiclass" else 0.0  # no class is known
    weights = learner.weights
    place = {feature: columns.add(feature) for feature in weights}
    return _laid(weights, place, len(columns), rest, run.bias, base)


def _laid(weights: Any, place: dict[Any, int], width: int, rest: float, bias: bool, base: float) -> Floats:
    laid = np.full(width + bias, rest)
    laid[[place[feature] for feature in weights]] = list(weights.values())
    if bias:
        laid[-1] = base
    return laid


def as_witness(direction: Floats, rest: float) -> Witness:
    """A direction as a witness."""
    return Witness(np.ascontiguousarray(direction, dtype=np.float64), rest)
