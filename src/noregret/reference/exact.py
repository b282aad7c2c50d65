"""Sums and roots without rounding. Every double is a whole number over a power of two."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

Row = Sequence[tuple[Any, float]]
FINE = 1 << 80


def dots(rows: Iterable[Row], witness: Mapping[Any, float]) -> list[Fraction]:
    """⟨u, x⟩ of every row."""
    parts = {feature: value.as_integer_ratio() for feature, value in witness.items()}
    common = max((d for _, d in parts.values()), default=1)
    whole = {feature: n * (common // d) for feature, (n, d) in parts.items()}
    return [_dot(row, whole, common) for row in rows]


def _dot(row: Row, whole: Mapping[Any, int], common: int) -> Fraction:
    pairs = [(value.as_integer_ratio(), whole[f]) for f, value in row if f in whole]
    finest = max((d for (_, d), _ in pairs), default=1)
    return Fraction(sum(n * (finest // d) * u for (n, d), u in pairs), finest * common)


def square(values: Iterable[float]) -> Fraction:
    """The sum of squares."""
    return sum((Fraction(value) ** 2 for value in values), Fraction(0))


def root_above(number: Fraction) -> Fraction:
    """The square root where it is rational, else a little more than it."""
    top, bottom = number.numerator * FINE * FINE, number.denominator
    product = top * bottom
    root = math.isqrt(product)
    return Fraction(root + (root * root != product), bottom * FINE)
