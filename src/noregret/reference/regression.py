"""The twins of learners that predict a number."""

from __future__ import annotations

import math

from .linear import Example, LaneWise, Linear, checked


def finite(y: float) -> float:
    """Refuse a label that is not a finite number."""
    number = float(y)
    if not math.isfinite(number):
        raise ValueError(f"the label is {y}; it must be a finite number")
    return number


class Regression(LaneWise):
    """Predicts the score itself; w ← w + step·x."""

    def __init__(self, bias: bool, scale: str) -> None:
        """Whether a feature that is always 1 ends every row, and how rows are scaled."""
        super().__init__(scale)
        self.has_bias = bias

    def truth(self, y: float) -> float:
        """A finite number."""
        return finite(y)

    def decide(self, score: float) -> float:
        """The score."""
        return score

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """w + step·x."""
        return (at[0] + step[0] * value,)

    @property
    def scalars(self) -> dict[str, float]:
        """‖w‖²."""
        return {"potential": self.potential}


class WidrowHoff(Regression):
    """w ← w + η·(y − ⟨w, x⟩)·x."""

    def __init__(self, rate: float = 0.01, bias: bool = False, scale: str = "none") -> None:
        """η."""
        super().__init__(bias, scale)
        self.rate = checked("rate", rate, 0.0)

    def loss_of(self, score: float, y: float) -> float:
        """The squared error."""
        return (score - y) * (score - y)

    def moves(self, y: float, score: float) -> bool:
        """Any error teaches."""
        return score != y

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """In proportion to the error."""
        return self.rate * weight * (y - score), 0.0


class PARegression(Regression):
    """When |y − ⟨w, x⟩| > ε, the least step that brings it to ε, tempered by C."""

    def __init__(
        self,
        epsilon: float = 0.1,
        C: float = 1.0,
        form: float = 1.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """ε, C, and which of the two forms."""
        super().__init__(bias, scale)
        self.epsilon = float(epsilon)
        self.C = checked("C", C, 0.0)
        self.form = form

    def loss_of(self, score: float, y: float) -> float:
        """What the error is beyond ε."""
        return max(0.0, abs(y - score) - self.epsilon)

    def moves(self, y: float, score: float) -> bool:
        """Only an error beyond ε teaches."""
        return abs(y - score) > self.epsilon

    def measure(self, at: tuple[float, ...], value: float) -> float:
        """‖x‖²."""
        return value * value

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Form 1 is cut at C, form 2 is shrunk by it; importance multiplies C."""
        if measured == 0.0:
            return 0.0, 0.0
        short = abs(y - score) - self.epsilon
        if self.form == 2:
            size = short / (measured + (0.5 / (self.C * weight) if self.C * weight else math.inf))
        else:
            size = min(self.C * weight, short / measured)
        return (size if y > score else -size), 0.0


class QuantileRegression(Regression):
    """Steps of η·τ up when the number was too small, of η·(1 − τ) down when it was too large."""

    def __init__(
        self, quantile: float = 0.5, rate: float = 0.1, bias: bool = False, scale: str = "none"
    ) -> None:
        """τ and η."""
        super().__init__(bias, scale)
        self.quantile = checked("quantile", quantile, 0.0)
        self.rate = checked("rate", rate, 0.0)

    def loss_of(self, score: float, y: float) -> float:
        """Too small costs τ, too large 1 − τ."""
        return self.quantile * (y - score) if y > score else (1.0 - self.quantile) * (score - y)

    def moves(self, y: float, score: float) -> bool:
        """Any error teaches."""
        return score != y

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """A step of fixed size."""
        return self.rate * weight * (self.quantile if y > score else self.quantile - 1.0), 0.0


class NumberBaseline(Linear):
    """Looks at no feature; the prediction is the shift."""

    def truth(self, y: float) -> float:
        """A finite number."""
        return finite(y)

    def decide(self, score: float) -> float:
        """The score."""
        return score

    def loss_of(self, score: float, y: float) -> float:
        """The squared error."""
        return (score - y) * (score - y)


class Mean(NumberBaseline):
    """The mean of the numbers so far, by importance."""

    def __init__(self) -> None:
        """Start at 0."""
        super().__init__()
        self.mean = self.importance = 0.0

    def shift(self) -> float:
        """The mean."""
        return self.mean

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Move by the share that this round has of all."""
        after = self.importance + weight
        moved = self.mean + (y - self.mean) * (weight / after)
        if not math.isfinite(after + moved):
            raise ValueError("the number of this row is too large to be averaged")
        changed = moved != self.mean
        self.mean, self.importance = moved, after
        return changed

    @property
    def scalars(self) -> dict[str, float]:
        """The mean, and the importance of all rounds."""
        return {"mean": self.mean, "total": self.importance}


class LastValue(NumberBaseline):
    """The number of the round before."""

    def __init__(self) -> None:
        """Start at 0."""
        super().__init__()
        self.last = 0.0

    def shift(self) -> float:
        """The last number."""
        return self.last

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Remember it."""
        changed = self.last != y
        self.last = y
        return changed

    @property
    def scalars(self) -> dict[str, float]:
        """The last number."""
        return {"last": self.last}
