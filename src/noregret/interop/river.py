"""The learners over features of the registry as River models.

>>> model = OnlineClassifier("perceptron:rate=0.5")
>>> model.learn_one({"free": 1, "money": 2}, "spam")
>>> model.learn_one({"lunch": 1}, "ham")
>>> model.predict_one({"money": 1})
'spam'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from noregret.errors import BadLabel, MissingExtra
from noregret.interop import NEEDS_RIVER
from noregret.interop.classes import AgainstRest, Arranged, Pair, arrange
from noregret.interop.foreign_river import from_river
from noregret.interop.frames import column_like, rows_of, table_like
from noregret.interop.members import real
from noregret.interop.river_rows import features_of, matrix_of, rounds_of, target_of
from noregret.interop.specs import gives_chances, require_task, takes_zero_one
from noregret.labelling import is_missing

try:
    from river import base
except ImportError:
    raise MissingExtra(NEEDS_RIVER) from None


class OnlineClassifier(base.MiniBatchClassifier):
    """A learner of the registry as a River classifier.

    Labels that are True and False are one binary learner. Any others are the multiclass form of the
    learner where there is one, else one learner a class against the rest; a class that was not met
    before joins. The order of the features in a dict changes nothing: they are taken by name.

    Parameters:
        learner: a spec such as ``"perceptron:rate=0.5"``.
        classes: the classes, where they are known; two of them are one binary learner, the second its +1.
        binarize: for a learner that takes 0 and 1 only: what lies above counts as 1 (None: it is refused).
    """

    def __init__(
        self,
        learner: str = "perceptron",
        classes: Sequence[Any] | None = None,
        binarize: float | None = 0.0,
    ) -> None:
        """Begin with a learner that knows nothing."""
        require_task(learner, "binary", "multiclass")
        self.learner = learner
        self.classes = classes
        self.binarize = binarize
        self._cut = binarize if takes_zero_one(learner) else None
        self._chances = gives_chances(learner)
        self._seen: list[Any] = []
        self._begun = 0  # how many classes were there from the start
        self._members: Arranged | None = None
        if classes is not None and len(classes) > 0:
            self._begin(list(classes))

    def learn_one(self, x: dict[Any, Any], y: Any, w: float = 1.0) -> None:
        """Learn one round, with importance w."""
        with self._undone_if_refused():
            self._open(y).learn(features_of(x, self._cut), self._number(y), w)

    def predict_one(self, x: dict[Any, Any], **_: Any) -> Any:
        """Say the class of x; None while no class is known."""
        number = None if self._members is None else self._members.predict(features_of(x, self._cut))
        return None if number is None else self._seen[number]

    def predict_proba_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, float]:
        """The probability of each class, for a learner with the logistic loss; none while none is known."""
        if not self._chances:
            raise self._no_chances()
        if self._members is None:
            return {}
        margins = self._members.margins_one(features_of(x, self._cut))
        return dict(zip(self._seen, self._members.chances(margins)[0].tolist(), strict=True))

    def learn_many(self, X: Any, y: Any, w: Any = None) -> None:
        """Learn the rows of a data frame, exactly as one by one."""
        labels, weights = rounds_of(X, y, w)
        if len(labels) == 0:
            return
        matrix, names = matrix_of(X, self._cut)
        if names is None:
            for r, x in enumerate(matrix):
                self.learn_one(x, labels[r], 1.0 if weights is None else float(weights[r]))
            return
        with self._undone_if_refused(labels):
            members = self._open(labels[0])
            before = len(members.learners)
            numbers = np.array([self._number(label) for label in labels])
            since = [int(np.argmax(numbers == k)) for k in range(before, len(members.learners))]
            members.add(matrix, numbers, weights, names, since)

    def predict_many(self, X: Any) -> Any:
        """Say the class of each row, as a series of the same kind as X."""
        if self._members is None:
            return column_like(X, [None] * len(X))
        matrix, names = matrix_of(X, self._cut)
        if names is None:
            return column_like(X, [self.predict_one(x) for x in matrix])
        return column_like(X, [self._seen[k] for k in self._members.targets(matrix, names).tolist()])

    def predict_proba_many(self, X: Any) -> Any:
        """The probability of each class for each row, as a frame of the same kind as X."""
        if not self._chances:
            raise self._no_chances()
        matrix, names = matrix_of(X, self._cut)
        if self._members is None or names is None:
            rows = [self.predict_proba_one(x) for x in rows_of(X)]
            return table_like(X, {label: [row[label] for row in rows] for label in self._seen})
        chances = self._members.chances(self._members.margins(matrix, names))
        return table_like(X, dict(zip(self._seen, chances.T, strict=True)))

    def _no_chances(self) -> NotImplementedError:
        """How a model of River says that it has no probabilities."""
        return NotImplementedError(
            f"{self.learner} has no probabilities; learners with the logistic loss have, such as "
            "ogd:loss=logistic and adagrad:loss=logistic"
        )

    @property
    def learners(self) -> list[Any]:
        """The learners themselves: one, or one for each class against the rest."""
        return [] if self._members is None else self._members.learners

    @property
    def _multiclass(self) -> bool:
        return self.classes is None or len(self.classes) != 2

    def _begin(self, classes: list[Any]) -> Arranged:
        self._seen, self._begun = classes, len(classes)
        self._members = arrange(self.learner, len(classes))
        return self._members

    def _open(self, label: Any) -> Arranged:
        """Find out from the first label how many classes there will be: two, or as they come."""
        if self._members is not None:
            return self._members
        return self._begin([False, True] if isinstance(label, bool | np.bool_) else [])

    @contextmanager
    def _undone_if_refused(self, labels: Sequence[Any] = ()) -> Iterator[None]:
        """Of rows that are refused, let the classes go that joined in none of the rows before."""
        members, known = self._members, len(self._seen)
        try:
            yield
        except BaseException as problem:
            learned = getattr(problem, "row", None) or 0
            if members is None and learned == 0:
                self._members, self._begun = None, 0
            kept = [self._seen.index(label) + 1 for label in labels[:learned]]
            keep = max([known, self._begun, *kept])
            del self._seen[keep:]
            if isinstance(self._members, AgainstRest):
                self._members.part(keep)
            raise

    def _number(self, label: Any) -> int:
        """The number of a class; a new one joins."""
        if is_missing(label):
            raise BadLabel(f"the label is {label!r}, which is no class; leave rows without a label out")
        if label in self._seen:
            return self._seen.index(label)
        if isinstance(self._members, Pair):
            raise BadLabel(
                f"the label is {label!r}; this model tells {self._seen[0]!r} from {self._seen[1]!r} "
                "(for more classes, name them all or none, and use other labels than True and False)"
            )
        self._seen.append(label.item() if isinstance(label, np.generic) else label)
        if isinstance(self._members, AgainstRest):
            self._members.join()
        return len(self._seen) - 1


class OnlineRegressor(base.MiniBatchRegressor):
    """A learner of the registry for real targets as a River regressor.

    A target that is missing or not finite is refused, as a missing class is: leave such rows out.

    Parameters:
        learner: a spec such as ``"pa-regression"``.
    """

    def __init__(self, learner: str = "pa-regression") -> None:
        """Begin with a learner that knows nothing."""
        require_task(learner, "regression")
        self.learner = learner
        self._members = real(learner)

    def learn_one(self, x: dict[Any, Any], y: Any, w: float = 1.0) -> None:
        """Learn one round, with importance w."""
        self._members.learn(features_of(x, None), target_of(y), w)

    def predict_one(self, x: dict[Any, Any], **_: Any) -> float:
        """Say the target of x."""
        target: float = self._members.predict(features_of(x, None))
        return target

    def learn_many(self, X: Any, y: Any, w: Any = None) -> None:
        """Learn the rows of a data frame, exactly as one by one."""
        told, weights = rounds_of(X, y, w)
        targets = [target_of(one) for one in told]
        matrix, names = matrix_of(X, None)
        if names is not None:
            self._members.add(matrix, np.array(targets), weights, names)
            return
        for r, (x, target) in enumerate(zip(matrix, targets, strict=True)):
            self.learn_one(x, target, 1.0 if weights is None else float(weights[r]))

    def predict_many(self, X: Any) -> Any:
        """Say the target of each row, as a series of the same kind as X."""
        matrix, names = matrix_of(X, None)
        if names is None:
            return column_like(X, [self.predict_one(x) for x in matrix])
        return column_like(X, self._members.targets(matrix, names))

    @property
    def learners(self) -> list[Any]:
        """The learner itself."""
        return self._members.learners


__all__ = ["OnlineClassifier", "OnlineRegressor", "from_river"]
