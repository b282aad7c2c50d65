"""The Standard Optimal Algorithm: no learner has a better mistake bound."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Self

from noregret import _core
from noregret.certificate import Certificate, Theorem, conclude
from noregret.hypotheses.dimension import littlestone_dimension
from noregret.hypotheses.evidence import FiniteReplay, realizable_run
from noregret.hypotheses.learner import FiniteLearner


class SOA(FiniteLearner):
    """Predicts the label whose hypotheses, among those left, have the larger Littlestone dimension.

    A tie says 1; no hypotheses have dimension −1. It errs at most Ldim(H) times, and an adversary
    that walks a shattered tree makes every deterministic learner err that often (Littlestone 1988).

    >>> learner = SOA("singletons:4")
    >>> learner.predict(0), learner.learn(0, 0), learner.predict(1)
    (0.0, True, 0.0)
    """

    name: ClassVar[str] = "soa"
    summary: ClassVar[str] = "says the label that leaves the larger Littlestone dimension"

    def __init__(self, hypotheses: Any) -> None:
        """Start with every hypothesis of the class."""
        super().__init__(hypotheses)
        self._search = _core.Search(self.hypotheses.core)

    def _vote(self, point: int) -> bool:
        return optimal_label(self._search, self.space, point)

    def clone(self) -> Self:
        """Make a copy; what the search remembers is found again."""
        twin = super().clone()
        twin._search = _core.Search(self.hypotheses.core)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what the search remembers."""
        return super().__getstate__() | {"_search": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what was pickled, with a search that finds everything again."""
        super().__setstate__(state)
        self._search = _core.Search(self.hypotheses.core)

    def theorems(self) -> tuple[Theorem, ...]:
        """At most Ldim(H) mistakes."""
        return (SOABound(),)


def optimal_label(search: _core.Search, space: _core.VersionSpace, point: int) -> bool:
    """The label whose part of the version space has the larger dimension; 1 when they are tied."""
    ones = space.ones(point)
    if ones == 0 or ones == space.size:
        return ones > 0 or space.size == 0
    depths = []
    for label in (False, True):
        part = copy.copy(space)
        part.restrict(point, label)
        depths.append(search.littlestone(part, None, None)[0])
    return depths[True] >= depths[False]


class SOABound:
    """Realizable labels: M ≤ Ldim(H)."""

    name = "Littlestone (SOA)"
    statement = "if some h ∈ H explains every label, then M ≤ Ldim(H)"
    source = "Littlestone 1988, Learning quickly when irrelevant attributes abound, Thm 3"
    about = "mistakes"
    comparator = None

    def certify(self, replay: FiniteReplay, witness: None = None) -> Certificate:
        """Hold it against a run."""
        depth = littlestone_dimension(replay.hypotheses)
        return conclude(self, replay.mistakes, depth, realizable_run(replay), {"Ldim": float(depth)})
