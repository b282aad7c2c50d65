"""Learners of the registry over any number of classes, or over a real target.

Two classes are one binary learner. More than two are the multiclass form of the learner where the
registry has one, else one binary learner a class, which learns that class against the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadParameter, UnknownName
from noregret.game import play, play_batch
from noregret.ledger import Ledger
from noregret.model_file import from_bytes, to_bytes
from noregret.natures.arrays import ArrayStream
from noregret.natures.order import Passes
from noregret.registry import LEARNERS, learner_class
from noregret.registry import learner as make_learner
from noregret.rounds import Example, Floats, Stream


def name_of(spec: str) -> str:
    """The name in front of a spec."""
    return str(spec).partition(":")[0].strip()


def task_of(spec: str) -> str:
    """What a learner predicts: "binary", "multiclass" or "regression"."""
    return str(learner_class(name_of(spec)).task)


def require_task(spec: str, *tasks: str) -> None:
    """Refuse a spec that is not that of a learner for one of these tasks."""
    kind = learner_class(name_of(spec))
    name = kind.name
    if name not in LEARNERS:
        raise UnknownName(f"{name} does not learn from features; `noregret learners` lists those that do")
    if kind.task not in tasks:
        raise BadParameter(f"{name} is a learner for {kind.task}; this takes one for {' or '.join(tasks)}")


def takes_zero_one(spec: str) -> bool:
    """Whether a learner refuses values other than 0 and 1."""
    return bool(learner_class(name_of(spec)).zero_one)


def with_bias(spec: str) -> str:
    """Turn the bias on, where the learner has one and the spec says nothing about it."""
    kind = learner_class(name_of(spec))
    if "bias=" in spec.replace(" ", "") or all(parameter.name != "bias" for parameter in kind.accepts):
        return spec
    return f"{spec}{',' if ':' in spec else ':'}bias=true"


def changed(spec: str, given: dict[str, Any]) -> str:
    """Write the spec of the same learner with other parameters."""
    before = make_learner(spec)
    unknown = sorted(set(given) - set(before.parameters))
    if unknown:
        known = ", ".join(before.parameters) or "none"
        raise BadParameter(f"{before.name} has no parameter {unknown[0]}; its parameters are: {known}")
    return str(type(before)(**(before.parameters | given)).spec)


class Members:
    """One learner, or one for each class; rounds come with the number of their class."""

    def __init__(self, spec: str, classes: int) -> None:
        """Begin with learners that know nothing. `classes` is 0 for a real target."""
        against_rest = classes != 2 and task_of(spec) == "binary"
        learners = [make_learner(spec) for _ in range(classes if against_rest else 1)]
        self._set(spec, classes, against_rest, learners)

    def _set(self, spec: str, classes: int, against_rest: bool, learners: list[Any]) -> None:
        self.spec = spec
        self.classes = classes
        self.against_rest = against_rest
        self.task = task_of(spec)
        self.learners = learners
        self.ledgers = [_ledger(learner) for learner in learners]

    @classmethod
    def for_classes(cls, spec: str, classes: int) -> Self:
        """Choose the multiclass form, where there is one, unless there are two classes; 0: as they come."""
        name = name_of(spec)
        if classes != 2 and task_of(spec) == "binary" and f"multiclass-{name}" in LEARNERS:
            return cls(f"multiclass-{spec}", classes)
        return cls(spec, classes)

    @property
    def pair(self) -> bool:
        """Whether it is one learner that tells two classes apart, and can take no third."""
        return self.task == "binary" and not self.against_rest

    def join(self) -> None:
        """Let one more class in."""
        self.classes += 1
        if self.against_rest:
            self.learners.append(make_learner(self.spec))
            self.ledgers.append(_ledger(self.learners[-1]))

    def labels(self, member: int, told: NDArray[Any]) -> Floats:
        """What one of the learners is told of the classes, or of the real targets."""
        if self.task != "binary":
            return np.asarray(told, dtype=np.float64)
        return np.where(told == (member if self.against_rest else 1), 1.0, -1.0)

    def fit(
        self,
        X: Any,
        told: NDArray[Any],
        weights: Floats | None,
        names: Sequence[str] | None,
        passes: int,
        shuffle: int | None,
    ) -> None:
        """Play so many passes; the ledgers can be certified."""
        for k, learner in enumerate(self.learners):
            stream: Stream = ArrayStream(X, self.labels(k, told), weights, names)
            if passes > 1 or shuffle is not None:
                stream = Passes(stream, passes, shuffle)
            self.ledgers[k] = play(stream, learner)

    def add(
        self,
        X: Any,
        told: NDArray[Any],
        weights: Floats | None,
        names: Sequence[str] | None,
        since: Sequence[int] | None = None,
    ) -> None:
        """Play one batch more; a class that joined late plays its rows `since` it was there."""
        for k, learner in enumerate(self.learners):
            begin = since[k] if since is not None else 0
            some = None if weights is None else weights[begin:]
            stream = ArrayStream(X[begin:] if begin else X, self.labels(k, told[begin:]), some, names)
            for batch in stream.batches():
                play_batch(batch, learner, self.ledgers[k], None)

    def learn(self, x: Example, told: float, weight: float) -> None:
        """Learn one round."""
        real = self.task != "binary"
        for k, learner in enumerate(self.learners):
            mine = told == (k if self.against_rest else 1)
            learner.learn(x, float(told) if real else 1.0 if mine else -1.0, weight=weight)

    def predict(self, x: Example) -> float:
        """Say the number of the class of one example, or its real target."""
        if self.against_rest:
            return int(np.argmax([learner.score(x) for learner in self.learners]))
        said: float = self.learners[0].predict(x)
        return float(said > 0) if self.task == "binary" else said

    def scores_of(self, X: Any, names: Sequence[str] | None) -> tuple[Floats, Floats]:
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

    def chosen(self, predictions: Floats, scores: Floats) -> NDArray[np.intp]:
        """The class of each row: the learner's own word, or the highest of the scores."""
        if self.against_rest:
            best: NDArray[np.intp] = np.argmax(scores, axis=1)
            return best
        return (predictions[:, 0] > 0).astype(np.intp)

    def margins(self, predictions: Floats, scores: Floats) -> Floats:
        """The score of the second of two classes, or of every class.

        A tie that the learner calls +1 becomes the smallest number above 0, because scikit-learn reads
        0 as the first class.
        """
        if self.against_rest:
            return scores
        tie = (scores[:, 0] == 0.0) & (predictions[:, 0] > 0)
        return np.where(tie, np.nextafter(0.0, 1.0), scores[:, 0])

    def __getstate__(self) -> dict[str, Any]:
        """Hold the learners as the bytes of model files; what was played is left behind."""
        return {
            "spec": self.spec,
            "classes": self.classes,
            "against_rest": self.against_rest,
            "models": [to_bytes(learner) for learner in self.learners],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Read the bytes back, checked like any model file."""
        learners = [from_bytes(model)[0] for model in state["models"]]
        self._set(state["spec"], state["classes"], state["against_rest"], learners)


def _ledger(learner: Any) -> Ledger:
    """A ledger that counts but cannot be played again."""
    return Ledger(learner.spec, learner.theorems(), learner.loss_name, fresh=learner.is_fresh)
