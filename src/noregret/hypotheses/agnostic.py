"""The agnostic learner: regret √(½·T·ln E) for labels of any kind, however large the class.

Ben-David, Pál & Shalev-Shwartz 2009, Agnostic online learning.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.chance import coin
from noregret.errors import BadInput
from noregret.hypotheses.dimension import littlestone_dimension
from noregret.hypotheses.evidence import FiniteReplay
from noregret.hypotheses.learner import RandomisedLearner
from noregret.hypotheses.standard_experts import StandardExperts, expert_count
from noregret.linear.assumptions import prompt_run
from noregret.parameters import Parameter, positive, whole
from noregret.rounding import above


class Agnostic(RandomisedLearner):
    """Exponential weights over experts that are SOA, told to err in at most Ldim(H) rounds.

    There is one expert for each set of at most d = Ldim(H) of the T rounds; in those rounds it says
    the opposite of SOA and believes itself. One of them says what the best hypothesis says. The
    regret is at most √(½·T·ln E) with E = Σ C(T, i), i ≤ d. Experts with the same version space
    are kept as one, with the sum of their weights.

    >>> learner = Agnostic("thresholds:7", rounds=100)
    >>> learner.experts, round(learner.score(3), 3)
    (166751, 0.97)
    """

    name: ClassVar[str] = "agnostic"
    summary: ClassVar[str] = "exponential weights over SOAs that are told when to err"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rounds", 1000.0, "T: how many rounds will be played at most"),
        Parameter("rate", None, "η; √(8·ln E/T) if left out"),
        Parameter("seed", 0.0, "of the coin; round t uses a number that depends on the seed and t"),
    )

    def __init__(
        self, hypotheses: Any, rounds: float = 1000, rate: float | None = None, seed: float = 0
    ) -> None:
        """Start with all experts equal."""
        self.rounds = whole("rounds", rounds, 1)
        self.seed = whole("seed", seed)
        self.rate = None if rate is None else positive("rate", rate)
        super().__init__(hypotheses)
        self._experts = StandardExperts(self.hypotheses, self.rounds)

    @property
    def experts(self) -> int:
        """E: how many experts there are."""
        return expert_count(self.rounds, self._experts.depth)

    @property
    def step(self) -> float:
        """η."""
        return default_rate(self.experts, self.rounds) if self.rate is None else self.rate

    def _chance(self, point: int) -> float:
        self._require_round()
        return self._experts.chance(point)

    def _vote(self, point: int) -> bool:
        return coin(self.seed, self.played + 1) < self._chance(point)

    def _teach(self, point: int, label: int) -> bool:
        """Weigh the experts; there is no label that they cannot take."""
        self._require_round()
        self._experts.learn(point, label, self.step)
        self.played += 1
        return True

    def _require_round(self) -> None:
        if self.played >= self.rounds:
            raise BadInput(
                f"round {self.played + 1}: this learner was made for {self.rounds:,} rounds; give rounds=T"
            )

    @property
    def potential(self) -> float:
        """How many version spaces its experts have between them."""
        return float(self._experts.spaces)

    def clone(self) -> Self:
        """Make a copy that shares nothing that changes."""
        twin = super().clone()
        twin._experts = self._experts.clone()
        return twin

    def __repr__(self) -> str:
        """Spec and size."""
        return f"<{self.spec} over {self.hypotheses.name}: {self._experts.spaces:,} version spaces>"

    def theorems(self) -> tuple[Theorem, ...]:
        """The regret bound."""
        return (AgnosticBound(),)


def default_rate(experts: int, rounds: int) -> float:
    """The η that makes the bound least."""
    return math.sqrt(8.0 * math.log(experts) / rounds)


class AgnosticBound:
    """Any labels: the expected regret is at most ln E/η + T·η/8."""

    name = "Ben-David–Pál–Shalev-Shwartz"
    statement = (
        "for any labels: Σ|p−y| − (mistakes of the best h ∈ H) ≤ ln E/η + Tη/8; at the best η: √(½·T·ln E)"
    )
    source = "Ben-David, Pál & Shalev-Shwartz 2009, Agnostic online learning"
    about = "regret"
    comparator = None

    def certify(self, replay: FiniteReplay, witness: None = None) -> Certificate:
        """Hold it against a run."""
        horizon, played = int(replay.parameters["rounds"]), len(replay.labels)
        depth = int(littlestone_dimension(replay.hypotheses))
        experts = expert_count(horizon, depth)
        rate = replay.parameters["rate"] or default_rate(experts, horizon)
        slip = played * 1e-12  # what the probabilities may be off by
        regret = replay.expected_loss - replay.best
        regret = 0.0 if abs(regret) <= slip else regret
        cost = math.log(experts) / rate + slip if experts > 1 else 0.0
        hypotheses = [
            *prompt_run(replay),
            Hypothesis("no more rounds are played than it was made for", played <= horizon),
        ]
        quantities = {"Ldim": float(depth), "ln_E": math.log(experts), "best": float(replay.best)}
        return conclude(self, regret, above(cost + played * rate / 8.0), hypotheses, quantities)
