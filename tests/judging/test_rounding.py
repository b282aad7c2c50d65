"""Rounding goes outward: compared with exact fractions, every bound errs towards the weaker statement."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.judged import Judged, Witness
from noregret.judging.directions import Directions
from noregret.linear.passive_aggressive_theorems import DualSteps, SquaredDualSteps
from noregret.margin_sums import Margins, Norms, Total

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)
TINY = st.sampled_from([1e-160, -3e-170, 5e-324, 1e-300, 0.0, 0.1, -7.0])
WHOLE = st.integers(-1000, 1000).map(float)
ROWS = st.one_of(
    *(st.lists(st.lists(of, min_size=7, max_size=7), min_size=2, max_size=6) for of in (NUMBERS, TINY, WHOLE))
)


def _squarable(number):
    return number == 0.0 or abs(number) > 1e-100


MANY = st.one_of(
    *(
        st.lists(of, min_size=1, max_size=60)
        for of in (NUMBERS.filter(_squarable), WHOLE, st.floats(-2.0, 2.0).filter(_squarable))
    )
)


def cells_of(rows):
    """Dense rows as the judging pass lays them out, their columns in the order of the features."""
    (batch,) = nr.from_arrays(np.array(rows), np.ones(len(rows))).batches()
    columns = _core.FeatureColumns()
    for feature in range(len(rows[0])):
        columns.add(feature)
    return columns.lay(batch.matrix(), np.ones(len(rows), dtype=np.uint8))


def exact(row, witness):
    return sum((Fraction(x) * Fraction(u) for x, u in zip(row, witness, strict=True)), Fraction(0))


def products(rows, u, bias=False):
    directions = Directions()
    directions.place(Witness(np.array(u)), bias)
    directions.close()
    low, high = directions.products(cells_of(rows))
    return low[0], high[0]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(ROWS)
def test_products_and_lengths_are_on_the_safe_side(numbers):
    *rows, u = numbers
    low, high = products(rows, u)
    squares, peaks, spans = _core.measure_rows(cells_of(rows))
    for r, row in enumerate(rows):
        assert Fraction(float(low[r])) <= exact(row, u) <= Fraction(float(high[r]))
        assert Fraction(float(squares[r])) >= exact(row, row)
        assert peaks[r] == max(map(abs, row)) and spans[r] == max(0.0, *row) - min(0.0, *row)
    if not 0.0 < max(map(abs, u)) < 1e-50:  # a witness that short is not measured
        assert Witness(np.array(u), u=np.array(u)).square >= exact(u, u)
    with_bias = products(rows, [*u, 0.3], bias=True)
    for r, row in enumerate(rows):
        true = exact(row, u) + Fraction(0.3)
        assert Fraction(float(with_bias[0][r])) <= true <= Fraction(float(with_bias[1][r]))


def test_rounding_is_seen():
    """Numbers whose sums no double holds: the bounds must differ, or the test above says nothing."""
    low, high = products([[0.1, 0.2, 0.3]], [0.7, 0.7, 0.7])
    assert low[0] < high[0] and high[0] - low[0] < 1e-14


def test_whole_numbers_are_exact():
    rows, u = [[3.0, -4.0], [0.0, 5.0]], [2.0, 7.0]
    low, high = products(rows, u)
    assert low.tolist() == high.tolist() == [-22.0, 35.0]
    assert _core.measure_rows(cells_of(rows))[0].tolist() == [25.0, 25.0]
    assert Witness(np.array(u), u=np.array(u)).square == 53


def test_whole_numbers_beyond_the_doubles_are_not_exact():
    """All large doubles are whole, and their sums are rounded like any others."""
    u = [3.0, 1.0, 1.0]
    low, high = products([[2.0**53, 1.0, 1.0]], u)
    true = 3 * 2**53 + 2
    assert low[0] < high[0] and Fraction(float(low[0])) <= true <= Fraction(float(high[0]))
    assert Fraction(float(_core.measure_rows(cells_of([[2.0**27 + 1.0, 1.0]]))[0][0])) >= (2**27 + 1) ** 2 + 1


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(MANY, min_size=1, max_size=4))
def test_a_total_is_not_below_the_sum(parts):
    total, true = Total(), Fraction(0)
    for part in parts:
        numbers = np.abs(part)
        total.add(numbers)
        true += sum(map(Fraction, numbers.tolist()), Fraction(0))
    assert total.above() >= true
    if true.denominator == 1 and all(float(x).is_integer() for part in parts for x in part):
        assert total.above() == true
    assert float(total.above()) <= float(true) * (1.0 + 1e-12) + 1e-300


def test_a_total_beyond_the_doubles_is_still_one():
    total = Total()
    with np.errstate(over="ignore"):
        total.add(np.array([1e308, 1e308]))
    assert total.above() > Fraction(10) ** 308


def margins_of(numbers, weights=None):
    margins = Margins()
    margins.add(np.array(numbers), None, weights)
    return margins


def shortfalls_of(numbers, gamma, power=1):
    return sum((max(Fraction(0), Fraction(gamma) - Fraction(m)) ** power for m in numbers), Fraction(0))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(MANY, st.lists(st.floats(1e-6, 1e7), max_size=5))
@example([1.9375, -1.9999999999999998], [])
def test_sums_of_shortfalls_are_not_below_the_truth(numbers, more):
    """At the limits of the bins, at the margins themselves, beside them and below 0, where bins lie the other way round."""
    margins = margins_of(numbers)
    edges = margins.edges().tolist()
    gammas = np.array([*edges, *(-edge for edge in edges), *numbers, *more, *(-one for one in more), 0.0])
    gammas = gammas[(np.abs(gammas) > 1e-100) | (gammas == 0.0)]
    linear, squares = margins.linear(gammas), margins.squares(gammas)
    for gamma, first, second in zip(gammas.tolist(), linear.tolist(), squares.tolist(), strict=True):
        assert Fraction(first) >= shortfalls_of(numbers, gamma)
        assert Fraction(second) >= shortfalls_of(numbers, gamma, 2)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(MANY)
def test_at_the_limits_of_bins_the_sums_are_as_good_as_exact(numbers):
    margins = margins_of(numbers)
    found = margins.shortfalls
    size = max(1.0, *map(abs, numbers))
    for gamma, first, second in zip(*(part.tolist() for part in found), strict=True):
        scale = len(numbers) * (size + gamma)
        assert first <= float(shortfalls_of(numbers, gamma)) + 1e-12 * scale
        assert second <= float(shortfalls_of(numbers, gamma, 2)) + 1e-12 * scale * (size + gamma)
    assert (found.gammas > 0.0).all() and found.gammas[0] <= found.gammas[-1]
    assert margins.least == min(numbers) and margins.largest_size == max(map(abs, numbers))
    assert margins.wrong == sum(m <= 0.0 for m in numbers) and margins.rounds == len(numbers)


def test_whole_margins_have_exact_shortfalls():
    margins = margins_of([3.0, 3.0, -1.0, 7.0])
    assert margins.linear(np.array([3.0, 4.0, 8.0])).tolist() == [4.0, 7.0, 20.0]
    assert margins.squares(np.array([4.0])).tolist() == [27.0]
    large = margins_of([3e20, -1e19])  # whole as well, and rounded all the same
    gamma = float(large.edges()[-1])
    assert Fraction(float(large.linear(np.array([gamma]))[0])) > shortfalls_of([3e20, -1e19], gamma)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(MANY, st.sampled_from([0.0, 1e-12]))
def test_sums_of_squares_are_not_below_the_truth(numbers, doubt):
    found = margins_of(numbers).sum_of_squares(doubt)
    assert found >= sum(((abs(Fraction(m)) + Fraction(doubt)) ** 2 for m in numbers), Fraction(0)) * (
        1 - Fraction(1, 10**15)
    )


@settings(max_examples=100, deadline=None, derandomize=True)
@given(MANY, st.sampled_from([0.0625, 0.5, 1.0, 8.0]))
def test_a_convex_loss_is_not_below_the_truth(numbers, length):
    def logistic(margins):
        return np.logaddexp(0.0, -margins)

    scaled = [m / 1e5 if max(map(abs, numbers)) > 1e3 else m for m in numbers]
    (found,) = margins_of(scaled).convex(logistic, np.array([length]))
    true = float(np.sum(logistic(length * np.array(scaled))))
    assert true * (1.0 - 1e-9) - 1e-300 <= found <= 1.1 * true + 1.0


def test_square_lengths_of_many_features_do_not_shrink_a_weight():
    """‖x‖² is rounded up, so that 1/‖x‖² would be rounded down."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, 20_000))
    ledger = nr.play(nr.from_arrays(np.vstack([x, x]), [1.0, -1.0]), nr.PassiveAggressive())
    (told,) = nr.certify(ledger, witness=np.ones(20_000) / 20_000)
    assert told.verdict == "holds"
    u = 1.0 / 20_000
    scale = told.quantities["norm_u"] / np.sqrt(20_000 * u * u)
    square = exact(x[0].tolist(), x[0].tolist())
    dot = exact(x[0].tolist(), [u] * 20_000) * Fraction(scale)
    parts = sum(max(Fraction(0), 1 - y * dot) ** 2 / square for y in (1, -1))
    length = Fraction(told.quantities["norm_u"])
    true = square * (length + 2 * Fraction(np.sqrt(float(parts)))) ** 2
    assert Fraction(told.bound) >= true * (1 - Fraction(1, 10**13))


def test_norms_count_what_is_added():
    norms = Norms()
    norms.add(np.array([4.0, 9.0]), np.array([2.0, 3.0]), np.array([2.0, 5.0]))
    norms.add(np.empty(0), np.empty(0), np.empty(0))
    assert (norms.rounds, norms.largest, norms.peak, norms.peaks) == (2, 9.0, 3.0, 13.0)
    assert norms.total.above() == 13 and norms.spans.above() == 29


@pytest.mark.parametrize(("meter", "spec"), [(DualSteps, "pa1:C=0.5"), (SquaredDualSteps, "pa2:C=0.5")])
def test_the_dual_value_is_that_of_the_steps(meter, spec):
    """Στ − ½‖w‖², less Στ²/(4C) for PA-II, with the steps taken by hand; a row of zeros pays C or 2C·½."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), np.sign(rng.normal(size=40))
    w, taken = np.zeros(3), []
    for x, label in zip(X, y, strict=True):
        short = max(0.0, 1.0 - label * (w @ x))
        tau = min(0.5, short / (x @ x)) if spec.startswith("pa1") else short / (x @ x + 1.0)
        taken.append(tau)
        w = w + tau * label * x
    value = (
        sum(taken) - 0.5 * float(w @ w) - (sum(t * t for t in taken) / 2.0 if spec.startswith("pa2") else 0.0)
    )
    told = next(
        one
        for one in nr.certify(nr.play(nr.from_arrays(X, y), nr.learner(spec)))
        if one.about == "dual value"
    )
    assert told.observed == pytest.approx(value) and told.verdict == "holds"
    assert issubclass(meter, DualSteps) and isinstance(
        meter(Judged(nr.Ledger("pa1"), None, {"C": 0.5}, False)).value, float
    )
    zeros = nr.play(nr.from_arrays(np.zeros((4, 2)), [1.0, -1.0, 1.0, 1.0]), nr.learner(spec))
    empty = next(one for one in nr.certify(zeros) if one.about == "dual value")
    assert (empty.observed, empty.bound, empty.vacuous) == (2.0, 2.0, True)
