"""Consistent and RandConsistent: follow a hypothesis that has not erred yet."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar

from noregret.certificate import Certificate, Theorem, conclude
from noregret.chance import coin
from noregret.hypotheses.evidence import FiniteReplay, realizable_run
from noregret.hypotheses.learner import FiniteLearner, RandomisedLearner
from noregret.parameters import Parameter, whole
from noregret.rounding import above

_SOURCE = "Shalev-Shwartz & Ben-David 2014, Understanding machine learning, ch. 21"


class Consistent(FiniteLearner):
    """Predicts what the first hypothesis of the version space says.

    Every mistake costs a hypothesis, so there are at most |H| − 1; singletons, one after the other,
    reach that.

    >>> learner = Consistent("singletons:3")
    >>> learner.predict(0), learner.learn(0, 0), learner.predict(1)
    (1.0, True, 1.0)
    """

    name: ClassVar[str] = "consistent"
    summary: ClassVar[str] = "says what the first hypothesis says that has not erred yet"

    def _vote(self, point: int) -> int:
        return self.hypotheses.says(self.space.member(0), point)

    def theorems(self) -> tuple[Theorem, ...]:
        """At most |H| − 1 mistakes."""
        return (ConsistentBound(),)


class RandConsistent(RandomisedLearner):
    """Predicts what a hypothesis says that is drawn from the version space, anew in each round.

    The expected number of mistakes is at most ln|H|, and in the worst case 1/2 + 1/3 + … + 1/|H|.

    >>> learner = RandConsistent("singletons:4", seed=1)
    >>> learner.score(0), learner.learn(0, 0), learner.score(1)
    (0.25, True, 0.3333333333333333)
    """

    name: ClassVar[str] = "randconsistent"
    summary: ClassVar[str] = "says what a hypothesis says that is drawn among those that have not erred yet"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("seed", 0.0, "of the coin; round t uses a number that depends on the seed and t"),
    )

    def __init__(self, hypotheses: Any, seed: float = 0) -> None:
        """Start with every hypothesis of the class."""
        self.seed = whole("seed", seed)
        super().__init__(hypotheses)

    def _vote(self, point: int) -> int:
        drawn = int(coin(self.seed, self.played + 1) * self.space.size)
        return self.hypotheses.says(self.space.member(drawn), point)

    def _chance(self, point: int) -> float:
        return self.space.ones(point) / self.space.size

    def theorems(self) -> tuple[Theorem, ...]:
        """The logarithm, and the sum that is reached."""
        return (RandConsistentBound(), RandConsistentHarmonic())


class ConsistentBound:
    """Realizable labels: M ≤ |H| − 1."""

    name = "Consistent"
    statement = "if some h ∈ H explains every label, then M ≤ |H| − 1"
    source = f"{_SOURCE}, Cor. 21.2"
    about = "mistakes"
    comparator = None

    def certify(self, replay: FiniteReplay, witness: None = None) -> Certificate:
        """Hold it against a run."""
        size = replay.hypotheses.size
        return conclude(self, replay.mistakes, size - 1, realizable_run(replay), {"H": float(size)})


class RandConsistentBound:
    """Realizable labels: E[M] ≤ ln|H|. A share s of the version space that errs goes: s ≤ −ln(1 − s)."""

    name = "RandConsistent"
    statement = "if some h ∈ H explains every label, then E[M] ≤ ln|H|"
    source = "Beigy 2023, Machine learning theory: on-line learning"
    about = "expected mistakes"
    comparator = None

    def certify(self, replay: FiniteReplay, witness: None = None) -> Certificate:
        """Hold it against a run: the sum of the probabilities of a mistake."""
        size = replay.hypotheses.size
        bound = above(math.log(size))
        return conclude(self, replay.expected_loss, bound, realizable_run(replay), {"H": float(size)})


class RandConsistentHarmonic:
    """Realizable labels: E[M] ≤ 1/2 + … + 1/|H|: hypotheses that go together cost less than one by one."""

    name = "RandConsistent (exact)"
    statement = "if some h ∈ H explains every label, then E[M] ≤ 1/2 + 1/3 + … + 1/|H|"
    source = "each round k of n hypotheses go and k/n ≤ 1/n + … + 1/(n−k+1)"
    about = "expected mistakes"
    comparator = None

    def certify(self, replay: FiniteReplay, witness: None = None) -> Certificate:
        """Hold it against a run."""
        size = replay.hypotheses.size
        bound = Fraction(math.nextafter(math.fsum(1.0 / k for k in range(2, size + 1)), math.inf))
        slack = Fraction(size, 2**53)  # each of the terms may have been rounded down
        return conclude(self, replay.expected_loss, bound + slack, realizable_run(replay), {"H": float(size)})
