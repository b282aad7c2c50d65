"""Learners that stand side by side do, to the bit, what each of them does alone."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.errors import BadInput
from noregret.model_file import to_bytes
from noregret.panel.bands import Choir, Solo, arranged
from noregret.rounds import Batch

GRIDS = {
    "perceptron": [f"perceptron:rate={rate}" for rate in (0.1, 0.3, 1.0, 2.5, 7.0, 0.7, 3.3, 0.01, 5.0)],
    "perceptron with a bias": [f"perceptron:rate={rate},bias=true" for rate in (0.1, 1.0, 2.5)],
    "perceptron, standard": [f"perceptron:rate={rate},bias=true,scale=standard" for rate in (0.1, 1.0, 2.5)],
    "perceptron, max": [f"perceptron:rate={rate},scale=max" for rate in (0.1, 1.0, 2.5)],
    "ogd": [f"ogd:loss=logistic,rate={rate},bias=true" for rate in (0.1, 1.0, 5.0)],
    "ogd, standard": [f"ogd:step=constant,rate={rate},scale=standard" for rate in (0.1, 1.0, 5.0)],
    "adagrad": [f"adagrad:loss=logistic,rate={rate},bias=true" for rate in (0.1, 1.0, 5.0)],
    "sixteen adagrads": [f"adagrad:rate={rate},delta={2.0**-rate}" for rate in range(1, 17)],
    "averaging": [f"adagrad:form=averaging,rate={rate},scale=max" for rate in (0.1, 1.0, 5.0)],
    "pa1": [f"pa1:C={price},bias=true" for price in (0.1, 1.0, 5.0)],
    "pa2, rms": [f"pa2:C={price},bias=true,scale=rms" for price in (0.1, 1.0, 5.0)],
    "adagrad, rms": [f"adagrad:loss=logistic,rate={rate},scale=rms" for rate in (0.1, 1.0)],
    "pa2": [f"pa2:C={price}" for price in (0.1, 1.0, 5.0)],
    "sop": [f"sop:ridge={ridge},bias=true" for ridge in (0.1, 1.0, 5.0)],
    "arow": [f"arow:ridge={ridge},bias=true" for ridge in (0.01, 0.1, 1.0, 5.0, 2.0, 0.3, 7.0, 9.0, 20.0)],
    "arow, standard": [f"arow:ridge={ridge},scale=standard" for ridge in (0.1, 1.0)],
    "nherd": [f"nherd:C={price}" for price in (0.1, 1.0, 5.0)],
    "cw": [f"cw:confidence={share}" for share in (0.6, 0.9)],
    "scw1": [f"scw1:C={price},bias=true" for price in (0.1, 1.0, 5.0)],
    "scw2": [f"scw2:C={price}" for price in (0.1, 1.0, 5.0)],
    "ons": [f"ons:limit={limit}" for limit in (0.1, 1.0, 5.0)],
    "perceptron, unit": [f"perceptron:rate={rate},bias=true,scale=unit" for rate in (0.1, 1.0, 2.5)],
}
EDGES = {  # of what may be applied without keeping what was there before
    "perceptron, far apart": [f"perceptron:rate={rate}" for rate in (1e-300, 1.0, 1e19, 1e90, 1e300)],
    "adagrad, hardly a divisor": [f"adagrad:rate={rate},delta=1e-320" for rate in (1.0, 1e300)],
    "sixteen, hardly a divisor": [f"adagrad:rate={rate},delta=1e-320" for rate in range(1, 17)],
    "averaging, hardly a divisor": [
        f"adagrad:form=averaging,rate={rate},delta=1e-320" for rate in (1.0, 5.0)
    ],
    "sop, hardly a ridge": [f"sop:ridge={ridge}" for ridge in (1e-90, 1e-60, 1.0)],
}
FEATURES = [0, 1, 2, 3, 4, 5, 20, 40]
quiet = settings(deadline=None, derandomize=True, database=None)


@st.composite
def batches(draw, extreme=False):
    ordinary = st.sampled_from([-2.0, -0.5, 0.0, 1.0, 3.0]) | st.floats(-10.0, 10.0)
    huge = st.sampled_from(
        [1.0, -1.0, 1e-160, 1e19, -1e20, 1e21, 1e60, 1e100, 1e150, -1e154, 1e160, 1e200, 1.7e308, math.nan]
    )
    row = st.lists(st.tuples(st.sampled_from(FEATURES), huge if extreme else ordinary), max_size=6)
    label = st.sampled_from([-1.0, 1.0, math.nan])
    weight = st.sampled_from([1.0, 1.0, 0.0, 2.5])
    rounds = draw(st.lists(st.tuples(row, label, weight), max_size=20))
    rows = [row for row, _, _ in rounds]
    index = draw(st.sampled_from([np.int32, np.int64]))
    return Batch(
        values=np.array([value for row in rows for _, value in row], dtype=np.float64),
        labels=np.array([y for _, y, _ in rounds], dtype=np.float64),
        indices=np.array([feature for row in rows for feature, _ in row], dtype=index),
        starts=np.cumsum([0, *map(len, rows)], dtype=index),
        weights=np.array([weight for _, _, weight in rounds], dtype=np.float64),
    )


def side_by_side(specs, batch):
    (choir,) = arranged([nr.learner(spec) for spec in specs])
    assert isinstance(choir, Choir)
    said = np.full((len(specs), len(batch)), math.nan)
    row = None
    try:
        choir.play(batch.matrix(), batch.labels, batch.weights, said)
    except BadInput as bad:
        row = bad.row
    return choir, said, row


def alone(specs, batch, rows):
    """Each by itself, over the rows before the first that one of them refuses."""
    learners = [nr.learner(spec) for spec in specs]
    said = np.full((len(specs), len(batch)), math.nan)
    first = rows
    for learner, told in zip(learners, said, strict=True):
        try:
            Solo(learner).play(batch.matrix(), batch.labels, batch.weights, told[None])
        except BadInput as bad:
            first = bad.row if first is None else min(first, bad.row)
    return learners, said, first


def numbers(learner):
    lanes = learner.state()["lanes"]
    return {name: lane.tobytes() for name, lane in lanes.items()}, learner.scalars


def agree(specs, batch):
    choir, said, row = side_by_side(specs, batch)
    learners, expected, first = alone(specs, batch, None)
    assert row == first
    if first is not None:
        learners, expected, _ = alone(specs, batch.part(0, first), None)
    assert np.array_equal(said[:, : len(expected[0])], expected)
    for member, learner in zip(choir.members(), learners, strict=True):
        assert numbers(member) == numbers(learner)
    return row


@pytest.mark.parametrize("kernels", _core.kernel_names())
@pytest.mark.parametrize("grid", GRIDS)
@settings(quiet, max_examples=25)
@given(batch=batches())
def test_batches(grid, kernels, batch):
    best = _core.kernel_names()[-1]
    _core.choose_kernels(kernels)
    try:
        agree(GRIDS[grid], batch)
    finally:
        _core.choose_kernels(best)


@pytest.mark.parametrize("grid", GRIDS | EDGES)
@settings(quiet, max_examples=25)
@given(batch=batches(extreme=True))
def test_a_row_that_one_refuses_changes_none(grid, batch):
    agree((GRIDS | EDGES)[grid], batch)


@pytest.mark.parametrize("grid", GRIDS)
def test_a_long_run_in_every_shape(grid):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 9)) * (rng.random((2000, 9)) < 0.5)
    y = np.where(X @ np.arange(-4.0, 5.0) + rng.normal(size=len(X)) > 0, 1.0, -1.0)
    for values, names in itertools.product([X, X.astype(np.float32)], [None, list("abcdefghi")]):
        assert agree(GRIDS[grid], Batch(values, y, width=9, names=names)) is None


@pytest.mark.parametrize("grid", GRIDS)
@settings(quiet, max_examples=20)
@given(batch=batches())
def test_round_by_round(grid, batch):
    specs = GRIDS[grid]
    (choir,) = arranged([nr.learner(spec) for spec in specs])
    learners = [nr.learner(spec) for spec in specs]
    for now in batch.rounds():
        assert choir.predict(now.x) == [learner.predict(now.x) for learner in learners]
        if now.y is None:
            continue
        choir.learn(now.x, now.y, now.weight)
        for learner in learners:
            learner.learn(now.x, now.y, weight=now.weight)
    assert [to_bytes(m) for m in choir.members()] == [to_bytes(learner) for learner in learners]


def test_features_that_are_large_numbers():
    indices = np.array([3_000_000, 0, 2**20, 3_000_000, 0, 7, 2**31 - 2], dtype=np.int64)
    y = np.array([-1.0, 1.0, -1.0])
    batch = Batch(np.arange(1.0, 8.0), y, indices, np.array([0, 3, 5, 7]), weights=np.ones(3))
    agree(GRIDS["perceptron with a bias"], batch)


def test_large_numbers_are_no_slots_of_their_own_where_rows_are_scaled():
    far = 2**20
    indices = np.array(
        [far + 9, 4, far + 5, far + 77, far + 5, far + 9, far + 77, 4, far, far - 1], dtype=np.int32
    )
    batch = Batch(
        np.array([1.0, 2.0, -1.0, 3.0, 0.5, 1.0, -2.0, 1.0, 4.0, 0.25]),
        np.array([1.0, -1.0, 1.0, -1.0, 1.0]),
        indices,
        np.arange(0, 11, 2, dtype=np.int32),
        weights=np.ones(5),
    )
    agree(["pa2:C=0.1,bias=true,scale=rms", "pa2:C=1,bias=true,scale=rms"], batch)


def test_a_rehearsal_leaves_no_trace():
    (choir,) = arranged([nr.learner(spec) for spec in GRIDS["perceptron, standard"]])
    for y in (1.0, -1.0, -1.0, 1.0):
        choir.learn({"a": 2.0 * y, "b": 1.0 + y}, y, 1.0)
    before = [to_bytes(member) for member in choir.members()]
    choir.rehearse({"a": 5.0, "b": -3.0}, -1.0, 2.0)
    choir.rehearse({"a": 5.0, "b": -3.0}, 1.0, 2.0)
    choir.rehearse({"new": 1.0}, 1.0, 1.0)
    assert [to_bytes(member) for member in choir.members()] == before


def test_a_rehearsal_does_not_settle_how_features_are_called():
    (choir,) = arranged([nr.learner(spec) for spec in GRIDS["perceptron, standard"]])
    choir.rehearse({"a": 1.0}, -1.0, 1.0)
    choir.learn(np.array([1.0, 2.0]), 1.0, 1.0)


def test_members_that_saw_another_number_of_rows_do_not_stand_side_by_side():
    first, second = nr.learner("perceptron:scale=rms"), nr.learner("perceptron:rate=2,scale=rms")
    for learner in (first, second):
        learner.learn({"a": 1.0}, -1)
    second.learn({"a": 0.0}, -1)
    assert [type(band) for band in arranged([first, second])] == [Solo, Solo]


def test_members_with_different_pasts_do_not_stand_side_by_side():
    first, second = nr.Perceptron(), nr.Perceptron(rate=0.5)
    first.learn({"a": 1.0}, -1)
    second.learn({"b": 1.0}, -1)
    assert [type(band) for band in arranged([first, second])] == [Solo, Solo]


def test_members_that_met_the_same_features_go_on_side_by_side():
    learners = [nr.learner(spec) for spec in GRIDS["perceptron, standard"]]
    x, y = np.array([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]]), np.array([-1.0, 1.0, -1.0])
    for learner in learners:
        nr.play(nr.from_arrays(x, y), learner)
    (choir,) = arranged(learners)
    assert [to_bytes(m) for m in choir.members()] == [to_bytes(learner) for learner in learners]
    choir.learn(x[0], 1.0, 1.0)
    for learner in learners:
        learner.learn(x[0], 1.0)
    assert [to_bytes(m) for m in choir.members()] == [to_bytes(learner) for learner in learners]


def hardly_roundable():
    """Doubles from 1 to 4 whose roots lie as close as can be to the middle between two doubles.

    An odd z over 2^53 is such a middle; z² − r is a double (times a power of two) where z² is r modulo 2^54, for the
    doubles from 1 to 2, or 2^55, from 2 to 4; and odd numbers that are 1 modulo 8 have roots modulo every power of two.
    """
    found = []
    for size, r in itertools.product((54, 55), range(-2047, 2048, 8)):
        z = 1
        for bit in range(3, size):
            z += (z * z - r) >> bit & 1 and 1 << (bit - 1)
        for root in {sign * z + half for sign in (1, -1) for half in (0, 1 << (size - 1))}:
            square = ((root % (1 << size)) ** 2 - r) >> size
            if 1 << 52 <= square < 1 << 53:
                found.append(math.ldexp(square, size - 106))
    return found


def test_roots_that_are_hard_to_round():
    squares = np.array(hardly_roundable())
    assert len(squares) > 500
    learners = []
    for delta in range(1, 17):
        learner = nr.learner(f"adagrad:loss=hinge,delta={delta}e-50")
        learner.learn(np.ones(len(squares) - 1), 1.0)  # the first of the squares is the bias's
        learner.restore(
            learner.state() | {"lanes": {"weight": np.zeros(len(squares)), "squares": squares.copy()}}
        )
        learners.append(learner)
    x = np.full(len(squares) - 1, 2.0**-40)  # its square is too small to change a sum
    batch = Batch(x[None], np.ones(1), width=len(x))
    (choir,) = arranged(learners)
    choir.play(batch.matrix(), batch.labels, None, np.empty((16, 1)))
    for learner, member in zip(learners, choir.members(), strict=True):
        learner.learn(x, 1.0)
        assert numbers(member) == numbers(learner)
        lanes = member.state()["lanes"]
        assert np.array_equal(lanes["squares"], squares)
        assert np.array_equal(lanes["weight"][1:], x / np.sqrt(squares[1:]))
