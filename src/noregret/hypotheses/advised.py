"""Rules over experts that play over a class: every hypothesis is an expert with zero-one losses."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from noregret.certificate import Theorem
from noregret.chance import coin
from noregret.errors import BadInput
from noregret.experts.account import Account
from noregret.experts.rule import ExpertRule
from noregret.experts.weighted_majority import WeightedMajority
from noregret.hypotheses.learner import FiniteLearner, RandomisedLearner
from noregret.ledger import Ledger
from noregret.parameters import whole
from noregret.rounds import Batch, Floats


class AccountEvidence:
    """What the theorems of an expert rule ask for is in the account that the rule keeps itself."""

    def add(self, batch: Batch, predictions: Floats, scores: Floats) -> None:
        """Keep nothing."""

    def close(self, ledger: Ledger, learner: Any) -> Account:
        """Give the account of the rule after the replay."""
        account: Account = learner.rule.account()
        return account


class _Advised(FiniteLearner):
    """What the two kinds have in common: a rule, and hypotheses as its experts."""

    read_only: ClassVar[tuple[str, ...]] = ("rule",)
    rule: ExpertRule

    def _take(self, rule: ExpertRule) -> None:
        if rule.n != self.hypotheses.size:
            size = self.hypotheses.size
            raise BadInput(f"{self.hypotheses.name} has {size:,} hypotheses and the rule {rule.n:,} experts")
        self.rule = rule

    def _advice(self, point: int) -> Floats:
        return self.hypotheses.column(point).astype(np.float64)

    def _teach(self, point: int, label: int) -> bool:
        """Teach the rule; there is no label that it cannot take."""
        self._tell(self._advice(point), label)
        self.played += 1
        return True

    @abstractmethod
    def _tell(self, advice: Floats, label: int) -> None:
        """Tell the rule how its experts did."""

    @property
    def spec(self) -> str:
        """The spec of the rule, without the number of experts."""
        return self.rule.rule

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the rule."""
        return self.rule.parameters

    @property
    def is_fresh(self) -> bool:
        """Whether neither it nor its rule has learned anything yet."""
        return super().is_fresh and self.rule.is_fresh

    def theorems(self) -> tuple[Theorem, ...]:
        """Those of the rule."""
        return self.rule.theorems()

    def evidence(self) -> Any:
        """The rule's own account."""
        return AccountEvidence()

    def clone(self) -> Self:
        """Make a copy that shares nothing that changes."""
        twin = super().clone()
        twin._replace("rule", self.rule.clone())
        return twin

    def __repr__(self) -> str:
        """Spec and class."""
        return f"<{self.spec} over {self.hypotheses.name}>"


class Vote(_Advised):
    """The weighted vote of the hypotheses, by Weighted Majority. Cover's adversary makes it err every time.

    >>> import noregret as nr
    >>> nr.play(nr.CoverAdversary(rounds=100), Vote("all:1", WeightedMajority(2))).mistakes
    100
    """

    def __init__(self, hypotheses: Any, rule: WeightedMajority) -> None:
        """Take a fresh rule over as many experts as there are hypotheses."""
        super().__init__(hypotheses)
        self._take(rule)

    def _vote(self, point: int) -> bool:
        return self.rule.predict(self._advice(point)) == 1.0

    def votes(self, point: int) -> str:
        """The weights of those that say 0 and of those that say 1."""
        ones = float(self.rule.weights @ self._advice(point))
        return f"{1.0 - ones:.3f} : {ones:.3f}"

    def _tell(self, advice: Floats, label: int) -> None:
        self.rule.learn(advice, float(label))


class Draw(_Advised, RandomisedLearner):
    """Says 1 with the weight of the hypotheses that say 1, by any rule whose weights are a distribution.

    What is certified is the expected loss, Σ p·ℓ.

    >>> import noregret as nr
    >>> learner = Draw("all:1", nr.Hedge(2, loss="zero-one"))
    >>> learner.score(0), learner.learn(0, 1), learner.score(0) > 0.5
    (0.5, True, True)
    """

    def __init__(self, hypotheses: Any, rule: ExpertRule, seed: float = 0) -> None:
        """Take a fresh rule over as many experts as there are hypotheses."""
        super().__init__(hypotheses)
        self.seed = whole("seed", seed)
        self._take(rule)

    def _chance(self, point: int) -> float:
        advice = self._advice(point)
        return min(1.0, max(0.0, float(self.rule.weights @ advice)))

    def _vote(self, point: int) -> bool:
        return coin(self.seed, self.played + 1) < self._chance(point)

    def _tell(self, advice: Floats, label: int) -> None:
        self.rule.learn(np.abs(advice - label))
