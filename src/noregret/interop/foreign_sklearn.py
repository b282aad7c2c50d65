"""scikit-learn estimators as learners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from noregret.errors import BadInput, BadLabel, BadType, MissingExtra
from noregret.examples import entries
from noregret.interop import NEEDS_SKLEARN
from noregret.interop.foreign import Foreign
from noregret.rounds import Example, Feature, SparseExample


class FromSklearn(Foreign):
    """A scikit-learn classifier with partial_fit, for labels −1 and +1.

    `features` are the names behind its columns, for examples that are dicts; those of the first dict
    if none are given.
    """

    def __init__(self, model: Any, spec: str, features: Sequence[str] | None = None) -> None:
        """Take the estimator over."""
        super().__init__(model, spec)
        self.features = None if features is None else list(features)
        self.begun = _is_fitted(model)

    def predict(self, x: Example) -> float:
        """Say what the label of x will be; +1 (for a real target, 0) before anything was learned."""
        if not self.begun:
            return self._unlearned()
        return float(self.model.predict(self._row(x))[0])

    def score(self, x: Example) -> float:
        """The decision function, or twice the probability of +1 less 1, or the prediction."""
        if self.begun and hasattr(self.model, "decision_function"):
            return float(self.model.decision_function(self._row(x))[0])
        if self.begun and hasattr(self.model, "predict_proba"):
            return float(2.0 * self.model.predict_proba(self._row(x))[0, 1] - 1.0)
        return self.predict(x)

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the label of x is y."""
        return self._learn(x, y, weight, classes=np.array([-1.0, 1.0]))

    def rehearse(self, x: Example, y: float, weight: float) -> None:
        """Refuse what learn would refuse, and change nothing."""
        self._label(y)
        self._weighed(self.model.partial_fit, "sample_weight", weight)
        columns, known = self._row(x).shape[1], getattr(self.model, "n_features_in_", None)
        if known is not None and columns != known:
            raise BadInput(f"the row has {columns} columns; {self.spec} has learned from {known}")

    def _unlearned(self) -> float:
        return 1.0

    def _learn(self, x: Example, y: float | None, weight: float, **classes: Any) -> bool:
        if y is None:
            return False
        self.rehearse(x, y, weight)
        weighed = self._weighed(self.model.partial_fit, "sample_weight", weight)
        told = {key: np.array([value]) for key, value in weighed.items()}
        self.model.partial_fit(self._row(x), np.array([self._label(y)]), **classes, **told)
        self.begun = True
        return True

    def _row(self, x: Example) -> Any:
        """Lay one example out as scikit-learn wants it: as a matrix of one row."""
        if isinstance(x, np.ndarray):
            return x.reshape(1, -1)
        if not isinstance(x, SparseExample):
            return self._aligned(dict(entries(x))) if isinstance(x, dict) else x.tocsr()
        if x.width < 0:
            raise BadInput(f"{self.spec} has to know the number of columns, and this text does not tell it")
        from scipy.sparse import csr_array

        columns, ends = x.indices.astype(np.int32), np.array([0, len(x.data)], dtype=np.int32)
        return csr_array((x.data, columns, ends), shape=x.shape)

    def _aligned(self, x: dict[Feature, float]) -> Any:
        if self.features is None:
            self.features = [str(name) for name in x]
        unknown = [name for name in x if name not in self.features]
        if unknown:
            raise BadInput(f"{self.spec} has no column for {unknown[0]!r}; name all of them as `features`")
        return np.array([[x.get(name, 0.0) for name in self.features]])


class FromSklearnRegressor(FromSklearn):
    """A scikit-learn regressor with partial_fit."""

    task = "regression"
    loss_name = "square"

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the target of x is y."""
        return self._learn(x, y, weight)

    score = FromSklearn.predict

    def loss_of(self, score: float, y: float) -> float:
        """The square of the error."""
        return (score - y) ** 2

    def _unlearned(self) -> float:
        return 0.0


def from_sklearn(
    estimator: Any, features: Sequence[str] | None = None, name: str | None = None
) -> FromSklearn:
    """Make a learner of a scikit-learn classifier or regressor that has partial_fit.

    The name is for its spec, where there are several of a kind.

    >>> from sklearn.linear_model import SGDClassifier
    >>> from_sklearn(SGDClassifier())
    <sklearn-SGDClassifier>
    """
    try:
        from sklearn.base import is_classifier, is_regressor
    except ImportError:
        raise MissingExtra(NEEDS_SKLEARN) from None
    kind = type(estimator).__name__
    spec = f"sklearn-{kind if name is None else name}"
    if not hasattr(estimator, "partial_fit"):
        raise BadType(f"a {kind} has no partial_fit: it cannot learn round by round, as SGDClassifier does")
    if is_classifier(estimator):
        _require_signs(estimator)
        return FromSklearn(estimator, spec, features)
    if is_regressor(estimator):
        return FromSklearnRegressor(estimator, spec, features)
    raise BadType(f"a {kind} is neither a classifier nor a regressor of scikit-learn")


def _require_signs(classifier: Any) -> None:
    """Refuse a classifier that has learned other classes than −1 and +1."""
    known = np.asarray(getattr(classifier, "classes_", (-1, 1))).tolist()
    if known != [-1, 1]:
        raise BadLabel(
            f"this {type(classifier).__name__} has learned the classes {', '.join(map(repr, known))}; "
            "here the classes are -1 and 1"
        )


def _is_fitted(estimator: Any) -> bool:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True
