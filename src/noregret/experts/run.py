"""What came of a whole matrix of advice or losses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noregret import markup
from noregret.certificate import Theorem
from noregret.experts.account import Account
from noregret.rounds import Floats


@dataclass(frozen=True)
class ExpertRun:
    """A run of a rule over experts.

    `losses` has a number for each round: the loss of what was said, or Σ p·ℓ where only losses were given.
    `account` describes the rule since its own first round, which may lie before this run.
    """

    rule: str
    account: Account
    theorems: Sequence[Theorem]
    losses: Floats
    predictions: Floats | None = None
    weights: Floats | None = None  # rounds × experts, when asked for
    priced: Floats | None = None  # the losses that were learned from, where a theorem looks at every round

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.losses)

    @property
    def loss(self) -> float:
        """The sum of the losses."""
        return float(np.sum(self.losses))

    @property
    def regret(self) -> float:
        """Σ p·ℓ less that of the best expert, since the rule's own first round."""
        return self.account.regret

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        rows = [
            ("rounds", f"{self.rounds:,}"),
            ("loss", f"{self.loss:,.6g}"),
            ("regret", f"{self.regret:,.6g}"),
        ]
        return markup.table(self.rule, rows)

    def __repr__(self) -> str:
        """Say what happened in a line."""
        return f"<ExpertRun {self.rule}: loss {self.loss:.6g} in {self.rounds:,} rounds>"
