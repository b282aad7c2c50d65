"""Runs of learners of several classes, played again by their twins."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from . import exact
from .linear_runs import Played, Waiting
from .multiclass import Class, Classes, as_class
from .rounds import Round

Witness = dict[Class, dict[Any, float]]


class ClassRun(Played):
    """A run whose labels are classes; some may have been announced before the first round."""

    def __init__(
        self,
        twin: Classes,
        parameters: dict[str, Any],
        rounds: Sequence[Round],
        skip: bool,
        lag: int,
        announced: Sequence[Any],
    ) -> None:
        """Announce the classes, then play."""
        twin.announce(announced)
        self.announced = list(twin.joined)
        super().__init__(twin, parameters, rounds, skip, lag)
        self.classes = twin.classes
        self.unannounced = len(twin.joined) - len(self.announced)

    def meant(self, label: Any) -> Class | None:
        """The class that a label names."""
        return None if label is None else as_class(label)

    def late(self, now: Waiting) -> bool:
        """Learn a label that comes late as if the round were now."""
        return self.twin.learn(now.x, now.label, now.weight)

    def leads(self, witness: Witness) -> list[Fraction]:
        """By how much the right class leads the best wrong one; 1 where there is no other class."""
        if len(self.classes) < 2:
            return [Fraction(1)] * len(self.labels)
        scores = {one: exact.dots(self.rows, witness.get(one, {})) for one in self.classes}
        return [
            scores[y][t] - max(scores[one][t] for one in self.classes if one != y)
            for t, y in enumerate(self.labels)
        ]

    def lead_fuzz(self, witness: Witness) -> Fraction:
        """What a lead may be off by in doubles."""
        return 4 * max((self.fuzz(part) for part in witness.values()), default=Fraction(0))
