"""The learners behind an estimator, how they play and how they are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from threading import RLock
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadInput
from noregret.game.play import play, play_batch
from noregret.ledger import Ledger
from noregret.model_file import from_bytes, to_bytes
from noregret.natures.arrays import ArrayStream
from noregret.natures.order import Passes
from noregret.registry import learner as make_learner
from noregret.rounds import Example, Feature, Floats, Stream

Names = Sequence[str] | None
Given = ParamSpec("Given")
Result = TypeVar("Result")
Some = TypeVar("Some", bound="Members")


def in_turn(
    method: Callable[Concatenate[Some, Given], Result],
) -> Callable[Concatenate[Some, Given], Result]:
    """Let a thread wait until no other uses these learners, which would refuse two at once."""

    @wraps(method)
    def waiting(self: Some, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with self.turn:
            return method(self, *args, **kwargs)

    return waiting


class Members:
    """The learners behind an estimator; here, one for a real target."""

    def __init__(self, spec: str, learners: list[Any]) -> None:
        """Take learners over, all made from what this spec asked for."""
        self.turn = RLock()
        self.spec = spec
        self.learners = learners
        self.ledgers = [ledger_of(learner) for learner in learners]

    def label(self, _member: int, told: Any) -> Any:
        """What one of the learners is told, of one round or of many."""
        return told

    @in_turn
    def learn(self, x: Example, told: float, weight: float) -> None:
        """Learn one round."""
        for k, learner in enumerate(self.learners):
            learner.learn(x, self.label(k, told), weight=weight)

    @in_turn
    def predict(self, x: Example) -> Any:
        """Say the number of the class of x, or its real target."""
        return self.learners[0].predict(x)

    @in_turn
    def fit(
        self,
        X: Any,
        told: NDArray[Any],
        weights: Floats | None,
        names: Names,
        passes: int,
        shuffle: int | None,
    ) -> None:
        """Play so many passes; the ledgers can be certified."""
        for k, learner in enumerate(self.learners):
            stream: Stream = ArrayStream(X, self.label(k, told), weights, names)
            if passes > 1 or shuffle is not None:
                stream = Passes(stream, passes, shuffle)
            self.ledgers[k] = play(stream, learner)

    @in_turn
    def add(
        self, X: Any, told: NDArray[Any], weights: Floats | None, names: Names, since: Sequence[int] = ()
    ) -> None:
        """Play one batch more; the last learners may have joined in it, and play the rows `since` then.

        Of a batch with a row that one of them refuses, the learners after it play the rows before that one.
        """
        begins = [0] * (len(self.learners) - len(since)) + list(since)
        end, refusal = len(told), None
        for k, begin in enumerate(begins):
            if begin < end:
                span = slice(begin, end)
                some = None if weights is None else weights[span]
                stream = ArrayStream(X[span], self.label(k, told[span]), some, names)
                bad = self._add_to(k, stream)
                if bad is not None:
                    end, refusal = begin + (bad.row or 0), refusal or bad
        if refusal is not None:
            refusal.row = end
            raise refusal

    def _add_to(self, member: int, stream: ArrayStream) -> BadInput | None:
        """Let one of the learners play; give the refusal of a row, by its number in the stream."""
        self.ledgers[member].nature = None  # a batch is not kept, so the run cannot be played again
        begin = 0
        for batch in stream.batches():
            try:
                play_batch(batch, self.learners[member], self.ledgers[member], None)
            except BadInput as bad:
                if bad.row is None:
                    raise
                bad.row += begin
                return bad
            begin += len(batch)
        return None

    def targets(self, X: Any, names: Names) -> NDArray[Any]:
        """The number of the class of every row, or its real target."""
        return self._said(X, names)[0][:, 0]

    def margins(self, X: Any, names: Names) -> Floats:
        """The score of the second of two classes, or of every class, for every row."""
        return self._said(X, names)[1]

    @in_turn
    def weights(self, columns: Sequence[Feature]) -> Floats:
        """The weights of these features, a row for each score."""
        rows = [(learner.weights, learner.initial_weight) for learner in self.learners]
        return np.array(
            [[found.get(c, initial) for c in columns] for found, initial in rows], dtype=np.float64
        )

    @in_turn
    def offsets(self, nothing: Example) -> Floats:
        """The scores of an example in which there is nothing."""
        return np.array([learner.score(nothing) for learner in self.learners])

    @in_turn
    def _said(self, X: Any, names: Names) -> tuple[Floats, Floats]:
        """Predictions and scores of all rows, a column for each learner."""
        stream = ArrayStream(X, np.zeros(X.shape[0]), None, names)
        shape = (len(self.learners), len(stream))
        predictions, scores = np.empty(shape), np.empty(shape)
        begin = 0
        for batch in stream.batches():
            span = slice(begin, begin + len(batch))
            for k, learner in enumerate(self.learners):
                learner.score_matrix(batch.matrix(), predictions[k, span], scores[k, span])
            begin = span.stop
        return predictions.T, scores.T

    @in_turn
    def __getstate__(self) -> dict[str, Any]:
        """Hold the learners as the bytes of model files; what was played is left behind."""
        return {"spec": self.spec, "models": [to_bytes(learner) for learner in self.learners]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Read the bytes back, checked like any model file."""
        Members.__init__(self, state["spec"], [from_bytes(model)[0] for model in state["models"]])


def real(spec: str) -> Members:
    """Make the learner of a real target."""
    return Members(spec, [make_learner(spec)])


def ledger_of(learner: Any) -> Ledger:
    """A ledger that counts but cannot be played again."""
    return Ledger(learner.spec, learner.theorems(), learner.loss_name, fresh=learner.is_fresh)
