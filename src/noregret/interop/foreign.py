"""Models of other libraries as learners: to be played, and as experts of a panel."""

from __future__ import annotations

import copy
import inspect
import math
from typing import Any, Self

from noregret.errors import BadInput, BadLabel
from noregret.examples import entries, number_or_nan
from noregret.rounds import Example


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

    def _label(self, y: Any) -> float:
        """Give a label as a number; refuse one that a learner of this task is never told."""
        label = number_or_nan(y)
        if self.task == "binary" and label not in (-1.0, 1.0):
            raise BadLabel(f"the label is {y!r}; {self.spec} takes -1 and +1")
        if not math.isfinite(label):
            raise BadLabel(f"the label is {y!r}; {self.spec} takes finite numbers")
        return label

    def _weighed(self, method: Any, name: str, weight: float) -> dict[str, Any]:
        """How this method takes an importance weight; one that takes none cannot be given any."""
        if weight == 1.0:
            return {}
        if name not in inspect.signature(method).parameters:
            raise BadInput(f"{self.spec} takes no importance weights, and a round has {weight:g}")
        return {name: weight}


def by_feature(x: Example) -> dict[Any, Any]:
    """Give an example as a dict, repeated features added up; a dict is passed on as it is."""
    if isinstance(x, dict):
        return x
    features: dict[Any, float] = {}
    for feature, value in entries(x):
        features[feature] = features.get(feature, 0.0) + value
    return features
