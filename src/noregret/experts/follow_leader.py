"""Follow the leader: the cautionary rule.

Its regret can grow with every round, and its theorem says when it does.
"""

from __future__ import annotations

from typing import Any, ClassVar

from noregret.certificate import Certificate, Theorem
from noregret.experts.account import Account, nobody_joined, nobody_slept, prompt
from noregret.experts.rule import ExpertRule


class FollowTheLeader(ExpertRule):
    """All weight on the first of the experts with the least loss so far."""

    name: ClassVar[str] = "ftl"
    summary: ClassVar[str] = "all weight on the leader; cautionary: regret can grow with every round"

    def theorems(self) -> tuple[Theorem, ...]:
        """Regret is paid only when somebody overtakes."""
        return (BeTheLeader(),)


class BeTheLeader:
    """Any losses: regret ≤ the sum of the spreads of the rounds after which somebody else led."""

    name = "Be the leader"
    statement = (
        "for any losses, s_t = max ℓ − min ℓ: Σℓ(leader) − L* ≤ Σ s_t over the rounds after which the "
        "leader changed"
    )
    source = (
        "after the proof in Kalai & Vempala 2005, Efficient algorithms for online decision problems, that "
        "who is the leader has no regret"
    )
    about = "regret"
    comparator = None

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        hypotheses = [nobody_slept(replay), prompt(replay), nobody_joined(replay)]
        return replay.conclude(self, replay.regret, replay.scalars["overtaken"], hypotheses)
