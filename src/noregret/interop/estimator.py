"""What the two scikit-learn estimators share: parameters, rounds, weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadParameter, MissingExtra
from noregret.interop import NEEDS_SKLEARN
from noregret.interop.frames import column_like
from noregret.interop.members import Members
from noregret.interop.specs import changed, gives_chances, is_scaled, require_task, same, takes_zero_one
from noregret.ledger import Ledger
from noregret.parameters import count, name_of
from noregret.registry import LEARNERS, completed
from noregret.registry import learner as make_learner
from noregret.rounds import Floats

try:
    from sklearn.base import BaseEstimator
    from sklearn.preprocessing import binarize
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError:
    raise MissingExtra(NEEDS_SKLEARN) from None

NUMBERS = {"accept_sparse": "csr", "dtype": [np.float64, np.float32]}


class OnlineEstimator(BaseEstimator):
    """An estimator around learners of the registry."""

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
        """Keep the parameters; they are checked when they are used."""
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
        self._require_product("coef_")
        if is_scaled(self.learners_[0].parameters):
            raise AttributeError("coef_: this learner scales the values; learners_ has its own weights")
        if getattr(self.learners_[0], "keeps_examples", False):
            raise AttributeError("coef_: this learner keeps examples; no weights by feature make its score")
        if not hasattr(self.learners_[0], "initial_weight"):
            raise AttributeError("coef_: a panel has members, not weights by feature; learners_ has it")
        names = self._names()
        return self._members.weights(range(self.n_features_in_) if names is None else names)

    @property
    def intercept_(self) -> Floats:
        """What is added to ⟨coef_, x⟩: the weight of the bias, or minus the threshold."""
        self._require_product("intercept_")
        nothing: Any = np.zeros(self.n_features_in_) if self._names() is None else {}
        return self._members.offsets(nothing)

    def _require_product(self, wanted: str) -> None:
        """Refuse where a prediction is not ⟨coef_, x⟩ + intercept_, whatever these are."""
        if getattr(self.learners_[0], "divides", False):
            raise AttributeError(
                f"{wanted}: this learner divides ⟨w, x⟩ by a number that depends on x, so no fixed weights "
                "make its predictions; learners_ has its own weights"
            )

    def _play(self, X: Any, told: NDArray[Any], sample_weight: Any, whole: bool) -> None:
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        X = self._prepared(X)
        if whole:
            self._members.fit(X, told, weights, self._names(), int(self.passes), self.shuffle)
        else:
            self._members.add(X, told, weights, self._names())

    def _rows(self, X: Any) -> tuple[Any, Sequence[str] | None]:
        """Check rows to be predicted."""
        check_is_fitted(self)
        return self._prepared(validate_data(self, X, reset=False, **NUMBERS)), self._names()

    def _prepared(self, X: Any) -> Any:
        """Turn values into 0 and 1 for a learner that takes nothing else."""
        if self.binarize is None or not takes_zero_one(self._playing):
            return X
        return binarize(X, threshold=self.binarize)

    def _names(self) -> Sequence[str] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else names.tolist()

    def _spec(self, *tasks: str) -> str:
        """Check the parameters, as scikit-learn wants it: when they are used."""
        require_task(self.learner, *tasks)
        count("passes", self.passes, 1)
        if self.shuffle is not None:
            count("shuffle", self.shuffle)
        if self.output not in ("same", "array"):
            raise BadParameter(f"output is {self.output!r}; it must be 'same' or 'array'")
        return completed(self.learner, bias=True) if self.fit_intercept else self.learner

    @property
    def _playing(self) -> str:
        """The spec of the fitted learners, whatever was set since; before a fit, the one that was set."""
        return self._members.spec if self.__sklearn_is_fitted__() else self.learner

    def _gives_chances(self) -> bool:
        return gives_chances(self._playing)

    def _begins(self, spec: str) -> bool:
        """Whether nothing was fitted; refuse to go on with learners that are not those of the spec."""
        if not self.__sklearn_is_fitted__():
            return True
        if not same(spec, self._members.spec):
            raise BadParameter(
                f"the learner was {self._members.spec} when it was fitted and is {spec} now; fit begins anew"
            )
        return False

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
