"""Rounds whose labels come late: what was said is kept, and learned from when the label arrives.

A learner that can (`learn_late`) learns from the score it gave then, as the theorem about late labels
asks: one update for every mistake. Any other learns as if the round were now. Labels arrive in the order
of their rounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from noregret.errors import BadInput
from noregret.game.loops import has_loop
from noregret.game.tallying import count, top
from noregret.ledger import Ledger
from noregret.rounds import Batch, Round


class Waiting(NamedTuple):
    """A round that was predicted and whose label has not come."""

    told: Round
    prediction: Any
    score: Any
    behind: int  # mistakes made before it that were still waiting when it was predicted
    batch: Batch
    row: int  # in the batch
    said: Any  # where predictions of the batch are written, if anywhere

    @property
    def mistaken(self) -> bool:
        """Whether it will turn out to be a mistake."""
        return self.told.y is not None and self.prediction != self.told.y


def arrive(learner: Any, ledger: Ledger, lag: int) -> None:
    """Learn from the labels that have come: of all rounds but the last `lag`.

    A round that is refused now is as if it had not been played, if bad rows are passed over; else it
    stops the run, and the rounds after it are not learned.
    """
    while len(ledger.waiting) > lag:
        now = ledger.waiting.popleft()
        try:
            _learn(now, learner, ledger)
        except BadInput as bad:
            bad.where = now.batch.located(now.row)
            if not ledger.skipping:
                ledger.waiting.clear()
                raise
            ledger.pass_over(bad)
            if now.said is not None:
                now.said.pass_over(now.row)


def _learn(now: Waiting, learner: Any, ledger: Ledger) -> None:
    x, y, weight = now.told.x, now.told.y, now.told.weight
    if y is None:
        ledger.tally.skip(getattr(learner, "potential", 0.0))
        return
    if has_loop(learner, "learn_late"):
        updated = learner.learn_late(x, y, now.score, weight=weight)
    else:
        updated = learner.learn(x, y, weight=weight)
    count(ledger.tally, learner, now.prediction, now.score, y, bool(updated), weight)
    ledger.overtaken += now.behind if now.mistaken else 0


def play_late(batch: Batch, learner: Any, ledger: Ledger, said: Any) -> None:
    """Play a batch whose labels come late."""
    ledger.lag = max(ledger.lag, batch.lag)
    for r, now in enumerate(batch.rounds()):
        try:
            prediction = learner.predict(now.x)
            score = learner.score(now.x) if hasattr(learner, "score") else prediction
            behind = sum(round.mistaken for round in ledger.waiting)
            ledger.waiting.append(Waiting(now, prediction, score, behind, batch, r, said))
            if said is not None:
                said.write(r, batch.place(prediction), top(score))
            arrive(learner, ledger, batch.lag)
        except BadInput as bad:
            bad.row = r
            raise
