"""Halving: follow the majority of the hypotheses that have not erred yet."""

from __future__ import annotations

from typing import ClassVar

from noregret.certificate import Certificate, Theorem, conclude
from noregret.hypotheses.evidence import FiniteReplay, realizable_run
from noregret.hypotheses.learner import FiniteLearner
from noregret.rounds import Example


class Halving(FiniteLearner):
    """Predicts what most hypotheses of the version space say; 1 when they are tied.

    A mistake costs at least half of them, so there are at most log₂|H| mistakes.

    >>> learner = Halving("thresholds:3")
    >>> learner.predict(1), learner.learn(1, 0), learner.predict(2), learner.predict(0)
    (1.0, True, 1.0, 0.0)
    """

    name: ClassVar[str] = "halving"
    summary: ClassVar[str] = "says what most hypotheses say that have not erred yet"

    def _vote(self, point: int) -> bool:
        return 2 * self.space.ones(point) >= self.space.size

    def score(self, x: Example) -> float:
        """The share of the version space that says 1."""
        return self.space.ones(self.hypotheses.point(x)) / self.space.size

    def theorems(self) -> tuple[Theorem, ...]:
        """At most log₂|H| mistakes."""
        return (HalvingBound(),)


class HalvingBound:
    """Realizable labels: M ≤ ⌊log₂|H|⌋."""

    name = "Halving"
    statement = "if some h ∈ H explains every label, then M ≤ ⌊log₂|H|⌋"
    source = "Barzdin & Freivald 1972, On the prediction of general recursive functions; Littlestone 1988, §3"
    about = "mistakes"
    comparator = None

    def certify(self, replay: FiniteReplay, witness: None = None) -> Certificate:
        """Hold it against a run."""
        size = replay.hypotheses.size
        return conclude(
            self, replay.mistakes, size.bit_length() - 1, realizable_run(replay), {"H": float(size)}
        )
