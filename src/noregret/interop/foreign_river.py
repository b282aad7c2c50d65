"""River models as learners."""

from __future__ import annotations

from typing import Any

from noregret.errors import BadLabel, BadType, MissingExtra
from noregret.interop import NEEDS_RIVER
from noregret.interop.foreign import Foreign, by_feature
from noregret.rounds import Example


class FromRiver(Foreign):
    """A River classifier whose labels are True for +1 and False for −1."""

    def predict(self, x: Example) -> float:
        """Say what the label of x will be; +1 while the model has no opinion."""
        said = self.model.predict_one(by_feature(x))
        if said is not None and said not in (True, False):
            raise BadLabel(f"{self.spec} predicts {said!r}; it must have learned from True and False")
        return 1.0 if said is None or said else -1.0

    def score(self, x: Example) -> float:
        """The probability of +1 less that of −1, or the prediction where the model gives none."""
        try:
            chances = self.model.predict_proba_one(by_feature(x))
        except NotImplementedError:
            return self.predict(x)
        return float(chances.get(True, 0.0) - chances.get(False, 0.0))

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the label of x is y."""
        return self._learn(x, y if y is None else self._label(y) > 0, weight)

    def rehearse(self, _x: Example, y: float, weight: float) -> None:
        """Refuse what learn would refuse, and change nothing."""
        self._label(y)
        self._weighed(self.model.learn_one, "w", weight)

    def _learn(self, x: Example, label: Any, weight: float) -> bool:
        if label is None:
            return False
        self.model.learn_one(by_feature(x), label, **self._weighed(self.model.learn_one, "w", weight))
        return True


class FromRiverRegressor(FromRiver):
    """A River regressor."""

    task = "regression"
    loss_name = "square"

    def predict(self, x: Example) -> float:
        """Say the target of x."""
        return float(self.model.predict_one(by_feature(x)))

    score = predict

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the target of x is y."""
        return self._learn(x, y if y is None else self._label(y), weight)

    def loss_of(self, score: float, y: float) -> float:
        """The square of the error."""
        return (score - y) ** 2


def from_river(model: Any, name: str | None = None) -> FromRiver:
    """Make a learner of a River classifier (its labels become True and False) or regressor.

    The name is for its spec, where there are several of a kind.

    >>> from river import naive_bayes
    >>> from_river(naive_bayes.GaussianNB())
    <river-GaussianNB>
    """
    try:
        from river import base
    except ImportError:
        raise MissingExtra(NEEDS_RIVER) from None
    steps = "-".join(map(str, getattr(model, "steps", ()))) or type(model).__name__
    spec = f"river-{steps if name is None else name}"
    if isinstance(model, base.Classifier):
        return FromRiver(model, spec)
    if isinstance(model, base.Regressor):
        return FromRiverRegressor(model, spec)
    raise BadType(f"a {type(model).__name__} is neither a classifier nor a regressor of River")
