"""Hypotheses that several theorems share."""

from __future__ import annotations

from typing import Protocol

from noregret.certificate import Hypothesis
from noregret.ledger import Ledger


class Run(Protocol):
    """Anything that knows its ledger."""

    @property
    def ledger(self) -> Ledger:
        """What happened."""
        ...


def plain_run(replay: Run) -> list[Hypothesis]:
    """Ask for a run from the beginning, every round counting once."""
    return [
        Hypothesis(
            "the learner starts with nothing learned", replay.ledger.fresh, "it continued an earlier run"
        ),
        Hypothesis(
            "every round counts once", not replay.ledger.tally.weighted, "importance weights were given"
        ),
    ]


def prompt_run(replay: Run) -> list[Hypothesis]:
    """Ask for a plain run in which every label came before the next round."""
    lag = replay.ledger.lag
    return [
        *plain_run(replay),
        Hypothesis(
            "every label comes before the next round", lag == 0, f"labels came up to {lag} rounds late"
        ),
    ]
