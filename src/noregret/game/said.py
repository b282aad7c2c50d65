"""What a learner said in the rounds of a batch."""

from __future__ import annotations

import math

from noregret import _core
from noregret.rounds import Floats


class Said:
    """What a learner said in each round of a batch; NaN where it was passed over. Scores only if wanted."""

    def __init__(self, rounds: int, scores: bool = True) -> None:
        """Make room for so many rounds."""
        self.predictions: Floats = _core.room(rounds)
        self.scores: Floats = _core.room(rounds if scores else 0)

    def write(self, row: int, prediction: float, score: float) -> None:
        """Take down what was said of a row."""
        self.predictions[row] = prediction
        if len(self.scores):
            self.scores[row] = score

    def pass_over(self, row: int) -> None:
        """Take down that nothing was said of this one."""
        self.write(row, math.nan, math.nan)

    def part(self, begin: int, end: int) -> Said:
        """Give the rounds from begin to end, sharing memory."""
        some = Said(0)
        some.predictions, some.scores = self.predictions[begin:end], self.scores[begin:end]
        return some
