"""Every learner of the registry as a scikit-learn estimator.

>>> import numpy as np
>>> X, y = np.array([[1.0, 0.0], [0.0, 1.0]]), ["ham", "spam"]
>>> OnlineClassifier("perceptron:rate=0.5").fit(X, y).predict(X).tolist()
['ham', 'spam']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noregret.certificate import Certificate
from noregret.certification import certify
from noregret.errors import BadInput, BadLabel, BadParameter, MissingExtra
from noregret.interop.foreign import from_sklearn
from noregret.interop.frames import column_like
from noregret.interop.members import AgainstRest, Members, Pair, Together, arrange, real
from noregret.interop.specs import changed, gives_chances, name_of, require_task, takes_zero_one, with_bias
from noregret.ledger import Ledger
from noregret.registry import LEARNERS
from noregret.registry import learner as make_learner
from noregret.rounds import Floats

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.preprocessing import binarize
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import check_classification_targets, unique_labels
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError:
    raise MissingExtra("this needs scikit-learn 1.6 or newer: pip install 'noregret[sklearn]'") from None

# Weights that are never negative, or none at all: no such rule can follow most data.
POOR_SCORES = ("winnow", "normalized-winnow", "majority", "last-label")
NUMBERS = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}


class _Online(BaseEstimator):
    """What the two estimators share: parameters, rounds, weights, certificates."""

    _members: Members

    def __init__(
        self,
        learner: str,
        passes: int,
        shuffle: int | None,
        fit_intercept: bool,
        binarize: float | None,
        output: str,
    ) -> None:
        self.learner = learner
        self.passes = passes
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.binarize = binarize
        self.output = output

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """List the parameters; with `deep` those of the learner as well, as ``learner__rate``."""
        params: dict[str, Any] = super().get_params(deep=False)
        if deep and name_of(self.learner) in LEARNERS:
            own = make_learner(self.learner).parameters
            params |= {f"learner__{name}": value for name, value in own.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``learner__rate=0.5`` rewrites the spec."""
        inner = {key: params.pop(key) for key in list(params) if key.startswith("learner__")}
        super().set_params(**params)
        if inner:
            self.learner = changed(self.learner, {k.removeprefix("learner__"): v for k, v in inner.items()})
        return self

    @property
    def learners_(self) -> list[Any]:
        """The fitted learners: one, or one for each class against the rest."""
        check_is_fitted(self)
        return self._members.learners

    @property
    def ledgers_(self) -> list[Ledger]:
        """What happened to each of them: in the last fit, or in all calls of partial_fit."""
        check_is_fitted(self)
        return self._members.ledgers

    @property
    def coef_(self) -> Floats:
        """The weights, a row for each score."""
        check_is_fitted(self)
        names = self._names()
        return self._members.weights(range(self.n_features_in_) if names is None else names)

    @property
    def intercept_(self) -> Floats:
        """What is added to ⟨coef_, x⟩: the weight of the bias, or minus the threshold."""
        check_is_fitted(self)
        nothing: Any = np.zeros(self.n_features_in_) if self._names() is None else {}
        return self._members.offsets(nothing)

    def _play(self, X: Any, told: NDArray[Any], sample_weight: Any, whole: bool) -> None:
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        X = self._prepared(X)
        if whole:
            self._members.fit(X, told, weights, self._names(), self.passes, self.shuffle)
        else:
            self._members.add(X, told, weights, self._names())

    def _rows(self, X: Any) -> tuple[Any, Sequence[str] | None]:
        """Check rows to be predicted."""
        check_is_fitted(self)
        return self._prepared(validate_data(self, X, reset=False, **NUMBERS)), self._names()

    def _prepared(self, X: Any) -> Any:
        """Turn values into 0 and 1 for a learner that takes nothing else."""
        if self.binarize is None or not takes_zero_one(self.learner):
            return X
        return binarize(X, threshold=self.binarize)

    def _names(self) -> Sequence[str] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else names.tolist()

    def _spec(self, *tasks: str) -> str:
        """Check the parameters, as scikit-learn wants it: when they are used."""
        require_task(self.learner, *tasks)
        if not isinstance(self.passes, int) or self.passes < 1:
            raise BadParameter(f"passes is {self.passes!r}; it must be a whole number, 1 or more")
        if self.output not in ("same", "array"):
            raise BadParameter(f"output is {self.output!r}; it must be 'same' or 'array'")
        return with_bias(self.learner) if self.fit_intercept else self.learner

    def _out(self, X: Any, values: NDArray[Any]) -> Any:
        return column_like(X, values) if self.output == "same" else values

    def __sklearn_is_fitted__(self) -> bool:
        """Whether there is something to predict with."""
        return hasattr(self, "_members")

    def __sklearn_tags__(self) -> Any:
        """Say what it takes."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class OnlineClassifier(ClassifierMixin, _Online):
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

    _members: Pair | AgainstRest | Together

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
        first = not self.__sklearn_is_fitted__()
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

    @available_if(lambda self: gives_chances(self.learner))
    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, for a learner with the logistic loss."""
        margins = self.decision_function(X)
        return self._members.chances(margins)

    def certify(self) -> Any:
        """Hold the last fit against the theorems of its learner; by class where there are several."""
        told = [certify(ledger) for ledger in self.ledgers_]
        return dict(zip(self.classes_.tolist(), told, strict=True)) if len(told) > 1 else told[0]

    def __sklearn_tags__(self) -> Any:
        """Say what it takes, and what cannot be expected."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = name_of(self.learner) in POOR_SCORES
        return tags


class OnlineRegressor(RegressorMixin, _Online):
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
        first = not self.__sklearn_is_fitted__()
        X, y = validate_data(self, X, y, reset=first, y_numeric=True, **NUMBERS)
        if first:
            self._members = real(spec)
        self._play(X, y, sample_weight, whole=False)
        return self

    def predict(self, X: Any) -> Any:
        """Say the target of each row."""
        rows = self._rows(X)
        return self._out(X, self._members.targets(*rows))

    @property
    def coef_(self) -> Floats:
        """The weights."""
        weights: Floats = super().coef_[0]
        return weights

    def certify(self) -> list[Certificate]:
        """Hold the last fit against the theorems of its learner."""
        return certify(self.ledgers_[0])


__all__ = ["OnlineClassifier", "OnlineRegressor", "from_sklearn"]
