"""Rounding goes outward: compared with exact fractions, every bound errs towards the weaker statement."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from noregret.linear import arithmetic

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)


def exact(row, witness):
    return sum((Fraction(x) * Fraction(u) for x, u in zip(row, witness, strict=True)), Fraction(0))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.lists(NUMBERS, min_size=7, max_size=7), min_size=2, max_size=6))
def test_bounds_are_on_the_safe_side(numbers):
    *rows, witness = numbers
    X, u = csr_array(np.array(rows)), np.array(witness)
    y = np.where(np.arange(len(rows)) % 2 == 0, 1.0, -1.0)
    low, high = arithmetic.products(X, u)
    margins, norms = arithmetic.margins(X, y, u), arithmetic.square_norms(X)
    for r, row in enumerate(rows):
        true = exact(row, witness)
        assert Fraction(float(low[r])) <= true <= Fraction(float(high[r]))
        assert Fraction(float(margins[r])) <= int(y[r]) * true
        assert Fraction(float(norms[r])) >= exact(row, row)
    assert arithmetic.square_norm(u) >= exact(witness, witness)
    sizes = [abs(x) for x in witness]
    assert arithmetic.sum_above(np.abs(u)) >= sum(map(Fraction, sizes), Fraction(0))


def test_rounding_is_seen():
    """Numbers whose sums no double holds: the bounds must differ, or the test above says nothing."""
    X, u = csr_array(np.array([[0.1, 0.2, 0.3]])), np.array([0.7, 0.7, 0.7])
    low, high = arithmetic.products(X, u)
    assert low[0] < high[0] and high[0] - low[0] < 1e-14
    assert arithmetic.margins(X, np.array([1.0]), u)[0] == low[0]
    assert arithmetic.margins(X, np.array([-1.0]), u)[0] == -high[0]


def test_whole_numbers_are_exact():
    X, u = csr_array(np.array([[3.0, -4.0], [0.0, 5.0]])), np.array([2.0, 7.0])
    low, high = arithmetic.products(X, u)
    assert low.tolist() == high.tolist() == [-22.0, 35.0]
    assert arithmetic.square_norms(X).tolist() == [25.0, 25.0] and arithmetic.square_norm(u) == 53
