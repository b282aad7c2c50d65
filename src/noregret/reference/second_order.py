"""The twins of the second-order rules: what they share, with the covariance whole or only its diagonal."""

from __future__ import annotations

import math
from abc import abstractmethod

from .linear import Example, Feature, LaneWise, merged

LEAST = 1e-100  # a variance must not vanish
SUREST = 1e100  # of those that double: Σ⁻¹ grows by no more than this over the square of the largest value
TOGETHER = 8  # sums run side by side, by place modulo this
Row = list[tuple[Feature | None, float]]


class SecondOrder(LaneWise):
    """With v = xᵀΣx and a step (a, k): w ← w + a·Σx, Σ⁻¹ ← Σ⁻¹ + k·xxᵀ.

    A full Σ is kept as U·D·Uᵀ: `met` has its features in the order met, `columns` those of U above
    its diagonal of ones, `variances` is D. A feature gets its place, the last, when it is first
    learned from with a value other than 0.
    """

    doubles = False  # whether k is of the order of 1/v, so that contradictions would take v to 0

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
        self.columns: list[list[float]] = []
        self.variances: list[float] = []
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
        """The diagonal by itself, or the factors of the whole matrix."""
        if self.covariance == "diagonal":
            return super().update(x, y, score, weight)
        before = self.met, self.columns, self.variances
        if self.moves(y, score) and self.update_full(self.meet(merged(self.row(x))), y, score, weight):
            return True
        self.met, self.columns, self.variances = before
        return False

    def meet(self, row: Row) -> list[float]:
        """Give the features of a row their places; lay the row out by place."""
        new = [feature for feature, value in row if value != 0.0 and feature not in self.met]
        self.met = self.met + new
        self.columns = self.columns + [[0.0] * place for place in range(len(self.columns), len(self.met))]
        self.variances = self.variances + [self.variance] * len(new)
        return self.laid(row)

    def laid(self, row: Row) -> list[float]:
        """Lay a row out by place; features that have none are left out."""
        values = dict(row)
        return [values.get(feature, 0.0) for feature in self.met]

    def turned(self, x: list[float]) -> tuple[list[float], list[float]]:
        """Uᵀx, and the sums Σ D_i·f_i² over the places before each, and over all."""
        f, reach = [], [0.0]
        for place, column in enumerate(self.columns):
            sums = [0.0] * TOGETHER
            for i, number in enumerate(column):
                sums[i % TOGETHER] += number * x[i]
            sums[place % TOGETHER] += x[place]
            four = [sums[k] + sums[k + 4] for k in range(4)]
            f.append((four[0] + four[1]) + (four[2] + four[3]))
            reach.append(reach[-1] + self.variances[place] * f[-1] * f[-1])
        return f, reach

    def update_full(self, x: list[float], y: float, score: float, weight: float) -> bool:
        """Move the weights of all that was met along Σx; take the row from the factors."""
        f, reach = self.turned(x)
        step = self.plan(y, score, reach[-1], weight)
        if step == (0.0, 0.0):
            return False
        largest = max(map(abs, x), default=0.0)
        most = quotient(SUREST, largest * largest)
        growth = most if self.doubles and step[1] > most else step[1]
        product, columns, variances = self.shrunk(f, reach, growth)
        after, change = self.moved(product, step[0])
        sound = all(0.0 < number < math.inf for number in variances)
        sound = sound and all(math.isfinite(number) for column in columns for number in column)
        sums = reach[-1] + growth + step[0], self.potential + change
        if not sound or not all(map(math.isfinite, sums)):
            raise ValueError("learning from this row would overflow the weights")
        self.table = self.table | dict(zip(self.met, after, strict=True))
        self.columns, self.variances = columns, variances
        self.potential += change
        return True

    def shrunk(
        self, f: list[float], reach: list[float], growth: float
    ) -> tuple[list[float], list[list[float]], list[float]]:
        """Σx, and the factors after Σ⁻¹ ← Σ⁻¹ + growth·xxᵀ (Bierman 1977)."""
        product: list[float] = []
        columns, variances = [], []
        for place, column in enumerate(self.columns):
            before, after = 1.0 + growth * reach[place], 1.0 + growth * reach[place + 1]
            slope = quotient(-(growth * f[place]), before)
            share = self.variances[place] * f[place]
            columns.append([number + slope * sum_ for number, sum_ in zip(column, product, strict=True)])
            product = [sum_ + number * share for number, sum_ in zip(column, product, strict=True)]
            product.append(share)
            variances.append(self.variances[place] * quotient(before, after))
        return product, columns, variances

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
