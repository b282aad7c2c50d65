"""A random order is one only as long as nobody puts the rows into another."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.certificate import Verdict
from noregret.natures.order import Passes


def made(kind=np.asarray, weights=None):
    X = np.random.default_rng(0).normal(size=(40, 3))
    return nr.shuffled(nr.from_arrays(kind(X), np.where(X[:, 0] > 0, 1.0, -1.0), weights), 1)


def sort_labels(stream):
    stream.labels.sort()


def sort_rows(stream):
    order = np.argsort(stream.labels, kind="stable")
    stream.matrix[:], stream.labels[:] = stream.matrix[order], stream.labels[order]


def replace_rows(stream):
    order = np.argsort(stream.labels, kind="stable")
    stream.matrix, stream.labels = stream.matrix[order], stream.labels[order]


@pytest.mark.parametrize("change", [sort_labels, sort_rows, replace_rows])
def test_an_order_that_was_changed_is_not_drawn(change):
    """It stayed true, and a theorem about a random order held for one that was sorted."""
    stream = made()
    (chance,) = [
        one for one in nr.certify(nr.play(stream, nr.VotedPerceptron())) if "leave one" in one.theorem
    ]
    assert stream.drawn and chance.verdict is Verdict.HOLDS
    change(stream)
    assert not stream.drawn and not nr.PartlyLabelled(stream, 0.5).drawn
    (chance,) = [
        one for one in nr.certify(nr.play(stream, nr.VotedPerceptron())) if "leave one" in one.theorem
    ]
    assert chance.verdict is Verdict.SILENT and "drawn at random" in chance.reason


@pytest.mark.parametrize("part", ["data", "indices", "indptr"])
def test_every_array_of_a_sparse_matrix_counts(part):
    stream = made(csr_array)
    assert stream.drawn
    array = getattr(stream.matrix, part)
    array[0] += 1
    assert not stream.drawn
    array[0] -= 1
    assert stream.drawn


def test_weights_count_and_the_rows_that_were_shuffled_do_not():
    weights = np.arange(1.0, 41.0)
    stream = made(weights=weights)
    stream.weights.sort()
    assert not stream.drawn
    X, y = np.random.default_rng(0).normal(size=(10, 2)), np.array([1.0, -1.0] * 5)
    stream, before = nr.shuffled(nr.from_arrays(X, y), 3), y.copy()
    y.sort()
    X.sort(axis=0)
    assert stream.drawn and sorted(stream.labels) == sorted(before)  # it has copies


@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_in_any_layout_are_looked_at(order):
    X = np.asarray(np.random.default_rng(0).normal(size=(10, 4)), order=order)
    stream = nr.shuffled(nr.from_arrays(X, np.ones(10)), 2)
    assert stream.drawn
    stream.matrix[3, 2] += 1.0
    assert not stream.drawn


def test_rows_that_were_never_shuffled_are_not_drawn():
    stream = nr.from_arrays(np.eye(3), [1, -1, 1])
    assert not stream.drawn and not Passes(stream, 1).drawn
    assert Passes(stream, 1, seed=0).drawn and not Passes(stream, 2, seed=0).drawn
    assert nr.shuffled(nr.from_arrays(np.empty((0, 2)), []), 0).drawn
