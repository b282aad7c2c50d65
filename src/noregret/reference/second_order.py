"""The twins of the second-order rules: what they share, with the covariance whole or only its diagonal."""

from __future__ import annotations

import math
from abc import abstractmethod

from .linear import Example, Feature, LaneWise, merged

LEAST = 1e-100  # a variance must not vanish
Row = list[tuple[Feature | None, float]]


class SecondOrder(LaneWise):
    """With v = xᵀΣx and a step (a, k): w ← w + a·Σx, Σ⁻¹ ← Σ⁻¹ + k·xxᵀ.

    `met` has the features of the full matrix in the order met, `matrix` its rows by place. A
    feature gets its place when it is first learned from with a value other than 0.
    """

    def __init__(self, covariance: str, bias: bool, scale: str, variance: float = 1.0) -> None:
        """Say the form of Σ, and the variance of a feature that has not been met."""
        super().__init__(scale)
        if covariance not in ("full", "diagonal"):
            raise ValueError(f"covariance is {covariance}; it must be full or diagonal")
        self.covariance = covariance
        self.has_bias = bias
        self.variance = variance
        self.initial = (0.0, variance)
        self.met: list[Feature | None] = []
        self.matrix: list[list[float]] = []
        self.potential = 0.0  # ‖w‖²

    @abstractmethod
    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Choose (a, k); (0, 0) is no step."""

    def measure(self, at: tuple[float, ...], value: float) -> float:
        """Its share in v."""
        return at[1] * value * value

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """Step by the variance, then shrink it."""
        return (
            at[0] + step[0] * at[1] * value,
            quotient(at[1], 1.0 + step[1] * at[1] * value * value) + LEAST,
        )

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """The diagonal by itself, or the whole matrix."""
        if self.covariance == "diagonal":
            return super().update(x, y, score, weight)
        before = self.met, self.matrix
        if self.moves(y, score) and self.update_full(self.meet(merged(self.row(x))), y, score, weight):
            return True
        self.met, self.matrix = before
        return False

    def meet(self, row: Row) -> Row:
        """Give the features of a row their places in the matrix; leave out zeros."""
        present = [(feature, value) for feature, value in row if value != 0.0]
        new = [feature for feature, _ in present if feature not in self.met]
        wide = len(self.met) + len(new)
        self.matrix = [line + [0.0] * len(new) for line in self.matrix]
        for place in range(len(self.met), wide):
            self.matrix.append([self.variance if k == place else 0.0 for k in range(wide)])
        self.met = self.met + new
        return present

    def update_full(self, row: Row, y: float, score: float, weight: float) -> bool:
        """Move the weights of all that was met along Σx; take the square of Σx from Σ."""
        place = {feature: p for p, feature in enumerate(self.met)}
        product = [0.0] * len(self.met)
        for feature, value in row:
            line = self.matrix[place[feature]]
            product = [so_far + number * value for so_far, number in zip(product, line, strict=True)]
        v = 0.0
        for feature, value in row:
            v += product[place[feature]] * value
        v = 0.0 if v < 0.0 else v
        step = self.plan(y, score, v, weight)
        if step == (0.0, 0.0):
            return False
        after, change = self.moved(product, step[0])
        scale = math.sqrt(step[1] / (1.0 + step[1] * v))
        reach = 0.0
        shrink = [number * scale for number in product]
        for number in shrink:
            reach += number * number
        if not math.isfinite(self.potential + change + reach):
            raise ValueError("learning from this row would overflow the weights")
        self.table = self.table | dict(zip(self.met, after, strict=True))
        self.matrix = [
            [number - here * there for number, there in zip(line, shrink, strict=True)]
            for line, here in zip(self.matrix, shrink, strict=True)
        ]
        for p, here in enumerate(shrink):
            self.matrix[p][p] += LEAST if here != 0.0 else 0.0
        self.potential += change
        return True

    def moved(self, product: list[float], step: float) -> tuple[list[float], float]:
        """Give the weights after w + step·Σx, and the change of ‖w‖²."""
        after, change = [], 0.0
        for feature, number in zip(self.met, product, strict=True):
            before = self.table.get(feature, 0.0)
            after.append(before + step * number)
            change += (after[-1] - before) * (after[-1] + before)
        return after, change

    @property
    def scalars(self) -> dict[str, float]:
        """‖w‖²."""
        return {"potential": self.potential}


def quotient(top: float, bottom: float) -> float:
    """Divide as the processor does: by zero as well."""
    if bottom != 0.0:
        return top / bottom
    if top == 0.0 or math.isnan(top):
        return math.nan
    return math.copysign(math.inf, top) * math.copysign(1.0, bottom)


def root(number: float) -> float:
    """Take a root as the processor does: NaN below 0."""
    return math.nan if number < 0.0 else math.sqrt(number)
