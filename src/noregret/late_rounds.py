"""Rounds whose labels come late: what was said is kept, and learned from when the label arrives.

A learner that can (`learn_late`) learns from the score it gave then, as the theorems about late
labels ask; any other learns as if the round were now. Labels arrive in the order of their rounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from noregret.ledger import Ledger
from noregret.rounds import Batch, Example


class Waiting(NamedTuple):
    """A round that was predicted and whose label has not come."""

    x: Example
    y: float | None
    weight: float
    prediction: float
    score: float
    behind: int  # mistakes made before it that were still waiting when it was predicted

    @property
    def mistaken(self) -> bool:
        """Whether it will turn out to be a mistake."""
        return self.y is not None and self.prediction != self.y


def predict_late(x: Example, y: float | None, weight: float, learner: Any, ledger: Ledger) -> Waiting:
    """Predict now; the label waits in the ledger."""
    prediction = learner.predict(x)
    score = learner.score(x) if hasattr(learner, "score") else prediction
    behind = sum(round.mistaken for round in ledger.waiting)
    made = Waiting(x, y, weight, prediction, score, behind)
    ledger.waiting.append(made)
    return made


def arrive(learner: Any, ledger: Ledger, lag: int) -> None:
    """Learn from the labels that have come: of all rounds but the last `lag`."""
    while len(ledger.waiting) > lag:
        _learn(ledger.waiting.popleft(), learner, ledger)


def _learn(now: Waiting, learner: Any, ledger: Ledger) -> None:
    if now.y is None:
        ledger.tally.skip(getattr(learner, "potential", 0.0))
        return
    if hasattr(learner, "learn_late"):
        updated = learner.learn_late(now.x, now.y, now.score, weight=now.weight)
    else:
        updated = learner.learn(now.x, now.y, weight=now.weight)
    known = hasattr(learner, "loss_of")
    loss = learner.loss_of(now.score, now.y) if known else float(now.prediction != now.y)
    potential = getattr(learner, "potential", 0.0)
    ledger.tally.add(now.score, now.prediction, now.y, loss, bool(updated), now.weight, potential)
    ledger.overtaken += now.behind if now.mistaken else 0


def play_late(batch: Batch, learner: Any, ledger: Ledger, said: Any) -> None:
    """Play a batch whose labels come late."""
    from noregret.errors import BadInput

    ledger.lag = max(ledger.lag, batch.lag)
    for r, now in enumerate(batch.rounds()):
        try:
            made = predict_late(now.x, now.y, now.weight, learner, ledger)
        except BadInput as bad:
            bad.row = r
            raise
        if said is not None:
            said.predictions[r], said.scores[r] = made.prediction, made.score
        arrive(learner, ledger, batch.lag)
