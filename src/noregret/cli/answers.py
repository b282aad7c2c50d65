"""Predictions as lines, one for every row of the data: `?` where there is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from noregret.data.labels import Labels
from noregret.data.stream import DataStream
from noregret.rounds import Floats


class Answers:
    """Writes a line a row; a row that was skipped has one too, so that lines and rows stay side by side."""

    def __init__(
        self, write: Callable[[str], object], stream: DataStream, labels: Labels, scores: bool
    ) -> None:
        """Write about the rows of a stream, with their scores or without."""
        stream.find_gaps = True
        self.write, self.stream, self.labels, self.scores = write, stream, labels, scores
        self.rows = self.skipped = 0  # that were written about
        self.refused = 0  # by the learner: they are among the good rows of the stream

    def add(self, predictions: Floats, scores: Floats) -> None:
        """Write about the next good rows, and the bad ones before and between them."""
        pairs = zip(predictions.tolist(), scores.tolist(), strict=True)
        told = [self._line(prediction, score) for prediction, score in pairs]
        lines: list[str] = []
        begin = 0
        for gap in self.stream.gaps[self.skipped :]:
            if gap >= self.rows + len(told):
                break
            lines += [*told[begin : gap - self.rows], self._line(math.nan, math.nan)]
            begin = gap - self.rows
            self.skipped += 1
        self.rows += len(told)
        self.refused += int(np.isnan(predictions).sum())
        self._lines([*lines, *told[begin:]])

    def close(self) -> None:
        """Write about the bad rows at the end."""
        self._lines([self._line(math.nan, math.nan)] * (self.stream.skipped - self.skipped - self.refused))

    def _line(self, prediction: float, score: float) -> str:
        told = self.labels.write(prediction) if math.isfinite(prediction) else "?"
        return f"{told} {score!r}" if self.scores else told

    def _lines(self, lines: Sequence[str]) -> None:
        self.write("".join(f"{line}\n" for line in lines))
