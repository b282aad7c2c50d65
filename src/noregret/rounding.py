"""Rounding towards the weaker statement, which is still true of the numbers that doubles stand for.

How far depends on where a number comes from:

- fractions are exact, and become doubles by `float_above`, `float_below` and `root_above`;
- what a few functions made of doubles that are bounds already goes through `above`;
- what was summed up over the rounds, by the learner or by us, goes through `outward` in a bound, and
  through `at_least` where it is what was observed;
- what a rule over experts summed up (losses, mixed losses, squares, prices) is off by `sum_error`, n·ε·Σ|·|:
  `experts.account` adds that to the bound, and every certificate shows what was added as its `rounding`. Two
  theorems are read off a potential that the rule follows, and one off a triangle of squares; there `outward`
  takes the place of the share of the bound. Counts are exact.

Sums over the features of a row are bounded term by term, in linear/arithmetic.py.
"""

from __future__ import annotations

import math
from fractions import Fraction

# The learner computes in doubles what the proof says of numbers: far more than that can add up to.
ROUNDING = 1e-9
EPSILON = (
    2.0**-52
)  # two units of rounding: those of an operation, and as much again for terms of higher order
UNDERFLOW = 1e-300  # more than all that is lost where products are too small for doubles


_LARGEST = Fraction(2) ** 1000  # roots of larger numbers are taken in whole numbers


def float_above(number: Fraction) -> float:
    """The smallest double that is not below the number; infinity when there is none."""
    try:
        close = float(number)
    except OverflowError:
        return math.inf
    return close if Fraction(close) >= number else math.nextafter(close, math.inf)


def float_below(number: Fraction) -> float:
    """The largest double that is not above the number."""
    close = float(number)
    return close if Fraction(close) <= number else math.nextafter(close, -math.inf)


def root_above(number: Fraction) -> Fraction:
    """A rational not below the square root, and equal to it when that is a double."""
    if number > _LARGEST:
        return Fraction(math.isqrt(math.ceil(number)) + 1)
    close = math.sqrt(float_above(number))
    while Fraction(close) ** 2 < number:
        close = math.nextafter(close, math.inf)
    below = math.nextafter(close, 0.0)
    return Fraction(below) if Fraction(below) ** 2 >= number else Fraction(close)


def above(number: float) -> float:
    """Round up by more than a handful of elementary functions can have rounded down."""
    return number * (1.0 + 1e-14) if number > 0 else number * (1.0 - 1e-14)


def outward(number: float) -> float:
    """Round up by more than the learner and we can have rounded down."""
    return number + ROUNDING * abs(number)


def sum_error(operations: float, size: float) -> float:
    """More than the error of a number after `operations` roundings, where Σ|terms| is at most `size`."""
    return EPSILON * operations * size + UNDERFLOW


def at_least(total: float) -> float:
    """Round a sum of losses down by more than the learner and we can have rounded up; a whole one stays."""
    return total if total.is_integer() else total * (1.0 - ROUNDING)
