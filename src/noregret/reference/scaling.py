"""The twins of online scaling: what a rule sees of a row, given the rows before it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

Feature = int | str
Row = Sequence[tuple[Feature, float]]
Met = tuple[float, ...]

REACH = 1e6  # no scaled value counts as more, so that a stray tiny one does not make later rows overflow


@dataclass
class Scaling:
    """As the values are given. A row has no feature twice; `met` has what is known of each feature."""

    fresh: ClassVar[Met] = ()
    met: dict[Feature, Met] = field(default_factory=dict)

    def take(self, met: Met, value: float) -> Met:
        """Give what is known of a feature once this value has been met."""
        return met

    def scaled(self, met: Met, value: float) -> float:
        """Give what the rule sees of a value."""
        return value

    def seen(self, x: Row) -> list[tuple[Feature, float]]:
        """Scale a row with what was met before it."""
        return [(f, self.scaled(self.met.get(f, self.fresh), value)) for f, value in x]

    def after(self, x: Row) -> Scaling:
        """Give the scaling that has met this row too; this one does not change."""
        news = {f: self.take(self.met.get(f, self.fresh), value) for f, value in x}
        if not all(math.isfinite(number) for met in news.values() for number in met):
            raise ValueError("this row is too large to be scaled online")
        return type(self)(self.met | news)


class Standard(Scaling):
    """Less the mean, over the standard deviation, of the values met so far.

    While they are all alike: 1 if they are all 1, as a category that is there or not, else 0.

    >>> scaling = Standard()
    >>> scaling.after([("a", 1.0)]).after([("a", 3.0)]).seen([("a", 3.0)])
    [('a', 1.0)]
    """

    fresh: ClassVar[Met] = (0.0, 0.0, 0.0)  # how many, their mean, their squared distances from it

    def take(self, met: Met, value: float) -> Met:
        """Update a mean and a sum of squares as Welford (1962) does."""
        count, mean, squares = met
        before = value - mean
        mean += before / (count + 1.0)
        return count + 1.0, mean, squares + before * (value - mean)

    def scaled(self, met: Met, value: float) -> float:
        """Count standard deviations from the mean."""
        count, mean, squares = met
        spread = math.sqrt(squares / count) if squares > 0.0 else 0.0
        always_one = spread == 0.0 and mean == value == 1.0
        return max(-REACH, min(_over(value - mean, spread), REACH)) + (1.0 if always_one else 0.0)


class Largest(Scaling):
    """Over the largest |value| met so far; 0 while there is none."""

    fresh: ClassVar[Met] = (0.0,)

    def take(self, met: Met, value: float) -> Met:
        """Keep the larger."""
        return (max(met[0], abs(value)),)

    def scaled(self, met: Met, value: float) -> float:
        """Give the share of the largest."""
        return max(-REACH, min(_over(value, met[0]), REACH))


class RootMeanSquare(Scaling):
    """Over √(Σ value²/rows): a feature that is absent counts as 0; 0 while none was met.

    >>> RootMeanSquare().after([("a", 2.0)]).after([]).after([]).after([]).seen([("a", 3.0)])
    [('a', 3.0)]
    """

    fresh: ClassVar[Met] = (0.0,)
    rows: float = 0.0

    def take(self, met: Met, value: float) -> Met:
        """Add a square."""
        return (met[0] + value * value,)

    def scaled(self, met: Met, value: float) -> float:
        """Give how many times the usual value this is."""
        spread = math.sqrt(met[0] / self.rows) if met[0] > 0.0 else 0.0
        return max(-REACH, min(_over(value, spread), REACH))

    def after(self, x: Row) -> Scaling:
        """Count the row, too."""
        after = super().after(x)
        assert isinstance(after, RootMeanSquare)
        after.rows = self.rows + 1.0
        return after


class Unit(Scaling):
    """Every row over its length."""

    def seen(self, x: Row) -> list[tuple[Feature, float]]:
        """Divide by √Σ value², added up in the order given."""
        square = 0.0
        for _, value in x:
            square += value * value
        if not math.isfinite(square):
            raise ValueError("this row is too large to be scaled online")
        return [(feature, _over(value, math.sqrt(square))) for feature, value in x]


def _over(value: float, divisor: float) -> float:
    if divisor == 0.0:
        return 0.0
    return value / divisor


SCALINGS: dict[str, type[Scaling]] = {
    "none": Scaling,
    "standard": Standard,
    "max": Largest,
    "rms": RootMeanSquare,
    "unit": Unit,
}
