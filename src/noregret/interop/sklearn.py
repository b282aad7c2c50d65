"""The learners over features of the registry as scikit-learn estimators.

>>> import numpy as np
>>> X, y = np.array([[1.0, 0.0], [0.0, 1.0]]), ["ham", "spam"]
>>> OnlineClassifier("perceptron:rate=0.5").fit(X, y).predict(X).tolist()
['ham', 'spam']
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noregret.certificate import Certificate
from noregret.errors import BadInput, BadLabel, MissingExtra
from noregret.interop import NEEDS_SKLEARN
from noregret.interop.classes import Arranged, arrange
from noregret.interop.estimator import NUMBERS, OnlineEstimator
from noregret.interop.foreign_sklearn import from_sklearn
from noregret.interop.members import real
from noregret.judging.certify import certify
from noregret.parameters import name_of
from noregret.rounds import Floats

try:
    from sklearn.base import ClassifierMixin, RegressorMixin
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets, unique_labels
    from sklearn.utils.validation import validate_data
except ImportError:
    raise MissingExtra(NEEDS_SKLEARN) from None

# Weights that are never negative cannot follow most data, and a baseline does not look at it.
POSITIVE = ("winnow", "normalized-winnow")
BASELINES = ("majority", "last-label", "multiclass-majority", "multiclass-last-label", "mean", "last-value")


class OnlineClassifier(ClassifierMixin, OnlineEstimator):
    """A learner of the registry as a scikit-learn classifier.

    Two classes are one binary learner, the second of `classes_` its +1. More classes are the
    multiclass form of the learner where there is one, else one learner a class against the rest.
    `fit` plays the rows in their order, once, as the theorems count it; sample weights are
    importance weights.

    Parameters:
        learner: a spec such as ``"perceptron:rate=0.5"``; ``learner__rate`` in a grid changes it.
        passes: how often `fit` plays the rows.
        shuffle: a seed; `fit` then plays them in a new random order in each pass.
        fit_intercept: turn the bias on, for a learner that has one and whose spec does not mention it.
        binarize: for a learner that takes 0 and 1 only: what lies above counts as 1 (None: it is refused).
        output: "same" gives predictions for a pandas or polars frame as a series of that kind, "array" never.
    """

    _members: Arranged

    def __init__(
        self,
        learner: str = "perceptron",
        *,
        passes: int = 1,
        shuffle: int | None = None,
        fit_intercept: bool = True,
        binarize: float | None = 0.0,
        output: str = "same",
    ) -> None:
        """Keep the parameters; they are checked when they are used."""
        super().__init__(learner, passes, shuffle, fit_intercept, binarize, output)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from scratch."""
        spec = self._spec("binary", "multiclass")
        X, y = validate_data(self, X, y, **NUMBERS)
        check_classification_targets(y)
        self._announce(spec, unique_labels(y))
        self._play(X, np.searchsorted(self.classes_, y), sample_weight, whole=True)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn more; the first call needs all the classes there will be."""
        spec = self._spec("binary", "multiclass")
        first = self._begins(spec)
        X, y = validate_data(self, X, y, reset=first, **NUMBERS)
        check_classification_targets(y)
        if first and classes is None:
            raise BadInput("classes must be given in the first call of partial_fit: all there will be")
        if first:
            self._announce(spec, unique_labels(classes))
        elif classes is not None and not np.array_equal(self.classes_, unique_labels(classes)):
            raise BadInput("classes are not those of the first call of partial_fit")
        foreign = np.setdiff1d(y, self.classes_)
        if len(foreign):
            raise BadLabel(f"the label {foreign[0]} is none of the classes of the first call of partial_fit")
        self._play(X, np.searchsorted(self.classes_, y), sample_weight, whole=False)
        return self

    def _announce(self, spec: str, classes: NDArray[Any]) -> None:
        if len(classes) < 2:
            raise BadLabel(f"y has one class, {classes[0]}; a classifier needs at least two classes")
        self.classes_ = classes
        self._members = arrange(spec, len(classes))

    def predict(self, X: Any) -> Any:
        """Say the class of each row; in a tie, what the learner itself would say."""
        rows = self._rows(X)
        return self._out(X, self.classes_[self._members.targets(*rows)])

    def decision_function(self, X: Any) -> Floats:
        """The score of the second of two classes, or of each of more."""
        rows = self._rows(X)
        return self._members.margins(*rows)

    @available_if(OnlineEstimator._gives_chances)
    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, for a learner with the logistic loss."""
        margins = self.decision_function(X)
        return self._members.chances(margins)

    def certify(self) -> Any:
        """Hold the last fit against the theorems of its learner; by class where there are several.

        After partial_fit and in a pickle the theorems are silent: the rounds were not kept.
        """
        told = [certify(ledger) for ledger in self.ledgers_]
        return dict(zip(self.classes_.tolist(), told, strict=True)) if len(told) > 1 else told[0]

    def __sklearn_tags__(self) -> Any:
        """Say what it takes, and what cannot be expected."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = name_of(self.learner) in POSITIVE + BASELINES
        return tags


class OnlineRegressor(RegressorMixin, OnlineEstimator):
    """A learner of the registry for real targets as a scikit-learn regressor.

    Parameters are those of OnlineClassifier.
    """

    def __init__(
        self,
        learner: str = "pa-regression",
        *,
        passes: int = 1,
        shuffle: int | None = None,
        fit_intercept: bool = True,
        binarize: float | None = 0.0,
        output: str = "same",
    ) -> None:
        """Keep the parameters; they are checked when they are used."""
        super().__init__(learner, passes, shuffle, fit_intercept, binarize, output)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from scratch."""
        spec = self._spec("regression")
        X, y = validate_data(self, X, y, y_numeric=True, **NUMBERS)
        self._members = real(spec)
        self._play(X, y, sample_weight, whole=True)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn more."""
        spec = self._spec("regression")
        first = self._begins(spec)
        X, y = validate_data(self, X, y, reset=first, y_numeric=True, **NUMBERS)
        if first:
            self._members = real(spec)
        self._play(X, y, sample_weight, whole=False)
        return self

    def predict(self, X: Any) -> Any:
        """Say the target of each row."""
        rows = self._rows(X)
        return self._out(X, self._members.targets(*rows))

    def __sklearn_tags__(self) -> Any:
        """Say what it takes, and what cannot be expected."""
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = name_of(self.learner) in BASELINES
        return tags

    @property
    def coef_(self) -> Floats:
        """The weights."""
        weights: Floats = super().coef_[0]
        return weights

    def certify(self) -> list[Certificate]:
        """Hold the last fit against the theorems of its learner; silent after partial_fit and in a pickle."""
        return certify(self.ledgers_[0])


__all__ = ["OnlineClassifier", "OnlineRegressor", "from_sklearn"]
