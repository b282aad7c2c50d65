"""How a panel plays many rounds at a time: its members first, then the rule over what they said."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from noregret import _core
from noregret.errors import BadInput, BusyLearner
from noregret.experts.rule import ExpertRule
from noregret.panel.bands import Band
from noregret.panel.course import Course
from noregret.panel.requirements import too_heavy
from noregret.rounds import Floats


class Playing:
    """What the panel is made of, and its loops over a matrix."""

    _bands: list[Band]
    rule: ExpertRule
    vote_loss: float  # Σ importance over the rounds where the vote was wrong
    course: Course  # how the weights went, for pictures; not part of the model
    _lock: threading.Lock

    @property
    def play_matrix(self) -> Any:
        """Predict, then learn, row after row; there where every member can."""
        if not all(band.native for band in self._bands):
            raise AttributeError("play_matrix")
        return self._play_matrix

    def _play_matrix(
        self,
        matrix: _core.Matrix,
        labels: Floats,
        weights: Floats | None,
        tally: _core.Tally,
        predictions: Floats | None,
        scores: Floats | None,
    ) -> None:
        with self._alone():
            said, refusal = self._play_members(matrix, np.ascontiguousarray(labels), weights)
            count = said.shape[1]
            told, importance = labels[:count], None if weights is None else weights[:count]
            score = self._play_rule(said, told, importance)
            vote = np.where(score >= 0.0, 1.0, -1.0)
            losses = (1.0 - told * score) / 2.0
            tally.add_rounds(self.ranked(score), vote, np.ascontiguousarray(told), losses, importance)
            if predictions is not None:
                predictions[:count] = vote
            if scores is not None:
                scores[:count] = score
        if refusal is not None:
            raise refusal

    @staticmethod
    def ranked(score: Any) -> Any:
        """The odds for or against that a score stands for: in the same order.

        Most scores lie close to −1 and +1, where a tally, which tells apart what differs by about one per
        cent, sees one.
        """
        size = np.abs(score)
        with np.errstate(divide="ignore"):  # all agree
            return np.copysign((1.0 + size) / np.maximum(1.0 - size, 0.0), score)

    @staticmethod
    def unranked(odds: float) -> float:
        """The score that odds stand for."""
        size = abs(odds)
        return math.copysign(1.0 if math.isinf(size) else max((size - 1.0) / (size + 1.0), 0.0), odds)

    def _play_rule(self, said: Floats, labels: Floats, weights: Floats | None) -> Floats:
        """Teach the rule; give the score of every round, by the weights before it."""
        heard = ~np.isnan(labels)
        importance = np.ones(len(labels)) if weights is None else weights
        wrong = (said != labels)[:, heard] * importance[heard]
        history = np.empty(wrong.size)
        self.rule.core_play_losses(np.ascontiguousarray(wrong.T), np.empty(wrong.shape[1]), history)
        ladder = np.vstack([history.reshape(-1, len(said)), self.rule.weights])
        self.course.add(ladder[:-1])
        rung = np.cumsum(heard) - heard  # how many labels were told before the round
        score = np.zeros(len(labels))
        for k, one in enumerate(said):
            score += ladder[rung, k] * one
        missed = importance[heard] * (np.where(score >= 0.0, 1.0, -1.0) != labels)[heard]
        self.vote_loss = float(np.cumsum(np.append(self.vote_loss, missed))[-1])
        return score

    def _play_members(
        self, matrix: _core.Matrix, labels: Floats, weights: Floats | None
    ) -> tuple[Floats, BadInput | None]:
        """Let every member play the rows up to the first that one of them refuses."""
        refusal = too_heavy(labels, weights)
        if refusal is not None:
            matrix.shorten(refusal.row or 0)
        before = [band.clone() for band in self._bands] if len(self._bands) > 1 else self._bands
        while True:
            said = np.empty((self.rule.n, len(matrix)))
            try:
                bad = self._try_members(matrix, labels, weights, said)
            except BaseException:  # no row is to blame, so that nobody learns any
                self._bands = before
                raise
            if bad is None:
                return said, refusal
            if len(self._bands) > 1:
                self._bands = [band.clone() for band in before]
            if bad.row is None:
                raise bad
            if len(self._bands) == 1:
                return said[:, : bad.row], bad
            matrix.shorten(bad.row)
            refusal = bad

    def _try_members(
        self, matrix: _core.Matrix, labels: Floats, weights: Floats | None, said: Floats
    ) -> BadInput | None:
        """Play; give the first refusal, by row."""
        count, at = len(matrix), 0
        importance = None if weights is None else np.ascontiguousarray(weights[:count])
        for band in self._bands:
            size = len(band.specs)
            try:
                band.play(matrix, labels[:count], importance, said[at : at + size])
            except BadInput as bad:
                return bad  # others may refuse an earlier row: they are asked again, up to this one
            at += size
        return None

    def score_matrix(self, matrix: _core.Matrix, predictions: Floats | None, scores: Floats | None) -> None:
        """Predict every row and learn nothing."""
        with self._alone():
            said = np.empty((self.rule.n, len(matrix)))
            at = 0
            for band in self._bands:
                size = len(band.specs)
                band.predict_rows(matrix, said[at : at + size])
                at += size
            score = np.zeros(len(matrix))
            for weight, one in zip(self.rule.weights.tolist(), said, strict=True):
                score += weight * one
        if predictions is not None:
            predictions[:] = np.where(score >= 0.0, 1.0, -1.0)
        if scores is not None:
            scores[:] = score

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise BusyLearner("another thread is using this panel; give each thread its own clone")
        try:
            yield
        finally:
            self._lock.release()
