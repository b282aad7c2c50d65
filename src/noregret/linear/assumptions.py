"""Hypotheses that several theorems share."""

from __future__ import annotations

from noregret.certificate import Hypothesis
from noregret.ledger import Replay


def plain_run(replay: Replay) -> list[Hypothesis]:
    """Ask for a run from the beginning, every round counting once."""
    return [
        Hypothesis(
            "the learner starts with nothing learned", replay.ledger.fresh, "it continued an earlier run"
        ),
        Hypothesis(
            "every round counts once", not replay.ledger.tally.weighted, "importance weights were given"
        ),
    ]
