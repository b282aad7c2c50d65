"""River models and scikit-learn estimators as learners: to be played, and as experts of a panel."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from noregret.errors import BadInput, BadType, MissingExtra
from noregret.rounds import Example, Feature, SparseExample, entries


class Foreign:
    """A model of another library that plays rounds with labels −1 and +1."""

    task = "binary"
    loss_name = "zero-one"

    def __init__(self, model: Any, spec: str) -> None:
        """Take the model over: what it learns here, it has learned."""
        self.model = model
        self.spec = spec

    def clone(self) -> Self:
        """Make a copy that shares nothing, with all that was learned."""
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        """The spec."""
        return f"<{self.spec}>"

    def _weighed(self, method: Any, name: str, weight: float) -> dict[str, Any]:
        """How this method takes an importance weight; one that takes none cannot be given any."""
        if weight == 1.0:
            return {}
        if name not in inspect.signature(method).parameters:
            raise BadInput(f"{self.spec} takes no importance weights, and a round has {weight:g}")
        return {name: weight}


class FromRiver(Foreign):
    """A River classifier whose labels are True for +1 and False for −1."""

    def predict(self, x: Example) -> float:
        """Say what the label of x will be; +1 while the model has no opinion."""
        return -1.0 if self.model.predict_one(_by_feature(x)) is False else 1.0

    def score(self, x: Example) -> float:
        """The probability of +1 less that of −1, or the prediction where the model gives none."""
        try:
            chances = self.model.predict_proba_one(_by_feature(x))
        except NotImplementedError:
            return self.predict(x)
        return float(chances.get(True, 0.0) - chances.get(False, 0.0))

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the label of x is y."""
        return self._learn(x, y if y is None else y > 0, weight)

    def _learn(self, x: Example, label: Any, weight: float) -> bool:
        if label is None:
            return False
        self.model.learn_one(_by_feature(x), label, **self._weighed(self.model.learn_one, "w", weight))
        return True


class FromRiverRegressor(FromRiver):
    """A River regressor."""

    task = "regression"
    loss_name = "square"

    def predict(self, x: Example) -> float:
        """Say the target of x."""
        return float(self.model.predict_one(_by_feature(x)))

    score = predict

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the target of x is y."""
        return self._learn(x, y, weight)

    def loss_of(self, score: float, y: float) -> float:
        """The square of the error."""
        return (score - y) ** 2


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

    def _unlearned(self) -> float:
        return 1.0

    def _learn(self, x: Example, y: float | None, weight: float, **classes: Any) -> bool:
        if y is None:
            return False
        weighed = self._weighed(self.model.partial_fit, "sample_weight", weight)
        told = {key: np.array([value]) for key, value in weighed.items()}
        self.model.partial_fit(self._row(x), np.array([y]), **classes, **told)
        self.begun = True
        return True

    def _row(self, x: Example) -> Any:
        """Lay one example out as scikit-learn wants it: as a matrix of one row."""
        if isinstance(x, np.ndarray):
            return x.reshape(1, -1)
        if not isinstance(x, SparseExample):
            return self._aligned(_by_feature(dict(entries(x)))) if isinstance(x, dict) else x.tocsr()
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


def from_river(model: Any) -> FromRiver:
    """Make a learner of a River classifier (its labels become True and False) or regressor.

    >>> from river import naive_bayes
    >>> from_river(naive_bayes.GaussianNB())
    <river-GaussianNB>
    """
    try:
        from river import base
    except ImportError:
        raise MissingExtra("from_river needs River: pip install 'noregret[river]'") from None
    spec = f"river-{'-'.join(map(str, model.steps)) if hasattr(model, 'steps') else type(model).__name__}"
    if isinstance(model, base.Classifier):
        return FromRiver(model, spec)
    if isinstance(model, base.Regressor):
        return FromRiverRegressor(model, spec)
    raise BadType(f"a {type(model).__name__} is neither a classifier nor a regressor of River")


def from_sklearn(estimator: Any, features: Sequence[str] | None = None) -> FromSklearn:
    """Make a learner of a scikit-learn classifier or regressor that has partial_fit.

    >>> from sklearn.linear_model import SGDClassifier
    >>> from_sklearn(SGDClassifier())
    <sklearn-SGDClassifier>
    """
    try:
        from sklearn.base import is_classifier, is_regressor
    except ImportError:
        raise MissingExtra("from_sklearn needs scikit-learn: pip install 'noregret[sklearn]'") from None
    name = type(estimator).__name__
    if not hasattr(estimator, "partial_fit"):
        raise BadType(f"a {name} has no partial_fit: it cannot learn round by round, as SGDClassifier does")
    if is_classifier(estimator):
        return FromSklearn(estimator, f"sklearn-{name}", features)
    if is_regressor(estimator):
        return FromSklearnRegressor(estimator, f"sklearn-{name}", features)
    raise BadType(f"a {name} is neither a classifier nor a regressor of scikit-learn")


def _by_feature(x: Example) -> dict[Any, Any]:
    """Give an example as a dict, repeated features added up; a dict is passed on as it is."""
    if isinstance(x, dict):
        return x
    features: dict[Any, float] = {}
    for feature, value in entries(x):
        features[feature] = features.get(feature, 0.0) + value
    return features


def _is_fitted(estimator: Any) -> bool:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True
