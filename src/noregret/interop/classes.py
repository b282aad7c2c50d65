"""Learners of the registry over any number of classes; rounds come with the number of their class.

Two classes are one binary learner. More than two are the multiclass form of the learner where the
registry has one with the same parameters, else one binary learner a class, which learns that class
against the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noregret.interop.members import Members, Names, in_turn, ledger_of
from noregret.interop.specs import multiclass_form, task_of
from noregret.natures.arrays import ArrayStream
from noregret.registry import learner as make_learner
from noregret.rounds import Example, Feature, Floats


class Pair(Members):
    """One binary learner; the second class is its +1."""

    def label(self, _member: int, told: Any) -> Any:
        """−1 for the first class, +1 for the second."""
        return 2.0 * told - 1.0

    @in_turn
    def predict(self, x: Example) -> int:
        """Say the number of the class of x."""
        return int(self.learners[0].predict(x) > 0)

    def targets(self, X: Any, names: Names) -> NDArray[Any]:
        """The number of the class of every row."""
        return (super().targets(X, names) > 0).astype(np.intp)

    def margins(self, X: Any, names: Names) -> Floats:
        """The score of the second class.

        A tie that the learner calls +1 becomes the smallest number above 0, because scikit-learn reads
        0 as the first class.
        """
        predictions, scores = (said[:, 0] for said in self._said(X, names))
        return np.where((scores == 0.0) & (predictions > 0), np.nextafter(0.0, 1.0), scores)

    @in_turn
    def margins_one(self, x: Example) -> Floats:
        """The same for one example."""
        return np.array([self.learners[0].score(x)])

    def chances(self, margins: Floats) -> Floats:
        """The probabilities of the two classes, a column for each."""
        return _shares(np.stack([-np.logaddexp(0.0, margins), -np.logaddexp(0.0, -margins)], axis=1))


class AgainstRest(Members):
    """One binary learner a class; the class with the highest score is predicted."""

    def label(self, member: int, told: Any) -> Any:
        """+1 for the learner's own class, −1 for any other."""
        return 2.0 * (told == member) - 1.0

    @in_turn
    def join(self) -> None:
        """Let one more class in."""
        self.learners.append(make_learner(self.spec))
        self.ledgers.append(ledger_of(self.learners[-1]))

    @in_turn
    def part(self, classes: int) -> None:
        """Let the classes after the first so many go again."""
        del self.learners[classes:], self.ledgers[classes:]

    @in_turn
    def predict(self, x: Example) -> int:
        """Say the number of the class of x."""
        return int(np.argmax([learner.score(x) for learner in self.learners]))

    def targets(self, X: Any, names: Names) -> NDArray[Any]:
        """The number of the class of every row."""
        best: NDArray[np.intp] = np.argmax(self.margins(X, names), axis=1)
        return best

    @in_turn
    def margins_one(self, x: Example) -> Floats:
        """The score of every class, for one example."""
        return np.array([[learner.score(x) for learner in self.learners]])

    def chances(self, margins: Floats) -> Floats:
        """The probability of each class against the rest, made to add up to 1."""
        return _shares(-np.logaddexp(0.0, -margins))


class Together(Members):
    """One learner that knows all classes, by their numbers; of two, scikit-learn wants the difference."""

    def label(self, _member: int, told: Any) -> Any:
        """The number of the class itself."""
        return told

    def targets(self, X: Any, names: Names) -> NDArray[Any]:
        """The number of the class of every row."""
        return super().targets(X, names).astype(np.intp)

    @in_turn
    def margins(self, X: Any, names: Names) -> Floats:
        """The score of every class, or of the second over the first."""
        learner = self.learners[0]
        stream = ArrayStream(X, np.zeros(X.shape[0]), None, names)
        rows = [
            list(learner.score(batch.example(r)).values())
            for batch in stream.batches()
            for r in range(len(batch))
        ]
        return _difference(np.array(rows, dtype=np.float64))

    @in_turn
    def margins_one(self, x: Example) -> Floats:
        """The same for one example."""
        return _difference(np.array([list(self.learners[0].score(x).values())]))

    @in_turn
    def weights(self, columns: Sequence[Feature]) -> Floats:
        """The weights of these features, a row for each class, or for the second over the first."""
        found = self.learners[0].weights.values()
        rows = np.array([[row.get(c, 0.0) for c in columns] for row in found], dtype=np.float64)
        return np.atleast_2d(_difference(rows.T).T)

    def offsets(self, nothing: Example) -> Floats:
        """The scores of an example in which there is nothing."""
        return self.margins_one(nothing).ravel()

    def chances(self, margins: Floats) -> Floats:
        """The probability of each class: two of them have the odds of exp(difference of their scores)."""
        return _shares(np.outer(margins, [0.0, 1.0]) if margins.ndim == 1 else margins)


Arranged: TypeAlias = Pair | AgainstRest | Together


def arrange(spec: str, classes: int) -> Arranged:
    """Choose the learners for so many classes, of which more may come unless there are two."""
    together = multiclass_form(spec) or spec
    if classes == 2 and task_of(spec) == "binary":
        return Pair(spec, [make_learner(spec)])
    if task_of(together) == "binary":
        return AgainstRest(spec, [make_learner(spec) for _ in range(classes)])
    learner = make_learner(together)
    learner.announce(range(classes))
    return Together(spec, [learner])


def _difference(by_class: Floats) -> Floats:
    """Of two columns, the second less the first; more stay as they are."""
    return by_class[:, 1] - by_class[:, 0] if by_class.shape[1] == 2 else by_class


def _shares(logarithms: Floats) -> Floats:
    """Make each row add up to 1, however small its numbers are."""
    raised = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares
