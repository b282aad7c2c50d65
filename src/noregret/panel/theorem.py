"""What is known of a panel's vote: it errs at most twice as often as the panel does in expectation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from noregret.certificate import Certificate, Hypothesis, Theorem, Verdict, conclude
from noregret.experts.account import Account


class HalfTheWeight:
    """A vote is wrong only where half of the weight is, so M ≤ 2·Σp·ℓ ≤ 2(L* + regret)."""

    name = "Half the weight"
    statement = "a vote errs only where Σp·ℓ ≥ ½, so M ≤ 2·(L* + R) where R bounds the regret of its rule"
    source = "as in Littlestone & Warmuth 1994, The weighted majority algorithm; R by the rule's own theorem"
    about = "mistakes"
    comparator = None

    def __init__(self, theorems: Sequence[Theorem]) -> None:
        """Lean on the theorems of the panel's rule."""
        self.theorems = [theorem for theorem in theorems if theorem.about == "regret"]

    def certify(self, replay: Account, witness: Any = None) -> Certificate:
        """Hold it against a run."""
        found = [theorem.certify(replay, None) for theorem in self.theorems]
        told = [c for c in found if c.verdict is not Verdict.SILENT and c.bound is not None]
        vote = replay.scalars["vote"]
        if not told:
            unmet = [h for c in found for h in c.hypotheses] or [
                Hypothesis("a theorem bounds the regret of the rule", False, f"{replay.rule} has none here")
            ]
            return conclude(self, vote, None, unmet)
        best = min(told, key=lambda c: c.bound or 0.0)
        bound = 2.0 * (replay.best_loss + (best.bound or 0.0))
        rounding = replay.tolerance(bound, sums=2.0)
        return replay.conclude(self, vote, bound, list(best.hypotheses), rounding, R=best.bound or 0.0)
