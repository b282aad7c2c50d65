"""What every multiclass learner has in common."""

from __future__ import annotations

from typing import ClassVar

from noregret import _core, markup
from noregret.linear.learner import SCALES, Described, flat
from noregret.parameters import one_of


class MulticlassLearner(Described, _core.Multiclass):
    """A rule over one weight for each class and feature; the class with the largest score is predicted.

    Classes are whole numbers or strings; numbers sort before strings, and a tie goes to the smallest.
    A class that nobody announced joins when it is first revealed, with weights of zero.
    """

    task: ClassVar[str] = "multiclass"
    initial_weight: ClassVar[float] = 0.0  # of every class and feature

    def __init__(self, *, bias: bool = False, scale: str = "none", **parameters: float) -> None:
        """Hand the parameters to the core."""
        self.scale = one_of("scale", scale, SCALES)
        super().__init__(self.name, parameters, bias, self.scale)

    def _repr_html_(self) -> str:
        """Show it in a notebook: the ten largest weights."""
        weights = flat(self.weights)
        largest = sorted(weights.items(), key=lambda pair: (-abs(pair[1]), pair[0]))[:10]
        rows = [(name, f"{weight:.6g}") for name, weight in largest]
        return markup.table(f"{self.spec}: {len(self.classes):,} classes", rows, ("class, feature", "weight"))

    def __repr__(self) -> str:
        """Spec and size."""
        count = sum(map(len, self.weights.values()))
        return f"<{self.spec}: {len(self.classes):,} classes, {count:,} weights>"
